import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { BUSY_ENGINE, withFault } from '../../../support/faults.ts';
import { call } from '../../../support/http.ts';
import { dagOf, finishedRun, givenFiles, givenPipeline, hookUrl, load, runThatIs, sql, startedRun } from './given.ts';

const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));
const failing = () => dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x"), sql('b', 'SELECT * FROM a', ['a']));
const run = (api: Api, pipelineId: string) => api.as('editor').post(`/api/pipelines/${pipelineId}/run`);

describe('a run', () => {
  it('leaves nothing behind when the execution setup does not take it', async ({ api }) => {
    const { id } = await givenPipeline(api, { ...quick(), trigger: { kind: 'webhook' } });
    const { pathname, search } = await hookUrl(api, id);
    const failed = await finishedRun(api, failing(), 'failed');
    await withFault(api, { service: 'states', operation: 'StartExecution', effect: 'error' }, async () => {
      const reply = await run(api, id);
      expect(reply).toMatchObject({ status: 503, body: { code: 'WORKER_UNAVAILABLE' } });
      expect(reply.headers.get('retry-after')).toBe('5');
      expect(await api.as('editor').post(`/api/pipelines/runs/${failed.run.id}/retry`)).toMatchObject({
        status: 503,
        body: { code: 'WORKER_UNAVAILABLE' },
      });
    });
    await withFault(api, { service: 'states', operation: 'StartExecution', effect: 'error' }, async () => {
      const reply = await api.as('anonymous').post(pathname + search, {});
      expect(reply).toMatchObject({ status: 503, body: { code: 'WORKER_UNAVAILABLE' } });
    });
    await withFault(api, { service: 'states', operation: 'DescribeStateMachine', effect: 'error' }, async () => {
      const window = { from: '2026-01-01', to: '2026-01-02' };
      const reply = await api.as('editor').post(`/api/pipelines/${id}/backfill`, window);
      expect(reply).toMatchObject({ status: 503, body: { code: 'WORKER_UNAVAILABLE' } });
    });
    expect((await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body.total).toBe(0);
    expect((await api.as('viewer').get(`/api/pipelines/runs/${failed.run.id}`)).body.status).toBe('failed');
    await runThatIs(api, await startedRun(api, id), 'succeeded');
  });

  it('survives the death of a worker in the middle of a step, and loads once', async ({ api }) => {
    const source = await givenFiles(api, { 'a.csv': 'n\n1\n2\n3\n' });
    const dag = dagOf(
      { id: 'a', type: 'extract', config: { sourceId: source, object: { path: 'a.csv' } } },
      load('b', 'a', 'survived', { mode: 'append' }),
    );
    const { id } = await givenPipeline(api, dag);
    const rule = { service: 'lambda', resource: 'run-step', effect: 'kill', times: 1, delayMs: 30 } as const;
    const runId = await withFault(api, rule, async () => {
      const started = await startedRun(api, id);
      await runThatIs(api, started, 'succeeded', 60_000);
      return started;
    });
    const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}`);
    expect(body.rowsMoved).toBe(3);
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT count(*) FROM survived' })).body.rows).toEqual([
      [3],
    ]);
  });
});

describe('a start whose function is killed', () => {
  it.for([5, 20, 60])('after %i ms is one run when it is repeated under its key', async (delayMs, { api }) => {
    const { id } = await givenPipeline(api, quick(), { concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' } });
    const idempotencyKey = crypto.randomUUID();
    const path = `/api/pipelines/${id}/run`;
    const headers = { 'idempotency-key': idempotencyKey };
    const start = () => api.as('editor').post(path, undefined, { headers });
    const rule = { service: 'lambda', resource: '-pipelines', effect: 'kill', times: 1, delayMs } as const;
    const token = await api.token('editor');
    // What the gateway answers for a dead function is no promise of the route.
    const first = await withFault(api, rule, () => call(api.endpoint, 'POST', path, { token, headers }));
    expect([201, 500]).toContain(first.status);

    const userId = (await api.as('editor').get('/api/auth/me')).body.user.id;
    const key = workspaceKey(api.workspaceId, 'IDEMPOTENCY', `${userId}#runPipeline#${idempotencyKey}`);
    const claim = await api.stored(key);
    if (claim && !claim.sealedReply) {
      const early = await start();
      expect(early).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
      expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(30);
      // As if the time had passed that the function could have lived for.
      await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { leaseUntil: 0 } })));
    }
    const again = await start();
    expect(again, JSON.stringify(again.body)).toMatchObject({ status: 201 });
    if (claim) expect(again.body.id).toBe(claim.newId);
    await runThatIs(api, again.body.id, 'succeeded');
    expect((await start()).body.id).toBe(again.body.id);
    expect((await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body.total).toBe(1);
  });
});

describe('an author', () => {
  it('gets an error when the engine is busy during a request for the lineage', async ({ api }) => {
    const { id } = await givenPipeline(api, quick());
    const reply = await withFault(api, BUSY_ENGINE, () => api.as('viewer').get(`/api/pipelines/${id}/lineage`));
    expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  });

  it('gets an error when the engine is busy during a preview of a step', async ({ api }) => {
    const { pipeline } = await finishedRun(api, dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const reply = await withFault(api, BUSY_ENGINE, () =>
      api.as('editor').post(`/api/pipelines/${pipeline.id}/transform-preview`, { stepId: 'b' }),
    );
    expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
  });
});
