import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { TestContext } from '../../../../../shared/data/quality/compile.ts';
import type { Evaluation, NotEvaluated } from '../../../../../shared/data/quality/evaluate.ts';
import type { QualityTest } from '../../../../../shared/data/quality/tests.ts';
import { datasetRepository, readManifest } from '../../../../../shared/domains/datasets/index.ts';
import { DATASETS } from '../../../../../shared/domains/models/index.ts';
import type { StoredTest } from '../../../../../shared/domains/quality/index.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobFailure } from '../job-kind.ts';
import { rowsOfSource } from './source-rows.ts';

/** The rows of a table, as files that engines read. */
export interface TableRows {
  paths: readonly string[];
  columns: readonly Column[];
  /** Null for tables of data sources, like the version. */
  datasetId: string | null;
  datasetVersion: number | null;
  /** What the database has found. */
  results: ReadonlyMap<QualityTest, Evaluation | NotEvaluated>;
}

export interface TestsToRun {
  tests: readonly QualityTest[];
  /** Every attempt checks as of the same moment. */
  now: Date;
  previousRows: NonNullable<TestContext['previousRows']>;
}

export interface AskedRows {
  workspaceId: string;
  /** Of the table. */
  place: Pick<StoredTest, 'sourceId' | 'schemaName' | 'tableName'>;
  control: JobControl;
  /** The tests that will read the rows, of which the database may run some; without them, all columns are read. */
  tests?: TestsToRun;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
}

/** Fetches the files of a dataset, or copies the tested columns of a table from its source. */
export async function withTableRows<T>(
  worker: RefreshWorker,
  asked: AskedRows,
  work: (rows: TableRows) => Promise<T>,
): Promise<T> {
  if (asked.place.sourceId === DATASETS) return work(await rowsOfDataset(worker, asked));
  const path = join(worker.engineResources.tempDir, `${randomUUID()}.parquet`);
  try {
    return await work(await rowsOfSource(worker, asked, path));
  } finally {
    await rm(path, { force: true });
  }
}

async function rowsOfDataset(
  { table, objects, cache }: RefreshWorker,
  { workspaceId, place: { tableName } }: AskedRows,
): Promise<TableRows> {
  const dataset = await datasetRepository(table).find(workspaceId, tableName);
  if (dataset?.name !== tableName) throw new JobFailure('NOT_FOUND', `There is no dataset ${tableName} any more.`);
  const manifest = await readManifest(table, objects, dataset);
  if (!manifest) throw new JobFailure('NOT_FOUND', `The dataset ${tableName} has never been loaded.`);
  const paths = await cache.fetchAll(manifest.files);
  return {
    paths,
    columns: manifest.columns,
    datasetId: dataset.id,
    datasetVersion: manifest.version,
    results: new Map(),
  };
}
