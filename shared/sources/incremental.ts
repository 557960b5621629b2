import { type Column, engineTypeOf } from '../engine/column-types.ts';
import type { CopyResult, Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/engine-error.ts';
import { quoteIdentifier, quoteLiteral } from '../engine/quoting.ts';

/** What an incremental read continues from. */
export interface Cursor {
  column: string;
  /** The watermark of the last read (or the initial value), in the wire format; everything when absent. */
  from?: string;
  /** An upper bound, itself excluded, for reading one interval again. */
  before?: string;
  /** How far below `from` rows are read again, for those committed late; only with a date or timestamp column. */
  lagSeconds?: number;
  /** Rows at the edge that were read before, as the last read returned them. */
  boundary?: readonly string[] | null;
}

/** What the next read continues from. */
export interface Watermark {
  column: string;
  /** The highest value seen, or the old `from` when there was none; null when nothing was ever read. */
  to: string | null;
  /** Rows at or above `to` less the lag; null when there are too many, so that the next read brings them again, to be merged. */
  boundary: string[] | null;
  /** Rows of the boundary that this read met again and left out. */
  repeatedRows: number;
  /** Rows without a value in the cursor column: they are never read. */
  nullCursorRows: number;
}

export const MAX_BOUNDARY_ROWS = 10_000;

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);

/** Throws SCHEMA_MISMATCH when the cursor's column is absent or does not order rows in time or number. */
export function cursorType(columns: readonly Column[], cursor: Cursor): string {
  const type = columns.find(({ name }) => name === cursor.column)?.type;
  if (type === undefined) throw new EngineError('SCHEMA_MISMATCH', `There is no column "${cursor.column}".`);
  if (type !== 'integer' && type !== 'string' && !type.startsWith('decimal') && !TIMES.has(type)) {
    throw new EngineError('SCHEMA_MISMATCH', `A column of type ${type} cannot be the cursor.`);
  }
  if (cursor.lagSeconds && !TIMES.has(type)) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      `A lag in seconds needs a date or timestamp column, "${cursor.column}" is of type ${type}.`,
    );
  }
  return type;
}

/** SQL conditions, for DuckDB as for Postgres: at or above `from` less the lag, below `before`. */
export function cursorBounds(expression: string, type: string, cursor: Cursor): string[] {
  // A date less seconds is a timestamp in both dialects; decimals compare without a precision of their own.
  const cast = type === 'string' ? 'VARCHAR' : type.startsWith('decimal') ? 'DECIMAL(38, 9)' : engineTypeOf(type);
  const value = (text: string) => `CAST(${quoteLiteral(text)} AS ${cast})`;
  const lag = cursor.lagSeconds ? ` - INTERVAL '${Number(cursor.lagSeconds)} seconds'` : '';
  const bounds = [`${expression} IS NOT NULL`];
  if (cursor.from !== undefined) bounds.push(`${expression} >= ${value(cursor.from)}${lag}`);
  if (cursor.before !== undefined) bounds.push(`${expression} < ${value(cursor.before)}`);
  return bounds;
}

/**
 * Writes the rows of `sql` (already within the cursor's bounds) as Parquet without those of the boundary, and works out the next
 * watermark. A row is known again by its whole content, so one that changed under an equal cursor is read again.
 */
export async function writeIncrement(
  engine: Engine,
  sql: string,
  increment: { columns: readonly Column[]; cursor: Cursor; nullCursorRows: number },
  outPath: string,
): Promise<CopyResult & { watermark: Watermark }> {
  const { columns, cursor, nullCursorRows } = increment;
  const known = cursor.boundary ?? [];
  const readPath = known.length > 0 ? engine.temporaryPath('parquet') : outPath;
  const read = await engine.copyToParquet(sql, { path: readPath });
  const watermark = await nextWatermark(engine, readPath, columns, cursor);
  if (known.length === 0) return { ...read, watermark: { ...watermark, repeatedRows: 0, nullCursorRows } };

  const fresh = `SELECT * FROM ${parquet(readPath)} WHERE ${rowKey(columns)} NOT IN (SELECT unnest($1::VARCHAR[]))`;
  const written = await engine.copyToParquet(fresh, { params: [known], path: outPath });
  return { ...written, watermark: { ...watermark, repeatedRows: read.rows - written.rows, nullCursorRows } };
}

async function nextWatermark(
  engine: Engine,
  path: string,
  columns: readonly Column[],
  cursor: Cursor,
): Promise<Pick<Watermark, 'column' | 'to' | 'boundary'>> {
  const type = cursorType(columns, cursor);
  const column = quoteIdentifier(cursor.column);
  const from = cursor.from === undefined ? [] : [`(${cursorValue(cursor.from, type)})`];
  const newest = `SELECT max(v) FROM (SELECT max(${column}) FROM ${parquet(path)} UNION ALL VALUES ${from.join() || '(NULL)'}) AS t(v)`;
  const { rowsJson } = await engine.query(newest, { limit: 1, maxBytes: 1024 * 1024 });
  const [[value]] = JSON.parse(rowsJson) as [[string | number | null]];
  if (value === null) return { column: cursor.column, to: null, boundary: [] };

  const to = String(value);
  const [lowest] = cursorBounds(column, type, {
    column: cursor.column,
    from: to,
    lagSeconds: cursor.lagSeconds ?? 0,
  }).slice(1);
  const keys = await engine.run(
    `SELECT DISTINCT ${rowKey(columns)} FROM ${parquet(path)} WHERE ${lowest} LIMIT ${MAX_BOUNDARY_ROWS + 1}`,
  );
  return {
    column: cursor.column,
    to,
    boundary: keys.length > MAX_BOUNDARY_ROWS ? null : keys.map(([key]) => String(key)),
  };
}

const cursorValue = (text: string, type: string) => `CAST(${quoteLiteral(text)} AS ${engineTypeOf(type)})`;

/** Independent of the order of columns: the source may list them anew. */
function rowKey(columns: readonly Column[]): string {
  const names = columns.map(({ name }) => quoteIdentifier(name)).sort();
  return `md5(row(${names.join(', ')})::VARCHAR)`;
}

const parquet = (path: string) => `read_parquet([${quoteLiteral(path)}])`;
