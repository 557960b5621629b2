import type { Incremental } from '../../../shared/pipelines/configs/extract.ts';
import { loadsBehind } from '../../../shared/pipelines/extract-loads.ts';
import type { StepOutput } from '../../../shared/pipelines/records.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import { attemptPrefix } from '../../../shared/pipelines/run-keys.ts';
import { readSteps } from '../../../shared/pipelines/run-store.ts';
import { readWatermark, watermarkItems } from '../../../shared/pipelines/watermarks.ts';
import { type Cursor, MAX_BOUNDARY_ROWS, type Watermark } from '../../../shared/sources/incremental.ts';
import { openBoundary, storeBoundary } from '../../../shared/sources/stored-boundary.ts';
import type { TransactItem } from '../../../shared/storage/table.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/** Where an incremental extract goes on: at the watermark that the last load has committed. */
export async function cursorOf(attempt: Attempt, incremental: Incremental | undefined): Promise<Cursor | undefined> {
  if (!incremental) return undefined;
  const { cursorColumn: column, initialValue, lagSeconds, primaryKey } = incremental;
  const { worker, run, node } = attempt;
  if (run.backfillId) {
    const { intervalStart, intervalEnd } = run;
    attempt.log('info', `Reading the rows of ${column} from ${intervalStart} until before ${intervalEnd}.`);
    return { column, from: intervalStart!, before: intervalEnd!, ...(primaryKey ? { primaryKey } : {}) };
  }
  const stored = await readWatermark(worker.context.table, { ...run, ...node });
  const last = stored?.column === column ? stored : undefined;
  const initial = initialValue === undefined ? undefined : fillTemplate(String(initialValue), attempt.values);
  const from = last ? last.to : initial;
  const boundary = last && (await openBoundary(worker, last, attempt.engine.temporaryPath('parquet')));
  attempt.log('info', from === undefined ? `Reading all rows by ${column}.` : `Reading on from ${column} ${from}.`);
  return {
    column,
    ...(from === undefined ? {} : { from }),
    ...(lagSeconds ? { lagSeconds } : {}),
    ...(primaryKey ? { primaryKey } : {}),
    ...(boundary ? { boundary } : {}),
  };
}

/** What the loads of this output commit together with its rows. Throws RESULT_TOO_LARGE when a load would append rows again with every run. */
export async function outputWatermark(
  attempt: Attempt,
  cursor: Cursor | undefined,
  next: Watermark | undefined,
): Promise<Pick<StepOutput, 'watermark'>> {
  if (!cursor || !next) return {};
  // A backfill reads again what lies behind: it never moves the point from which live runs go on.
  if (attempt.run.backfillId) return {};
  if (next.nullCursorRows > 0) {
    attempt.log('warn', `${next.nullCursorRows} rows have no ${next.column} and are not read.`);
  }
  if (next.repeatedRows > 0) attempt.log('info', `${next.repeatedRows} rows at the watermark were read before.`);
  if (next.to === null) return {};
  const { column, to, boundary } = next;
  if (boundary === null) refuseAppends(attempt, cursor, to);
  const kept = await storeBoundary(
    attempt.worker.objects,
    boundary,
    `${attemptPrefix(attempt.stored)}/boundary.parquet`,
  );
  return { watermark: { column, from: cursor.from ?? null, to, ...kept } };
}

/** Too many rows at the edge to be known again come again with the next run: that is for loads that bring rows together. */
function refuseAppends(attempt: Attempt, { column, lagSeconds }: Cursor, to: string): void {
  const edge = lagSeconds ? `${column} ${to} or less than ${lagSeconds} seconds below` : `${column} ${to}`;
  const many = `More than ${MAX_BOUNDARY_ROWS.toLocaleString('en')} rows have ${edge}: too many to be known again`;
  const append = loadsBehind(attempt.dag, attempt.step.id).find(({ config }) => config.mode === 'append');
  if (!append) {
    attempt.log('warn', `${many}. The next run reads them again.`);
    return;
  }
  const remedy = `use a cursor column with finer values${lagSeconds ? ', a smaller lagSeconds' : ''} or a load that merges`;
  throw new StepFailure('RESULT_TOO_LARGE', `${many}, and ${append.id} would append them with every run; ${remedy}.`);
}

/** Incremental extracts have come so far when this load commits. */
export async function watermarkMoves(attempt: Attempt): Promise<TransactItem[]> {
  const { run, dag, node, plan } = attempt;
  const incremental = dag.steps.some((step) => step.type === 'extract' && step.config.mode === 'incremental');
  if (!incremental) return [];
  const { table } = attempt.worker.context;
  const steps = await readSteps(table, run.workspaceId, run.id);
  const nodes = new Map(steps.map((step) => [step.index, step]));
  return watermarkItems(table, attempt.worker.objects, run, plan, nodes, node.index, attempt.worker.context.now());
}
