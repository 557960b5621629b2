import { columnsAfter, replacedColumns } from '../../../shared/datasets/column-union.ts';
import { allColumns, convertedRows } from '../../../shared/datasets/load-bench.ts';
import type { DatasetColumn } from '../../../shared/datasets/record.ts';
import { changeText, MOST_TOLD_CHANGES } from '../../../shared/datasets/schema-change.ts';
import { fitValueless } from '../../../shared/datasets/valueless.ts';
import type { ExtractConfig } from '../../../shared/pipelines/configs/extract.ts';
import { extractSchemaItem, extractSubject, readExtractSchema } from '../../../shared/pipelines/extract-schemas.ts';
import type { StepResult } from '../../../shared/pipelines/settle.ts';
import type { Attempt } from './attempt.ts';

/** The columns that this extract had the last time; undefined before the first. */
export function lastColumns({ worker, run, node, step }: Attempt): Promise<readonly DatasetColumn[] | undefined> {
  const { of } = extractSubject(step.config as unknown as ExtractConfig, node.item);
  return readExtractSchema(worker.context.table, { ...run, ...node }, of);
}

export interface FoundSchema extends Pick<StepResult, 'schemaChanges' | 'also'> {
  /** A statement over the table `read` that gives the rows the columns they had; undefined when they have them. */
  rows: string | undefined;
}

/**
 * Holds the columns of rows that were read against those of the last time. `evolve` passes them on as they are, `ignore`
 * gives them the columns of then, and `fail` throws SCHEMA_MISMATCH with every difference. `attach` makes the rows readable
 * as the table `read` when they have to be converted.
 */
export async function holdAgainstLast(
  attempt: Attempt,
  columns: readonly DatasetColumn[],
  attach: () => Promise<void>,
): Promise<FoundSchema> {
  const { worker, run, node, engine } = attempt;
  const { table } = worker.context;
  const config = attempt.step.config as unknown as ExtractConfig;
  const subject = extractSubject(config, node.item);
  const last = await lastColumns(attempt);
  const { onSchemaChange = 'evolve' } = config;
  if (last && onSchemaChange !== 'evolve') {
    const fitted = await fitValueless(engine, 'read', { current: last, incoming: columns }, attach);
    const union = columnsAfter(last, fitted.columns, { ...fitted, onSchemaChange, replaces: false });
    tell(attempt, union.changes);
    if (union.changes.length + union.converted.length === 0) return { rows: undefined };
    await attach();
    const rows = await convertedRows({ engine }, 'read', union.converted, union.columns, union);
    return { rows: await allColumns({ engine }, rows, union.columns), schemaChanges: union.changes };
  }
  const schemaChanges = replacedColumns(last ?? [], columns);
  tell(attempt, schemaChanges);
  if (last && schemaChanges.length === 0) return { rows: undefined };
  return { rows: undefined, schemaChanges, also: [extractSchemaItem(table, { ...run, ...node }, subject, columns)] };
}

function tell(attempt: Attempt, changes: NonNullable<StepResult['schemaChanges']>): void {
  for (const change of changes.slice(0, MOST_TOLD_CHANGES)) attempt.log('warn', changeText(change));
}
