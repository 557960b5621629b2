import type { Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { folded } from '../duckdb/column-names.ts';
import { column, type DataType, type Typed } from '../expressions/index.ts';
import type { ChainColumn, Columns } from './steps.ts';

/** Postgres cuts longer names. */
const MAX_NAME_BYTES = 63;

/** A column of a step as an operand; columns of unknown types are read as texts. */
export const columnTree = ({ name, type }: ChainColumn): Typed => column(name, type ?? 'string');

export function known(columns: Columns, name: string, pointer: string): Issue[] {
  if (!columns || columns.has(name)) return [];
  return [
    {
      pointer,
      code: 'UNKNOWN_COLUMN',
      message: `is not a column at this step${suggestion(name, [...columns.keys()])}`,
    },
  ];
}

export const eachKnown = (columns: Columns, names: readonly string[], pointer: string): Issue[] =>
  names.flatMap((name, index) => known(columns, name, `${pointer}/${index}`));

export const orderIssues = (columns: Columns, by: readonly { column: string }[], pointer: string): Issue[] =>
  by.flatMap(({ column }, index) => known(columns, column, `${pointer}/${index}/column`));

/** The issues of the name of a new column. DuckDB does not tell names apart by the case of letters. */
export function newName(columns: Columns, name: string, pointer: string): Issue[] {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    return [{ pointer, code: 'MAX_LENGTH', message: `must have at most ${MAX_NAME_BYTES} bytes` }];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names have none
  if (/^\s*$|[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/u.test(name))
    return [{ pointer, code: 'FORMAT', message: 'must have a visible character and no control characters' }];
  const taken = columns && [...columns.keys()].find((other) => folded(other) === folded(name));
  if (taken === undefined || taken === null) return [];
  const message = taken === name ? 'is the name of another column' : `differs from the column ${taken} in case only`;
  return [{ pointer, code: 'DUPLICATE', message }];
}

/** The issues of a text that is written into a statement. */
export const textIssues = (text: string, pointer: string): Issue[] =>
  text.includes('\0') ? [{ pointer, code: 'FORMAT', message: 'cannot contain the character U+0000' }] : [];

export function typed(
  columns: Columns,
  name: string,
  pointer: string,
  { types, noun }: { types: readonly DataType[]; noun: string },
): Issue[] {
  const issues = known(columns, name, pointer);
  const type = columns?.get(name)?.type;
  if (issues.length > 0 || type === undefined || types.includes(type)) return issues;
  return [{ pointer, code: 'WRONG_TYPE', message: `must be a column of ${noun}; it is of type ${type}` }];
}

export function withColumn(columns: Columns, column: ChainColumn): Columns {
  return columns && new Map([...columns, [column.name, column]]);
}

/** The type of an aggregate of values of a type. */
export function aggregateType(fn: string, type: DataType | undefined): DataType | undefined {
  if (fn === 'count' || fn === 'count_distinct') return 'integer';
  return fn === 'avg' ? 'number' : type;
}
