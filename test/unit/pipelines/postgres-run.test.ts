import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { backfilled } from './given-backfill.ts';
import { RunSetup } from './run-setup.ts';

const under = usePostgres();
let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

async function givenSource(password: string): Promise<string> {
  const { host, port, database, user } = under.config;
  return setup.source('postgres', { host, port, database, user, ssl: false }, { password });
}

async function ran(sourceId: string) {
  const query = 'SELECT n, n * 2 AS twice FROM generate_series(1, {{ params.count }}) AS s(n)';
  const pipeline = await setup.pipeline({
    version: 1,
    parameters: [{ name: 'count', type: 'number', default: 3 }],
    steps: [{ id: 'rows', type: 'extract', config: { sourceId, object: { query } }, retry: { maxAttempts: 1 } }],
  });
  const run = await setup.run(pipeline);
  await setup.drain();
  const [step] = await setup.steps(run.id);
  return { run: await setup.stored(run.id), step: step! };
}

describe('an extract from Postgres', () => {
  it('reads a query with bound parameters', async () => {
    const { run, step } = await ran(await givenSource(under.config.password));
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(step.output).toMatchObject({ rows: 3, columns: [{ name: 'n' }, { name: 'twice' }] });
  });

  it('logs the values that become null or are rounded, and fails if nothing is left of a column', async () => {
    await under.postgres.run(`
      CREATE TABLE inexact (n numeric, until timestamptz);
      INSERT INTO inexact VALUES (0.00000000001, 'infinity'), ('NaN', NULL), (1, NULL)`);
    const sourceId = await givenSource(under.config.password);
    const extracted = async (config: object) => {
      const step = {
        id: 'rows',
        type: 'extract' as const,
        config: { sourceId, object: { table: 'inexact' }, ...config },
      };
      const run = await setup.run(await setup.pipeline({ version: 1, steps: [step] }));
      await setup.drain();
      const [read] = await setup.steps(run.id);
      return {
        status: read!.status,
        error: read!.error,
        log: JSON.stringify(await readStepLog(setup.worker.objects, read!)),
      };
    };
    expect(await extracted({})).toMatchObject({
      status: 'failed',
      error: { code: 'VALUES_LOST', message: expect.stringContaining('All 1 values of the column "until"') },
    });
    const { status, log } = await extracted({ acceptNullColumns: ['until'] });
    expect(status).toBe('succeeded');
    expect(log).toContain(
      'Values of n cannot be kept exactly: 1 became null, 1 were rounded, such as \\"0.00000000001\\" in row 1, \\"NaN\\" in row 2.',
    );
    expect(log).toContain('Values of until cannot be kept exactly: 1 became null, such as \\"infinity\\" in row 1.');
  });

  it.each(['Europe/Berlin', 'America/New_York', 'UTC'])(
    'reads the dates that the clock of %s counts in a backfill',
    async (timezone) => {
      await under.postgres.run(`
      CREATE TABLE IF NOT EXISTS dated (id int PRIMARY KEY, day date, at timestamptz, t text, c char(10));
      INSERT INTO dated SELECT n, d, d + time '12:00', d, d FROM (SELECT n, date '2025-12-31' + n AS d FROM generate_series(1, 4) s(n)) s
      ON CONFLICT DO NOTHING`);
      const config = { sourceId: await givenSource(under.config.password), object: { table: 'dated' } };
      const read = await backfilled(setup, { config, cursorColumns: ['day', 'at', 't', 'c'], timezone });
      expect(read).toEqual({ day: [2, 3], at: [2, 3], t: [2, 3], c: [2, 3] });
    },
  );

  it('takes the values of a run in its filter, beside those of its query', async () => {
    const sourceId = await givenSource(under.config.password);
    await under.postgres.run(`
      CREATE TABLE IF NOT EXISTS days (n int, at timestamptz);
      INSERT INTO days SELECT n, timestamptz '2026-01-01 12:00Z' + n * interval '1 day' FROM generate_series(1, 5) s(n)`);
    const filter = '{{ run.intervalStart }} <= at AND at < {{ run.intervalEnd }} AND n <> {{ params.not }}';
    const interval = {
      logicalDate: '2026-01-03T00:00:00.000Z',
      intervalStart: '2026-01-03T00:00:00.000Z',
      intervalEnd: '2026-01-05T00:00:00.000Z',
    };
    for (const object of [{ table: 'days' }, { query: 'SELECT * FROM days WHERE n > {{ params.least }}' }]) {
      const pipeline = await setup.pipeline({
        version: 1,
        parameters: ['least', 'not'].map((name) => ({ name, type: 'number', default: 2 }) as const),
        steps: [{ id: 'rows', type: 'extract', config: { sourceId, object, filter }, retry: { maxAttempts: 1 } }],
      });
      const run = await setup.run(pipeline, interval);
      await setup.drain();
      expect((await setup.stored(run.id)).error ?? null).toBeNull();
      expect((await setup.steps(run.id))[0]!.output).toMatchObject({ rows: 1 });
    }
  });

  it('says why it cannot sign in, and shows the password nowhere', async () => {
    const password = 'wrong-horse-battery';
    const { run, step } = await ran(await givenSource(password));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'AUTH_FAILED' } });
    const tail = await readStepLog(setup.worker.objects, step);
    expect(tail!.lines.length).toBeGreaterThan(1);
    expect(JSON.stringify([tail, run, step])).not.toContain(password);
  });

  it.each([
    ['ends the connection', () => Promise.resolve()],
    [
      'is restarted',
      async () => {
        await under.postgres.shutDown();
        await under.postgres.startUp();
      },
    ],
  ])('reads all rows in the next attempt when the server %s in the middle', async (_what, restarted) => {
    await under.postgres.run(
      'DROP TABLE IF EXISTS load; CREATE TABLE load (n int); INSERT INTO load VALUES (2000000000)',
    );
    const query = 'SELECT count(*) AS n FROM generate_series(1, (SELECT n FROM load)) AS a(x)';
    const sourceId = await givenSource(under.config.password);
    // An attempt that is back before there are fewer rows to read would count for minutes.
    const config = { sourceId, object: { query }, timeoutSeconds: 20 };
    const step = { id: 'rows', type: 'extract', config } as const;
    const retry = { maxAttempts: 10, initialIntervalMs: 100 };
    const run = await setup.run(await setup.pipeline({ version: 1, steps: [{ ...step, retry }] }));
    const drained = setup.drain();
    await vi.waitFor(
      async () => {
        const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query LIKE 'COPY %generate_series%' AND state = 'active' AND pid <> pg_backend_pid()`;
        expect(await under.postgres.rows(ended)).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    await restarted();
    await under.postgres.run('UPDATE load SET n = 3');
    await drained;
    const [done] = await setup.steps(run.id);
    expect(done).toMatchObject({ status: 'succeeded', output: { rows: 1 } });
    expect(done!.attempt).toBeGreaterThan(1);
    const tail = await readStepLog(setup.worker.objects, { ...done!, attempt: 1 });
    expect(tail!.lines.at(-1)!.message).toContain('CONNECTION_FAILED');
  });
});
