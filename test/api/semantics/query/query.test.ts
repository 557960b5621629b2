import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const run = (api: Api, sql: string, more: object = {}) => api.as('editor').post('/api/query', { sql, ...more });

const ORDERS = `SELECT i AS id, i % 7 AS customer, (i * 1.25)::DECIMAL(10,2) AS amount, DATE '2026-01-01' + i::INT AS day
                FROM range(1000) r(i)`;
const CUSTOMERS = `SELECT * FROM (VALUES (0, 'Ada'), (1, 'Grace'), (2, NULL)) t(id, name)`;

describe('POST /api/query', () => {
  it('answers the rows of a join over two datasets, with their types and what it cost', async ({ api }) => {
    const orders = await givenDataset(api, { name: 'orders', sql: ORDERS });
    const customers = await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
    const reply = await run(
      api,
      `SELECT c.name, count(*) AS orders, sum(o.amount) AS amount, min(o.day) AS first
       FROM orders o JOIN customers c ON c.id = o.customer GROUP BY ALL ORDER BY c.name NULLS LAST`,
    );
    expect(reply).toMatchObject({
      status: 200,
      body: {
        columns: [
          { name: 'name', type: 'string' },
          { name: 'orders', type: 'integer' },
          { name: 'amount', type: 'decimal(38,2)' },
          { name: 'first', type: 'date' },
        ],
        rows: [
          ['Ada', 143, '88838.75', '2026-01-01'],
          ['Grace', 143, '89017.50', '2026-01-02'],
          [null, 143, '89196.25', '2026-01-03'],
        ],
        rowCount: 3,
        truncated: false,
        warnings: [],
      },
    });
    expect(reply.body.stats.bytes).toBe(orders.sizeBytes + customers.sizeBytes);
    expect(reply.body.queryId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reads all files of a dataset, and its new version as soon as it is there', async ({ api }) => {
    await givenDataset(api, { name: 'parts', sql: ['SELECT 1 AS a', 'SELECT 2 AS a', 'SELECT 3 AS a'] });
    expect((await run(api, 'SELECT a FROM parts ORDER BY a')).body.rows).toEqual([[1], [2], [3]]);
    await givenDataset(api, { name: 'parts', sql: `SELECT 'new' AS b` });
    expect((await run(api, 'SELECT * FROM parts')).body.rows).toEqual([['new']]);
  });

  it('binds parameters and never splices them', async ({ api }) => {
    await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
    const hostile = `' OR 1 = 1; DROP TABLE customers --`;
    expect((await run(api, 'SELECT id FROM customers WHERE name = $1', { params: [hostile] })).body.rows).toEqual([]);
    const echoed = await run(api, 'SELECT $1 AS a, $2 AS b, $3 AS c, $4 AS d, $5 AS e', {
      params: [hostile, 42, 1.5, true, null],
    });
    expect(echoed.body.rows).toEqual([[hostile, 42, 1.5, true, null]]);
    expect(await run(api, 'SELECT $2', { params: [1] })).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(await run(api, 'SELECT 1', { params: [1] })).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(await run(api, 'SELECT 1', { params: [{}] })).toMatchObject({ body: { code: 'VALIDATION_FAILED' } });
  });

  it('returns at most `limit` rows and says whether there are more', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const shape = async (limit: number) => {
      const { rowCount, truncated, rows } = (await run(api, 'SELECT id FROM orders ORDER BY id', { limit })).body;
      return [rowCount, rows.length, truncated];
    };
    expect(await shape(999)).toEqual([999, 999, true]);
    expect(await shape(1000)).toEqual([1000, 1000, false]);
    expect(await shape(1)).toEqual([1, 1, true]);
    expect(await run(api, 'SELECT 1', { limit: 50_001 })).toMatchObject({ status: 400 });
  });

  it('shows values in one wire format', async ({ api }) => {
    await givenDataset(api, {
      name: 'kinds',
      sql: `SELECT 9007199254740993 AS big, -5 AS small, 1.10::DECIMAL(6,2) AS money, DATE '2026-02-28' AS day,
              TIMESTAMP '2026-02-28 10:00:00.5' AS moment, TIMESTAMPTZ '2026-02-28 10:00:00+02' AS instant,
              [1, NULL] AS list, {'a': 1, 'b': DATE '2026-01-01'} AS nested, 0.1::FLOAT AS ratio, true AS flag`,
    });
    const { columns, rows, warnings } = (await run(api, 'SELECT * FROM kinds')).body;
    expect(columns.map(({ type }: { type: string }) => type)).toEqual([
      'integer',
      'integer',
      'decimal(6,2)',
      'date',
      'timestamp',
      'timestamptz',
      'list(integer)',
      'struct(a integer, b date)',
      'double',
      'boolean',
    ]);
    expect(rows).toEqual([
      [
        '9007199254740993',
        -5,
        '1.10',
        '2026-02-28',
        '2026-02-28T10:00:00.500Z',
        '2026-02-28T08:00:00.000Z',
        [1, null],
        { a: 1, b: '2026-01-01' },
        0.1,
        true,
      ],
    ]);
    expect(warnings).toEqual([]);
    expect((await run(api, `SELECT 'nan'::DOUBLE AS a, 1 / 0 AS b, 'Zoë ☕' AS c`)).body).toMatchObject({
      rows: [[null, null, 'Zoë ☕']],
      warnings: ['NON_FINITE_AS_NULL'],
    });
    expect((await run(api, `SELECT '{"a": [NaN, "NaN"]}'::JSON AS a, 2 AS a`)).body).toMatchObject({
      rows: [[{ a: [null, 'NaN'] }, 2]],
      warnings: ['NON_FINITE_AS_NULL'],
    });
  });

  it('reads an empty dataset as a table without rows', async ({ api }) => {
    await givenDataset(api, { name: 'none', sql: "SELECT 1 AS a, DATE '2026-01-01' AS d WHERE false" });
    expect((await run(api, 'SELECT count(*), max(d) FROM none')).body.rows).toEqual([[0, null]]);
  });

  it('finds datasets by name in any case and with any characters', async ({ api }) => {
    const names = ['Daily Sales', 'we"ird', "o'brien", 'ÜBER größe', 'a.b', 'select', '数据', 'tab\\slash'];
    for (const [index, name] of names.entries()) await givenDataset(api, { name, sql: `SELECT ${index} AS a` });
    for (const [index, name] of names.entries()) {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      expect(await run(api, `SELECT a FROM ${quoted}`), name).toMatchObject({ status: 200, body: { rows: [[index]] } });
    }
    expect((await run(api, 'SELECT a FROM "DAILY sales"')).body.rows).toEqual([[0]]);
  });

  it('reads no file of a dataset that the statement only talks about', async ({ api }) => {
    const orders = await givenDataset(api, { name: 'orders', sql: ORDERS });
    await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
    const reply = await run(api, `SELECT count(*), 'customers' AS word FROM orders -- customers`);
    expect(reply.body).toMatchObject({ rows: [[1000, 'customers']], stats: { bytes: orders.sizeBytes } });
  });

  it('reads the named datasets alone', async ({ api }) => {
    const orders = await givenDataset(api, { name: 'orders', sql: ORDERS });
    await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
    const datasetIds = [orders.id];
    expect((await run(api, 'SELECT count(*) FROM orders', { datasetIds })).body.rows).toEqual([[1000]]);
    expect(await run(api, 'SELECT * FROM customers', { datasetIds })).toMatchObject({
      status: 400,
      body: { code: 'SQL_ERROR', errors: [{ pointer: '/sql', position: { line: 1, column: 15 } }] },
    });
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect(await run(api, 'SELECT 1', { datasetIds: [orders.id, unknown] })).toMatchObject({
      status: 404,
      body: { code: 'DATASET_NOT_FOUND', errors: [{ pointer: '/datasetIds/1' }] },
    });
  });

  it("neither sees nor names another workspace's datasets", async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'secrets', sql: `SELECT 'theirs' AS a` });
    const stranger = api.as('stranger');
    const none = await stranger.post('/api/query', { sql: 'SELECT * FROM secrets' });
    const never = await stranger.post('/api/query', { sql: 'SELECT * FROM nothing' });
    expect(none).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(none.body.errors[0].message.replaceAll('secrets', 'nothing')).toBe(never.body.errors[0].message);
    expect(await stranger.post('/api/query', { sql: 'SELECT * FROM secrets', datasetIds: [id] })).toMatchObject({
      status: 404,
      body: { code: 'DATASET_NOT_FOUND' },
    });
  });
});
