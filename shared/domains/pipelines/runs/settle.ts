import { type SampledResult, withoutSample } from '../../../data/quality/gate-result.ts';
import { MAX_REPORTED_CHANGES, type SchemaChange } from '../../../data/tables/schema-change.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { WrittenReason } from '../definition/fusion.ts';
import type { SkipReason } from '../definition/plan.ts';
import { gateItems } from '../store/gate-results.ts';
import type { StepJob } from '../store/launcher.ts';
import { eventItem, type RunEvent } from '../store/run-events.ts';
import { stepKey } from '../store/run-keys.ts';
import type { StoredRun } from '../store/run-record.ts';
import { LEASE_MS, type RunContext, reserveEvents } from '../store/run-store.ts';
import { keptLog } from '../store/step-logs.ts';
import type { StepError, StepState, StepStatus, StoredStep } from '../store/step-record.ts';
import { type AttemptUsage, type Sink, usageItems } from '../store/usage.ts';
import { workerLostItem } from './compute-events.ts';
/** How an attempt ended. */
export type AttemptEnd =
  | { kind: 'succeeded'; result: StepResult }
  | { kind: 'retry'; error: StepError; at: Date }
  | { kind: 'failed'; error: StepError }
  | { kind: 'cancelled' };

export interface StepResult {
  output?: StoredStep['output'];
  rowsIn: number;
  rowsOut: number;
  bytesOut: number;
  /** What a load committed, and its target. */
  moved?: { rows: number; bytes: number; sink: Sink };
  gates?: readonly SampledResult[];
  /** The differences of the columns from the last run. */
  schemaChanges?: readonly SchemaChange[];
  /** Why the rows of a transform were stored. */
  writtenFor?: WrittenReason;
  /** Written in the transaction that ends the attempt. */
  also?: readonly TransactItem[];
}

/** The status that the API shows for a state. */
export function statusOfState(state: StepState): StepStatus {
  return state === 'pending' || state === 'ready' || state === 'waiting' ? 'queued' : state;
}

export function stepEvent(
  step: Pick<StoredStep, 'stepId' | 'item'>,
  state: StepState,
  attempt: number,
  more: { skipReason?: SkipReason | null; error?: StepError | null; nextRetryAt?: string | null } = {},
): RunEvent {
  return {
    type: 'step.status',
    data: {
      stepId: step.stepId,
      item: step.item,
      attempt,
      status: statusOfState(state),
      skipReason: more.skipReason ?? null,
      error: more.error ?? null,
      nextRetryAt: more.nextRetryAt ?? null,
    },
  };
}

/** The update that begins an attempt: only one worker succeeds with it. */
export function beginItem(
  table: Table,
  job: StepJob,
  from: { states: readonly StepState[]; attempt: number },
  begin: { holder: string; at: Date },
): TransactItem {
  return {
    Update: updateOf(
      table,
      stepKey(job.workspaceId, job.runId, job.index),
      {
        set: {
          status: 'running',
          attempt: from.attempt + 1,
          holder: begin.holder,
          startedAt: begin.at.toISOString(),
          leaseUntil: new Date(begin.at.getTime() + LEASE_MS).toISOString(),
        },
        remove: ['pending', 'nextRetryAt', 'error', 'gates', 'expectedAt', 'noWorkerSince', 'startsLost'],
      },
      { equals: { epoch: job.epoch, attempt: from.attempt }, oneOf: { status: from.states } },
    ),
  };
}

/**
 * Succeeds only while the attempt is the step's current one; part of every transaction that commits an attempt's work.
 */
export function fenceItem(table: Table, job: StepJob, attempt: number): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: stepKey(job.workspaceId, job.runId, job.index),
      ConditionExpression: '#status = :running AND #attempt = :attempt AND #epoch = :epoch',
      ExpressionAttributeNames: { '#status': 'status', '#attempt': 'attempt', '#epoch': 'epoch' },
      ExpressionAttributeValues: { ':running': 'running', ':attempt': attempt, ':epoch': job.epoch },
    },
  };
}

export interface Settling {
  job: StepJob;
  pipelineId: string;
  /** The step at the start of the attempt. */
  step: StoredStep;
  end: AttemptEnd;
  /** The gate results of the step. */
  gates?: readonly SampledResult[] | undefined;
  /** The log of the attempt, if it is kept with the step. */
  log?: string | undefined;
  /** A lost worker's time is not billed. */
  billed: boolean;
  /** A dependent that waits for nothing else, which the same worker begins in the same transaction. */
  next?: { node: { index: number; stepId: string; item: string | number | null }; holder: string };
}

const isLost = (end: AttemptEnd) => 'error' in end && end.error.code === 'WORKER_LOST';

export type Settled =
  /** `continued`: the first attempt of the next step has begun. */
  { kind: 'settled'; run: StoredRun; at: Date; continued: boolean } | { kind: 'fenced' };

/**
 * Writes the end of an attempt: state, event, ledger entry and counters, and the start of the next step if the worker
 * continues with it. Succeeds once per attempt; a worker that has lost its lease gets `fenced`.
 */
export async function settleAttempt(context: RunContext, settling: Settling): Promise<Settled> {
  const { job, step, end, next, gates = [] } = settling;
  const reserved = await reserveEvents(context.table, job, gates.length + (next ? 2 : 1));
  if (!reserved) return { kind: 'fenced' };
  const { run, first } = reserved;
  const at = context.now();
  const continued = next !== undefined && run.cancelRequestedAt === undefined;
  const seconds = Math.max(0, (at.getTime() - Date.parse(step.startedAt!)) / 1000);
  const events = [
    ...gates.map((result) => gateEvent(step, result)),
    endEvent(step, end),
    ...(continued ? [stepEvent(next.node, 'running', 1)] : []),
  ];
  const items: TransactItem[] = [
    settleItem(context.table, settling, at, settling.billed ? seconds : 0),
    eventItem(context.table, job, first, events, at),
    ...gateItems(context.table, { ...step, pipelineId: settling.pipelineId }, gates, at),
    ...(settling.billed ? usageItems(context.table, usageOf(settling, seconds), at) : []),
    ...(end.kind === 'succeeded' ? (end.result.also ?? []) : []),
    ...(isLost(end) ? [workerLostItem(context, run, step, at)] : []),
  ];
  if (continued) {
    items.push(
      beginItem(
        context.table,
        { ...job, index: next.node.index },
        { states: ['pending'], attempt: 0 },
        { holder: next.holder, at },
      ),
    );
  }
  try {
    await transact(context.table, items);
    return { kind: 'settled', run, at, continued };
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.has(0)) return { kind: 'fenced' };
    // A cancel has settled the next step since.
    if (continued && failed.has(items.length - 1)) {
      const { next: _next, ...alone } = settling;
      return settleAttempt(context, alone);
    }
    throw cause;
  }
}

function usageOf({ job, pipelineId, step, end }: Settling, seconds: number): AttemptUsage {
  const moved = end.kind === 'succeeded' ? end.result.moved : undefined;
  return {
    workspaceId: job.workspaceId,
    pipelineId,
    runId: job.runId,
    index: job.index,
    attempt: step.attempt,
    executionSeconds: seconds,
    rowsMoved: moved?.rows ?? 0,
    bytesMoved: moved?.bytes ?? 0,
    ...(moved ? { sink: moved.sink } : {}),
  };
}

function endEvent(step: StoredStep, end: AttemptEnd): RunEvent {
  if (end.kind !== 'retry') {
    return stepEvent(step, end.kind, step.attempt, end.kind === 'failed' ? { error: end.error } : {});
  }
  return stepEvent(step, 'waiting', step.attempt, { error: end.error, nextRetryAt: end.at.toISOString() });
}

function gateEvent({ stepId, item, attempt }: StoredStep, result: SampledResult): RunEvent {
  return { type: 'gate.result', data: { stepId, item, attempt, ...withoutSample(result) } };
}

function settleItem(table: Table, { job, step, end, gates, log }: Settling, at: Date, seconds: number): TransactItem {
  const over = { finishedAt: at.toISOString() };
  const set = (() => {
    switch (end.kind) {
      case 'succeeded': {
        const { output, rowsIn, rowsOut, bytesOut, moved, schemaChanges, writtenFor } = end.result;
        return {
          status: 'succeeded',
          ...over,
          output,
          rowsIn,
          rowsOut,
          bytesOut,
          rowsMoved: moved?.rows,
          bytesMoved: moved?.bytes,
          schemaChanges: schemaChanges?.length ? schemaChanges.slice(0, MAX_REPORTED_CHANGES) : undefined,
          writtenFor,
        };
      }
      case 'retry':
        return { status: 'waiting', error: end.error, nextRetryAt: end.at.toISOString() };
      case 'failed':
        return { status: 'failed', ...over, error: end.error };
      case 'cancelled':
        return { status: 'cancelled', ...over };
    }
  })();
  return {
    Update: updateOf(
      table,
      stepKey(job.workspaceId, job.runId, job.index),
      {
        set: {
          ...set,
          ...(gates && gates.length > 0 ? { gates: gates.map(withoutSample) } : {}),
          ...(log === undefined ? {} : keptLog(step.attempt, log)),
        },
        add: { executionSeconds: seconds },
        remove: ['holder', 'leaseUntil', 'crashReport'],
      },
      { equals: { status: 'running', attempt: step.attempt, epoch: job.epoch } },
    ),
  };
}
