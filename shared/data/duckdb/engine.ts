import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { DataError } from '../../platform/errors/data-error.ts';
import { AttachedTables } from './attached-tables.ts';
import type { Column } from './column-types.ts';
import { columnTypeOf } from './described-type.ts';
import { type SqlPlace, toDataError } from './duckdb-errors.ts';
import type {
  AttachOptions,
  CopyListener,
  CopyOptions,
  EngineOptions,
  QueryOptions,
  QueryResult,
  ResultShape,
  ReusableEngine,
  RowBatch,
  WrittenFile,
} from './engine-contract.ts';
import { keepByteOrderMarks } from './exact-texts.ts';
import { bindings, type EngineParameters } from './parameters.ts';
import { parquetSource } from './parquet-source.ts';
import { ParseTrees } from './parse-trees.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';
import { type CsvShape, cellTexts, csvText, type RowShape, rowText } from './row-text.ts';
import { isReadAsWritten, storedType } from './storage-types.ts';
import { finiteJson, nonFinite } from './wire-format.ts';
import { writtenBounds } from './written-bounds.ts';

export type {
  CopyResult,
  Engine,
  EngineOptions,
  QueryResult,
  ReusableEngine,
  WrittenFile,
} from './engine-contract.ts';

keepByteOrderMarks();

/** Opens a new in-memory instance: no extensions, UTC by default, with its own directory for spilled data. */
export async function openEngine(options: EngineOptions): Promise<ReusableEngine> {
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
  const close = async () => {
    instance.closeSync();
    await rm(spillDir, { recursive: true, force: true });
  };
  return new DuckDbEngine(connection, { spillDir, threads: options.threads, close });
}

interface Opened {
  spillDir: string;
  threads: number;
  /** What else ends with the connection. */
  close(): Promise<void>;
  /** Set for a connection to an instance that is locked, with the parse trees of the instance. */
  locked?: { trees: ParseTrees };
}

/** An instance that still uses more memory when its work has ended is not used again. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** An engine of the connection. */
export class DuckDbEngine implements ReusableEngine {
  readonly #connection: DuckDBConnection;
  readonly #spillDir: string;
  readonly #close: () => Promise<void>;
  readonly #tables: AttachedTables;
  /** They outlast a reset. What a tree may contain is checked each time. */
  readonly #trees: ParseTrees;
  #objects: DuckDBPreparedStatement | undefined;
  #copyListeners: CopyListener[] = [];
  #threads: number;
  #isLocked = false;

  constructor(connection: DuckDBConnection, { spillDir, threads, close, locked }: Opened) {
    this.#connection = connection;
    this.#spillDir = spillDir;
    this.#threads = threads;
    this.#close = close;
    this.#trees = locked?.trees ?? new ParseTrees();
    this.#tables = new AttachedTables(this);
    this.#isLocked = locked !== undefined;
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  get threads(): number {
    return this.#threads;
  }

  async useThreads(count: number): Promise<void> {
    if (count === this.#threads) return;
    await this.run(`SET threads = ${count}`);
    this.#threads = count;
  }

  confine(): void {
    this.#tables.isConfined = true;
  }

  attach(name: string, parquetFiles: readonly string[], options: AttachOptions = {}): Promise<void> {
    return this.#tables.attach(name, parquetFiles, options);
  }

  async lock(outputs: readonly string[] = []): Promise<void> {
    if (this.#isLocked && outputs.length > 0) throw new TypeError('a locked engine writes only to temporary paths');
    if (this.#isLocked) return;
    const paths = [...this.#tables.readable, ...outputs].map(quoteLiteral).join(', ');
    await this.#connection.run(`
      SET allowed_paths = [${paths}];
      SET allowed_directories = [${quoteLiteral(this.#spillDir)}];
      SET enable_external_access = false;
      SET lock_configuration = true`);
    this.#isLocked = true;
  }

  async reset(): Promise<boolean> {
    // Its lock cannot be changed, and still allows the files of this work.
    if (this.#isLocked && !this.#tables.isConfined) return false;
    try {
      // Memory is measured before the drops, which can only free some. So it is measured again only if it was above the
      // limit.
      if ((await this.#dropAll()) > MAX_KEPT_BYTES && (await this.#dropAll()) > MAX_KEPT_BYTES) return false;
      await removeOutputs(this.#spillDir);
    } catch {
      return false;
    }
    this.#tables.forget();
    this.#copyListeners = [];
    return true;
  }

  /** Drops all tables and views; returns how much memory the engine used before. */
  async #dropAll(): Promise<number> {
    // Prepared once, because planning it takes longer than running it.
    this.#objects ??= await this.#connection.prepare(OBJECTS_AND_MEMORY);
    const found = await (await this.#objects.run()).getRows();
    const drops = found.flatMap(([drop]) => (drop === null ? [] : [String(drop)]));
    if (drops.length > 0) await this.run(drops.join(';'));
    return Math.max(...found.map(([, bytes]) => Number(bytes ?? 0)));
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
    const prefix = `SELECT ${rowText(inner, columns, types, shape)}, ${isLossy(inner, types)} FROM (SELECT * FROM (\n`;
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
    await this.#keepRows(table, '*', sql, { params, end: `) LIMIT ${limit}) AS result(${names})` });
    return shape;
  }

  async keepLines(
    table: string,
    sql: string,
    { params = [], limit, shape }: { params?: EngineParameters; limit: number; shape: CsvShape },
  ) {
    const { columns, types } = await this.shape(sql, params);
    const inner = columns.map((_, i) => `c${i}`);
    // The texts of cells are computed once, and read several times to see whether they need quotes.
    const cells = cellTexts(inner, types).map((text, i) => `${text} AS t${i}`);
    const line = csvText(
      inner.map((_, i) => `t${i}`),
      columns,
      shape,
    );
    const selected = `${line} AS line, lossy FROM (SELECT ${cells.join(', ')}, ${isLossy(inner, types)} AS lossy`;
    await this.#keepRows(table, selected, sql, { params, end: `) LIMIT ${limit}) AS result(${inner.join(', ')}))` });
    return columns;
  }

  async #keepRows(
    table: string,
    selected: string,
    sql: string,
    { params, end }: { params: EngineParameters; end: string },
  ): Promise<void> {
    const prefix = `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT ${selected} FROM (SELECT * FROM (\n`;
    const { values, types } = bindings(params);
    const place = { sql, bytesBefore: Buffer.byteLength(prefix) };
    await this.#guard(() => this.#connection.run(`${prefix}${sql}\n${end}`, values, types), place);
  }

  async *columnChunks(sql: string): AsyncGenerator<readonly (readonly DuckDBValue[])[]> {
    const result = await this.#stream('', sql, '', []);
    for (;;) {
      const chunk = await this.#guard(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk.getColumns();
    }
  }

  async *smallIntegers(sql: string): AsyncGenerator<Uint32Array> {
    const result = await this.#stream('', sql, '', []);
    for (;;) {
      const chunk = await this.#guard(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) return;
      // Values one by one would take longer than computing them.
      const { items } = chunk.getColumnVector(0) as unknown as { items: Uint32Array };
      yield items;
    }
  }

  async copyToParquet(sql: string, options: CopyOptions): Promise<WrittenFile> {
    const params = options.params ?? [];
    const { columns: written, types } = await this.shape(sql, params);
    const stored = written.map(({ name }, i) => `c${i}::${storedType(types[i]!)} AS ${quoteIdentifier(name)}`);
    const prefix = `COPY (SELECT ${stored.join(', ')} FROM (\n`;
    const suffix = `\n) AS result(${written.map((_, i) => `c${i}`).join(', ')})) TO ${quoteLiteral(options.path)}
      (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, USE_TMP_FILE false, ROW_GROUP_SIZE ${options.rowGroupSize ?? 122_880}${options.withBounds ? ', RETURN_STATS' : ''})`;
    try {
      const place = { sql, bytesBefore: Buffer.byteLength(prefix) };
      const { values, types: bound } = bindings(params);
      const writing = this.#guard(() => this.#connection.run(prefix + sql + suffix, values, bound), place);
      for (const listener of this.#copyListeners) listener(options.path, writing);
      const result = await writing;
      const { size } = await stat(options.path);
      const columns = types.every(isReadAsWritten)
        ? written
        : await this.describe(`SELECT * FROM ${parquetSource([options.path])}`);
      const [row = []] = await result.getRowsJson();
      const [rows, statistics] = options.withBounds ? [row[1], row[4]] : [row[0], undefined];
      return {
        rows: Number(rows),
        bytes: size,
        columns: written.map(({ name }, i) => ({ name, type: columns[i]!.type })),
        bounds: writtenBounds(
          written.map(({ name }) => name),
          statistics,
        ),
      };
    } catch (error) {
      await rm(options.path, { force: true });
      throw error;
    }
  }

  onCopy(listener: CopyListener): void {
    this.#copyListeners.push(listener);
  }

  parseTree(sql: string): Promise<string> {
    return this.#trees.get(sql, async (text) => {
      const [[tree] = []] = await this.run('SELECT json_serialize_sql($1::VARCHAR, skip_default := true)', [text]);
      return String(tree);
    });
  }

  async run(sql: string, params?: EngineParameters): Promise<unknown[][]> {
    // Without parameters a statement need not be prepared, which takes a third of the time of a short one.
    const { values, types } = params ? bindings(params) : {};
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
    this.#objects?.destroySync();
    this.#connection.disconnectSync();
    await this.#close();
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

/** Removes what statements have written to temporary paths. */
export async function removeOutputs(spillDir: string): Promise<void> {
  const names = (await readdir(spillDir)).filter((name) => !name.startsWith(SPILLED));
  await Promise.all(names.map((name) => rm(join(spillDir, name), { recursive: true, force: true })));
}

/** SQL for whether a row has a value that is shown as null. */
function isLossy(inner: readonly string[], types: readonly DuckDBType[]): string {
  const flags = inner.flatMap((column, i) => nonFinite(column, types[i]!) ?? []);
  return flags.join(' OR ') || 'false';
}

/** The beginning of the names of DuckDB's own files in the directory of an engine. */
const SPILLED = 'duckdb_temp_';

/** The statements that drop what steps create, and the memory in use: one query instead of two. */
const OBJECTS_AND_MEMORY = `
  SELECT format('DROP TABLE "{}"."{}"."{}"', database_name, schema_name, replace(table_name, '"', '""')), NULL FROM duckdb_tables()
  UNION ALL
  SELECT format('DROP VIEW "{}"."{}"."{}"', database_name, schema_name, replace(view_name, '"', '""')), NULL FROM duckdb_views()
  WHERE NOT internal
  UNION ALL
  SELECT NULL, sum(memory_usage_bytes)::BIGINT FROM duckdb_memory()`;
