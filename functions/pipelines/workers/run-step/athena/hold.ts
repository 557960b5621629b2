import {
  holdSlot,
  isOver,
  readNodes,
  runRepository,
  type StepJob,
} from '../../../../../shared/domains/pipelines/store/index.ts';
import type { Worker } from '../attempt.ts';
import { extendLease } from '../watch.ts';

/** What the machine does while a query runs: wait on, stop the query, or end the branch because the attempt is over. */
export interface Hold {
  kind: 'held' | 'stop' | 'over';
}

/**
 * Extends the lease and the slot of an attempt while only Athena works on it. Stops the query if the run is cancelled.
 */
export async function hold(
  { context }: Worker,
  { job, execution, attempt }: { job: StepJob; execution: string; attempt: number },
): Promise<Hold> {
  const [run, nodes] = await Promise.all([
    runRepository(context.table).get(job.workspaceId, job.runId),
    readNodes(context.table, job, [job.index]),
  ]);
  if (!run || isOver(run.status) || run.cancelRequestedAt) return { kind: 'stop' };
  const stored = nodes.get(job.index);
  const mine = stored?.status === 'running' && stored.holder === execution && stored.attempt === attempt;
  if (!mine || !(await extendLease(context, job, attempt))) return { kind: 'over' };
  await holdSlot(context.table, { ...job, execution }, context.now());
  return { kind: 'held' };
}
