import type { Cursor } from './incremental.ts';

/** What to read from a database, whatever its protocol. */
export interface DatabaseExtract {
  from: { schema: string; table: string } | { query: string; params?: readonly unknown[] };
  /** Defaults to all columns. */
  columns?: readonly string[];
  /** The user's SQL condition in the source's dialect. */
  filter?: string;
  /** Values of the filter's parameters; numbering continues after those of a query. */
  filterParams?: readonly unknown[];
  cursor?: Cursor;
  /** The type of decimals without a precision or with more than 38 digits; `decimal(38,9)` by default. */
  decimalsAs?: string;
  /** Maximum size of the rows as text; more fails with RESULT_TOO_LARGE. */
  maxBytes?: number;
}

/** Adds a WHERE clause with all of the conditions, in SQL that every database accepts. */
export const where = (relation: string, conditions: readonly string[]) =>
  conditions.length === 0 ? relation : `${relation} WHERE ${conditions.join(' AND ')}`;
