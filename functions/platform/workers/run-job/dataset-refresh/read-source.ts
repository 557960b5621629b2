import { extractFileToParquet, writeNoRows } from '../../../../../shared/data/connectors/extract/file-extract.ts';
import type { Cursor } from '../../../../../shared/data/connectors/extract/incremental.ts';
import { extractSource } from '../../../../../shared/data/connectors/extract-source.ts';
import type { ExtractResult } from '../../../../../shared/data/connectors/rows/text-rows.ts';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { CopyResult, Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { NoRecords } from '../../../../../shared/data/files/file-format.ts';
import { checkSelect } from '../../../../../shared/data/sql/select-check.ts';
import {
  type DatasetSource,
  listAllDatasets,
  readManifest,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository, unseal, uploadKey } from '../../../../../shared/domains/warehouse/sources/index.ts';
import { webhookSchemes } from '../../../../../shared/platform/net/guard-from-environment.ts';
import { JobFailure } from '../job-kind.ts';
import { MAX_WORK_MS, type RefreshWorker } from './refresh-worker.ts';

const CONNECT_MS = 15_000;

export type SourceRows = CopyResult &
  Pick<ExtractResult, 'watermark' | 'rejected'> &
  Partial<Pick<ExtractResult, 'changes'>>;

export interface SourceRead {
  workspaceId: string;
  source: DatasetSource;
  cursor: Cursor | undefined;
  /** Columns of the dataset, used when the source returns no records. */
  columns: readonly Column[];
  /** The file for the rows: Parquet on the scratch disk. */
  out: string;
  signal: AbortSignal;
  /** Runs work with an engine within the limits of the job. */
  withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
}

/**
 * Reads the rows of a dataset's source; with a cursor, only the new ones. Throws errors that the author of the dataset
 * can correct.
 */
export function readSource(worker: RefreshWorker, read: SourceRead): Promise<SourceRows> {
  const { source } = read;
  switch (source.kind) {
    case 'file':
    case 'table':
    case 'query':
      return readOutside(worker, read, source);
    case 'datasets':
      return readDatasets(worker, read, source);
  }
}

type Of<K extends DatasetSource['kind']> = Extract<DatasetSource, { kind: K }>;

/** Reads a file, a table, an endpoint or a query of a data source. */
async function readOutside(
  worker: RefreshWorker,
  read: SourceRead,
  source: Of<'file' | 'table' | 'query'>,
): Promise<SourceRows> {
  const stored = await dataSourceRepository(worker.table).get(read.workspaceId, source.sourceId);
  if (!stored) throw new JobFailure('NOT_FOUND', 'The data source does not exist.');
  const settings = await unseal(worker.secrets, stored);
  const options = {
    guard: worker.guard,
    schemes: webhookSchemes(),
    ownBucket: worker.ownBucket,
    timeouts: { connectMs: CONNECT_MS, statementMs: MAX_WORK_MS },
  };
  const { kind: _kind, sourceId: _sourceId, acceptNullColumns: _accepted, ...object } = source;
  const upload = (path: string) => fetchUpload(worker, read.workspaceId, source.sourceId, path);
  return read.withEngine((engine) =>
    extractSource(
      { engine, options, upload },
      settings,
      {
        object,
        signal: read.signal,
        maxBytes: worker.limits.bytes,
        ...(read.cursor ? { cursor: read.cursor } : {}),
      },
      read.out,
    ).catch((error) => {
      if (!(error instanceof NoRecords) || read.columns.length === 0) throw error;
      return writeNoRows(engine, read.columns, read.out);
    }),
  );
}

async function fetchUpload(worker: RefreshWorker, workspaceId: string, sourceId: string, path: string) {
  const key = uploadKey(workspaceId, sourceId, path);
  const found = await worker.objects.find(key);
  if (!found) throw new JobFailure('NOT_FOUND', `The data source has no file ${path}.`);
  if (found.sizeBytes > worker.cache.maxBytes) {
    throw new JobFailure(
      'FILE_TOO_LARGE',
      `The file has ${found.sizeBytes} bytes; the limit is ${worker.cache.maxBytes}.`,
    );
  }
  return worker.cache.fetch({ key, ...found });
}

/** Runs the author's SELECT in an engine that can reach only the datasets that it names. */
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
