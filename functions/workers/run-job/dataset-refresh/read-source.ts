import { uploadKey } from '../../../../shared/data-sources/record.ts';
import { dataSourceRepository } from '../../../../shared/data-sources/repository.ts';
import { listAllDatasets } from '../../../../shared/datasets/list-all.ts';
import { readManifest } from '../../../../shared/datasets/manifests.ts';
import type { DatasetSource } from '../../../../shared/datasets/source.ts';
import type { CopyResult, Engine } from '../../../../shared/engine/engine.ts';
import { formatOfPath } from '../../../../shared/files/format-of-path.ts';
import { extractFileToParquet } from '../../../../shared/sources/file-extract.ts';
import type { Cursor, Watermark } from '../../../../shared/sources/incremental.ts';
import { checkSelect } from '../../../../shared/sql/select-gate.ts';
import { JobFailure } from '../job-kind.ts';
import { readPostgres } from './read-postgres.ts';
import type { RefreshWorker } from './refresh-worker.ts';

export type SourceRows = CopyResult & { watermark?: Watermark };

export interface SourceRead {
  workspaceId: string;
  source: DatasetSource;
  cursor: Cursor | undefined;
  /** Where the rows go: a Parquet file on the scratch disk. */
  out: string;
  signal: AbortSignal;
  /** Runs work with an engine of its own, within the limits of the job. */
  withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

/** Reads the rows of a dataset's source, or with a cursor those that are new. Throws what the dataset's author can mend. */
export function readSource(worker: RefreshWorker, read: SourceRead): Promise<SourceRows> {
  const { source } = read;
  switch (source.kind) {
    case 'file':
      return readFile(worker, read, source);
    case 'table':
    case 'query':
      return readPostgres(worker, read, source);
    case 'datasets':
      return readDatasets(worker, read, source);
  }
}

type Of<K extends DatasetSource['kind']> = Extract<DatasetSource, { kind: K }>;

async function readFile(worker: RefreshWorker, read: SourceRead, source: Of<'file'>): Promise<SourceRows> {
  const stored = await dataSourceRepository(worker.table).get(read.workspaceId, source.sourceId);
  if (stored?.type !== 'file') throw new JobFailure('NOT_FOUND', 'There is no such data source of type file.');
  const { path, format = formatOfPath(path), options } = source;
  const key = uploadKey(read.workspaceId, source.sourceId, path);
  const found = await worker.objects.find(key);
  if (!found) throw new JobFailure('NOT_FOUND', `The data source has no file ${path}.`);
  if (found.sizeBytes > worker.cache.maxBytes) {
    throw new JobFailure('FILE_TOO_LARGE', `The file has ${found.sizeBytes} bytes; ${worker.cache.maxBytes} fit.`);
  }
  const local = await worker.cache.fetch({ key, etag: found.etag });
  return read.withEngine((engine) =>
    extractFileToParquet(
      engine,
      { path: local, format, ...(options ? { options } : {}), ...(read.cursor ? { cursor: read.cursor } : {}) },
      read.out,
    ),
  );
}

/** Runs the author's SELECT in an instance that can reach nothing but the datasets that it names. */
async function readDatasets(worker: RefreshWorker, read: SourceRead, { sql }: Of<'datasets'>): Promise<SourceRows> {
  const datasets = new Map((await listAllDatasets(worker.table, read.workspaceId)).map((each) => [each.name, each]));
  const all = read.cursor ? `${read.out}.all` : read.out;
  const written = await read.withEngine(async (engine) => {
    const checked = await checkSelect(engine, sql, { tables: [...datasets.keys()] });
    for (const name of checked.tables) {
      const dataset = datasets.get(name)!;
      const manifest = await readManifest(worker.table, worker.objects, dataset);
      const paths = await worker.cache.fetchAll(manifest?.files ?? []);
      await engine.attach(name, paths, { emptySchema: manifest?.columns ?? dataset.columns });
    }
    await engine.lock([all]);
    return engine.copyToParquet(checked.sql, { path: all });
  });
  const { cursor } = read;
  if (!cursor) return written;
  return read.withEngine((engine) => extractFileToParquet(engine, { path: all, format: 'parquet', cursor }, read.out));
}
