import { afterAll, beforeAll, describe, expect } from 'vitest';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { type Api, it } from '../../../support/api.ts';
import { readCorpus } from '../../../support/corpus.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

const LEGAL = readCorpus(new URL('corpus/postgres-legal.sql', import.meta.url));
const HOSTILE = [
  ...readCorpus(new URL('corpus/postgres-hostile.sql', import.meta.url)),
  ...readCorpus(new URL('../../../unit/data/sql/corpus/postgres-hostile.sql', import.meta.url)),
];

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    CREATE SCHEMA sales;
    CREATE TABLE sales.orders AS
      SELECT i AS id, i % 7 AS customer_id, (i * 1.25)::numeric(10,2) AS amount, 'r' || i % 3 AS region,
        timestamp '2024-01-01' + i * interval '7 hours' AS created_at, jsonb_build_object('n', i, 'tags', ARRAY['a', 'b']) AS data
      FROM generate_series(1, 200) i;
    CREATE TABLE customers AS SELECT i AS id, 'customer ' || i AS name FROM generate_series(0, 6) i;
    CREATE FUNCTION leak() RETURNS text LANGUAGE sql VOLATILE AS 'SELECT current_user::text';
    CREATE ROLE reader LOGIN PASSWORD 'reader' IN ROLE pg_read_all_data;`);
});
afterAll(() => server.stop());

async function givenSource(api: Api): Promise<string> {
  const { host, port, database, user, password } = server;
  const reply = await api.as('owner').post('/api/data-sources', {
    name: 'database',
    type: 'postgres',
    config: { host, port, database, user, ssl: false },
    secrets: { password },
  });
  return reply.body.id;
}

const run = (api: Api, sourceId: string, sql: string, more: object = {}) =>
  api.as('editor').post('/api/query', { sql, sourceId, ...more });

describe('POST /api/query over a Postgres source', () => {
  it('keeps one connection for one request after another, whatever became of the statements', async ({ api }) => {
    const connections = async () =>
      (await server.rows(`SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics'`)).flat();
    expect(await connections()).toEqual([]);
    const sourceId = await givenSource(api);
    const pids = new Set<unknown>();
    for (const [sql, more] of [
      ['SELECT 1', {}],
      ['SELECT nope FROM customers', {}],
      ['SELECT 1 / (id - id) FROM sales.orders', {}],
      ['SELECT id FROM sales.orders', { limit: 10 }],
      ['SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b', { timeoutMs: 300 }],
      [`SELECT repeat('x', 1000) FROM generate_series(1, 100000)`, { limit: 50_000 }],
      ['SELECT 2', {}],
    ] as const) {
      await run(api, sourceId, sql, more);
      await expect.poll(async () => (await connections()).length).toBeLessThanOrEqual(1);
      for (const pid of await connections()) pids.add(pid);
    }
    // One answer was left in the middle, and a server that is slow to stop a statement loses its connection; all else
    // shared one. A machine that is very busy lets it lie idle for so long that it is closed.
    expect(pids.size).toBeLessThanOrEqual(5);
  });

  it(`answers ${LEGAL.length} legal statements as the server does`, async ({ api }) => {
    expect(LEGAL.length).toBeGreaterThanOrEqual(60);
    const sourceId = await givenSource(api);
    const wrong: unknown[] = [];
    await inParallel(3, LEGAL, async (sql) => {
      const reply = await run(api, sourceId, sql);
      const expected = await server.rows(sql).catch((error: Error) => [[error.message]]);
      const rows = (reply.body.rows as unknown[][])?.map((row) => row.map((value) => (value === null ? null : 'some')));
      const shape = expected.map((row) => row.map((value) => (value === null ? null : 'some')));
      if (reply.status !== 200 || JSON.stringify(rows) !== JSON.stringify(shape))
        wrong.push({ sql, status: reply.status, errors: reply.body.errors, rows, shape });
    });
    expect(wrong).toEqual([]);
  });

  it('refuses every attack, and the server is as it was', async ({ api }) => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
    const sourceId = await givenSource(api);
    const wrong: unknown[] = [];
    await inParallel(3, HOSTILE, async (sql) => {
      const reply = await run(api, sourceId, sql, { timeoutMs: 1000 });
      const isRefused = reply.status === 400 && /^SQL_(PARSE|NOT_READ_ONLY|ERROR)$/.test(reply.body.code);
      if (!isRefused) wrong.push({ sql, status: reply.status, code: reply.body.code });
    });
    expect(wrong).toEqual([]);
    expect(await server.rows('SELECT count(*)::int, sum(id)::int FROM sales.orders')).toEqual([[200, 20_100]]);
  });

  it('shows every type in the one wire format', async ({ api }) => {
    const sourceId = await givenSource(api);
    const values: [expression: string, type: string, wire: unknown][] = [
      ['1::int2', 'integer', 1],
      ['9007199254740991::int8', 'integer', 9007199254740991],
      ['9007199254740993::int8', 'integer', '9007199254740993'],
      ['1.10::numeric(6,2)', 'decimal(6,2)', '1.10'],
      [
        '123456789012345678901234567890.123456789012::numeric',
        'decimal',
        '123456789012345678901234567890.123456789012',
      ],
      [`'NaN'::numeric`, 'decimal', null],
      ['0.1::float4', 'double', 0.1],
      [`'Infinity'::float8`, 'double', null],
      ['true', 'boolean', true],
      [`date '2024-02-29'`, 'date', '2024-02-29'],
      [`'infinity'::date`, 'date', null],
      [`'0044-03-15 BC'::date`, 'date', '-0043-03-15'],
      [`'0001-12-31 23:59:59.5 BC'::timestamp`, 'timestamp', '0000-12-31T23:59:59.500Z'],
      [`'4713-01-01 00:00:00+00 BC'::timestamptz`, 'timestamptz', '-4712-01-01T00:00:00.000Z'],
      [`timestamp '2024-01-02 03:04:05'`, 'timestamp', '2024-01-02T03:04:05.000Z'],
      [`timestamp '2024-01-02 03:04:05.123456'`, 'timestamp', '2024-01-02T03:04:05.123456Z'],
      [`timestamptz '2024-06-01 12:00:00+02'`, 'timestamptz', '2024-06-01T10:00:00.000Z'],
      [`time '01:02:03.5'`, 'time', '01:02:03.5'],
      [`interval '14 months 3 days 26 hours 6.5 seconds'`, 'string', 'P1Y2M3DT26H6.5S'],
      [`'6f2b1e2a-0000-4000-8000-000000000001'::uuid`, 'string', '6f2b1e2a-0000-4000-8000-000000000001'],
      [`'\\x00ff61'::bytea`, 'binary', 'AP9h'],
      [`'{"a":[1,{"b":null}]}'::jsonb`, 'json', { a: [1, { b: null }] }],
      [`ARRAY[1,NULL,3]`, 'list(integer)', [1, null, 3]],
      [`ARRAY['a,b','c"d\\e','','NULL',NULL]`, 'list(string)', ['a,b', 'c"d\\e', '', 'NULL', null]],
      [
        `ARRAY[[1,2],[3,4]]`,
        'list(integer)',
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [`ARRAY[1.10::numeric(4,2)]`, 'list(decimal(4,2))', ['1.10']],
      [`ARRAY[timestamptz '2024-06-01 12:00:00+02']`, 'list(timestamptz)', ['2024-06-01T10:00:00.000Z']],
      [`NULL::text`, 'string', null],
      [`'a"b' || chr(10) || 'ü☕'`, 'string', 'a"b\nü☕'],
      [`inet '10.0.0.1'`, 'string', '10.0.0.1'],
    ];
    const reply = await run(api, sourceId, `SELECT ${values.map(([sql], i) => `${sql} AS c${i}`).join(', ')}`);
    expect(reply.status).toBe(200);
    expect(reply.body.columns.map(({ type }: { type: string }) => type)).toEqual(values.map(([, type]) => type));
    expect(reply.body.rows).toEqual([values.map(([, , wire]) => wire)]);
    expect(reply.body.warnings).toEqual(['NON_FINITE_AS_NULL']);
  });

  it('binds parameters by number and by name, and shows instants in the zone that was asked for', async ({ api }) => {
    const sourceId = await givenSource(api);
    const hostile = `' OR 1 = 1; DROP TABLE customers --`;
    expect(
      (
        await run(api, sourceId, 'SELECT $1::text, $2::int + 1, $3::boolean, $4::text', {
          params: [hostile, 41, true, null],
        })
      ).body.rows,
    ).toEqual([[hostile, 42, true, null]]);
    const named = 'SELECT count(*)::int FROM sales.orders WHERE region = $region AND id > $least AND region = $region';
    expect((await run(api, sourceId, named, { params: { least: 100, region: 'r1' } })).body.rows).toEqual([[33]]);
    expect(await run(api, sourceId, named, { params: { least: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'SQL_ERROR', errors: [{ position: { line: 1 } }] },
    });
    const zoned = await run(
      api,
      sourceId,
      `SELECT timestamptz '2024-06-01 12:00:00Z', timestamptz '2024-01-01 12:00:00Z'`,
      { timezone: 'Asia/Kolkata' },
    );
    expect(zoned.body.rows).toEqual([['2024-06-01T17:30:00.000+05:30', '2024-01-01T17:30:00.000+05:30']]);
  });

  it('returns at most `limit` rows and says whether there are more, and refuses what one reply cannot carry', async ({
    api,
  }) => {
    const sourceId = await givenSource(api);
    const shape = async (limit: number) => {
      const { rowCount, truncated } = (await run(api, sourceId, 'SELECT id FROM sales.orders ORDER BY id', { limit }))
        .body;
      return [rowCount, truncated];
    };
    expect(await shape(199)).toEqual([199, true]);
    expect(await shape(200)).toEqual([200, false]);
    expect((await run(api, sourceId, 'SELECT i FROM generate_series(1, 5000) i', { limit: 4000 })).body).toMatchObject({
      rowCount: 4000,
      truncated: true,
    });
    expect(
      await run(api, sourceId, `SELECT repeat('x', 1000) FROM generate_series(1, 100000)`, { limit: 50_000 }),
    ).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
  });

  it('stops a statement that takes longer than it may, on the server too', async ({ api }) => {
    const sourceId = await givenSource(api);
    const endless = 'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b';
    expect(await run(api, sourceId, endless, { timeoutMs: 500 })).toMatchObject({
      status: 408,
      body: { code: 'QUERY_TIMEOUT' },
    });
    // The server shows the cursor and not its statement.
    const active = `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH % FROM analytics_rows'`;
    expect(await server.rows(active)).toEqual([]);
  });

  it('reports the place of what the server refuses', async ({ api }) => {
    const sourceId = await givenSource(api);
    expect(await run(api, sourceId, 'SELECT id,\n  nope FROM sales.orders')).toMatchObject({
      status: 400,
      body: { code: 'SQL_ERROR', errors: [{ pointer: '/sql', position: { line: 2, column: 3 } }] },
    });
    expect(await run(api, sourceId, 'SELECT 1 / (id - id) FROM sales.orders')).toMatchObject({
      status: 400,
      body: { code: 'SQL_ERROR' },
    });
  });

  it('caches an answer only for as long as the caller allows', async ({ api }) => {
    const sourceId = await givenSource(api);
    const sql = 'SELECT count(*)::int FROM customers';
    const cache = async (more: object) => (await run(api, sourceId, sql, more)).body.stats.cache;
    expect(await cache({})).toBe('miss');
    expect(await cache({})).toBe('miss');
    expect(await cache({ maxAgeSeconds: 60 })).toBe('miss');
    expect(await cache({ maxAgeSeconds: 60 })).toBe('hit');
    expect(await cache({ maxAgeSeconds: 60, limit: 2 })).toBe('miss');
    expect(await cache({ maxAgeSeconds: 0 })).toBe('miss');
  });

  it('says what cannot be reached, queried or found', async ({ api }) => {
    const { body: dead } = await api.as('owner').post('/api/data-sources', {
      name: 'dead',
      type: 'postgres',
      config: { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false },
      secrets: { password: 'x' },
    });
    expect(await run(api, dead.id, 'SELECT 1')).toMatchObject({
      status: 422,
      body: { code: 'DATA_SOURCE_UNREACHABLE', errors: [{ pointer: '/sourceId', code: 'CONNECTION_FAILED' }] },
    });
    const { body: files } = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    expect(await run(api, files.id, 'SELECT 1')).toMatchObject({ status: 409, body: { code: 'SOURCE_NOT_QUERYABLE' } });
    const sourceId = await givenSource(api);
    const both = { datasetIds: ['00000000-0000-7000-8000-000000000000'] };
    expect(await run(api, sourceId, 'SELECT 1', both)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
    expect(await api.as('stranger').post('/api/query', { sql: 'SELECT 1', sourceId })).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
  });
});
