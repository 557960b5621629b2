import { externalLoadItem, findLoad } from '../../../../shared/domains/datasets/index.ts';
import { fenceItem, loadKeyOf, type StepResult } from '../../../../shared/domains/pipelines/index.ts';
import { failedConditions } from '../../../../shared/platform/storage/collection.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { watermarkMoves } from './watermark.ts';

const MAX_TRIES = 5;

/** Keeps that a load into a target of its own is done, with the watermarks that move by it; made good by the next attempt if cut off. */
export async function recordLoad(
  attempt: Attempt,
  { rows, bytes, sink }: NonNullable<StepResult['moved']>,
): Promise<void> {
  const { worker, run, node, stored } = attempt;
  const { table } = worker.context;
  const loadKey = loadKeyOf(stored);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: node.index };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
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
      if (failed.has(1)) throw new StepFailure('CANCELLED', 'The attempt was given up.');
      // Another load of the same extract was recorded in between: which of them moves the watermark is open again.
      if (failed.size === 0) throw cause;
    }
  }
  throw new StepFailure('INTERNAL', 'Other loads of the same rows were recorded again and again.');
}
