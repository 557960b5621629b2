import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenRevenue, givenTable, posted } from '../../../support/given/model.ts';

async function events(api: Api, name: string) {
  const { pk } = workspaceKey(api.workspaceId, 'OUTBOX', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  const { Items = [] } = await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }));
  return Items.filter(({ event }) => event === name);
}

describe('versions of a model', () => {
  it('are published, reported once, and restored as a whole', async ({ api }) => {
    const { id, path, orders, amount, revenue } = await givenRevenue(api);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const published = await api.as('editor').post(`${path}/publish`, {}, { headers });
    expect(published).toMatchObject({
      status: 200,
      body: {
        version: 1,
        gate: { passed: true, overridden: false, reasons: [] },
        tableCount: 1,
        fieldCount: 1,
        measureCount: 1,
      },
    });
    expect((await api.as('editor').post(`${path}/publish`, {}, { headers })).body).toEqual(published.body);
    const read = async () => (await api.as('viewer').get(path)).body;
    expect(await read()).toMatchObject({
      status: 'published',
      latestVersion: 1,
      hasUnpublishedChanges: false,
      revision: 2,
    });
    expect(await events(api, 'model.published')).toMatchObject([{ data: { modelId: id, version: 1 } }]);

    await api.as('editor').put(orders.path, { alias: 'sales' });
    await api.as('editor').delete(`${orders.path}/fields/${amount}`);
    await posted(api, `${path}/measures`, { name: 'Extra', expression: '1' });
    expect(await read()).toMatchObject({ hasUnpublishedChanges: true, staleMeasures: 1 });
    const restored = await api.as('editor').post(`${path}/versions/1/restore`);
    expect(restored).toMatchObject({ status: 200, body: { staleMeasures: 0, tableCount: 1, latestVersion: 1 } });
    const measures = (await api.as('viewer').get(`${path}/measures`)).body;
    expect(measures).toMatchObject({
      total: 1,
      items: [{ id: revenue, expression: 'SUM([orders.amount])', revision: 1 }],
    });
    expect((await api.as('viewer').get(orders.path)).body).toMatchObject({ alias: 'orders', revision: 3 });
    expect((await api.as('viewer').get(`${path}/fields`)).body.items).toMatchObject([{ id: amount, stale: false }]);

    await api.as('editor').post(`${path}/publish`);
    const list = (await api.as('viewer').get(`${path}/versions`)).body;
    expect(list.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect(list).toMatchObject({ total: 2, limit: 50, offset: 0 });
  });

  it('with issues are published by admins alone, with a reason that is kept', async ({ api }) => {
    const { path, orders, amount, revenue } = await givenRevenue(api);
    await givenTable(api, path, 'nothing');
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { dataType: 'string', aggregation: 'none' });
    await givenField(api, orders.path, 'gone', { sourceColumn: 'id' });
    const step = { type: 'remove_columns', config: { columns: ['id'] } };
    expect((await api.as('editor').post(`${orders.path}/transforms`, step)).status).toBe(200);
    const refused = await api.as('owner').post(`${path}/publish`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PUBLISH_GATE' } });
    expect(refused.body.reasons.map(({ code }: { code: string }) => code).sort()).toEqual([
      'COLUMN_MISSING',
      'MEASURE_STALE',
      'TABLE_MISSING',
    ]);
    expect(refused.body.reasons).toContainEqual(
      expect.objectContaining({ part: { type: 'measure', id: revenue, name: 'Revenue' } }),
    );
    const override = { override: true, overrideReason: 'The source is repaired tonight' };
    expect(await api.as('editor').post(`${path}/publish`, override)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    for (const overrideReason of [undefined, '  ']) {
      const reply = await api.as('owner').post(`${path}/publish`, { override: true, overrideReason });
      expect(reply).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/overrideReason', code: 'REQUIRED' }] },
      });
    }
    const forced = await api.as('owner').post(`${path}/publish`, override);
    expect(forced.body).toMatchObject({
      version: 1,
      overrideReason: override.overrideReason,
      gate: { passed: false, overridden: true },
    });
    expect((await api.as('viewer').get(`${path}/versions`)).body.items[0].gate.reasons).toHaveLength(3);
  });

  it('with other row-level security are restored by admins alone', async ({ api }) => {
    const { path, orders } = await givenRevenue(api);
    await api.as('editor').post(`${path}/publish`);
    const policy = { name: 'None', tableId: orders.id, filterExpression: 'FALSE', appliesTo: [{ type: 'everyone' }] };
    await api.as('owner').post(`${path}/rls`, policy);
    const restore = (actor: 'editor' | 'owner') => api.as(actor).post(`${path}/versions/1/restore`);
    expect(await restore('editor')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.as('owner').get(`${path}/rls`)).body.total).toBe(1);
    expect((await restore('owner')).status).toBe(200);
    expect((await api.as('owner').get(`${path}/rls`)).body.total).toBe(0);
    expect((await restore('editor')).status).toBe(200);
  });

  it('answer questions as one of them, while one after the other is restored', async ({ api }) => {
    const { path, orders, revenue } = await givenRevenue(api);
    await api.as('editor').post(`${path}/publish`);
    await api.as('editor').put(orders.path, { alias: 'sales' });
    await api.as('editor').put(`${path}/measures/${revenue}`, { expression: 'SUM([sales.amount]) * 2' });
    await api.as('editor').post(`${path}/publish`);
    const restored = (async () => {
      const statuses: number[] = [];
      for (const version of [1, 2, 1, 2, 1, 2])
        statuses.push((await api.as('owner').post(`${path}/versions/${version}/restore`)).status);
      return statuses;
    })();
    let isRestoring = true;
    const ended = restored.finally(() => {
      isRestoring = false;
    });
    const ask = async () => {
      const reply = await api.as('viewer').post(`${path}/query`, { measures: [{ measureId: revenue }] });
      return reply.status === 200 ? Number(reply.body.rows[0][0]) : reply.body;
    };
    const asked: unknown[] = [];
    const askOn = async () => {
      while (isRestoring) asked.push(await ask());
    };
    await Promise.all([askOn(), askOn()]);
    expect(await ended).toEqual([200, 200, 200, 200, 200, 200]);
    expect(asked.filter((value) => value !== 2.5 && value !== 5)).toEqual([]);
    expect(await ask()).toBe(5);
    await api.as('owner').post(`${path}/versions/1/restore`);
    expect(await ask()).toBe(2.5);
  });
});
