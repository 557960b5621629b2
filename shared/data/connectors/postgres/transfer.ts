import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import type { Engine } from '../../duckdb/engine.ts';
import { csvTable } from '../../duckdb/exact-csv.ts';
import { PlainParquet } from '../../duckdb/plain-parquet/plain-parquet.ts';
import { quoteLiteral } from '../../duckdb/quoting.ts';
import { transferRows } from '../connection/transfer.ts';
import type { TextColumn } from '../rows/text-readings.ts';
import { MIN_TEXT_COLUMNS, textLine } from '../rows/text-rows.ts';
import { BinaryRows } from './binary-rows.ts';
import { type BinaryFormat, PRINTED } from './binary-values.ts';
import type { PostgresSource } from './connection.ts';
import { fetchRows } from './cursor.ts';
import type { PostgresColumn } from './types.ts';

export interface SentRows {
  /** SQL that returns the rows under the columns' own names. */
  rows: string;
  params: readonly unknown[];
  columns: PostgresColumn[];
}

export interface Transferred {
  /** A relation in DuckDB. */
  table: string;
  columns: readonly TextColumn[];
}

/** Reads the rows into a local file. COPY takes no parameters. */
export function transfer(
  engine: Engine,
  source: PostgresSource,
  plan: SentRows,
  maxBytes: number | undefined,
): Promise<Transferred> {
  return plan.params.length === 0
    ? copyRows(engine, source, plan, maxBytes)
    : fetchAsCsv(engine, source, plan, maxBytes);
}

const sentRows = ({ rows, columns }: SentRows, values: readonly string[]) =>
  `SELECT ${values.join(', ')} FROM (${rows}) AS input(${columns.map((_, i) => `c${i}`).join(', ')})`;

/** Rows with values that their columns cannot hold are sent once more, with these columns as text. */
async function copyRows(
  engine: Engine,
  source: PostgresSource,
  plan: SentRows,
  maxBytes: number | undefined,
): Promise<Transferred> {
  const asText = new Set<number>();
  for (;;) {
    const sent = plan.columns.map((column, i) => sentColumn(column, asText.has(i)));
    const values = sent.map(({ format }, i) => `${format.send?.(`c${i}`) ?? `c${i}`} AS c${i}`);
    const copy = `COPY (${sentRows(plan, values)}) TO STDOUT (FORMAT binary)`;
    const path = engine.temporaryPath('parquet');
    const formats = sent.map(({ format }) => format);
    const file = await PlainParquet.create(
      path,
      formats.map(({ stored }) => stored),
    );
    const rows = new BinaryRows(file, formats);
    await transferRows(source, () => source.client.query(copyTo(copy)), rows, maxBytes).finally(() => rows.destroy());
    if (rows.inexact.size === 0) {
      return { table: `read_parquet(${quoteLiteral(path)})`, columns: sent.map(({ column }) => column) };
    }
    await rm(path);
    for (const i of rows.inexact) asText.add(i);
  }
}

function sentColumn(column: PostgresColumn, asText: boolean): { format: BinaryFormat; column: TextColumn } {
  const format = asText ? PRINTED : column.binary;
  return { format, column: format.isText ? column : storedColumn(column, format) };
}

function storedColumn({ name, type, roundedTo }: PostgresColumn, format: BinaryFormat): TextColumn {
  const { read = (c: string) => c, mayBeEndless } = format;
  const rounding = roundedTo === undefined ? {} : { roundedTo };
  if (!mayBeEndless) return { name, type, read, ...rounding };
  // Other readers of Parquet have no infinite dates: they become null.
  return {
    name,
    type,
    read: (c) => `CASE WHEN isfinite(${c}) THEN ${c} END`,
    lost: (c) => `(${c} IS NOT NULL AND NOT isfinite(${c}))`,
  };
}

async function fetchAsCsv(
  engine: Engine,
  source: PostgresSource,
  plan: SentRows,
  maxBytes: number | undefined,
): Promise<Transferred> {
  const values = plan.columns.map(({ send }, i) => `${send(`c${i}`)} AS c${i}`);
  const sql = sentRows(plan, values.length < MIN_TEXT_COLUMNS ? [...values, '1'] : values);
  const path = engine.temporaryPath('csv');
  await transferRows(source, () => Readable.from(csvLines(source, sql, plan.params)), path, maxBytes);
  return { table: await csvTable(path, plan.columns.length), columns: plan.columns };
}

async function* csvLines(source: PostgresSource, sql: string, params: readonly unknown[]): AsyncGenerator<string> {
  for await (const { rows } of fetchRows(source, sql, params)) yield rows.map(textLine).join('');
}
