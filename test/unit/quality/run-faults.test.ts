import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualityRun } from '../../../functions/platform/workers/run-job/quality/quality-run.ts';
import { TEST_MS } from '../../../functions/platform/workers/run-job/quality/source-rows.ts';
import { workOnJob } from '../../../functions/platform/workers/run-job/work-on-job.ts';
import { startRun } from '../../../shared/domains/quality/index.ts';
import { issueRepository } from '../../../shared/domains/quality/issues/repository.ts';
import { latestResult, listRuns } from '../../../shared/domains/quality/runs/record-run.ts';
import type { StoredTest } from '../../../shared/domains/quality/tests/records.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import type { StoredJob } from '../../../shared/platform/jobs/record.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { openTestEngine } from '../data/engine/open-test-engine.ts';
import { RunSetup } from '../pipelines/run-setup.ts';
import { WorkedJobs } from '../platform/jobs/worked-jobs.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { givenDatabaseTable, givenOrders, givenTest, type Place } from './given-tables.ts';

const under = usePostgres();
let setup: RunSetup;
let jobs: WorkedJobs;
const STATEMENT_MS = 300;
const GRACE_MS = 200;
beforeAll(async () => {
  setup = await RunSetup.open();
  const statement = { timeoutMs: STATEMENT_MS, graceMs: GRACE_MS };
  jobs = new WorkedJobs(setup, (worker) => qualityRun(worker, { statement, workMs: TEST_MS + 1_000 }));
});
afterAll(() => setup.close());

const test = (place: Place, body?: Partial<StoredTest>) => givenTest(setup, place, { runOnSync: true, ...body });
const statement = (place: Place, sql: string) =>
  test(place, { testType: 'custom_sql', columnName: null, config: { sql } });

/** A job that runs all tests of the table. */
function started({ tableKey }: StoredTest): Promise<StoredJob> {
  const input = { scope: 'sync', tableKey, version: 1 };
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const { workspaceId } = setup;
  const job = { id: newId(), workspaceId, kind: 'quality_run', subjectId: tableKey, trigger, input } as const;
  return startJob(jobs.workerOf(), job, 'JOB_ACTIVE');
}

const runsOf = ({ workspaceId, id }: StoredTest) =>
  listRuns(setup.context.table, { workspaceId, testId: id, limit: 10 });
const issuesOf = async (tested: StoredTest) =>
  (await issueRepository(setup.context.table).readAll(setup.workspaceId)).filter(({ testId }) => testId === tested.id);

const TOO_LONG = `The query took longer than ${STATEMENT_MS} ms.`;
const ENDLESS = 'SELECT a.range FROM range(100000000000) a, range(100000) b WHERE (a.range + b.range) % 7 = 9';

/** One call of a function, which DuckDB cannot interrupt; its time grows with the square of the length. */
const comparison = (length: number) => `levenshtein(repeat('a', ${length}), repeat('b', ${length}))`;

/**
 * A statement that works for at least this long on any machine. It is long beside the time that a run waits, and short
 * because this process has to live on until it ends.
 */
async function stuckFor(workMs: number): Promise<string> {
  const measured = 10_000;
  const { engine } = await openTestEngine();
  const times: number[] = [];
  for (let i = 0; i < 4; i++) {
    // The time of the clock would depend on what else the machine does, and the first call also loads the engine.
    const before = process.cpuUsage();
    await engine.run(`SELECT ${comparison(measured)}`);
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  const length = Math.ceil(measured * Math.sqrt((workMs * 1000) / Math.min(...times)));
  return `SELECT * FROM input WHERE ${comparison(length)} = 0`;
}

describe('custom_sql that never ends', () => {
  it('ends with an error after its own time, and leaves the other tests of the table alone', async () => {
    const place = await givenOrders(setup, 'endless');
    const endless = await statement(place, ENDLESS);
    const values = await test(place, { testType: 'allowed_values', config: { query: ENDLESS } });
    const rows = await test(place);
    const other = await statement(place, 'SELECT * FROM input WHERE amount > 0');
    const job = await jobs.seeThrough(await started(rows));
    expect(job).toMatchObject({ status: 'succeeded', attempt: 1, result: { tests: 4, error: 2, failed: 2 } });
    expect(await runsOf(endless)).toMatchObject([{ status: 'error', message: TOO_LONG, passRate: null }]);
    const message = `The query of the allowed values fails: ${TOO_LONG}`;
    expect(await runsOf(values)).toMatchObject([{ status: 'error', message, passRate: null }]);
    expect(await runsOf(rows)).toMatchObject([{ status: 'failed', failedRows: 2 }]);
    expect(await runsOf(other)).toMatchObject([{ status: 'failed', failedRows: 1 }]);
    expect(await issuesOf(endless)).toMatchObject([{ issueType: 'execution_error', status: 'open' }]);
  });

  it('ends its process if it cannot be stopped, and the next invocation runs the other tests', async () => {
    // Its name is a new one, so that the test can be repeated.
    const place = await givenOrders(setup, `stuck ${newId()}`);
    const stuck = await statement(place, await stuckFor(8 * (STATEMENT_MS + GRACE_MS)));
    const rows = await test(place);
    const job = await started(rows);
    const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
    const worked = workOnJob({ ...jobs.workerOf(), exit }, setup.workspaceId, job.id);
    const goneOn = worked.then(() => {
      throw new Error('The statement ended in time, so its process went on: it has to work for longer.');
    });
    await Promise.race([exited, goneOn]);
    // Nothing of a process is written after its end.
    setup.crash = () => 'before';
    await worked.catch(() => undefined);
    setup.crash = () => undefined;
    expect(await runsOf(rows)).toEqual([]);
    const ended = await jobs.seeThrough(job);
    expect(ended).toMatchObject({ status: 'succeeded', attempt: 2, result: { tests: 2, error: 1, failed: 1 } });
    expect(await runsOf(stuck)).toMatchObject([{ status: 'error', message: TOO_LONG }]);
    expect(await runsOf(rows)).toMatchObject([{ status: 'failed', failedRows: 2 }]);
    expect(await issuesOf(stuck)).toMatchObject([{ issueType: 'execution_error', occurrences: 1 }]);
  });
});

describe('tests of a database that is too slow', () => {
  it('end with an error, which is not a failure, whether it counts the rows or they are copied', async () => {
    await under.postgres.run(`
      CREATE FUNCTION slow(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN i; END $$;
      CREATE VIEW slowly AS SELECT slow(i) AS amount, 'x' || i AS code FROM generate_series(1, 3) i`);
    const place = await givenDatabaseTable(setup, under.postgres, 'slowly');
    const counted = await test(place);
    const copied = await test(place, { config: { where: 'amount > 0' } });
    const job = await jobs.seeThrough(await started(counted));
    expect(job).toMatchObject({ status: 'succeeded', attempt: 1, result: { tests: 2, error: 2 } });
    for (const each of [counted, copied]) {
      expect(await runsOf(each)).toMatchObject([
        { status: 'error', message: expect.stringMatching(/within 1 s|timeout/), failedRows: null, sample: null },
      ]);
      expect(await issuesOf(each)).toMatchObject([{ issueType: 'execution_error', status: 'open' }]);
    }
  });
});

describe('runs of one table at the same time', () => {
  it('each store a whole result, and count for one issue', async () => {
    const place = await givenOrders(setup, 'busy');
    const [first, second] = [await test(place), await test(place, { testType: 'unique', columnName: 'id' })];
    const one = { id: newId(), workspaceId: setup.workspaceId, userId: 'ada' };
    const both = [await started(first!), await startRun(jobs.workerOf(), one, { scope: 'test', testId: first!.id })];
    await Promise.all(both.map(({ id }) => workOnJob(jobs.workerOf(), setup.workspaceId, id)));
    for (const { id } of both) {
      expect(await jobs.workerOf().jobs.get(setup.workspaceId, id)).toMatchObject({ status: 'succeeded', attempt: 1 });
    }
    const failed = { status: 'failed', evaluatedRows: 4, failedRows: 2 };
    const runs = await runsOf(first!);
    expect(runs).toMatchObject([failed, failed]);
    expect(await runsOf(second!)).toMatchObject([{ status: 'passed', evaluatedRows: 4 }]);
    const latest = (await latestResult(setup.context.table, setup.workspaceId, first!.id))!;
    expect(latest).toMatchObject(failed);
    expect(runs.map(({ id }) => id)).toContain(latest.runId);
    expect(await issuesOf(first!)).toMatchObject([{ issueType: 'test_failed', status: 'open' }]);
  });
});
