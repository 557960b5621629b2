import {
  type Cursor,
  lostColumnText,
  MAX_BOUNDARY_ROWS,
  type Watermark,
} from '../../../../shared/data/connectors/extract/incremental.ts';
import { openBoundary, storeBoundary } from '../../../../shared/data/connectors/extract/stored-boundary.ts';
import { findLoad } from '../../../../shared/domains/datasets/index.ts';
import {
  attemptPrefix,
  fillTemplate,
  type Incremental,
  isOvertaken,
  loadKeyOf,
  loadsDownstreamOf,
  mostWatermarkItems,
  readSteps,
  readWatermark,
  type StepOutput,
  type StoredStep,
  watermarkItems,
} from '../../../../shared/domains/pipelines/index.ts';
import { dateAfter } from '../../../../shared/platform/schedule/days.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/** Of the hundred writes of the transaction that commits a load; the others are the load's own. */
const MAX_WRITES = 85;

/** Where an incremental extract goes on, and how often its watermark had moved then. */
export interface Continuation {
  cursor: Cursor;
  since: number;
}

/** At the watermark that the last load has committed. */
export async function whereToGoOn(
  attempt: Attempt,
  incremental: Incremental | undefined,
): Promise<Continuation | undefined> {
  if (!incremental) return undefined;
  const { cursorColumn: column, initialValue, lagSeconds, primaryKey } = incremental;
  const { worker, run, node } = attempt;
  if (run.backfillId) {
    const { intervalStart, intervalEnd, backfillDate: date } = run;
    const day = date === undefined ? '' : `, of dates ${date}`;
    attempt.log('info', `Reading the rows of ${column} from ${intervalStart} until before ${intervalEnd}${day}.`);
    const cursor = {
      column,
      from: intervalStart!,
      before: intervalEnd!,
      ...(date === undefined ? {} : { dates: { from: date, before: dateAfter(date) } }),
      ...(primaryKey ? { primaryKey } : {}),
    };
    return { cursor, since: 0 };
  }
  const stored = await readWatermark(worker.context.table, { ...run, ...node });
  const last = stored?.column === column ? stored : undefined;
  const initial = initialValue === undefined ? undefined : fillTemplate(String(initialValue), attempt.values);
  const from = last ? last.to : initial;
  const boundary = last && (await openBoundary(worker, last, attempt.engine.temporaryPath('parquet')));
  attempt.log('info', from === undefined ? `Reading all rows by ${column}.` : `Reading on from ${column} ${from}.`);
  const cursor = {
    column,
    ...(from === undefined ? {} : { from }),
    ...(lagSeconds ? { lagSeconds } : {}),
    ...(primaryKey ? { primaryKey } : {}),
    ...(boundary ? { boundary } : {}),
  };
  return { cursor, since: stored?.moves ?? 0 };
}

/** What the loads of this output commit together with its rows. Throws RESULT_TOO_LARGE when a load would append rows again with every run. */
export async function outputWatermark(
  attempt: Attempt,
  start: Continuation | undefined,
  next: Watermark | undefined,
): Promise<Pick<StepOutput, 'watermark'>> {
  if (!start || !next) return {};
  const { cursor, since } = start;
  // A backfill reads again what lies behind: it never moves the point from which live runs go on.
  if (attempt.run.backfillId) return {};
  if (next.nullCursorRows > 0) {
    attempt.log(
      'warn',
      `${next.nullCursorRows} rows have no ${next.column}, or one that is not held, and are not read.`,
    );
  }
  if (next.absentKey !== undefined) {
    attempt.log('warn', `There is no column ${next.absentKey}, which the primary key names: the key is not used.`);
  }
  if (next.repeatedRows > 0) attempt.log('info', `${next.repeatedRows} rows at the watermark were read before.`);
  if (next.to === null) return {};
  const { column, to, boundary, lostColumn } = next;
  if (lostColumn !== undefined) {
    refuseAppends(attempt, lostColumnText(lostColumn), 'use a load that merges');
  }
  if (boundary === null) refuseMany(attempt, cursor, to);
  const kept = await storeBoundary(
    attempt.worker.objects,
    boundary,
    `${attemptPrefix(attempt.stored)}/boundary.parquet`,
  );
  return { watermark: { column, since, from: cursor.from ?? null, to, ...kept } };
}

function refuseMany(attempt: Attempt, { column, lagSeconds }: Cursor, to: string): void {
  const edge = lagSeconds ? `${column} ${to} or less than ${lagSeconds} seconds below` : `${column} ${to}`;
  const many = `More than ${MAX_BOUNDARY_ROWS.toLocaleString('en')} rows have ${edge}: too many to be known again`;
  const remedy = `use a cursor column with finer values${lagSeconds ? ', a smaller lagSeconds' : ''} or a load that merges`;
  refuseAppends(attempt, many, remedy);
}

/** Rows at the edge that are not known again come again: that is for loads that bring rows together. */
function refuseAppends(attempt: Attempt, many: string, remedy: string): void {
  const append = loadsDownstreamOf(attempt.dag, attempt.step.id).find(({ config }) => config.mode === 'append');
  if (append) {
    throw new StepFailure('RESULT_TOO_LARGE', `${many}, and ${append.id} would append them again; ${remedy}.`);
  }
  attempt.log('warn', `${many}. They are read again.`);
}

/** Incremental extracts have come so far when this load commits. Throws OVERTAKEN when another run has come further. */
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
 * Before a load into a place of its own, which has no part in the transaction that moves watermarks: once before the work and once
 * more right before the commit. Throws RESULT_TOO_LARGE too where that transaction could become too large.
 */
export async function refuseOvertaken(attempt: Attempt): Promise<void> {
  const nodes = await unlessOvertaken(attempt);
  if (nodes && mostWatermarkItems(attempt.plan, nodes, attempt.node.index) > MAX_WRITES) throw tooManyExtracts();
}

const tooManyExtracts = () =>
  new StepFailure(
    'RESULT_TOO_LARGE',
    'The load takes rows of more incremental extracts, one per item, than can go on with one load. Load them within the block.',
  );

/** The steps of a run that reads incrementally. A load that was committed has itself moved what it consumed. */
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
    'Another run has read on from the same place and loaded its rows. Start a new run instead, which goes on from there.',
  );
}
