import { decimalDigits } from '../duckdb/column-types.ts';

/**
 * A piece of Trino's SQL and the type of its value, in our own words (`integer`, `decimal(10,2)`, …). `null` is the type of
 * NULL, `unknown` that of what was refused already, so that one issue is told once.
 */
export interface Typed {
  sql: string;
  type: string;
  /** The content of a piece that is a text literal: it takes the type of what it is compared with, as in DuckDB. */
  text?: string;
  /** Set when the piece is a number written in the text. */
  number?: number;
  /** Set when the piece is an interval: so many (an expression) of the unit. */
  unit?: string;
  /** Why the column, which it is, cannot be read. */
  barred?: string;
}

export const UNKNOWN: Typed = { sql: 'NULL', type: 'unknown' };
export const NULL: Typed = { sql: 'NULL', type: 'null' };

/** Words for what a function takes. */
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

/** Trino's word for one of our types; undefined for a type that has no values of the same meaning there. */
export function trinoTypeOf(type: string): string | undefined {
  return decimalDigits(type) ? type : SCALARS[type];
}

/** Digits of an exact number; an integer has up to 19. */
export function digitsOf(type: string): { precision: number; scale: number } | undefined {
  if (type === 'integer') return { precision: 19, scale: 0 };
  return decimalDigits(type);
}

/** The one type to which both can be taken without a loss, as both engines do by themselves; undefined when there is none. */
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

/** Whether a value of one type is the same value in the other. */
export function widens(from: string, to: string): boolean {
  if (from === to || from === 'null') return true;
  if (from === 'integer' || decimalDigits(from)) {
    const [mine, its] = [digitsOf(from)!, digitsOf(to)];
    // Whoever counts fewer digits than are there learns it: a cast that has no room fails.
    return to === 'double' || (its !== undefined && its.scale >= mine.scale);
  }
  return from === 'date' && to === 'timestamp';
}
