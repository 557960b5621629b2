import { describe, expect } from 'vitest';
import type { Route } from '../../../shared/platform/http/route.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../support/api.ts';
import { givenDashboard, textCard } from '../../support/given/dashboard.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../support/given/metric.ts';
import { givenShare, publish } from '../../support/given/shares.ts';
import { ROUTES, somePath } from '../../support/samples.ts';

const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };

/** Bodies that pass the declarations, so that a request reaches the look-up of what its path names. */
const BODIES: Record<string, unknown> = {
  changeMember: { role: 'admin' },
  updateGroup: { name: 'mine' },
  updateSavedQuery: { name: 'mine' },
  setSavedQueryAccess: { level: 'editor' },
  updateModel: { name: 'mine' },
  publishModel: {},
  setModelAccess: { level: 'editor' },
  addModelTable: { sourceSchema: '', sourceTable: 'mine', alias: 'mine' },
  setMemberAttributes: { attributes: {} },
  createUpload: { path: 'a.csv', size: 1 },
  updateWebhook: { name: 'mine' },
  updatePipeline: { name: 'mine' },
  setPipelineSchedule: { everySeconds: 3600 },
  updateDataset: { name: 'mine' },
  setDatasetSchedule: { everySeconds: 3600 },
  updateDataSource: { name: 'mine' },
  updateDashboard: { name: 'mine' },
  restoreDashboard: {},
  createDashboardPage: { name: 'mine' },
  updateDashboardPage: { name: 'mine' },
  reorderDashboardPages: { pageIds: [] },
  createDashboardCard: { cardType: 'divider', position: { x: 0, y: 0, w: 1, h: 1 } },
  updateDashboardCard: { title: 'mine' },
  updateDashboardCards: { updates: [{ id: 'mine', title: 'mine' }] },
  reorderDashboardCards: { cardIds: [] },
  createDashboardFilter: { fieldId: 'mine', filterType: 'select' },
  updateDashboardFilter: { label: 'mine' },
  createDashboardBookmark: { name: 'mine', state: {} },
  updateDashboardBookmark: { name: 'mine' },
  publishDashboard: {},
  grantDashboardAccess: { email: 'mine@example.com', permission: 'viewer' },
  setDashboardAccess: { permission: 'editor' },
  setShareAi: { allowAi: true },
  updateTheme: { name: 'mine' },
  updateCdcStream: { enabled: false },
  resyncCdcStream: {},
};

/** One of everything that a path can name, in the workspace of the test. */
async function everything(api: Api): Promise<(route: Route, name: string) => string> {
  const owner = api.as('owner');
  const made = async (path: string, body: object) => (await owner.post(path, body)).body.id as string;
  const webhook = { name: 'x', url: 'https://example.com/', kind: 'generic', events: [] };
  const pipeline = await made('/api/pipelines', { name: 'x', dag });
  const ids: Record<string, string> = {
    webhooks: await made('/api/webhooks', webhook),
    pipelines: pipeline,
    'data-sources': await made('/api/data-sources', { name: 'x', type: 'file' }),
    'saved-queries': await made('/api/saved-queries', { name: 'x', sql: 'SELECT 1 AS a' }),
    models: await made('/api/models', { name: 'x', sourceId: 'datasets' }),
    metrics: (await givenMetric(api, (await givenSalesModel(api)).definition)).id,
    groups: await made('/api/groups', { name: 'x' }),
    dashboards: await made('/api/dashboards', { name: 'x' }),
    themes: await made('/api/themes', {
      name: 'x',
      tokens: { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false },
    }),
    'api-keys': await made('/api/api-keys', { name: 'x', scope: 'read' }),
    datasets: (await givenDataset(api, { name: 'x', sql: 'SELECT 1 AS a' })).id,
  };
  const shared = await givenDashboard(api, { name: 'shared' });
  await made(`${shared.path}/cards`, textCard('text'));
  await publish(api, shared.path);
  ids.shares = (await givenShare(api, shared.id)).id;
  const run = await made(`/api/pipelines/${pipeline}/run`, {});
  await api.joinAll();
  const { items } = (await owner.get('/api/workspaces/members')).body;
  const member = items.find((other: { role: string }) => other.role === 'editor').userId;
  return (route, name) => {
    if (name === 'runId') return run;
    if (name === 'userId') return member;
    return ids[route.path.split('/')[2]!] ?? newId();
  };
}

/** The path of the route with the given ids where it takes ids. */
function pathWith(route: Route, idFor: (name: string) => string): string {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  let used = 0;
  return somePath(route).replaceAll('00000000-0000-7000-8000-000000000000', () => idFor(names[used++] ?? 'id'));
}

/** What a reply says, without what differs from request to request. */
function said(reply: { status: number; body: unknown; headers: Headers }, ids: string[]): unknown {
  const { requestId: _request, instance: _instance, ...body } = reply.body as Record<string, unknown>;
  const text = ids.reduce((whole, id) => whole.replaceAll(id, '<id>'), JSON.stringify(body));
  return { status: reply.status, type: reply.headers.get('content-type'), text };
}

describe('a stranger', () => {
  it('learns nothing from the ids of another workspace, in any path', async ({ api }) => {
    const idOf = await everything(api);
    const before = JSON.stringify((await api.as('owner').get('/api/workspaces/members')).body);
    for (const route of ROUTES) {
      if (route.permission === 'public' || !route.path.includes('{') || 'events' in route.success) continue;
      const unknown = newId();
      const real = pathWith(route, (name) => idOf(route, name));
      const request = route.body ? { text: JSON.stringify(BODIES[route.operationId] ?? {}) } : {};
      const toReal = await api.as('stranger').send(route.method, real, request);
      const toUnknown = await api.as('stranger').send(
        route.method,
        pathWith(route, () => unknown),
        request,
      );
      const ids = [unknown, ...real.split(/[/?&=]/).filter((part) => /^[0-9a-f-]{36}$/.test(part))];
      expect(said(toReal, ids), `${route.operationId} ${real}`).toEqual(said(toUnknown, ids));
      expect(toReal.status, route.operationId).toBeGreaterThanOrEqual(400);
      if (!route.body || BODIES[route.operationId]) expect(toReal.status, route.operationId).toBe(404);
    }
    expect(JSON.stringify((await api.as('owner').get('/api/workspaces/members')).body)).toBe(before);
  });

  it('cannot make a query, a pipeline or a dataset refer to what belongs to another workspace', async ({ api }) => {
    const idOf = await everything(api);
    const idAt = (path: string) => idOf({ path } as Route, 'id');
    const stranger = api.as('stranger');
    for (const id of [idAt('/api/datasets'), newId()]) {
      expect(await stranger.post('/api/query', { datasetIds: [id], sql: 'SELECT * FROM x' })).toMatchObject({
        status: 404,
        body: { code: 'DATASET_NOT_FOUND' },
      });
    }
    const { email, password } = await api.password('editor');
    const elsewhere = (await stranger.get('/api/auth/me')).body.workspaceId;
    const signedIn = await api.as('anonymous').post('/api/auth/login', { email, password, workspaceId: elsewhere });
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
  });
});
