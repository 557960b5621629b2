import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualityRun } from '../../../functions/platform/workers/run-job/quality/quality-run.ts';
import { startRun } from '../../../shared/domains/quality/index.ts';
import { failingRowsName } from '../../../shared/domains/warehouse/datasets/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { RunSetup } from '../pipelines/run-setup.ts';
import { WorkedJobs } from '../platform/jobs/worked-jobs.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { givenDatabaseTable, givenOrders, givenTest } from './given-tables.ts';

const under = usePostgres();
let setup: RunSetup;
let jobs: WorkedJobs;
beforeAll(async () => {
  setup = await RunSetup.open();
  jobs = new WorkedJobs(setup, qualityRun);
  await under.postgres.run('CREATE TABLE orders AS SELECT i AS id, i - 3 AS amount FROM generate_series(1, 4) i');
});
afterAll(() => setup.close());

describe('the job that stores the rows that fail a test', () => {
  it.each(['a dataset', 'a table of a database'])(
    'stores those of %s once, whichever write its worker dies at',
    async (kind) => {
      const place = await (kind === 'a dataset'
        ? givenOrders(setup)
        : givenDatabaseTable(setup, under.postgres, 'orders'));
      let trials = 0;
      for (let dies = true, write = 0; dies; write++) {
        for (const when of kind === 'a dataset' ? (['before', 'after'] as const) : (['after'] as const)) {
          const test = await givenTest(setup, place);
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
