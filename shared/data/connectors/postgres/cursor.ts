import { DataError } from '../../../platform/errors/data-error.ts';
import type { PostgresSource } from './connection.ts';
import { toSourceError } from './errors.ts';
import type { ResultField } from './types.ts';

export interface FetchedRows {
  fields: ResultField[];
  /** Values as the server's text. */
  rows: (string | null)[][];
}

const DECLARE = 'DECLARE analytics_rows NO SCROLL CURSOR FOR ';
const FIRST_ROWS = 50;
const MAX_ROWS = 2000;
const BATCH_BYTES = 1024 * 1024;

/**
 * Yields the first `maxRows` rows of a SELECT within the current transaction, in batches of about a megabyte; the first
 * batch may be empty. The server computes rows only as they are fetched. Other statements may run between two batches.
 * Throws a DataError, with the place in `sql` if the server reports one.
 */
export async function* fetchRows(
  source: PostgresSource,
  sql: string,
  params: readonly unknown[],
  maxRows: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<FetchedRows> {
  await source.query(DECLARE + sql, params).catch((error: unknown) => {
    throw withPlace(error, sql);
  });
  let remaining = maxRows;
  for (let wanted = FIRST_ROWS; remaining > 0; ) {
    const count = Math.min(wanted, remaining);
    const { rows, fields } = await source.query(`FETCH ${count} FROM analytics_rows`);
    yield { rows, fields };
    if (rows.length < count) return;
    remaining -= count;
    const fitting = Math.ceil(BATCH_BYTES / (bytesOf(rows) / count));
    // Later rows may be much longer than the first ones, so the batch grows gradually.
    wanted = Math.min(fitting, count * 2, MAX_ROWS);
  }
}

const bytesOf = (rows: FetchedRows['rows']) =>
  rows.reduce((sum, row) => sum + row.reduce((bytes, text) => bytes + (text?.length ?? 4) + 1, 1), 0);

/** Adds the place in the statement that the server reported. */
function withPlace(error: unknown, sql: string): unknown {
  return error instanceof DataError && error.cause ? toSourceError(error.cause, sql, DECLARE.length) : error;
}
