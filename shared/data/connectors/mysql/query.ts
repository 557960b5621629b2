import type { FieldPacket } from 'mysql2';
import { DataError, positionAt } from '../../../platform/errors/data-error.ts';
import type { LiveEnd, LiveQuery, TakeRows } from '../connection/connector.ts';
import type { MysqlSource } from './connection.ts';
import { mysqlWire } from './wire.ts';

const BATCH_ROWS = 1000;
const BATCH_LENGTH = 1024 * 1024;

/**
 * Runs a checked statement in a read-only transaction and reads only the rows that are needed. It is prepared, so the
 * text cannot hold several statements. The server stops it after `timeoutMs`. Throws a DataError, with the place in
 * `sql` if the server reports one.
 */
export async function queryMysql(source: MysqlSource, sql: string, query: LiveQuery, take: TakeRows): Promise<LiveEnd> {
  const { limit, batchBytes: maxBytes, timeoutMs } = query;
  // Every statement on the connection sets its own limit. A LIMIT in the statement overrides this one.
  const time = source.isMariaDb ? `max_statement_time = ${timeoutMs / 1000}` : `max_execution_time = ${timeoutMs}`;
  await source.command(`SET SESSION sql_select_limit = ${limit + 1}, ${time}`);
  await source.command('START TRANSACTION READ ONLY');
  try {
    return await source.bounded(() => read(source, sql, query, take), { timeoutMs, maxBytes });
  } catch (error) {
    throw withPlace(error, sql);
  } finally {
    if (source.usable) await source.command('ROLLBACK').catch(() => {});
  }
}

async function read(source: MysqlSource, sql: string, query: LiveQuery, take: TakeRows): Promise<LiveEnd> {
  const { params, limit, timezone, batchBytes } = query;
  const sent = source.connection.execute({ sql, values: [...params] as never, rowsAsArray: true });
  let wire: ReturnType<typeof mysqlWire> | undefined;
  sent.on('fields', (fields: FieldPacket[]) => {
    wire ??= mysqlWire(fields, timezone);
  });
  let batch: string[] = [];
  let [length, rowCount] = [0, 0];
  let truncated = false;
  const pass = async () => {
    await take(batch);
    source.allow(batchBytes);
    [batch, length] = [[], 0];
  };
  for await (const row of sent.stream()) {
    if (rowCount === limit) {
      // The session's limit ends the rows here; a LIMIT of the statement itself may allow many more.
      if (truncated) source.abandon();
      if (truncated) break;
      truncated = true;
      continue;
    }
    const text = wire!.row(row as (string | number | Buffer | null)[]);
    batch.push(text);
    rowCount += 1;
    length += text.length;
    if (batch.length === BATCH_ROWS || length > BATCH_LENGTH) await pass();
  }
  await pass();
  return {
    columns: wire!.columns,
    rowCount,
    truncated,
    warnings: wire!.isLossy() ? ['IMPOSSIBLE_TIME_AS_NULL'] : [],
  };
}

/** The server quotes the text that it could not parse, with its line. */
function withPlace(error: unknown, sql: string): unknown {
  if (!(error instanceof DataError) || error.code !== 'SQL_PARSE') return error;
  const [, near, line] = /near '([\s\S]*)' at line (\d+)/.exec(error.message) ?? [];
  if (near === undefined) return error;
  const lineStart = sql
    .split('\n')
    .slice(0, Number(line) - 1)
    .reduce((sum, text) => sum + text.length + 1, 0);
  const at = near === '' ? sql.length : sql.indexOf(near, lineStart);
  if (at < 0) return error;
  const { code, message, cause } = error;
  return new DataError(code, message, { cause, issues: [{ code, message, position: positionAt(sql, at) }] });
}
