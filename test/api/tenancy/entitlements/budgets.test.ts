import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { changeCompany } from '../../../support/operator.ts';
import { dagOf, finishedRun, load, sql } from '../../pipelines/pipelines/given.ts';

const month = () => new Date().toISOString().slice(0, 7);
const budgets = (execution_hours: number | null, storage_gb: number | null) => ({
  pipelines: { execution_hours },
  warehouse: { storage_gb },
});

async function exceeded(api: Api) {
  const found = await api.table.db.send(
    new QueryCommand({
      TableName: api.table.name,
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: '#event = :event',
      ExpressionAttributeNames: { '#event': 'event' },
      ExpressionAttributeValues: {
        ':pk': workspaceKey(api.workspaceId, 'OUTBOX', '').pk,
        ':event': 'usage.budget_exceeded',
      },
    }),
  );
  return (found.Items ?? []).map((item) => item.data);
}

const loaded = (api: Api, rows: number, name: string) =>
  finishedRun(api, dagOf(sql('a', `SELECT * FROM range(${rows})`), load('b', 'a', name)));

describe('budgets', () => {
  it('are set by company admins, for their workspace alone', async ({ api }) => {
    expect((await api.as('owner').get('/api/usage/budgets')).body).toEqual({
      workspaceId: api.workspaceId,
      ...budgets(null, null),
      updatedBy: null,
      updatedAt: null,
    });
    for (const actor of ['admin', 'editor'] as const) {
      expect((await api.as(actor).put('/api/usage/budgets', budgets(1, 1))).status).toBe(403);
    }
    expect((await api.as('owner').put('/api/usage/budgets', budgets(-1, 1))).status).toBe(400);
    expect(await api.as('owner').put('/api/usage/budgets', budgets(1, 0.5))).toMatchObject({
      status: 200,
      body: budgets(1, 0.5),
    });
    expect((await api.as('admin').get('/api/usage/budgets')).body).toMatchObject(budgets(1, 0.5));
    expect((await api.as('stranger').get('/api/usage/budgets')).body).toMatchObject(budgets(null, null));
  });

  it('are reported once per product and month when the use crosses them, and stop nothing', async ({ api }) => {
    await loaded(api, 10, 'before');
    expect(await exceeded(api)).toEqual([]);
    await api.as('owner').put('/api/usage/budgets', budgets(1e-9, 1e-7));
    for (const name of ['one', 'two']) await loaded(api, 1000, name);
    const events = await exceeded(api);
    expect(events).toHaveLength(2);
    for (const [product, measure] of [
      ['pipelines', 'execution_seconds'],
      ['warehouse', 'storage_bytes'],
    ]) {
      expect(events).toContainEqual(expect.objectContaining({ product, measure, month: month(), hardCap: false }));
    }
  });

  it('are the allowance of the plan until they are set, and a load above a hard cap is rejected', async ({ api }) => {
    const row = { product: 'warehouse', planKey: 'tiny', draft: false } as const;
    await changeCompany(api, { change: 'plan', ...row, overageOptIn: false, allowance: 1e-6 });
    const { run } = await finishedRun(
      api,
      dagOf(sql('a', 'SELECT hash(range) AS x FROM range(10000)'), load('b', 'a', 'large')),
      'failed',
    );
    expect(run.error.code).toBe('ALLOWANCE_EXHAUSTED');
    expect(await exceeded(api)).toEqual([expect.objectContaining({ product: 'warehouse', hardCap: true })]);
    expect((await api.as('viewer').get('/api/datasets?name=large')).body.total).toBe(0);

    await changeCompany(api, { change: 'plan', ...row, overageOptIn: true, allowance: 1e-6 });
    await loaded(api, 10_000, 'large');
    expect((await api.as('viewer').get('/api/datasets?name=large')).body.total).toBe(1);
  });
});

describe('GET /api/usage/products', () => {
  it('shows the peak of each month, and what is stored now', async ({ api }) => {
    const Item = {
      ...workspaceKey(api.workspaceId, 'USAGE', 'STORAGE'),
      bytes: 40,
      month: '2026-03',
      peakBytes: 100,
      earlier: { '2026-01': { peakBytes: 70, bytes: 60 } },
    };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
    const peak = async (of: string) =>
      (await api.as('owner').get(`/api/usage/products?month=${of}`)).body.products.warehouse.currentPeriod;
    expect(await peak('2026-01')).toMatchObject({ storage_bytes: 70, storage_bytes_current: 40 });
    expect(await peak('2026-02')).toMatchObject({ storage_bytes: 60 });
    expect(await peak('2026-03')).toMatchObject({ storage_bytes: 100 });
    expect(await peak('2026-04')).toMatchObject({ storage_bytes: 40 });
    for (const query of ['month=2026-13', 'month=now', 'year=2026']) {
      expect((await api.as('owner').get(`/api/usage/products?${query}`)).status, query).toBe(400);
    }
    expect((await api.as('editor').get('/api/usage/products')).status).toBe(403);
  });
});
