import { Readable } from 'node:stream';
import { DataError } from '../../../platform/errors/data-error.ts';
import { decimalDigits } from '../../duckdb/column-types.ts';
import type { Engine } from '../../duckdb/engine.ts';
import { MAX_LINE_BYTES, tooLongLine } from '../../duckdb/exact-csv.ts';
import type { QueryParameter } from '../../duckdb/parameters.ts';
import { columnNames } from '../../duckdb/unique-column-names.ts';
import { transferRows } from '../connection/transfer.ts';
import { type DatabaseExtract, where } from '../extract/database-extract.ts';
import { beyondDigits, type Cursor, cursorBound, cursorType } from '../extract/incremental.ts';
import { type ExtractResult, MIN_TEXT_COLUMNS, textLine, writeTyped } from '../rows/text-rows.ts';
import type { MysqlSource } from './connection.ts';
import { quoteName, quoteText } from './names.ts';
import { mysqlParameters } from './parameters.ts';
import { checkMysqlCondition, checkMysqlSelect } from './statement-check.ts';
import { type MysqlColumn, mysqlColumns } from './types.ts';

interface Plan {
  /** SQL that returns the rows under the columns' own names. */
  rows: string;
  params: readonly unknown[];
  /** The names in the source; `columns` has those in the result. */
  sourceNames: string[];
  columns: MysqlColumn[];
  nullCursorRows: number;
}

/**
 * Copies rows of a table or of a checked query into a Parquet file. One read-only transaction reads them from a
 * consistent snapshot. Rows are transferred as text and typed by DuckDB; null and empty text remain distinct. Throws
 * NOT_FOUND, SCHEMA_MISMATCH, PERMISSION_DENIED, SQL_…, CONNECTION_FAILED, RESULT_TOO_LARGE or TIMEOUT.
 */
export async function extractMysql(
  engine: Engine,
  source: MysqlSource,
  extract: DatabaseExtract,
  outPath: string,
): Promise<ExtractResult> {
  const csvPath = engine.temporaryPath('csv');
  const plan = await inSnapshot(source, async () => {
    const made = await planExtract(source, extract);
    await transfer(source, made, csvPath, extract.maxBytes);
    return made;
  });
  return writeTyped(engine, csvPath, { ...plan, cursor: extract.cursor }, outPath);
}

async function inSnapshot<T>(source: MysqlSource, work: () => Promise<T>): Promise<T> {
  await source.command('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await source.command('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  try {
    return await work();
  } finally {
    // A lost connection has no transaction to roll back.
    if (source.usable) await source.command('ROLLBACK').catch(() => {});
  }
}

async function planExtract(source: MysqlSource, extract: DatabaseExtract): Promise<Plan> {
  const { from } = extract;
  const given = [...(('query' in from && from.params) || []), ...(extract.filterParams ?? [])];
  const params: unknown[] = [];
  const bound = (text: string): string => {
    if (given.length === 0) return text;
    const { sql, values } = mysqlParameters(text, given as QueryParameter[]);
    params.push(...values);
    return sql;
  };
  const relation =
    'query' in from
      ? `(${bound(checkMysqlSelect(from.query))}\n) AS input`
      : `${quoteName(from.schema)}.${quoteName(from.table)} AS input`;
  const list = extract.columns?.map(quoteName).join(', ') ?? '*';
  const filter = extract.filter === undefined ? [] : [bound(checkMysqlCondition(extract.filter))];

  const { fields } = await source.query(`SELECT ${list} FROM ${where(relation, filter)} LIMIT 0`, params);
  const found = mysqlColumns(fields, extract.decimalsAs);
  if (found.length === 0) throw new DataError('SCHEMA_MISMATCH', 'The table or query has no columns to read.');
  const sourceNames = found.map(({ name }) => name);
  const names = columnNames(sourceNames);
  const columns = found.map((column, i) => ({ ...column, name: names[i]! }));
  const rows = (conditions: readonly string[]) => `SELECT ${list} FROM ${where(relation, [...filter, ...conditions])}`;
  if (!extract.cursor) return { rows: rows([]), params, sourceNames, columns, nullCursorRows: 0 };

  const { conditions, isNull } = cursorConditions(extract.cursor, columns);
  const counted = await source.query(
    `SELECT CAST(count(*) AS CHAR) FROM ${where(relation, [...filter, isNull])}`,
    params,
  );
  return { rows: rows(conditions), params, sourceNames, columns, nullCursorRows: Number(counted.rows[0]?.[0]) };
}

function cursorConditions(cursor: Cursor, columns: readonly MysqlColumn[]): { conditions: string[]; isNull: string } {
  const type = cursorType(columns, cursor);
  const { isText, roundedTo } = columns.find(({ name }) => name === cursor.column)!;
  if (type === 'string' && !isText) {
    throw new DataError('SCHEMA_MISMATCH', `The column "${cursor.column}" cannot be the cursor.`);
  }
  const column = `input.${quoteName(cursor.column)}`;
  // DuckDB computes the watermark: the highest text by its bytes, the highest number after rounding. Compare in the
  // same way.
  const compared = isText
    ? `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`
    : roundedTo === undefined
      ? column
      : `ROUND(${column}, ${roundedTo})`;
  const lag = cursor.lagSeconds ? ` - INTERVAL ${Number(cursor.lagSeconds)} SECOND` : '';
  const unreadable = [...beyondDigits(compared, type), ...impossibleDay(column, type)];
  const conditions = [`${column} IS NOT NULL`, ...unreadable.map((condition) => `NOT ${condition}`)];
  const value = (text: string) => cursorValue(text, type);
  const from = cursorBound(compared, type, cursor, 'from', value);
  const before = cursorBound(compared, type, cursor, 'before', value);
  if (from !== undefined) conditions.push(`${compared} >= ${from}${lag}`);
  if (roundedTo !== undefined && cursor.from !== undefined) {
    // Implied by the condition above, but lets the source use an index.
    conditions.push(`${column} >= ${value(cursor.from)} - 1`);
  }
  if (before !== undefined) conditions.push(`${compared} < ${before}`);
  return { conditions, isNull: `(${[`${column} IS NULL`, ...unreadable].join(' OR ')})` };
}

/** True for `0000-00-00`, `2026-02-00` and `2026-02-30`, which MySQL can store and which are read as null. */
function impossibleDay(column: string, type: string): string[] {
  if (type !== 'date' && !type.startsWith('timestamp')) return [];
  return [`(NOT coalesce(DATE(${column} + INTERVAL 0 DAY) = DATE(${column}), FALSE))`];
}

const WITH_OFFSET = /^(.+:\d\d(?:\.\d+)?) ?([+-])(\d\d)(?::?(\d\d))?$/;

/** SQL for a value of the wire format. The session's time zone is UTC. */
function cursorValue(text: string, type: string): string {
  if (type === 'integer') return `CAST(${quoteText(text)} AS SIGNED)`;
  const decimal = decimalDigits(type);
  if (decimal) return `CAST(${quoteText(text)} AS DECIMAL(65, ${decimal.scale}))`;
  if (type === 'date') return `CAST(${quoteText(text)} AS DATE)`;
  if (type === 'string') return quoteText(text);
  const clock = text.replace('T', ' ').replace(/Z$/, '');
  const [, local = clock, sign = '+', hours = 0, minutes = 0] = WITH_OFFSET.exec(clock) ?? [];
  // MariaDB ignores an offset.
  const ahead = Number(`${sign}${Number(hours) * 60 + Number(minutes)}`);
  return `CAST(${quoteText(local)} AS DATETIME(6))${ahead === 0 ? '' : ` - INTERVAL ${ahead} MINUTE`}`;
}

async function transfer(source: MysqlSource, plan: Plan, csvPath: string, maxBytes: number | undefined): Promise<void> {
  const values = plan.columns.map(({ send }, i) => send(`input.${quoteName(plan.sourceNames[i]!)}`));
  const list = values.length < MIN_TEXT_COLUMNS ? [...values, "'1'"] : values;
  const sql = `SELECT ${list.join(', ')} FROM (${plan.rows}) AS input`;
  const execution = { sql, values: [...plan.params] as never, rowsAsArray: true };
  const rows = () => Readable.from(lines(source.connection.execute(execution).stream(), plan.columns));
  await transferRows(source, rows, csvPath, maxBytes);
}

const LINES_AT_ONCE = 64 * 1024;

/** Joins rows to large chunks, because many small writes would cost more than the rows. */
async function* lines(rows: AsyncIterable<unknown>, columns: readonly MysqlColumn[]): AsyncGenerator<string> {
  let text = '';
  for await (const row of rows) {
    rejectTooLong(row as unknown[]);
    text += textLine(
      (row as unknown[]).map((value, i) => (value === null ? null : (columns[i]?.textOf ?? String)(value))),
    );
    if (text.length < LINES_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Checked before the line is built: JavaScript strings cannot exceed half a gigabyte. */
function rejectTooLong(row: readonly unknown[]): void {
  const length = row.reduce<number>((sum, value) => sum + ((value as string | Buffer | null)?.length ?? 0), 0);
  if (length > MAX_LINE_BYTES) throw tooLongLine();
}
