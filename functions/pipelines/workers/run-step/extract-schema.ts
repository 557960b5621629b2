import { columnsAfter, replacedColumns } from '../../../../shared/data/tables/column-union.ts';
import type { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import { allColumns, convertedRows } from '../../../../shared/data/tables/load-context.ts';
import { changeText, MAX_REPORTED_CHANGES } from '../../../../shared/data/tables/schema-change.ts';
import { fitValueless } from '../../../../shared/data/tables/valueless-columns.ts';
import type { ExtractConfig } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  extractSchemaItem,
  extractSubject,
  readExtractSchema,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';

/** The columns of this extract's last success; undefined before the first. */
export function lastColumns({ worker, run, node, step }: Attempt): Promise<readonly DatasetColumn[] | undefined> {
  const { of } = extractSubject(step.config as unknown as ExtractConfig, node.item);
  return readExtractSchema(worker.context.table, { ...run, ...node }, of);
}

export interface FoundSchema extends Pick<StepResult, 'schemaChanges' | 'also'> {
  /** A statement over the table `read` that converts the rows to the previous columns; undefined if they match. */
  rows: string | undefined;
}

/**
 * Compares the columns that were read with the previous ones. `evolve` keeps new columns, `ignore` converts the rows to
 * the previous columns, and `fail` throws SCHEMA_MISMATCH with every difference. `attach` makes the rows readable as
 * the table `read` if they have to be converted.
 */
export async function compareWithLast(
  attempt: Attempt,
  { columns, rows }: { columns: readonly DatasetColumn[]; rows: number },
  attach: () => Promise<void>,
): Promise<FoundSchema> {
  const { worker, run, node, engine } = attempt;
  const { table } = worker.context;
  const config = attempt.step.config as unknown as ExtractConfig;
  const subject = extractSubject(config, node.item);
  const last = await lastColumns(attempt);
  const { onSchemaChange = 'evolve' } = config;
  if (last && rows > 0) checkCursorOrder(config, last, columns);
  if (last && onSchemaChange !== 'evolve') {
    const fitted = await fitValueless(engine, 'read', { current: last, incoming: columns }, attach);
    const union = columnsAfter(last, fitted.columns, { ...fitted, onSchemaChange, replaces: false });
    logChanges(attempt, union.changes);
    if (union.changes.length + union.converted.length === 0) return { rows: undefined };
    await attach();
    const converted = await convertedRows({ engine }, 'read', union.converted, union.columns, union);
    return { rows: await allColumns({ engine }, converted, union.columns), schemaChanges: union.changes };
  }
  const schemaChanges = replacedColumns(last ?? [], columns);
  logChanges(attempt, schemaChanges);
  if (last && schemaChanges.length === 0) return { rows: undefined };
  return { rows: undefined, schemaChanges, also: [extractSchemaItem(table, { ...run, ...node }, subject, columns)] };
}

/** As text, 1000 sorts before 999, so new rows would be missed. */
function checkCursorOrder(
  { incremental }: ExtractConfig,
  last: readonly DatasetColumn[],
  columns: readonly DatasetColumn[],
): void {
  const name = incremental?.cursorColumn;
  const typeIn = (among: readonly DatasetColumn[]) => among.find((column) => column.name === name)?.type ?? 'string';
  const [was, is] = [typeIn(last), typeIn(columns)];
  if (was === 'string' || is !== 'string') return;
  throw new StepFailure(
    'SCHEMA_MISMATCH',
    `The cursor column ${name} changed from ${was} to text, which sorts differently, so new rows would be missed. ` +
      'Correct its values, or give the step a new id to read everything again.',
  );
}

function logChanges(attempt: Attempt, changes: NonNullable<StepResult['schemaChanges']>): void {
  for (const change of changes.slice(0, MAX_REPORTED_CHANGES)) attempt.log('warn', changeText(change));
}
