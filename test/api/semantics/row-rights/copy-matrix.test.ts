import { describe, expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { captureStates, type StoredStream, streamRepository } from '../../../../shared/domains/pipelines/cdc/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader } from '../../../support/given/protected.ts';
import { dagOf, load, runThatIs, sql } from '../../pipelines/pipelines/given.ts';

/**
 * Every operation that an editor may call and that changes something, by what it has to do with protected rows. A new
 * operation must be put somewhere; one that stores or sends rows for others, or changes what protects them, needs
 * requests below.
 */
const OPERATIONS = {
  /** Defines what stores or sends rows for others: its caller must see all that it reads. */
  copies: `createDataset updateDataset createPipeline updatePipeline createCdcStream updateCdcStream createQualityTest updateQualityTest
    previewTransform suggestOps`,
  /** Starts, stops or schedules what somebody has defined: the definer counts. */
  starts: `refreshDataset setDatasetSchedule cancelDatasetRefresh restoreDatasetVersion runPipeline setPipelineSchedule retryRun
    cancelRun startBackfill cancelBackfill runByWebhook rotateWebhookToken resyncCdcStream runQualityTest runAllQualityTests`,
  /**
   * Refused or hidden from everyone where rows are protected, or stores rows under the name and so the rights of their
   * table.
   */
  keptByTable: `storeFailingRows summarizeDashboardCard startQualityScan scanKnownTables createScanSchedule updateScanSchedule
    applyQualitySuggestion createComment updateComment createStoryTemplate`,
  /** Changes tables, fields or steps that policies and labels belong to. */
  protection: `deleteModel restoreModelVersion importModelFile addModelTable removeModelTable updateModelTable createModelField
    updateModelField deleteModelField importModelTables resyncModel createTransform updateTransform deleteTransform reorderTransforms
    createRelationship updateRelationship deleteRelationship suggestRelationships detectRelationships`,
  /** Rows are computed for each reader with their rights: definitions hold none. */
  perReader: `runQuery startQueryJob cancelQueryJob validateQuery createSavedQuery updateSavedQuery deleteSavedQuery
    restoreSavedQueryVersion runSavedQuery askModel compileQuestion drillModel previewModelTable previewMeasure
    listFieldValues listColumnValues
    validateModel validateExpression validateMeasure suggestMeasure createMeasure updateMeasure deleteMeasure createRollup updateRollup deleteRollup
    createModel updateModel publishModel createHierarchy updateHierarchy deleteHierarchy
    createBlend replaceBlend deleteBlend executeBlend callMcp deployDefinition deleteDefinition moveDefinition
    createMetric updateMetric deleteMetric reviewAnomaly createDigest updateDigest deleteDigest sendDigest
    createDashboard updateDashboard deleteDashboard deleteDashboards duplicateDashboard restoreDashboard publishDashboard
    restoreDashboardVersion importDashboardFile createDashboardCard updateDashboardCard updateDashboardCards deleteDashboardCard
    reorderDashboardCards createDashboardFilter updateDashboardFilter deleteDashboardFilter createDashboardPage updateDashboardPage
    deleteDashboardPage reorderDashboardPages createDashboardBookmark updateDashboardBookmark deleteDashboardBookmark
    createDashboardSchedule updateDashboardSchedule deleteDashboardSchedule runDashboardSchedule clearDashboardCardSummary
    createDashboardCardFromQuery drawDashboardCard readDashboardCard readDashboardCards readDashboardFilterValues streamDashboardCards
    previewChart suggestCharts
    exportDashboard startDashboardExport cancelDashboardExport exportReport exportStory createReport updateReport deleteReport restoreReport readReportBlock createReportSchedule
    createStory updateStory deleteStory restoreStory archiveStory addStorySection updateStorySection deleteStorySection reorderStorySections
    updateStorySectionWork setStorySectionVisibility publishStory restoreStoryVersion readStoryBlock readStoryBlocks
    outlineStory suggestNextStorySection rewriteStoryText refreshStorySection
    acceptStorySuggestion acceptStorySuggestions rejectStorySuggestion
    createAlert updateAlert previewAlert runAlert
    createStorySchedule updateStorySchedule deleteStorySchedule runStorySchedule
    updateReportSchedule deleteReportSchedule runReportSchedule askShared downloadSharedCard drawSharedCard openSharedContent
    readSharedBlock readSharedCard readSharedCards readSharedModelCard`,
  /** Removes, or has no rows. */
  withoutRows: `setCatalogEntry createTerm importTerms updateTerm deleteTerm restoreTerm addTermRelation removeTermRelation setTermLink removeTermLink
    acceptTermProposal rejectTermProposal deleteDataset deletePipeline validatePipeline deleteCdcStream deleteQualityTest setQualityIssueStatus deleteScanSchedule
    dismissQualitySuggestion instantiateFlowlet retireFlowlet saveFlowlet
    createWebhook updateWebhook deleteWebhook redeliverDelivery replayDeliveries testWebhook
    setModelAccess revokeModelAccess setSavedQueryAccess revokeSavedQueryAccess setMetricAccess revokeMetricAccess
    setBlendAccess revokeBlendAccess
    grantDashboardAccess revokeDashboardAccess setDashboardAccess setReportAccess revokeReportAccess
    unsubscribeFromDigest unsubscribeFromDashboard unsubscribeFromReport unsubscribeFromStory unsubscribeFromNotifications recordSharedEvents
    deleteComment followObject deleteAlert markNotificationsRead snoozeAlert followAlert unfollowAlert
    grantStoryAccess setStoryAccess revokeStoryAccess setStorySectionEditors setStorySectionReadOnly lockStorySection unlockStorySection
    deleteStoryTemplate shareStoryToChat requestStoryReview endStoryReview decideStoryReview followStory unfollowStory reportStoryPresence
    compareDefinitionSecrets holdDeploymentLease releaseDeploymentLease endPageSession openPageSession unlockSharePage`,
};
type Kind = keyof typeof OPERATIONS;
const named = (kind: Kind) => OPERATIONS[kind].split(/\s+/);

/** What has nothing to do with data: accounts, members and provisioning. */
const OTHER_GROUPS = ['auth', 'sso', 'scim', 'api-keys', 'workspaces', 'company', 'groups', 'entitlements', 'audit'];
const EDITOR = { role: 'editor', companyRole: 'member', scope: null } as const;

const written = GROUPS.filter(({ name }) => !OTHER_GROUPS.includes(name))
  .flatMap(({ routes }) => routes)
  .filter(
    ({ method, permission }) =>
      method !== 'GET' && (permission === 'public' || (permission !== 'scim' && isPermitted(permission, EDITOR))),
  )
  .map(({ operationId }) => operationId);

interface Given {
  api: Api;
  sourceId: string;
  dataset: string;
  pipeline: string;
  stream: string;
  test: string;
  model: string;
  table: string;
  field: string;
}

type Request = (given: Given) => readonly [method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object];

const extract = (config: Record<string, unknown>) => ({
  id: 'read',
  type: 'extract',
  config,
  retry: { maxAttempts: 1 },
});
const copied = (config: Record<string, unknown>, ...more: Parameters<typeof dagOf>) =>
  dagOf(extract(config), ...(more.length > 0 ? more : [load('keep', 'read', 'kept')]));
const code = {
  id: 'code',
  type: 'transform_code',
  dependsOn: ['read'],
  config: { code: 'function transform(rows) { return rows; }' },
};
const send = (sourceId: string) => ({
  id: 'send',
  type: 'load',
  dependsOn: ['read'],
  config: { target: { kind: 'table', sourceId, table: 'out' }, mode: 'append' },
});
const PEOPLE = { object: { dataset: 'people' } };
const sqlOver = (text: string) => ({ kind: 'datasets', sql: text });
const name = () => `copy ${crypto.randomUUID()}`;
const pipelines = '/api/pipelines';
const streams = `${pipelines}/cdc-streams`;
const notNull = { testType: 'not_null', targetType: 'source_table', columnName: 'name' };

/** Requests that read all of the dataset `people`, or of the table `people` of a database. */
const COPIES: readonly [operation: string, what: string, request: Request][] = [
  ['createDataset', 'SQL', () => ['post', '/api/datasets', { name: name(), source: sqlOver('SELECT * FROM people') }]],
  [
    'createDataset',
    'a count',
    () => ['post', '/api/datasets', { name: name(), source: sqlOver('SELECT count(*) AS n FROM people') }],
  ],
  [
    'createDataset',
    'a table',
    ({ sourceId }) => ['post', '/api/datasets', { name: name(), source: { kind: 'table', sourceId, table: 'people' } }],
  ],
  [
    'createDataset',
    'a query',
    ({ sourceId }) => [
      'post',
      '/api/datasets',
      { name: name(), source: { kind: 'query', sourceId, query: 'SELECT id FROM people' } },
    ],
  ],
  [
    'updateDataset',
    'SQL',
    ({ dataset }) => ['patch', `/api/datasets/${dataset}`, { source: sqlOver('SELECT id AS key FROM people') }],
  ],
  [
    'updateDataset',
    'a table',
    ({ dataset, sourceId }) => [
      'patch',
      `/api/datasets/${dataset}`,
      { source: { kind: 'table', sourceId, table: 'people' } },
    ],
  ],
  ['createPipeline', 'an extract of a dataset', () => ['post', pipelines, { name: name(), dag: copied(PEOPLE) }]],
  [
    'createPipeline',
    'an extract of any dataset',
    () => [
      'post',
      pipelines,
      {
        name: name(),
        dag: {
          ...copied({ object: { dataset: '{{ params.from }}' } }),
          parameters: [{ name: 'from', type: 'string', default: 'open' }],
        },
      },
    ],
  ],
  [
    'createPipeline',
    'an extract of a table',
    ({ sourceId }) => ['post', pipelines, { name: name(), dag: copied({ sourceId, object: { table: 'people' } }) }],
  ],
  [
    'createPipeline',
    'an extract of a query',
    ({ sourceId }) => [
      'post',
      pipelines,
      { name: name(), dag: copied({ sourceId, object: { query: 'SELECT id FROM people' } }) },
    ],
  ],
  [
    'createPipeline',
    'an extract with a filter',
    ({ sourceId }) => [
      'post',
      pipelines,
      { name: name(), dag: copied({ sourceId, object: { table: 'places' }, filter: 'id > 1' }) },
    ],
  ],
  [
    'createPipeline',
    'an extract of a stream',
    ({ sourceId }) => [
      'post',
      pipelines,
      { name: name(), dag: copied({ sourceId, object: { stream: 'shop', table: 'people' } }) },
    ],
  ],
  [
    'createPipeline',
    'a code step',
    () => ['post', pipelines, { name: name(), dag: copied(PEOPLE, code, load('keep', 'code', 'kept')) }],
  ],
  [
    'createPipeline',
    'a load into another database',
    ({ sourceId }) => ['post', pipelines, { name: name(), dag: copied(PEOPLE, send(sourceId)) }],
  ],
  [
    'previewTransform',
    'a step',
    ({ pipeline }) => ['post', `${pipelines}/${pipeline}/transform-preview`, { stepId: 'rows' }],
  ],
  [
    'suggestOps',
    'a step',
    ({ pipeline }) => ['post', `${pipelines}/${pipeline}/suggest-ops`, { description: 'all', upstreamIds: ['read'] }],
  ],
  [
    'updatePipeline',
    'other steps',
    ({ pipeline }) => [
      'patch',
      `${pipelines}/${pipeline}`,
      {
        dag: copied(
          PEOPLE,
          sql('ids', `SELECT id, '${newId()}' AS v FROM "read"`, ['read']),
          load('keep', 'ids', 'kept'),
        ),
      },
    ],
  ],
  [
    'createCdcStream',
    'a table',
    ({ sourceId }) => [
      'post',
      streams,
      { sourceId, streamId: `s${newId().replaceAll('-', '')}`, tables: ['places', 'people'] },
    ],
  ],
  [
    'updateCdcStream',
    'another table',
    ({ stream }) => ['patch', `${streams}/${stream}`, { enabled: true, tables: ['places', 'people', 'orders'] }],
  ],
  [
    'createQualityTest',
    'a dataset',
    () => ['post', '/api/data-quality/tests', { name: name(), ...notNull, tableName: 'people' }],
  ],
  [
    'updateQualityTest',
    'other rows',
    ({ test }) => [
      'put',
      `/api/data-quality/tests/${test}`,
      { config: { where: `id <> ${Math.round(Math.random() * 1e6)}` } },
    ],
  ],
];

/** What only admins may do to the table `people` of the model, whoever sees how much of it. */
const WEAKENED: readonly [operation: string, request: Request][] = [
  [
    'updateModelField',
    ({ model, table, field }) => [
      'put',
      `${model}/tables/${table}/fields/${field}`,
      { sourceColumn: 'id', dataType: 'integer' },
    ],
  ],
  ['deleteModelField', ({ model, table, field }) => ['delete', `${model}/tables/${table}/fields/${field}`]],
  ['removeModelTable', ({ model, table }) => ['delete', `${model}/tables/${table}`]],
  ['deleteModel', ({ model }) => ['delete', model]],
];

async function givenAll(api: Api): Promise<Given> {
  const { model, table, field } = await givenProtected(api);
  await givenDataset(api, { name: 'open', sql: "SELECT 1 AS id, 'a' AS name" });
  const owner = api.as('owner');
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await owner.post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body.id;
  };
  const config = { host: '127.0.0.1', port: 9, database: 'shop', user: 'reader', ssl: false };
  const sourceId = await made('/api/data-sources', {
    name: 'shop',
    type: 'postgres',
    config,
    secrets: { password: 'reader' },
  });
  const live = await givenModel(api, { name: 'Live', sourceId });
  const people = await givenTable(api, live.path, 'people');
  await givenField(api, people.path, 'region');
  await givenPolicy(api, live.path, { tableId: people.id });
  const pipeline = await made(pipelines, {
    name: name(),
    dag: copied(PEOPLE, sql('rows', 'SELECT id FROM "read"', ['read']), load('keep', 'rows', 'kept')),
  });
  const started = await owner.post(`${pipelines}/${pipeline}/run`);
  await runThatIs(api, started.body.id, 'succeeded');
  const at = new Date().toISOString();
  const stream: StoredStream = {
    ...{ id: newId(), workspaceId: api.workspaceId, sourceId, streamId: 'shop', enabled: false, capture: 'polling' },
    ...{
      tables: ['public.people', 'public.places'].map((table) => ({ name: table, generation: 1 })),
      slotGeneration: 1,
      slotName: 'shop',
      walLimitBytes: 1e9,
    },
    ...{ onWalLimit: 'alert', createdBy: newId(), createdAt: at, updatedAt: at },
  };
  await streamRepository(api.table).create(stream, [captureStates(api.table).createItem(stream)]);
  return {
    api,
    sourceId,
    pipeline,
    stream: stream.id,
    dataset: await made('/api/datasets', { name: 'copied', source: sqlOver('SELECT id FROM people') }),
    test: await made('/api/data-quality/tests', { name: 'names', ...notNull, tableName: 'people' }),
    model: model.path,
    table: table.id,
    field: field.region,
  };
}

/**
 * An editor who sees everything, by policies that are true for every row; one of a region; and one without any
 * attribute.
 */
async function givenEditors({ api, model, table, sourceId }: Given) {
  const all = await givenReader(api, { attributes: { sensitivityLabels: 'Private' } });
  const appliesTo = [{ type: 'user', id: all.userId }];
  await givenPolicy(api, model, { tableId: table, filterExpression: 'TRUE', appliesTo });
  const models = (await api.as('owner').get('/api/models')).body.items as { id: string; sourceId: string }[];
  const live = `/api/models/${models.find((each) => each.sourceId === sourceId)!.id}`;
  const [people] = (await api.as('owner').get(`${live}/tables`)).body.items;
  await givenPolicy(api, live, { tableId: people.id, filterExpression: 'user.role = "editor"', appliesTo });
  const some = await givenReader(api, { attributes: { region: 'eu', sensitivityLabels: 'Private' } });
  return { unrestricted: all.caller, restricted: some.caller, 'no attribute': api.as('editor') };
}

const sent = (caller: Caller, [method, path, body]: ReturnType<Request>): Promise<Reply> =>
  method === 'delete' ? caller.delete(path) : caller[method](path, body);

describe('every operation that changes something', () => {
  it('has a place in the matrix, and those that copy rows or protect them have requests', () => {
    const all = Object.keys(OPERATIONS).flatMap((kind) => named(kind as Kind));
    expect(
      written.filter((operation) => !all.includes(operation)),
      'put these into OPERATIONS',
    ).toEqual([]);
    expect(
      all.filter((operation) => !written.includes(operation)),
      'these are gone',
    ).toEqual([]);
    expect(
      all.filter((operation, index) => all.indexOf(operation) < index),
      'these are there twice',
    ).toEqual([]);
    expect(named('copies').filter((operation) => !COPIES.some(([of]) => of === operation))).toEqual([]);
  });
});

describe('what stores or sends rows for others', () => {
  it('is defined by editors who see all of it, and started by anyone', async ({ api }) => {
    const given = await givenAll(api);
    const editors = await givenEditors(given);
    for (const [operation, what, request] of COPIES) {
      for (const editor of ['no attribute', 'restricted', 'unrestricted'] as const) {
        const reply = await sent(editors[editor], request(given));
        const about = `${operation} of ${what}, ${editor}: ${JSON.stringify(reply.body)}`;
        if (editor === 'unrestricted') {
          // A database that cannot be reached, and no AI provider, come after the rights.
          expect([200, 201, 422, 503], about).toContain(reply.status);
          expect(reply.body.code ?? 'AI_NOT_CONFIGURED', about).toMatch(
            /^(DATA_SOURCE_UNREACHABLE|AI_NOT_CONFIGURED|AI_UNAVAILABLE|OPS_NOT_SUGGESTED)$/,
          );
        } else {
          expect(reply, about).toMatchObject({ status: 403 });
          expect(['RLS_COPY', 'RLS_RAW_SQL'], about).toContain(reply.body.code);
          expect(JSON.stringify(reply.body.errors), about).toMatch(/people/);
        }
      }
    }

    // Defined by editors who saw all of it when no policy was there.
    await givenDataset(api, { name: 'later', sql: "SELECT 1 AS id, 'eu' AS region" });
    const old = await editors['no attribute'].post('/api/datasets', {
      name: 'old',
      source: sqlOver('SELECT id FROM later'),
    });
    const copy = { name: 'old', dag: copied({ object: { dataset: 'later' } }) };
    const pipeline = `${pipelines}/${(await editors['no attribute'].post(pipelines, copy)).body.id}`;
    await endedRefresh(api, old.body.id);
    const later = await givenTable(api, given.model, 'later');
    await givenField(api, later.path, 'region');
    await givenPolicy(api, given.model, { tableId: later.id });
    const starters = { ...editors, admin: api.as('owner') };
    for (const [who, caller] of Object.entries(starters)) {
      expect((await caller.post(`/api/datasets/${old.body.id}/refresh`)).status, who).toBe(202);
      expect(await endedRefresh(api, old.body.id), who).toMatchObject({
        status: 'failed',
        error: { code: 'RLS_COPY' },
      });
      const run = await caller.post(`${pipeline}/run`);
      expect((await runThatIs(api, run.body.id, 'failed')).error, who).toMatchObject({ code: 'RLS_COPY' });
      expect((await caller.post(`${pipelines}/runs/${run.body.id}/retry`)).status, who).toBe(200);
      expect((await runThatIs(api, run.body.id, 'failed')).error, who).toMatchObject({ code: 'RLS_COPY' });
      // What an admin has defined is refreshed for everyone.
      expect((await caller.post(`/api/datasets/${given.dataset}/refresh`)).status, who).toBeLessThan(410);
    }
  });

  it('keeps its protection, however much of it an editor sees', async ({ api }) => {
    const given = await givenAll(api);
    const editors = await givenEditors(given);
    for (const [operation, request] of WEAKENED) {
      for (const [who, caller] of Object.entries(editors)) {
        const { status, body } = await sent(caller, request(given));
        const about = `${operation}, ${who}: ${JSON.stringify(body)}`;
        expect(`${status} ${body.code}`, about).toMatch(/^(403 FORBIDDEN|409 MODEL_TABLE_PROTECTED)$/);
        expect(body.referencedBy, about).not.toEqual([]);
      }
    }
  });
});
