import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { call as send } from '../../../support/http.ts';
import { type McpResult, mcpAgent } from '../../../support/mcp-client.ts';
import { changeCompany } from '../../../support/operator.ts';

type Agent = Awaited<ReturnType<typeof mcpAgent>>;

const failed = ({ isError, value }: McpResult) => (isError ? value.code : 'no error');
const PATH = '/api/mcp';

/** One of everything that tools read, and a call of each tool on it. */
async function givenSubjects(api: Api) {
  const { modelId, fields, revenue, definition } = await givenSalesModel(api);
  const metric = await givenMetric(api, definition);
  const saved = await posted(api, '/api/saved-queries', { name: 'Sales', sql: 'SELECT region FROM sales' });
  const board = await givenCards(api, [card('rows', chart({ source: { kind: 'savedQuery', id: saved.id } }))]);
  expect((await api.as('owner').post(`${board.path}/publish`, {})).status).toBe(200);
  const calls = {
    model: ['describe', { type: 'model', id: modelId }],
    question: ['ask_model', { modelId, dimensions: [{ fieldId: fields.region }], measures: [{ measureId: revenue }] }],
    metric: ['describe', { type: 'metric', id: metric.id }],
    value: ['metric_value', { metricId: metric.id, asOf: '2024-02-29' }],
    series: ['metric_series', { metricId: metric.id, from: '2024-01-01', to: '2024-03-31' }],
    saved: ['run_saved_query', { savedQueryId: saved.id }],
    dashboard: ['describe', { type: 'dashboard', id: board.id }],
    card: ['look_at_card', { dashboardId: board.id, cardId: 'rows' }],
  } as const;
  const outcomes = async ({ call }: Agent) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(calls).map(async ([name, [tool, args]]) => [name, failed(await call(tool, args))]),
      ),
    ) as Record<keyof typeof calls, string>;
  return { metricId: metric.id, savedQueryId: saved.id, boardId: board.id, modelId, outcomes };
}

const agentWithKey = async (api: Api, scope: string, resources?: { type: string; id: string }[]) => {
  const made = await api.as('owner').post('/api/api-keys', { name: crypto.randomUUID(), scope, resources });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return mcpAgent(api, made.body.key);
};

const MODEL = 'MODEL_NOT_FOUND';
const DASHBOARD = 'DASHBOARD_NOT_FOUND';
const NOTHING = { model: MODEL, question: MODEL, metric: 'METRIC_NOT_FOUND', value: 'METRIC_NOT_FOUND' };

describe('what an agent may read', () => {
  it('is what its person or key may read by the operations themselves', async ({ api }) => {
    const { outcomes, ...ids } = await givenSubjects(api);
    const all = Object.values(await outcomes(await mcpAgent(api, await api.token('viewer'))));
    expect(new Set(all)).toEqual(new Set(['no error']));
    expect(new Set(Object.values(await outcomes(await mcpAgent(api, await api.token('editor')))))).toEqual(
      new Set(['no error']),
    );
    expect(new Set(Object.values(await outcomes(await agentWithKey(api, 'read'))))).toEqual(new Set(['no error']));

    expect(await outcomes(await mcpAgent(api, await api.token('stranger')))).toEqual({
      ...NOTHING,
      series: 'METRIC_NOT_FOUND',
      saved: 'SAVED_QUERY_NOT_FOUND',
      dashboard: DASHBOARD,
      card: DASHBOARD,
    });

    const limited = await agentWithKey(api, 'admin', [
      { type: 'metric', id: ids.metricId },
      { type: 'dashboard', id: ids.boardId },
    ]);
    expect(await outcomes(limited)).toEqual({
      ...{ model: 'FORBIDDEN', question: 'FORBIDDEN', saved: 'FORBIDDEN' },
      ...{ metric: 'no error', value: 'no error', series: 'no error', dashboard: 'no error', card: 'no error' },
    });
    const { value } = await limited.call('metric_value', { metricId: ids.metricId, asOf: '2024-02-29' });
    expect(value.source).toEqual({ type: 'metric', id: ids.metricId, certification: null });
    expect(failed(await limited.call('find', { q: 'sales' }))).toBe('FORBIDDEN');
    expect(failed(await limited.call('list_catalog'))).toBe('FORBIDDEN');
    const other = await agentWithKey(api, 'read', [{ type: 'metric', id: crypto.randomUUID() }]);
    expect(new Set(Object.values(await outcomes(other)))).toEqual(new Set(['FORBIDDEN']));
  });

  it('has no row and no column of another class, whichever tool reads them', async ({ api }) => {
    const { model, field } = await givenProtected(api);
    const count = { fieldId: field.id, aggregation: 'count' };
    const metric = await givenMetric(api, { name: 'People', modelId: model.id, timeFieldId: field.day, ...count });
    const saved = await posted(api, '/api/saved-queries', {
      name: 'People',
      sql: 'SELECT id, name FROM people ORDER BY id',
    });
    const board = await givenCards(api, [card('people', chart({ source: { kind: 'savedQuery', id: saved.id } }))]);
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const us = await givenReader(api, { attributes: { region: 'us' } });
    const none = await givenReader(api);
    const read = async (token: string) => {
      const { call } = await mcpAgent(api, token);
      const dimensions = [{ fieldId: field.id }, { fieldId: field.name }];
      const asked = await call('ask_model', { modelId: model.id, dimensions, sort: [{ column: 'id' }] });
      const ran = await call('run_saved_query', { savedQueryId: saved.id });
      const looked = await call('look_at_card', { dashboardId: board.id, cardId: 'people' });
      const counted = await call('metric_value', { metricId: metric.id, asOf: '2024-01-31' });
      const labelled = await call('ask_model', { modelId: model.id, dimensions: [{ fieldId: field.salary }] });
      const described = await call('describe', { type: 'model', id: model.id });
      const all = JSON.stringify([asked, ran, looked, counted, labelled, described]);
      const idsOf = ({ value }: McpResult) => (value.rows as unknown[][]).map(([id]) => id);
      return { ids: [asked, ran, looked].map(idsOf), count: counted.value.value, all };
    };
    const seen = await read(eu.token);
    expect(seen.ids).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(Number(seen.count)).toBe(3);
    expect(seen.all).not.toContain(SECRET_ROW);
    expect(seen.all).not.toContain(SECRET_COLUMN);
    expect((await read(us.token)).ids).toEqual([
      [4, 5],
      [4, 5],
      [4, 5],
    ]);
    expect((await read(none.token)).ids).toEqual([[], [], []]);
  });

  itWithOwnCompany('ends where a product is turned off', async ({ api }) => {
    const { outcomes } = await givenSubjects(api);
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    const agent = await mcpAgent(api, await api.token('viewer'));
    await vi.waitFor(async () => expect((await outcomes(agent)).saved).toBe('PRODUCT_TURNED_OFF'), {
      timeout: 60_000,
      interval: 500,
    });
  });

  it('has no picture for viewers who may not export', async ({ api }) => {
    const { boardId } = await givenSubjects(api);
    await api.as('owner').patch('/api/workspaces/current', { viewersMayExport: false });
    const { call } = await mcpAgent(api, await api.token('viewer'));
    const look = { dashboardId: boardId, cardId: 'rows' };
    expect(failed(await call('look_at_card', look))).toBe('no error');
    await vi.waitFor(async () =>
      expect(failed(await call('look_at_card', { ...look, picture: true }))).toBe('EXPORT_TURNED_OFF'),
    );
  });
});

describe('the errors of a tool', () => {
  it('are those of the API, with the places of the arguments', async ({ api }) => {
    const { modelId, fields } = await givenSalesModel(api);
    const { call } = await mcpAgent(api, await api.token('viewer'));
    const issues = async (tool: string, args: object) => {
      const { isError, value } = await call(tool, args as Record<string, unknown>);
      expect(isError).toBe(true);
      return [value.code, ...value.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)];
    };
    expect(await issues('ask_model', { model: modelId, limit: 5000 })).toEqual([
      'VALIDATION_FAILED',
      '/modelId REQUIRED',
      '/model UNKNOWN_MEMBER',
      '/limit MAXIMUM',
    ]);
    expect(await issues('ask_model', { modelId, dimensions: [{ fieldId: fields.region, grian: 'month' }] })).toEqual([
      'VALIDATION_FAILED',
      '/dimensions/0/grian UNKNOWN_MEMBER',
    ]);
    expect(await issues('ask_model', { modelId: `${modelId}/../x` })).toEqual(['VALIDATION_FAILED', '/modelId FORMAT']);
    expect(await issues('describe', { type: 'user', id: modelId })).toEqual(['VALIDATION_FAILED', '/type ENUM']);
    expect(await issues('find', { q: '   ' })).toEqual(['VALIDATION_FAILED', '/q PATTERN']);
    expect(await issues('find', { q: ['x'] })).toEqual(['VALIDATION_FAILED', '/q TYPE']);
    expect(await issues('find', { q: 'x', cursor: 'forged' })).toEqual(['CURSOR_INVALID']);
    expect(await issues('metric_series', { metricId: crypto.randomUUID() })).toEqual(['METRIC_NOT_FOUND']);
    expect(await issues('ask_model', { modelId, dimensions: [{ fieldId: crypto.randomUUID() }] })).toMatchObject([
      'VALIDATION_FAILED',
      expect.stringContaining('/dimensions/0'),
    ]);
  });

  it('have the time after which a search may be tried again', async ({ api }) => {
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    const { call } = await mcpAgent(api, await api.token('viewer'));
    expect(failed(await call('find', { q: 'sales' }))).toBe('no error');
    // The minute may end in between.
    for (const at of [Date.now(), Date.now() + 60_000]) {
      const minute = new Date(at).toISOString().slice(0, 16);
      const key = { pk: `W#${api.workspaceId}#SEARCHES`, sk: `${me}#search#${minute}` };
      await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { count: 60 } })));
    }
    const limited = await call('find', { q: 'sales' });
    expect(limited.value).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });
  });
});

describe('the endpoint', () => {
  const post = (api: Api, token: string | undefined, message: object, headers = {}) =>
    send(api.endpoint, 'POST', PATH, { token, body: { jsonrpc: '2.0', ...message }, headers });

  it('needs credentials, and takes neither other methods nor other revisions of the protocol', async ({ api }) => {
    const token = await api.token('viewer');
    const list = { id: 1, method: 'tools/list' };
    expect(await post(api, undefined, list)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect((await send(api.endpoint, 'GET', PATH, { token })).status).toBe(405);
    expect((await post(api, token, list, { 'mcp-protocol-version': '1999-01-01' })).body.code).toBe(
      'VALIDATION_FAILED',
    );
    expect(await post(api, token, list, { 'mcp-protocol-version': '2025-06-18' })).toMatchObject({ status: 200 });
    expect((await post(api, token, { id: 1 })).body.errors).toMatchObject([{ pointer: '/method', code: 'REQUIRED' }]);
    expect((await api.as('viewer').post(PATH, { jsonrpc: '2.0', id: 7, method: 'no/such' })).body).toMatchObject({
      id: 7,
      error: { code: -32601 },
    });
  });

  it('accepts a notification without a body', async ({ api }) => {
    const reply = await post(api, await api.token('viewer'), { method: 'notifications/initialized' });
    expect([reply.status, reply.body]).toEqual([202, '']);
  });

  it('keeps nothing between requests: a tool can be called without a handshake', async ({ api }) => {
    const params = { name: 'list_catalog', arguments: {} };
    const reply = await api.as('viewer').post(PATH, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(reply.headers.get('mcp-session-id')).toBeNull();
    expect(JSON.parse(reply.body.result.content[0].text)).toMatchObject({ items: [], total: 0 });
  });
});
