import { advanceBackfill } from '../../../../shared/domains/pipelines/backfills/advance-backfill.ts';
import { BACKFILL_CARE_PARTITION } from '../../../../shared/domains/pipelines/backfills/backfill.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/run-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';

/** The tick has other things to do in its minute: what cancels have not ended by then is left to the next one. */
const CANCEL_MS = 15_000;

/** Brings on the backfills that are at work. */
export function careForBackfills(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const due = dueItems(context.table, BACKFILL_CARE_PARTITION, context.now());
  const cancelUntil = new Date(context.now().getTime() + CANCEL_MS);
  return workOnDue(due, (item) => advanceBackfill(context, item, cancelUntil), report);
}
