import {
  type FailingRowsInput,
  grammarOf,
  isProtected,
  nameOfTable,
  referencedBy,
  type StoredTest,
  startRun,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import { failingRowsName } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Name } from '../../../../shared/platform/http/schemas.ts';
import type { JobContext } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, showJob } from '../../../../shared/platform/jobs/record.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { hasShape } from '../../../../shared/platform/validation/shape-issues.ts';
import type { TestDeps } from '../use-cases/context.ts';
import { findTest } from './find-test.ts';

interface Deps extends Pick<TestDeps, 'tests'> {
  table: Table;
  jobs: JobContext;
}

/**
 * Starts a job that stores the rows that fail a test as a dataset. Policies and labels of the tested dataset go for
 * that one too, because its name says where the rows are from. Throws `QUALITY_ROWS_NOT_STORED` if that would show what
 * they hide.
 */
export async function storeFailingRows(
  deps: Deps,
  { id, principal, jobId, limit }: { id: string; principal: Principal; jobId: string; limit: number },
): Promise<Job> {
  const { workspaceId, userId } = principal;
  const test = await findTest(deps, { workspaceId, id });
  const detail = await obstacle(deps, test);
  if (detail !== undefined) throw new AppError('QUALITY_ROWS_NOT_STORED', { detail });
  const input: FailingRowsInput = { scope: 'rows', testId: id, limit };
  return showJob(await startRun(deps.jobs, { id: jobId, workspaceId, userId }, input));
}

async function obstacle(deps: Deps, test: StoredTest): Promise<string | undefined> {
  const { workspaceId, sourceId, tableName, testType } = test;
  const isHidden = (table: Pick<StoredTest, 'sourceId' | 'tableName'>) => isProtected(deps, { workspaceId, ...table });
  if (testType === 'row_count') return 'A test of type row_count checks the whole table, and no single rows.';
  if (!hasShape(Name, failingRowsName(tableName, test.id))) return 'The name of the table is too long for the dataset.';
  // Policies name columns of datasets: they go neither for the columns of a statement nor for copies of other tables.
  if ((testType === 'custom_sql' || sourceId !== DATASETS) && (await isHidden({ sourceId, tableName }))) {
    return `Row-level security or sensitivity labels protect ${nameOfTable(test)}, and would not protect these rows.`;
  }
  for (const name of referencedBy(grammarOf(test))) {
    if (!(await isHidden({ sourceId: DATASETS, tableName: name }))) continue;
    return `Row-level security or sensitivity labels protect ${name}, and the rows would show which values it has.`;
  }
  return undefined;
}
