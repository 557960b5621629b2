import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const run = (api: Api, sql: string, more: object = {}) => api.as('editor').post('/api/query', { sql, ...more });
const outcome = async (api: Api, sql: string, more: object = {}) => (await run(api, sql, more)).body.stats.cache;

async function entries(api: Api): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await api.table.db.send(
    new QueryCommand({
      TableName: api.table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `W#${api.workspaceId}#QUERY-RESULT` },
      ConsistentRead: true,
    }),
  );
  return Items;
}

describe('an answer of POST /api/query', () => {
  it('is cached until the data changes, whatever the layout of the statement', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT i AS id FROM range(10) r(i)' });
    const first = await run(api, 'SELECT sum(id) AS total FROM orders');
    expect(first.body.stats.cache).toBe('miss');
    const second = await run(api, 'SELECT sum(id)   AS total -- all of them\n FROM orders ;');
    expect(second.body).toMatchObject({
      rows: first.body.rows,
      asOf: first.body.asOf,
      stats: { cache: 'hit', bytes: first.body.stats.bytes },
    });
    expect(second.body.queryId).not.toBe(first.body.queryId);
    await givenDataset(api, { name: 'orders', sql: 'SELECT 7 AS id' });
    expect((await run(api, 'SELECT sum(id) AS total FROM orders')).body).toMatchObject({
      rows: [['7']],
      stats: { cache: 'miss' },
    });
  });

  it('depends on parameters, zone, limit and letters, and on who may see what', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT i AS id FROM range(10) r(i)' });
    const sql = 'SELECT id AS n FROM orders WHERE id > $1 ORDER BY id';
    expect(await outcome(api, sql, { params: [1] })).toBe('miss');
    expect(await outcome(api, sql, { params: [2] })).toBe('miss');
    expect(await outcome(api, sql, { params: ['1'] })).toBe('miss');
    expect(await outcome(api, sql, { params: [1], limit: 3 })).toBe('miss');
    expect(await outcome(api, sql, { params: [1], timezone: 'Europe/Berlin' })).toBe('miss');
    expect(await outcome(api, sql.replace('AS n', 'AS N'), { params: [1] })).toBe('miss');
    expect((await api.as('owner').post('/api/query', { sql, params: [1] })).body.stats.cache).toBe('miss');
    expect(await outcome(api, sql, { params: [1] })).toBe('hit');
    expect(await outcome(api, sql, { params: [1], maxAgeSeconds: 0 })).toBe('miss');
  });

  it('is no answer for another workspace', async ({ api }) => {
    expect(await outcome(api, 'SELECT 40 + 2')).toBe('miss');
    expect(await outcome(api, 'SELECT 40 + 2')).toBe('hit');
    expect((await api.as('stranger').post('/api/query', { sql: 'SELECT 40 + 2' })).body.stats.cache).toBe('miss');
  });

  it('is not cached when it is an error, or may be another one the next moment', async ({ api }) => {
    for (const sql of ['SELECT now()', 'SELECT current_date', 'SELECT * FROM range(9) USING SAMPLE 2 ROWS']) {
      expect([await outcome(api, sql), await outcome(api, sql)], sql).toEqual(['miss', 'miss']);
    }
    expect(await entries(api)).toEqual([]);
    const wrong = `SELECT 'x'::INTEGER`;
    expect(await run(api, wrong)).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect(await run(api, wrong)).toMatchObject({ status: 400, body: { code: 'SQL_ERROR' } });
    expect((await entries(api)).map(({ state, object }) => [state, object])).toEqual([['failed', undefined]]);
  });

  it('is computed once for many who ask at the same time', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT i AS id FROM range(1000) r(i)' });
    const sql = 'SELECT count(*) FROM orders a, orders b WHERE a.id * b.id % 7 = 1';
    const replies = await Promise.all(Array.from({ length: 12 }, () => run(api, sql)));
    const answered = replies.filter(({ status }) => status === 200);
    const outcomes = answered.map(({ body }) => body.stats.cache);
    expect(outcomes.filter((cache) => cache === 'miss')).toHaveLength(1);
    expect(new Set(answered.map(({ body }) => JSON.stringify([body.rows, body.asOf]))).size).toBe(1);
    expect(replies.every(({ status }) => status === 200 || status === 429 || status === 503)).toBe(true);
    expect(answered.length).toBeGreaterThan(1);
  });

  it('is awaited while another request computes it, and computed again when that request has died', async ({ api }) => {
    const sql = 'SELECT 1 AS a';
    await run(api, sql);
    const [entry] = await entries(api);
    const put = (leaseUntil: number) =>
      api.table.db.send(
        new PutCommand({
          TableName: api.table.name,
          Item: { ...entry, owner: 'another-worker', state: 'running', leaseUntil, object: undefined },
        }),
      );
    await put(Date.now() + 30_000);
    expect(await run(api, sql, { timeoutMs: 300 })).toMatchObject({ status: 408, body: { code: 'QUERY_TIMEOUT' } });
    await put(Date.now() + 800);
    expect((await run(api, sql)).body).toMatchObject({ rows: [[1]], stats: { cache: 'miss' } });
    expect(await outcome(api, sql)).toBe('hit');
  });

  it('is in the table if it is small, and in the bucket otherwise', async ({ api }) => {
    const large = 'SELECT md5(i::VARCHAR) AS a FROM range(1000) r(i) ORDER BY i';
    for (const sql of ['SELECT 3 AS a', large]) {
      const { rows } = (await run(api, sql)).body;
      expect((await run(api, sql)).body).toMatchObject({ rows, stats: { cache: 'hit' } });
    }
    const stored = await entries(api);
    const places = stored.map(({ inline, object }) => [inline instanceof Uint8Array, typeof object]);
    expect(places.sort()).toEqual([
      [false, 'string'],
      [true, 'undefined'],
    ]);
  });

  it('is computed again when its text or its entry is gone', async ({ api }) => {
    const sql = 'SELECT md5(i::VARCHAR) AS a FROM range(1000) r(i) ORDER BY i';
    const { rows } = (await run(api, sql)).body;
    const [entry] = await entries(api);
    const { name, s3 } = await dataBucket(api.endpoint);
    await s3.send(new DeleteObjectCommand({ Bucket: name, Key: String(entry!.object) }));
    expect((await run(api, sql)).body).toMatchObject({ rows, stats: { cache: 'miss' } });
    const { pk, sk } = entry as { pk: string; sk: string };
    await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key: { pk, sk } }));
    expect(await outcome(api, sql)).toBe('miss');
  });
});

describe('POST /api/query', () => {
  it('shows, cuts and takes apart instants in the zone that was asked for', async ({ api }) => {
    const sql = `SELECT TIMESTAMPTZ '2026-03-29 00:30:00Z' AS a, TIMESTAMPTZ '2026-03-29 01:30:00Z' AS b,
      date_trunc('day', TIMESTAMPTZ '2026-06-30 22:30:00Z') AS c, TIMESTAMP '2026-01-01 00:00:00' AS d, DATE '2026-01-01' AS e,
      hour(TIMESTAMPTZ '2026-06-30 22:30:00Z') AS f`;
    expect((await run(api, sql, { timezone: 'Europe/Berlin' })).body.rows).toEqual([
      [
        '2026-03-29T01:30:00.000+01:00',
        '2026-03-29T03:30:00.000+02:00',
        '2026-07-01T00:00:00.000+02:00',
        '2026-01-01T00:00:00.000Z',
        '2026-01-01',
        0,
      ],
    ]);
    expect((await run(api, sql)).body.rows[0].slice(0, 3)).toEqual([
      '2026-03-29T00:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-06-30T00:00:00.000Z',
    ]);
    for (const timezone of ['Mars/Olympus', '+02:00', 'x y'])
      expect(await run(api, sql, { timezone })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/timezone' }] },
      });
  });

  it('binds parameters by name', async ({ api }) => {
    const sql = 'SELECT $greeting || $name AS a, $n + 1 AS b';
    expect((await run(api, sql, { params: { greeting: 'hello ', name: `'; --`, n: 41 } })).body.rows).toEqual([
      [`hello '; --`, 42],
    ]);
    expect(await run(api, sql, { params: { greeting: 'x' } })).toMatchObject({
      status: 400,
      body: { code: 'SQL_ERROR' },
    });
    expect(await run(api, sql, { params: { 'not a name': 1 } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });
});
