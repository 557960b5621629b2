import {
  type Cursor,
  lostColumnText,
  MAX_BOUNDARY_ROWS,
  type Watermark,
} from '../../../../shared/data/connectors/extract/incremental.ts';
import { openBoundary, storeBoundary } from '../../../../shared/data/connectors/extract/stored-boundary.ts';
import {
  fillTemplate,
  type Incremental,
  isRefreshed,
  loadsDownstreamOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  attemptPrefix,
  type Increment,
  isOvertaken,
  loadKeyOf,
  maxWatermarkItems,
  readSteps,
  readWatermark,
  type StepOutput,
  type StoredStep,
  watermarkItems,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { findLoad } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { dateAfter } from '../../../../shared/platform/schedule/days.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/** A transaction has 100 items; the others belong to the load itself. */
const MAX_WRITES = 85;

/** Where an incremental extract continues, and how often its watermark has moved. */
export interface Continuation {
  cursor: Cursor;
  since: number;
  increment?: Increment;
}

/** Continues at the watermark that the last load committed. */
export async function continuationOf(
  attempt: Attempt,
  incremental: Incremental | undefined,
): Promise<Continuation | undefined> {
  if (!incremental) return undefined;
  const { cursorColumn: column, initialValue, lagSeconds, primaryKey } = incremental;
  const { worker, run, node } = attempt;
  if (run.backfillId) return { cursor: backfillCursor(attempt, incremental), since: 0 };
  const stored = await readWatermark(worker.context.table, { ...run, ...node });
  const refreshes = isRefreshed(run.fullRefresh, node.stepId);
  const last = !refreshes && stored?.column === column && stored.to !== null ? stored : undefined;
  const initial = initialValue === undefined ? undefined : fillTemplate(String(initialValue), attempt.values);
  const from = last?.to ?? initial;
  const boundary = last && (await openBoundary(worker, last, attempt.engine.temporaryPath('parquet')));
  if (refreshes) attempt.log('info', `A full refresh: the watermark of ${column} is not used.`);
  attempt.log('info', from === undefined ? `Reading all rows by ${column}.` : `Reading on from ${column} ${from}.`);
  const cursor = {
    column,
    ...(from === undefined ? {} : { from }),
    ...(lagSeconds ? { lagSeconds } : {}),
    ...(primaryKey ? { primaryKey } : {}),
    ...(boundary ? { boundary } : {}),
  };
  const since = stored?.moves ?? 0;
  return { cursor, since, ...incrementOf(last !== undefined, refreshes && since > 0) };
}

/** The rows of the interval of a backfill's day. */
function backfillCursor(attempt: Attempt, { cursorColumn: column, primaryKey }: Incremental): Cursor {
  const { intervalStart, intervalEnd, backfillDate: date } = attempt.run;
  const day = date === undefined ? '' : `, of dates ${date}`;
  attempt.log('info', `Reading the rows of ${column} from ${intervalStart} until before ${intervalEnd}${day}.`);
  return {
    column,
    from: intervalStart!,
    before: intervalEnd!,
    ...(date === undefined ? {} : { dates: { from: date, before: dateAfter(date) } }),
    ...(primaryKey ? { primaryKey } : {}),
  };
}

/** The part of an extract's output from which its loads know whether their targets must exist or be empty. */
export function incrementOf(isContinued: boolean, isRefreshed: boolean): Pick<StepOutput, 'increment'> {
  if (isContinued) return { increment: { kind: 'continued' } };
  return isRefreshed ? { increment: { kind: 'refreshed' } } : {};
}

/**
 * What loads commit with these rows, and the watermark that they move. Throws RESULT_TOO_LARGE when a load would append
 * rows again in every run.
 */
export async function outputWatermark(
  attempt: Attempt,
  start: Continuation | undefined,
  next: Watermark | undefined,
): Promise<Pick<StepOutput, 'watermark' | 'increment'>> {
  // A backfill reads old rows: it never moves the watermark of live runs.
  if (!start || attempt.run.backfillId) return {};
  const { cursor, since } = start;
  const increment = start.increment ? { increment: start.increment } : {};
  if (!next) return withoutRows(start, increment);
  if (next.nullCursorRows > 0) {
    attempt.log('warn', `${next.nullCursorRows} rows have no usable value in ${next.column} and are skipped.`);
  }
  if (next.absentKey !== undefined) {
    attempt.log('warn', `The primary key is not used, because there is no column ${next.absentKey}.`);
  }
  if (next.repeatedRows > 0) attempt.log('info', `${next.repeatedRows} rows at the watermark were read before.`);
  if (next.to === null) return withoutRows(start, increment);
  const { column, to, boundary, lostColumn } = next;
  if (lostColumn !== undefined) {
    rejectAppends(attempt, lostColumnText(lostColumn), 'use a load in mode merge');
  }
  if (boundary === null) rejectWideBoundary(attempt, cursor, to);
  const kept = await storeBoundary(
    attempt.worker.objects,
    boundary,
    `${attemptPrefix(attempt.stored)}/boundary.parquet`,
  );
  return { ...increment, watermark: { column, since, from: cursor.from ?? null, to, ...kept } };
}

/** A full refresh that finds no rows forgets the watermark; otherwise it stays where it is. */
function withoutRows(
  { cursor, since }: Continuation,
  { increment }: Pick<StepOutput, 'increment'>,
): Pick<StepOutput, 'watermark' | 'increment'> {
  if (increment?.kind !== 'refreshed') return increment ? { increment } : {};
  return { increment, watermark: { column: cursor.column, since, from: null, to: null, boundary: [] } };
}

function rejectWideBoundary(attempt: Attempt, { column, lagSeconds }: Cursor, to: string): void {
  const edge = lagSeconds ? `${column} ${to} or less than ${lagSeconds} seconds below` : `${column} ${to}`;
  const reason = `More than ${MAX_BOUNDARY_ROWS.toLocaleString('en')} rows have ${edge}, too many to recognise when they are read again`;
  const remedy = `use a cursor column with finer values${lagSeconds ? ', a smaller lagSeconds' : ''} or a load in mode merge`;
  rejectAppends(attempt, reason, remedy);
}

/** Boundary rows that cannot be recognised are read again, which only a merge tolerates. */
function rejectAppends(attempt: Attempt, reason: string, remedy: string): void {
  const append = loadsDownstreamOf(attempt.dag, attempt.step.id).find(({ config }) => config.mode === 'append');
  if (append) {
    throw new StepFailure('RESULT_TOO_LARGE', `${reason}, and ${append.id} would append them again; ${remedy}.`);
  }
  attempt.log('warn', `${reason}. They are read again.`);
}

/** The items that move the watermarks of a load. Throws OVERTAKEN when another run has moved them first. */
export async function watermarkMoves(attempt: Attempt): Promise<TransactItem[]> {
  const nodes = await unlessOvertaken(attempt);
  if (!nodes) return [];
  const { run, node, plan, worker } = attempt;
  const { table, now } = worker.context;
  const items = await watermarkItems(table, worker.objects, run, plan, nodes, node.index, now());
  if (items.length > MAX_WRITES) throw tooManyExtracts();
  return items;
}

/**
 * Checks a load into an external target, which is not part of the transaction that moves watermarks: before the work
 * and right before the commit. Throws OVERTAKEN, and RESULT_TOO_LARGE when that transaction could become too large.
 */
export async function checkOvertaken(attempt: Attempt): Promise<void> {
  const nodes = await unlessOvertaken(attempt);
  if (nodes && maxWatermarkItems(attempt.plan, nodes, attempt.node.index) > MAX_WRITES) throw tooManyExtracts();
}

const tooManyExtracts = () =>
  new StepFailure(
    'RESULT_TOO_LARGE',
    'The load reads from more incremental extracts than one load can commit; load their rows inside the block.',
  );

/**
 * The steps of an incremental run; undefined if no watermark has to move. A committed load has moved its watermarks
 * already.
 */
async function unlessOvertaken(attempt: Attempt): Promise<ReadonlyMap<number, StoredStep> | undefined> {
  const { run, dag, node, plan, stored } = attempt;
  const isIncremental = dag.steps.some((step) => step.type === 'extract' && step.config.mode === 'incremental');
  if (!isIncremental) return undefined;
  const { table } = attempt.worker.context;
  const steps = await readSteps(table, run.workspaceId, run.id);
  const nodes = new Map(steps.map((step) => [step.index, step]));
  if (!(await isOvertaken(table, run, plan, nodes, node.index))) return nodes;
  if (await findLoad(table, run.workspaceId, loadKeyOf(stored))) return undefined;
  throw new StepFailure(
    'OVERTAKEN',
    'Another run has already loaded these rows. Start a new run, which continues after them.',
  );
}
