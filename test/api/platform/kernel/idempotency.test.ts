import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { requestDigest } from '../../../support/request-digest.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

/** A body that passes the declaration of each route which accepts an idempotency key. */
const BODIES: Record<string, unknown> = {
  createWorkspace: { name: 'x' },
  startWorkspaceExport: {},
  startDashboardExport: { format: 'csv' },
  addMember: { email: 'x@example.com', role: 'viewer' },
  createInvitation: { email: 'x@example.com', role: 'viewer' },
  resendInvitation: undefined,
  createApiKey: { name: 'x', scope: 'read' },
  createServiceAccount: { name: 'x', role: 'viewer' },
  rotateApiKey: { overlapHours: 1 },
  createGroup: { name: 'x' },
  createIdentityProvider: {
    name: 'x',
    slug: 'acme',
    type: 'oidc',
    oidc: { issuer: 'https://login.example.com', clientId: 'x', clientSecret: 'x' },
  },
  createScimToken: { name: 'x', workspaceId: '00000000-0000-7000-8000-000000000000' },
  createDataSource: { name: 'x', type: 'file' },
  createUpload: { path: 'x.csv', size: 1 },
  completeUpload: { path: 'x.csv', parts: [{ partNumber: 1, etag: 'x' }] },
  createComment: { resourceType: 'metric', resourceId: '00000000-0000-7000-8000-000000000000', content: 'x' },
  createWebhook: { name: 'x', url: 'https://example.com/', kind: 'generic', events: [] },
  createPipeline: {
    name: 'x',
    dag: { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] },
  },
  testWebhook: undefined,
  redeliverDelivery: undefined,
  replayDeliveries: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  runPipeline: {},
  retryRun: undefined,
  rotateWebhookToken: undefined,
  createSavedQuery: { name: 'x', sql: 'SELECT 1' },
  restoreSavedQueryVersion: undefined,
  startQueryJob: { sql: 'SELECT 1' },
  startBackfill: { from: '2026-01-01', to: '2026-01-02' },
  createDataset: { name: 'x' },
  refreshDataset: undefined,
  restoreDatasetVersion: undefined,
  createDigest: {
    name: 'x',
    metricIds: ['00000000-0000-7000-8000-000000000000'],
    cron: '@daily',
    recipientIds: ['00000000-0000-7000-8000-000000000000'],
  },
  sendDigest: undefined,
  runDashboardSchedule: undefined,
  runReportSchedule: undefined,
  runStorySchedule: undefined,
  saveFlowlet: {
    name: 'x',
    inputs: [{ name: 'rows', columns: [{ name: 'a', type: 'integer' }] }],
    ops: [{ op: 'limit', n: 1 }],
  },
  syncDataSource: undefined,
  createCdcStream: { sourceId: '00000000-0000-7000-8000-000000000000', streamId: 'x', tables: ['x'] },
  resyncCdcStream: {},
  createShare: { contentType: 'dashboard', contentId: '00000000-0000-7000-8000-000000000000', shareType: 'public' },
  createEmbedToken: { contentType: 'dashboard', contentId: '00000000-0000-7000-8000-000000000000' },
  createEmbedDomain: { origin: 'https://app.example.com' },
  createBlend: {
    name: 'x',
    ...{ leftTableId: '00000000-0000-7000-8000-000000000000', leftAlias: 'a' },
    ...{ rightTableId: '00000000-0000-7000-8000-000000000000', rightAlias: 'b' },
    keys: [{ left: 'x', right: 'x' }],
  },
  createTerm: { name: 'x', definition: 'x' },
  createCatalogDomain: { name: 'x' },
  createMetric: {
    name: 'x',
    modelId: '00000000-0000-7000-8000-000000000000',
    timeFieldId: '00000000-0000-7000-8000-000000000000',
  },
  startQualityScan: { tableName: 'x' },
  storeFailingRows: {},
  runQualityTest: undefined,
  runAllQualityTests: undefined,
  scanKnownTables: undefined,
  createScanSchedule: { tableName: 'x', scheduleCron: '@daily' },
  createQualityTest: { name: 'x', testType: 'row_count', targetType: 'source_table' },
  createModel: { name: 'x', sourceId: 'datasets' },
  addModelTable: { sourceSchema: '', sourceTable: 'x', alias: 'x' },
  createModelField: { name: 'x', fieldType: 'dimension', dataType: 'string' },
  createRelationship: {
    fromTableId: '00000000-0000-7000-8000-000000000000',
    fromFieldId: '00000000-0000-7000-8000-000000000000',
    toTableId: '00000000-0000-7000-8000-000000000000',
    toFieldId: '00000000-0000-7000-8000-000000000000',
  },
  createRollup: { name: 'x', measures: [{ measureId: '00000000-0000-7000-8000-000000000000' }] },
  createHierarchy: {
    name: 'x',
    levels: [{ fieldId: '00000000-0000-7000-8000-000000000000' }, { fieldId: '00000000-0000-7000-8000-000000000001' }],
  },
  createRlsPolicy: {
    name: 'x',
    tableId: '00000000-0000-7000-8000-000000000000',
    filterExpression: 'TRUE',
    appliesTo: [{ type: 'everyone' }],
  },
  createMeasure: { name: 'x', expression: '1' },
  createTransform: { type: 'remove_columns', config: { columns: ['x'] } },
  publishModel: {},
  createDashboard: { name: 'x' },
  duplicateDashboard: undefined,
  createDashboardPage: { name: 'x' },
  createDashboardCard: { cardType: 'divider', position: { x: 0, y: 0, w: 1, h: 1 } },
  createDashboardSchedule: { name: 'x', cronExpression: '@daily' },
  createReportSchedule: { name: 'x', cronExpression: '@daily' },
  createStorySchedule: { name: 'x', cronExpression: '@daily' },
  createDashboardCardFromQuery: { savedQueryId: '00000000-0000-7000-8000-000000000000' },
  summarizeDashboardCard: undefined,
  createDashboardFilter: { fieldId: 'x', filterType: 'select' },
  createDashboardBookmark: { name: 'x', state: {} },
  grantDashboardAccess: { email: 'x@example.com', permission: 'viewer' },
  publishDashboard: {},
  createReport: { name: 'x' },
  createStory: { title: 'x' },
  createStoryTemplate: { name: 'x', storyId: '00000000-0000-7000-8000-000000000000' },
  shareStoryToChat: { webhookId: '00000000-0000-7000-8000-000000000000' },
  outlineStory: { goal: 'x' },
  suggestNextStorySection: undefined,
  rewriteStoryText: { text: 'x', action: 'fix' },
  refreshStorySection: { paragraphs: [{ blockId: 'a', text: 'x' }], changes: [{ valueId: 'v', from: '1', to: '2' }] },
  addStorySection: { title: 'x' },
  publishStory: undefined,
  requestStoryReview: { reviewerIds: ['00000000-0000-7000-8000-000000000000'] },
  grantStoryAccess: { email: 'x@example.com', permission: 'viewer' },
  createAlert: {
    name: 'x',
    condition: {
      ...{ kind: 'metric', metricId: '00000000-0000-7000-8000-000000000000', operator: 'gt', threshold: 1 },
    },
  },
  createTheme: {
    name: 'x',
    tokens: { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false },
  },
};

/** The POSTs that create and send nothing, or whose repetition changes nothing more. */
const WITHOUT_KEY = [
  'openSharedContent',
  'readSharedCard',
  'readSharedCards',
  'readSharedModelCard',
  'readSharedBlock',
  'askShared',
  'recordSharedEvents',
  'markNotificationsRead',
  'previewAlert',
  'runAlert',
  'deleteDashboards',
  'moveDefinition',
  'importTerms',
  'openPageSession',
  'unlockSharePage',
  'restoreDashboard',
  'restoreReport',
  'restoreTerm',
  'archiveStory',
  'restoreStory',
  'restoreStoryVersion',
  'decideStoryReview',
  'reorderStorySections',
  'setStorySectionReadOnly',
  'lockStorySection',
  'acceptStorySuggestion',
  'acceptStorySuggestions',
  'rejectStorySuggestion',
  'reportStoryPresence',
  'reorderDashboardPages',
  'restoreDashboardVersion',
  'setDefaultTheme',
  'login',
  'refresh',
  'logout',
  'testDataSource',
  'testNewDataSource',
  'runQuery',
  'validateQuery',
  'runSavedQuery',
  'validatePipeline',
  'previewTransform',
  'suggestOps',
  'instantiateFlowlet',
  'applyQualitySuggestion',
  'dismissQualitySuggestion',
  'cancelRun',
  'cancelBackfill',
  'restoreWorkspace',
  'restoreCompany',
  'transferCompany',
  'cancelQueryJob',
  'cancelWorkspaceExport',
  'cancelDashboardExport',
  'cancelDatasetRefresh',
  'changePassword',
  'verifyMfa',
  'startDeviceSignIn',
  'redeemDeviceCode',
  'findDeviceSignIn',
  'approveDeviceSignIn',
  'denyDeviceSignIn',
  'approveBrowserSignIn',
  'redeemSignInCode',
  'enrolMfa',
  'activateMfa',
  'readDashboardCard',
  'readDashboardCards',
  'streamDashboardCards',
  'drawDashboardCard',
  'previewChart',
  'suggestCharts',
  'downloadSharedCard',
  'drawSharedCard',
  'exportDashboard',
  'exportReport',
  'exportStory',
  'readReportBlock',
  'readStoryBlock',
  'readStoryBlocks',
  'readDashboardFilterValues',
  'askModel',
  'executeBlend',
  'callMcp',
  'acceptTermProposal',
  'rejectTermProposal',
  'compareDefinitionSecrets',
  'compileQuestion',
  'drillModel',
  'listFieldValues',
  'listColumnValues',
  'previewAccess',
  'previewModelTable',
  'validateMeasure',
  'validateExpression',
  'validateModel',
  'previewMeasure',
  'suggestMeasure',
  'suggestRelationships',
  'detectRelationships',
  'importModelTables',
  'resyncModel',
  'reorderTransforms',
  'restoreModelVersion',
  'replaceRecoveryCodes',
  'turnOffMfa',
  'startPasskey',
  'addPasskey',
  'startPasskeySignIn',
  'signInWithPasskey',
  'startPasskeyFactor',
  'verifyPasskeyFactor',
  'discoverSignIn',
  'finishSaml',
  'unsubscribeFromDashboard',
  'unsubscribeFromReport',
  'unsubscribeFromStory',
  'unsubscribeFromDigest',
  'unsubscribeFromNotifications',
  'exchangeSsoCode',
  'testIdentityProvider',
  'verifySsoDomain',
  'forgotPassword',
  'resetPassword',
  'acceptInvitation',
  'resetMemberMfa',
  'confirmEmail',
  'confirmEmailByMail',
  // It has a key of its own: the caller has no credentials.
  'runByWebhook',
];

const anotherDigest = ({ endpoint }: Api, path: string) => requestDigest(endpoint, { path, text: 'another body' });

describe('idempotency keys', () => {
  it('are taken by every POST that creates or sends', () => {
    const without = ROUTES.filter(({ method, idempotent }) => method === 'POST' && !idempotent);
    expect(without.map(({ operationId }) => operationId).sort()).toEqual([...WITHOUT_KEY].sort());
  });

  it('give the value of an API key again, and of the account of a new member, for a repeated request', async ({
    api,
  }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const key = { name: 'once', scope: 'read' };
    const made = await api.as('owner').post('/api/api-keys', key, { headers });
    const again = await api.as('owner').post('/api/api-keys', key, { headers });
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await api.as('owner').get('/api/api-keys')).body.total).toBe(1);

    const member = { email: `${crypto.randomUUID()}@example.com`, role: 'viewer', password: 'long enough for one' };
    const [added, repeated] = [
      await api.as('owner').post('/api/workspaces/members', member, { headers }),
      await api.as('owner').post('/api/workspaces/members', member, { headers }),
    ];
    expect(repeated).toMatchObject({ status: 201, body: added.body });
  });

  it('let a request go on whose function died after it had made an API key: the key that is answered works', async ({
    api,
  }) => {
    const userId = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const first = await api.as('owner').post('/api/api-keys', { name: 'lost', scope: 'read' });
    const key = crypto.randomUUID();
    const text = JSON.stringify({ name: 'lost', scope: 'read' });
    const Item = {
      ...workspaceKey(api.workspaceId, 'IDEMPOTENCY', `${userId}#createApiKey#${key}`),
      digest: await requestDigest(api.endpoint, { path: '/api/api-keys', text }),
      newId: first.body.id,
      leaseUntil: 0,
      expiresAt: Math.floor(Date.now() / 1000) + 3600,
    };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
    const reply = await api.as('owner').send('POST', '/api/api-keys', { text, headers: { 'idempotency-key': key } });
    expect(reply).toMatchObject({ status: 201, body: { id: first.body.id } });
    expect((await api.as({ token: reply.body.key }).get('/api/webhooks')).status).toBe(200);
    expect((await api.as({ token: first.body.key }).get('/api/webhooks')).status).toBe(401);
  });

  it('rejects the repetition of a request in progress, and the key of another request', async ({ api }) => {
    const userId = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const routes = ROUTES.filter((route) => route.idempotent);
    expect(Object.keys(BODIES).sort()).toEqual(routes.map((route) => route.operationId).sort());
    for (const route of routes) {
      const key = crypto.randomUUID();
      const path = somePath(route);
      const text = JSON.stringify(BODIES[route.operationId]);
      const Item = {
        ...workspaceKey(api.workspaceId, 'IDEMPOTENCY', `${userId}#${route.operationId}#${key}`),
        digest: await requestDigest(api.endpoint, { path, text }),
        newId: crypto.randomUUID(),
        leaseUntil: Date.now() + 20_000,
        expiresAt: Math.floor(Date.now() / 1000) + 3600,
      };
      await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
      const reply = await api.as('owner').send(route.method, path, { text, headers: { 'idempotency-key': key } });
      expect(reply, route.operationId).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);

      await api.table.db.send(
        new PutCommand({ TableName: api.table.name, Item: { ...Item, digest: await anotherDigest(api, path) } }),
      );
      expect(
        await api.as('owner').send(route.method, path, { text, headers: { 'idempotency-key': key } }),
        route.operationId,
      ).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    }
  });
});
