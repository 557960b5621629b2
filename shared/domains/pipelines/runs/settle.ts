import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { RunJob, StoredRun } from '../store/index.ts';
import {
  type AttemptUsage,
  eventItem,
  gateItems,
  type RunContext,
  type RunEvent,
  reserveEvents,
  usageItems,
} from '../store/index.ts';
import type { AttemptEnd, EndedAttempt } from './attempt-end.ts';
import { workerLostItem } from './compute-events.ts';
import { endRunWith } from './end-run.ts';
import { endEvent, gateEvent, stepEvent } from './step-events.ts';
import { beginItem, endItem, secondsOf } from './step-items.ts';

export interface Settling {
  job: RunJob;
  pipelineId: string;
  /**
   * The attempts of a worker that went from step to step of a chain. The first is stored as running, and nothing is
   * stored of the others yet.
   */
  ends: readonly EndedAttempt[];
  /** Whether the run succeeds once the last of these attempts has ended. */
  endsRun?: boolean;
  /** A dependent of the last step that waits for nothing else, which the same worker begins in the same transaction. */
  next?: NextStep | undefined;
}

export interface NextStep {
  node: { index: number; stepId: string; item: string | number | null };
  holder: string;
  /** When it began; now if absent. */
  at?: Date;
}

export type Settled =
  /** `count` of the ends are stored; a cancel has settled the other steps. `continued`: the next step has begun. */
  | { kind: 'settled'; run: StoredRun; at: Date; count: number; continued: boolean }
  /** All ends are stored, and the run has ended. */
  | { kind: 'ended'; run: StoredRun }
  | { kind: 'fenced' };

/**
 * Writes the ends of attempts: states, events and counters, with the start of the next step if the worker continues
 * with it, or with the end of the run. Succeeds once per attempt; a worker that has lost its lease gets `fenced`.
 */
export async function settleAttempts(context: RunContext, settling: Settling): Promise<Settled> {
  const { table } = context;
  const { job, next, pipelineId, endsRun = false } = settling;
  const now = context.now();
  const ends = settling.ends.map((ended) => ({ ...ended, at: ended.at ?? now }));
  const ended = ends.flatMap(({ step, end, gates = [] }, index) => [
    ...(index === 0 ? [] : [stepEvent(step, 'running', step.attempt)]),
    ...gates.map((result) => gateEvent(step, result)),
    endEvent(step, end),
  ]);
  const reserved = await reserveEvents(table, job, ended.length + (endsRun ? 2 : next ? 1 : 0));
  if (!reserved) return { kind: 'fenced' };
  const { run, first } = reserved;
  const continued = next !== undefined && run.cancelRequestedAt === undefined;
  const begunAt = next?.at ?? context.now();
  const events: RunEvent[] = [...ended, ...(continued ? [stepEvent(next.node, 'running', 1)] : [])];
  const used = ends.filter(({ billed }) => billed).map((each) => usageOf(settling, each));
  const states = ends.map((each, index) => endItem(table, job, each, each.at, index > 0));
  const others: TransactItem[] = [
    ...ends.flatMap(({ step, gates = [], at }) => gateItems(table, { ...step, pipelineId }, gates, at)),
    ...ends.flatMap(({ end }) => (end.kind === 'succeeded' ? (end.result.also ?? []) : [])),
    ...ends.filter(({ end }) => isLost(end)).map(({ step, at }) => workerLostItem(context, run, step, at)),
  ];
  if (
    endsRun &&
    (await endRunWith(context, job, { run, seq: first, ends, events, used, items: [...states, ...others] }))
  )
    return { kind: 'ended', run };
  const items: TransactItem[] = [
    ...states,
    ...(continued ? [beginNext(context, job, next, begunAt)] : []),
    eventItem(table, job, first, events, now),
    ...usageItems(table, used),
    ...others,
  ];
  try {
    await transact(table, items);
    return { kind: 'settled', run, at: begunAt, count: ends.length, continued };
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.has(0)) return { kind: 'fenced' };
    // A cancel has settled the steps from here since.
    const from = Math.min(...failed);
    if (from > ends.length || (from === ends.length && !continued)) throw cause;
    return settleAttempts(context, { job, pipelineId, ends: settling.ends.slice(0, from) });
  }
}

function beginNext(context: RunContext, job: RunJob, { node, holder }: NextStep, at: Date): TransactItem {
  const from = { states: ['pending'], attempt: 0 } as const;
  return beginItem(context.table, { ...job, index: node.index }, from, { holder, at });
}

const isLost = (end: AttemptEnd) => 'error' in end && end.error.code === 'WORKER_LOST';

function usageOf({ job, pipelineId }: Settling, { step, end, at }: EndedAttempt & { at: Date }): AttemptUsage {
  const moved = end.kind === 'succeeded' ? end.result.moved : undefined;
  return {
    workspaceId: job.workspaceId,
    pipelineId,
    executionSeconds: secondsOf(step, at),
    rowsMoved: moved?.rows ?? 0,
    bytesMoved: moved?.bytes ?? 0,
    ...(moved ? { sink: moved.sink } : {}),
    at,
  };
}
