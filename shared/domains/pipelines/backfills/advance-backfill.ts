import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readAdmission } from '../runs/index.ts';
import type { RunContext } from '../store/index.ts';
import { BACKFILL_CHECK_AFTER_MS, createBackfillRuns, readBackfill, startBackfillRuns } from './backfill.ts';
import { finishCancel } from './cancel-backfill.ts';

/**
 * Advances a backfill: creates missing runs, assigns its share of the slots and starts the runs that have one; or
 * continues a requested cancel until `cancelUntil`. Repeated until its last run has ended.
 */
export async function advanceBackfill(context: RunContext, place: Key, cancelUntil: Date): Promise<void> {
  const { table } = context;
  const backfill = await readBackfill(table, place);
  if (!backfill) return;
  const state = await readAdmission(table, backfill.workspaceId, backfill.pipelineId);
  if (state.backfill?.id !== backfill.id) return removeFromDue(table, place);
  if (state.backfill.cancelled) {
    // The backfill stays due until its cancel is complete.
    if (!(await finishCancel(context, backfill, cancelUntil))) return;
  } else {
    await createBackfillRuns(context, backfill);
    await startBackfillRuns(context, backfill);
  }
  const dueAt = new Date(context.now().getTime() + BACKFILL_CHECK_AFTER_MS).toISOString();
  await transact(table, [{ Update: updateOf(table, place, { set: { dueAt } }) }]);
}

async function removeFromDue(table: Table, place: Key): Promise<void> {
  await transact(table, [{ Update: updateOf(table, place, { remove: ['due', 'dueAt'] }) }]);
}
