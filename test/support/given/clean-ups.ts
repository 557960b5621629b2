import { CLEAN_UPS } from '../../../functions/platform/workers/minute-tick/clean-ups.ts';
import { CLEAN_UP_PARTITION, cleanUpItemAt } from '../../../shared/platform/storage/clean-ups.ts';
import { dueItems, workOnDue, workspaceOf } from '../../../shared/platform/storage/due-items.ts';
import type { Api } from '../api.ts';

/** What the worker does for the clean-ups that are due by then. Those of other tests are not due yet. */
export async function endDue({ table, workspaceId }: Pick<Api, 'table' | 'workspaceId'>, at: Date): Promise<void> {
  const due = await Array.fromAsync(dueItems(table, CLEAN_UP_PARTITION, at));
  const own = due.filter((item) => workspaceOf(item) === workspaceId);
  const then = { ...table, now: () => at };
  const work = (item: (typeof own)[number]) => cleanUpItemAt(then, CLEAN_UPS, item, () => false);
  await workOnDue(own, work, ({ error }) => {
    throw error;
  });
}
