import { describe, expect } from 'vitest';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { it } from '../../../support/api.ts';
import { objectSchemas } from '../../../support/object-schemas.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

/**
 * The objects of requests that take members of any name, because the caller or another check gives them their meaning.
 */
const FREE = [
  'addPasskey /response/clientExtensionResults',
  'signInWithPasskey /response/clientExtensionResults',
  'verifyPasskeyFactor /response/clientExtensionResults',
  'createApiKey /attributes',
  'updateApiKey /attributes',
  'createServiceAccount /attributes',
  'updateServiceAccount /attributes',
  'setMemberAttributes /attributes',
  'createShare /rlsContext/attributes',
  'createEmbedToken /attributes',
  'createDataSource /config/headers',
  'createDataSource /config/endpoints/*/options/types',
  'createDataSource /secrets/headers',
  'testNewDataSource /config/headers',
  'testNewDataSource /config/endpoints/*/options/types',
  'testNewDataSource /secrets/headers',
  'updateDataSource /config',
  'updateDataSource /secrets',
  'askModel /parameters',
  'compileQuestion /parameters',
  'drillModel /parameters',
  'runSavedQuery /params',
  'createDataset /source/options/types',
  'updateDataset /source/options/types',
  'createPipeline /dag/steps/*/config',
  'createPipeline /dag/steps/*/fromPorts',
  'updatePipeline /dag/steps/*/config',
  'updatePipeline /dag/steps/*/fromPorts',
  'previewTransform /dag/steps/*/config',
  'previewTransform /dag/steps/*/fromPorts',
  'validatePipeline /dag',
  'runPipeline /parameters',
  'callMcp /params',
  'startBackfill /parameters',
  'streamDashboardCards /selection/values',
  'runByWebhook ',
  'saveFlowlet /ops/*',
  'suggestOps /currentOps/*',
  'finishOidc ?',
  'instantiateFlowlet /params',
  'createQualityTest /config',
  'updateQualityTest /config',
  'createWebhook /headers',
  'createDashboardCardFromQuery /query/params',
  'previewChart /chartSpec/config/links/*/filters',
  'previewChart /chartSpec/query/params',
  'suggestCharts /query/params',
  'drawDashboardCard /drill/*/values',
  'drawDashboardCard /selection/values',
  'readDashboardCard /drill/*/values',
  'readDashboardCard /selection/values',
  'readDashboardCards /selection/values',
  'readStoryBlock /drill/*/values',
  'readStoryBlock /selection/values',
  // The columns of a row.
  'createComment /context/row',
  'updateComment /context/row',
  'createDashboardBookmark /state/filters',
  'createDashboardBookmark /state/sort',
  'createDashboardBookmark /state/cardState',
  'updateDashboardBookmark /state/filters',
  'updateDashboardBookmark /state/sort',
  'updateDashboardBookmark /state/cardState',
  'createDashboardCard /chartSpec/config/links/*/filters',
  'createDashboardCard /chartSpec/query/params',
  'updateDashboardCard /chartSpec/config/links/*/filters',
  'updateDashboardCard /chartSpec/query/params',
  'updateDashboardCards /updates/*/chartSpec/config/links/*/filters',
  'updateDashboardCards /updates/*/chartSpec/query/params',
  'createReport /layout/blocks/*/chartSpec/config/links/*/filters',
  'createReport /layout/blocks/*/chartSpec/query/params',
  'createStory /slots/*/source/chartSpec',
  'updateReport /layout/blocks/*/chartSpec/config/links/*/filters',
  'updateReport /layout/blocks/*/chartSpec/query/params',
  'createAlert /condition/source/params',
  'updateAlert /condition/source/params',
  'previewAlert /condition/source/params',
  'createAlert /channels/targets/*/headers',
  'updateAlert /channels/targets/*/headers',
  'createStory /sections/*/content',
  'addStorySection /content',
  'updateStorySection /content',
  'updateTransform /config',
  'updateWebhook /headers',
  'createDashboardSchedule /targets/*/headers',
  'updateDashboardSchedule /targets/*/headers',
  'createReportSchedule /targets/*/headers',
  'updateReportSchedule /targets/*/headers',
  'createStorySchedule /targets/*/headers',
  'updateStorySchedule /targets/*/headers',
  'compareDefinitionSecrets /items/*/secrets',
  'deployDefinition /secrets',
  'getConsole ?',
  'getConsoleScreen ?',
  'getConsoleItem ?',
  'getConsolePart ?',
];

const isFree = (schema: Record<string, unknown>) => schema.additionalProperties !== false;

/** Bodies with a member that nothing knows, one for each variant of the body. */
function bodiesWithUnknownMember({ body }: Route): Record<string, unknown>[] {
  const { oneOf, discriminator } = body as unknown as {
    oneOf?: { properties: Record<string, { const?: unknown }> }[];
    discriminator?: { propertyName: string };
  };
  const tag = discriminator?.propertyName;
  if (!oneOf || !tag) return [{ unheardOf: 1 }];
  return oneOf.map(({ properties }) => ({ [tag]: properties[tag]!.const, unheardOf: 1 }));
}

describe('requests', () => {
  it('are closed at every level but for the objects that are free', () => {
    const objects = ROUTES.flatMap(objectSchemas);
    expect(objects.length).toBeGreaterThan(100);
    const free = objects.filter(({ schema }) => isFree(schema)).map(({ place }) => place);
    expect([...new Set(free)].sort()).toEqual([...FREE].sort());
  });

  it('with an unknown member of the body are rejected by every operation', async ({ api }) => {
    for (const route of ROUTES.filter(({ body }) => body)) {
      if (FREE.includes(`${route.operationId} `)) continue;
      for (const body of bodiesWithUnknownMember(route)) {
        const text = JSON.stringify(body);
        const actor = route.permission === 'public' ? 'anonymous' : 'owner';
        const reply = await api.as(actor).send(route.method, somePath(route), { text });
        const issue = { pointer: '/unheardOf', code: 'UNKNOWN_MEMBER' };
        expect(reply, route.operationId).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
        expect(reply.body.errors, route.operationId).toContainEqual(expect.objectContaining(issue));
      }
    }
  });

  it('with an unknown query value are rejected by every operation, those without a query too', async ({ api }) => {
    // Identity providers add members of their own.
    const closed = ROUTES.filter(
      ({ operationId }) => operationId !== 'finishOidc' && !FREE.includes(`${operationId} ?`),
    );
    for (const route of closed) {
      const actor = route.permission === 'public' ? 'anonymous' : 'owner';
      const path = somePath(route);
      const reply = await api.as(actor).send(route.method, `${path}${path.includes('?') ? '&' : '?'}unheardOf=1`, {
        ...(route.body ? { text: '{}' } : {}),
      });
      const issue = { pointer: '/query/unheardOf', code: 'UNKNOWN_MEMBER' };
      expect(reply, route.operationId).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(reply.body.errors, route.operationId).toContainEqual(expect.objectContaining(issue));
    }
  });

  it('with a body that the operation does not take are rejected; an empty object is none', async ({ api }) => {
    const path = `/api/webhooks/${crypto.randomUUID()}/test`;
    expect(await api.as('owner').post(path, { event: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '', code: 'UNEXPECTED_BODY' }] },
    });
    expect(await api.as('owner').post(path, {})).toMatchObject({ status: 404, body: { code: 'WEBHOOK_NOT_FOUND' } });
  });

  it('to a path that does not exist name the nearest operation, and files the way to upload them', async ({ api }) => {
    const unknown = async (method: string, path: string) => {
      const { status, body } = await api.as('editor').send(method, path);
      expect([status, body.code], path).toEqual([404, 'ROUTE_NOT_FOUND']);
      return body.detail;
    };
    const meant = (route: string) => `There is no such endpoint; did you mean ${route}?`;
    const id = crypto.randomUUID();
    expect(await unknown('GET', '/api/pipelins')).toBe(meant('GET /api/pipelines'));
    expect(await unknown('POST', '/api/dataset')).toBe(meant('POST /api/datasets'));
    expect(await unknown('GET', `/api/datasets/${id}/previews`)).toBe(meant('GET /api/datasets/{id}/preview'));
    expect(await unknown('GET', '/api/docs/guide')).toBe(meant('GET /api/docs/guides'));
    expect(await unknown('GET', '/api/wp-login.php')).toMatch(/^There is no such endpoint\. /);
    const upload = await api.as('owner').send('POST', `/api/data-sources/${id}/uploads`, {
      text: 'id\n1\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect(upload).toMatchObject({
      status: 415,
      body: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        detail: expect.stringContaining('POST /api/data-sources/{id}/uploads, then PUT'),
      },
    });
  });

  it('name the nearest known member, word or variant', async ({ api }) => {
    const owner = api.as('owner');
    const messages = async (sent: Promise<{ body: { errors?: { message: string }[] } }>) =>
      (await sent).body.errors?.map(({ message }) => message);
    const key = { name: 'x', scope: 'read', expiresOn: '2030-01-01T00:00:00Z' };
    expect(await messages(owner.post('/api/api-keys', key))).toEqual([
      'Unknown member "expiresOn"; did you mean "expiresAt"?',
    ]);
    expect(await messages(owner.patch(`/api/webhooks/${crypto.randomUUID()}`, { enable: false }))).toEqual([
      'Unknown member "enable"; did you mean "enabled"?',
    ]);
    expect(await messages(owner.get('/api/webhooks?limti=1'))).toEqual([
      'Unknown member "limti"; did you mean "limit"?',
    ]);
    expect(await messages(owner.post('/api/api-keys', { name: 'x', scope: 'red' }))).toEqual([
      'must be one of "read", "read/write", "admin"; did you mean "read"?',
    ]);
    expect(await messages(owner.post('/api/data-sources', { name: 'x', type: 'postgresql' }))).toEqual([
      'must be one of "postgres", "file", "mysql", "s3", "http"; did you mean "postgres"?',
    ]);
    expect(await messages(owner.post('/api/data-sources', { name: 'x' }))).toEqual(['is required']);
  });
});
