import { type Attempt, lostAttempt } from './attempt.ts';
import { extendLease } from './watch.ts';

/**
 * Runs right before a commit to an external system, which our conditional writes do not protect. A worker that stalled,
 * and so lost its lease or was cancelled, must not change anything there. Throws CANCELLED.
 */
export async function checkLease({ worker, run, stored, signal }: Attempt): Promise<void> {
  signal.throwIfAborted();
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: stored.epoch, index: stored.index };
  if (!(await extendLease(worker.context, job, stored.attempt))) {
    throw lostAttempt();
  }
}
