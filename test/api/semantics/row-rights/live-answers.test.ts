import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenField, givenModel, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader, setAttributes } from '../../../support/given/protected.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
});
afterAll(() => server.drop());

/** The first order of the south is in February; one has no customer. */
const SHOP = `DROP TABLE IF EXISTS orders; DROP TABLE IF EXISTS customers;
  CREATE TABLE customers (id int PRIMARY KEY, region text);
  CREATE TABLE orders (id int PRIMARY KEY, customer int, amount int, placed date);
  INSERT INTO customers VALUES (1, 'north'), (2, 'south');
  INSERT INTO orders VALUES (1, 1, 1, '2026-01-10'), (2, 2, 2, '2026-02-10'), (3, 2, 4, '2026-03-10'),
    (4, 1, 8, '2026-04-10'), (5, 2, 16, '2026-05-10'), (6, NULL, 32, '2025-12-10');`;

async function givenShop(api: Api) {
  await server.run(SHOP);
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const sourceId: string = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const integer = ['integer', 'integer'] as const;
  await givenCatalogue(api, sourceId, {
    customers: { id: integer, region: ['text', 'string'] },
    orders: { id: integer, customer: integer, amount: integer, placed: ['date', 'date'] },
  });
  const model = await givenModel(api, { sourceId });
  const table = async (name: string) => {
    const { id } = await posted(api, `${model.path}/tables`, {
      sourceSchema: 'public',
      sourceTable: name,
      alias: name,
    });
    return { id, path: `${model.path}/tables/${id}` };
  };
  const [customers, orders] = [await table('customers'), await table('orders')];
  const field = {
    customer: await givenField(api, customers.path, 'id', { dataType: 'integer' }),
    region: await givenField(api, customers.path, 'region'),
    customerOfOrder: await givenField(api, orders.path, 'customer', { dataType: 'integer' }),
    amount: await givenField(api, orders.path, 'amount', { dataType: 'integer' }),
    placed: await givenField(api, orders.path, 'placed', { dataType: 'date' }),
  };
  await posted(api, `${model.path}/relationships`, {
    fromTableId: customers.id,
    fromFieldId: field.customer,
    toTableId: orders.id,
    toFieldId: field.customerOfOrder,
    cardinality: '1:N',
  });
  const reader = async (region: unknown) => givenReader(api, { attributes: { region } });
  return { sourceId, model, customers, orders, field, reader };
}

const ask = async (call: Caller, model: string, question: object) => {
  const reply = await call.post(`${model}/query`, question);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as { rows: unknown[][]; totals: unknown[]; asOf: string; stats: { cache: string } };
};

const asNumbers = (rows: unknown[][]) =>
  rows.map((row) => row.map((each) => (/^\d+$/.test(`${each}`) ? Number(each) : each)));

describe('values of earlier periods of a database', () => {
  // The policy of the orders reads their customers; that of the customers hides the orders of hidden ones.
  for (const protectedTable of ['orders', 'customers'] as const)
    it(`are those of the rows that a policy of ${protectedTable} shows`, async ({ api }) => {
      const { model, field, reader, ...tables } = await givenShop(api);
      await givenPolicy(api, model.path, {
        tableId: tables[protectedTable].id,
        filterExpression: '[customers.region] IN user.attr("region")',
      });
      const question = {
        dimensions: [{ fieldId: field.placed, grain: 'month', label: 'month' }],
        measures: [
          { expression: 'COUNT([orders.amount])', label: 'n' },
          { expression: "PRIOR(COUNT([orders.amount]), 'month')", label: 'before' },
          { expression: "PRIOR(SUM([orders.amount]), 'month')", label: 'sum' },
          { expression: "PRIOR(COUNT([orders.amount]), 'month', 2)", label: 'two before' },
        ],
      };
      const rowsOf = async (call: Caller, more: object = {}) =>
        asNumbers((await ask(call, model.path, { ...question, ...more })).rows);
      const south = (await reader('south')).caller;
      // Before the first visible order, a count is not known; between two of them it is 0.
      const rows = [
        ['2026-02-01', 1, null, null, null],
        ['2026-03-01', 1, 1, 2, null],
        ['2026-05-01', 1, 0, null, 1],
      ];
      expect(await rowsOf(south)).toEqual(rows);
      expect(await rowsOf(south, { filters: [{ fieldId: field.placed, op: 'gte', values: ['2026-05-01'] }] })).toEqual([
        ['2026-05-01', 1, 0, null, 1],
      ]);
      const byRegion = [{ fieldId: field.region, label: 'region' }, ...question.dimensions];
      expect(await rowsOf(south, { dimensions: byRegion })).toEqual(rows.map((row) => ['south', ...row]));
      expect(await rowsOf((await reader('north')).caller)).toEqual([
        ['2026-01-01', 1, null, null, null],
        ['2026-04-01', 1, 0, null, 0],
      ]);
      expect(await rowsOf((await reader(['south', 'north'])).caller)).toEqual([
        ['2026-01-01', 1, null, null, null],
        ['2026-02-01', 1, 1, 1, null],
        ['2026-03-01', 1, 1, 2, 1],
        ['2026-04-01', 1, 1, 4, 1],
        ['2026-05-01', 1, 1, 8, 1],
      ]);
      expect(await rowsOf((await reader('west')).caller)).toEqual([]);
      const filled = await rowsOf(south, {
        dimensions: [{ ...question.dimensions[0], fill: 'null' }],
        filters: [{ fieldId: field.placed, op: 'between', values: ['2026-01-01', '2026-06-30'] }],
      });
      expect(filled.map(([, ...values]) => values)).toEqual([
        [0, null, null, null],
        [1, null, null, null],
        [1, 1, 2, null],
        [0, 1, 4, 1],
        [1, 0, null, 1],
        [0, 1, 16, 0],
      ]);
    });
});

describe('a cached answer over a database', () => {
  it('is not older than asked when a related table has changed, and never that of other rights', async ({ api }) => {
    const { model, field, reader, orders, sourceId } = await givenShop(api);
    const sql = 'SELECT count(*)::int AS n FROM orders';
    const raw = () => api.as('editor').post('/api/query', { sql, sourceId, maxAgeSeconds: 300 });
    expect(await raw()).toMatchObject({ status: 200, body: { rows: [[6]] } });
    await givenPolicy(api, model.path, {
      tableId: orders.id,
      filterExpression: '[customers.region] IN user.attr("region")',
    });
    expect(await raw()).toMatchObject({ status: 403, body: { code: 'RLS_RAW_SQL' } });
    const [south, north] = [await reader('south'), await reader('north')];
    const read = async (call: Caller, maxAgeSeconds?: number) => {
      const measures = [{ fieldId: field.amount, aggregation: 'sum' }];
      const { rows, asOf, stats } = await ask(call, model.path, { measures, maxAgeSeconds });
      return { sum: asNumbers(rows)[0]![0], asOf, cache: stats.cache };
    };
    const first = await read(south.caller, 300);
    expect(first).toMatchObject({ sum: 22, cache: 'miss' });
    expect(await read(north.caller, 300)).toMatchObject({ sum: 9, cache: 'miss' });
    expect(await read((await reader('west')).caller, 300)).toMatchObject({ sum: null, cache: 'miss' });

    await server.run(`UPDATE customers SET region = 'north' WHERE id = 2`);
    expect(await read(south.caller, 300)).toEqual({ ...first, cache: 'hit' });
    expect(await read(south.caller)).toMatchObject({ sum: null, cache: 'miss' });
    expect(await read(north.caller, 0)).toMatchObject({ sum: 31, cache: 'miss' });
    const ageMs = Date.now() - Date.parse(first.asOf);
    expect(await read(south.caller, Math.floor(ageMs / 1000))).toMatchObject({ sum: null, cache: 'miss' });

    // Other attributes are other rights, whoever has asked before.
    await setAttributes(api, north.userId, { region: 'west' });
    expect(await read(north.caller, 300)).toMatchObject({ sum: null });
  });
});
