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
import { type ExtractResult, LEAST_TEXT_COLUMNS, textLine, writeTyped } from '../rows/text-rows.ts';
import type { MysqlSource } from './connection.ts';
import { quoteName, quoteText } from './names.ts';
import { mysqlParameters } from './parameters.ts';
import { checkMysqlCondition, checkMysqlSelect } from './statement-check.ts';
import { type MysqlColumn, mysqlColumns } from './types.ts';

interface Plan {
  /** SQL of the wanted rows by the columns' own names. */
  rows: string;
  params: readonly unknown[];
  /** As the source names them, and as the result does. */
  sourceNames: string[];
  columns: MysqlColumn[];
  nullCursorRows: number;
}

/**
 * Copies rows of a table or of a gated query into a Parquet file, as of one moment: one read-only transaction with a
 * consistent snapshot. Rows travel as text and are typed by DuckDB. Null and empty text stay apart. Throws NOT_FOUND,
 * SCHEMA_MISMATCH, PERMISSION_DENIED, SQL_…, CONNECTION_FAILED, RESULT_TOO_LARGE or TIMEOUT.
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
    // A source that is gone has no transaction left to end.
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
  const found = mysqlColumns(fields);
  if (found.length === 0) throw new DataError('SCHEMA_MISMATCH', 'There are no columns to read.');
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
  // DuckDB finds the highest value of those that are read: the highest text by its bytes, the highest number once it is rounded.
  const compared = isText
    ? `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`
    : roundedTo === undefined
      ? column
      : `ROUND(${column}, ${roundedTo})`;
  const lag = cursor.lagSeconds ? ` - INTERVAL ${Number(cursor.lagSeconds)} SECOND` : '';
  const unheld = [...beyondDigits(compared, type), ...impossibleDay(column, type)];
  const conditions = [`${column} IS NOT NULL`, ...unheld.map((condition) => `NOT ${condition}`)];
  const value = (text: string) => cursorValue(text, type);
  const from = cursorBound(compared, type, cursor, 'from', value);
  const before = cursorBound(compared, type, cursor, 'before', value);
  if (from !== undefined) conditions.push(`${compared} >= ${from}${lag}`);
  if (roundedTo !== undefined && cursor.from !== undefined) {
    // Says nothing more, but so that the source can use an index.
    conditions.push(`${column} >= ${value(cursor.from)} - 1`);
  }
  if (before !== undefined) conditions.push(`${compared} < ${before}`);
  return { conditions, isNull: `(${[`${column} IS NULL`, ...unheld].join(' OR ')})` };
}

/** Of `0000-00-00`, `2026-02-00` and `2026-02-30`, which can be stored and are null once they are read. */
function impossibleDay(column: string, type: string): string[] {
  if (type !== 'date' && !type.startsWith('timestamp')) return [];
  return [`(NOT coalesce(DATE(${column} + INTERVAL 0 DAY) = DATE(${column}), FALSE))`];
}

const WITH_OFFSET = /^(.+:\d\d(?:\.\d+)?) ?([+-])(\d\d)(?::?(\d\d))?$/;

/** A value of our wire format in MySQL's words; the session's zone is UTC. */
function cursorValue(text: string, type: string): string {
  if (type === 'integer') return `CAST(${quoteText(text)} AS SIGNED)`;
  const decimal = decimalDigits(type);
  if (decimal) return `CAST(${quoteText(text)} AS DECIMAL(65, ${decimal.scale}))`;
  if (type === 'date') return `CAST(${quoteText(text)} AS DATE)`;
  if (type === 'string') return quoteText(text);
  const clock = text.replace('T', ' ').replace(/Z$/, '');
  const [, local = clock, sign = '+', hours = 0, minutes = 0] = WITH_OFFSET.exec(clock) ?? [];
  // MariaDB passes over an offset.
  const ahead = Number(`${sign}${Number(hours) * 60 + Number(minutes)}`);
  return `CAST(${quoteText(local)} AS DATETIME(6))${ahead === 0 ? '' : ` - INTERVAL ${ahead} MINUTE`}`;
}

async function transfer(source: MysqlSource, plan: Plan, csvPath: string, maxBytes: number | undefined): Promise<void> {
  const values = plan.columns.map(({ send }, i) => send(`input.${quoteName(plan.sourceNames[i]!)}`));
  const list = values.length < LEAST_TEXT_COLUMNS ? [...values, "'1'"] : values;
  const sql = `SELECT ${list.join(', ')} FROM (${plan.rows}) AS input`;
  const execution = { sql, values: [...plan.params] as never, rowsAsArray: true };
  const rows = () => Readable.from(lines(source.connection.execute(execution).stream(), plan.columns));
  await transferRows(source, rows, csvPath, maxBytes);
}

const LINES_AT_ONCE = 64 * 1024;

/** Small writes would cost more than the rows. */
async function* lines(rows: AsyncIterable<unknown>, columns: readonly MysqlColumn[]): AsyncGenerator<string> {
  let text = '';
  for await (const row of rows) {
    refuseTooLong(row as unknown[]);
    text += textLine(
      (row as unknown[]).map((value, i) => (value === null ? null : (columns[i]?.textOf ?? String)(value))),
    );
    if (text.length < LINES_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** Before a text is made of it: one of more than half a gigabyte there cannot be. */
function refuseTooLong(row: readonly unknown[]): void {
  const length = row.reduce<number>((sum, value) => sum + ((value as string | Buffer | null)?.length ?? 0), 0);
  if (length > MAX_LINE_BYTES) throw tooLongLine();
}
