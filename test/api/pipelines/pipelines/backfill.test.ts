import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { MAX_QUEUED } from '../../../../shared/domains/pipelines/backfills/backfill.ts';
import { queuedKey } from '../../../../shared/domains/pipelines/store/run-keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, load, runThatIs, SLOW, sql, startedRun } from './given.ts';

const backfill = (api: Api, id: string, body: object, headers: Record<string, string> = {}) =>
  api.as('editor').post(`/api/pipelines/${id}/backfill`, body, { headers });
const quick = () => dagOf(sql('a', 'SELECT {{ run.logicalDate }} AS day'));
const runsOf = async (api: Api, id: string, limit = 50) =>
  (await api.as('viewer').get(`/api/pipelines/${id}/runs?limit=${limit}`)).body;
const allOver = (api: Api, id: string, total: number, timeout = 60_000) =>
  vi.waitFor(
    async () => {
      const page = await runsOf(api, id, 200);
      expect(page.items.filter(({ status }: { status: string }) => status === 'succeeded')).toHaveLength(total);
      return page;
    },
    { timeout, interval: 200 },
  );

describe('a backfill', () => {
  it('runs once for each day of the window by the schedule’s clock, the oldest first', async ({ api }) => {
    const schedule = { cron: '0 6 * * *', timezone: 'Europe/Berlin', enabled: false };
    const { id } = await givenPipeline(api, quick(), { schedule });
    // Clocks went forward on March 29: that day has 23 hours.
    const reply = await backfill(api, id, { from: '2026-03-28', to: '2026-03-30' });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        from: '2026-03-28',
        to: '2026-03-30',
        created: 3,
        skipped: [],
        runs: [{ date: '2026-03-28' }, { date: '2026-03-29' }, { date: '2026-03-30' }],
      },
    });
    const { items } = await allOver(api, id, 3);
    const sorted = [...items].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    expect(sorted).toMatchObject([
      { intervalStart: '2026-03-27T23:00:00.000Z', intervalEnd: '2026-03-28T23:00:00.000Z' },
      { intervalStart: '2026-03-28T23:00:00.000Z', intervalEnd: '2026-03-29T22:00:00.000Z' },
      { intervalStart: '2026-03-29T22:00:00.000Z', intervalEnd: '2026-03-30T22:00:00.000Z' },
    ]);
    for (const run of items) {
      expect(run).toMatchObject({
        backfillId: reply.body.backfillId,
        trigger: { kind: 'backfill' },
        logicalDate: run.intervalStart,
      });
    }
    expect((await backfill(api, id, { from: '2026-03-28', to: '2026-03-28' })).status).toBe(201);
  });

  it('names every issue of a window and creates nothing', async ({ api }) => {
    const { id } = await givenPipeline(api, quick());
    const cases = [
      [{ from: '2026-02-30', to: 'yesterday' }, ['DATE_INVALID', 'DATE_INVALID']],
      [{ from: '2026-13-01', to: '2026-02-32' }, ['DATE_INVALID', 'DATE_INVALID']],
      [{ from: '2026-02-02', to: '2026-02-01' }, ['WINDOW_REVERSED']],
      [{ from: '2024-01-01', to: '2025-01-01' }, ['WINDOW_TOO_LONG']],
      [{ from: '2026-01-01', to: '2999-01-01' }, ['DATE_IN_FUTURE']],
    ] as const;
    for (const [window, codes] of cases) {
      const reply = await backfill(api, id, window);
      expect(reply).toMatchObject({ status: 422, body: { code: 'BACKFILL_WINDOW_INVALID' } });
      expect(reply.body.errors.map(({ code }: { code: string }) => code)).toEqual(codes);
    }
    expect((await runsOf(api, id)).total).toBe(0);
  });

  it('is refused when the workspace has as many waiting runs as it may', async ({ api }) => {
    const { id } = await givenPipeline(api, quick());
    const { workspaceId, table } = api;
    const createdAt = new Date().toISOString();
    const waiting = Array.from({ length: MAX_QUEUED - 1 }, (_, index) =>
      queuedKey({ workspaceId, id: `${index}`, createdAt }),
    );
    for (let start = 0; start < waiting.length; start += 25) {
      const items = waiting.slice(start, start + 25).map((key) => ({ PutRequest: { Item: key } }));
      await table.db.send(new BatchWriteCommand({ RequestItems: { [table.name]: items } }));
    }
    expect(await backfill(api, id, { from: '2026-01-01', to: '2026-01-02' })).toMatchObject({
      status: 429,
      body: { code: 'QUEUE_FULL' },
    });
    expect((await runsOf(api, id)).total).toBe(0);
    const last = await backfill(api, id, { from: '2026-01-01', to: '2026-01-01' });
    expect(last.status).toBe(201);
  });

  it('is one at a time: days that overlap conflict, others have to wait', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', SLOW)));
    const first = await backfill(api, id, { from: '2026-01-01', to: '2026-01-03' }, { 'idempotency-key': 'once' });
    expect(first.status).toBe(201);
    const again = await backfill(api, id, { from: '2026-01-01', to: '2026-01-03' }, { 'idempotency-key': 'once' });
    expect(again).toMatchObject({ status: 201, body: { backfillId: first.body.backfillId } });
    expect(
      await backfill(api, id, { from: '2026-01-01', to: '2026-01-04' }, { 'idempotency-key': 'once' }),
    ).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await backfill(api, id, { from: '2026-01-03', to: '2026-01-04' })).toMatchObject({
      status: 409,
      body: { code: 'BACKFILL_OVERLAP', backfillId: first.body.backfillId },
    });
    expect(await backfill(api, id, { from: '2026-02-01', to: '2026-02-01' })).toMatchObject({
      status: 429,
      body: { code: 'BACKFILL_ACTIVE' },
    });
    expect((await runsOf(api, id)).total).toBe(3);
    const pipeline = (await api.as('viewer').get(`/api/pipelines/${id}`)).body;
    expect(pipeline).toMatchObject({ activeRuns: 1, queuedRuns: 2 });
    expect((await api.as('editor').delete(`/api/pipelines/${id}`)).status).toBe(409);
    const cancel = (who: 'editor' | 'viewer' | 'stranger') => api.as(who).post(`/api/pipelines/${id}/backfill/cancel`);
    expect(await cancel('stranger')).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
    expect((await cancel('viewer')).status).toBe(403);
    expect(await cancel('editor')).toMatchObject({
      status: 200,
      body: {
        backfillId: first.body.backfillId,
        from: '2026-01-01',
        to: '2026-01-03',
        runs: [{ date: '2026-01-01' }, { status: 'cancelled' }, { date: '2026-01-03', status: 'cancelled' }],
      },
    });
    for (const { id: runId } of first.body.runs) {
      expect(await runThatIs(api, runId, 'cancelled')).toMatchObject({ cancelReason: 'backfill_cancelled' });
    }
    expect(await cancel('editor')).toMatchObject({ status: 409, body: { code: 'BACKFILL_NOT_ACTIVE' } });
    const next = await backfill(api, id, { from: '2026-01-03', to: '2026-01-03' });
    expect(next.status).toBe(201);
    expect((await cancel('editor')).status).toBe(200);
    for (const { id: runId } of next.body.runs) await runThatIs(api, runId, 'cancelled');
  });

  it('lets a run that is asked for have its turn although no run may overlap', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT count(*) AS n FROM range(200000000)')));
    await backfill(api, id, { from: '2026-01-01', to: '2026-01-06' });
    const asked = await startedRun(api, id);
    const { items } = await allOver(api, id, 7);
    const order = [...items].sort((a, b) => a.startedAt.localeCompare(b.startedAt)).map((run) => run.id);
    expect(order.indexOf(asked)).toBeLessThanOrEqual(2);
  });

  it('reads its intervals from an incremental source and leaves the live watermark alone', async ({ api }) => {
    const source = await givenFiles(api, {
      'days.csv': 'at,n\n2026-01-01T10:00:00Z,1\n2026-01-02T10:00:00Z,2\n2026-01-03T10:00:00Z,3\n',
    });
    const extract = {
      id: 'rows',
      type: 'extract',
      config: {
        sourceId: source,
        mode: 'incremental',
        object: { path: 'days.csv' },
        incremental: { cursorColumn: 'at' },
      },
    };
    const dag = dagOf(extract, load('kept', 'rows', 'kept', { mode: 'append' }));
    const { pipeline } = await finishedRun(api, dag);
    const rows = async () =>
      (await api.as('editor').post('/api/query', { sql: 'SELECT n, count(*) FROM kept GROUP BY 1 ORDER BY 1' })).body
        .rows;
    expect(await rows()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    await backfill(api, pipeline.id, { from: '2026-01-02', to: '2026-01-02' });
    await allOver(api, pipeline.id, 2);
    expect(await rows()).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
    await runThatIs(api, await startedRun(api, pipeline.id), 'succeeded');
    expect(await rows()).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
  });

  it('rejects what a start rejects, and is hidden from other workspaces', async ({ api }) => {
    const window = { from: '2026-01-01', to: '2026-01-02' };
    const parameters = [{ name: 'n', type: 'number', required: true }];
    const { id } = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT {{ params.n }} AS x')), parameters });
    expect(await backfill(api, id, window)).toMatchObject({ status: 400, body: { code: 'RUN_PARAMETERS_INVALID' } });
    expect(await api.as('stranger').post(`/api/pipelines/${id}/backfill`, window)).toMatchObject({
      status: 404,
      body: { code: 'PIPELINE_NOT_FOUND' },
    });
    expect((await api.as('viewer').post(`/api/pipelines/${id}/backfill`, window)).status).toBe(403);
    await api.as('editor').patch(`/api/pipelines/${id}`, { status: 'paused' });
    expect(await backfill(api, id, window)).toMatchObject({ status: 409, body: { code: 'PIPELINE_PAUSED' } });
    expect((await runsOf(api, id)).total).toBe(0);
  });
});
