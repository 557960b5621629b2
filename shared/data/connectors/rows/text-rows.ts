import type { CopyResult, Engine } from '../../duckdb/engine.ts';
import { csvTable, csvValue } from '../../duckdb/exact-csv.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import type { RejectedRows } from '../../files/csv-source.ts';
import { type Cursor, type Watermark, writeIncrement } from '../extract/incremental.ts';

/** A column of rows that travel as text: its type in our vocabulary and the way of its text into DuckDB. */
export interface TextColumn {
  name: string;
  type: string;
  /** SQL for DuckDB that makes the value of the text. */
  read: (column: string) => string;
  /** SQL for DuckDB: true when the value cannot be held exactly (it is null or rounded then); undefined when that cannot be. */
  lossy?: (column: string) => string;
  /** Digits behind the point to which numbers are rounded (half away from zero) that may have more in the source. */
  roundedTo?: number;
}

export interface ExtractResult extends CopyResult {
  /** Columns with values that Parquet cannot hold exactly: those are null (NaN, infinity, too big) or rounded. */
  lossyValues: { column: string; rows: number }[];
  /** Rows of a file that were left out, where that was asked for. */
  rejected?: RejectedRows;
  /** Only with a cursor. */
  watermark?: Watermark;
}

/** A row as a line of the transfer's CSV: only an unquoted empty value is null. */
export const textLine = (row: readonly (string | null)[]) => `${row.map(csvValue).join(',')}\n`;

/** A lone null would be an empty line, which no reader tells from the end of the file: one column travels with a second. */
export const LEAST_TEXT_COLUMNS = 2;

/** Types the transferred rows and writes them as Parquet. Throws RESULT_TOO_LARGE for a row that is too long. */
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
