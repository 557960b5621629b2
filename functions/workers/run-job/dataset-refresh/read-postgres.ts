import type { PostgresSecrets } from '../../../../shared/data-sources/record.ts';
import { dataSourceRepository } from '../../../../shared/data-sources/repository.ts';
import type { DatasetSource } from '../../../../shared/datasets/source.ts';
import { connectPostgres } from '../../../../shared/sources/postgres-connection.ts';
import { extractToParquet } from '../../../../shared/sources/postgres-extract.ts';
import { JobFailure } from '../job-kind.ts';
import type { SourceRead, SourceRows } from './read-source.ts';
import { MOST_WORK_MS, type RefreshWorker } from './refresh-worker.ts';

const CONNECT_MS = 15_000;

/** Reads a table or a query of a database in one read-only transaction. */
export async function readPostgres(
  worker: RefreshWorker,
  read: SourceRead,
  source: Extract<DatasetSource, { kind: 'table' | 'query' }>,
): Promise<SourceRows> {
  const stored = await dataSourceRepository(worker.table).get(read.workspaceId, source.sourceId);
  if (stored?.type !== 'postgres') throw new JobFailure('NOT_FOUND', 'There is no such data source with tables.');
  const secrets = JSON.parse(
    await worker.secrets.open(stored.workspaceId, stored.sealedSecrets ?? ''),
  ) as PostgresSecrets;
  const connection = await connectPostgres(
    { ...stored.config, password: secrets.password },
    { guard: worker.guard, timeouts: { connectMs: CONNECT_MS, statementMs: MOST_WORK_MS } },
  );
  const stop = () => void connection.close();
  read.signal.addEventListener('abort', stop);
  try {
    const from =
      source.kind === 'query' ? { query: source.query } : { schema: source.schema ?? 'public', table: source.table };
    const extract = { from, ...(read.cursor ? { cursor: read.cursor } : {}) };
    return await read.withEngine((engine) => extractToParquet(engine, connection, extract, read.out));
  } finally {
    read.signal.removeEventListener('abort', stop);
    await connection.close();
  }
}
