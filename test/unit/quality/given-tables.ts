import { datasetRefresh } from '../../../functions/platform/workers/run-job/dataset-refresh/dataset-refresh.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import type { StoredTest } from '../../../shared/domains/quality/tests/records.ts';
import { testRepository } from '../../../shared/domains/quality/tests/repository.ts';
import { DATASETS } from '../../../shared/domains/semantics/models/index.ts';
import { emptyDataset } from '../../../shared/domains/warehouse/datasets/record.ts';
import { refreshJob } from '../../../shared/domains/warehouse/datasets/refresh-job.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import type { RunSetup } from '../pipelines/run-setup.ts';
import { WorkedJobs } from '../platform/jobs/worked-jobs.ts';

export type Place = Pick<StoredTest, 'sourceId' | 'schemaName' | 'tableName'>;

/** A dataset of a file: four rows, of which two have a negative amount, unless other rows are given. */
export async function givenOrders(
  setup: RunSetup,
  name = 'orders',
  csv = 'id,amount\n1,-2\n2,-1\n3,0\n4,1\n',
): Promise<Place> {
  const { workspaceId } = setup;
  const sourceId = await setup.fileSource({ 'orders.csv': csv });
  const made = emptyDataset({ id: newId(), workspaceId, name, createdBy: null, at: setup.context.now() });
  const source = { kind: 'file', sourceId, path: 'orders.csv' } as const;
  const dataset = await datasetRepository(setup.context.table).create({ ...made, source });
  const refreshes = new WorkedJobs(setup, datasetRefresh);
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = await startJob(refreshes.workerOf(), refreshJob(newId(), dataset, trigger), 'DATASET_REFRESHING');
  const { status } = await refreshes.seeThrough(job);
  if (status !== 'succeeded') throw new Error(`the refresh ${status}`);
  return { sourceId: DATASETS, schemaName: '', tableName: name };
}

/** A table of a database, whose rows are read as they are. */
export async function givenDatabaseTable(setup: RunSetup, server: TestPostgres, tableName: string): Promise<Place> {
  const { host, port, database, user, password } = server;
  const sourceId = await setup.source('postgres', { host, port, database, user, ssl: false }, { password });
  return { sourceId, schemaName: 'public', tableName };
}

/** A test that the rows with a negative amount fail, unless the body says otherwise. */
export function givenTest(setup: RunSetup, place: Place, body: Partial<StoredTest> = {}): Promise<StoredTest> {
  const { workspaceId, context } = setup;
  return testRepository(context.table).create(testOf(workspaceId, place, context.now(), body));
}

export function testOf(workspaceId: string, place: Place, now: Date, body: Partial<StoredTest> = {}): StoredTest {
  const id = newId();
  const at = now.toISOString();
  return {
    ...{ id, workspaceId, name: id, description: '', testType: 'no_negative', config: {} },
    ...{ targetType: 'source_table', ...place, tableKey: tableKey(place), columnName: 'amount', severity: 'medium' },
    ...{ modelId: null, tableId: null, fieldId: null, schedule: null, runOnSync: false, isActive: true },
    ...{ createdBy: 'ada', updatedBy: 'ada', createdAt: at, updatedAt: at, revision: 1 },
    ...body,
  };
}
