import {
  grammarOf,
  listRuns,
  QUALITY_JOB,
  referencedBy,
  runIdOf,
  type StoredRun,
  type StoredTest,
  seesAll,
  startRun,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import { isActive, type Job, type StoredJob, showJob } from '../../../../shared/platform/jobs/record.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { findTest } from '../tests/find-test.ts';
import type { Named, TestDeps } from '../use-cases/context.ts';
import type { QualityRun } from './schemas.ts';

interface Deps extends Pick<TestDeps, 'tests' | 'rights' | 'datasets' | 'now'> {
  table: Table;
  jobs: JobContext;
  pause(ms: number): Promise<void>;
}

/** The gateway waits 29 seconds in total. */
const MAX_WAIT_MS = 20_000;
const CHECK_EVERY_MS = 200;

interface Asked {
  id: string;
  principal: Principal;
}

/** Runs the test now, and waits for the result for a while. */
export async function runTest(deps: Deps, { id, principal, jobId }: Asked & { jobId: string }): Promise<QualityRun> {
  const { workspaceId, userId } = principal;
  const test = await findTest(deps, { workspaceId, id });
  const started = await startRun(deps.jobs, { id: jobId, workspaceId, userId }, { scope: 'test', testId: id });
  const job = await ended(deps, started);
  const [run] = (await listRuns(deps.table, { workspaceId, testId: id, limit: 5 })).filter(
    (each) => each.id === runIdOf(job.id, id),
  );
  if (!run) return unfinished(test, job);
  return (await showRuns(deps, { principal, test, runs: [run] }))[0]!;
}

async function ended(deps: Deps, started: StoredJob): Promise<StoredJob> {
  const until = performance.now() + MAX_WAIT_MS;
  let job = started;
  while (isActive(job) && performance.now() < until) {
    await deps.pause(CHECK_EVERY_MS);
    job = (await deps.jobs.jobs.get(job.workspaceId, job.id)) ?? job;
  }
  return job;
}

/** A run that goes on, or whose workers have crashed. */
function unfinished({ id: testId }: StoredTest, job: StoredJob): QualityRun {
  return {
    id: runIdOf(job.id, testId),
    testId,
    status: isActive(job) ? 'running' : 'error',
    evaluatedRows: null,
    failedRows: null,
    passRate: null,
    message: job.error?.message ?? null,
    sql: null,
    ranIn: null,
    trigger: 'manual',
    datasetVersion: null,
    startedAt: job.startedAt ?? job.createdAt,
    ms: 0,
    sample: null,
  };
}

export async function listTestRuns(
  deps: Deps,
  { id, principal, limit }: Asked & { limit: number },
): Promise<{ items: QualityRun[] }> {
  const { workspaceId } = principal;
  const test = await findTest(deps, { workspaceId, id });
  const runs = await listRuns(deps.table, { workspaceId, testId: id, limit });
  return { items: await showRuns(deps, { principal, test, runs }) };
}

/** Samples are rows of the table that the run has read, whose rights are checked only if the test still reads it. */
async function showRuns(
  deps: Deps,
  { principal, test, runs }: { principal: Principal; test: StoredTest; runs: readonly StoredRun[] },
): Promise<QualityRun[]> {
  const references = referencedBy(grammarOf(test));
  const isReader = isPermitted('query:run', principal) && (await seesAll(deps.rights, principal, test, references));
  const current = isReader ? await currentDataset(deps, test) : null;
  return runs.map(({ tableKey, datasetId, ...run }) => {
    const isSameTable = tableKey === test.tableKey && datasetId === current;
    return { ...run, ...(isReader && isSameTable ? {} : { sample: null }) };
  });
}

/** The id of the dataset that the test reads now; null for a table of a data source. */
async function currentDataset({ datasets }: Deps, { workspaceId, sourceId, tableName }: StoredTest) {
  if (sourceId !== DATASETS) return null;
  return (await datasets.find(workspaceId, tableName))?.id ?? null;
}

/** Starts a job with every active test. */
export async function runAllTests(
  deps: Deps,
  { principal: { workspaceId, userId }, jobId }: Pick<Asked, 'principal'> & { jobId: string },
): Promise<Job> {
  return showJob(await startRun(deps.jobs, { id: jobId, workspaceId, userId }, { scope: 'all' }));
}

export async function getJob(deps: Deps, { workspaceId, id }: Named): Promise<Job> {
  const job = await deps.jobs.jobs.get(workspaceId, id);
  if (job?.kind !== QUALITY_JOB) throw new AppError('QUALITY_JOB_NOT_FOUND');
  return showJob(job);
}
