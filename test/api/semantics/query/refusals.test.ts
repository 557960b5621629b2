import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { manifestKey, readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const run = (api: Api, sql: string, more: object = {}) => api.as('editor').post('/api/query', { sql, ...more });

describe('POST /api/query refuses', () => {
  it('whatever writes, and every way out, at its place', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    const places: [sql: string, column: number][] = [
      ['INSERT INTO orders VALUES (2)', 1],
      ['DELETE FROM orders', 1],
      ['UPDATE orders SET id = 2', 1],
      ['CREATE TABLE mine AS SELECT 1', 1],
      ['DROP TABLE orders', 1],
      ["COPY orders TO '/tmp/out.csv'", 1],
      ["ATTACH '/tmp/other.db'", 1],
      ['INSTALL httpfs', 1],
      ["SET memory_limit = '90GB'", 1],
      ['PRAGMA database_list', 1],
      ['CALL pragma_version()', 1],
      ['FROM orders', 1],
      ['SUMMARIZE orders', 1],
      ['DESCRIBE orders', 1],
      ['EXPLAIN ANALYZE SELECT 1', 1],
      ["SELECT * FROM read_text('/etc/passwd')", 15],
      ["SELECT * FROM '/etc/passwd'", 15],
      ["SELECT * FROM glob('/*')", 15],
      ['SELECT * FROM duckdb_settings()', 15],
      ["SELECT getenv('AWS_SECRET_ACCESS_KEY')", 8],
      ['SELECT * FROM information_schema.tables', 15],
    ];
    for (const [sql, column] of places) {
      const reply = await run(api, sql);
      expect(reply, sql).toMatchObject({ status: 400, body: { errors: [{ pointer: '/sql' }] } });
      expect(['SQL_NOT_READ_ONLY', 'SQL_ERROR'], sql).toContain(reply.body.code);
      expect(reply.body.errors[0].position, sql).toMatchObject({ line: 1, column });
    }
    expect(await run(api, 'SELECT 1; DROP TABLE orders')).toMatchObject({
      status: 400,
      body: { code: 'SQL_NOT_READ_ONLY' },
    });
    expect((await run(api, 'SELECT id FROM orders')).body.rows).toEqual([[1]]);
  });

  it('what cannot be parsed or run, at its place', async ({ api }) => {
    expect(await run(api, 'SELECT 1\nFROM WHERE')).toMatchObject({
      status: 400,
      body: { code: 'SQL_PARSE', errors: [{ position: { line: 2, column: 6 } }] },
    });
    expect(await run(api, 'SELECT "é",\n nope(1)')).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    const cast = await run(api, `SELECT 'x'::INTEGER`);
    expect(cast).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(cast.body.detail).toContain('x');
  });

  it('a result that one reply cannot carry', async ({ api }) => {
    const sql = `SELECT repeat('x', 1000) AS a FROM range(5000)`;
    expect(await run(api, sql, { limit: 5000 })).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    expect((await run(api, sql, { limit: 2500 })).body).toMatchObject({ rowCount: 2500, truncated: true });
  });

  it('no result that fits, however much quoting its text needs', async ({ api }) => {
    const reply = await run(api, `SELECT repeat('"', 1000) AS a FROM range(1430)`, { limit: 1430 });
    expect(reply).toMatchObject({ status: 200, body: { rowCount: 1430 } });
    expect(reply.body.rows[1429]).toEqual(['"'.repeat(1000)]);
  });

  it('to let a runaway keep others from their answers', async ({ api }) => {
    const runaways = [
      'SELECT count(*) FROM range(1000000) a, range(1000000) b',
      'SELECT len(list_transform(range(20000000), lambda x: x * 2)) FROM range(100000)',
      `SELECT sum(length(repeat('x', 100000) || i)) FROM range(100000000) r(i)`,
    ];
    for (const sql of runaways) {
      const startedAt = performance.now();
      const [stopped, other] = await Promise.all([run(api, sql, { timeoutMs: 1500 }), run(api, 'SELECT 1 AS a')]);
      expect(['QUERY_TIMEOUT', 'QUERY_TOO_HEAVY'], sql).toContain(stopped.body.code);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(other).toMatchObject({ status: 200, body: { rows: [[1]] } });
    }
    expect((await run(api, 'SELECT 1 AS a')).body.rows).toEqual([[1]]);
  });

  it('a statement that takes longer than it may', async ({ api }) => {
    const sql = 'SELECT count(*) FROM range(1000000) a, range(1000000) b';
    expect(await run(api, sql, { timeoutMs: 100 })).toMatchObject({ status: 408, body: { code: 'QUERY_TIMEOUT' } });
  });

  it('a statement that needs more memory than it may', async ({ api }) => {
    const sql = `SELECT list(repeat('x', 1000) || i) AS a FROM range(100000000) r(i)`;
    expect(await run(api, sql)).toMatchObject({ status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
  });

  it('a statement that takes gigabytes at once, which only the end of its process stops', async ({ api }) => {
    const sql = 'SELECT len(list_transform(range(3000000000), lambda x: x + 1)) AS n';
    expect(await run(api, sql)).toMatchObject({ status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
  });

  it('to fetch more files than it has room for', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'huge', sql: 'SELECT 1 AS a' });
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
    const reply = await run(api, 'SELECT * FROM huge');
    expect(reply).toMatchObject({ status: 422, body: { code: 'QUERY_TOO_HEAVY' } });
    expect(reply.body.detail).toContain('51200 MB');
    expect((await run(api, `SELECT 'huge' AS a`)).status).toBe(200);
  });
});
