import { advanceBackfill } from '../../../shared/pipelines/advance-backfill.ts';
import { BACKFILL_CARE_PARTITION } from '../../../shared/pipelines/backfill.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import { dueItems, type Failure, workOnDue } from '../../../shared/storage/due-items.ts';

/** Brings on the backfills that are at work. */
export function careForBackfills(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const due = dueItems(context.table, BACKFILL_CARE_PARTITION, context.now());
  return workOnDue(due, (item) => advanceBackfill(context, item), report);
}
