import { UPSTREAM_END_PARTITION, upstreamEndOf } from '../../../../shared/domains/pipelines/store/downstream.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/run-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';

/** Tells once more of upstream pipelines that have ended and whose downstream has not started yet. */
export function careForUpstreamEnds(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  return workOnDue(
    dueItems(context.table, UPSTREAM_END_PARTITION, context.now()),
    (item) => context.queue.send([{ message: { kind: 'upstream-end', ...upstreamEndOf(item) }, delaySeconds: 0 }]),
    report,
  );
}
