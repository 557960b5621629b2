import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const TABLES = {
  orders: `SELECT i AS id, i % 97 AS customer, (i * 37 % 1000 / 4)::DECIMAL(10,2) AS amount,
             DATE '2026-01-01' + (i % 365)::INT AS day, CASE WHEN i % 11 = 0 THEN NULL ELSE 'k' || i % 5 END AS kind
           FROM range(20000) r(i)`,
  customers: `SELECT i AS id, 'customer ' || i AS name, i % 3 = 0 AS active FROM range(80) r(i)`,
};

const STATEMENTS = [
  'SELECT * FROM orders ORDER BY id LIMIT 100',
  'SELECT kind, count(*), sum(amount), min(day), max(day) FROM orders GROUP BY kind ORDER BY kind NULLS FIRST',
  'SELECT c.name, sum(o.amount) FROM orders o JOIN customers c ON c.id = o.customer WHERE c.active GROUP BY ALL ORDER BY 1',
  'SELECT o.customer, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer WHERE o.id < 200 ORDER BY o.id',
  'SELECT count(*) FROM customers ANTI JOIN orders ON orders.customer = customers.id',
  'SELECT id, sum(amount) OVER (PARTITION BY customer ORDER BY id ROWS 2 PRECEDING) FROM orders ORDER BY id LIMIT 500',
  'SELECT id, row_number() OVER (ORDER BY amount DESC, id) AS place FROM orders QUALIFY place <= 20 ORDER BY place',
  'SELECT customer, kind, sum(amount) FROM orders GROUP BY GROUPING SETS ((customer, kind), (kind), ()) ORDER BY ALL LIMIT 300',
  'WITH RECURSIVE t(n, f) AS (SELECT 1, 1::HUGEINT UNION ALL SELECT n + 1, f * (n + 1) FROM t WHERE n < 25) SELECT * FROM t ORDER BY n',
  'SELECT day, o.id FROM (SELECT DISTINCT day FROM orders WHERE id < 30) JOIN orders o USING (day) WHERE o.id < 400 ORDER BY ALL',
  `SELECT upper(name), regexp_extract(name, '\\d+')::INT, name LIKE '%7%', strftime(DATE '2026-03-01', '%j') FROM customers ORDER BY ALL`,
  'SELECT customer FROM orders WHERE amount > 200 EXCEPT SELECT id FROM customers ORDER BY 1',
  'SELECT * FROM (SELECT kind, customer % 3 AS third, amount FROM orders) PIVOT (count(*) FOR third IN (0, 1, 2) GROUP BY kind) ORDER BY ALL',
];

/** Rows to compare: the wire shows some integers and all decimals as text. */
const asTexts = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((value) => (value === null ? null : String(value))));

describe('POST /api/query', () => {
  it('answers what DuckDB answers without anything around it', async ({ api }) => {
    const instance = await DuckDBInstance.create(':memory:');
    const plain = await instance.connect();
    for (const [name, sql] of Object.entries(TABLES)) {
      await plain.run(`CREATE TABLE ${name} AS ${sql}`);
      await givenDataset(api, { name, sql });
    }
    for (const sql of STATEMENTS) {
      const reply = await api.as('editor').post('/api/query', { sql });
      const expected = asTexts((await plain.runAndReadAll(sql)).getRows());
      expect(reply.status, sql).toBe(200);
      expect(expected.length, sql).toBeGreaterThan(0);
      expect(asTexts(reply.body.rows), sql).toEqual(expected);
    }
    plain.disconnectSync();
    instance.closeSync();
  });
});
