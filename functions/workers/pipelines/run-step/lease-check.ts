import { type Attempt, lostAttempt } from './attempt.ts';
import { extendLease } from './watch.ts';

/**
 * Called right before a commit to an external system, which no fence of ours guards: a worker that stalled, and lost its
 * lease or was cancelled meanwhile, must not change anything there. Throws CANCELLED.
 */
export async function checkLease({ worker, run, stored, signal }: Attempt): Promise<void> {
  signal.throwIfAborted();
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: stored.epoch, index: stored.index };
  if (!(await extendLease(worker.context, job, stored.attempt))) {
    throw lostAttempt();
  }
}
