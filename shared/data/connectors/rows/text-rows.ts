import type { CopyResult, Engine } from '../../duckdb/engine.ts';
import { csvTable, csvValue } from '../../duckdb/exact-csv.ts';
import { quoteIdentifier } from '../../duckdb/quoting.ts';
import { type ColumnChange, exampleOf, MAX_EXAMPLES } from '../../files/changed-values.ts';
import type { RejectedRows } from '../../files/csv-source.ts';
import { type Cursor, type Watermark, writeIncrement } from '../extract/incremental.ts';
import { inexact, type TextColumn } from './text-readings.ts';

export interface ExtractResult extends CopyResult {
  /** Columns with values that cannot be kept exactly: they became null, or were rounded. */
  changes: ColumnChange[];
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

interface TransferredRows {
  /** How to read the columns `c0`, `c1`, …. */
  columns: readonly TextColumn[];
  cursor: Cursor | undefined;
  nullCursorRows: number;
}

/** Like `writeRows`, for a CSV file of texts. Throws RESULT_TOO_LARGE for a row that is too long. */
export async function writeTyped(
  engine: Engine,
  csvPath: string,
  rows: TransferredRows,
  outPath: string,
): Promise<ExtractResult> {
  return writeRows(engine, await csvTable(csvPath, rows.columns.length), rows, outPath);
}

/** Converts the transferred rows of a relation to their types and writes them as Parquet. */
export async function writeRows(
  engine: Engine,
  table: string,
  rows: TransferredRows,
  outPath: string,
): Promise<ExtractResult> {
  const { cursor, nullCursorRows } = rows;
  const columns = await settledColumns(engine, table, rows.columns);
  const list = columns.map(({ name, read }, i) => `${read(`c${i}`)} AS ${quoteIdentifier(name)}`);
  const typed = `SELECT ${list.join(', ')} FROM ${table}`;
  const written = cursor
    ? await writeIncrement(engine, typed, { columns, cursor, nullCursorRows }, outPath)
    : await engine.copyToParquet(typed, { path: outPath });
  return { ...written, changes: await changesOf(engine, table, columns) };
}

/** Determines the types that depend on the values. */
async function settledColumns(
  engine: Engine,
  table: string,
  columns: readonly TextColumn[],
): Promise<readonly TextColumn[]> {
  const aggregates = columns.flatMap(({ byValues }, i) => (byValues ? [byValues.aggregate(`c${i}`)] : []));
  if (aggregates.length === 0) return columns;
  const [found = []] = await engine.run(`SELECT ${aggregates.join(', ')} FROM ${table}`);
  let at = 0;
  return columns.map((column) => {
    if (!column.byValues) return column;
    const { byValues, lost: _lost, emptied: _emptied, rounded: _rounded, ...kept } = column;
    return { ...kept, ...byValues.reading(found[at++]) };
  });
}

async function changesOf(engine: Engine, table: string, columns: readonly TextColumn[]): Promise<ColumnChange[]> {
  const tested = columns.flatMap((column, i) => (inexact(column) ? [{ ...column, cell: `c${i}` }] : []));
  if (tested.length === 0) return [];
  const count = (test: string | undefined) => (test ? `count(*) FILTER (WHERE ${test})` : '0');
  const counts = tested.flatMap(({ cell, lost, emptied = lost, rounded }) => [
    `count(${cell})`,
    count(lost?.(cell)),
    count(emptied?.(cell)),
    count(rounded?.(cell)),
  ]);
  const [row = []] = await engine.run(`SELECT ${counts.join(', ')} FROM ${table}`);
  const changes: ColumnChange[] = [];
  for (const [i, column] of tested.entries()) {
    const [values, nulls, emptied, rounded] = row.slice(i * 4, i * 4 + 4).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    if (nulls + rounded === 0) continue;
    const examples = await examplesOf(engine, table, column.cell, inexact(column)!(column.cell));
    const isEmptied = values > 0 && emptied === values;
    changes.push({ column: column.name, nulls, rounded, examples, ...(isEmptied ? { isEmptied } : {}) });
  }
  return changes;
}

async function examplesOf(
  engine: Engine,
  table: string,
  cell: string,
  test: string,
): Promise<ColumnChange['examples']> {
  const numbered = `SELECT ${cell}, row_number() OVER () AS place FROM ${table}`;
  const found = await engine.run(
    `SELECT place, left(${cell}::VARCHAR, 100) FROM (${numbered}) WHERE ${test} LIMIT ${MAX_EXAMPLES}`,
  );
  return found.map(([place, value]) => exampleOf(Number(place), String(value)));
}
