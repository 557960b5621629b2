import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { HAS_MARIADB, startMariadb, type TestMariadb } from '../../../support/mariadb.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { proxyTo } from '../../../support/socket-server.ts';

const start = (api: Api, sourceId: string, sql: string, more: object = {}) =>
  api.as('editor').post('/api/query/jobs', { sql, sourceId, ...more });

const read = async (api: Api, id: string) => (await api.as('editor').get(`/api/query/jobs/${id}`)).body;

async function ended(api: Api, id: string) {
  const isOver = async () => {
    const body = await read(api, id);
    expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
    return body;
  };
  return vi.waitFor(isOver, { timeout: 60_000, interval: 100 });
}

const running = (api: Api, id: string) =>
  vi.waitFor(async () => expect((await read(api, id)).status).toBe('running'), { timeout: 90_000, interval: 50 });

const result = (api: Api, id: string, accept = 'application/json', query = '') =>
  api.as('editor').get(`/api/query/jobs/${id}/result${query}`, { headers: { accept } });

async function parquetOf(api: Api, id: string) {
  const { body } = await result(api, id, 'application/vnd.apache.parquet');
  const file = await (await fetch(body.downloadUrl)).arrayBuffer();
  return parquetReadObjects({
    file,
    utf8: false,
    compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
  });
}

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    CREATE TABLE orders AS SELECT i AS id, (i * 1.25)::numeric(10,2) AS amount, 'r' || i % 3 AS region,
      timestamptz '2026-01-01 00:00Z' + i * interval '7 hours' AS at FROM generate_series(1, 1200) i;
    CREATE TABLE locked AS SELECT 1 AS id;
    CREATE TABLE wide AS SELECT i AS id, repeat('x', 3000000) AS text FROM generate_series(1, 2) i;`);
});
afterAll(() => server.stop());

async function givenSource(api: Api, changes: object = {}): Promise<string> {
  const { host, port, database, user, password } = server;
  const reply = await api.as('owner').post('/api/data-sources', {
    name: 'database',
    type: 'postgres',
    config: { host, port, database, user, ssl: false, ...changes },
    secrets: { password },
  });
  return reply.body.id;
}

/** What the server does for us; it shows the cursor and not its statement. */
const atWork = () =>
  server.rows(`SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH % FROM analytics_rows'`);

describe('a query job over a Postgres source', () => {
  it('keeps the rows in their order, in pages and as a file, with the values of a query', async ({ api }) => {
    const sourceId = await givenSource(api);
    const sql = `SELECT id, amount, region, at, amount / 3 AS third, ARRAY[id, NULL] AS list, '{"a":[1.5]}'::jsonb AS doc,
      '\\x00ff61'::bytea AS bytes, 'infinity'::timestamp AS never, timestamp '294270-01-01' AS late, id AS "ID"
      FROM orders WHERE id > $least ORDER BY id DESC`;
    const options = { params: { least: 1198 }, timezone: 'Asia/Tokyo' };
    const { status, body } = await start(api, sourceId, sql, options);
    expect(status).toBe(202);
    expect(await ended(api, body.id)).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      result: { rowCount: 2, truncated: false },
    });
    const kept = (await result(api, body.id)).body;
    const asked = await api.as('editor').post('/api/query', { sql, sourceId, ...options });
    expect(kept.rows).toEqual(asked.body.rows);
    expect(kept.columns).toEqual(asked.body.columns);
    expect(kept.rows.map(([id]: [number]) => id)).toEqual([1200, 1199]);
    expect(kept.rows[0][3]).toBe('2026-12-17T09:00:00.000+09:00');
    expect(kept.warnings).toEqual(['NON_FINITE_AS_NULL', 'NOT_IN_PARQUET_AS_NULL']);
    expect((await result(api, body.id, 'text/csv')).body).toMatch(/^id,amount,region,at,.*\r\n1200,1500.00,r0,/);
    const [row] = await parquetOf(api, body.id);
    expect(row).toMatchObject({
      id: 1200n,
      amount: 1500,
      third: '500.0000000000000000',
      at: new Date('2026-12-17T00:00:00Z'),
      list: [1200n, null],
      doc: { a: [1.5] },
      never: null,
      late: null,
      ID_2: 1200n,
    });
    expect(Buffer.from(row!.bytes as Uint8Array).toString('hex')).toBe('00ff61');
  });

  it('stops reading at the limit, however many rows there would be', async ({ api }) => {
    const sourceId = await givenSource(api);
    const trillion = 'SELECT a.id, b.id AS b FROM orders a, orders b, orders c, orders d';
    const { body } = await start(api, sourceId, trillion, { limit: 25_000 });
    expect(await ended(api, body.id)).toMatchObject({
      status: 'succeeded',
      result: { rowCount: 25_000, truncated: true },
    });
    const last = (await result(api, body.id, 'application/json', '?cursor=2')).body;
    expect([last.rows.length, last.nextCursor]).toEqual([5000, null]);
    expect(await parquetOf(api, body.id)).toHaveLength(25_000);
    expect(await atWork()).toEqual([]);
  });

  it('ends at the server too when it is cancelled', async ({ api }) => {
    const sourceId = await givenSource(api);
    const endless = 'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) c';
    const { body } = await start(api, sourceId, endless);
    await running(api, body.id);
    await expect.poll(atWork, { timeout: 90_000 }).toHaveLength(1);
    expect((await api.as('editor').post(`/api/query/jobs/${body.id}/cancel`)).status).toBe(202);
    expect(await ended(api, body.id)).toMatchObject({ status: 'cancelled', result: null });
    await expect.poll(atWork, { timeout: 90_000 }).toEqual([]);
  });

  it('fails in time over a locked table, while other jobs continue', async ({ api }) => {
    const sourceId = await givenSource(api);
    const { host, port, database, user, password } = server;
    const holder = new Client({ host, port, database, user, password });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');
    const waiting = await start(api, sourceId, 'SELECT id FROM locked', { timeoutMs: 1500 });
    const free = await start(api, sourceId, 'SELECT count(*)::int FROM orders');
    expect(await ended(api, free.body.id)).toMatchObject({ status: 'succeeded' });
    expect(await ended(api, waiting.body.id)).toMatchObject({ status: 'failed', error: { code: 'QUERY_TIMEOUT' } });
  });

  it('fails when the source vanishes in the middle, and keeps no half of the rows', async ({ api }) => {
    const port = await proxyTo(server.port, (client, _, answered) => answered > 200_000 && client.destroy());
    const sourceId = await givenSource(api, { port });
    const { body } = await start(api, sourceId, 'SELECT a.id, b.region FROM orders a, orders b');
    expect(await ended(api, body.id)).toMatchObject({ status: 'failed', error: { code: 'DATA_SOURCE_UNREACHABLE' } });
    expect(await result(api, body.id)).toMatchObject({ status: 409, body: { code: 'QUERY_JOB_NOT_SUCCEEDED' } });
  });

  it('fails by name over its time, over a row that no page can hold, and over what the server refuses', async ({
    api,
  }) => {
    const sourceId = await givenSource(api);
    for (const [sql, more, code] of [
      ['SELECT count(*) FROM orders a, orders b, orders c, orders d', { timeoutMs: 1000 }, 'QUERY_TIMEOUT'],
      ['SELECT * FROM wide', {}, 'RESULT_TOO_LARGE'],
      ['SELECT 1 / (id - id) FROM orders', {}, 'SQL_ERROR'],
      ['SELECT FROM orders', {}, 'SQL_ERROR'],
      ['SELECT * FROM nowhere', {}, 'SQL_ERROR'],
    ] as const) {
      const { body } = await start(api, sourceId, sql, more);
      expect(await ended(api, body.id), sql).toMatchObject({ status: 'failed', attempt: 1, error: { code } });
    }
  });

  it('is refused at once where it cannot run', async ({ api }) => {
    const sourceId = await givenSource(api);
    for (const sql of ['DELETE FROM orders', 'SELECT pg_sleep(1)', 'SELECT 1; SELECT 2'])
      expect(await start(api, sourceId, sql), sql).toMatchObject({ status: 400, body: { code: 'SQL_NOT_READ_ONLY' } });
    expect(await start(api, sourceId, 'SELECT 1', { datasetIds: [sourceId] })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/datasetIds' }] },
    });
    const { body: files } = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    expect(await start(api, files.id, 'SELECT 1')).toMatchObject({
      status: 409,
      body: { code: 'SOURCE_NOT_QUERYABLE' },
    });
    expect(await api.as('stranger').post('/api/query/jobs', { sql: 'SELECT 1', sourceId })).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
  });

  it('shows its rows to callers with the same rights, and to no other', async ({ api }) => {
    const sourceId = await givenSource(api);
    const { body } = await start(api, sourceId, 'SELECT 1 AS one');
    await ended(api, body.id);
    expect(await api.as('owner').get(`/api/query/jobs/${body.id}/result`)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await result(api, body.id)).body.rows).toEqual([[1]]);
  });
});

const title = 'a query job over a MySQL source';
describe.runIf(HAS_MARIADB)(HAS_MARIADB ? title : `${title} (mariadbd is not installed: not tested)`, () => {
  let mariadb: TestMariadb;
  beforeAll(async () => {
    mariadb = await startMariadb();
    await mariadb.run(
      'CREATE TABLE orders (id INT PRIMARY KEY, amount DECIMAL(10,2), at DATETIME(3))',
      `INSERT INTO orders SELECT seq, seq * 1.25, '2026-01-01' + INTERVAL seq HOUR FROM seq_1_to_2000`,
    );
  });
  afterAll(() => mariadb.stop());

  async function givenMysql(api: Api): Promise<string> {
    const { host, port, database, user, password } = mariadb;
    const config = { host, port, database, user, ssl: false };
    const body = { name: 'shop', type: 'mysql', config, secrets: { password } };
    return (await api.as('owner').post('/api/data-sources', body)).body.id;
  }

  it('keeps the rows in their order, up to the limit', async ({ api }) => {
    const sourceId = await givenMysql(api);
    const sql = 'SELECT a.id, a.amount, a.at FROM orders a, orders b WHERE a.id > 1990 ORDER BY a.id DESC, b.id';
    const { body } = await start(api, sourceId, sql, { limit: 15_000 });
    expect(await ended(api, body.id)).toMatchObject({
      status: 'succeeded',
      result: { rowCount: 15_000, truncated: true },
    });
    const kept = (await result(api, body.id, 'application/json', '?cursor=1')).body;
    expect(kept.rows.at(-1)).toEqual([1993, '2491.25', '2026-03-25T01:00:00.000Z']);
    expect((await parquetOf(api, body.id)).at(-1)).toMatchObject({ id: 1993n, amount: 2491.25 });
  });

  it('ends at the server too when it is cancelled', async ({ api }) => {
    const sourceId = await givenMysql(api);
    const endless = 'SELECT count(*) FROM orders a, orders b, orders c, orders d WHERE a.id + b.id + c.id + d.id < 0';
    const atServer = async () =>
      Number(
        (
          await mariadb.ask(
            `SELECT count(*) AS n FROM information_schema.PROCESSLIST WHERE INFO LIKE '%d.id < 0' AND USER = 'reader'`,
          )
        )[0]!.n,
      );
    const { body } = await start(api, sourceId, endless);
    await expect.poll(atServer, { timeout: 90_000 }).toBe(1);
    await api.as('editor').post(`/api/query/jobs/${body.id}/cancel`);
    expect(await ended(api, body.id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(atServer, { timeout: 90_000 }).toBe(0);
  });
});
