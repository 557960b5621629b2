import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../support/api.ts';
import { ROUTES } from '../../support/samples.ts';

interface List {
  path: string;
  /** The part of its partition key that names the list. */
  area: string;
  make(api: Api, name: string): Promise<{ status: number; body: unknown }>;
}

const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };
const flowlet = {
  inputs: [{ name: 'rows', columns: [{ name: 'a', type: 'integer' }] }],
  ops: [{ op: 'limit', count: 1 }],
};
const webhook = { url: 'http://127.0.0.1:9999/', kind: 'generic', events: ['*'] };
const post = (path: string, body: object) => (api: Api, name: string) => api.as('owner').post(path, { name, ...body });

/** The lists of records with names, by operation. */
const LISTS: Record<string, List> = {
  listApiKeys: { path: '/api/api-keys', area: 'API-KEY', make: post('/api/api-keys', { scope: 'read' }) },
  listServiceAccounts: {
    path: '/api/service-accounts',
    area: 'SERVICE-ACCOUNT',
    make: post('/api/service-accounts', { role: 'viewer' }),
  },
  listGroups: { path: '/api/groups', area: 'GROUP', make: post('/api/groups', {}) },
  listSecrets: {
    path: '/api/secrets',
    area: 'SECRET',
    make: (api, name) => api.as('owner').put(`/api/secrets/${name}`, { value: 'x' }),
  },
  listDataSources: {
    path: '/api/data-sources',
    area: 'DATA-SOURCE',
    make: post('/api/data-sources', { type: 'file' }),
  },
  listDatasets: { path: '/api/datasets', area: 'DATASET', make: post('/api/datasets', {}) },
  listSavedQueries: {
    path: '/api/saved-queries',
    area: 'SAVED-QUERY',
    make: post('/api/saved-queries', { sql: 'SELECT 1' }),
  },
  listPipelines: { path: '/api/pipelines', area: 'PIPELINE', make: post('/api/pipelines', { dag }) },
  listFlowlets: {
    path: '/api/pipelines/flowlets',
    area: 'FLOWLET-NAME',
    make: post('/api/pipelines/flowlets', flowlet),
  },
  listQualityTests: {
    path: '/api/data-quality/tests',
    area: 'QUALITY-TEST',
    make: async (api, name) => {
      await api.as('owner').post('/api/datasets', { name: 'checked' });
      return api.as('owner').post('/api/data-quality/tests', {
        name,
        testType: 'row_count',
        targetType: 'source_table',
        tableName: 'checked',
        config: { min: 1 },
      });
    },
  },
  listWebhooks: { path: '/api/webhooks', area: 'WEBHOOK', make: post('/api/webhooks', webhook) },
};

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

describe('lists of records with names', () => {
  it('are all those that declare a filter by name', () => {
    const declared = ROUTES.filter(({ query }) => {
      const properties = (query as { properties?: object } | undefined)?.properties ?? {};
      return 'name' in properties && 'sort' in properties;
    });
    expect(declared.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(LISTS).sort());
  });

  it.for(Object.entries(LISTS))(
    '%s finds one by its exact name, sorts, and counts what it found',
    async ([, list], { api }) => {
      for (const name of ['beta', 'alpha', 'gamma']) {
        const made = await list.make(api, name);
        expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
      }
      const get = (query: string) => api.as('owner').get(`${list.path}?${query}`);
      await expect.poll(async () => (await get('limit=10')).body.items.length).toBe(3);

      const found = await get('name=alpha');
      expect(found.body).toMatchObject({ items: [{ name: 'alpha' }], total: 1 });
      for (const other of ['alph', 'ALPHA', 'delta']) {
        expect((await get(`name=${other}`)).body).toMatchObject({ items: [], total: 0 });
      }
      expect(names(await get('sort=name'))).toEqual(['alpha', 'beta', 'gamma']);
      expect(names(await get('sort=-name&limit=2&offset=1'))).toEqual(['beta', 'alpha']);
      expect(names(await get('sort=createdAt'))).toEqual(['beta', 'alpha', 'gamma']);
      expect(names(await get('sort=-updatedAt&limit=1'))).toEqual(['gamma']);
      const wrong = await get('sort=nam');
      expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/sort', code: 'ENUM' }] } });
    },
  );

  it.for(Object.entries(LISTS))(
    '%s refuses to sort more than 5,000 records, and says what to do',
    async ([, list], { api }) => {
      const total = { pk: `W#${api.workspaceId}#${list.area}`, sk: '#TOTAL' };
      await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
      expect(await api.as('owner').get(`${list.path}?sort=name`)).toMatchObject({
        status: 400,
        body: { code: 'LIST_TOO_LARGE' },
      });
      expect((await api.as('owner').get(`${list.path}?sort=createdAt`)).status).toBe(200);
    },
  );
});

it('lists the pipelines of one status', async ({ api }) => {
  for (const [name, status] of [
    ['on', 'active'],
    ['off', 'paused'],
  ]) {
    expect((await api.as('owner').post('/api/pipelines', { name, dag, status })).status).toBe(201);
  }
  const list = (query: string) => api.as('owner').get(`/api/pipelines?${query}`);
  await expect.poll(async () => names(await list('status=paused'))).toEqual(['off']);
  await expect.poll(async () => names(await list('status=active'))).toEqual(['on']);
  expect((await list('status=active&name=off')).body).toMatchObject({ items: [], total: 0 });
});

it('takes no filter, order or offset of datasets beside a cursor', async ({ api }) => {
  for (const name of ['a', 'b']) await api.as('owner').post('/api/datasets', { name });
  await expect.poll(async () => (await api.as('owner').get('/api/datasets')).body.items.length).toBe(2);
  const { nextCursor } = (await api.as('owner').get('/api/datasets?limit=1')).body;
  const reply = await api.as('owner').get(`/api/datasets?cursor=${nextCursor}&name=a&sort=name&offset=1`);
  expect(reply.status).toBe(400);
  expect(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    '/query/name',
    '/query/offset',
    '/query/sort',
  ]);
});
