import { decimalDigits } from '../duckdb/column-types.ts';

/**
 * A piece of Trino's SQL and its column type (`integer`, `decimal(10,2)`, …). `null` is the type of NULL. `unknown` is
 * the type of a rejected expression, so that each issue is reported only once.
 */
export interface Typed {
  sql: string;
  type: string;
  /** The content of a text literal, which takes the type of the value that it is compared with, as in DuckDB. */
  text?: string;
  /** The value of a number literal. */
  number?: number;
  /** The unit of an interval; `sql` is the number of units. */
  unit?: string;
  /** Why the column cannot be read. */
  barred?: string;
}

export const UNKNOWN: Typed = { sql: 'NULL', type: 'unknown' };
export const NULL: Typed = { sql: 'NULL', type: 'null' };

/** Kinds of arguments of functions. */
export const KINDS = {
  any: (type) => type !== 'interval',
  string: (type) => type === 'string',
  integer: (type) => type === 'integer',
  exact: (type) => type === 'integer' || decimalDigits(type) !== undefined,
  number: (type) => type === 'integer' || type === 'double' || decimalDigits(type) !== undefined,
  double: (type) => type === 'double',
  boolean: (type) => type === 'boolean',
  date: (type) => type === 'date',
  time: (type) => type === 'date' || type === 'timestamp',
  instant: (type) => type === 'timestamp',
} as const satisfies Record<string, (type: string) => boolean>;
export type Kind = keyof typeof KINDS;

export const fits = (type: string, kind: Kind): boolean => type === 'null' || type === 'unknown' || KINDS[kind](type);

const SCALARS: Record<string, string> = {
  string: 'varchar',
  integer: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp(6)',
};

/** Trino's name of a column type; undefined if Trino has no equivalent type. */
export function trinoTypeOf(type: string): string | undefined {
  return decimalDigits(type) ? type : SCALARS[type];
}

/** Precision and scale of an exact number; an integer has up to 19 digits. */
export function digitsOf(type: string): { precision: number; scale: number } | undefined {
  if (type === 'integer') return { precision: 19, scale: 0 };
  return decimalDigits(type);
}

/** The type to which both engines implicitly convert two types without loss; undefined if there is none. */
export function commonType(a: string, b: string): string | undefined {
  if (a === b || b === 'null' || b === 'unknown') return a;
  if (a === 'null' || a === 'unknown') return b;
  if (fits(a, 'time') && fits(b, 'time')) return 'timestamp';
  if (!fits(a, 'number') || !fits(b, 'number')) return undefined;
  if (a === 'double' || b === 'double') return 'double';
  const [x, y] = [digitsOf(a)!, digitsOf(b)!];
  const scale = Math.max(x.scale, y.scale);
  const precision = Math.min(38, Math.max(x.precision - x.scale, y.precision - y.scale) + scale);
  return `decimal(${precision},${scale})`;
}

/** Whether every value of one type is unchanged in the other. */
export function widens(from: string, to: string): boolean {
  if (from === to || from === 'null') return true;
  if (from === 'integer' || decimalDigits(from)) {
    const [mine, its] = [digitsOf(from)!, digitsOf(to)];
    // Too few digits before the decimal point are noticed anyway, because the cast fails.
    return to === 'double' || (its !== undefined && its.scale >= mine.scale);
  }
  return from === 'date' && to === 'timestamp';
}
