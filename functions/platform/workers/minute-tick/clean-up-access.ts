import { ACCESS_CLEAN_UP_PARTITION, cleanUpItemAt } from '../../../../shared/domains/upkeep/access-clean-up/index.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Removes what removed members and deleted groups left behind, until `deadline`; the next tick continues. */
export function cleanUpAccess(
  context: { table: Table; now: () => Date },
  deadline: Date,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const isOver = () => context.now() >= deadline;
  const due = dueItems(context.table, ACCESS_CLEAN_UP_PARTITION, context.now());
  return workOnDue(due, (item) => cleanUpItemAt(context.table, item, isOver), report, isOver);
}
