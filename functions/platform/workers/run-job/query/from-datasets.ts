import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import { storedColumns } from '../../../../../shared/data/duckdb/storage-types.ts';
import { checkSelect } from '../../../../../shared/data/sql/select-check.ts';
import type { TableInput } from '../../../../../shared/domains/engine/index.ts';
import {
  attachTable,
  filesOf,
  mentionedDatasets,
  neededFiles,
  QUERY_JOB_LIMITS,
  tablesOf,
} from '../../../../../shared/domains/semantics/queries/index.ts';
import { JobFailure } from '../job-kind.ts';
import { pageWriter } from './page-writer.ts';
import { type QueryAttempt, type QueryOutcome, type QueryWorker, TOO_HEAVY } from './query-worker.ts';

/** Runs a statement over the current datasets and stores its rows. */
export function queryDatasets(worker: QueryWorker, attempt: QueryAttempt): Promise<QueryOutcome> {
  return attempt.withEngine(attempt.command.timeoutMs, (engine) => answer(worker, attempt, engine));
}

const ROWS = 'temp.main.result';

async function answer(
  worker: QueryWorker,
  { job, command, keys, control }: QueryAttempt,
  engine: Engine,
): Promise<QueryOutcome> {
  const datasets = await mentionedDatasets(worker, { ...command, workspaceId: job.workspaceId });
  const checked = await checkSelect(engine, command.sql, { tables: datasets.map(({ name }) => name) });
  await attach(worker, engine, neededFiles(checked, await tablesOf(worker, datasets, command), command));
  const path = engine.temporaryPath('parquet');
  await engine.run(`SET TimeZone = ${quoteLiteral(command.timezone)}`);
  await engine.lock([path]);

  const { limit, params } = command;
  const { columns, types } = await engine.keep(ROWS, checked.sql, { params, limit: limit + 1 });
  const [[kept] = []] = await engine.run(`SELECT count(*) FROM ${ROWS}`);
  const rowCount = Math.min(Number(kept), limit);
  const rows = `SELECT * FROM ${ROWS} LIMIT ${rowCount}`;
  const pages = pageWriter(worker.objects, keys, (written) =>
    control.progress({ rows: written, percent: Math.round((written / Math.max(rowCount, 1)) * 90) }),
  );
  const { batches } = await engine.rowTexts(rows, { limit: QUERY_JOB_LIMITS.rows, shape: 'array' });
  let isLossy = false;
  for await (const batch of batches) {
    isLossy ||= batch.lossy;
    await pages.add(batch.rows);
  }
  const pageCount = await pages.finish();
  const file = await engine.copyToParquet(`SELECT ${storedColumns(columns, types)} FROM (${rows})`, { path });
  await worker.objects.upload(keys.file, path);
  return {
    columns,
    rowCount,
    truncated: Number(kept) > limit,
    warnings: isLossy ? ['NON_FINITE_AS_NULL'] : [],
    pages: pageCount,
    fileBytes: file.bytes,
  };
}

async function attach(worker: QueryWorker, engine: Engine, tables: readonly TableInput[]): Promise<void> {
  const files = tables.flatMap(filesOf);
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (bytes > worker.cache.maxBytes) {
    const limitMb = Math.floor(worker.cache.maxBytes / 1024 ** 2);
    throw new JobFailure(TOO_HEAVY.code, `The query reads more than ${limitMb} MB of files, which is the limit.`);
  }
  const paths = await worker.cache.fetchAll(files);
  const copies = new Map(files.map(({ key }, index) => [key, paths[index]!]));
  const pathOf = (key: string) => copies.get(key)!;
  for (const table of tables) {
    await attachTable(
      engine,
      table,
      table.files.map(({ key }) => pathOf(key)),
      pathOf,
    );
  }
}
