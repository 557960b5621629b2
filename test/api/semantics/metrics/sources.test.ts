import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { manifestKey, readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

const ONE_ORDER = "SELECT TIMESTAMPTZ '2024-03-01T00:00:00Z' AS placed, 2.50::DECIMAL(9,2) AS amount, 'eu' AS region";

let server: TestDatabase;

beforeAll(async () => {
  server = await openDatabase();
  await server.run(`
    CREATE TABLE orders AS SELECT timestamp '2024-03-01' AS placed, 2.50::numeric(9,2) AS amount, 'eu'::text AS region;
    CREATE VIEW slow AS SELECT timestamp '2024-03-01' + pg_sleep(5)::text::interval AS placed, 1 AS amount, 'eu'::text AS region;
    CREATE TABLE changing AS SELECT * FROM orders;`);
});
afterAll(() => server.drop());

async function givenLiveMetric(api: Api, sourceTable: string) {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: `of ${sourceTable}`, type: 'postgres', config, secrets: { password } };
  const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const model = await givenModel(api, { name: sourceTable, sourceId });
  const { id } = await posted(api, `${model.path}/tables`, { sourceSchema: 'public', sourceTable, alias: 'orders' });
  const metric = await givenMetricOf(api, model, { path: `${model.path}/tables/${id}` }, sourceTable);
  return { ...metric, sourceId };
}

async function givenMetricOf(api: Api, model: { id: string }, table: { path: string }, name: string) {
  const timeFieldId = await givenField(api, table.path, 'placed', { dataType: 'datetime' });
  const fieldId = await givenField(api, table.path, 'amount', { dataType: 'decimal' });
  const region = await givenField(api, table.path, 'region');
  const body = { name, modelId: model.id, fieldId, aggregation: 'sum', timeFieldId };
  const { path } = await givenMetric(api, body);
  const asOf = 'asOf=2024-03-20T00:00:00Z';
  return {
    region,
    body,
    parts: [
      `${path}/value?${asOf}`,
      `${path}/series?from=2024-03-01&to=2024-03-31`,
      `${path}/drivers?${asOf}&by=${region}`,
      `${path}/anomalies?from=2024-03-01&to=2024-03-31`,
    ],
  };
}

async function expectEach(api: Api, parts: readonly string[], query: string, reply: object) {
  for (const part of parts) expect(await api.as('viewer').get(`${part}${query}`), part).toMatchObject(reply);
}

describe('a metric over Postgres', () => {
  it('has its values, series and drivers from there', async ({ api }) => {
    const { parts } = await givenLiveMetric(api, 'orders');
    const [value, series, drivers] = await Promise.all(parts.map((part) => api.as('viewer').get(part)));
    expect(value!.body, JSON.stringify(value!.body)).toMatchObject({ value: '2.50', comparison: { value: null } });
    expect(series!.body.points).toMatchObject([{ date: '2024-03-01', value: '2.50' }]);
    expect(drivers!.body).toMatchObject({ additive: 'full', items: [{ value: 'eu', contribution: '2.50' }] });
  });

  it('says so when the database is too slow, has changed, or cannot be reached', async ({ api }) => {
    const slow = await givenLiveMetric(api, 'slow');
    await expectEach(api, slow.parts, '&timeoutMs=200', { status: 408, body: { code: 'QUERY_TIMEOUT' } });
    const changing = await givenLiveMetric(api, 'changing');
    await server.run('ALTER TABLE changing DROP COLUMN amount');
    await expectEach(api, changing.parts, '', { status: 400, body: { code: 'SQL_ERROR' } });
    await api.as('owner').patch(`/api/data-sources/${changing.sourceId}`, { config: { database: 'no_such' } });
    await expectEach(api, changing.parts, '', { status: 422, body: { code: 'DATA_SOURCE_UNREACHABLE' } });
  });
});

describe('a metric over datasets', () => {
  it('says so when its dataset was deleted', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: ONE_ORDER });
    const model = await givenModel(api);
    const metric = await givenMetricOf(api, model, await givenTable(api, model.path), 'lost');
    await loseDataset(api, dataset.id);
    await expectEach(api, metric.parts, '', { status: 400, body: { code: 'SQL_ERROR' } });
  });

  it('says so when its files are too large for the engine', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: ONE_ORDER });
    const { parts } = await givenMetricOf(api, ...(await givenOrdersModel(api)), 'heavy');
    const { name, s3 } = await dataBucket(api.endpoint);
    const { files } = (await readManifest(api.table, objectStore(name, s3), dataset))!;
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: manifestKey(api.workspaceId, dataset.id, dataset.version),
        UpdateExpression: 'SET files = :files',
        ExpressionAttributeValues: { ':files': [{ ...files[0], sizeBytes: 50 * 1024 ** 3 }] },
      }),
    );
    await expectEach(api, parts, '', { status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
  });

  it('compares no dimension whose values are too large for a reply', async ({ api }) => {
    const sql = `SELECT TIMESTAMPTZ '2024-03-01T00:00:00Z' AS placed, 1.0::DECIMAL(9,2) AS amount, repeat('x', 3000) || i AS region FROM range(4000) t(i)`;
    await givenDataset(api, { name: 'wide', sql });
    const model = await givenModel(api);
    const { parts } = await givenMetricOf(api, model, await givenTable(api, model.path, 'wide'), 'wide');
    expect(await api.as('viewer').get(parts[2]!)).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    expect((await api.as('viewer').get(parts[0]!)).body).toMatchObject({ value: '4000.00' });
  });
});

describe('a model over MySQL', () => {
  it('has no metrics', async ({ api }) => {
    const { parts: _parts, body, region } = await givenMetricOf(api, ...(await givenOrders(api)), 'moving');
    const config = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', ssl: false };
    const source = { name: 'mysql', type: 'mysql', config, secrets: { password: 'p' } };
    const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
    const model = await givenModel(api, { name: 'Elsewhere', sourceId });
    const table = await posted(api, `${model.path}/tables`, { sourceSchema: '', sourceTable: 't', alias: 't' });
    const path = `${model.path}/tables/${table.id}`;
    const timeFieldId = await givenField(api, path, 'at', { dataType: 'datetime' });
    const there = { modelId: model.id, timeFieldId, fieldId: timeFieldId, aggregation: 'count' };
    const refused = { body: { code: 'SOURCE_NOT_QUERYABLE' } };
    expect(await api.as('editor').post('/api/metrics', { ...body, ...there, name: 'x' })).toMatchObject(refused);
    const { items } = (await api.as('viewer').get('/api/metrics')).body;
    expect(await api.as('editor').patch(`/api/metrics/${items[0].id}`, there)).toMatchObject(refused);
    const moved = { status: 404, body: { code: 'MODEL_NOT_FOUND' } };
    expect(await api.as('editor').patch(`/api/metrics/${items[0].id}`, { modelId: region })).toMatchObject(moved);
  });
});

async function givenOrders(api: Api) {
  await givenDataset(api, { name: 'orders', sql: ONE_ORDER });
  return givenOrdersModel(api);
}

async function givenOrdersModel(api: Api) {
  const model = await givenModel(api);
  return [model, await givenTable(api, model.path)] as const;
}
