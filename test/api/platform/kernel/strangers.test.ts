import { describe, expect } from 'vitest';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProvider } from '../../../support/given/identity-provider.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { publish } from '../../../support/given/shares.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };

const SOME_ID = '00000000-0000-7000-8000-000000000000';
const KEY = { left: 'mine', right: 'mine' };

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
  updateReport: { name: 'mine' },
  restoreReport: {},
  updateStory: { title: 'mine' },
  archiveStory: { archived: true },
  addStorySection: { title: 'mine' },
  updateStorySection: { title: 'mine' },
  reorderStorySections: { order: [] },
  updateStorySectionWork: { status: 'done' },
  setStorySectionEditors: { userIds: [] },
  setStorySectionReadOnly: { locked: true },
  setStorySectionVisibility: { visibility: 'everyone' },
  lockStorySection: {},
  shareStoryToChat: { webhookId: '00000000-0000-7000-8000-000000000000' },
  rewriteStoryText: { text: 'mine', action: 'fix' },
  refreshStorySection: { paragraphs: [{ blockId: 'a', text: 'x' }], changes: [{ valueId: 'v', from: '1', to: '2' }] },
  requestStoryReview: { reviewerIds: ['00000000-0000-7000-8000-000000000000'] },
  decideStoryReview: { decision: 'approved' },
  reportStoryPresence: {},
  grantStoryAccess: { email: 'mine@example.com', permission: 'viewer' },
  setStoryAccess: { permission: 'editor' },
  acceptStorySuggestions: { commentIds: ['00000000-0000-7000-8000-000000000000'] },
  replaceBlend: {
    name: 'mine',
    leftTableId: SOME_ID,
    leftAlias: 'a',
    rightTableId: SOME_ID,
    rightAlias: 'b',
    keys: [KEY],
  },
  executeBlend: { leftColumns: ['mine'], rightColumns: [] },
  setBlendAccess: { level: 'editor' },
  updateTerm: { name: 'mine' },
  restoreTerm: {},
  updateCatalogDomain: { name: 'mine' },
  setTermLink: { role: 'about' },
  rejectTermProposal: {},
  updateAlert: { name: 'mine' },
  snoozeAlert: { until: null },
  readReportBlock: {},
  readStoryBlock: {},
  readStoryBlocks: { blocks: [{ blockId: 'a' }] },
  streamDashboardCards: {},
  setReportAccess: { level: 'editor' },
  setShareAi: { allowAi: true },
  updateTheme: { name: 'mine' },
  updateCdcStream: { enabled: false },
  resyncCdcStream: {},
  updateIdentityProvider: { name: 'mine' },
  updateServiceAccount: { name: 'mine' },
  changeCompanyMember: { companyRole: 'member' },
  updateQualityTest: { name: 'mine' },
  storeFailingRows: {},
  updateScanSchedule: { scheduleEnabled: false },
  updateDigest: { name: 'mine' },
};

/** What a path names that a stranger has too, or that takes long to make, with the tests that send a stranger there. */
const ELSEWHERE: Record<string, string> = {
  '/api/auth/sessions': 'auth/account: a user ends only their own',
  '/api/auth/passkeys': 'auth/passkeys: belong to their user',
  '/api/comments': 'stories/comments: what is commented on has a type',
  '/api/catalog/impact': 'catalog/impact: an object has a type',
  '/api/catalog/lineage': 'catalog/lineage: an object has a type',
  '/api/catalog/assets': 'catalog/assets: an object has a type',
  '/api/catalog/certifications': 'catalog/certifications: an object has a type',
  '/api/definitions': 'catalog/definitions: keys are those of one workspace',
  '/api/definitions/projects': 'catalog/definitions: leases are those of one workspace',
  '/api/secrets': 'workspaces/secrets: names are those of one workspace',
  '/api/data-quality/profiles': 'data-quality/scans: names are those of one workspace',
  '/api/data-quality/issues': 'data-quality/runs',
  '/api/data-quality/suggestions': 'data-quality/suggestions',
  '/api/pipelines/cdc-streams': 'pipelines/cdc-streams, beside a server',
};

/** What comes before the first parameter of a path, such as `/api/metrics/digests`. */
const kindOf = ({ path }: Pick<Route, 'path'>) => path.slice(0, path.indexOf('/{'));

/** One of everything that a path can name, in the workspace of the test, by what comes before its id. */
async function everything(api: Api): Promise<Record<string, string>> {
  const owner = api.as('owner');
  const made = async (path: string, body: object) => {
    const reply = await owner.post(path, body);
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    return (reply.body.id ?? reply.body.jti) as string;
  };
  const kinds = async (bodies: Record<string, object>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(bodies).map(async ([path, body]) => [path, await made(path, body)])),
    ) as Record<string, string>;
  const metric = (await givenMetric(api, (await givenSalesModel(api)).definition)).id;
  const me = (await owner.get('/api/auth/me')).body.user.id;
  const shared = await givenDashboard(api, { name: 'shared' });
  await made(`${shared.path}/cards`, textCard('text'));
  await publish(api, shared.path);
  const content = { contentType: 'dashboard', contentId: shared.id };
  const ids = await kinds({
    '/api/webhooks': { name: 'x', url: 'https://example.com/', kind: 'generic', events: [] },
    '/api/pipelines': { name: 'x', dag },
    '/api/pipelines/flowlets': {
      name: 'clean',
      inputs: [{ name: 'rows', columns: [{ name: 'n', type: 'integer' }] }],
      ops: [{ op: 'filter', condition: 'n > 5' }],
    },
    '/api/data-sources': { name: 'x', type: 'file' },
    '/api/saved-queries': { name: 'x', sql: 'SELECT 1 AS a' },
    '/api/models': { name: 'x', sourceId: 'datasets' },
    '/api/metrics/digests': { name: 'x', metricIds: [metric], cron: '0 8 * * 1', recipientIds: [me] },
    '/api/groups': { name: 'x' },
    '/api/catalog/terms': { name: 'x', definition: 'x' },
    '/api/catalog/domains': { name: 'x' },
    '/api/dashboards': { name: 'x' },
    '/api/reports': { name: 'x' },
    '/api/stories': { title: 'x' },
    '/api/themes': {
      name: 'x',
      tokens: { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false },
    },
    '/api/shares': { ...content, shareType: 'public' },
    '/api/embed/tokens': content,
    '/api/embed/domains': { origin: 'https://app.example.com' },
    '/api/api-keys': { name: 'x', scope: 'read' },
    '/api/service-accounts': { name: 'x', role: 'viewer' },
    '/api/workspaces/invitations': { email: `${newId()}@example.com`, role: 'viewer' },
    '/api/workspaces/current/exports': {},
    '/api/query/jobs': { sql: 'SELECT 1 AS one' },
    '/api/scim/tokens': { name: 'x', workspaceId: api.workspaceId },
    '/api/data-quality/tests': {
      ...{ name: 'x', testType: 'not_null', targetType: 'source_table' },
      ...{ tableName: 'sales', columnName: 'region' },
    },
    '/api/data-quality/scans': { tableName: 'sales' },
    '/api/data-quality/scan-schedules': { tableName: 'sales', scheduleCron: '0 6 * * *' },
  });
  const oidc = { issuer: 'https://issuer.example', clientId: 'x', clientSecret: 'x' };
  const provider = await givenProvider(api, { type: 'oidc', oidc });
  const run = await made(`/api/pipelines/${ids['/api/pipelines']}/run`, {});
  await api.joinAll();
  const { items } = (await owner.get('/api/workspaces/members')).body;
  const member = items.find((other: { role: string }) => other.role === 'editor').userId;
  return {
    ...ids,
    '/api/metrics': metric,
    '/api/composite-models': await made('/api/composite-models', (await givenShopAndDesk(api)).body),
    '/api/dashboard-alerts': await made('/api/dashboard-alerts', {
      name: 'x',
      condition: { kind: 'metric', metricId: metric, operator: 'gt', threshold: 1 },
      scheduleCron: '0 8 * * *',
    }),
    '/api/stories/templates': await made('/api/stories/templates', { name: 'x', storyId: ids['/api/stories'] }),
    '/api/dashboards/bookmarks': await made(`${shared.path}/bookmarks`, { name: 'x', state: {} }),
    '/api/datasets': (await givenDataset(api, { name: 'x', sql: 'SELECT 1 AS a' })).id,
    '/api/data-quality/jobs': await made(`/api/data-quality/tests/${ids['/api/data-quality/tests']}/run`, {}),
    '/api/identity-providers': provider.id,
    '/api/workspaces': api.workspaceId,
    '/api/workspaces/members': member,
    '/api/company/members': member,
    '/api/pipelines/runs': run,
  };
}

/** Everything that a path names has an id here, but for parts of something else: these come with unknown ids. */
const idFor =
  (ids: Record<string, string>) =>
  (route: Pick<Route, 'path'>, name: string): string => {
    if (name === 'runId') return ids['/api/pipelines/runs']!;
    if (name === 'userId') return ids['/api/workspaces/members']!;
    return ids[kindOf(route)] ?? newId();
  };

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

/** Routes that name something, by callers with credentials. */
const isAsked = ({ permission, path, success }: Route) =>
  permission !== 'public' && path.includes('{') && !('events' in success);

describe('a stranger', () => {
  it('learns nothing from the ids of another workspace, in any path', async ({ api }) => {
    const ids = await everything(api);
    const idOf = idFor(ids);
    const before = JSON.stringify((await api.as('owner').get('/api/workspaces/members')).body);
    for (const route of ROUTES) {
      if (!isAsked(route)) continue;
      const unknown = newId();
      const real = pathWith(route, (name) => idOf(route, name));
      const request = route.body ? { text: JSON.stringify(BODIES[route.operationId] ?? {}) } : {};
      const toReal = await api.as('stranger').send(route.method, real, request);
      const toUnknown = await api.as('stranger').send(
        route.method,
        pathWith(route, () => unknown),
        request,
      );
      const named = [unknown, ...real.split(/[/?&=]/).filter((part) => /^[0-9a-f-]{36}$/.test(part))];
      expect(said(toReal, named), `${route.operationId} ${real}`).toEqual(said(toUnknown, named));
      expect(toReal.status, route.operationId).toBeGreaterThanOrEqual(400);
      if (!route.body || BODIES[route.operationId]) expect(toReal.status, route.operationId).toBe(404);
    }
    expect(JSON.stringify((await api.as('owner').get('/api/workspaces/members')).body)).toBe(before);
    const kinds = new Set(ROUTES.filter(isAsked).map(kindOf));
    expect([...kinds].filter((kind) => !(kind in ids || kind in ELSEWHERE))).toEqual([]);
  });

  it('cannot make a query, a pipeline or a dataset refer to what belongs to another workspace', async ({ api }) => {
    const stranger = api.as('stranger');
    for (const id of [(await givenDataset(api, { name: 'x', sql: 'SELECT 1 AS a' })).id, newId()]) {
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
