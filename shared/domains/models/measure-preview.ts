import {
  type Diagnostic,
  type Dialect,
  emit,
  type SqlColumn,
  type SqlParameter,
} from '../../data/expressions/index.ts';
import { dataTypeOf } from '../../data/transforms/index.ts';
import type { ModelDefinition } from './definition.ts';
import { measureAnalysis } from './expressions.ts';
import type { Measure } from './records.ts';

export const DIALECTS = ['duckdb', 'postgres'] as const satisfies readonly Dialect[];

export interface MeasurePreview {
  dialect: Dialect;
  /** Null if there is none: see the diagnostics. */
  sql: string | null;
  params: readonly SqlParameter[];
  diagnostics: readonly Diagnostic[];
}

/** The SQL of the expression alone, with the aliases of the model before the columns. The same model gives the same text. */
export function previewMeasure(
  definition: ModelDefinition,
  measure: Measure,
  { dialect, now }: { dialect: Dialect; now: Date },
): MeasurePreview {
  const { diagnostics, valid } = measureAnalysis(definition, measure);
  if (!valid) return { dialect, sql: null, params: [], diagnostics };
  const emission = emit(valid.tree, { dialect, columnOf: columnIn(definition), now });
  if (emission.kind === 'sql') return { dialect, sql: emission.sql, params: emission.params, diagnostics };
  const place = { from: valid.tree.from, to: valid.tree.to };
  const inQuery: Diagnostic = {
    code: 6001,
    severity: 'warning',
    message: 'The measure compares rows of a result, so it has SQL only within a query.',
    ...place,
  };
  const further = emission.kind === 'rejected' ? emission.diagnostic : inQuery;
  return { dialect, sql: null, params: [], diagnostics: [...diagnostics, further] };
}

/** The column of a field that is not calculated, with the alias of its table. */
export const columnIn =
  ({ tables, fields }: ModelDefinition) =>
  ({ field: id }: { table: string; field: string }): SqlColumn => {
    const { tableId, sourceColumn, dataType } = fields.get(id)!;
    const { alias, columns } = tables.get(tableId)!;
    const column = sourceColumn!;
    const type = columns?.find(({ name }) => name === column)?.type;
    const base = { table: alias, column };
    if (type === 'timestamp') return { ...base, stored: 'timestamp' };
    return type !== undefined && dataTypeOf(type) !== dataType ? { ...base, stored: 'other' } : base;
  };
