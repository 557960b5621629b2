import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { manifestKey, readManifest } from '../../../shared/domains/datasets/manifests.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { type Api, it } from '../../support/api.ts';
import { dataBucket } from '../../support/given/bucket.ts';
import { givenCatalogue } from '../../support/given/catalogue.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { givenModel, givenTable, posted } from '../../support/given/model.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';

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
  return { sourceId, table, preview: (body?: object) => api.as('editor').post(`${table}/preview`, body) };
}

async function addStep(api: Api, table: string, type: string, config: object): Promise<void> {
  const reply = await api.as('editor').post(`${table}/transforms`, { type, config });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

async function givenDatasetTable(api: Api, sql: string) {
  const dataset = await givenDataset(api, { name: 'orders', sql });
  const { path } = await givenModel(api);
  const { path: table } = await givenTable(api, path, 'orders');
  return { dataset, table, preview: (body?: object) => api.as('editor').post(`${table}/preview`, body) };
}

describe('the preview of a table of Postgres', () => {
  it('shows its rows after the steps', async ({ api }) => {
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

  it('reports a value that does not convert without showing it', async ({ api }) => {
    const { table, preview } = await givenLiveTable(api, 'orders');
    await addStep(api, table, 'change_type', { column: 'note', type: 'integer', onError: 'fail' });
    const reply = await preview();
    expect(reply).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(reply.body.detail).toContain('A value of the column "note" cannot be converted to integer.');
  });

  it('is stopped after its time', async ({ api }) => {
    const { preview } = await givenLiveTable(api, 'slow');
    expect(await preview({ timeoutMs: 300 })).toMatchObject({ status: 408, body: { code: 'QUERY_TIMEOUT' } });
  });

  it('reports a database that does not answer, or that has no questions', async ({ api }) => {
    const { preview, sourceId } = await givenLiveTable(api, 'orders');
    await api.as('owner').patch(`/api/data-sources/${sourceId}`, { config: { database: 'no_such' } });
    expect(await preview()).toMatchObject({ status: 422, body: { code: 'DATA_SOURCE_UNREACHABLE' } });
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
    const other = { name: 'other', type: 'mysql', config, secrets: { password: 'x' } };
    const mysql = (await api.as('owner').post('/api/data-sources', other)).body.id;
    const { path } = await givenModel(api, { name: 'Other', sourceId: mysql });
    const { path: table } = await givenTable(api, path, 'orders');
    expect(await api.as('editor').post(`${table}/preview`)).toMatchObject({
      status: 409,
      body: { code: 'SOURCE_NOT_QUERYABLE' },
    });
  });
});

describe('the preview of a dataset', () => {
  it('reports rows that one reply cannot carry', async ({ api }) => {
    const { preview } = await givenDatasetTable(api, `SELECT repeat('x', 50000) AS a FROM range(200)`);
    expect(await preview({ limit: 200 })).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    expect((await preview({ limit: 2 })).body).toMatchObject({ rowCount: 2, truncated: true });
  });

  it('reports more files than there is room for', async ({ api }) => {
    const { dataset, preview } = await givenDatasetTable(api, 'SELECT 1 AS a');
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
    expect(await preview()).toMatchObject({ status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
  });

  it('reports a dataset that is gone', async ({ api }) => {
    const { dataset, preview } = await givenDatasetTable(api, 'SELECT 1 AS a');
    await api.as('editor').delete(`/api/datasets/${dataset.id}`);
    expect(await preview()).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
  });
});
