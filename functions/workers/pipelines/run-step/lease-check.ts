import { type Attempt, StepFailure } from './attempt.ts';
import { prolong } from './watch.ts';

/**
 * Asked right before a commit that no transaction of ours guards: a worker that was away for long, and was given up or cancelled
 * meanwhile, must not change what lies outside. Throws CANCELLED.
 */
export async function refuseUnlessOurs({ worker, run, stored, signal }: Attempt): Promise<void> {
  signal.throwIfAborted();
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: stored.epoch, index: stored.index };
  if (!(await prolong(worker.context, job, stored.attempt))) {
    throw new StepFailure('CANCELLED', 'The attempt was given up.');
  }
}
