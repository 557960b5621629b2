import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { companyKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, hookUrl, load, runThatIs, sql, startedRun } from './given.ts';

const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));
const month = () => new Date().toISOString().slice(0, 7);

/** While `work` runs, the company may use no more than `hours` a month. */
async function withAllowance(api: Api, hours: number, work: (key: { pk: string; sk: string }) => Promise<void>) {
  const key = companyKey(api.companyId, 'ENTITLEMENT#PLAN#pipelines');
  const before = await api.stored(key);
  const plan = { product: 'pipelines', planKey: 'tiny', overageOptIn: false, draft: false, allowance: hours };
  await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: { ...key, ...plan } }));
  try {
    await work(key);
  } finally {
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: before! }));
  }
}

describe('the allowance of a month', () => {
  it('stops new runs and retries when it is used up, unless the plan lets the company pay for more', async ({
    api,
  }) => {
    const { id } = await givenPipeline(api, { ...quick(), trigger: { kind: 'webhook' } });
    const { pathname, search } = await hookUrl(api, id);
    const failed = await finishedRun(api, dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x")), 'failed');
    await withAllowance(api, 0, async (key) => {
      const replies = [
        await api.as('editor').post(`/api/pipelines/${id}/run`),
        await api.as('editor').post(`/api/pipelines/runs/${failed.run.id}/retry`),
        await api.as('editor').post(`/api/pipelines/${id}/backfill`, { from: '2026-01-01', to: '2026-01-02' }),
        await api.as('anonymous').post(pathname + search, {}),
      ];
      for (const reply of replies) {
        expect(reply).toMatchObject({ status: 429, body: { code: 'ALLOWANCE_EXHAUSTED' } });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await api.as('viewer').get(`/api/pipelines/${id}/runs`)).body.total).toBe(0);
      expect((await api.as('viewer').get(`/api/pipelines/runs/${failed.run.id}`)).body.status).toBe('failed');
      await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { overageOptIn: true } })));
      await runThatIs(api, await startedRun(api, id), 'succeeded');
    });
  });
});

describe('usage of pipelines', () => {
  it('agrees over workspace, pipelines, sinks and product card, also after the pipeline is deleted', async ({
    api,
  }) => {
    const made = await finishedRun(api, dagOf(sql('a', 'SELECT * FROM range(10)'), load('b', 'a', 'numbers')));
    await finishedRun(api, quick());
    const { body: usage } = await api.as('owner').get('/api/pipelines/usage');
    expect(usage).toMatchObject({ month: month(), rowsMoved: 10, runs: 2 });
    expect(usage.executionSeconds).toBeGreaterThan(0);
    const { body } = await api.as('owner').get('/api/pipelines/usage/breakdown');
    expect(body.sinks).toMatchObject([{ kind: 'dataset', name: 'numbers', rowsMoved: 10 }]);
    for (const name of ['executionSeconds', 'rowsMoved', 'bytesMoved', 'runs'] as const) {
      const sum = body.pipelines.reduce((all: number, pipeline: Record<string, number>) => all + pipeline[name]!, 0);
      expect(sum, name).toBeCloseTo(usage[name], 6);
    }
    const card = (await api.as('owner').get('/api/usage/products')).body.products.pipelines.currentPeriod;
    expect(card).toMatchObject({ rows_moved: usage.rowsMoved, bytes_moved: usage.bytesMoved, runs: usage.runs });
    expect(card.execution_seconds).toBeCloseTo(usage.executionSeconds, 6);

    const name = (await api.as('owner').get(`/api/pipelines/${made.pipeline.id}`)).body.name;
    expect((await api.as('editor').delete(`/api/pipelines/${made.pipeline.id}`)).status).toBe(204);
    const after = (await api.as('owner').get(`/api/pipelines/usage/breakdown?month=${month()}`)).body;
    expect(after.pipelines).toContainEqual(expect.objectContaining({ pipelineId: made.pipeline.id, name }));
  });

  it('is for admins of the workspace alone, and a stranger sees their own', async ({ api }) => {
    await finishedRun(api, quick());
    for (const path of ['/api/pipelines/usage', '/api/pipelines/usage/breakdown']) {
      expect((await api.as('editor').get(path)).status).toBe(403);
      expect((await api.as('anonymous').get(path)).status).toBe(401);
    }
    expect((await api.as('stranger').get('/api/pipelines/usage')).body).toMatchObject({ runs: 0, rowsMoved: 0 });
    expect((await api.as('stranger').get('/api/pipelines/usage/breakdown')).body).toMatchObject({
      pipelines: [],
      sinks: [],
    });
  });

  it('refuses what is no month, and answers an empty one with zeros', async ({ api }) => {
    expect(await api.as('owner').get('/api/pipelines/usage/breakdown?month=2026-13')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/month' }] },
    });
    expect((await api.as('owner').get('/api/pipelines/usage/breakdown?month=1999-01')).body).toEqual({
      month: '1999-01',
      pipelines: [],
      sinks: [],
    });
  });
});
