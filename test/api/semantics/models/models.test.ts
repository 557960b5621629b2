import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

async function itemsIn(api: Api, area: string): Promise<Record<string, unknown>[]> {
  const { pk } = workspaceKey(api.workspaceId, area, '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }))).Items!;
}

const database = (api: Api, body: object = {}) =>
  api.as('owner').post('/api/data-sources', {
    name: 'warehouse',
    type: 'postgres',
    config: { host: '127.0.0.1', database: 'x', user: 'x' },
    secrets: { password: 'x' },
    ...body,
  });

describe('models', () => {
  it('are created, read, changed, listed and deleted', async ({ api }) => {
    const { id, path } = await givenModel(api, { description: 'What we sell' });
    const read = await api.as('viewer').get(path);
    expect(read).toMatchObject({
      status: 200,
      body: {
        id,
        workspaceId: api.workspaceId,
        name: 'Sales',
        description: 'What we sell',
        sourceId: 'datasets',
        isCertified: false,
        status: 'draft',
        latestVersion: null,
        tableCount: 0,
        staleMeasures: 0,
        health: { errors: 0, warnings: 0 },
        revision: 1,
      },
    });
    expect(read.headers.get('etag')).toBe('"1"');
    expect(read.body).not.toHaveProperty('edition');
    const changed = await api.as('editor').put(path, { name: 'Revenue' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Revenue', description: 'What we sell', revision: 2 } });
    expect((await api.as('viewer').get('/api/models')).body).toMatchObject({
      total: 1,
      items: [{ id, name: 'Revenue' }],
    });
    expect((await api.as('editor').delete(path)).status).toBe(204);
    for (const reply of [
      await api.as('viewer').get(path),
      await api.as('editor').put(path, { name: 'x' }),
      await api.as('editor').delete(path),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    }
    expect((await api.as('viewer').get('/api/models')).body.total).toBe(0);
  });

  it('report their creation to webhooks once, also if the request is repeated', async ({ api }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { name: 'Sales', sourceId: 'datasets' };
    const made = await api.as('editor').post('/api/models', body, { headers });
    expect(await api.as('editor').post('/api/models', body, { headers })).toMatchObject({
      status: 201,
      body: made.body,
    });
    const events = (await itemsIn(api, 'OUTBOX')).filter(({ event }) => event === 'model.created');
    expect(events).toMatchObject([
      {
        data: {
          modelId: made.body.id,
          modelName: 'Sales',
          createdBy: made.body.createdBy,
          url: `/api/models/${made.body.id}`,
        },
      },
    ]);
  });

  it('have a name of their own, whatever its case, which a deletion or a new name frees', async ({ api }) => {
    const { path } = await givenModel(api);
    const other = await givenModel(api, { name: 'Stock' });
    const taken = { status: 409, body: { code: 'MODEL_NAME_TAKEN' } };
    expect(await api.as('editor').post('/api/models', { name: 'SALES', sourceId: 'datasets' })).toMatchObject(taken);
    expect(await api.as('editor').put(other.path, { name: 'sales' })).toMatchObject(taken);
    expect((await api.as('editor').put(path, { name: 'sales' })).body.name).toBe('sales');
    await api.as('editor').delete(path);
    expect((await api.as('editor').put(other.path, { name: 'Sales' })).status).toBe(200);
    expect((await api.as('stranger').post('/api/models', { name: 'Sales', sourceId: 'datasets' })).status).toBe(201);
  });

  it('are found by text, and sorted by last change, name or number of tables', async ({ api }) => {
    const beta = await givenModel(api, { name: 'beta', description: 'Orders of 2026' });
    await givenModel(api, { name: 'alpha' });
    await givenModel(api, { name: 'gamma' });
    await givenTable(api, beta.path);
    const list = (query: string) => api.as('viewer').get(`/api/models?${query}`);
    await expect.poll(async () => names(await list('limit=3'))).toEqual(['beta', 'gamma', 'alpha']);
    expect(names(await list('sort=name'))).toEqual(['alpha', 'beta', 'gamma']);
    expect(names(await list('sort=tables'))).toEqual(['beta', 'alpha', 'gamma']);
    expect(names(await list('sort=tables&limit=1&offset=1'))).toEqual(['alpha']);
    const { status } = await api.as('owner').put(beta.path, { isCertified: true });
    expect(status).toBe(200);
    expect(names(await list('isCertified=true'))).toEqual(['beta']);
    expect(names(await list('isCertified=false&sourceId=datasets&status=draft&sort=name'))).toEqual(['alpha', 'gamma']);
    for (const none of ['status=published', 'sourceId=other']) expect(names(await list(none))).toEqual([]);
    expect((await list('search=ORDERS')).body).toMatchObject({ total: 1, items: [{ name: 'beta', tableCount: 1 }] });
    expect((await list('search=amm')).body).toMatchObject({ total: 1, items: [{ name: 'gamma' }] });
    expect(await list('offset=10001')).toMatchObject({ status: 400, body: { code: 'OFFSET_TOO_LARGE' } });
    const total = { pk: `W#${api.workspaceId}#MODEL`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await list('')).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LARGE' } });
  });

  it('state who certified them and when, until the certification ends', async ({ api }) => {
    const { path } = await givenModel(api);
    const owner = api.as('owner');
    const me = (await owner.get('/api/auth/me')).body.user.name;
    expect(await api.as('editor').put(path, { isCertified: true })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const first = await owner.put(path, { isCertified: true });
    expect(first.body).toMatchObject({ isCertified: true, certifiedBy: me });
    const renamed = await api.as('editor').put(path, { name: 'Other' });
    expect(renamed.body).toMatchObject({ certifiedBy: me, certifiedAt: first.body.certifiedAt });
    const team = await owner.put(path, { certifiedBy: 'Finance' });
    expect(team.body).toMatchObject({ isCertified: true, certifiedBy: 'Finance' });
    const ended = await owner.put(path, { isCertified: false });
    expect(ended.body).toMatchObject({ isCertified: false, certifiedBy: null, certifiedAt: null });
  });

  it('over a database keep the data source from being deleted', async ({ api }) => {
    const source = await database(api);
    expect(source.status, JSON.stringify(source.body)).toBe(201);
    const { id, path } = await givenModel(api, { sourceId: source.body.id });
    expect(await api.as('owner').delete(`/api/data-sources/${source.body.id}`)).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'model', id, name: 'Sales' }] },
    });
    await api.as('editor').delete(path);
    expect((await api.as('owner').delete(`/api/data-sources/${source.body.id}`)).status).toBe(204);
    const gone = await api.as('editor').post('/api/models', { name: 'x', sourceId: source.body.id });
    expect(gone).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
  });

  it('need a source that can be queried in place', async ({ api }) => {
    const files = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    expect(await api.as('editor').post('/api/models', { name: 'x', sourceId: files.body.id })).toMatchObject({
      status: 409,
      body: { code: 'SOURCE_NOT_QUERYABLE' },
    });
    expect(await api.as('editor').post('/api/models', { name: 'x', sourceId: 'dataset' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/sourceId' }] },
    });
  });

  it('are changed under the revision that a client has read, which changes of their tables do not affect', async ({
    api,
  }) => {
    const { path } = await givenModel(api);
    await givenTable(api, path);
    const headers = { 'if-match': '"1"' };
    expect(await api.as('editor').put(path, { name: 'first' }, { headers })).toMatchObject({ body: { revision: 2 } });
    for (const reply of [
      await api.as('editor').put(path, { name: 'second' }, { headers }),
      await api.as('editor').delete(path, { headers }),
    ]) {
      expect(reply).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    }
    expect((await api.as('editor').delete(path, { headers: { 'if-match': '"2"' } })).status).toBe(204);
  });

  it('leave nothing behind when they are deleted', async ({ api }) => {
    const { id, path } = await givenModel(api);
    const table = await givenTable(api, path);
    await givenField(api, table.path, 'amount');
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    await api.as('editor').put(`${path}/access/user/${me}`, { level: 'editor' });
    expect((await itemsIn(api, `MODEL#${id}`)).length).toBe(2);
    await api.as('editor').delete(path);
    for (const area of [`MODEL#${id}`, `GRANT#model#${id}`]) expect(await itemsIn(api, area)).toEqual([]);
    expect(await api.as('viewer').get(table.path)).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
  });

  it('are written by editors and read by viewers, and are invisible to another workspace', async ({ api }) => {
    const { path } = await givenModel(api);
    for (const reply of [
      await api.as('viewer').post('/api/models', { name: 'x', sourceId: 'datasets' }),
      await api.as('viewer').put(path, { name: 'x' }),
      await api.as('viewer').delete(path),
      await api.as('viewer').get(`${path}/access`),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    for (const reply of [
      await api.as('stranger').get(path),
      await api.as('stranger').put(path, { name: 'x' }),
      await api.as('stranger').delete(path),
      await api.as('stranger').get(`${path}/access`),
      await api.as('stranger').put(`${path}/access/user/${me}`, { level: 'editor' }),
      await api.as('stranger').delete(`${path}/access/user/${me}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    }
    expect((await api.as('stranger').get('/api/models')).body.total).toBe(0);
  });

  it('may be edited by viewers to whom that was granted', async ({ api }) => {
    const { path } = await givenModel(api);
    const other = await givenModel(api, { name: 'Other' });
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    const access = `${path}/access/user/${me}`;
    const add = (model: string, alias: string) =>
      api.as('viewer').post(`${model}/tables`, { sourceSchema: '', sourceTable: 'orders', alias });
    expect((await add(path, 'a')).status).toBe(403);
    expect(await api.as('editor').put(access, { level: 'viewer' })).toMatchObject({ body: { level: 'viewer' } });
    expect((await add(path, 'a')).status).toBe(403);
    await api.as('editor').put(access, { level: 'editor' });
    expect((await add(path, 'a')).status).toBe(201);
    expect((await api.as('viewer').put(path, { description: 'mine' })).status).toBe(200);
    expect((await api.as('viewer').get(`${path}/access`)).body).toMatchObject({
      total: 1,
      items: [{ granteeId: me, level: 'editor' }],
    });
    expect((await add(other.path, 'a')).status).toBe(403);
    expect((await api.as('viewer').delete(path)).status).toBe(403);
    expect((await api.as('editor').delete(access)).status).toBe(204);
    expect((await add(path, 'b')).status).toBe(403);
    const unknownId = crypto.randomUUID();
    expect(await api.as('editor').put(`${path}/access/user/${unknownId}`, { level: 'editor' })).toMatchObject({
      status: 404,
      body: { code: 'MEMBER_NOT_FOUND' },
    });
    expect(await api.as('editor').put(`${path}/access/group/${unknownId}`, { level: 'editor' })).toMatchObject({
      status: 404,
      body: { code: 'GROUP_NOT_FOUND' },
    });
  });
});
