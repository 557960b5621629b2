import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { inTurns } from '../../../platform/storage/turns.ts';
import { commitLoad } from './commit.ts';
import { liveVersionItem, readManifest } from './manifests.ts';
import type { Dataset } from './record.ts';
import { datasetRepository, turnsOfDataset } from './repository.ts';

/**
 * Makes the content of an earlier version current again, as a new version with the same files. The same `restoreId`
 * restores once. Throws `DATASET_NOT_FOUND`, or `DATASET_VERSION_NOT_FOUND` for a version that has expired.
 */
export async function restoreVersion(
  { table, objects }: { table: Table; objects: ObjectStore },
  restore: { restoreId: string; workspaceId: string; datasetId: string; version: number; userId: string; at: Date },
): Promise<Dataset> {
  const { workspaceId, datasetId, version, userId, at } = restore;
  const datasets = datasetRepository(table);
  const of = { workspaceId, name: turnsOfDataset(datasetId) };
  const restored = await inTurns(table, of, {}, async () => {
    const dataset = await datasets.get(workspaceId, datasetId);
    if (!dataset) throw new AppError('DATASET_NOT_FOUND');
    const content = await readManifest(table, objects, { workspaceId, id: datasetId, version });
    if (!content) throw new AppError('DATASET_VERSION_NOT_FOUND');
    const outcome = await commitLoad(table, objects, {
      dataset,
      isNew: false,
      loadKey: `restore#${restore.restoreId}`,
      mode: 'overwrite',
      kept: content.files,
      added: [],
      columns: content.columns,
      rowsLoaded: 0,
      bytesLoaded: 0,
      origin: { kind: 'restore', version, userId },
      // The next incremental refresh reads everything after that version again.
      watermark: content.watermark,
      at,
      // The version must not expire before the commit, because its files would be deleted.
      fence: liveVersionItem(table, workspaceId, datasetId, version),
      also: await auditItems(table, {
        action: 'dataset.restored',
        object: { type: 'dataset', id: datasetId, name: dataset.name },
        before: { version: dataset.version },
        after: { contentOfVersion: version },
      }),
    });
    if (outcome.kind === 'committed') return (await datasets.get(workspaceId, datasetId)) ?? dataset;
    if (outcome.kind === 'fenced') throw new AppError('DATASET_VERSION_NOT_FOUND');
    return undefined;
  });
  if (!restored) throw new AppError('SERVICE_BUSY');
  return restored;
}
