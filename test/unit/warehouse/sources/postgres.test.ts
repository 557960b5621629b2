import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  extractToParquet,
  listColumns,
  listSchemas,
  listTables,
  openPostgres,
  type PostgresExtract,
  type PostgresTarget,
} from '../../../../shared/data/connectors/postgres/index.ts';
import { testSource } from '../../../../shared/data/connectors/test-source.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { proxyTo, serveSockets } from '../../../support/socket-server.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';
import { GUARD, TIMEOUTS, usePostgres } from './use-postgres.ts';

const under = usePostgres();
const { extract, openSource } = under;

const OPTIONS = { guard: GUARD, timeouts: TIMEOUTS };

const testConnection = ({ password, ssl, ...target }: PostgresTarget, options: typeof OPTIONS) =>
  testSource({
    kind: 'database',
    defaultSchema: 'public',
    dial: () => openPostgres({ ...target, ssl: ssl === true }, { password }, options),
  });

type Cut = Parameters<typeof proxyTo>[1];
const proxy = (cut: Cut) => proxyTo(under.postgres.port, cut);

describe('the test of a connection', () => {
  it('reports version and latency of a server that can be used', async () => {
    expect(await testConnection(under.config, OPTIONS)).toEqual({
      ok: true,
      latencyMs: expect.any(Number),
      serverVersion: expect.stringMatching(/^18/),
    });
    expect(await testConnection({ ...under.config, host: 'localhost' }, OPTIONS)).toMatchObject({ ok: true });
  });

  it.each([
    [{ password: 'wrong' }, 'AUTH_FAILED'],
    [{ user: 'nobody' }, 'AUTH_FAILED'],
    [{ database: 'none' }, 'NOT_FOUND'],
    [{ host: '10.0.0.1' }, 'ADDRESS_BLOCKED'],
    [{ host: '/var/run/postgresql' }, 'ADDRESS_BLOCKED'],
    [{ host: '169.254.169.254' }, 'ADDRESS_BLOCKED'],
    [{ ssl: true }, 'CONNECTION_FAILED'],
    [{ port: 1 }, 'CONNECTION_FAILED'],
  ])('reports what is wrong with %j', async (changes, code) => {
    const result = await testConnection({ ...under.config, ...changes }, OPTIONS);
    expect(result).toMatchObject({ ok: false, code });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
  });

  it('blocks a name at the moment of dialling when it leads elsewhere by then', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve = async () => (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
    const guard = createAddressGuard({ allowedPrivateCidrs: [], resolve });
    expect(
      await testConnection({ ...under.config, host: 'rebind.example' }, { guard, timeouts: TIMEOUTS }),
    ).toMatchObject({
      code: 'ADDRESS_BLOCKED',
    });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['never answers', () => {}, 'TIMEOUT'],
    ['hangs up', (socket) => socket.destroy(), 'CONNECTION_FAILED'],
    ['speaks another protocol', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'.repeat(100)), 'CONNECTION_FAILED'],
    ['sends noise', (socket) => socket.write(Buffer.alloc(100_000, 0x5a)), 'CONNECTION_FAILED'],
    [
      'sends a broken message',
      (socket) => socket.write(Buffer.from([0x45, 0, 0, 0, 5, 0x53, 0x52, 0, 0, 0, 4])),
      'CONNECTION_FAILED',
    ],
    ['wants an unknown log-in', (socket) => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99])), 'AUTH_FAILED'],
  ])('is bounded in time by a server that %s', async (_, behave, code) => {
    const port = await serveSockets(behave);
    const startedAt = performance.now();
    const result = await testConnection(
      { ...under.config, port },
      { guard: GUARD, timeouts: { connectMs: 500, statementMs: 500 } },
    );
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expect(result).toMatchObject({ ok: false, code: expect.stringMatching(`${code}|TIMEOUT`) });
  });
});

describe('discovery', () => {
  it('lists schemas, tables and columns that the role may read', async () => {
    await under.postgres.run(`
      CREATE SCHEMA shop; CREATE SCHEMA closed;
      CREATE TABLE shop."Order ""Lines""" (id bigint, n int, price numeric(10,2), note varchar(20) NOT NULL, tags text[], PRIMARY KEY (id, n));
      CREATE VIEW shop.lines AS SELECT 1 AS one;
      CREATE MATERIALIZED VIEW shop.sums AS SELECT 2 AS two;
      CREATE TABLE shop.secret (a int);
      CREATE ROLE reader LOGIN PASSWORD 'r';
      GRANT USAGE ON SCHEMA shop TO reader; GRANT SELECT ON shop."Order ""Lines""", shop.lines, shop.sums TO reader;`);
    const source = await openSource({ user: 'reader', password: 'r' });

    expect(await listSchemas(source)).toEqual(['public', 'shop']);
    expect(await listTables(source, 'shop', { limit: 10 })).toEqual([
      { name: 'Order "Lines"', kind: 'table', estimatedRows: null },
      { name: 'lines', kind: 'view', estimatedRows: null },
      { name: 'sums', kind: 'materialized_view', estimatedRows: null },
    ]);
    expect(await listColumns(source, 'shop', 'Order "Lines"')).toEqual([
      { name: 'id', type: 'integer', sourceType: 'bigint', nullable: false, primaryKey: true },
      { name: 'n', type: 'integer', sourceType: 'integer', nullable: false, primaryKey: true },
      { name: 'price', type: 'decimal(10,2)', sourceType: 'numeric(10,2)', nullable: true, primaryKey: false },
      { name: 'note', type: 'string', sourceType: 'character varying(20)', nullable: false, primaryKey: false },
      { name: 'tags', type: 'list(string)', sourceType: 'text[]', nullable: true, primaryKey: false },
    ]);
    await expect(listColumns(source, 'shop', 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(listColumns(source, 'shop', 'secret')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

const TYPES: [expression: string, type: string, wire: unknown][] = [
  ['1::smallint', 'integer', 1],
  ['9223372036854775807::bigint', 'integer', '9223372036854775807'],
  ['12345.67::numeric(10,2)', 'decimal(10,2)', '12345.67'],
  ['0.5::numeric(2,4)', 'decimal(4,4)', null],
  ['1200::numeric(3,-2)', 'decimal(5,0)', '1200'],
  ['12.5::numeric', 'decimal(38,9)', '12.500000000'],
  ['0.1::real', 'double', 0.1],
  ["'NaN'::float8", 'double', null],
  ["'-Infinity'::float8", 'double', null],
  ['true', 'boolean', true],
  ["''::text", 'string', ''],
  ['NULL::text', 'string', null],
  [`E'a"b,c\\n\\r\\n;''é𝄞\\t\\\\'::text`, 'string', 'a"b,c\n\r\n;\'é𝄞\t\\'],
  ["'\\.'::text", 'string', '\\.'],
  ["'NULL'::varchar(10)", 'string', 'NULL'],
  ["'x'::char(3)", 'string', 'x  '],
  ["'\\x00ff61'::bytea", 'binary', 'AP9h'],
  ["''::bytea", 'binary', ''],
  ["DATE '2024-02-29'", 'date', '2024-02-29'],
  ["TIMESTAMP '2024-01-02 03:04:05.123456'", 'timestamp', '2024-01-02T03:04:05.123456Z'],
  ["TIMESTAMPTZ '2024-01-02 03:04:05+02'", 'timestamptz', '2024-01-02T01:04:05.000Z'],
  ["TIME '01:02:03'", 'time', '01:02:03'],
  ["INTERVAL '1 year 2 days 3 hours'", 'string', 'P1Y2DT3H'],
  ["'6f2b1e2a-0000-4000-8000-000000000001'::uuid", 'string', '6f2b1e2a-0000-4000-8000-000000000001'],
  [`'{"a": [1, null]}'::jsonb`, 'json', { a: [1, null] }],
  [`'"text"'::json`, 'json', 'text'],
  ["'null'::jsonb", 'json', null],
  ['ARRAY[1, NULL, 3]', 'list(integer)', [1, null, 3]],
  ['ARRAY[12345678901234567890.123456789]', 'list(decimal(38,9))', ['12345678901234567890.123456789']],
  [`ARRAY['{"a":1}'::jsonb]`, 'list(json)', [{ a: 1 }]],
  ["ARRAY['happy'::mood]", 'list(string)', ['happy']],
  ["ARRAY['5'::small]", 'list(integer)', [5]],
  [`ARRAY['a,b', '', NULL, '"']`, 'list(string)', ['a,b', '', null, '"']],
  ["ARRAY[TIMESTAMPTZ '2024-01-01 00:00:00+00']", 'list(timestamptz)', ['2024-01-01T00:00:00.000Z']],
  ["'{}'::float8[]", 'list(double)', []],
  ["'10.0.0.0/8'::cidr", 'string', '10.0.0.0/8'],
  ["'happy'::mood", 'string', 'happy'],
  ["'5'::small", 'integer', 5],
  ["'[1,5)'::int4range", 'string', '[1,5)'],
  ["ROW(1, 'a')::pair", 'string', '(1,a)'],
];

describe('an extract', () => {
  beforeAll(() =>
    under.postgres.run(`
      CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN small AS int CHECK (VALUE < 10); CREATE TYPE pair AS (a int, b text);
      CREATE TABLE people (id int PRIMARY KEY, name text, "We""ird, Näme" int);
      INSERT INTO people VALUES (1, 'Ada', 10), (2, '', 20), (3, NULL, 30);`),
  );

  it('brings every type over with its value', async () => {
    for (const [expression, type, wire] of TYPES) {
      if (expression.startsWith('0.5::numeric(2,4)')) continue;
      const { columns, data } = await extract({ from: { query: `SELECT ${expression} AS value` } });
      expect(columns, expression).toEqual([{ name: 'value', type }]);
      expect(data, expression).toEqual([[wire]]);
    }
  });

  it('counts values that become null or are rounded, with examples of each column', async () => {
    const query = `SELECT * FROM (VALUES
      ('NaN'::numeric, 'infinity'::date, '-infinity'::timestamptz, ARRAY['NaN'::numeric, 1], 1::numeric(5,2)),
      (1e30::numeric, '2024-01-01'::date, now(), ARRAY[0.0000000001], 'NaN'::numeric(5,2)),
      (0.0000000001::numeric, '2024-01-01'::date, now(), NULL, NULL)) AS t(big, day, at, list, small)`;
    const { rows, changes, data } = await extract({ from: { query } });
    expect(rows).toBe(3);
    expect(changes).toEqual([
      {
        column: 'big',
        nulls: 2,
        rounded: 1,
        examples: [
          { row: 1, value: 'NaN' },
          { row: 2, value: '1000000000000000000000000000000' },
          { row: 3, value: '0.0000000001' },
        ],
      },
      { column: 'day', nulls: 1, rounded: 0, examples: [{ row: 1, value: 'infinity' }] },
      { column: 'at', nulls: 1, rounded: 0, examples: [{ row: 1, value: '-infinity' }] },
      {
        column: 'list',
        nulls: 1,
        rounded: 1,
        examples: [
          { row: 1, value: '["NaN","1"]' },
          { row: 2, value: '["0.0000000001"]' },
        ],
      },
      { column: 'small', nulls: 1, rounded: 0, examples: [{ row: 2, value: 'NaN' }] },
    ]);
    expect(data.map((row) => row[0])).toEqual([null, null, '0.000000000']);
  });

  it('recognizes a column of which no value is left', async () => {
    const query = `SELECT * FROM (VALUES
      ('infinity'::date, ARRAY['NaN'::numeric], ARRAY['NaN'::numeric, 1], 0.0000000001::numeric), (NULL, NULL, NULL, NULL)) AS t(day, list, part, number)`;
    const { changes } = await extract({ from: { query } });
    expect(changes.map(({ column, isEmptied = false }) => [column, isEmptied])).toEqual([
      ['day', true],
      ['list', true],
      ['part', false],
      ['number', false],
    ]);
  });

  it('keeps lists of lists, and as JSON lists whose depths differ', async () => {
    const value = async (rows: string) => {
      const { columns, changes, data } = await extract({ from: { query: `SELECT v FROM (VALUES ${rows}) AS t(v)` } });
      expect(changes).toEqual([]);
      return [columns[0]!.type, data.map(([only]) => only)];
    };
    expect(await value("(ARRAY[[1,2],[3,NULL]]), ('{}'), (NULL)")).toEqual([
      'list(list(integer))',
      [
        [
          [1, 2],
          [3, null],
        ],
        [],
        null,
      ],
    ]);
    expect(await value('(ARRAY[[[0.5]]])')).toEqual(['list(list(list(decimal(38,9))))', [[[['0.500000000']]]]]);
    expect(await value('(ARRAY[[1,2],[3,4]]), (ARRAY[5])')).toEqual([
      'json',
      [
        [
          [1, 2],
          [3, 4],
        ],
        [5],
      ],
    ]);
    expect(await value(`(ARRAY['a"', NULL]), (ARRAY[['[b']])`)).toEqual(['json', [['a"', null], [['[b']]]]);
    expect(await value("(ARRAY['2024-01-01'::date, '0044-03-15 BC'])")).toEqual([
      'list(date)',
      [['2024-01-01', '-0043-03-15']],
    ]);
    expect(await value("('{}'::text[])")).toEqual(['list(string)', [[]]]);
  });

  it('reads numbers without a precision as it is asked to', async () => {
    const query =
      "SELECT 12345678901234567890.123456789012345678::numeric AS n, ARRAY[0.5::numeric] AS l, 'NaN'::numeric AS x";
    const texts = await extract({ from: { query }, decimalsAs: 'string' });
    expect(texts).toMatchObject({
      columns: [{ type: 'string' }, { type: 'list(string)' }, { type: 'string' }],
      data: [['12345678901234567890.123456789012345678', ['0.5'], 'NaN']],
      changes: [],
    });
    const scaled = await extract({ from: { query }, decimalsAs: 'decimal(38,18)' });
    expect(scaled).toMatchObject({
      columns: [{ type: 'decimal(38,18)' }, { type: 'list(decimal(38,18))' }, { type: 'decimal(38,18)' }],
      data: [['12345678901234567890.123456789012345678', ['0.500000000000000000'], null]],
      changes: [{ column: 'x', nulls: 1 }],
    });
  });

  it('keeps dates before the year 1, and a byte order mark that begins the first value', async () => {
    const query = `SELECT U&'\\FEFFfirst' AS text, '0044-03-15 BC'::date AS day, '0001-12-31 23:59:59.5 BC'::timestamp AS at,
      '4713-01-01 00:00:00+00 BC'::timestamptz AS instant`;
    expect(await extract({ from: { query } })).toMatchObject({
      data: [['\ufefffirst', '-0043-03-15', '0000-12-31T23:59:59.500Z', '-4712-01-01T00:00:00.000Z']],
      changes: [],
    });
  });

  it('reads a table with its odd names, wanted columns and rows', async () => {
    const from = { schema: 'public', table: 'people' };
    expect(await extract({ from })).toMatchObject({
      columns: [{ name: 'id' }, { name: 'name' }, { name: 'We"ird, Näme' }],
      data: [
        [1, 'Ada', 10],
        [2, '', 20],
        [3, null, 30],
      ],
    });
    expect(await extract({ from, columns: ['We"ird, Näme', 'id'], filter: "name <> 'Ada' -- not her" })).toMatchObject({
      data: [[20, 2]],
    });
  });

  it('binds the parameters of a query', async () => {
    const from = {
      query: 'SELECT id, name, NULL::text AS none FROM people WHERE id = ANY ($1) AND name = $2',
      params: [[1, 2], ''],
    };
    expect(await extract({ from })).toMatchObject({ rows: 1, data: [[2, '', null]] });
    expect((await extract({ from: { ...from, params: [[1], "' OR true --"] } })).rows).toBe(0);
  });

  it('keeps rows of one null, names that repeat, and long texts with line ends', async () => {
    expect((await extract({ from: { query: 'SELECT NULL::int AS a FROM generate_series(1, 5)' } })).rows).toBe(5);
    expect(
      (await extract({ from: { query: 'SELECT 1 AS a, 2 AS a, 3 AS "A"' } })).columns.map(({ name }) => name),
    ).toEqual(['a', 'a_2', 'A_3']);
    const texts = [
      { query: 'SELECT i, repeat(E\'line "q"\\n\', 300000) AS text FROM generate_series(1, 3) i', rows: 3 },
      { query: 'SELECT i, E\'a\\n"b"\\r\\n\' || i AS text FROM generate_series(1, 200000) i', rows: 200_000 },
    ];
    for (const { query, rows } of texts) {
      const { engine, dir } = await openTestEngine();
      const source = await openSource();
      await extractToParquet(engine, source, { from: { query } }, `${dir}/out.parquet`);
      await engine.attach('out', [`${dir}/out.parquet`]);
      const { rows: bytes } = await source.query(`SELECT sum(length(text)) FROM (${query}) AS t`);
      expect(await rowsOf(engine, 'SELECT count(*), sum(length(text)) FROM out')).toEqual([[rows, bytes[0]?.[0]]]);
    }
  });

  it('takes rows of up to 64 MB, and shows nothing of those that are longer', async () => {
    const read = async (query: string) => {
      const { engine, dir } = await openTestEngine({ memoryLimitMb: 1024 });
      await extractToParquet(engine, await openSource(), { from: { query } }, `${dir}/out.parquet`);
      return engine.run(
        `SELECT i::INT, length(text)::INT, octet_length(bytes)::INT FROM '${dir}/out.parquet' ORDER BY i`,
      );
    };
    const long =
      'SELECT i, repeat(\'a "b"\', 1000000 * i) AS text, NULL::bytea AS bytes FROM generate_series(4, 7, 3) AS i';
    const binary = "SELECT 8, NULL, decode(repeat('00ff', 15000000), 'hex')";
    expect(await read(`${long} UNION ALL ${binary}`)).toEqual([
      [4, 20_000_000, null],
      [7, 35_000_000, null],
      [8, null, 30_000_000],
    ]);
    // Of so long a row at the end the engine says nothing: it leaves it out.
    const refused = await read("SELECT 1 AS i, repeat('private', 12000000) AS text, ''::bytea AS bytes").catch(
      (e) => e,
    );
    expect(refused).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    expect(inspect(refused)).not.toContain('private');
  });

  it('is empty with the right columns where there are no rows', async () => {
    expect(await extract({ from: { schema: 'public', table: 'people' }, filter: 'false' })).toMatchObject({
      rows: 0,
      columns: [{ type: 'integer' }, {}, {}],
      data: [],
    });
  });

  it.each<[PostgresExtract, string]>([
    [{ from: { schema: 'public', table: 'nowhere' } }, 'NOT_FOUND'],
    [{ from: { schema: 'nowhere', table: 'people' } }, 'NOT_FOUND'],
    [{ from: { schema: 'public', table: 'people' }, columns: ['nope'] }, 'SCHEMA_MISMATCH'],
    [{ from: { schema: 'public', table: 'people' }, filter: 'nope = 1' }, 'SCHEMA_MISMATCH'],
    [
      { from: { schema: 'public', table: 'people' }, filter: 'true) UNION SELECT * FROM people WHERE (true' },
      'SQL_PARSE',
    ],
    [{ from: { schema: 'public', table: 'people' }, filter: 'pg_sleep(1) IS NULL' }, 'SQL_NOT_READ_ONLY'],
    [{ from: { query: 'WITH d AS (DELETE FROM people RETURNING *) SELECT * FROM d' } }, 'SQL_NOT_READ_ONLY'],
    [{ from: { query: 'SELECT 1; DROP TABLE people' } }, 'SQL_NOT_READ_ONLY'],
    [{ from: { query: 'SELECT 1 / 0' } }, 'SQL_ERROR'],
    [{ from: { schema: 'public', table: 'people' }, cursor: { column: 'nope' } }, 'SCHEMA_MISMATCH'],
  ])('refuses %j', async (request, code) => {
    const source = await openSource();
    await expect(extract(request, source)).rejects.toMatchObject({ name: 'DataError', code });
    // The connection is still good.
    expect((await extract({ from: { schema: 'public', table: 'people' } }, source)).rows).toBe(3);
  });

  it('cannot write even where the gate is passed by', async () => {
    const source = await openSource();
    await source.query('BEGIN TRANSACTION READ ONLY');
    await expect(source.query('DELETE FROM people')).rejects.toMatchObject({ code: 'SQL_NOT_READ_ONLY' });
    await source.query('ROLLBACK');
    await expect(source.query('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 'SQL_PARSE' });
  });

  it('ends at the statement timeout', async () => {
    const source = await openSource({}, { connectMs: 3000, statementMs: 300 });
    const slow = extract(
      { from: { query: 'SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b' } },
      source,
    );
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  const LARGE = { from: { query: "SELECT i, repeat('x', 1000) FROM generate_series(1, 200000) i" } };

  it('fails when the server vanishes in the middle', async () => {
    const port = await proxy((client, _, answered) => answered > 3_000_000 && client.destroy());
    await expect(extract(LARGE, await openSource({ port }))).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  it('fails in time when the server falls silent in the middle', async () => {
    const port = await proxy((_, upstream, answered) => answered > 3_000_000 && upstream.pause());
    const source = await openSource({ port }, { connectMs: 3000, statementMs: 400 });
    const startedAt = performance.now();
    await expect(extract(LARGE, source)).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(performance.now() - startedAt).toBeLessThan(6000);
  });
});
