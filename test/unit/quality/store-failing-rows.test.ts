import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { datasetRefresh } from '../../../functions/workers/data/run-job/dataset-refresh/dataset-refresh.ts';
import { qualityRun } from '../../../functions/workers/data/run-job/quality/quality-run.ts';
import { failingRowsName } from '../../../shared/domains/datasets/index.ts';
import { emptyDataset } from '../../../shared/domains/datasets/record.ts';
import { refreshJob } from '../../../shared/domains/datasets/refresh-job.ts';
import { datasetRepository } from '../../../shared/domains/datasets/repository.ts';
import { DATASETS } from '../../../shared/domains/models/index.ts';
import { startRun } from '../../../shared/domains/quality/index.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import type { StoredTest } from '../../../shared/domains/quality/test-records.ts';
import { testRepository } from '../../../shared/domains/quality/test-repository.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { WorkedJobs } from '../jobs/worked-jobs.ts';
import { RunSetup } from '../pipelines/run-setup.ts';
import { usePostgres } from '../sources/use-postgres.ts';

const under = usePostgres();
let setup: RunSetup;
let jobs: WorkedJobs;
beforeAll(async () => {
  setup = await RunSetup.open();
  jobs = new WorkedJobs(setup, qualityRun);
  await under.postgres.run('CREATE TABLE orders AS SELECT i AS id, i - 3 AS amount FROM generate_series(1, 4) i');
});
afterAll(() => setup.close());

type Place = Pick<StoredTest, 'sourceId' | 'schemaName' | 'tableName'>;

/** Four rows, of which two have a negative amount. */
async function givenDataset(): Promise<Place> {
  const id = newId();
  const { workspaceId } = setup;
  const sourceId = await setup.fileSource({ 'orders.csv': 'id,amount\n1,-2\n2,-1\n3,0\n4,1\n' });
  const made = emptyDataset({ id, workspaceId, name: 'orders', createdBy: null, at: setup.context.now() });
  const source = { kind: 'file', sourceId, path: 'orders.csv' } as const;
  const dataset = await datasetRepository(setup.context.table).create({ ...made, source });
  const refreshes = new WorkedJobs(setup, datasetRefresh);
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = await startJob(refreshes.workerOf(), refreshJob(newId(), dataset, trigger), 'DATASET_REFRESHING');
  expect(await refreshes.seeThrough(job)).toMatchObject({ status: 'succeeded' });
  return { sourceId: DATASETS, schemaName: '', tableName: 'orders' };
}

async function givenSource(): Promise<Place> {
  const { host, port, database, user, password } = under.postgres;
  const sourceId = await setup.source('postgres', { host, port, database, user, ssl: false }, { password });
  return { sourceId, schemaName: 'public', tableName: 'orders' };
}

/** A test that the rows with a negative amount fail. */
function givenTest(place: Place): Promise<StoredTest> {
  const id = newId();
  const at = setup.context.now().toISOString();
  return testRepository(setup.context.table).create({
    ...{ id, workspaceId: setup.workspaceId, name: id, description: '', testType: 'no_negative', config: {} },
    ...{ targetType: 'source_table', ...place, tableKey: tableKey(place), columnName: 'amount', severity: 'medium' },
    ...{ modelId: null, tableId: null, fieldId: null, schedule: null, runOnSync: false, isActive: true },
    ...{ createdBy: 'ada', updatedBy: 'ada', createdAt: at, updatedAt: at, revision: 1 },
  });
}

describe('the job that stores the rows that fail a test', () => {
  it.each(['a dataset', 'a table of a database'])(
    'stores those of %s once, whichever write its worker dies at',
    async (kind) => {
      const place = await (kind === 'a dataset' ? givenDataset() : givenSource());
      let trials = 0;
      for (let dies = true, write = 0; dies; write++) {
        for (const when of kind === 'a dataset' ? (['before', 'after'] as const) : (['after'] as const)) {
          const test = await givenTest(place);
          const name = failingRowsName(place.tableName, test.id);
          const stored = () => datasetRepository(setup.context.table).find(setup.workspaceId, name);
          const started = { id: newId(), workspaceId: setup.workspaceId, userId: 'ada' };
          const job = await startRun(jobs.workerOf(), started, { scope: 'rows', testId: test.id, limit: 10 });
          let writes = 0;
          dies = false;
          setup.crash = () => {
            if (dies || writes++ < write) return undefined;
            dies = true;
            return when;
          };
          await jobs.drain();
          setup.crash = () => undefined;
          // Readers never see a part.
          expect([0, 2]).toContain((await stored())?.rowCount ?? 0);
          const result = { version: 1, rows: 2, leftOut: 0 };
          expect(await jobs.seeThrough(job), `${when} ${write}`).toMatchObject({ status: 'succeeded', result });
          // A message that arrives again changes nothing.
          jobs.messages.push({ op: 'work', workspaceId: setup.workspaceId, jobId: job.id });
          await jobs.drain();
          expect(await setup.rows(name, 'amount')).toEqual([['-2'], ['-1']]);
          expect(await stored()).toMatchObject({ version: 1, rowCount: 2 });
          trials += 1;
        }
      }
      expect(trials).toBeGreaterThanOrEqual(5);
    },
  );
});
