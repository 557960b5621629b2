import { quoteIdentifier } from '../duckdb/quoting.ts';

export type ColumnKind = 'number' | 'text' | 'date' | 'boolean' | 'other';

/** Lists, structs, JSON and binary are `other`: their values are counted and not described. */
export function kindOf(type: string): ColumnKind {
  if (/^(integer|double|decimal\()/.test(type)) return 'number';
  if (type === 'string') return 'text';
  if (type === 'date' || type === 'timestamp' || type === 'timestamptz') return 'date';
  return type === 'boolean' ? 'boolean' : 'other';
}

/** A column as the statements of a profile refer to it. */
export interface ProfiledColumn {
  name: string;
  type: string;
  kind: ColumnKind;
  /** The quoted name. */
  sql: string;
  /** The condition of a value with a place among the others; undefined if every value has one. */
  finite: string | undefined;
}

export function profiledColumn({ name, type }: { name: string; type: string }): ProfiledColumn {
  const kind = kindOf(type);
  const sql = quoteIdentifier(name);
  const finite = type === 'double' || kind === 'date' ? `isfinite(${sql})` : undefined;
  return { name, type, kind, sql, finite };
}

/** The value as a number on an axis, for bins: seconds since 1970 for dates. */
export const axisOf = ({ kind }: ProfiledColumn, value: string): string =>
  kind === 'date' ? `epoch(${value})` : `${value}::DOUBLE`;
