import { AppError } from '../../../platform/errors/app-error.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import {
  announceEnds,
  type BackfillLane,
  cancelUnlessOver,
  changeAdmission,
  readAdmission,
  releaseSlot,
  startPromoted,
} from '../runs/index.ts';
import type { RunContext, StoredRun } from '../store/index.ts';
import {
  downstreamOf,
  endEvents,
  eventItem,
  queuedKey,
  runEntryItems,
  runKey,
  upstreamEndItem,
  upstreamEndsOf,
} from '../store/index.ts';
import { backfillKey, createBackfillRuns, readBackfill, runsOf, type StoredBackfill } from './backfill.ts';

const REASON = 'backfill_cancelled';
/** A transaction holds 100 items, one of them the admission. */
const MAX_ITEMS = 99;
/** The run, its queue entry, its entry in the list of runs and its end events. */
const ITEMS_PER_RUN = 4;

/**
 * Cancels the pipeline's backfill: after the first write no more days start; running days are cancelled like
 * `cancelRun` does, then queued ones, until `until`. The lane becomes free when the last day has ended. Throws
 * `BACKFILL_NOT_ACTIVE`. A repeated call or the tick completes an interrupted cancel.
 */
export async function cancelBackfill(
  context: RunContext,
  place: { workspaceId: string; pipelineId: string },
  until: Date,
): Promise<StoredBackfill> {
  const lane = await closeLane(context, place);
  const backfill = (await readBackfill(context.table, backfillKey(place.workspaceId, place.pipelineId, lane.id)))!;
  await finishCancel(context, backfill, until);
  return backfill;
}

async function closeLane(
  context: RunContext,
  place: { workspaceId: string; pipelineId: string },
): Promise<BackfillLane> {
  return changeAdmission(context.table, place, async (state) => {
    const lane = state.backfill;
    if (!lane) throw new AppError('BACKFILL_NOT_ACTIVE');
    return {
      next: { ...state, backfill: { ...lane, cancelled: true } },
      position: 0,
      write: async (admission) => {
        if (!lane.cancelled) await transact(context.table, [admission]);
      },
      result: lane,
    };
  });
}

/**
 * Ends the runs of a backfill whose lane is closed. After `until` no more queued runs are cancelled: a day with many
 * downstream pipelines is a transaction of its own. Returns whether all runs were cancelled.
 */
export async function finishCancel(context: RunContext, backfill: StoredBackfill, until: Date): Promise<boolean> {
  // The worker that creates the runs may have crashed or still be active. A run stored after its place in the lane was
  // removed would wait for ever.
  await createBackfillRuns(context, backfill);
  const state = await readAdmission(context.table, backfill.workspaceId, backfill.pipelineId);
  if (state.backfill?.id !== backfill.id) return true;
  const runs = new Map(runsOf(backfill).map((run) => [run.id, run]));
  // Days that were retried wait with the other runs of the pipeline.
  const outside = [...state.running, ...state.waiting].filter((runId) => runs.has(runId));
  const { workspaceId } = backfill;
  await Promise.all(outside.map((runId) => cancelUnlessOver(context, { workspaceId, runId }, REASON)));
  const downstream = await downstreamOf(context.table, backfill, 'cancelled');
  while (await cancelSomeWaiting(context, backfill, runs, downstream)) if (context.now() >= until) return false;
  return true;
}

/** Cancels as many queued runs as fit into a transaction; returns whether others remain. */
async function cancelSomeWaiting(
  context: RunContext,
  backfill: StoredBackfill,
  runs: ReadonlyMap<string, StoredRun>,
  downstream: readonly string[],
): Promise<boolean> {
  const { table } = context;
  const maxRuns = Math.floor(MAX_ITEMS / (ITEMS_PER_RUN + downstream.length));
  const { ends, promoted, more } = await changeAdmission(table, backfill, async (state) => {
    const waiting = state.backfill?.id === backfill.id ? state.backfill.waiting : [];
    const chosen = waiting.slice(0, maxRuns);
    const at = context.now();
    const ends = chosen.flatMap((id) => upstreamEndsOf(runs.get(id)!, downstream, at.toISOString()));
    const items = chosen.flatMap((id) => endOfWaiting(context, runs.get(id)!, at));
    let next = state;
    const promoted: string[] = [];
    for (const id of chosen) {
      const released = releaseSlot(next, id);
      next = released.next;
      promoted.push(...released.promoted);
    }
    return {
      next,
      position: 0,
      write: async (admission) => {
        if (chosen.length > 0)
          await transact(table, [admission, ...items, ...ends.map((end) => upstreamEndItem(table, end))]);
      },
      result: { ends, promoted, more: waiting.length > chosen.length },
    };
  });
  await Promise.all([
    ...promoted.map((runId) => startPromoted(context, backfill.workspaceId, runId)),
    announceEnds(context, ends),
  ]);
  return more;
}

/**
 * A run that waits in the lane has not changed since its creation, so it need not be read. It changes only in a
 * transaction with the lane, so the version of the admission guards it too.
 */
function endOfWaiting({ table }: RunContext, run: StoredRun, at: Date): TransactItem[] {
  const finishedAt = at.toISOString();
  const { id: runId, attempt } = run;
  const place = { workspaceId: run.workspaceId, runId };
  const change = { status: 'cancelled', cancelReason: REASON, finishedAt, updatedAt: finishedAt } as const;
  return [
    {
      Update: updateOf(
        table,
        runKey(run.workspaceId, runId),
        { set: change, add: { seq: 2 }, remove: ['due', 'dueAt', 'cancelRequestedAt'] },
        { equals: { status: 'queued', attempt } },
      ),
    },
    { Delete: { TableName: table.name, Key: queuedKey(run) } },
    eventItem(table, place, run.seq + 1, endEvents(place, { status: 'cancelled', attempt, at }), at),
    ...runEntryItems(table, run, 'cancelled'),
  ];
}
