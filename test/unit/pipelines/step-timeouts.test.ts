import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { openWebService, sendJson } from '../../support/web-service.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { isAt } from './crash-points.ts';
import { reportedEvents } from './reported-events.ts';
import { dagOf, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const under = usePostgres();
let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A worker that had to be killed would not have come so far. */
afterEach(async () => {
  const next = await ranOn(setup, dagOf(sql('a', 'SELECT 1 AS x')));
  expect(next.run.status).toBe('succeeded');
  expect(await reportedEvents(setup, 'compute.vm_unreachable')).toEqual([]);
});

const ENDLESS = 'SELECT count(*) AS n FROM range(10000000000000) t(i) WHERE i % 7 = 3';
const inTime = (step: Omit<Step, 'retry'>): Step => ({
  ...step,
  config: { ...step.config, timeoutSeconds: 1 },
  retry: { maxAttempts: 2, nonRetryableErrors: ['TIMEOUT'] },
});

/** Runs steps of which the last one takes too long. */
async function overrun(...steps: Step[]): Promise<StoredStep> {
  const { run, steps: ended } = await ranOn(setup, dagOf(...steps));
  const step = ended.get(steps.at(-1)!.id)!;
  const error = { code: 'TIMEOUT', message: 'The step took longer than 1 s.' };
  expect(run.status).toBe('failed');
  expect(step).toMatchObject({ status: 'failed', attempt: 1, error });
  return step;
}

async function httpSource(answer: Parameters<typeof openWebService>[0]): Promise<string> {
  const { url } = await openWebService(answer);
  const pagination = { kind: 'page', parameter: 'page', first: 1 };
  const endpoints = [{ name: 'rows', path: '/rows', format: 'json', pagination }];
  return setup.source('http', { baseUrl: url, auth: 'none', endpoints });
}

async function postgresSource(): Promise<string> {
  const { host, port, database, user, password } = under.config;
  return setup.source('postgres', { host, port, database, user, ssl: false }, { password });
}

const OTHERS_AT_WORK =
  "SELECT query FROM pg_stat_activity WHERE application_name = 'analytics' AND state <> 'idle' AND pid <> pg_backend_pid()";

const read = (sourceId: string, object: object) =>
  inTime({ id: 'read', type: 'extract', config: { sourceId, object } });

describe('a step fails with TIMEOUT in time, and its worker lives on,', () => {
  it.each<[string, Parameters<typeof openWebService>[0]]>([
    ['begins an answer and never ends it', (_url, response) => void response.writeHead(200).write('[{"a": 1}, ')],
    ['has another page forever', (_url, response) => void setTimeout(() => sendJson(response, [{ a: 1 }]), 50)],
    ['is busy whenever it is asked', (_url, response) => void response.writeHead(503, { 'retry-after': '9' }).end()],
  ])('when a web service %s', async (_what, answer) => {
    await overrun(read(await httpSource(answer), { table: 'rows' }));
  });

  it('when a server does not answer, which then stops too', async () => {
    const watcher = await under.openSource();
    await watcher.query('CREATE VIEW slow AS SELECT 1 AS x FROM pg_sleep(60)');
    await overrun(read(await postgresSource(), { table: 'slow' }));
    await expect.poll(async () => (await watcher.query(OTHERS_AT_WORK)).rows, { timeout: 45_000 }).toEqual([]);
  });

  it('when a table to load into is locked, and loads nothing later', async () => {
    const holder = await under.openSource();
    await holder.query('CREATE TABLE locked (x int)');
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE locked');
    const target = { kind: 'table', sourceId: await postgresSource(), table: 'locked' };
    const load = inTime({ id: 'load', type: 'load', dependsOn: ['a'], config: { target, mode: 'append' } });
    await overrun(sql('a', 'SELECT 1::INTEGER AS x'), load);
    await holder.query('COMMIT');
    await expect.poll(async () => (await holder.query(OTHERS_AT_WORK)).rows, { timeout: 45_000 }).toEqual([]);
    expect((await holder.query('SELECT * FROM locked')).rows).toEqual([]);
  });

  it.each([
    ['loops while it is read', 'for (;;);'],
    ['takes long for each of many batches', 'function transform(rows) { for (let i = 0; i < 2e6; i++); return rows }'],
  ])('when code %s', async (_what, code) => {
    const config = { code, outputSchema: [{ name: 'range', type: 'integer' }] };
    const step = inTime({ id: 'code', type: 'transform_code', dependsOn: ['a'], config });
    await overrun(sql('a', 'SELECT range FROM range(1000000)'), step);
  });

  it('when SQL has no end', async () => {
    await overrun(inTime({ id: 'a', type: 'transform_sql', config: { sql: ENDLESS } }));
  });

  it('when a gate has no end', async () => {
    const gate = {
      id: 'g',
      type: 'custom_sql',
      action: 'block',
      config: { sql: ENDLESS, expect: { op: 'eq', value: 0 } },
    };
    await overrun(inTime({ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x', gates: [gate] } }));
  });
});

describe('a step that took too long', () => {
  it('is tried again unless TIMEOUT is said to be final, and each attempt is billed', async () => {
    const sourceId = await httpSource(() => undefined);
    const step = read(sourceId, { table: 'rows' });
    const retry = { maxAttempts: 2, initialIntervalMs: 100 };
    const { steps } = await ranOn(setup, dagOf({ ...step, retry }));
    expect(steps.get('read')).toMatchObject({ status: 'failed', attempt: 2, error: { code: 'TIMEOUT' } });
    expect(steps.get('read')!.executionSeconds).toBeGreaterThan(2);
  });

  it('and had to be killed failed with TIMEOUT all the same, and is billed', async () => {
    setup.crash = (write) => {
      if (!isAt('stage', write)) return undefined;
      setup.crash = () => undefined;
      setup.aheadMs += 1500;
      return 'before';
    };
    const step = await overrun(inTime(sql('a', 'SELECT 1 AS x')));
    expect(step.executionSeconds).toBeGreaterThan(1);
  });
});
