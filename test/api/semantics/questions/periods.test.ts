import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

/** Orders at the ends of months, of which one has not been shipped, and 1,000 in April, of which 400 are large. */
const ROWS = `SELECT * FROM (VALUES
    (1, DATE '2026-01-28', 3, 'a', 1), (2, DATE '2026-01-29', 4, 'a', 1), (3, DATE '2026-01-31', 5, 'b', 2),
    (4, DATE '2026-02-28', 10, 'a', 1), (5, DATE '2026-03-31', 20, 'b', NULL), (6, CAST(NULL AS DATE), 333, 'a', 1)
  ) AS t(id, shipped, amount, size, customer)
  UNION ALL
  SELECT CAST(100 + i AS integer), DATE '2026-04-15', 1, CASE WHEN i < 400 THEN 'large' ELSE 'small' END, 1 FROM`;
const CUSTOMERS = `SELECT * FROM (VALUES (1, 'North'), (2, 'South')) AS t(id, region)`;

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
  await server.run(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.orders AS ${ROWS} generate_series(0, 999) AS s(i);
    CREATE TABLE shop.customers AS ${CUSTOMERS};`);
});
afterAll(() => server.drop());

/** The same tables as datasets and in a database, with a model over each. */
async function givenShops(api: Api) {
  await givenDataset(api, { name: 'orders', sql: `${ROWS} range(1000) AS s(i)` });
  await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const stored = await givenModel(api, { name: 'Stored' });
  const live = await givenModel(api, { name: 'Live', sourceId });
  return [await modelled(api, stored.path, ''), await modelled(api, live.path, 'shop')];
}

async function modelled(api: Api, path: string, sourceSchema: string) {
  const table = async (alias: string) => {
    const { id } = await posted(api, `${path}/tables`, { sourceSchema, sourceTable: alias, alias });
    return { id, path: `${path}/tables/${id}` };
  };
  const [customers, orders] = [await table('customers'), await table('orders')];
  const integer = { dataType: 'integer' };
  const fields = {
    key: await givenField(api, customers.path, 'id', integer),
    region: await givenField(api, customers.path, 'region'),
    id: await givenField(api, orders.path, 'id', integer),
    customer: await givenField(api, orders.path, 'customer', integer),
    shipped: await givenField(api, orders.path, 'shipped', { dataType: 'date' }),
    amount: await givenField(api, orders.path, 'amount', integer),
    size: await givenField(api, orders.path, 'size'),
  };
  await posted(api, `${path}/relationships`, {
    fromTableId: customers.id,
    fromFieldId: fields.key,
    toTableId: orders.id,
    toFieldId: fields.customer,
  });
  const ask = async (question: object) => {
    const reply = await api.as('viewer').post(`${path}/query`, question);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const { rows, warnings } = reply.body as { rows: unknown[][]; warnings: string[] };
    // Sums of integers may be texts, because they can have many digits.
    const plain = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value);
    return { rows: rows.map((row) => row.map(plain)), warnings };
  };
  const drill = async (body: object) => {
    const columns = [{ fieldId: fields.id }];
    const reply = await api.as('viewer').post(`${path}/drill`, { columns, ...body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return (reply.body.rows as [number][]).flat();
  };
  return { path, fields, ask, drill };
}

const measure = (expression: string, label = 'value') => ({ expression, label });

describe('questions over months of different lengths', () => {
  it('have the same right values over datasets and over a database', async ({ api }) => {
    for (const { fields, ask } of await givenShops(api)) {
      const by = (grain: string) => ({ fieldId: fields.shipped, grain });
      const prior = [
        measure("PRIOR(SUM([orders.amount]), 'month')", 'sum'),
        measure("PRIOR(COUNT([orders.id]), 'month')", 'n'),
      ];
      expect((await ask({ dimensions: [by('day')], measures: prior })).rows).toEqual([
        ['2026-01-28', null, null],
        ['2026-01-29', null, null],
        ['2026-01-31', null, null],
        ['2026-02-28', 3, 1],
        ['2026-03-31', null, null],
        ['2026-04-15', null, 0],
        [null, null, null],
      ]);
      expect((await ask({ dimensions: [by('month')], measures: prior })).rows).toEqual([
        ['2026-01-01', null, null],
        ['2026-02-01', 12, 3],
        ['2026-03-01', 10, 1],
        ['2026-04-01', 20, 1],
        [null, null, null],
      ]);

      const total = [measure('TOTAL(SUM([orders.amount]))')];
      expect((await ask({ dimensions: [{ fieldId: fields.region }], measures: total })).rows).toEqual([
        ['North', 1375],
        ['South', 1375],
        [null, 1375],
      ]);

      const filled = await ask({
        dimensions: [{ ...by('month'), fill: 'zero' }],
        measures: [measure('SUM([orders.amount])')],
        filters: [{ fieldId: fields.shipped, op: 'between', values: ['2025-12-01', '2026-06-30'] }],
      });
      expect(filled.rows).toEqual([
        ['2025-12-01', 0],
        ['2026-01-01', 12],
        ['2026-02-01', 10],
        ['2026-03-01', 20],
        ['2026-04-01', 1000],
        ['2026-05-01', 0],
        ['2026-06-01', 0],
      ]);
      expect(filled.warnings).toEqual([]);
    }
  });
});

describe('the rows behind a measure', () => {
  it('follow its FILTER, PRIOR and CUMULATIVE', async ({ api }) => {
    for (const { path, fields, drill, ask } of await givenShops(api)) {
      const month = { fieldId: fields.shipped, grain: 'month' };
      const large = await posted(api, `${path}/measures`, {
        name: 'Large',
        expression: "COUNT([orders.id]) FILTER (WHERE [orders.size] = 'large')",
      });
      const april = { dimensions: [month], values: ['2026-04-01'], limit: 2000 };
      expect((await ask({ dimensions: [month], measures: [{ measureId: large.id }] })).rows[3]).toEqual([
        '2026-04-01',
        400,
      ]);
      expect(await drill({ ...april, measure: { measureId: large.id } })).toHaveLength(400);
      const inMonth = (expression: string, values: unknown[]) =>
        drill({ dimensions: [month], values, measure: measure(expression) });
      expect(await inMonth("PRIOR(SUM([orders.amount]), 'month')", ['2026-02-01'])).toEqual([1, 2, 3]);
      expect(await inMonth("PRIOR(SUM([orders.amount]), 'month')", ['2026-01-01'])).toEqual([]);
      expect(await inMonth("PRIOR(SUM([orders.amount]), 'month')", [null])).toEqual([]);
      expect(await inMonth('CUMULATIVE(SUM([orders.amount]))', ['2026-03-01'])).toEqual([1, 2, 3, 4, 5]);
      const day = { fieldId: fields.shipped, grain: 'day' };
      const prior = measure("PRIOR(SUM([orders.amount]), 'month')");
      expect(await drill({ dimensions: [day], values: ['2026-02-28'], measure: prior })).toEqual([1]);
      // Of a total there is nothing to compare with.
      const noTime = await api.as('viewer').post(`${path}/drill`, { measure: prior });
      expect(noTime).toMatchObject({ status: 422, body: { errors: [{ code: '5005' }] } });
      const north = measure("SUM([orders.amount]) FILTER (WHERE [customers.region] = 'South')");
      const rows = await api.as('viewer').post(`${path}/drill`, { measure: north });
      expect(rows.body.columns.map(({ name }: { name: string }) => name)).toEqual([
        'id',
        'customer',
        'shipped',
        'amount',
        'size',
      ]);
      expect(rows.body.rows).toEqual([[3, 2, '2026-01-31', 5, 'b']]);
    }
  });
});

describe('errors of a statement that the request does not have', () => {
  it('have no place in the request', async ({ api }) => {
    await givenDataset(api, { name: 'words', sql: "SELECT 'x' AS word, 2 AS number" });
    const { path } = await givenModel(api);
    const words = await givenTable(api, path, 'words');
    await givenField(api, words.path, 'number', { dataType: 'integer' });
    const sql = 'SELECT CAST(word AS INTEGER) AS n FROM words';
    const saved = await posted(api, '/api/saved-queries', { name: 'Failing', sql });
    const failed = { status: 400, body: { code: 'SQL_ERROR', errors: [{ pointer: '' }] } };
    expect(await api.as('viewer').post(`/api/saved-queries/${saved.id}/run`, {})).toMatchObject(failed);
    const dimensions = [{ expression: '[words.number] * 9223372036854775807', label: 'too large' }];
    expect(await api.as('viewer').post(`${path}/query`, { dimensions })).toMatchObject(failed);
    const text = await givenField(api, words.path, 'word');
    const step = { type: 'change_type', config: { column: 'word', type: 'integer', onError: 'fail' } };
    expect((await api.as('editor').post(`${words.path}/transforms`, step)).status).toBe(200);
    const unread = await api.as('viewer').post(`${path}/query`, { dimensions: [{ fieldId: text }] });
    expect(unread).toMatchObject(failed);
    expect(unread.body.detail).toContain('A value of the column "word" cannot be converted to integer.');
  });
});
