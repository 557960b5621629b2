import {
  type Diagnostic,
  type Dialect,
  emit,
  type SqlColumn,
  type SqlParameter,
} from '../../../../data/expressions/index.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import type { Measure } from '../definition/records.ts';
import { measureAnalysis } from '../expressions/expressions.ts';
import { outputColumns } from './transforms.ts';

export const DIALECTS = ['duckdb', 'postgres'] as const satisfies readonly Dialect[];

export interface MeasurePreview {
  dialect: Dialect;
  /** Null if there is none: see the diagnostics. */
  sql: string | null;
  params: readonly SqlParameter[];
  diagnostics: readonly Diagnostic[];
}

/**
 * The SQL of the expression alone, with the aliases of the model before the columns. The same model gives the same
 * text.
 */
export function previewMeasure(
  definition: ModelDefinition,
  measure: Measure,
  { dialect, now }: { dialect: Dialect; now: Date },
): MeasurePreview {
  const { diagnostics, valid } = measureAnalysis(definition, measure);
  if (!valid) return { dialect, sql: null, params: [], diagnostics };
  const emission = emit(valid.tree, { dialect, columnOf: columnIn(definition, dialect), now });
  if (emission.kind === 'sql') return { dialect, sql: emission.sql, params: emission.params, diagnostics };
  const place = { from: valid.tree.from, to: valid.tree.to };
  const inQuery: Diagnostic = {
    code: 6001,
    severity: 'warning',
    message: 'The measure is computed from groups of rows in several steps, so it has SQL only within a query.',
    ...place,
  };
  const further = emission.kind === 'rejected' ? emission.diagnostic : inQuery;
  return { dialect, sql: null, params: [], diagnostics: [...diagnostics, further] };
}

/** The column of a field that is not calculated, with the alias of its table. */
export const columnIn =
  (definition: ModelDefinition, dialect: Dialect) =>
  ({ field: id }: { table: string; field: string }): SqlColumn => {
    const { tableId, sourceColumn, dataType } = definition.fields.get(id)!;
    const column = sourceColumn!;
    const base = { table: definition.tables.get(tableId)!.alias, column };
    const columns = outputColumns(definition, tableId, dialect);
    // Before the first sync, a text may be of a type that Postgres does not compare with texts.
    if (!columns && dialect === 'postgres' && dataType === 'string') return { ...base, stored: 'other' };
    const found = columns?.find(({ name }) => name === column);
    if (found?.stored === 'timestamp' && dataType === 'datetime') return { ...base, stored: 'timestamp' };
    const isOther = found && (found.stored !== undefined || (found.type ?? dataType) !== dataType);
    return isOther ? { ...base, stored: 'other' } : base;
  };
