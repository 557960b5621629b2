import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATASETS } from '../../../../../shared/domains/semantics/models/index.ts';
import { datasetRepository, readManifest } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { JobFailure } from '../job-kind.ts';
import type { AskedRows, TableRows } from './asked-rows.ts';
import { rowsOfSource } from './source-rows.ts';

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
