import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { ROUTES } from '../../../support/samples.ts';

interface List {
  path: string;
  /** The part of its partition key that names the list. */
  area: string;
  make(api: Api, name: string): Promise<{ status: number; body: unknown }>;
  /** Reads all records in any order, because what a caller sees depends on each of them. */
  readsAll?: true;
}

const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };
const flowlet = {
  inputs: [{ name: 'rows', columns: [{ name: 'a', type: 'integer' }] }],
  ops: [{ op: 'limit', count: 1 }],
};
const webhook = { url: 'http://127.0.0.1:9999/', kind: 'generic', events: ['*'] };
const post = (path: string, body: object) => (api: Api, name: string) => api.as('owner').post(path, { name, ...body });

const tokens = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };

/** The metrics of a test have one model. */
const salesModels = new WeakMap<Api, Promise<object>>();
async function makeMetric(api: Api, name: string) {
  if (!salesModels.has(api))
    salesModels.set(
      api,
      givenSalesModel(api).then(({ definition }) => definition),
    );
  return api.as('owner').post('/api/metrics', { ...(await salesModels.get(api)), name });
}

/** The blends of a test join the same tables. */
const joined = new WeakMap<Api, Promise<object>>();
async function makeBlend(api: Api, name: string) {
  if (!joined.has(api))
    joined.set(
      api,
      givenShopAndDesk(api).then(({ body }) => body),
    );
  return api.as('owner').post('/api/composite-models', { ...(await joined.get(api)), name });
}

async function makeDigest(api: Api, name: string) {
  const metric = await makeMetric(api, `metric of ${name}`);
  const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const body = { name, metricIds: [metric.body.id], cron: '@weekly', recipientIds: [me] };
  return api.as('owner').post('/api/metrics/digests', body);
}

/** The lists of records with names of a workspace, by operation. */
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
  listModels: { path: '/api/models', area: 'MODEL', make: post('/api/models', { sourceId: 'datasets' }) },
  listBlends: { path: '/api/composite-models', area: 'BLEND', make: makeBlend },
  listTerms: {
    path: '/api/catalog/terms',
    area: 'TERM',
    make: post('/api/catalog/terms', { definition: 'What it means' }),
  },
  listMetrics: { path: '/api/metrics', area: 'METRIC', make: makeMetric },
  listDigests: { path: '/api/metrics/digests', area: 'METRIC-DIGEST', make: makeDigest },
  listDashboards: { path: '/api/dashboards', area: 'DASHBOARD', make: post('/api/dashboards', {}), readsAll: true },
  listReports: { path: '/api/reports', area: 'REPORT', make: post('/api/reports', {}), readsAll: true },
  listThemes: { path: '/api/themes', area: 'THEME', make: post('/api/themes', { tokens }) },
  listWebhooks: { path: '/api/webhooks', area: 'WEBHOOK', make: post('/api/webhooks', webhook) },
};

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

describe('lists of records with names', () => {
  it('are all those that declare a filter by name', () => {
    const declared = ROUTES.filter(({ query }) => {
      const properties = (query as { properties?: object } | undefined)?.properties ?? {};
      return 'name' in properties && 'sort' in properties;
    });
    const ofWorkspace = declared.filter(({ operationId }) => operationId !== 'listCompanyWorkspaces');
    expect(ofWorkspace.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(LISTS).sort());
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
      const all = await api.as('owner').get(`${list.path}?sort=createdAt`);
      expect(all.status).toBe(list.readsAll ? 400 : 200);
    },
  );
});

it('pages of dashboards find one by its name', async ({ api }) => {
  for (const name of ['beta', 'alpha']) await api.as('owner').post('/api/dashboards', { name });
  const list = (query: string) => api.as('owner').get(`/api/dashboards/page?${query}`);
  await expect.poll(async () => names(await list(''))).toEqual(['alpha', 'beta']);
  expect((await list('name=beta')).body).toMatchObject({ items: [{ name: 'beta' }], total: 1, nextCursor: null });
});

it('parts of a model are found by name', async ({ api }) => {
  const { path, table } = await givenSalesModel(api);
  const list = async (query: string) => (await api.as('owner').get(`${path}/${query}`)).body;
  const [region] = (await list('fields?name=region')).items;
  expect(region).toMatchObject({ name: 'region', tableId: table.id });
  expect(await list(`tables/${table.id}/fields?name=region`)).toMatchObject({ items: [region], total: 1 });
  expect(await list('measures?name=Revenue')).toMatchObject({ items: [{ name: 'Revenue' }], total: 1 });
  for (const part of ['fields', `tables/${table.id}/fields`, 'measures', 'hierarchies', 'rollups', 'rls'])
    expect(await list(`${part}?name=Region`), part).toMatchObject({ items: [], total: 0 });
});

it('data sources have a filter by type, webhooks by kind and `enabled`, service accounts by role', async ({ api }) => {
  const owner = api.as('owner');
  await owner.post('/api/data-sources', { name: 'files', type: 'file' });
  await owner.post('/api/webhooks', { name: 'on', ...webhook });
  await owner.post('/api/webhooks', { name: 'off', ...webhook, enabled: false });
  for (const role of ['viewer', 'editor']) await owner.post('/api/service-accounts', { name: role, role });
  await expect.poll(async () => names(await owner.get('/api/data-sources?type=file'))).toEqual(['files']);
  expect((await owner.get('/api/data-sources?type=postgres')).body).toMatchObject({ items: [], total: 0 });
  await expect.poll(async () => names(await owner.get('/api/webhooks?enabled=false'))).toEqual(['off']);
  await expect.poll(async () => names(await owner.get('/api/webhooks?enabled=true'))).toEqual(['on']);
  expect(names(await owner.get('/api/webhooks?kind=generic&sort=name'))).toEqual(['off', 'on']);
  expect((await owner.get('/api/webhooks?kind=chat')).body).toMatchObject({ items: [], total: 0 });
  await expect.poll(async () => names(await owner.get('/api/service-accounts?role=editor'))).toEqual(['editor']);
  expect((await owner.get('/api/service-accounts?role=admin')).body).toMatchObject({ items: [], total: 0 });
});

it('lists the runs of one status, among the newest of a history without end', async ({ api }) => {
  const { id } = (await api.as('owner').post('/api/pipelines', { name: 'p', dag })).body;
  const list = async (query: string) => (await api.as('viewer').get(`/api/pipelines/${id}/runs?${query}`)).body;
  const run = (await api.as('owner').post(`/api/pipelines/${id}/run`)).body;
  await expect
    .poll(async () => (await list('status=succeeded')).items.map((each: { id: string }) => each.id))
    .toEqual([run.id]);
  expect(await list('status=failed')).toMatchObject({ items: [], total: 0 });
  const total = { pk: `W#${api.workspaceId}#RUN#${id}`, sk: '#TOTAL' };
  await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
  expect(await list('status=succeeded')).toMatchObject({ items: [{ id: run.id }], total: 1 });
});

it('people are found by email, text and role', async ({ api }) => {
  await api.joinAll();
  const owner = api.as('owner');
  const { email } = (await api.as('editor').get('/api/auth/me')).body.user;
  const found = async (path: string) => {
    const reply = await owner.get(path);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.total).toBe(reply.body.items.length);
    return reply.body.items.map((person: { email: string }) => person.email);
  };
  const search = `search=${encodeURIComponent(email.slice(1, 20).toUpperCase())}`;
  for (const list of ['/api/workspaces/members', '/api/company/members']) {
    expect(await found(`${list}?email=${encodeURIComponent(email.toUpperCase())}`), list).toEqual([email]);
    expect(await found(`${list}?${search}`), list).toContain(email);
    expect(await found(`${list}?email=nobody@example.com`), list).toEqual([]);
  }
  expect(await found('/api/workspaces/members?role=editor')).toEqual([email]);
  const byEmail = await found('/api/workspaces/members?sort=email');
  expect(byEmail).toEqual(byEmail.toSorted((a: string, b: string) => a.localeCompare(b, 'en')));
  expect(await found('/api/workspaces/members?sort=-email')).toEqual(byEmail.toReversed());
  const ofCompany = await owner.get('/api/company/members?sort=-email&limit=200');
  const emails = ofCompany.body.items.map((person: { email: string }) => person.email);
  expect(emails).toEqual(emails.toSorted((a: string, b: string) => b.localeCompare(a, 'en')));
  expect(await found('/api/company/members?companyRole=company_admin&active=true')).not.toContain(email);
  // The tests of a workspace share a company: others may have deactivated people of theirs.
  expect(await found('/api/company/members?active=false')).not.toContain(email);
  const guest = 'guest@example.com';
  for (const invited of [guest, 'other@example.com'])
    await owner.post('/api/workspaces/invitations', { email: invited, role: invited === guest ? 'viewer' : 'admin' });
  expect(await found(`/api/workspaces/invitations?email=${guest}`)).toEqual([guest]);
  expect(await found('/api/workspaces/invitations?email=third@example.com')).toEqual([]);
  expect(await found('/api/workspaces/invitations?role=admin')).toEqual(['other@example.com']);
  expect(await found(`/api/workspaces/invitations?role=admin&email=${guest}`)).toEqual([]);
  expect(await found('/api/workspaces/invitations?sort=updatedAt')).toEqual([guest, 'other@example.com']);
  const total = { pk: `W#${api.workspaceId}#INVITATION`, sk: '#TOTAL' };
  await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
  expect(await owner.get('/api/workspaces/invitations?role=admin')).toMatchObject({
    status: 400,
    body: { code: 'LIST_TOO_LARGE' },
  });
});

it('workspaces of the company are found by name', async ({ api }) => {
  // Workspaces of other tests have the same name.
  const name = `Test ${api.workspaceId}`;
  expect((await api.as('owner').patch('/api/workspaces/current', { name })).status).toBe(200);
  const list = (query: string) => api.as('owner').get(`/api/company/workspaces?${query}`);
  expect(
    (await list(`name=${encodeURIComponent(name)}&search=${encodeURIComponent(name.toUpperCase())}`)).body.items,
  ).toMatchObject([{ id: api.workspaceId }]);
  expect((await list('name=unknown')).body).toMatchObject({ items: [], total: 0 });
  const sorted = names(await list('sort=-name&limit=200'));
  expect(sorted).toEqual(sorted.toSorted((a, b) => b.localeCompare(a, 'en')));
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
