import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { Day } from '../../../platform/schedule/days.ts';
import { dateIn, daysBetween, isDate } from '../../../platform/schedule/days.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { ParameterValue } from '../definition/index.ts';
import { assignSlots, changeAdmission, newRun } from '../runs/index.ts';
import type { StoredPipeline, StoredRun } from '../store/index.ts';
import { eventItem, queuedKey, type RunContext, runEntryItems, runRepository } from '../store/index.ts';

export const MAX_DAYS = 366;
/** The limit of queued runs of a workspace, including those of a new backfill. */
export const MAX_QUEUED = 1_000;

export const BACKFILL_CHECK_PARTITION = 'backfill-check';
export const BACKFILL_CHECK_AFTER_MS = 60_000;

/** A backfill as stored. */
export interface StoredBackfill {
  id: string;
  workspaceId: string;
  pipelineId: string;
  actor: string;
  days: { date: string; start: string; end: string }[];
  parameters: Record<string, ParameterValue>;
  /** The pipeline at the start of the backfill: every run has the same definition. */
  pipeline: StoredPipeline;
  createdAt: string;
}

export const backfillKey = (workspaceId: string, pipelineId: string, id: string): Key =>
  workspaceKey(workspaceId, `PIPELINE#${pipelineId}`, `BACKFILL#${id}`);

export async function readBackfill(table: Table, place: Key): Promise<StoredBackfill | undefined> {
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key: place, ConsistentRead: true }));
  return found.Item && toRecord<StoredBackfill>(found.Item);
}

/** The run id of a date; the same each time the run is created. */
export const backfillRunId = (backfillId: string, date: string): string => idFrom('backfill-run', backfillId, date);

/** The days of a window in the time zone of the pipeline. Throws `BACKFILL_WINDOW_INVALID` with every issue. */
export function backfillDays(window: { from: string; to: string }, timezone: string, now: Date): Day[] {
  const errors: Issue[] = [];
  const { from, to } = window;
  for (const [name, date] of Object.entries({ from, to })) {
    if (!isDate(date)) {
      errors.push({ pointer: `/${name}`, code: 'DATE_INVALID', message: 'must be a date such as 2026-01-31' });
    } else if (date > dateIn(timezone, now)) {
      errors.push({ pointer: `/${name}`, code: 'DATE_IN_FUTURE', message: `must not be in the future (${timezone})` });
    }
  }
  if (errors.length === 0 && from > to) {
    errors.push({ pointer: '/to', code: 'WINDOW_REVERSED', message: 'must not be before from' });
  }
  // Before the days are counted: a window may span centuries.
  const span = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (errors.length === 0 && span > MAX_DAYS) {
    errors.push({ pointer: '/to', code: 'WINDOW_TOO_LONG', message: `The window must have at most ${MAX_DAYS} days.` });
  }
  if (errors.length > 0) throw new AppError('BACKFILL_WINDOW_INVALID', { errors });
  return daysBetween(from, to, timezone);
}

/**
 * Claims the pipeline's backfill lane and stores the backfill, in one transaction. Throws `BACKFILL_OVERLAP`,
 * `BACKFILL_ACTIVE`, `PIPELINE_NOT_FOUND`. Repeating it with the same id changes nothing, even after the backfill
 * ended.
 */
export async function claimBackfill(context: RunContext, backfill: StoredBackfill): Promise<void> {
  const { table } = context;
  const { workspaceId, pipelineId, id, days } = backfill;
  const [from, to] = [days[0]!.date, days.at(-1)!.date];
  const record: TransactItem = {
    Put: {
      TableName: table.name,
      ConditionExpression: 'attribute_not_exists(pk)',
      Item: {
        ...backfillKey(workspaceId, pipelineId, id),
        entity: 'backfill',
        ...backfill,
        due: BACKFILL_CHECK_PARTITION,
        dueAt: new Date(context.now().getTime() + BACKFILL_CHECK_AFTER_MS).toISOString(),
      },
    },
  };
  const claim = changeAdmission(table, backfill, async (state) => {
    const other = state.backfill;
    if (state.closed) throw new AppError('PIPELINE_NOT_FOUND');
    if (other && other.id !== id) {
      const overlaps = other.from <= to && from <= other.to;
      const members = { backfillId: other.id, from: other.from, to: other.to };
      throw new AppError(overlaps ? 'BACKFILL_OVERLAP' : 'BACKFILL_ACTIVE', { members, retryAfterSeconds: 60 });
    }
    const waiting = days.map(({ date }) => backfillRunId(id, date));
    const lane = other ?? { id, from, to, waiting, running: [], others: 0 };
    const { maxConcurrentRuns } = backfill.pipeline.concurrency;
    return {
      next: { ...state, maxConcurrentRuns, backfill: lane },
      position: 0,
      write: (admission) => transact(table, other ? [admission] : [admission, record]),
      result: undefined,
    };
  });
  try {
    await claim;
  } catch (cause) {
    // The record exists without its lane: the backfill has ended.
    if (!failedConditions(cause).has(1)) throw cause;
  }
}

/**
 * A transaction holds 100 items, of which a run takes four. Parts of earlier versions had 30 runs: a divisor of that,
 * so that the runs of each part exist all or not at all.
 */
const RUNS_PER_WRITE = 15;

/** Creates the runs of all days; existing ones stay unchanged. */
export async function createBackfillRuns(context: RunContext, backfill: StoredBackfill): Promise<void> {
  const runs = runsOf(backfill);
  const parts: StoredRun[][] = [];
  for (let start = 0; start < runs.length; start += RUNS_PER_WRITE)
    parts.push(runs.slice(start, start + RUNS_PER_WRITE));
  for (const part of parts) {
    const items = runRepository(context.table).createItems(part);
    try {
      await transact(context.table, [...items, ...part.flatMap((run) => relatedItems(context.table, run))]);
    } catch (cause) {
      // The runs of a part are created in one transaction: if the first exists, so do the others.
      if (!failedConditions(cause).has(0)) throw cause;
    }
  }
}

/** The runs of all days before they are stored, the oldest first. */
export const runsOf = (backfill: StoredBackfill): StoredRun[] => backfill.days.map((day) => runOf(backfill, day));

function runOf(backfill: StoredBackfill, day: StoredBackfill['days'][number]): StoredRun {
  const run = newRun(
    backfill.pipeline,
    {
      workspaceId: backfill.workspaceId,
      pipelineId: backfill.pipelineId,
      runId: backfillRunId(backfill.id, day.date),
      trigger: { kind: 'backfill', scheduledAt: null, upstreamRunId: null, actor: backfill.actor },
      parameters: backfill.parameters,
      logicalDate: day.start,
      intervalStart: day.start,
      intervalEnd: day.end,
    },
    new Date(backfill.createdAt),
  );
  return { ...run, backfillId: backfill.id, backfillDate: day.date };
}

function relatedItems(table: Table, run: StoredRun): TransactItem[] {
  const place = { workspaceId: run.workspaceId, runId: run.id };
  const data = { runId: run.id, status: 'queued', attempt: 1, at: run.createdAt } as const;
  const { backfillId } = run;
  return [
    { Put: { TableName: table.name, Item: { ...queuedKey(run), entity: 'queued-run', runId: run.id, backfillId } } },
    eventItem(table, place, 1, [{ type: 'run.status', data }], new Date(run.createdAt)),
    ...runEntryItems(table, run),
  ];
}

/** Starts as many runs as the backfill may have at once. */
export async function startBackfillRuns(
  context: RunContext,
  backfill: Pick<StoredBackfill, 'id' | 'workspaceId' | 'pipelineId'>,
): Promise<void> {
  const holders = await changeAdmission(context.table, backfill, async (state) => {
    const { next, promoted } = assignSlots(state);
    return {
      next,
      position: 0,
      write: async (admission) => {
        if (promoted.length > 0) await transact(context.table, [admission]);
      },
      result: (next.backfill?.id === backfill.id ? next.backfill.running : []).concat(promoted),
    };
  });
  const runs = await runRepository(context.table).getMany(backfill.workspaceId, [...new Set(holders)]);
  await Promise.all(
    runs
      .filter(({ status }) => status === 'queued')
      .map(({ workspaceId, id, attempt }) => context.launcher.startRun({ workspaceId, runId: id, epoch: attempt })),
  );
}
