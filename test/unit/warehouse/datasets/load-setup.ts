import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import type { LoadContext } from '../../../../shared/data/tables/load-context.ts';
import { type LoadBatch, type LoadHow, prepareLoad } from '../../../../shared/data/tables/prepare-load.ts';
import { storeFile } from '../../../../shared/data/tables/write-files.ts';
import type { Manifest } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { RunSetup } from '../../pipelines/run-setup.ts';

export type PartitionBy = Parameters<typeof prepareLoad>[4];
export type LoadedDataset = Manifest & { kept: number; added: number; reported: string[] };

/** One dataset after the other, loaded without a pipeline around it. */
class LoadRoom {
  readonly #setup: RunSetup;
  readonly #engine: Engine;
  readonly #folder: string;
  #attached = 0;

  private constructor(setup: RunSetup, engine: Engine, folder: string) {
    this.#setup = setup;
    this.#engine = engine;
    this.#folder = folder;
  }

  static async open(): Promise<LoadRoom> {
    const setup = await RunSetup.open();
    const folder = mkdtempSync(join(tmpdir(), 'prepare-load-'));
    return new LoadRoom(setup, await openEngine({ memoryLimitMb: 512, threads: 2, tempDir: folder }), folder);
  }

  async close(): Promise<void> {
    await this.#engine.close();
    rmSync(this.#folder, { recursive: true, force: true });
    await this.#setup.close();
  }

  /** The dataset after a load on top of the one before. */
  async loaded(
    before: Manifest | undefined,
    sql: string,
    how: LoadHow = { mode: 'append' },
    partitionBy: PartitionBy = null,
  ): Promise<LoadedDataset> {
    const bench = this.#bench();
    const batch = await this.#batch(bench, sql);
    const { kept, added, columns, rowsLoaded, schemaChanges } = await prepareLoad(
      bench,
      batch,
      before,
      how,
      partitionBy,
    );
    return {
      datasetId: 'x',
      workspaceId: this.#setup.workspaceId,
      version: (before?.version ?? 0) + 1,
      files: [...kept, ...added],
      columns,
      rowCount: rowsLoaded,
      sizeBytes: 0,
      mode: 'append',
      origin: { kind: 'refresh', jobId: 'x' },
      createdAt: '',
      kept: kept.length,
      added: added.length,
      reported: schemaChanges.map(({ column, change, from, to }) => `${column} ${change} ${from} ${to}`),
    };
  }

  /** What `sql` finds in the dataset, which it calls `t`. */
  async rowsOf(manifest: Manifest, sql = 'SELECT * FROM t ORDER BY ALL', files = manifest.files): Promise<unknown[][]> {
    const table = `t${++this.#attached}`;
    await this.#engine.attach(table, await this.#setup.worker.cache.fetchAll(files), { emptySchema: manifest.columns });
    const statement = sql.replace('FROM t', `FROM ${table}`);
    const { rowsJson } = await this.#engine.query(statement, { limit: 10_000, maxBytes: 1e8 });
    return JSON.parse(rowsJson) as unknown[][];
  }

  #bench(): LoadContext {
    const { objects, cache } = this.#setup.worker;
    return {
      engine: this.#engine,
      objects,
      cache,
      nextKey: () => `W/${this.#setup.workspaceId}/datasets/x/${newId()}.parquet`,
      scratchFile: () => join(this.#folder, `${randomUUID()}.parquet`),
    };
  }

  async #batch(bench: LoadContext, sql: string): Promise<LoadBatch> {
    const path = bench.scratchFile();
    const { rows, bytes, columns } = await this.#engine.copyToParquet(sql, { path });
    return {
      columns,
      rows,
      bytes,
      paths: async () => [path],
      store: async () => (rows === 0 ? [] : [await storeFile(bench, path, { rows, bytes, columns })]),
    };
  }
}

/** One room for the tests of a file. */
export function useLoadRoom(): Pick<LoadRoom, 'loaded' | 'rowsOf'> {
  let room: LoadRoom;
  beforeAll(async () => {
    room = await LoadRoom.open();
  });
  afterAll(() => room.close());
  return {
    loaded: (...load) => room.loaded(...load),
    rowsOf: (...question) => room.rowsOf(...question),
  };
}
