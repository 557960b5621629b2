import { CLEAN_UP_SHARDS, cleanUpDataset } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Cleans up due datasets until `deadline`; the next tick continues. */
export async function cleanUpDatasets(
  context: { table: Table; objects: ObjectStore; now: () => Date },
  deadline: Date,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < CLEAN_UP_SHARDS; shard++) {
    const due = dueItems(context.table, `dataset-clean-up#${shard}`, context.now());
    failures.push(
      ...(await workOnDue(
        due,
        async ({ pk }) => {
          if (context.now() >= deadline) return;
          const [, workspaceId, , datasetId] = pk.split('#');
          await cleanUpDataset(context, workspaceId!, datasetId!);
        },
        report,
      )),
    );
  }
  return failures;
}
