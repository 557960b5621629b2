import { DataError } from '../../../platform/errors/data-error.ts';
import type { Engine } from '../../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../../duckdb/quoting.ts';
import { columnNames } from '../../duckdb/unique-column-names.ts';
import { balancedIssue } from '../../sql/condition.ts';
import { checkPostgresSelect } from '../../sql/postgres-check.ts';
import { LOCK_WAIT_MS } from '../connection/connector.ts';
import { type DatabaseExtract, where } from '../extract/database-extract.ts';
import { beyondDigits, type Cursor, cursorBounds, cursorType, lacksCursor } from '../extract/incremental.ts';
import { type ExtractResult, writeRows } from '../rows/text-rows.ts';
import type { PostgresSource } from './connection.ts';
import { type SentRows, transfer } from './transfer.ts';
import { type PostgresColumn, postgresColumns } from './types.ts';

export type PostgresExtract = DatabaseExtract;

export interface Plan extends SentRows {
  nullCursorRows: number;
}

/**
 * Copies rows of a table or of a checked query into a Parquet file. One read-only REPEATABLE READ transaction reads
 * them from a consistent snapshot. Rows are transferred by COPY in its binary format; if there are parameters, through
 * a cursor and as CSV. Null and empty text remain distinct. Throws NOT_FOUND, SCHEMA_MISMATCH, PERMISSION_DENIED,
 * SQL_…, CONNECTION_FAILED or TIMEOUT.
 */
export async function extractToParquet(
  engine: Engine,
  source: PostgresSource,
  extract: PostgresExtract,
  outPath: string,
): Promise<ExtractResult> {
  const { plan, table, columns } = await inSnapshot(source, async () => {
    const plan = await planExtract(source, extract);
    return { plan, ...(await transfer(engine, source, plan, extract.maxBytes)) };
  });
  return writeRows(engine, table, { ...plan, columns, cursor: extract.cursor }, outPath);
}

export async function inSnapshot<T>(source: PostgresSource, work: () => Promise<T>): Promise<T> {
  await source.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    for (const setting of [
      `statement_timeout = ${Math.round(source.timeouts.statementMs)}`,
      `lock_timeout = ${Math.min(Math.round(source.timeouts.statementMs), LOCK_WAIT_MS)}`,
      'cursor_tuple_fraction = 1',
      "timezone = 'UTC'",
      "datestyle = 'ISO, YMD'",
      "intervalstyle = 'iso_8601'",
      "bytea_output = 'hex'",
      'extra_float_digits = 1',
      "client_encoding = 'UTF8'",
    ]) {
      await source.query(`SET LOCAL ${setting}`);
    }
    return await work();
  } finally {
    // A lost connection has no transaction to roll back.
    if (source.usable) await source.query('ROLLBACK').catch(() => {});
  }
}

export async function planExtract(source: PostgresSource, extract: PostgresExtract): Promise<Plan> {
  const { from } = extract;
  const checked = 'query' in from ? await checkPostgresSelect(from.query) : undefined;
  const params = [...(('query' in from && from.params) || []), ...(extract.filterParams ?? [])];
  const relation =
    'query' in from
      ? `(${checked!.sql}\n) AS input`
      : `${quoteIdentifier(from.schema)}.${quoteIdentifier(from.table)} AS input`;
  const list = extract.columns?.map(quoteIdentifier).join(', ') ?? '*';
  const filter = extract.filter === undefined ? [] : [await checkedFilter(extract.filter)];

  const { fields } = await source.query(`SELECT ${list} FROM ${where(relation, filter)} LIMIT 0`, params);
  const columns = await postgresColumns(source, fields, extract.decimalsAs);
  if (columns.length === 0) throw new DataError('SCHEMA_MISMATCH', 'The table or query has no columns to read.');
  const names = columnNames(columns.map(({ name }) => name));
  const named = columns.map((column, i) => ({ ...column, name: names[i]! }));
  if (!extract.cursor)
    return { rows: `SELECT ${list} FROM ${where(relation, filter)}`, params, columns: named, nullCursorRows: 0 };

  const { conditions, isNull } = await cursorConditions(source, extract.cursor, named);
  const counted = await source.query(`SELECT count(*) FROM ${where(relation, [...filter, isNull])}`, params);
  const rows = `SELECT ${list} FROM ${where(relation, [...filter, ...conditions])}`;
  return { rows, params, columns: named, nullCursorRows: Number(counted.rows[0]?.[0]) };
}

async function checkedFilter(filter: string): Promise<string> {
  const issue = balancedIssue(filter);
  if (issue) throw issue;
  await checkPostgresSelect(`SELECT 1 FROM input WHERE (${filter}\n)`);
  return `(${filter}\n)`;
}

async function cursorConditions(source: PostgresSource, cursor: Cursor, columns: readonly PostgresColumn[]) {
  const type = cursorType(columns, cursor);
  const { isText, roundedTo } = columns.find(({ name }) => name === cursor.column)!;
  if (type === 'string' && !isText)
    throw new DataError('SCHEMA_MISMATCH', `The column "${cursor.column}" cannot be the cursor.`);
  const column = `input.${quoteIdentifier(cursor.column)}`;
  // DuckDB computes the watermark: the highest text by its bytes, the highest number after rounding. Compare in the
  // same way.
  const compared = isText
    ? `${column} COLLATE "C"`
    : roundedTo === undefined
      ? column
      : `round(${column}, ${roundedTo})`;
  const beyond = beyondDigits(compared, type);
  const conditions = [...cursorBounds(compared, type, cursor), ...beyond.map((condition) => `NOT ${condition}`)];
  if (roundedTo !== undefined && cursor.from !== undefined) {
    // Implied by the condition above, but lets the source use an index.
    conditions.push(`${column} >= CAST(${quoteLiteral(cursor.from)} AS numeric) - 1`);
  }
  const settled = type === 'timestamptz' ? await oldestOpenTransaction(source) : null;
  if (settled !== null) conditions.push(`${column} < CAST(${quoteLiteral(settled)} AS timestamptz)`);
  return { conditions, isNull: `(${[lacksCursor(column, type), ...beyond].join(' OR ')})` };
}

/**
 * The start of the oldest open transaction. It may still commit rows with that time, and reading past it would skip
 * them forever. Null if there is none, or if the role may not see other sessions.
 */
async function oldestOpenTransaction(source: PostgresSource): Promise<string | null> {
  const { rows } = await source.query(
    `SELECT min(xact_start) FROM pg_catalog.pg_stat_activity
     WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_xid IS NOT NULL`,
  );
  return rows[0]?.[0] ?? null;
}
