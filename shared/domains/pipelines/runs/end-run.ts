import { idFrom } from '../../../platform/storage/ids.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { outboxItem } from '../../events/events/index.ts';
import { mayQuoteRows, rightsDeps, withoutQuotedRows } from '../../semantics/row-rights/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import type { RunError, RunJob, StoredRun } from '../store/index.ts';
import {
  type AttemptUsage,
  downstreamOf,
  endEvents,
  eventItem,
  isOver,
  type RunContext,
  type RunEvent,
  readSteps,
  reserveEvents,
  runEntryItems,
  runKey,
  runRepository,
  type StoredStep,
  type UpstreamEnd,
  upstreamEndItem,
  upstreamEndsOf,
  usageItems,
} from '../store/index.ts';
import type { Place } from '../triggers/index.ts';
import { type Admission, type AdmissionChange, changeAdmission, releaseSlot } from './admission.ts';
import { reportExhaustedBudget } from './allowance.ts';
import type { EndedAttempt } from './attempt-end.ts';
import { failureNotices } from './failure-notices.ts';
import { handOver } from './hand-over.ts';
import { leaveQueueItems } from './queue-entry.ts';
import { tablesProtectedInSteps } from './shown-rows.ts';
import { secondsOf } from './step-items.ts';

const MAX_TRIES = 5;

/**
 * How often the last step tries to end its run while other runs of the pipeline start or end. After that, the step ends
 * first.
 */
const BUSY_TRIES = 3;

/**
 * How many items of the last attempts fit into the transaction that ends a run. It holds 100, of which up to 50 start
 * downstream pipelines, and some 18 are the run, its counters and the run of a waiting input.
 */
const MAX_LAST_ITEMS = 30;

export interface RunEnd {
  status: 'succeeded' | 'failed' | 'cancelled';
  cancelReason?: string;
  /** Why the run could not start; a run that has started since is not ended. */
  error?: RunError;
  /**
   * The run as it was when its last step ended. If it has not changed since, event numbers need not be reserved first.
   */
  seen?: StoredRun;
}

/**
 * Ends a run: its status, its end events, the outgoing event of a failure and the release of its slot are one
 * transaction, which also creates the run of the oldest input that waits for the slot. Afterwards it
 * starts the runs that got a slot. Ending a run twice changes nothing. Throws `SERVICE_BUSY` if other runs of the
 * pipeline start or end during each of `busyTries` tries.
 */
export async function endRun(context: RunContext, job: RunJob, end: RunEnd, busyTries?: number): Promise<void> {
  const steps = await readSteps(context.table, job.workspaceId, job.runId);
  for (let tries = 1; ; tries++) {
    const reserved = await numbersOf(context, job, tries === 1 ? end.seen : undefined);
    if (!reserved || isOver(reserved.run.status)) return;
    if (end.error && reserved.run.status !== 'queued') return;
    const mayHandOver = tries < MAX_TRIES;
    try {
      const ended = await write(context, job, {
        ...reserved,
        end,
        steps,
        mayHandOver,
        busyTries,
      });
      return await follow(context, reserved.run, ended);
    } catch (cause) {
      // The run has started, another worker ended it, or the waiting input changed: try again.
      if (failedConditions(cause).size === 0 || tries === MAX_TRIES) throw cause;
    }
  }
}

/** The ends of the last attempts of a run, and the number of the first of their events. */
export interface LastAttempts {
  run: StoredRun;
  seq: number;
  ends: readonly (EndedAttempt & { at: Date })[];
  events: readonly RunEvent[];
  used: readonly AttemptUsage[];
  /** Everything else that is written with them. */
  items: readonly TransactItem[];
}

/**
 * Ends a run that has succeeded in the transaction that ends its last attempts. Returns false if that fails or its
 * outcome is unknown. The caller then stores the ends of the attempts alone, because an error in ending the run must
 * not cost a step its attempt.
 */
export async function endRunWith(context: RunContext, job: RunJob, last: LastAttempts): Promise<boolean> {
  const { run, seq } = last;
  if (run.status !== 'running' || run.cancelRequestedAt || last.items.length > MAX_LAST_ITEMS) return false;
  let ended: Ended;
  try {
    const steps = await readSteps(context.table, job.workspaceId, job.runId);
    const end = { status: 'succeeded' } as const;
    ended = await write(context, job, {
      run,
      seq,
      isReserved: true,
      end,
      steps,
      mayHandOver: true,
      busyTries: BUSY_TRIES,
      last,
    });
  } catch {
    return false;
  }
  await follow(context, run, ended);
  return true;
}

/**
 * What the end of a run causes. If it is lost, the tick starts the runs, and the end of the next run reports the
 * budget.
 */
async function follow(context: RunContext, run: StoredRun, ended: Ended): Promise<void> {
  const { promoted, downstreamStarts, mayStartMore } = ended;
  await Promise.all([
    ...promoted.map((runId) => startPromoted(context, run.workspaceId, runId)),
    announceEnds(context, downstreamStarts),
    ...(mayStartMore ? [wakeInputs(context, run)] : []),
    reportExhaustedBudget(context.table, run.workspaceId, context.now()),
  ]);
}

interface Numbers {
  run: StoredRun;
  /** The first of the two event numbers. */
  seq: number;
  /** Whether these numbers are reserved; if not, the run must still be as it was read. */
  isReserved: boolean;
}

async function numbersOf(context: RunContext, job: RunJob, seen: StoredRun | undefined): Promise<Numbers | undefined> {
  if (seen) return { run: seen, seq: seen.seq + 1, isReserved: false };
  const reserved = await reserveEvents(context.table, job, 2);
  return reserved && { run: reserved.run, seq: reserved.first, isReserved: true };
}

interface Ending extends Numbers {
  end: RunEnd;
  steps: readonly StoredStep[];
  /** Whether a waiting input may get the slot. */
  mayHandOver: boolean;
  busyTries: number | undefined;
  last?: LastAttempts;
}

interface Ended {
  promoted: string[];
  downstreamStarts: UpstreamEnd[];
  /** Further inputs may wait for free slots. */
  mayStartMore: boolean;
}

async function write(context: RunContext, job: RunJob, ending: Ending): Promise<Ended> {
  const { table } = context;
  const { run, seq, isReserved, end, steps, mayHandOver, busyTries, last } = ending;
  const at = context.now();
  const error = end.status === 'failed' ? (end.error ?? firstError(steps)) : null;
  const status = run.cancelRequestedAt ? 'cancelled' : end.status;
  const finishedAt = at.toISOString();
  const downstreamStarts = upstreamEndsOf(run, await downstreamOf(table, run, status), finishedAt);
  const items: TransactItem[] = [
    {
      Update: updateOf(
        table,
        runKey(job.workspaceId, job.runId),
        {
          set: {
            status,
            error: status === 'failed' ? error : null,
            cancelReason: status === 'cancelled' ? (run.cancelReason ?? end.cancelReason ?? 'requested') : null,
            finishedAt,
            updatedAt: finishedAt,
            ...runTotals(last ? withEnds(steps, last.ends) : steps),
            ...(isReserved ? {} : { seq: seq + 1 }),
          },
          remove: ['due', 'dueAt', 'taskToken', 'cancelRequestedAt', 'admittedAt', 'startsAtOnce'],
        },
        {
          equals: { attempt: job.epoch, status: run.status, ...(isReserved ? {} : { seq: run.seq }) },
          absent: isReserved && !last ? [] : ['cancelRequestedAt'],
        },
      ),
    },
    eventItem(table, job, seq, [...(last?.events ?? []), ...endEvents(job, { status, attempt: job.epoch, at })], at),
    ...(run.status === 'queued' ? leaveQueueItems(table, run) : []),
    ...usageItems(table, last?.used ?? [], isCounted(run) ? { ...run, at } : undefined),
    ...(last?.items ?? []),
    ...runEntryItems(table, run, status),
    ...(status === 'failed' ? await failureItems(context, run, error, { at, seq }) : []),
    ...downstreamStarts.map((end) => upstreamEndItem(table, end)),
  ];
  const plan = async (state: Admission): Promise<AdmissionChange<Ended>> => {
    const { next: freed, promoted } = releaseSlot(state, run.id);
    // The run ends even if its successor cannot be prepared; the handler of the message meets the error then.
    const handed = mayHandOver ? await handOver(context, run, freed).catch(() => null) : null;
    const next = handed?.next ?? freed;
    return {
      next,
      position: 0,
      result: {
        promoted: handed?.isAdmitted ? [...promoted, handed.run.id] : promoted,
        downstreamStarts,
        mayStartMore: handed !== undefined && next.running.length < next.maxConcurrentRuns,
      },
      write: (admission) => transact(table, [admission, ...items, ...(handed?.items ?? [])]),
    };
  };
  return changeAdmission(table, run, plan, busyTries);
}

/** A run counts once: at the end of the first attempt that has started. */
const isCounted = ({ status, startedAt, attemptStartedAt }: StoredRun) =>
  status === 'running' && startedAt === attemptStartedAt;

/** Sums of what the steps did, over all attempts of the run. */
export function runTotals(
  steps: readonly StoredStep[],
): Pick<StoredRun, 'executionSeconds' | 'rowsMoved' | 'bytesMoved'> {
  const sum = (of: (step: StoredStep) => number | undefined) => steps.reduce((all, step) => all + (of(step) ?? 0), 0);
  return {
    executionSeconds: Math.round(sum((step) => step.executionSeconds) * 1000) / 1000,
    rowsMoved: sum((step) => step.rowsMoved),
    bytesMoved: sum((step) => step.bytesMoved),
  };
}

/** Steps as they are once these attempts have ended. */
function withEnds(steps: readonly StoredStep[], ends: LastAttempts['ends']): StoredStep[] {
  const byIndex = new Map(ends.map((ended) => [ended.step.index, ended]));
  return steps.map((step) => {
    const ended = byIndex.get(step.index);
    if (!ended) return step;
    const { end, billed, at } = ended;
    const executionSeconds = step.executionSeconds + (billed ? secondsOf(ended.step, at) : 0);
    const moved = end.kind === 'succeeded' ? end.result.moved : undefined;
    return { ...step, executionSeconds, ...(moved ? { rowsMoved: moved.rows, bytesMoved: moved.bytes } : {}) };
  });
}

function firstError(steps: readonly StoredStep[]): RunError | null {
  const [first] = steps
    .filter((step) => step.kind === 'step' && step.status === 'failed' && step.error)
    .sort((a, b) => (a.finishedAt ?? '').localeCompare(b.finishedAt ?? ''));
  return first ? { ...first.error!, stepId: first.stepId } : null;
}

/** What reports a failure to those who are not looking at the run. */
async function failureItems(
  context: RunContext,
  run: StoredRun,
  error: RunError | null,
  { at, seq }: { at: Date; seq: number },
): Promise<TransactItem[]> {
  const sent = await sentError(context, run, error);
  return [failureEvent(context, run, sent, at, seq), ...(await failureNotices(context.table, run, sent, at))];
}

/** The error for receivers of events and emails, who may be anyone: its message may quote rows. */
async function sentError(context: RunContext, run: StoredRun, error: RunError | null): Promise<RunError | null> {
  if (!error || !mayQuoteRows(error)) return error;
  const { table, dags, now } = context;
  const deps = { rights: rightsDeps(table, now), datasets: datasetRepository(table) };
  const dag = await dags.get(run.workspaceId, run.dagHash);
  return withoutQuotedRows(error, await tablesProtectedInSteps(deps, run.workspaceId, [dag]));
}

function failureEvent(
  context: RunContext,
  run: StoredRun,
  error: RunError | null,
  at: Date,
  sequence: number,
): TransactItem {
  const { workspaceId, pipelineId, pipelineName, id: runId, attempt, trigger, startedAt } = run;
  return outboxItem(context.table, {
    workspaceId,
    event: 'pipeline.run_failed',
    at,
    id: idFrom('pipeline.run_failed', runId, attempt),
    data: {
      workspaceId,
      pipelineId,
      pipelineName,
      runId,
      attempt,
      trigger,
      error,
      startedAt,
      failedAt: at.toISOString(),
      url: `/api/pipelines/runs/${runId}`,
      sequence,
    },
  });
}

/** Lets waiting inputs of the pipeline take its free slots; if the message is lost, the tick does. */
export async function wakeInputs(context: RunContext, { workspaceId, pipelineId }: Place): Promise<void> {
  const message = { kind: 'start-waiting', workspaceId, pipelineId } as const;
  await context.queue.send([{ message, delaySeconds: 0 }]).catch(() => undefined);
}

/** Announces downstream starts; if the message is lost, the tick sends it again. */
export async function announceEnds(context: RunContext, downstreamStarts: readonly UpstreamEnd[]): Promise<void> {
  await context.queue
    .send(downstreamStarts.map((end) => ({ message: { kind: 'upstream-end', ...end }, delaySeconds: 0 })))
    .catch(() => undefined);
}

/** Starts a run that got a slot; if that fails, the tick starts it. */
export async function startPromoted(context: RunContext, workspaceId: string, runId: string): Promise<void> {
  const run = await runRepository(context.table).get(workspaceId, runId);
  if (run?.status !== 'queued') return;
  await context.launcher.startRun({ workspaceId, runId, epoch: run.attempt }).catch(() => undefined);
}
