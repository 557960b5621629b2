import { AppError } from '../../../platform/errors/app-error.ts';
import { activeJob, type JobContext, startJob } from '../../../platform/jobs/jobs.ts';
import type { StoredJob } from '../../../platform/jobs/record.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import { tableKey } from '../table.ts';
import { listTests, testRepository } from '../tests/repository.ts';
import { ALL_TESTS, type FailingRowsInput, isRun, manualTrigger, QUALITY_JOB, type RunInput } from './input.ts';

interface Started {
  id: string;
  workspaceId: string;
  userId: string;
}

/** Starts the job of one test, or of every active test; returns the one that is running already, if any. */
export async function startRun(
  context: JobContext,
  { id, workspaceId, userId }: Started,
  input: Extract<RunInput, { scope: 'test' | 'all' }> | FailingRowsInput,
): Promise<StoredJob> {
  const trigger = manualTrigger(userId);
  const job = { id, workspaceId, kind: QUALITY_JOB, subjectId: subjectOf(input), trigger, input: { ...input } };
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

function subjectOf(input: Extract<RunInput, { scope: 'test' | 'all' }> | FailingRowsInput): string {
  if (input.scope === 'all') return ALL_TESTS;
  return input.scope === 'test' ? input.testId : idFrom('failing-rows', input.testId);
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
