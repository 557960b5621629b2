import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { DuckDbEngine, type Engine, removeOutputs } from './engine.ts';
import { type EngineOptions, NATIVE_TABLE } from './engine-contract.ts';
import { parquetSource } from './parquet-source.ts';
import { ParseTrees } from './parse-trees.ts';
import { quoteIdentifier, quoteLiteral } from './quoting.ts';

/** A table whose rows never change. */
export interface UnchangingTable {
  name: string;
  /** The native copy of all rows, or the Parquet files of them. */
  source: { nativeCopy: string } | { parquetFiles: readonly string[] };
}

/**
 * Writes an empty database. An instance whose main database is this file, read-only, has no place for tables, views,
 * macros, types, sequences or further databases: only a connection has, for what ends with it.
 */
export async function writeEmptyDatabase(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  instance.closeSync();
}

/**
 * A locked instance over tables that never change. It serves one statement after the other, each on a connection of its
 * own: what a statement might leave behind, such as temporary tables and macros, variables, prepared statements and an
 * open transaction, belongs to its connection and ends with it.
 */
export class KeptInstance {
  readonly #instance: DuckDBInstance;
  /** No statement of a reader runs on it. */
  readonly #control: DuckDBConnection;
  readonly #state: DuckDBPreparedStatement;
  readonly #views: string;
  readonly #spillDir: string;
  readonly #threads: number;
  /** A tree depends on its text alone. What it may contain is checked each time. */
  readonly #trees = new ParseTrees();
  #opened = '';
  #reading: Promise<unknown> = Promise.resolve();

  private constructor(
    instance: DuckDBInstance,
    { control, state, views }: { control: DuckDBConnection; state: DuckDBPreparedStatement; views: string },
    { spillDir, threads }: { spillDir: string; threads: number },
  ) {
    this.#instance = instance;
    this.#control = control;
    this.#state = state;
    this.#views = views;
    this.#spillDir = spillDir;
    this.#threads = threads;
  }

  /** Attaches the tables and locks the instance. `empty` is the path of an empty database. */
  static async open(options: EngineOptions, empty: string, tables: readonly UnchangingTable[]): Promise<KeptInstance> {
    const spillDir = join(options.tempDir, `kept-${randomUUID()}`);
    await mkdir(spillDir, { recursive: true });
    let instance: DuckDBInstance | undefined;
    try {
      instance = await DuckDBInstance.create(empty, {
        access_mode: 'READ_ONLY',
        memory_limit: `${options.memoryLimitMb}MB`,
        threads: String(options.threads),
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
        // Memory that a statement has freed goes back to the operating system, although the instance stays.
        allocator_flush_threshold: '1MB',
      });
      const control = await instance.connect();
      const { attach, views, paths } = sourcesOf(tables);
      // Settings of the instance, because connections of a locked one cannot change their own.
      await control.run(`
        SET GLOBAL errors_as_json = true;
        SET GLOBAL TimeZone = ${quoteLiteral(options.timezone ?? 'UTC')};
        SET temp_directory = ${quoteLiteral(spillDir)};
        SET max_temp_directory_size = '${options.maxTempMb ?? 4096}MB';
        ${attach.join('')}
        SET allowed_paths = [${paths.map(quoteLiteral).join(', ')}];
        SET allowed_directories = [${quoteLiteral(spillDir)}];
        SET enable_external_access = false;
        SET lock_configuration = true`);
      const opened = { control, state: await control.prepare(DATABASES_AND_MEMORY), views: views.join('') };
      const kept = new KeptInstance(instance, opened, { spillDir, threads: options.threads });
      kept.#opened = (await kept.#read()).state;
      return kept;
    } catch (error) {
      instance?.closeSync();
      await rm(spillDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** An engine for one statement, which knows the tables. The caller must close it; the instance stays open. */
  async connect(): Promise<Engine> {
    const connection = await this.#instance.connect();
    try {
      await connection.run(this.#views);
    } catch (error) {
      connection.disconnectSync();
      throw error;
    }
    const close = () => removeOutputs(this.#spillDir);
    return new DuckDbEngine(connection, {
      spillDir: this.#spillDir,
      threads: this.#threads,
      close,
      locked: { trees: this.#trees },
    });
  }

  /** Whether the instance is as it was when it was opened, and how many bytes of memory it holds. */
  async check(): Promise<{ isUnchanged: boolean; bytes: number }> {
    const { state, bytes } = await this.#read();
    return { isUnchanged: state === this.#opened, bytes };
  }

  #read(): Promise<{ state: string; bytes: number }> {
    const read = async () => {
      const found = await (await this.#state.run()).getRowsJson();
      const logging = await (await this.#control.run(LOGGING)).getRowsJson();
      const databases = found.flatMap(([database]) => database ?? []).sort();
      const bytes = found.reduce((sum, [, each]) => sum + Number(each ?? 0), 0);
      return { state: JSON.stringify([databases, logging]), bytes };
    };
    const reading = read();
    this.#reading = reading;
    return reading;
  }

  /** No engine of it may be open. */
  async close(): Promise<void> {
    await this.#reading.catch(() => undefined);
    this.#state.destroySync();
    this.#control.disconnectSync();
    this.#instance.closeSync();
    await rm(this.#spillDir, { recursive: true, force: true });
  }
}

/** The databases, and the memory in use. Prepared once, because planning it takes longer than running it. */
const DATABASES_AND_MEMORY = `
  SELECT concat_ws(' ', database_name, path, readonly) AS database, NULL AS bytes FROM duckdb_databases()
  UNION ALL SELECT NULL, memory_usage_bytes FROM duckdb_memory()`;

/**
 * A function can switch this on although all settings are locked; the log would contain the texts of statements. It is
 * not prepared, since a prepared statement keeps the value that it was prepared with.
 */
const LOGGING = "SELECT current_setting('enable_logging')";

function sourcesOf(tables: readonly UnchangingTable[]): { attach: string[]; views: string[]; paths: string[] } {
  const attach: string[] = [];
  const paths: string[] = [];
  const views = tables.map(({ name, source }, index) => {
    if ('parquetFiles' in source) {
      paths.push(...source.parquetFiles);
      return view(name, parquetSource(source.parquetFiles));
    }
    const database = quoteIdentifier(`#native_${index + 1}`);
    attach.push(`ATTACH ${quoteLiteral(source.nativeCopy)} AS ${database} (READ_ONLY);`);
    return view(name, `${database}.main.${quoteIdentifier(NATIVE_TABLE)}`);
  });
  return { attach, views, paths };
}

const view = (name: string, source: string) => `CREATE TEMP VIEW ${quoteIdentifier(name)} AS SELECT * FROM ${source};`;
