import { type LiveEnd, type LiveQuery, LOCK_WAIT_MS, type TakeRows } from '../connection/connector.ts';
import type { PostgresSource } from './connection.ts';
import { fetchRows } from './cursor.ts';
import { type ResultType, resultTypes } from './types.ts';
import { wireReader } from './wire.ts';

/**
 * Runs a checked statement in a read-only transaction by the extended protocol, which allows a single command, and
 * reads only the rows that are needed. Values are received as text and converted to the wire format. Throws a DataError
 * with the place in `sql`.
 */
export async function queryPostgres(
  source: PostgresSource,
  sql: string,
  query: LiveQuery,
  take: TakeRows,
): Promise<LiveEnd> {
  const { timeoutMs, timezone, batchBytes: maxBytes } = query;
  await source.query('BEGIN TRANSACTION READ ONLY');
  try {
    // The texts of values are parsed below, so settings of the server must not change them.
    await source.query(
      `SELECT set_config('statement_timeout', $1, true), set_config('TimeZone', $2, true), set_config('DateStyle', 'ISO', true),
         set_config('IntervalStyle', 'iso_8601', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true),
         set_config('idle_in_transaction_session_timeout', $1, true), set_config('lock_timeout', $3, true),
         set_config('cursor_tuple_fraction', '1', true)`,
      [String(timeoutMs), timezone, String(Math.min(timeoutMs, LOCK_WAIT_MS))],
    );
    return await source.bounded(() => read(source, sql, query, take), { timeoutMs, maxBytes });
  } finally {
    if (source.usable) await source.query('ROLLBACK').catch(() => {});
  }
}

async function read(
  source: PostgresSource,
  sql: string,
  { params, limit, timezone, batchBytes }: LiveQuery,
  take: TakeRows,
): Promise<LiveEnd> {
  let types: ResultType[] | undefined;
  let reader: ReturnType<typeof wireReader> | undefined;
  let [rowCount, seen] = [0, 0];
  for await (const { rows, fields } of fetchRows(source, sql, params, limit + 1)) {
    types ??= await resultTypes(source, fields);
    reader ??= wireReader(types, timezone);
    seen += rows.length;
    const wanted = rows.slice(0, limit - rowCount).map(reader.row);
    rowCount += wanted.length;
    await take(wanted);
    source.allow(batchBytes);
  }
  return {
    columns: types!.map(({ name, type }) => ({ name, type })),
    rowCount,
    truncated: seen > limit,
    warnings: reader!.isLossy() ? ['NON_FINITE_AS_NULL'] : [],
  };
}
