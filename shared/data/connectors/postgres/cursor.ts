import { DataError } from '../../../platform/errors/data-error.ts';
import type { PostgresSource } from './connection.ts';
import { toSourceError } from './errors.ts';
import type { ResultField } from './types.ts';

export interface FetchedRows {
  fields: ResultField[];
  /** Values as the server writes them. */
  rows: (string | null)[][];
}

const DECLARE = 'DECLARE analytics_rows NO SCROLL CURSOR FOR ';
const FIRST_ROWS = 50;
const MAX_ROWS = 2000;
const BATCH_BYTES = 1024 * 1024;

/**
 * The first `most` rows of one SELECT within the transaction under way, in batches of about a megabyte; the first batch may be
 * empty. The server computes no row that nobody has asked for. Between two batches other statements may run. Throws an DataError
 * with the place in `sql` where the server tells it.
 */
export async function* fetchRows(
  source: PostgresSource,
  sql: string,
  params: readonly unknown[],
  most: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<FetchedRows> {
  await source.query(DECLARE + sql, params).catch((error: unknown) => {
    throw withPlace(error, sql);
  });
  let left = most;
  for (let wanted = FIRST_ROWS; left > 0; ) {
    const count = Math.min(wanted, left);
    const { rows, fields } = await source.query(`FETCH ${count} FROM analytics_rows`);
    yield { rows, fields };
    if (rows.length < count) return;
    left -= count;
    const fitting = Math.ceil(BATCH_BYTES / (bytesOf(rows) / count));
    // What comes next may be much longer than what came so far.
    wanted = Math.min(fitting, count * 2, MAX_ROWS);
  }
}

const bytesOf = (rows: FetchedRows['rows']) =>
  rows.reduce((sum, row) => sum + row.reduce((bytes, text) => bytes + (text?.length ?? 4) + 1, 1), 0);

/** What the server said of the statement, with the place in it. */
function withPlace(error: unknown, sql: string): unknown {
  return error instanceof DataError && error.cause ? toSourceError(error.cause, sql, DECLARE.length) : error;
}
