import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readAdmission } from '../runs/admission.ts';
import type { RunContext } from '../store/run-store.ts';
import { BACKFILL_CARE_AFTER_MS, createBackfillRuns, readBackfill, startShare } from './backfill.ts';
import { finishCancel } from './cancel-backfill.ts';

/**
 * Brings a backfill on: creates what is not created yet, gives it its share of the slots, and starts those of its runs
 * that have one; or brings the cancel to its end that was asked for, as far as `cancelUntil` allows. Done again and again until
 * its last run is over.
 */
export async function advanceBackfill(context: RunContext, place: Key, cancelUntil: Date): Promise<void> {
  const { table } = context;
  const backfill = await readBackfill(table, place);
  if (!backfill) return;
  const state = await readAdmission(table, backfill.workspaceId, backfill.pipelineId);
  if (state.backfill?.id !== backfill.id) return forget(table, place);
  if (state.backfill.cancelled) {
    // What is left of it stays due.
    if (!(await finishCancel(context, backfill, cancelUntil))) return;
  } else {
    await createBackfillRuns(context, backfill);
    await startShare(context, backfill);
  }
  const dueAt = new Date(context.now().getTime() + BACKFILL_CARE_AFTER_MS).toISOString();
  await transact(table, [{ Update: updateOf(table, place, { set: { dueAt } }) }]);
}

async function forget(table: Table, place: Key): Promise<void> {
  await transact(table, [{ Update: updateOf(table, place, { remove: ['due', 'dueAt'] }) }]);
}
