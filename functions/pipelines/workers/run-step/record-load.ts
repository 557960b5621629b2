import { fenceItem, type StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { loadKeyOf } from '../../../../shared/domains/pipelines/store/index.ts';
import { externalLoadItem, findLoad } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { tries } from '../../../../shared/platform/concurrency/tries.ts';
import { failedConditions, onlyConflicts, transact } from '../../../../shared/platform/storage/transact.ts';
import { type Attempt, lostAttempt } from './attempt.ts';
import { watermarkMoves } from './watermark.ts';

/** Records a load into an external target and moves its watermarks; if interrupted, the next attempt repeats it. */
export async function recordLoad(
  attempt: Attempt,
  { rows, bytes, sink }: NonNullable<StepResult['moved']>,
): Promise<void> {
  const { worker, run, node, stored } = attempt;
  const { table } = worker.context;
  const loadKey = loadKeyOf(stored);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: node.index };
  for await (const _try of tries({ signal: attempt.signal })) {
    const moves = await watermarkMoves(attempt);
    try {
      return await transact(table, [
        externalLoadItem(table, run.workspaceId, { loadKey, rowsLoaded: rows, bytesLoaded: bytes, sink }),
        fenceItem(table, job, stored.attempt),
        ...moves,
      ]);
    } catch (cause) {
      if (await findLoad(table, run.workspaceId, loadKey)) return;
      const failed = failedConditions(cause);
      if (failed.has(1)) throw lostAttempt();
      // Another load of the same extract was recorded in between, so which one moves the watermark must be decided
      // again.
      if (failed.size === 0 && !onlyConflicts(cause)) throw cause;
    }
  }
}
