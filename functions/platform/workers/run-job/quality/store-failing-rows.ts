import { rm } from 'node:fs/promises';
import type { CopyResult, Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { checkAuthorSql, failingRowsSql, reasonOf } from '../../../../../shared/data/quality/evaluate.ts';
import { prepareLoad } from '../../../../../shared/data/tables/prepare-load.ts';
import { storeFile } from '../../../../../shared/data/tables/write-files.ts';
import { grammarOf, type StoredTest, testCopy, testRepository } from '../../../../../shared/domains/quality/index.ts';
import { whyRefused } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import {
  type CommittedLoad,
  failingRowsName,
  findOrCreateDataset,
  listVersions,
  readManifest,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { commitRows, fileKey, scratchFile } from '../dataset-refresh/commit-rows.ts';
import { MAX_WORK_MS, type RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobFailure, JobStopped } from '../job-kind.ts';
import { withAllowedValues } from './allowed-values.ts';
import type { TableRows } from './asked-rows.ts';
import { attachTable } from './attach-table.ts';
import { leftUntil } from './deadline.ts';
import { movedTests } from './run-table.ts';
import { withTableRows } from './table-rows.ts';

const QUERY_MS = 5 * 60 * 1000;

interface Attempt {
  job: StoredJob;
  control: JobControl;
  testId: string;
  /** How many rows to store; the others are counted. */
  limit: number;
}

/** Replaces the rows of the dataset of a test by those that fail it now. */
export async function storeFailingRows(worker: RefreshWorker, attempt: Attempt): Promise<Record<string, unknown>> {
  const { job, control } = attempt;
  const deadline = performance.now() + MAX_WORK_MS;
  const path = scratchFile(worker);
  try {
    const turns = `failing-rows#${attempt.testId}`;
    const load = await commitRows(worker, { job, control, turns }, () => prepared(worker, attempt, { path, deadline }));
    return await resultOf(worker, job.workspaceId, load);
  } finally {
    await rm(path, { force: true });
  }
}

interface Place {
  /** Where the rows are written before they are stored. */
  path: string;
  deadline: number;
}

async function prepared(worker: RefreshWorker, attempt: Attempt, { path, deadline }: Place) {
  const { table, objects, cache } = worker;
  const { job, control, testId } = attempt;
  const { workspaceId } = job;
  const test = await testRepository(table).get(workspaceId, testId);
  if (!test) throw new JobStopped('cancelled');
  const moved = (await movedTests(worker, [test])).get(test.id);
  if (moved !== undefined) throw new JobFailure('TEST_MOVED', moved);
  const refused = await whyRefused(worker.copies, testCopy(test));
  if (refused !== undefined) throw new JobFailure('RLS_COPY', refused);
  const asked = { workspaceId, place: test, control, deadline };
  const { written, failedRows, tested } = await withTableRows(worker, asked, async (rows) => ({
    ...(await writeRows(worker, attempt, { test, rows, path, deadline })),
    tested: rows.datasetId === null ? undefined : { id: rows.datasetId, name: test.tableName },
  }));
  const made = {
    workspaceId,
    name: failingRowsName(test.tableName, testId),
    createdBy: job.trigger.actor,
    at: worker.now(),
  };
  const dataset = await findOrCreateDataset(table, made, tested);
  const manifest = await readManifest(table, objects, dataset);
  const content = await withEngine(worker, control, deadline, (engine) => {
    const nextKey = () => fileKey(job, dataset);
    const context = { engine, objects, cache, nextKey, scratchFile: () => scratchFile(worker) };
    const batch = {
      ...written,
      paths: async () => [path],
      store: async () => (written.rows === 0 ? [] : [await storeFile(context, path, written)]),
    };
    return prepareLoad(context, batch, manifest, { mode: 'overwrite' }, dataset.partitionBy);
  });
  const origin = { kind: 'quality_test', testId, jobId: job.id, failedRows } as const;
  return { dataset, mode: 'overwrite', ...content, origin } as const;
}

interface Found {
  written: CopyResult;
  failedRows: number;
}

/** Writes the first rows that fail to the path, and counts all. */
async function writeRows(
  worker: RefreshWorker,
  { job, control, limit }: Attempt,
  { test, rows, path, deadline }: Place & { test: StoredTest; rows: TableRows },
): Promise<Found> {
  const { workspaceId } = job;
  const grammar = await withAllowedValues(worker, { workspaceId, control, deadline }, grammarOf(test));
  if ('error' in grammar) throw new JobFailure('TEST_NOT_RUN', grammar.error);
  return withEngine(worker, control, deadline, async (engine) => {
    const attached = await attachTable(worker, engine, { rows, tests: [grammar], workspaceId, outputs: [path] });
    const context = { ...attached, now: new Date(job.createdAt), bindText: (sql: string) => ({ sql, params: [] }) };
    try {
      await checkAuthorSql(engine, grammar, context);
      const { sql, count, params } = failingRowsSql(grammar, context, limit);
      const [[failed] = []] = await engine.run(count, params);
      return { written: await engine.copyToParquet(sql, { params, path }), failedRows: Number(failed) };
    } catch (error) {
      throw new JobFailure('TEST_NOT_RUN', reasonOf(error), { cause: error });
    }
  });
}

/** What is left out follows from the version, so that a repetition reports the same. */
async function resultOf(worker: RefreshWorker, workspaceId: string, load: CommittedLoad) {
  const { datasetId, version, rowsLoaded: rows } = load;
  const versions = await listVersions(worker.table, workspaceId, datasetId);
  const origin = versions.find((each) => each.version === version)?.origin;
  const leftOut = origin?.kind === 'quality_test' ? origin.failedRows - rows : null;
  return { datasetId, version, rows, leftOut };
}

function withEngine<T>(
  worker: RefreshWorker,
  { signal, die }: JobControl,
  deadline: number,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const end = () => die({ code: 'OUT_OF_MEMORY', message: 'The test exceeded its time or memory limit.' });
  const timeoutMs = leftUntil(deadline, QUERY_MS);
  return withGuardedEngine(worker.engineResources, { timeoutMs, signal, die: end }, work);
}
