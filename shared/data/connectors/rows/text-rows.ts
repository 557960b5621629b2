import type { CopyResult, Engine } from '../../duckdb/engine.ts';
import { csvTable, csvValue } from '../../duckdb/exact-csv.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import type { RejectedRows } from '../../files/csv-source.ts';
import { type Cursor, type Watermark, writeIncrement } from '../extract/incremental.ts';

/** A column of rows that are transferred as text: the platform's type, and how DuckDB converts the text. */
export interface TextColumn {
  name: string;
  type: string;
  /** SQL for DuckDB that converts the text to the value. */
  read: (column: string) => string;
  /**
   * SQL for DuckDB: true if the value cannot be represented exactly and becomes null or is rounded; undefined if that
   * cannot happen.
   */
  lossy?: (column: string) => string;
  /** Decimal places to which numbers with more of them are rounded, half away from zero. */
  roundedTo?: number;
}

export interface ExtractResult extends CopyResult {
  /**
   * Columns with values that Parquet cannot represent exactly: they became null (NaN, infinity, too large) or were
   * rounded.
   */
  lossyValues: { column: string; rows: number }[];
  /** Rows of a file that were left out, if the options allow that. */
  rejected?: RejectedRows;
  /** Set with a cursor only. */
  watermark?: Watermark;
}

/** Formats a row as a line of CSV in which only an unquoted empty value is null. */
export const textLine = (row: readonly (string | null)[]) => `${row.map(csvValue).join(',')}\n`;

/**
 * A lone null would be an empty line, which readers take for the end of the file, so a single column is sent with a
 * second one.
 */
export const MIN_TEXT_COLUMNS = 2;

/**
 * Converts the transferred rows to their types and writes them as Parquet. Throws RESULT_TOO_LARGE for a row that is
 * too long.
 */
export async function writeTyped(
  engine: Engine,
  csvPath: string,
  rows: { columns: readonly TextColumn[]; cursor: Cursor | undefined; nullCursorRows: number },
  outPath: string,
): Promise<ExtractResult> {
  const { columns, cursor, nullCursorRows } = rows;
  const list = columns.map(({ name, read }, i) => `${read(`c${i}`)} AS ${quoteIdentifier(name)}`);
  const table = await csvTable(csvPath, columns.length);
  const typed = `SELECT ${list.join(', ')} FROM ${table}`;
  const written = cursor
    ? await writeIncrement(engine, typed, { columns, cursor, nullCursorRows }, outPath)
    : await engine.copyToParquet(typed, { path: outPath });
  return { ...written, lossyValues: await lossyValues(engine, table, columns) };
}

async function lossyValues(
  engine: Engine,
  table: string,
  columns: readonly TextColumn[],
): Promise<ExtractResult['lossyValues']> {
  const checked = columns.flatMap(({ name, lossy }, i) => (lossy ? [{ name, test: lossy(`c${i}`) }] : []));
  if (checked.length === 0) return [];
  const counts = checked.map(({ test }) => `count(*) FILTER (WHERE ${test})`);
  const [row = []] = await engine.run(`SELECT ${counts.join(', ')} FROM ${table}`);
  return checked.flatMap(({ name }, i) => (Number(row[i]) > 0 ? [{ column: name, rows: Number(row[i]) }] : []));
}
