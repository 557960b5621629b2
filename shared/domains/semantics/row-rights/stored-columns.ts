import type { Dialect, SqlColumn } from '../../../data/expressions/index.ts';
import { dataTypeOf } from '../../../data/transforms/index.ts';

/** The columns of a source table with their types in the words of the platform. */
export type KnownColumns = readonly {
  name: string;
  type: string;
  /** The type in the database, where that is known. */
  sourceType?: string;
}[];

/**
 * How the column holds values of the field's type; undefined if reading it as that type could fail, because the error
 * would show a value of a hidden row.
 */
export function storageOf(
  columnType: string,
  dataType: string,
  dialect: Dialect,
): 'same' | SqlColumn['stored'] | undefined {
  if (dataType === 'string') return columnType === 'string' && dialect === 'duckdb' ? 'same' : 'other';
  const type = dataTypeOf(columnType);
  if (type === 'datetime' && dataType === 'datetime')
    return /tz$|with time zone/i.test(columnType) ? 'same' : 'timestamp';
  if (type === dataType) return 'same';
  const isWider = (type === 'integer' && dataType !== 'boolean') || (type === 'decimal' && dataType === 'number');
  return isWider && ['number', 'decimal'].includes(dataType) ? 'other' : undefined;
}
