import { CLEAN_UP_PARTITION, cleanUpItemAt } from '../../../../shared/platform/storage/clean-ups.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { CLEAN_UPS } from './clean-ups.ts';

/** Removes what removed members, deleted groups and the like left behind, until `deadline`; the next tick continues. */
export function cleanUpEnded(
  context: { table: Table; now: () => Date },
  deadline: Date,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const isOver = () => context.now() >= deadline;
  const due = dueItems(context.table, CLEAN_UP_PARTITION, context.now());
  return workOnDue(due, (item) => cleanUpItemAt(context.table, CLEAN_UPS, item, isOver), report, isOver);
}
