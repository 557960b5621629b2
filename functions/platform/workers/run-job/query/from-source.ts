import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveEnd, TakeRows } from '../../../../../shared/data/connectors/connection/connector.ts';
import { checkSourceSelect } from '../../../../../shared/data/connectors/source-check.ts';
import { wireToParquet } from '../../../../../shared/data/duckdb/wire-parquet.ts';
import {
  checkedStatement,
  connectionOpener,
  findLiveSource,
  type LiveSource,
  statementError,
} from '../../../../../shared/domains/semantics/queries/index.ts';
import { JobFailure } from '../job-kind.ts';
import { pageWriter } from './page-writer.ts';
import type { QueryAttempt, QueryOutcome, QueryWorker } from './query-worker.ts';

const CONNECT_MS = 15_000;
/** Many times the size of one batch, because the length of rows is not known in advance. */
const BATCH_BYTES = 256 * 1024 ** 2;
/** Reserved for creating a file of at most a million rows. */
const FILE_MS = 2 * 60 * 1000;

/**
 * Stores the rows that a database returns. They are read in batches, so that the database never sends more than needed.
 */
export async function querySource(worker: QueryWorker, attempt: QueryAttempt, sourceId: string): Promise<QueryOutcome> {
  const { job, keys, control } = attempt;
  const source = await findLiveSource(worker.sources, job.workspaceId, sourceId);
  const rowsPath = join(worker.engineResources.tempDir, `${randomUUID()}.ndjson`);
  const lines = await open(rowsPath, 'wx');
  try {
    const pages = pageWriter(worker.objects, keys, (rows) => control.progress({ rows }));
    const outcome = await runOnServer(worker, attempt, source, async (rows) => {
      await pages.add(rows);
      if (rows.length > 0) await lines.write(`${rows.join('\n')}\n`);
    });
    if (outcome.columns.length === 0) throw new JobFailure('SQL_ERROR', 'The statement returns no columns.');
    const pageCount = await pages.finish();
    const file = await attempt.withEngine(FILE_MS, async (engine) => {
      const path = engine.temporaryPath('parquet');
      const written = await wireToParquet(engine, rowsPath, outcome.columns, path);
      await worker.objects.upload(keys.file, path);
      return written;
    });
    return {
      ...outcome,
      warnings: [...outcome.warnings, ...(file.isLossy ? ['NOT_IN_PARQUET_AS_NULL'] : [])],
      pages: pageCount,
      fileBytes: file.bytes,
    };
  } finally {
    await lines.close();
    await rm(rowsPath, { force: true });
  }
}

/** Also cancels the statement on the server when the job is cancelled. */
async function runOnServer(
  worker: QueryWorker,
  { command, control: { signal } }: QueryAttempt,
  source: LiveSource,
  take: TakeRows,
): Promise<LiveEnd> {
  const { limit, timezone, timeoutMs } = command;
  const { sql, values: params } = await checkedStatement(checkSourceSelect, source.type, command);
  const timeouts = { connectMs: CONNECT_MS, statementMs: timeoutMs };
  const connection = await (await connectionOpener(worker, source, () => timeouts))();
  const stop = () => void connection.stop();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    return await connection.query(sql, { params, limit, timezone, timeoutMs, batchBytes: BATCH_BYTES }, take);
  } catch (cause) {
    throw statementError(cause);
  } finally {
    signal.removeEventListener('abort', stop);
    await connection.close();
  }
}
