import type { Dialect } from '../catalogue/index.ts';
import type { DataType, ExpressionType } from '../language/types.ts';

/** How tightly the outermost operator binds; a text of a lower level needs brackets beside a tighter operator. */
export const LEVEL = { or: 0, and: 1, not: 2, comparison: 3, sum: 4, product: 5, sign: 6, atom: 7 } as const;

export interface Sql {
  text: string;
  level: number;
  /** The time of day in the time zone of the query, where that is shorter than a conversion of `text`. */
  wall?: string;
  /** The time of day in UTC, where it is stored as such. */
  utc?: string;
  /** An integer of at least 64 bits. */
  isWide?: true;
  /** Surely a 64-bit float, and not an exact number that the model calls `number`. */
  isDouble?: true;
}

export const atom = (text: string): Sql => ({ text, level: LEVEL.atom });

/** The text, in brackets if its operator binds less tightly than `level`. */
export const within = (sql: Sql, level: number): string => (sql.level >= level ? sql.text : `(${sql.text})`);

const TYPES: Record<Dialect, Record<Exclude<DataType, 'geo'>, string>> = {
  duckdb: {
    string: 'VARCHAR',
    number: 'DOUBLE',
    integer: 'BIGINT',
    decimal: 'DECIMAL(38, 9)',
    boolean: 'BOOLEAN',
    date: 'DATE',
    datetime: 'TIMESTAMPTZ',
    time: 'TIME',
  },
  postgres: {
    string: 'text',
    number: 'double precision',
    integer: 'bigint',
    decimal: 'numeric',
    boolean: 'boolean',
    date: 'date',
    datetime: 'timestamptz',
    time: 'time',
  },
};

/** The SQL type of a data type; text for types that have none of their own. */
export function sqlType(dialect: Dialect, type: ExpressionType): string {
  const types: Partial<Record<ExpressionType, string>> = TYPES[dialect];
  return types[type] ?? TYPES[dialect].string;
}
