import {
  holdSlot,
  isOver,
  readNodes,
  runRepository,
  type StepJob,
} from '../../../../../shared/domains/pipelines/index.ts';
import type { Worker } from '../attempt.ts';
import { extendLease } from '../watch.ts';

/** What the machine does with a query that is running: goes on waiting, stops it, or stops holding what is over. */
export interface Hold {
  kind: 'held' | 'stop' | 'over';
}

/**
 * A sign of life for an attempt while nobody but Athena works on it: its lease and its slot hold on. A run that is to be cancelled
 * stops the query.
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
