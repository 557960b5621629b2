import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { DataError } from '../../platform/errors/data-error.ts';
import { type Column, engineTypeOf } from './column-types.ts';
import { columnTypeOf } from './described-type.ts';
import { type SqlPlace, toDataError } from './duckdb-errors.ts';
import { keepByteOrderMarks } from './exact-texts.ts';
import { bindings, type EngineParameters } from './parameters.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';
import { type RowShape, rowText } from './row-text.ts';
import { storedType } from './storage-types.ts';
import { finiteJson, nonFinite } from './wire-format.ts';

keepByteOrderMarks();

export interface EngineOptions {
  /** DuckDB's own limit. The process may need half as much again (see the watchdog). */
  memoryLimitMb: number;
  threads: number;
  /** A writable directory, in which the engine creates its own directory for spilled data. */
  tempDir: string;
  /** How much the engine may spill; 4096 by default. */
  maxTempMb?: number;
  /** IANA name of the session's time zone, used to show and to decompose instants; UTC by default. */
  timezone?: string;
}

export interface Restriction {
  /** Columns to keep, of those that there are; all by default. */
  columns?: readonly string[];
  /** A trusted SQL condition, never the user's text. Rows for which it is not true are left out. */
  where?: string;
  params?: EngineParameters;
  /** Keeps at most so many rows. */
  limit?: number;
}

export interface AttachOptions {
  emptySchema?: readonly Column[];
  only?: Restriction;
  numbered?: string;
}

export interface QueryOptions {
  params?: EngineParameters;
  /** Maximum number of rows to return; `truncated` is set if there are more. */
  limit: number;
  /** Maximum size of `rowsJson` in UTF-8 bytes; more throws RESULT_TOO_LARGE. */
  maxBytes: number;
}

export interface QueryResult {
  columns: Column[];
  /** A JSON array of arrays in the wire format. */
  rowsJson: string;
  rowCount: number;
  truncated: boolean;
  /** `NON_FINITE_AS_NULL` means that a NaN or an infinity is shown as null. */
  warnings: 'NON_FINITE_AS_NULL'[];
}

/** Describes a result before its rows are read. */
export interface ResultShape {
  columns: Column[];
  types: readonly DuckDBType[];
}

export interface RowBatch {
  /** One text per row. */
  rows: string[];
  /** Whether a NaN or an infinity is shown as null. */
  lossy: boolean;
}

export interface CopyResult {
  rows: number;
  bytes: number;
  columns: Column[];
}

/** An in-memory DuckDB instance for one request or step: load, lock, query, close. It runs one call at a time. */
export interface Engine {
  /**
   * Makes exactly these Parquet files readable as a table. Without files the table is empty and has the columns of
   * `emptySchema`. With `only`, the permitted rows are copied into the instance, and the files themselves cannot be
   * read. `numbered` names an additional column with an integer for each row, which increases in the order of the files
   * and is the same each time.
   */
  attach(name: string, parquetFiles: readonly string[], options?: AttachOptions): Promise<void>;
  /** Irreversibly blocks access to everything but the attached files and, for writing, `outputs`. */
  lock(outputs?: readonly string[]): Promise<void>;
  /** Returns the columns of a single SELECT without running it. */
  describe(sql: string, params?: EngineParameters): Promise<Column[]>;
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** Returns the columns of a single SELECT, and its first `limit` rows as texts of the given shape, in batches. */
  rowTexts(
    sql: string,
    options: { params?: EngineParameters; limit: number; shape: RowShape },
  ): Promise<ResultShape & { batches: AsyncIterable<RowBatch> }>;
  /** Stores the first `limit` rows of a single SELECT as a temporary table. */
  keep(table: string, sql: string, options: { params?: EngineParameters; limit: number }): Promise<ResultShape>;
  /** Rows of an internal statement as the library's values, in batches of columns. */
  columnChunks(sql: string): AsyncIterable<readonly (readonly DuckDBValue[])[]>;
  /** The columns of an internal statement with the engine's types. */
  shape(sql: string, params?: EngineParameters): Promise<ResultShape>;
  /** Writes the rows of a single SELECT as Parquet (zstd). If it fails, no file is left at `path`. */
  copyToParquet(
    sql: string,
    options: { params?: EngineParameters; path: string; rowGroupSize?: number },
  ): Promise<CopyResult>;
  /** Returns DuckDB's parse tree of a text as JSON, without running it. */
  parseTree(sql: string): Promise<string>;
  /** Runs an internal statement (never a user's) and returns its rows as JSON values. */
  run(sql: string, params?: EngineParameters): Promise<unknown[][]>;
  /** Returns a path for a temporary file that is removed when the engine is closed. */
  temporaryPath(extension: string): string;
  /** The progress of the running call, 0 to 100; undefined if the engine cannot report it. */
  percent(): number | undefined;
  /**
   * Stops the running call, which then throws QUERY_TIMEOUT. A single long function call cannot be stopped (see the
   * watchdog).
   */
  interrupt(): void;
  close(): Promise<void>;
}

/** Opens a new in-memory instance: no extensions, UTC by default, with its own directory for spilled data. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const spillDir = join(options.tempDir, `engine-${randomUUID()}`);
  await mkdir(spillDir, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryLimitMb}MB`,
    threads: String(options.threads),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  // The spill limit only takes effect if it is set after the directory.
  await connection.run(`
    SET errors_as_json = true;
    SET enable_progress_bar = true;
    SET enable_progress_bar_print = false;
    SET TimeZone = ${quoteLiteral(options.timezone ?? 'UTC')};
    SET temp_directory = ${quoteLiteral(spillDir)};
    SET max_temp_directory_size = '${options.maxTempMb ?? 4096}MB'`);
  return new DuckDbEngine(instance, connection, spillDir);
}

class DuckDbEngine implements Engine {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #spillDir: string;
  readonly #readable = new Set<string>();

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, spillDir: string) {
    this.#instance = instance;
    this.#connection = connection;
    this.#spillDir = spillDir;
  }

  async attach(name: string, parquetFiles: readonly string[], options: AttachOptions = {}): Promise<void> {
    const table = quoteIdentifier(name);
    const { numbered } = options;
    if (parquetFiles.length === 0) {
      if (!options.emptySchema?.length)
        throw new DataError('SCHEMA_MISMATCH', `Table "${name}" has no files and no columns.`);
      const empty = [...options.emptySchema, ...(numbered === undefined ? [] : [{ name: numbered, type: 'integer' }])];
      const columns = empty.map((column) => `${quoteIdentifier(column.name)} ${engineTypeOf(column.type)}`);
      await this.run(`CREATE OR REPLACE TABLE ${table} (${columns.join(', ')})`);
      if (options.only) await this.#keepOnly(table, table, options.only);
      return;
    }
    const files = parquetSource(parquetFiles);
    const source =
      numbered === undefined ? files : `(SELECT *, ${NUMBER_OF_ROW} AS ${quoteIdentifier(numbered)} FROM ${files})`;
    if (options.only) return this.#keepOnly(table, source, options.only);
    await this.run(`CREATE OR REPLACE VIEW ${table} AS SELECT * FROM ${source}`);
    for (const file of parquetFiles) this.#readable.add(file);
  }

  async #keepOnly(table: string, source: string, only: Restriction): Promise<void> {
    const names = only.columns?.map(quoteLiteral).join(', ');
    // Files may be older than a column.
    const columns = names === undefined ? '*' : `COLUMNS(column_name -> column_name IN (${names}))`;
    const where = only.where === undefined ? '' : ` WHERE ${only.where}`;
    const limit = only.limit === undefined ? '' : ` LIMIT ${only.limit}`;
    await this.run(`CREATE OR REPLACE TABLE ${table} AS SELECT ${columns} FROM ${source}${where}${limit}`, only.params);
  }

  async lock(outputs: readonly string[] = []): Promise<void> {
    const paths = [...this.#readable, ...outputs].map(quoteLiteral).join(', ');
    await this.#connection.run(`
      SET allowed_paths = [${paths}];
      SET enable_external_access = false;
      SET lock_configuration = true`);
  }

  async describe(sql: string, params: EngineParameters = []): Promise<Column[]> {
    return (await this.shape(sql, params)).columns;
  }

  /** Runs the query with a limit of zero rows: unlike preparing it, this determines types that depend on parameters. */
  async shape(sql: string, params: EngineParameters = []): Promise<ResultShape> {
    const result = await this.#stream('SELECT * FROM (\n', sql, '\n) LIMIT 0', params);
    const types = result.columnTypes();
    return { columns: result.columnNames().map((name, i) => ({ name, type: columnTypeOf(types[i]!) })), types };
  }

  async query(sql: string, { params, limit, maxBytes }: QueryOptions): Promise<QueryResult> {
    const { columns, batches } = await this.rowTexts(sql, {
      ...(params && { params }),
      limit: limit + 1,
      shape: 'array',
    });
    const rows: string[] = [];
    let bytes = 2;
    let lossy = false;
    for await (const batch of batches) {
      const wanted = batch.rows.slice(0, limit - rows.length);
      for (const row of wanted) {
        bytes += Buffer.byteLength(row) + 1;
        if (bytes > maxBytes) throw new DataError('RESULT_TOO_LARGE', `The result is larger than ${maxBytes} bytes.`);
        rows.push(row);
      }
      lossy ||= batch.lossy;
      if (wanted.length < batch.rows.length) return finish(true);
    }
    return finish(false);

    function finish(truncated: boolean): QueryResult {
      const warnings: QueryResult['warnings'] = lossy ? ['NON_FINITE_AS_NULL'] : [];
      return { columns, rowsJson: `[${rows.join(',')}]`, rowCount: rows.length, truncated, warnings };
    }
  }

  async rowTexts(sql: string, options: { params?: EngineParameters; limit: number; shape: RowShape }) {
    const { params = [], limit, shape } = options;
    const { columns, types } = await this.shape(sql, params);
    const inner = columns.map((_, i) => `c${i}`);
    const flags = inner.flatMap((column, i) => nonFinite(column, types[i]!) ?? []);
    const text = rowText(inner, columns, types, shape);
    const prefix = `SELECT ${text}, ${flags.join(' OR ') || 'false'} FROM (SELECT * FROM (\n`;
    const suffix = `\n) LIMIT ${limit}) AS result(${inner.join(', ')})`;
    const result = await this.#stream(prefix, sql, suffix, params);
    const place = { sql, bytesBefore: Buffer.byteLength(prefix) };
    return { columns, types, batches: this.#batches(result, place) };
  }

  async *#batches(result: DuckDBResult, place: SqlPlace): AsyncGenerator<RowBatch> {
    for (;;) {
      const chunk = await this.#guard(() => result.fetchChunk(), place);
      if (!chunk || chunk.rowCount === 0) return;
      const written = chunk.getColumnValues(0) as string[];
      const rows = written.map(finiteJson);
      const marks = chunk.getColumnValues(1) as boolean[];
      yield { rows, lossy: marks.includes(true) || rows.some((row, i) => row !== written[i]) };
    }
  }

  async keep(table: string, sql: string, { params = [], limit }: { params?: EngineParameters; limit: number }) {
    const shape = await this.shape(sql, params);
    const names = shape.columns.map(({ name }) => quoteIdentifier(name)).join(', ');
    const prefix = `CREATE TEMP TABLE ${table} AS SELECT * FROM (SELECT * FROM (\n`;
    const { values, types } = bindings(params);
    const text = `${prefix}${sql}\n) LIMIT ${limit}) AS result(${names})`;
    await this.#guard(() => this.#connection.run(text, values, types), { sql, bytesBefore: Buffer.byteLength(prefix) });
    return shape;
  }

  async *columnChunks(sql: string): AsyncGenerator<readonly (readonly DuckDBValue[])[]> {
    const result = await this.#stream('', sql, '', []);
    for (;;) {
      const chunk = await this.#guard(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk.getColumns();
    }
  }

  async copyToParquet(
    sql: string,
    options: { params?: EngineParameters; path: string; rowGroupSize?: number },
  ): Promise<CopyResult> {
    const params = options.params ?? [];
    const { columns: written, types } = await this.shape(sql, params);
    const stored = written.map(({ name }, i) => `c${i}::${storedType(types[i]!)} AS ${quoteIdentifier(name)}`);
    const prefix = `COPY (SELECT ${stored.join(', ')} FROM (\n`;
    const suffix = `\n) AS result(${written.map((_, i) => `c${i}`).join(', ')})) TO ${quoteLiteral(options.path)}
      (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, USE_TMP_FILE false, ROW_GROUP_SIZE ${options.rowGroupSize ?? 122_880})`;
    try {
      const place = { sql, bytesBefore: Buffer.byteLength(prefix) };
      const { values, types: bound } = bindings(params);
      const result = await this.#guard(() => this.#connection.run(prefix + sql + suffix, values, bound), place);
      const { size } = await stat(options.path);
      const columns = await this.describe(`SELECT * FROM ${parquetSource([options.path])}`);
      return {
        rows: result.rowsChanged,
        bytes: size,
        columns: written.map(({ name }, i) => ({ name, type: columns[i]!.type })),
      };
    } catch (error) {
      await rm(options.path, { force: true });
      throw error;
    }
  }

  async parseTree(sql: string): Promise<string> {
    const [[tree] = []] = await this.run('SELECT json_serialize_sql($1::VARCHAR, skip_default := true)', [sql]);
    return String(tree);
  }

  async run(sql: string, params: EngineParameters = []): Promise<unknown[][]> {
    const { values, types } = bindings(params);
    return this.#guard(async () => (await this.#connection.run(sql, values, types)).getRowsJson());
  }

  temporaryPath(extension: string): string {
    return join(this.#spillDir, `${randomUUID()}.${extension}`);
  }

  percent(): number | undefined {
    const { percentage } = this.#connection.progress;
    return percentage >= 0 ? percentage : undefined;
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  async close(): Promise<void> {
    this.#connection.disconnectSync();
    this.#instance.closeSync();
    await rm(this.#spillDir, { recursive: true, force: true });
  }

  #stream(prefix: string, sql: string, suffix: string, params: EngineParameters): Promise<DuckDBResult> {
    const { values, types } = bindings(params);
    const place = { sql, bytesBefore: Buffer.byteLength(prefix) };
    return this.#guard(() => this.#connection.stream(prefix + sql + suffix, values, types), place);
  }

  async #guard<T>(call: () => Promise<T>, place?: SqlPlace): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw toDataError(error, place);
    }
  }
}

/** Columns with these names hide the position of a row, so rows of such files cannot be numbered. */
export const NAMES_OF_PLACES: ReadonlySet<string> = new Set(['file_index', 'file_row_number']);

/** Distance between the numbers of two files; no file has as many rows. */
const NUMBER_OF_ROW = 'CAST(file_index AS BIGINT) * 1099511627776 + file_row_number';

/**
 * Accepts exact paths only: with a wildcard, one name would stand for several files. Files of several versions are
 * joined by column name.
 */
function parquetSource(files: readonly string[]): string {
  const wild = files.find((file) => /[*?[\]{}]/.test(file));
  if (wild !== undefined) throw new TypeError(`a Parquet path must not contain wildcards: ${wild}`);
  return `read_parquet([${files.map(quoteLiteral).join(', ')}], hive_partitioning = false, union_by_name = ${files.length > 1})`;
}
