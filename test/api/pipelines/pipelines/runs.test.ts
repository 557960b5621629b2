import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { readEvents } from '../../../../shared/domains/pipelines/store/run-events.ts';
import { admissionKey, runKey } from '../../../../shared/domains/pipelines/store/run-keys.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { call } from '../../../support/http.ts';
import {
  dagOf,
  finishedRun,
  givenFiles,
  givenPipeline,
  hookUrl,
  load,
  runThatIs,
  SLOW,
  sql,
  startedRun,
  UNKNOWN_ID,
} from './given.ts';

const DATA = join(import.meta.dirname, '../../../../node_modules/vega-datasets/data');
const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));
const failing = () => dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x"), sql('b', 'SELECT * FROM a', ['a']));

const run = (api: Api, pipelineId: string, body?: object, options = {}) =>
  api.as('editor').post(`/api/pipelines/${pipelineId}/run`, body, options);

/** Changes what is stored, for states that take too long or too many to reach. */
const change = (api: Api, key: { pk: string; sk: string }, set: Record<string, unknown>) =>
  api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set })));

/** The events of a stream that has ended. */
function framesOf(text: string): { id: number; event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('event: '))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)![1]!;
      return { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) };
    });
}

describe('a run', () => {
  it('joins uploaded files and merges them into a dataset that can be queried', async ({ api }) => {
    const source = await givenFiles(api, {
      'flights-3m.parquet': await readFile(join(DATA, 'flights-3m.parquet')),
      'airports.csv': await readFile(join(DATA, 'airports.csv')),
    });
    const extract = (id: string, path: string) => ({
      id,
      type: 'extract',
      config: { sourceId: source, object: { path } },
    });
    const { run } = await finishedRun(
      api,
      dagOf(
        extract('flights', 'flights-3m.parquet'),
        extract('airports', 'airports.csv'),
        sql(
          'joined',
          `SELECT row_number() OVER () AS id, f.date, f.origin, f.delay, a.city
           FROM flights f JOIN airports a ON a.iata = f.origin`,
          ['flights', 'airports'],
        ),
        load('kept', 'joined', 'flights', { mode: 'merge', mergeKey: ['id'] }),
      ),
    );
    expect(run.steps.map((step: { stepId: string; status: string }) => [step.stepId, step.status])).toEqual([
      ['flights', 'succeeded'],
      ['airports', 'succeeded'],
      ['joined', 'succeeded'],
      ['kept', 'succeeded'],
    ]);
    const counted = await api.as('editor').post('/api/query', { sql: 'SELECT count(*) FROM flights' });
    expect(counted.body.rows).toEqual([[run.rowsMoved]]);
    expect(run.rowsMoved).toBe(3_000_000);
    const usage = await api.as('owner').get('/api/usage/products');
    expect(usage.body.products.pipelines.currentPeriod).toMatchObject({ runs: 1, rows_moved: run.rowsMoved });
  });

  it('is shown to its workspace alone, newest first', async ({ api }) => {
    const { pipeline, run: first } = await finishedRun(api, quick());
    const second = await startedRun(api, pipeline.id);
    await runThatIs(api, second, 'succeeded');
    const list = await api.as('viewer').get(`/api/pipelines/${pipeline.id}/runs?limit=1`);
    expect(list.body).toMatchObject({
      total: 2,
      items: [{ id: second, status: 'succeeded', durationMs: expect.any(Number) }],
    });
    expect((await api.as('viewer').get('/api/pipelines')).body.items[0].latestRun).toMatchObject({ id: second });

    const hidden = { status: 404, body: { code: 'RUN_NOT_FOUND' } };
    for (const id of [first.id, UNKNOWN_ID]) {
      const path = `/api/pipelines/runs/${id}`;
      expect(await api.as('stranger').get(path)).toMatchObject(hidden);
      expect(await api.as('stranger').get(`${path}/events`)).toMatchObject(hidden);
      expect(await api.as('stranger').get(`${path}/steps/a/logs`)).toMatchObject(hidden);
      expect(await api.as('stranger').post(`${path}/cancel`)).toMatchObject(hidden);
      expect(await api.as('stranger').post(`${path}/retry`)).toMatchObject(hidden);
    }
    const missing = { status: 404, body: { code: 'PIPELINE_NOT_FOUND' } };
    expect(await api.as('stranger').get(`/api/pipelines/${pipeline.id}/runs`)).toMatchObject(missing);
    expect(await api.as('stranger').post(`/api/pipelines/${pipeline.id}/run`)).toMatchObject(missing);
    expect(await api.as('viewer').get(`/api/pipelines/${pipeline.id}/runs?offset=10001`)).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
  });

  it('takes parameters as bound values, and refuses those that do not fit', async ({ api }) => {
    const dag = {
      ...dagOf(sql('a', 'SELECT {{ params.who }} AS who'), load('b', 'a', 'greeted')),
      parameters: [{ name: 'who', type: 'string', required: true }],
    };
    const { id } = await givenPipeline(api, dag);
    const refused = await run(api, id, { parameters: { whom: 1 } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'RUN_PARAMETERS_INVALID',
        errors: [
          { pointer: '/parameters/whom', code: 'PARAMETER_UNKNOWN' },
          { pointer: '/parameters/who', code: 'REQUIRED' },
        ],
      },
    });
    expect((await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body.total).toBe(0);
    const who = `'; DROP TABLE x --`;
    await runThatIs(api, await startedRun(api, id, { parameters: { who } }), 'succeeded');
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT who FROM greeted' })).body.rows).toEqual([[who]]);
  });

  it('starts once per idempotency key', async ({ api }) => {
    const { id } = await givenPipeline(api, quick(), { concurrency: { maxConcurrentRuns: 10 } });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all([1, 2, 3].map(() => run(api, id, undefined, { headers })));
    for (const reply of replies.filter((candidate) => candidate.status !== 201)) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    }
    const other = await run(api, id, { parameters: {} }, { headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body.total).toBe(1);
  });

  it('is refused while the pipeline is paused or as busy as it may be', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', SLOW)));
    const first = await startedRun(api, id);
    expect(await run(api, id)).toMatchObject({
      status: 409,
      body: { code: 'RUN_OVERLAP', activeRunIds: [first] },
    });
    expect(await api.as('editor').delete(`/api/pipelines/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'PIPELINE_HAS_ACTIVE_RUN' },
    });
    await api.as('editor').post(`/api/pipelines/runs/${first}/cancel`);
    await runThatIs(api, first, 'cancelled');
    await api.as('editor').patch(`/api/pipelines/${id}`, { status: 'paused' });
    expect(await run(api, id)).toMatchObject({ status: 409, body: { code: 'PIPELINE_PAUSED' } });
  });

  it('is refused when too many wait or were started', async ({ api }) => {
    const dag = { ...quick(), trigger: { kind: 'webhook' } };
    const { id } = await givenPipeline(api, dag, { concurrency: { onOverlap: 'queue' } });
    const { pathname, search } = await hookUrl(api, id);
    const call = () => api.as('anonymous').post(pathname + search, {});
    const failed = await finishedRun(api, failing(), 'failed');
    const waiting = Array.from({ length: 100 }, () => crypto.randomUUID());
    const state = { running: ['x'], waiting, maxConcurrentRuns: 1, latestRunId: null, closed: false, version: 1 };
    const full = { ...state, starts: { minute: '', count: 0 } };
    await change(api, admissionKey(api.workspaceId, id), full);
    expect(await run(api, id)).toMatchObject({ status: 429, body: { code: 'QUEUE_FULL' } });
    expect(await call()).toMatchObject({ status: 429, body: { code: 'QUEUE_FULL' } });

    const retry = () => api.as('editor').post(`/api/pipelines/runs/${failed.run.id}/retry`);
    const otherKey = admissionKey(api.workspaceId, failed.pipeline.id);
    await change(api, otherKey, { ...full, version: 50 });
    expect(await retry()).toMatchObject({ status: 409, body: { code: 'RUN_OVERLAP' } });
    await api.as('editor').patch(`/api/pipelines/${failed.pipeline.id}`, { concurrency: { onOverlap: 'queue' } });
    expect(await retry()).toMatchObject({ status: 429, body: { code: 'QUEUE_FULL' } });

    await vi.waitFor(
      async () => {
        const minute = new Date().toISOString().slice(0, 16);
        const busy = { ...state, running: [], waiting: [], starts: { minute, count: 60 } };
        for (const key of [admissionKey(api.workspaceId, id), otherKey])
          await change(api, key, { ...busy, version: 60 });
        const replies = [await run(api, id), await call(), await retry()];
        for (const reply of replies) {
          expect(reply).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
          expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        }
      },
      { timeout: 60_000 },
    );
  });

  it('is announced when it fails, and goes on where it failed', async ({ api }) => {
    const source = await givenFiles(api, {});
    const { pipeline, run } = await finishedRun(
      api,
      dagOf(sql('a', 'SELECT 1 AS x'), {
        id: 'late',
        type: 'extract',
        config: { sourceId: source, object: { path: 'late.csv' } },
        dependsOn: ['a'],
        retry: { maxAttempts: 1 },
      }),
      'failed',
    );
    expect(run).toMatchObject({ error: { code: 'NOT_FOUND', stepId: 'late' }, attempt: 1 });
    const retry = () => api.as('editor').post(`/api/pipelines/runs/${run.id}/retry`);
    expect(await retry()).toMatchObject({
      status: 200,
      body: { status: expect.stringMatching(/^(queued|running)$/), attempt: 2, error: null },
    });
    const again = await runThatIs(api, run.id, 'failed');
    expect(again.steps).toMatchObject([
      { stepId: 'a', attempt: 1 },
      { stepId: 'late', attempt: 2 },
    ]);

    const key = runKey(api.workspaceId, run.id);
    const month = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await change(api, key, { finishedAt: month });
    expect(await retry()).toMatchObject({ status: 409, body: { code: 'RUN_EXPIRED' } });
    await change(api, key, { finishedAt: new Date().toISOString() });
    await api.as('editor').delete(`/api/pipelines/${pipeline.id}`);
    expect(await retry()).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
    expect((await api.as('viewer').get(`/api/pipelines/runs/${run.id}`)).status).toBe(200);
    const { run: good } = await finishedRun(api, quick());
    expect(await api.as('editor').post(`/api/pipelines/runs/${good.id}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'RUN_NOT_FAILED' },
    });
  });

  it('stops within seconds when it is cancelled', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', SLOW), sql('b', 'SELECT * FROM a', ['a'])));
    const runId = await startedRun(api, id);
    await vi.waitFor(
      async () => {
        const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}`);
        expect(body.steps?.[0]?.status).toBe('running');
      },
      { timeout: 90_000, interval: 50 },
    );
    const at = Date.now();
    const cancelled = await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`);
    expect(cancelled.status).toBe(200);
    const ended = await runThatIs(api, runId, 'cancelled');
    expect(Date.now() - at).toBeLessThan(7_000);
    expect(ended).toMatchObject({ cancelReason: 'requested', error: null });
    expect(ended.steps.map((step: { status: string }) => step.status)).toEqual(['cancelled', 'cancelled']);
    expect(await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'RUN_NOT_ACTIVE' },
    });
  });
});

describe('the log of a step', () => {
  it('has the start and the end of every attempt, and nothing of other steps', async ({ api }) => {
    const retried = sql('a', "SELECT CAST('no' AS INTEGER) AS x", [], {
      retry: { maxAttempts: 2, initialIntervalMs: 100 },
    });
    const { run } = await finishedRun(api, dagOf(retried), 'failed');
    const logs = (query = '', step = 'a') =>
      api.as('viewer').get(`/api/pipelines/runs/${run.id}/steps/${step}/logs${query}`);
    const newest = await logs();
    expect(newest.body).toMatchObject({ runId: run.id, stepId: 'a', attempt: 2, item: null, truncated: false });
    const first = await logs('?attempt=1');
    expect(first.body.lines.map(({ level, message }: { level: string; message: string }) => [level, message])).toEqual([
      ['info', 'Attempt 1 of transform_sql step a begins.'],
      ['error', expect.stringContaining('Failed with SQL_ERROR')],
    ]);
    const missing = { status: 404, body: { code: 'STEP_LOG_NOT_FOUND' } };
    expect(await logs('?attempt=3')).toMatchObject(missing);
    expect(await logs('', 'zzz')).toMatchObject(missing);
  });

  it('says what memory it has when the pipeline asks for other than the usual', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const asked = await api.as('editor').patch(`/api/pipelines/${id}`, { compute: { size: 'small' } });
    expect(asked).toMatchObject({ status: 200, body: { compute: { size: 'small' } } });
    const runId = await startedRun(api, id);
    await runThatIs(api, runId, 'succeeded');
    for (const step of ['a', 'b']) {
      const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}/steps/${step}/logs`);
      expect(body.lines[1].message).toBe('It has 2048 MB of memory: the pipeline asks for small.');
    }
  });
});

describe('the event stream of a run', () => {
  it('reports the progress of a step that takes seconds', async ({ api }) => {
    const { id } = await givenPipeline(
      api,
      dagOf(
        sql('many', 'SELECT range AS i FROM range(20000000)'),
        sql('sorted', 'SELECT i, hash(i) AS h FROM many ORDER BY h, i', ['many']),
      ),
    );
    const runId = await startedRun(api, id);
    const place = { workspaceId: api.workspaceId, runId };
    await vi.waitFor(
      async () => {
        const events = await readEvents(api.table, place, 0);
        expect(events.some(({ type, data }) => type === 'step.progress' && data.stepId === 'sorted')).toBe(true);
      },
      { timeout: 90_000, interval: 100 },
    );
    await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`);
    const path = `/api/pipelines/runs/${runId}/events`;
    const frames = framesOf((await api.as('viewer').get(path, { headers: { 'last-event-id': '1' } })).body);
    const reported = frames.filter(({ event, data }) => event === 'step.progress' && data.stepId === 'sorted');
    const percents = reported.map(({ data }) => data.percent as number);
    expect(percents.length).toBeGreaterThan(0);
    expect(percents).toEqual([...new Set(percents)].sort((a, b) => a - b));
    expect(percents.every((percent) => percent > 0 && percent <= 100)).toBe(true);
  });

  it('reports every step in order and ends with the run; a client that comes back misses nothing', async ({ api }) => {
    const { run } = await finishedRun(api, dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const path = `/api/pipelines/runs/${run.id}/events`;
    const late = framesOf((await api.as('viewer').get(path)).body);
    expect(late.map(({ event }) => event)).toEqual(['snapshot', 'end']);
    expect(late[0]!.data).toMatchObject({ id: run.id, status: 'succeeded' });

    const resumed = await api.as('viewer').get(path, { headers: { 'last-event-id': '2' } });
    expect(resumed.headers.get('content-type')).toBe('text/event-stream');
    expect(framesOf(resumed.body).map(({ id, event, data }) => [id, event, data.stepId ?? null, data.status])).toEqual([
      [3, 'step.status', 'a', 'running'],
      [4, 'step.status', 'a', 'succeeded'],
      [5, 'step.status', 'b', 'running'],
      [6, 'step.status', 'b', 'succeeded'],
      [7, 'run.status', null, 'succeeded'],
      [8, 'end', null, 'succeeded'],
    ]);

    // A browser comes back with the last number that it has.
    const again = await api.as('viewer').get(path, { headers: { 'last-event-id': '8' } });
    expect(framesOf(again.body).map(({ event }) => event)).toEqual(['snapshot', 'end']);
  });

  it('streams to pages of other origins, which ask first', async ({ api }) => {
    const { run } = await finishedRun(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const path = `/api/pipelines/runs/${run.id}/events`;
    const origin = 'https://app.example.com';
    const preflight = await call(api.endpoint, 'OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,last-event-id',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization.*last-event-id/);
    const stream = await api.as('viewer').get(path, { headers: { origin } });
    expect(stream.status).toBe(200);
    const unknown = await api.as('viewer').get(path.replace(run.id, randomUUID()), { headers: { origin } });
    expect(unknown.status).toBe(404);
    for (const { headers } of [stream, unknown]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
    }
  });

  it('ends within seconds when the caller loses access', async ({ api }) => {
    await api.joinAll();
    const runId = await startedRun(api, (await givenPipeline(api, dagOf(sql('a', SLOW)))).id);
    const path = `/api/pipelines/runs/${runId}/events`;
    const made = (await api.as('owner').post('/api/api-keys', { name: 'watch', scope: 'read' })).body;
    const opened = (token: string) =>
      fetch(`${api.endpoint}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const streams = await Promise.all([opened(await api.token('viewer')), opened(made.key)]);
    await api.as('owner').delete(`/api/api-keys/${made.id}`);
    const { id: userId } = (await api.as('viewer').get('/api/auth/me')).body.user;
    await api.as('owner').delete(`/api/workspaces/members/${userId}`);
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      const events = framesOf(await stream.text()).map(({ event }) => event);
      expect(events[0]).toBe('snapshot');
      expect(events).not.toContain('end');
      expect(events).not.toContain('reconnect');
    }
    await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`);
  });

  it('follows a run while it runs', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const runId = await startedRun(api, id);
    const frames = framesOf((await api.as('viewer').get(`/api/pipelines/runs/${runId}/events`)).body);
    expect(frames[0]!.event).toBe('snapshot');
    expect(frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } });
    const ids = frames.map((frame) => frame.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });
});

describe('waiting runs of a pipeline', () => {
  it('start when the limit is raised, and end when all are cancelled at once', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', SLOW)), { concurrency: { onOverlap: 'queue' } });
    const ids: string[] = [];
    while (ids.length < 30) {
      const started = await Promise.all(Array.from({ length: 10 }, () => run(api, id)));
      ids.push(...started.map(({ body }) => body.id));
    }
    const concurrency = { maxConcurrentRuns: 3, onOverlap: 'queue' };
    expect((await api.as('editor').patch(`/api/pipelines/${id}`, { concurrency })).status).toBe(200);
    const statuses = async () =>
      (await api.as('viewer').get(`/api/pipelines/${id}/runs?limit=100`)).body.items.map(
        ({ status }: { status: string }) => status,
      );
    await vi.waitFor(async () => {
      expect((await statuses()).filter((status: string) => status === 'running')).toHaveLength(3);
    }, 60_000);
    const replies = await Promise.all(ids.map((runId) => api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`)));
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
    await vi.waitFor(async () => expect(await statuses()).toEqual(ids.map(() => 'cancelled')), 40_000);
  });
});

describe('GET /api/pipelines/workers/status', () => {
  it('says that runs can be started, and how many wait', async ({ api }) => {
    const status = () => api.as('viewer').get('/api/pipelines/workers/status');
    expect((await status()).body).toMatchObject({
      state: 'available',
      reason: null,
      queuedRuns: 0,
      oldestQueuedSeconds: null,
    });
    const { id } = await givenPipeline(api, dagOf(sql('a', SLOW)), { concurrency: { onOverlap: 'queue' } });
    const first = await startedRun(api, id);
    await runThatIs(api, first, 'running');
    const second = await run(api, id);
    expect(second.body).toMatchObject({ status: 'queued', queuePosition: 1, waitingFor: expect.any(String) });
    expect((await status()).body).toMatchObject({ queuedRuns: 1, oldestQueuedSeconds: expect.any(Number) });
    for (const runId of [second.body.id, first]) await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`);
    await runThatIs(api, first, 'cancelled');
    expect((await status()).body).toMatchObject({ queuedRuns: 0 });
    expect(await api.stored(workspaceKey(api.workspaceId, 'QUEUED', 'x'))).toBeUndefined();
  });
});
