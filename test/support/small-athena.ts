import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crash } from '../../functions/pipelines/workers/run-step/recover.ts';
import { type Engine, openEngine } from '../../shared/data/duckdb/engine.ts';
import { DataError } from '../../shared/platform/errors/data-error.ts';
import type { ObjectStore } from '../../shared/platform/objects/object-store.ts';
import { asDuckDbReads, speakTrino } from './trino-words.ts';

/** How a query ended that Athena could not execute, as the state machine receives it. */
export class QueryFailed extends Error {
  readonly crash: Crash;

  constructor(name: string, cause: string) {
    super(cause);
    this.crash = { Error: name, Cause: cause };
  }
}

/**
 * As much of Athena as steps use, on DuckDB: tables over listed files, UNLOAD into Parquet files and dropping of
 * tables. Any other statement is refused.
 */
export class SmallAthena {
  readonly tables = new Set<string>();
  /** Fails the next query with this reason. */
  fails: string | undefined;
  readonly #engine: Engine;
  readonly #objects: ObjectStore;
  readonly #folder: string;
  #files = 0;

  private constructor(engine: Engine, objects: ObjectStore, folder: string) {
    this.#engine = engine;
    this.#objects = objects;
    this.#folder = folder;
  }

  static async open(objects: ObjectStore, folder: string): Promise<SmallAthena> {
    const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: folder });
    await speakTrino(engine);
    await engine.run('CREATE SCHEMA steps');
    return new SmallAthena(engine, objects, folder);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async run(statement: string): Promise<void> {
    const [, created = '', list = '', place = ''] =
      /^CREATE EXTERNAL TABLE IF NOT EXISTS `steps`\.`(\w+)` \((.*)\) ROW FORMAT SERDE .*ParquetHiveSerDe' STORED AS INPUTFORMAT .*SymlinkTextInputFormat' .* LOCATION 's3:\/\/data\/(.*\/)'$/.exec(
        statement,
      ) ?? [];
    const [, query = '', target = ''] =
      /^UNLOAD \((.*)\) TO 's3:\/\/data\/(.*\/)' WITH \(format = 'PARQUET', compression = 'ZSTD'\)$/s.exec(statement) ??
      [];
    const [, dropped = ''] = /^DROP TABLE IF EXISTS `steps`\.`(\w+)`$/.exec(statement) ?? [];
    if (created) await this.#create(created, list, place);
    else if (query) await this.#unload(query, target);
    else if (dropped) await this.#drop(dropped);
    else throw new Error(`Athena is not known to take: ${statement}`);
  }

  async #create(name: string, list: string, place: string): Promise<void> {
    const keys = (await this.#objects.list(place)).map(({ key }) => key);
    const files = (await Promise.all(keys.map((key) => this.#objects.read(key)))).join('').trim().split('\n');
    const paths: string[] = [];
    for (const file of files.filter(Boolean)) paths.push(await this.#fetch(file.replace('s3://data/', '')));
    const columns = list.replaceAll('`', '"').replaceAll(' string', ' varchar');
    await this.#engine.run(`CREATE TABLE steps.${name} (${columns})`);
    if (paths.length > 0) {
      const names = [...columns.matchAll(/"(\w+)" /g)].map(([, column]) => `"${column}"`).join(', ');
      const from = `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}])`;
      await this.#engine.run(`INSERT INTO steps.${name} SELECT ${names} FROM ${from}`);
    }
    this.tables.add(name);
  }

  #path(): string {
    this.#files += 1;
    return join(this.#folder, `athena-${this.#files}.parquet`);
  }

  async #fetch(key: string): Promise<string> {
    const path = this.#path();
    await writeFile(path, await this.#objects.read(key));
    return path;
  }

  /** Athena writes several files, and into nothing but an empty place. */
  async #unload(query: string, target: string): Promise<void> {
    const reason = this.fails;
    this.fails = undefined;
    if (reason) throw failed(reason);
    if ((await this.#objects.list(target)).length > 0) throw failed('HIVE_PATH_ALREADY_EXISTS');
    try {
      await this.#engine.run(`CREATE OR REPLACE TABLE unloaded AS ${asDuckDbReads(query)}`);
      for (const part of [0, 1]) {
        const path = this.#path();
        await this.#engine.copyToParquet(`SELECT * FROM unloaded WHERE rowid % 2 = ${part}`, { path });
        await this.#objects.upload(`${target}20261121_${part}`, path);
        await rm(path);
      }
    } catch (error) {
      if (error instanceof DataError) throw failed(error.message);
      throw error;
    }
  }

  async #drop(name: string): Promise<void> {
    await this.#engine.run(`DROP TABLE IF EXISTS steps.${name}`);
    this.tables.delete(name);
  }
}

const failed = (reason: string) =>
  new QueryFailed(
    'States.TaskFailed',
    JSON.stringify({
      QueryExecution: { Status: { State: 'FAILED', StateChangeReason: reason, AthenaError: { ErrorCategory: 2 } } },
    }),
  );
