import type { Incremental } from '../../../shared/pipelines/configs/extract.ts';
import type { StepOutput } from '../../../shared/pipelines/records.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import { readSteps } from '../../../shared/pipelines/run-store.ts';
import { readWatermark, watermarkItems } from '../../../shared/pipelines/watermarks.ts';
import type { Cursor, Watermark } from '../../../shared/sources/incremental.ts';
import type { TransactItem } from '../../../shared/storage/table.ts';
import type { Attempt } from './attempt.ts';

/** Where an incremental extract goes on: at the watermark that the last load has committed. */
export async function cursorOf(attempt: Attempt, incremental: Incremental | undefined): Promise<Cursor | undefined> {
  if (!incremental) return undefined;
  const { cursorColumn: column, initialValue, lagSeconds } = incremental;
  const { worker, run, node } = attempt;
  if (run.backfillId) {
    const { intervalStart, intervalEnd } = run;
    attempt.log('info', `Reading the rows of ${column} from ${intervalStart} until before ${intervalEnd}.`);
    return { column, from: intervalStart!, before: intervalEnd! };
  }
  const last = await readWatermark(worker.context.table, worker.objects, { ...run, ...node });
  const initial = initialValue === undefined ? undefined : fillTemplate(String(initialValue), attempt.values);
  const from = last?.column === column ? last.to : initial;
  const boundary = last?.column === column ? last.boundary : null;
  attempt.log('info', from === undefined ? `Reading all rows by ${column}.` : `Reading on from ${column} ${from}.`);
  return {
    column,
    ...(from === undefined ? {} : { from }),
    ...(lagSeconds ? { lagSeconds } : {}),
    ...(boundary ? { boundary } : {}),
  };
}

/** What the loads of this output commit together with its rows. */
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
  return { watermark: { column, from: cursor.from ?? null, to, boundary } };
}

/** Incremental extracts have come so far when this load commits. */
export async function watermarkMoves(attempt: Attempt): Promise<TransactItem[]> {
  const { run, dag, node, plan } = attempt;
  const incremental = dag.steps.some((step) => step.type === 'extract' && step.config.mode === 'incremental');
  if (!incremental) return [];
  const { table } = attempt.worker.context;
  const steps = await readSteps(table, run.workspaceId, run.id);
  const nodes = new Map(steps.map((step) => [step.index, step]));
  return watermarkItems(table, attempt.worker.objects, run, plan, nodes, node.index);
}
