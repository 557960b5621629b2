import type { Cursor } from './incremental.ts';

/** What to read of a database, whatever its protocol. */
export interface DatabaseExtract {
  from: { schema: string; table: string } | { query: string; params?: readonly unknown[] };
  /** All columns when absent. */
  columns?: readonly string[];
  /** The user's SQL condition in the source's dialect. */
  filter?: string;
  /** Values of the filter's parameters, which count on from those of a query. */
  filterParams?: readonly unknown[];
  cursor?: Cursor;
  /** Most bytes of rows, as text; more fails with RESULT_TOO_LARGE. */
  maxBytes?: number;
}

/** A relation with all of the conditions, in SQL that every database knows. */
export const where = (relation: string, conditions: readonly string[]) =>
  conditions.length === 0 ? relation : `${relation} WHERE ${conditions.join(' AND ')}`;
