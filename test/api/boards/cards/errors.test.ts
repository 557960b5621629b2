import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { cardBlock, doc, givenStory } from '../../../support/given/stories.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
  await server.run('CREATE TABLE staff AS SELECT 1 AS id');
});
afterAll(() => server.stop());

interface Expected {
  code: string;
  status: number;
  pointers?: string[];
}

/** Reads a card with the query, on its dashboard and in a story, and expects its problem. */
async function expectProblem(api: Api, path: string, query: object, { code, status, pointers }: Expected, body = {}) {
  const card = await posted(api, `${path}/cards`, {
    cardType: 'chart',
    position: POSITION,
    chartSpec: { version: 1, query, mark: { type: 'table' } },
  });
  const story = await givenStory(api, doc(cardBlock('block', path.split('/').at(-1)!, card.id)));
  for (const place of [`${path}/cards/${card.id}`, `${story.path}/blocks/block`]) {
    const reply = await api.as('editor').post(`${place}/data`, body);
    expect([reply.body.code, reply.status], `${place} ${JSON.stringify(reply.body)}`).toEqual([code, status]);
    if (pointers) expect(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  }
}

const saved = async (api: Api, name: string, sql: string, more: object = {}) => {
  const { id } = await posted(api, '/api/saved-queries', { name, sql, ...more });
  return { source: { kind: 'savedQuery', id } };
};

describe('a card says why it has no rows', () => {
  it('where its source does not exist, or its query does not fit it', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const id = crypto.randomUUID();
    const measures = [{ expression: 'COUNT(*)', label: 'n' }];
    for (const [kind, code] of [
      ['model', 'MODEL_NOT_FOUND'],
      ['dataset', 'DATASET_NOT_FOUND'],
    ] as const)
      await expectProblem(api, path, { source: { kind, id }, measures }, { code, status: 404 });
    await expectProblem(
      api,
      path,
      { source: { kind: 'savedQuery', id } },
      { code: 'SAVED_QUERY_NOT_FOUND', status: 404 },
    );
    await expectProblem(api, path, { source: { kind: 'metric', id } }, { code: 'METRIC_NOT_FOUND', status: 404 });

    const dataset = await givenDataset(api, { name: 'one', sql: 'SELECT 1 AS id' });
    const source = { kind: 'dataset', id: dataset.id };
    const invalid = (pointers: string[]) => ({ code: 'CHART_SPEC_INVALID', status: 400, pointers });
    const wrong = { source, dimensions: [{ column: 'idd' }], measures: [{ fieldId: id }], params: {} };
    await expectProblem(api, path, wrong, invalid(['/chartSpec/query/params', '/chartSpec/query/measures/0/fieldId']));
    const unknown = { source, dimensions: [{ column: 'idd' }] };
    await expectProblem(api, path, unknown, invalid(['/chartSpec/query/dimensions/0/column']));
    const query = await saved(api, 'Of a parameter', 'SELECT $n AS n', { params: [{ name: 'n', type: 'integer' }] });
    await expectProblem(api, path, { ...query, params: { m: 1 } }, invalid(['/chartSpec/query/params/m']));

    const text = await posted(api, `${path}/cards`, { cardType: 'divider', position: POSITION });
    const reply = await api.as('editor').post(`${path}/cards/${text.id}/data`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'CARD_WITHOUT_ROWS' } });
    const nowhere = await api.as('editor').post(`${path}/cards/nope/data`);
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'DASHBOARD_CARD_NOT_FOUND' } });
    const both = { filters: [{ op: 'is_null' }, { filterId: id, op: 'is_null' }] };
    const card = await posted(api, `${path}/cards`, {
      cardType: 'chart',
      position: POSITION,
      chartSpec: { version: 1, query: { source, dimensions: [{ column: 'id' }] }, mark: { type: 'table' } },
    });
    const filtered = await api.as('editor').post(`${path}/cards/${card.id}/data`, both);
    expect(filtered).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/filters/0' }, { pointer: '/filters/1/filterId' }] },
    });
  });

  it('with the place of a wrong filter in the request, whatever filters come before it', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const dataset = await givenDataset(api, { name: 'one', sql: 'SELECT 1 AS id' });
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'id' }],
      filters: [{ column: 'id', op: 'gt', values: [0] }],
    };
    const ignored = { fieldId: 'elsewhere', op: 'is_null' };
    const wrong = { fieldId: 'id', op: 'eq', values: [] };
    const expected = { code: 'VALIDATION_FAILED', status: 400, pointers: ['/filters/1/values'] };
    await expectProblem(api, path, query, expected, { filters: [ignored, wrong] });
    const own = { ...query, filters: [...query.filters, { column: 'id', op: 'eq', values: [] }] };
    const ofCard = { code: 'CHART_SPEC_INVALID', status: 400, pointers: ['/chartSpec/query/filters/1/values'] };
    await expectProblem(api, path, own, ofCard, { filters: [ignored] });
    const pointers = ['/chartSpec/query/filters/1/values', '/filters/1/values'];
    await expectProblem(api, path, own, { ...ofCard, pointers }, { filters: [ignored, wrong] });
  });

  it('where a model or a metric cannot answer', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const sales = await givenSalesModel(api);
    const metric = await givenMetric(api, sales.definition);
    await api.as('editor').put(`${sales.table.path}/fields/${sales.fields.sold}`, { dataType: 'string' });
    await expectProblem(
      api,
      path,
      { source: { kind: 'metric', id: metric.id } },
      { code: 'METRIC_STALE', status: 409 },
    );

    await givenDataset(api, { name: 'apart', sql: 'SELECT 1 AS id' });
    const apart = await givenTable(api, sales.path, 'apart');
    const other = await givenField(api, apart.path, 'id', { dataType: 'integer' });
    const query = {
      source: { kind: 'model', id: sales.modelId },
      dimensions: [{ fieldId: other }],
      measures: [{ measureId: sales.revenue }],
    };
    await expectProblem(api, path, query, { code: 'QUESTION_UNANSWERABLE', status: 422 });
  });

  it('where a statement fails, is too large, too heavy or too slow', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await givenDataset(api, { name: 'words', sql: "SELECT 'x' AS word" });
    const large = await saved(api, 'Large', "SELECT repeat('x', 10000) AS a FROM range(5000)");
    await expectProblem(api, path, large, { code: 'RESULT_TOO_LARGE', status: 422 });
    const failing = await saved(api, 'Failing', 'SELECT CAST(word AS INTEGER) AS n FROM words');
    await expectProblem(api, path, failing, { code: 'SQL_ERROR', status: 400 });
    const slow = await saved(api, 'Slow', 'SELECT count(*) AS n FROM range(1000000) a, range(1000000) b');
    await expectProblem(api, path, slow, { code: 'QUERY_TIMEOUT', status: 408 }, { timeoutMs: 100 });
    const heavy = await saved(api, 'Heavy', "SELECT list(repeat('x', 1000) || i) AS a FROM range(100000000) r(i)");
    await expectProblem(api, path, heavy, { code: 'QUERY_TOO_HEAVY', status: 422 });
  });

  it('where a database cannot be queried, reached or read', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const given = async (type: string, to: object, secrets = { password: 'x' }) => {
      const source = { name: crypto.randomUUID(), type, config: to, secrets };
      const { body } = await api.as('owner').post('/api/data-sources', source);
      const model = await givenModel(api, { name: source.name, sourceId: body.id });
      const table = await posted(api, `${model.path}/tables`, {
        sourceSchema: 'public',
        sourceTable: 'staff',
        alias: 'staff',
      });
      const id = await givenField(api, `${model.path}/tables/${table.id}`, 'id', { dataType: 'integer' });
      const query = { source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: id }] };
      return { sourceId: body.id as string, model, table, query };
    };
    const nowhere = { host: '127.0.0.1', port: 1, database: 'x', user: 'x' };
    const notQueryable = await given('mysql', nowhere);
    await expectProblem(api, path, notQueryable.query, { code: 'SOURCE_NOT_QUERYABLE', status: 409 });
    const unreachable = await given('postgres', nowhere);
    await expectProblem(api, path, unreachable.query, { code: 'DATA_SOURCE_UNREACHABLE', status: 422 });

    const { host, port, database, user, password } = server;
    const { sourceId, model, table } = await given(
      'postgres',
      { host, port, database, user, ssl: false },
      { password },
    );
    const raw = await saved(api, 'Raw', 'SELECT id FROM staff', { sourceId });
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[id] = 2' });
    await expectProblem(api, path, raw, { code: 'RLS_RAW_SQL', status: 403 });

    await givenDataset(api, { name: 'huge', sql: 'SELECT 9223372036854775807::BIGINT AS amount' });
    const protectedModel = await givenModel(api, { name: 'Huge' });
    const huge = await givenTable(api, protectedModel.path, 'huge');
    const amount = await givenField(api, huge.path, 'amount', { dataType: 'integer' });
    await givenPolicy(api, protectedModel.path, { tableId: huge.id, filterExpression: '[amount] * [amount] > 0' });
    const query = { source: { kind: 'model', id: protectedModel.id }, dimensions: [{ fieldId: amount }] };
    await expectProblem(api, path, query, { code: 'RLS_ERROR', status: 403 });
  });
});
