import { DataError } from '../../../platform/errors/data-error.ts';
import { folded } from '../../duckdb/column-names.ts';
import { type Column, decimalDigits, engineTypeOf } from '../../duckdb/column-types.ts';
import type { CopyResult, Engine } from '../../duckdb/engine.ts';
import type { EngineParameter } from '../../duckdb/parameters.ts';
import { quoteIdentifier, quoteLiteral } from '../../duckdb/quoting.ts';

/** Where an incremental read starts. */
export interface Cursor {
  column: string;
  /** The watermark of the last read, or the initial value, in the wire format. Omit it to read everything. */
  from?: string;
  /** An exclusive upper bound, for reading one interval again. */
  before?: string;
  /**
   * If both bounds are instants: the dates at these instants in the time zone of the pipeline, for columns of calendar
   * dates.
   */
  dates?: { from: string; before: string };
  /**
   * How far below `from` rows are read again, to include rows that were committed late. Only for date and timestamp
   * columns.
   */
  lagSeconds?: number;
  /** Columns that identify a row. A row that is read twice is then kept once. */
  primaryKey?: readonly string[];
  /** Rows at the watermark that were read before, as the last read returned them. */
  boundary?: Boundary | null;
}

/**
 * Rows that were read before. The first entry is a JSON list of their column names; each other entry is
 * `<hash>:<times>:<hashes>`: the hash of the whole row, how often it was read (empty with a primary key), and the
 * hashes of its values one by one (empty if there are too many). Many rows are kept as a Parquet file with the columns
 * `key`, `times`, `parts` and `columns`.
 */
export type Boundary = readonly string[] | { path: string };

/** Where the next read starts. */
export interface Watermark {
  column: string;
  /** The highest value seen, or the previous `from` if no row was read; null if nothing was ever read. */
  to: string | null;
  /**
   * Rows at or above `to` minus the lag. Null if there are too many: the next read then returns them again, to be
   * merged.
   */
  boundary: string[] | { path: string } | null;
  /** Rows of the boundary that this read found again and left out. */
  repeatedRows: number;
  /** Rows whose cursor column has no value, or one that cannot be represented (infinity, NaN). They are never read. */
  nullCursorRows: number;
  /** A column of the primary key that was not read. Identical rows were then counted instead. */
  absentKey?: string;
  /** A column of the boundary that no longer exists, so that its rows cannot be recognized and are read again. */
  lostColumn?: string;
}

export const lostColumnText = (name: string): string =>
  `The column ${name} no longer exists, and too many rows were read before to recognize them without it`;

export const MAX_BOUNDARY_ROWS = 1_000_000;

/** Longer boundaries are written to a file. */
const MAX_LISTED_CHARACTERS = 24_000;

/** Up to this many values are hashed one by one, so that rows can be recognized after a column is removed. */
const MAX_PARTS = 1_000_000;
/** The length of a 64-bit hash in hex. */
const PART_LENGTH = 16;

/** Where a read into `outPath` writes a large boundary. */
export const boundaryPath = (outPath: string): string => `${outPath}.boundary`;

const TIMES = new Set(['date', 'timestamp', 'timestamptz']);

/**
 * Returns the type of the cursor column. Throws SCHEMA_MISMATCH if it is absent or cannot order rows by time or number.
 */
export function cursorType(columns: readonly Column[], cursor: Cursor): string {
  const type = columns.find(({ name }) => name === cursor.column)?.type;
  if (type === undefined) throw new DataError('SCHEMA_MISMATCH', `There is no column "${cursor.column}".`);
  if (type !== 'integer' && type !== 'string' && !type.startsWith('decimal') && !TIMES.has(type)) {
    throw new DataError('SCHEMA_MISMATCH', `A column of type ${type} cannot be the cursor.`);
  }
  if (cursor.lagSeconds && !TIMES.has(type)) {
    throw new DataError(
      'SCHEMA_MISMATCH',
      `A lag in seconds needs a date or timestamp column, "${cursor.column}" is of type ${type}.`,
    );
  }
  return type;
}

/** SQL for DuckDB and Postgres: true for a row without a cursor value that can be represented. */
export function lacksCursor(expression: string, type: string): string {
  if (!TIMES.has(type)) return `${expression} IS NULL`;
  // Infinity and years out of range are read as null.
  const [least, beyond] = ['0001-01-01', '294247-01-01'].map((day) => `CAST('${day}' AS ${engineTypeOf(type)})`);
  return `(${expression} IS NULL OR ${expression} < ${least} OR ${expression} >= ${beyond})`;
}

/** SQL conditions for every database: true for a number with too many digits, which is read as null. */
export function beyondDigits(expression: string, type: string): string[] {
  const decimal = decimalDigits(type);
  if (!decimal) return [];
  // Postgres sorts NaN above all other numbers.
  const beyond = `1${'0'.repeat(decimal.precision - decimal.scale)}`;
  return [`(${expression} <= -${beyond} OR ${expression} >= ${beyond})`];
}

/**
 * SQL for every database: a bound of the cursor as it is compared with the column. A calendar date is not an instant,
 * so date columns, and texts of ten characters, are compared with the date in the time zone of the pipeline. `value`
 * writes a bound in SQL.
 */
export function cursorBound(
  expression: string,
  type: string,
  cursor: Cursor,
  bound: 'from' | 'before',
  value: (text: string) => string,
): string | undefined {
  const [given, date] = [cursor[bound], cursor.dates?.[bound]];
  if (given === undefined || date === undefined) return given && value(given);
  if (type === 'date') return value(date);
  if (type !== 'string') return value(given);
  return `CASE WHEN char_length(${expression}) = 10 THEN ${value(date)} ELSE ${value(given)} END`;
}

/** SQL conditions for DuckDB and Postgres: at or above `from` minus the lag, and below `before`. */
export function cursorBounds(expression: string, type: string, cursor: Cursor): string[] {
  // Subtracting seconds from a date gives a timestamp in both dialects. Decimals are compared with the number of
  // decimal places that are read.
  const decimal = decimalDigits(type);
  const cast = type === 'string' ? 'VARCHAR' : decimal ? `DECIMAL(38, ${decimal.scale})` : engineTypeOf(type);
  const value = (text: string) => `CAST(${quoteLiteral(text)} AS ${cast})`;
  const lag = cursor.lagSeconds ? ` - INTERVAL '${Number(cursor.lagSeconds)} seconds'` : '';
  const bounds = [`NOT ${lacksCursor(expression, type)}`];
  const from = cursorBound(expression, type, cursor, 'from', value);
  const before = cursorBound(expression, type, cursor, 'before', value);
  if (from !== undefined) bounds.push(`${expression} >= ${from}${lag}`);
  if (before !== undefined) bounds.push(`${expression} < ${before}`);
  return bounds;
}

/**
 * Writes the rows of `sql`, which is already limited to the cursor's bounds, as Parquet without those of the boundary,
 * and computes the next watermark. A row is recognized by its whole content, so a row that changed without a new cursor
 * value is read again.
 */
export async function writeIncrement(
  engine: Engine,
  sql: string,
  increment: {
    /** Parameters of `sql`. */
    params?: readonly EngineParameter[];
    columns: readonly Column[];
    cursor: Cursor;
    nullCursorRows: number;
  },
  outPath: string,
): Promise<CopyResult & { watermark: Watermark }> {
  const { params = [], columns, nullCursorRows } = increment;
  const { cursor, absentKey } = withoutIncompleteKey(columns, increment.cursor);
  const known = isEmpty(cursor.boundary) ? undefined : cursor.boundary;
  const readPath = known ? engine.temporaryPath('parquet') : outPath;
  const read = await engine.copyToParquet(sql, { params, path: readPath });
  const next = await nextWatermark(engine, readPath, { columns, cursor }, boundaryPath(outPath));
  const watermark = { ...next, nullCursorRows, ...(absentKey === undefined ? {} : { absentKey }) };
  if (!known) return { ...read, watermark: { ...watermark, repeatedRows: 0 } };

  const before = matchingRows(await openBoundaryRows(engine, known), columns);
  if ('lostColumn' in before) {
    const all = await engine.copyToParquet(`FROM ${parquet(readPath)}`, { path: outPath });
    return { ...all, watermark: { ...watermark, repeatedRows: 0, ...(all.rows > 0 ? before : {}) } };
  }
  const written = await copyNewRows(engine, { readPath, cursor, before }, outPath);
  return { ...written, watermark: { ...watermark, repeatedRows: read.rows - written.rows } };
}

const isEmpty = (boundary: Cursor['boundary']): boolean => !boundary || ('length' in boundary && boundary.length === 0);

interface BoundaryRows {
  /** SQL that returns their `key`, `times` and `parts`. */
  rows: string;
  params: EngineParameter[];
  /** Their columns, in the order of the parts. */
  names: readonly string[];
  hasParts: boolean;
}

async function openBoundaryRows(engine: Engine, known: Boundary): Promise<BoundaryRows> {
  if ('path' in known) {
    const file = parquet(known.path);
    const [[names, hasParts] = []] = await engine.run(`SELECT columns, parts IS NOT NULL FROM ${file} LIMIT 1`);
    const rows = `SELECT key, times, parts FROM ${file}`;
    return { rows, params: [], names: JSON.parse(String(names)), hasParts: hasParts === true };
  }
  const [names, ...entries] = known;
  const [key, times, parts] = [1, 2, 3].map((place) => `nullif(split_part(e, ':', ${place}), '')`);
  return {
    rows: `SELECT ${key}::UUID AS key, ${times}::INTEGER AS times, ${parts} AS parts FROM unnest($1::VARCHAR[]) AS t(e)`,
    params: [entries],
    names: JSON.parse(names!),
    hasParts: Boolean(entries[0]?.split(':')[2]),
  };
}

interface MatchingRows {
  /** SQL that returns the `key` and `times` of rows that were read before. */
  before: string;
  params: EngineParameter[];
  /** SQL for the same key of a row of `_read`. */
  key: string;
}

/** Compares rows with those read before by the columns that both have. */
function matchingRows(
  { rows, params, names, hasParts }: BoundaryRows,
  columns: readonly Column[],
): MatchingRows | { lostColumn: string } {
  const present = columns.map(({ name }) => name);
  const lost = names.filter((name) => !present.includes(name));
  if (lost.length === 0) return { before: `(${rows})`, params, key: rowKey(names) };
  if (!hasParts) return { lostColumn: lost[0]! };
  const kept = names.flatMap((name, i) => (lost.includes(name) ? [] : [{ name, at: i * PART_LENGTH + 1 }]));
  const key = kept.map(({ at }) => `substr(parts, ${at}, ${PART_LENGTH})`).join(' || ');
  return {
    before: `(SELECT ${key} AS key, sum(times)::INTEGER AS times FROM (${rows}) GROUP BY 1)`,
    params,
    key: partsOf(kept.map(({ name }) => name)),
  };
}

/**
 * Copies rows that were not read before. Of identical rows without a primary key, only those beyond the number read
 * before are new.
 */
async function copyNewRows(
  engine: Engine,
  read: { readPath: string; cursor: Cursor; before: MatchingRows },
  outPath: string,
): Promise<CopyResult> {
  const { before, key, params } = read.before;
  const rows = `${parquet(read.readPath)} AS _read`;
  const fresh = `SELECT _read.* FROM ${rows} ANTI JOIN ${before} AS _known ON _known.key = ${key}`;
  if (read.cursor.primaryKey) return engine.copyToParquet(fresh, { path: outPath, params });

  // A separate statement, so that the boundary is in memory only once.
  const morePath = engine.temporaryPath('parquet');
  const more = `SELECT _known.key, any_value(_known.times) AS times FROM ${rows} JOIN ${before} AS _known ON _known.key = ${key}
    WHERE _known.times IS NOT NULL GROUP BY _known.key HAVING count(*) > any_value(_known.times)`;
  const { rows: doubled } = await engine.copyToParquet(more, { path: morePath, params });
  const further = `SELECT _read.* FROM ${rows} JOIN ${parquet(morePath)} AS _more ON _more.key = ${key}
    QUALIFY row_number() OVER (PARTITION BY _more.key) > _more.times`;
  return engine.copyToParquet(doubled === 0 ? fresh : `${fresh} UNION ALL ${further}`, { path: outPath, params });
}

async function nextWatermark(
  engine: Engine,
  path: string,
  { columns, cursor }: { columns: readonly Column[]; cursor: Cursor },
  boundaryOut: string,
): Promise<Pick<Watermark, 'column' | 'to' | 'boundary'>> {
  const type = cursorType(columns, cursor);
  const column = quoteIdentifier(cursor.column);
  const from = cursor.from === undefined ? [] : [`(${cursorValue(cursor.from, type)})`];
  const newest = `SELECT max(v) FROM (SELECT max(${column}) FROM ${parquet(path)} UNION ALL VALUES ${from.join() || '(NULL)'}) AS t(v)`;
  const { rowsJson } = await engine.query(newest, { limit: 1, maxBytes: 1024 * 1024 });
  const [[value]] = JSON.parse(rowsJson) as [[string | number | null]];
  if (value === null) return { column: cursor.column, to: null, boundary: [] };

  const to = String(value);
  // The next read never starts from an interval that was read again.
  if (cursor.before !== undefined) return { column: cursor.column, to, boundary: [] };
  const [lowest] = cursorBounds(column, type, {
    column: cursor.column,
    from: to,
    lagSeconds: cursor.lagSeconds ?? 0,
  }).slice(1);
  const edge = `FROM ${parquet(path)} AS _read WHERE ${lowest}`;
  const times = cursor.primaryKey ? 'NULL::INTEGER' : 'count(*)::INTEGER';
  const names = columns.map(({ name }) => name).sort();
  const boundary = await boundaryRows(engine, { edge, names, times }, boundaryOut);
  return { column: cursor.column, to, boundary };
}

async function boundaryRows(
  engine: Engine,
  { edge, names, times }: { edge: string; names: readonly string[]; times: string },
  path: string,
): Promise<Watermark['boundary']> {
  const [[count] = []] = await engine.run(`SELECT count(*) ${edge}`);
  if (Number(count) > MAX_BOUNDARY_ROWS) return null;
  const columns = JSON.stringify(names);
  const hasParts = Number(count) * names.length <= MAX_PARTS;
  const parts = hasParts ? `any_value(${partsOf(names)})` : 'NULL::VARCHAR';
  // Grouped by position, because the source may have a column of the same name.
  const rows = `SELECT ${rowKey(names)} AS key, ${times} AS times, ${parts} AS parts ${edge} GROUP BY 1`;
  const characters = columns.length + Number(count) * (KEY_LENGTH + (hasParts ? names.length * PART_LENGTH : 0));
  if (characters > MAX_LISTED_CHARACTERS) {
    await engine.copyToParquet(`SELECT *, ${quoteLiteral(columns)} AS columns FROM (${rows})`, { path });
    return { path };
  }
  const listed = await engine.run(rows);
  return [columns, ...listed.map((row) => row.map((value) => value ?? '').join(':'))];
}

/**
 * Ignores a primary key of which a column was not read: part of a key does not identify rows, and rows could get lost.
 */
function withoutIncompleteKey(columns: readonly Column[], cursor: Cursor): { cursor: Cursor; absentKey?: string } {
  const { primaryKey = [], ...rest } = cursor;
  const present = new Set(columns.map(({ name }) => folded(name)));
  const absentKey = primaryKey.find((key) => !present.has(folded(key)));
  return absentKey === undefined ? { cursor } : { cursor: rest, absentKey };
}

const cursorValue = (text: string, type: string) => `CAST(${quoteLiteral(text)} AS ${engineTypeOf(type)})`;

/** Independent of the order of the columns, which the source may change. */
function rowKey(names: readonly string[]): string {
  const values = names.map((name) => `_read.${quoteIdentifier(name)}`).sort();
  return `md5(row(${values.join(', ')})::VARCHAR)::UUID`;
}

/** The length of a UUID and a count. */
const KEY_LENGTH = 45;

/** The concatenated hashes of the single values. */
function partsOf(names: readonly string[]): string {
  const values = names.map((name) => `coalesce('=' || _read.${quoteIdentifier(name)}::VARCHAR, '')`);
  return values.map((value) => `left(md5(${value}), ${PART_LENGTH})`).join(' || ');
}

const parquet = (path: string) => `read_parquet([${quoteLiteral(path)}])`;
