import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { bytesOf, type DataFile } from '../../../../../shared/data/tables/data-file.ts';
import { nameOfTable, type StoredScan } from '../../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../../shared/domains/semantics/models/index.ts';
import type { DatasetSource } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { readSource } from '../dataset-refresh/read-source.ts';
import { JobFailure } from '../job-kind.ts';
import type { ScanWorker } from './scan-worker.ts';

export interface ScannedTable {
  /** Null for tables of data sources, like the version. */
  datasetId: string | null;
  datasetVersion: number | null;
  /** Rows that are not among the files, because the table is larger than the disk. */
  skippedRows: number;
  /** How much of the cache of objects its files take. */
  bytes: number;
  /** Makes the rows readable as the table of this name. */
  attach(engine: Engine, name: string): Promise<void>;
  /** Removes what was written to the disk. */
  close(): Promise<void>;
}

export interface ScanReading {
  signal: AbortSignal;
  withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

/** Returns the rows of a scanned table as local files. If there are none, throws a failure that names the reason. */
export function openTable(worker: ScanWorker, scan: StoredScan, reading: ScanReading): Promise<ScannedTable> {
  return scan.sourceId === DATASETS ? openDataset(worker, scan) : openSourceTable(worker, scan, reading);
}

async function openDataset(worker: ScanWorker, { workspaceId, tableName }: StoredScan): Promise<ScannedTable> {
  const dataset = await worker.datasets.find(workspaceId, tableName);
  if (!dataset) throw new JobFailure('NOT_FOUND', `The dataset ${tableName} no longer exists.`);
  const manifest = await worker.manifest(dataset);
  const all = manifest?.files ?? [];
  const files = evenly(all, worker.cache.maxBytes);
  const paths = await worker.cache.fetchAll(files);
  const rowsOf = (some: readonly DataFile[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  return {
    datasetId: dataset.id,
    datasetVersion: dataset.version,
    skippedRows: rowsOf(all) - rowsOf(files),
    bytes: bytesOf(files),
    attach: (engine, name) => engine.attach(name, paths, { emptySchema: manifest?.columns ?? dataset.columns }),
    close: async () => undefined,
  };
}

/** As many files as fit, spread over the whole table, because files often follow time. */
function evenly(files: readonly DataFile[], maxBytes: number): DataFile[] {
  const bytes = bytesOf(files);
  if (bytes <= maxBytes) return [...files];
  const every = Math.ceil((1.2 * bytes) / maxBytes);
  const chosen = files.filter((_, index) => index % every === 0);
  while (bytesOf(chosen) > maxBytes) chosen.pop();
  if (chosen.length === 0)
    throw new JobFailure('TOO_LARGE', 'A file of the dataset is larger than the disk of a scan.');
  return chosen;
}

async function openSourceTable(worker: ScanWorker, scan: StoredScan, reading: ScanReading): Promise<ScannedTable> {
  const { workspaceId, sourceId, schemaName, tableName } = scan;
  const stored = await worker.sources.get(workspaceId, sourceId);
  if (!stored) throw new JobFailure('NOT_FOUND', `The data source of ${nameOfTable(scan)} no longer exists.`);
  const isFile = stored.type === 'file' || stored.type === 's3';
  const source: DatasetSource = isFile
    ? { kind: 'file', sourceId, path: tableName }
    : { kind: 'table', sourceId, table: tableName, ...(schemaName === '' ? {} : { schema: schemaName }) };
  const out = join(worker.engineResources.tempDir, `${randomUUID()}.parquet`);
  const close = () => rm(out, { force: true });
  try {
    await readSource(worker, { workspaceId, source, cursor: undefined, columns: [], out, ...reading });
  } catch (error) {
    await close();
    throw error;
  }
  const attach: ScannedTable['attach'] = (engine, name) => engine.attach(name, [out]);
  return { datasetId: null, datasetVersion: null, skippedRows: 0, bytes: 0, attach, close };
}
