import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import type { RunContext } from '../store/index.ts';
import { pipelineRepository } from '../store/index.ts';
import type { Place } from '../triggers/index.ts';
import { type Admission, assignSlots, changeAdmission } from './admission.ts';
import { startPromoted } from './end-run.ts';

/**
 * Starts waiting runs in the slots that a higher `maxConcurrentRuns` has opened. If this never happens, the repair of
 * the waiting runs gives them the slots.
 */
export async function openSlots(context: RunContext, place: Place): Promise<void> {
  const promoted = await changeAdmission(context.table, place, async (state) => {
    const current = await withConcurrency(context.table, place, state);
    const { next, promoted } = assignSlots(current);
    const isChanged = current !== state || promoted.length > 0;
    return {
      next,
      position: 0,
      write: async (admission) => {
        if (isChanged) await transact(context.table, [admission]);
      },
      result: promoted,
    };
  });
  await Promise.all(promoted.map((runId) => startPromoted(context, place.workspaceId, runId)));
}

/** The state with the slots that the pipeline has now; its settings are read after the state, so they are not older. */
export async function withConcurrency(table: Table, place: Place, state: Admission): Promise<Admission> {
  const pipeline = await pipelineRepository(table).get(place.workspaceId, place.pipelineId);
  const { maxConcurrentRuns } = pipeline?.concurrency ?? state;
  return maxConcurrentRuns === state.maxConcurrentRuns ? state : { ...state, maxConcurrentRuns };
}
