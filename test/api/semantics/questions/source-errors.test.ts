import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { manifestKey, readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    CREATE TYPE channel AS ENUM ('web', 'store');
    CREATE TABLE orders (id bigint, channel channel, placed timestamp, note text);
    INSERT INTO orders VALUES (1, 'web', '2026-01-31 23:30:00', '7'), (2, 'store', NULL, 'x');
    CREATE VIEW slow AS SELECT 1::bigint AS id, pg_sleep(20)::text AS slept;`);
});
afterAll(() => server.stop());

interface Place {
  model: string;
  table: string;
  fieldId: string;
}

/** Every way to rows of a table of a model. */
const ways =
  (api: Api, { model, table, fieldId }: Place) =>
  (options: object = {}) =>
    Promise.all([
      api.as('editor').post(`${table}/preview`, options),
      api.as('viewer').post(`${model}/query`, { dimensions: [{ fieldId }], ...options }),
      api.as('viewer').post(`${model}/drill`, { measure: { fieldId, aggregation: 'count' }, ...options }),
      api.as('viewer').post(`${model}/values`, { fieldId, ...options }),
    ]);

async function expectEach(replies: ReturnType<ReturnType<typeof ways>>, status: number, code: string) {
  for (const reply of await replies)
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status, body: { code } });
}

async function givenLiveTable(api: Api, name: 'orders' | 'slow') {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
  await givenCatalogue(api, sourceId, {
    orders: {
      id: ['integer', 'bigint'],
      channel: ['string', 'channel'],
      placed: ['timestamp', 'timestamp without time zone'],
      note: ['string', 'text'],
    },
    slow: { id: ['integer', 'bigint'], slept: ['string', 'text'] },
  });
  const { path } = await givenModel(api, { sourceId });
  const { id } = await posted(api, `${path}/tables`, { sourceSchema: 'public', sourceTable: name, alias: name });
  const table = `${path}/tables/${id}`;
  const fieldId = await givenField(api, table, name === 'slow' ? 'slept' : 'note');
  const preview = (body?: object) => api.as('editor').post(`${table}/preview`, body);
  return { sourceId, table, preview, each: ways(api, { model: path, table, fieldId }) };
}

async function addStep(api: Api, table: string, type: string, config: object): Promise<void> {
  const reply = await api.as('editor').post(`${table}/transforms`, { type, config });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

async function givenDatasetTable(api: Api, sql: string) {
  const dataset = await givenDataset(api, { name: 'orders', sql });
  const { path } = await givenModel(api);
  const { path: table } = await givenTable(api, path, 'orders');
  const fieldId = await givenField(api, table, 'a');
  const preview = (body?: object) => api.as('editor').post(`${table}/preview`, body);
  const values = (options: object = {}) =>
    api.as('viewer').post(`/api/datasets/${dataset.id}/values`, { column: 'a', ...options });
  return { dataset, table, preview, values, each: ways(api, { model: path, table, fieldId }) };
}

describe('rows of a table of Postgres', () => {
  it('are previewed after the steps', async ({ api }) => {
    const { table, preview } = await givenLiveTable(api, 'orders');
    await addStep(api, table, 'change_type', { column: 'note', type: 'integer' });
    await addStep(api, table, 'filter_rows', { conditions: [{ column: 'channel', op: 'in', value: ['web', "o'"] }] });
    const reply = await preview({ timezone: 'Europe/Berlin' });
    expect(reply, JSON.stringify(reply.body)).toMatchObject({
      status: 200,
      body: { rows: [[1, 'web', '2026-02-01T00:30:00.000+01:00', 7]], rowCount: 1, truncated: false },
    });
    await addStep(api, table, 'group_aggregate', { groupBy: ['channel'], aggregations: [{ fn: 'count', as: 'n' }] });
    expect((await preview()).body.rows).toEqual([['web', 1]]);
  });

  it('that do not convert are reported without showing a value', async ({ api }) => {
    const { table, preview } = await givenLiveTable(api, 'orders');
    await addStep(api, table, 'change_type', { column: 'note', type: 'integer', onError: 'fail' });
    const reply = await preview();
    expect(reply).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(reply.body.detail).toContain('A value of the column "note" cannot be converted to integer.');
  });

  it('are given up after the time of the request', async ({ api }) => {
    const { each } = await givenLiveTable(api, 'slow');
    await expectEach(each({ timeoutMs: 300 }), 408, 'QUERY_TIMEOUT');
  });

  it('need a database that answers, and whose dialect expressions have', async ({ api }) => {
    const { each, sourceId } = await givenLiveTable(api, 'orders');
    await api.as('owner').patch(`/api/data-sources/${sourceId}`, { config: { database: 'no_such' } });
    await expectEach(each(), 422, 'DATA_SOURCE_UNREACHABLE');
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
    const other = { name: 'other', type: 'mysql', config, secrets: { password: 'x' } };
    const mysql = (await api.as('owner').post('/api/data-sources', other)).body.id;
    const { path } = await givenModel(api, { name: 'Other', sourceId: mysql });
    const { path: table } = await givenTable(api, path, 'orders');
    const fieldId = await givenField(api, table, 'a');
    await expectEach(ways(api, { model: path, table, fieldId })(), 409, 'SOURCE_NOT_QUERYABLE');
    const compiled = await api.as('editor').post(`${path}/compile`, { dimensions: [{ fieldId }] });
    expect(compiled).toMatchObject({ status: 409, body: { code: 'SOURCE_NOT_QUERYABLE' } });
  });
});

describe('rows of a dataset', () => {
  it('fit in one reply', async ({ api }) => {
    const sql = `SELECT i || repeat('x', 50000) AS a FROM range(200) t(i)`;
    const { each, preview, values } = await givenDatasetTable(api, sql);
    await expectEach(each({ limit: 200 }), 422, 'RESULT_TOO_LARGE');
    expect(await values({ limit: 200 })).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    expect((await preview({ limit: 2 })).body).toMatchObject({ rowCount: 2, truncated: true });
  });

  it('are in files that fit in the room for them', async ({ api }) => {
    const { dataset, each, values } = await givenDatasetTable(api, 'SELECT 1 AS a');
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
    await expectEach(each(), 422, 'QUERY_TOO_HEAVY');
    expect(await values()).toMatchObject({ status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
  });

  it('are gone with it', async ({ api }) => {
    const { dataset, each } = await givenDatasetTable(api, 'SELECT 1 AS a');
    await loseDataset(api, dataset.id);
    await expectEach(each(), 400, 'SQL_ERROR');
  });
});
