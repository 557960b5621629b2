import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { posted } from '../../../support/given/model.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;

beforeAll(async () => {
  server = await openDatabase();
  await server.run(`
    CREATE SCHEMA shop;
    CREATE TYPE shop.channel AS ENUM ('web', 'store');
    CREATE TABLE shop.customers (id uuid PRIMARY KEY, region text);
    CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer uuid, channel shop.channel, amount numeric(12,2), placed timestamptz);
    INSERT INTO shop.customers VALUES ('00000000-0000-4000-8000-000000000001', 'North'), ('00000000-0000-4000-8000-000000000002', 'South');
    INSERT INTO shop.orders VALUES
      (1, '00000000-0000-4000-8000-000000000001', 'web', 10.50, '2026-01-31 23:30:00Z'),
      (2, '00000000-0000-4000-8000-000000000002', 'store', 4.25, '2026-02-01 08:00:00Z'),
      (3, NULL, 'web', 1.00, NULL);`);
});
afterAll(() => server.drop());

async function givenLiveShop(api: Api) {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const { id } = await posted(api, '/api/models', { name: 'Live', sourceId });
  const path = `/api/models/${id}`;
  const table = (name: string) =>
    posted(api, `${path}/tables`, { sourceSchema: 'shop', sourceTable: name, alias: name });
  const field = async (tableId: string, name: string, dataType: string) =>
    (await posted(api, `${path}/tables/${tableId}/fields`, { name, fieldType: 'dimension', dataType })).id;
  const [customers, orders] = [await table('customers'), await table('orders')];
  const fields = {
    id: await field(customers.id, 'id', 'string'),
    region: await field(customers.id, 'region', 'string'),
    customer: await field(orders.id, 'customer', 'string'),
    channel: await field(orders.id, 'channel', 'string'),
    amount: await field(orders.id, 'amount', 'decimal'),
    placed: await field(orders.id, 'placed', 'datetime'),
  };
  await posted(api, `${path}/relationships`, {
    fromTableId: customers.id,
    fromFieldId: fields.id,
    toTableId: orders.id,
    toFieldId: fields.customer,
    cardinality: '1:N',
  });
  return { path, sourceId, fields };
}

describe('a question to a model over Postgres', () => {
  it('is answered in place, with totals, periods and filters', async ({ api }) => {
    const { path, fields } = await givenLiveShop(api);
    const reply = await api.as('viewer').post(`${path}/query`, {
      dimensions: [{ fieldId: fields.region }],
      measures: [
        { fieldId: fields.amount, aggregation: 'sum', label: 'total' },
        { expression: 'SHARE(SUM([orders.amount]))', label: 'share' },
      ],
      totals: 'grand',
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.rows.map(([region, total]: unknown[]) => [region, total])).toEqual([
      ['North', '10.50'],
      ['South', '4.25'],
      [null, '1.00'],
    ]);
    expect(reply.body.totals).toEqual([{ level: 0, row: [null, '15.75', 1] }]);
    const byMonth = await api.as('viewer').post(`${path}/query`, {
      dimensions: [{ fieldId: fields.placed, grain: 'month', label: 'm' }],
      measures: [{ expression: 'COUNT([orders.amount])', label: 'n' }],
      filters: [{ fieldId: fields.channel, op: 'in', values: ['web', "st'ore"] }],
      timezone: 'Europe/Berlin',
    });
    expect(byMonth.body.rows).toEqual([
      ['2026-02-01', 1],
      [null, 1],
    ]);
    const sumOf = async (timezone: string, op: string, ...values: string[]) => {
      const question = { measures: [{ expression: 'SUM([orders.amount])', label: 'sum' }], timezone };
      const filters = [{ fieldId: fields.placed, op, values }];
      return (await api.as('viewer').post(`${path}/query`, { ...question, filters })).body.rows[0][0];
    };
    // The days that a reader chooses are whole ones, also the last.
    expect(await sumOf('UTC', 'between', '2026-01-01', '2026-01-31')).toBe('10.50');
    expect(await sumOf('UTC', 'lte', '2026-02-01')).toBe('14.75');
    expect(await sumOf('UTC', 'gt', '2026-01-31')).toBe('4.25');
    expect(await sumOf('Europe/Berlin', 'between', '2026-02-01', '2026-02-01')).toBe('14.75');
    expect(await sumOf('Europe/Berlin', 'between', '2026-01-01', '2026-01-31')).toBe(null);
    expect(await sumOf('UTC', 'lte', '2026-02-01T00:00:00')).toBe('10.50');
  });

  it('fails with the reason when the database does not answer', async ({ api }) => {
    const { path, fields, sourceId } = await givenLiveShop(api);
    const question = { measures: [{ fieldId: fields.amount, aggregation: 'max' }] };
    const changed = await api.as('owner').patch(`/api/data-sources/${sourceId}`, { config: { database: 'no_such' } });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(await api.as('viewer').post(`${path}/query`, question)).toMatchObject({
      body: { code: 'DATA_SOURCE_UNREACHABLE' },
    });
  });
});

describe('relationships in a live database', () => {
  it('are found by the values of its keys', async ({ api }) => {
    const { path, fields } = await givenLiveShop(api);
    const [{ id }] = (await api.as('editor').get(`${path}/relationships`)).body.items;
    expect((await api.as('editor').delete(`${path}/relationships/${id}`)).status).toBe(204);
    const reply = await api.as('editor').post(`${path}/detect-relationships`);
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { total: 1, isComplete: true } });
    expect(reply.body.items[0]).toMatchObject({
      fromFieldId: fields.id,
      toFieldId: fields.customer,
      evidence: { containment: 1, sampleSize: 2 },
    });
  });
});
