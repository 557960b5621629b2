import { repairRun } from '../../../../shared/domains/pipelines/runs/repair-run.ts';
import { RUN_CARE_SHARDS } from '../../../../shared/domains/pipelines/store/run-keys.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/run-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';

/** Looks after the active runs whose time has come. */
export async function careForRuns(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < RUN_CARE_SHARDS; shard++) {
    const due = dueItems(context.table, `run-care#${shard}`, context.now());
    failures.push(
      ...(await workOnDue(
        due,
        ({ pk }) => {
          const [, workspaceId, , runId] = pk.split('#');
          return repairRun(context, { workspaceId: workspaceId!, runId: runId! });
        },
        report,
      )),
    );
  }
  return failures;
}
