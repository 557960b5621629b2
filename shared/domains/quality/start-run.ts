import { AppError } from '../../platform/errors/app-error.ts';
import { activeJob, type JobContext, startJob } from '../../platform/jobs/jobs.ts';
import type { StoredJob } from '../../platform/jobs/record.ts';
import { idFrom } from '../../platform/storage/ids.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { Dataset } from '../datasets/index.ts';
import { DATASETS } from '../models/index.ts';
import { ALL_TESTS, isRun, manualTrigger, QUALITY_JOB, type RunInput } from './run-input.ts';
import { tableKey } from './table.ts';
import { listTests, testRepository } from './test-repository.ts';

interface Started {
  id: string;
  workspaceId: string;
  userId: string;
}

/** Starts the job that runs one test, or every active test; returns the one that is running already, if any. */
export async function startRun(
  context: JobContext,
  { id, workspaceId, userId }: Started,
  input: Extract<RunInput, { scope: 'test' | 'all' }>,
): Promise<StoredJob> {
  const subjectId = input.scope === 'test' ? input.testId : ALL_TESTS;
  const job = { id, workspaceId, kind: QUALITY_JOB, subjectId, trigger: manualTrigger(userId), input };
  for (;;) {
    try {
      return await startJob(context, job, 'JOB_ACTIVE');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'JOB_ACTIVE') throw error;
      const active = await activeJob(context, job);
      if (active) return active;
    }
  }
}

/** Starts the tests of a dataset that run after each version. Returns false while another job of them is active. */
export async function startRunAfterSync(table: Table, context: JobContext, dataset: Dataset): Promise<boolean> {
  const { workspaceId, name: tableName, version } = dataset;
  const key = tableKey({ sourceId: DATASETS, schemaName: '', tableName });
  const input: RunInput = { scope: 'sync', tableKey: key, version };
  const tests = await listTests(testRepository(table), workspaceId, (test) => isRun(input, test));
  if (tests.length === 0) return true;
  const id = idFrom('job', QUALITY_JOB, key, 'version', version, dataset.id);
  const trigger = { kind: 'schedule', scheduledAt: dataset.loadedAt, actor: null } as const;
  try {
    await startJob(context, { id, workspaceId, kind: QUALITY_JOB, subjectId: key, trigger, input }, 'JOB_ACTIVE');
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'JOB_ACTIVE') return false;
    throw error;
  }
}
