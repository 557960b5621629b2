import Cursor from 'pg-cursor';
import { EngineError } from '../engine/engine-error.ts';
import type { LiveQuery, LiveResult } from './connector.ts';
import type { PostgresSource } from './postgres-connection.ts';
import { toSourceError } from './postgres-errors.ts';
import { type ResultField, type ResultType, resultTypes } from './postgres-types.ts';
import { wireReader } from './postgres-wire.ts';

const BATCH = 1000;
const AS_TEXT = { getTypeParser: () => (value: string) => value };

/**
 * Runs a gated statement in a read-only transaction by the extended protocol, which takes one command only, and reads no
 * more rows than wanted. Values come as text and become the wire format's. Throws an EngineError with the place in `sql`.
 */
export async function queryPostgres(source: PostgresSource, sql: string, query: LiveQuery): Promise<LiveResult> {
  const timeoutMs = String(query.timeoutMs);
  await source.query('BEGIN TRANSACTION READ ONLY');
  try {
    // The texts of values are read below: a server's own settings must not change them.
    await source.query(
      `SELECT set_config('statement_timeout', $1, true), set_config('TimeZone', $2, true), set_config('DateStyle', 'ISO', true),
         set_config('IntervalStyle', 'iso_8601', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true),
         set_config('idle_in_transaction_session_timeout', $1, true)`,
      [timeoutMs, query.timezone],
    );
    const { texts, fields, truncated } = await source.bounded(() => readTexts(source, sql, query), query.timeoutMs);
    return written(texts, await resultTypes(source, fields), truncated, query);
  } catch (error) {
    throw withPlace(error, sql);
  } finally {
    await source.query('ROLLBACK').catch(() => {});
  }
}

interface Texts {
  texts: (string | null)[][];
  fields: ResultField[];
  truncated: boolean;
}

/** The connection is the cursor's until it is closed: types that must be asked for come afterwards. */
async function readTexts(source: PostgresSource, sql: string, { params, limit, maxBytes }: LiveQuery): Promise<Texts> {
  const cursor = source.client.query(new Cursor(sql, [...params], { rowMode: 'array', types: AS_TEXT }));
  const texts: Texts['texts'] = [];
  let bytes = 0;
  for (;;) {
    const wanted = Math.min(BATCH, limit + 1 - texts.length);
    const { rows, fields } = await nextRows(cursor, wanted);
    for (const row of rows) bytes += row.reduce((sum, text) => sum + (text?.length ?? 4) + 1, 0);
    if (bytes > maxBytes * 2) throw tooLarge(maxBytes);
    texts.push(...rows);
    if (texts.length <= limit && rows.length === wanted) continue;
    await cursor.close();
    return { texts: texts.slice(0, limit), fields, truncated: texts.length > limit };
  }
}

function written(
  texts: readonly (string | null)[][],
  types: readonly ResultType[],
  truncated: boolean,
  { maxBytes, timezone }: LiveQuery,
): LiveResult {
  const reader = wireReader(types, timezone);
  const rows: string[] = [];
  let bytes = 2;
  for (const row of texts) {
    const text = reader.row(row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    rows.push(text);
  }
  return {
    columns: types.map(({ name, type }) => ({ name, type })),
    rowsJson: `[${rows.join(',')}]`,
    rowCount: rows.length,
    truncated,
    warnings: reader.isLossy() ? ['NON_FINITE_AS_NULL'] : [],
  };
}

const tooLarge = (maxBytes: number) =>
  new EngineError('RESULT_TOO_LARGE', `The result is larger than ${maxBytes} bytes.`);

function nextRows(cursor: Cursor, count: number): Promise<{ rows: (string | null)[][]; fields: ResultField[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(count, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ rows, fields: result.fields });
    });
  });
}

/** What the server said of the statement, with the place in it. */
function withPlace(error: unknown, sql: string): unknown {
  return error instanceof EngineError && error.cause ? toSourceError(error.cause, sql) : error;
}
