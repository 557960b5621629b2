import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { sample } from '../../support/cases.ts';
import { HAS_PSQL, psql } from '../../support/psql.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';
import { isAt } from './crash-points.ts';
import { reportedEvents } from './reported-events.ts';
import { RunSetup } from './run-setup.ts';

const under = usePostgres();
let setup: RunSetup;
let sourceId: string;
beforeAll(async () => {
  setup = await RunSetup.open();
  const { host, port, database, user, password } = under.config;
  sourceId = await setup.source('postgres', { host, port, database, user, ssl: false }, { password });
});
afterAll(() => setup.close());

async function read(sql: string): Promise<unknown[][]> {
  const { host, port, database, user, password } = under.config;
  const client = new Client({ host, port, database, user, password });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

let tables = 0;
const freshTable = () => `loaded ${++tables}`;

async function ran(rows: string, table: string, config: object = { mode: 'append' }, crash?: RunSetup['crash']) {
  const steps: Step[] = [
    { id: 'rows', type: 'transform_sql', config: { sql: rows }, retry: { maxAttempts: 1 } },
    {
      id: 'load',
      type: 'load',
      dependsOn: ['rows'],
      config: { target: { kind: 'table', sourceId, table }, ...config },
      retry: { maxAttempts: crash ? 10 : 1, initialIntervalMs: 100 },
    },
  ];
  const run = await setup.run(await setup.pipeline({ version: 1, steps } as Dag));
  if (crash) setup.crash = crash;
  await setup.drain();
  setup.crash = () => undefined;
  const stored = await setup.steps(run.id);
  return { run: await setup.stored(run.id), step: stored.find(({ stepId }) => stepId === 'load')! };
}

const people = (values: string) => `SELECT * FROM (VALUES ${values}) v(id, name)`;

describe('a load into a Postgres table', () => {
  it('names a value that does not fit the table in the error of the run, but in no event', async () => {
    const table = freshTable();
    await read(`CREATE TABLE "${table}" (id bigint, name varchar(3))`);
    const { run } = await ran(people("(1, 'ada@example.com')"), table);
    expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', message: expect.stringContaining('ada@example.com') });
    const reports = await reportedEvents(setup, 'pipeline.run_failed');
    expect(reports.find(({ runId }) => runId === run.id)).toMatchObject({
      error: { code: 'SCHEMA_MISMATCH', message: 'The rows or their columns are not as expected.' },
    });
    expect(JSON.stringify(reports)).not.toContain('ada@');
  });

  it('makes the table and keeps every value', async () => {
    const table = freshTable();
    const rows = `SELECT 9223372036854775807 AS big, 1.10::DECIMAL(5,2) AS price, 'nan'::DOUBLE AS odd, true AS yes,
        DATE '2026-01-02' AS day, TIMESTAMP '2026-01-02 03:04:05.678901' AS at, '' AS none, 'a,"b"' || chr(10) AS text,
        '\\xFF'::BLOB AS bytes, [1, 2] AS list, {'a': 1} AS parts, '{"x": null}'::JSON AS doc
      UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`;
    const { run, step } = await ran(rows, table);
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(step).toMatchObject({ rowsIn: 2, rowsOut: 2 });
    const list =
      'big::text, price::text, odd::text, yes::text, day::text, at::text, none, text, bytes::text, list::text, parts::text, doc::text';
    expect(await read(`SELECT ${list} FROM "${table}" ORDER BY big`)).toEqual([
      [
        '9223372036854775807',
        '1.10',
        'NaN',
        'true',
        '2026-01-02',
        '2026-01-02 03:04:05.678901',
        '',
        'a,"b"\n',
        '\\xff',
        '[1, 2]',
        '{"a": 1}',
        '{"x": null}',
      ],
      Array(12).fill(null),
    ]);
  });

  it('appends, overwrites and merges by its strategies', async () => {
    const table = freshTable();
    const all = () => read(`SELECT id::int, name FROM "${table}" ORDER BY 1, 2`);
    const merge = { mode: 'merge', mergeKey: ['id'] };
    await ran(people("(1, 'a'), (2, 'b')"), table);
    await ran(people("(2, 'B'), (3, 'c')"), table, merge);
    expect(await all()).toEqual([
      [1, 'a'],
      [2, 'B'],
      [3, 'c'],
    ]);
    await ran(people("(3, 'x'), (4, 'd')"), table, { ...merge, strategy: 'insert_only' });
    expect(await all()).toEqual([
      [1, 'a'],
      [2, 'B'],
      [3, 'c'],
      [4, 'd'],
    ]);
    await ran(people("(4, 'e'), (4, 'f')"), table, { ...merge, strategy: 'delete_insert' });
    await ran(people("(1, 'z'), (1, 'y')"), table, { ...merge, dedupeOrderBy: [{ column: 'name' }] });
    expect(await all()).toEqual([
      [1, 'y'],
      [2, 'B'],
      [3, 'c'],
      [4, 'e'],
      [4, 'f'],
    ]);
    await ran(people("(9, 'only')"), table, { mode: 'overwrite' });
    expect(await all()).toEqual([[9, 'only']]);
  });

  it.each(['upsert', 'delete_insert'])('takes away what a delete column marks (%s)', async (strategy) => {
    const table = freshTable();
    const merge = { mode: 'merge', mergeKey: ['id'], strategy, deleteColumn: 'gone' };
    const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(id, name, gone)`;
    await ran(rows("(1, 'a', false), (2, 'b', NULL), (3, 'never there', true)"), table, merge);
    const order = [{ column: 'name', direction: 'desc' }];
    const ordered = strategy === 'upsert' ? { ...merge, dedupeOrderBy: order } : merge;
    const { run, step } = await ran(rows("(1, 'z', true), (2, 'c', false), (4, 'd', false)"), table, ordered);
    expect(run.error ?? null).toBeNull();
    expect(step).toMatchObject({ rowsIn: 3, rowsOut: 3 });
    expect(await read(`SELECT * FROM "${table}" ORDER BY id`)).toEqual([
      ['2', 'c'],
      ['4', 'd'],
    ]);
    // The row that wins says what becomes of the key.
    if (strategy === 'upsert')
      await ran(rows("(2, 'x', true), (2, 'y', false), (4, 'f', true), (4, 'e', false)"), table, ordered);
    if (strategy === 'upsert') expect(await read(`SELECT * FROM "${table}"`)).toEqual([['2', 'y']]);
    expect((await ran("SELECT 2 AS id, 'n' AS name, 'yes' AS gone", table, merge)).run).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('gone is not a boolean column') },
    });
  });

  it('makes the merge key the primary key of a table that it creates, unless keys may repeat', async () => {
    const keysOf = (table: string) =>
      read(`SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = '"${table}"'::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int[], a.attnum::int)`);
    const merge = (strategy: string) => ({ mode: 'merge', mergeKey: ['name', 'id'], strategy });
    for (const strategy of ['upsert', 'insert_only']) {
      const table = freshTable();
      expect((await ran(people("(1, 'a'), (2, 'b')"), table, merge(strategy))).run.status).toBe('succeeded');
      expect(await keysOf(table)).toEqual([['name'], ['id']]);
      await expect(read(`INSERT INTO "${table}" (id, name) VALUES (1, 'a')`)).rejects.toThrow(/duplicate key/);
      expect((await ran(people("(2, 'b'), (3, 'c')"), table, merge(strategy))).run.status).toBe('succeeded');
      expect(await read(`SELECT count(*) FROM "${table}"`)).toEqual([['3']]);
    }
    const repeated = freshTable();
    expect((await ran(people("(1, 'a'), (1, 'a')"), repeated, merge('delete_insert'))).run.status).toBe('succeeded');
    expect(await keysOf(repeated)).toEqual([]);
    const theirs = freshTable();
    await read(`CREATE TABLE "${theirs}" (id bigint, name text)`);
    expect((await ran(people("(1, 'a')"), theirs, merge('upsert'))).run.status).toBe('succeeded');
    expect(await keysOf(theirs)).toEqual([]);
  });

  it('fails when the table of an incremental load was dropped, and fills it in a full refresh', async () => {
    const [from, into] = [freshTable(), freshTable()];
    await read(`CREATE TABLE "${from}" (id bigint, at date)`);
    await read(`INSERT INTO "${from}" VALUES (1, '2026-01-01'), (2, '2026-01-02')`);
    const steps = (mode: object): Step[] => [
      {
        id: 'rows',
        type: 'extract',
        config: { sourceId, object: { table: from }, mode: 'incremental', incremental: { cursorColumn: 'at' } },
        retry: { maxAttempts: 1 },
      },
      {
        id: 'load',
        type: 'load',
        dependsOn: ['rows'],
        config: { target: { kind: 'table', sourceId, table: into }, ...mode },
        retry: { maxAttempts: 1 },
      },
    ];
    const over = async (pipeline: Awaited<ReturnType<typeof setup.pipeline>>, more: object = {}) => {
      const run = await setup.run(pipeline, more);
      await setup.drain();
      return setup.stored(run.id);
    };
    const ids = async () => (await read(`SELECT id FROM "${into}" ORDER BY id`)).flat();
    for (const mode of [{ mode: 'merge', mergeKey: ['id'] }, { mode: 'append' }]) {
      const pipeline = await setup.pipeline({ version: 1, steps: steps(mode) } as Dag);
      expect((await over(pipeline)).status).toBe('succeeded');
      await read(`DROP TABLE "${into}"`);
      expect((await over(pipeline)).error).toMatchObject({ code: 'TARGET_MISSING', stepId: 'load' });
      expect((await over(pipeline, { fullRefresh: true })).status).toBe('succeeded');
      expect(await ids()).toEqual(['1', '2']);
      const again = await over(pipeline, { fullRefresh: ['rows'] });
      expect(again.error?.code).toBe(mode.mode === 'append' ? 'TARGET_NOT_EMPTY' : undefined);
      expect(await ids()).toEqual(['1', '2']);
      await read(`DROP TABLE "${into}"`);
    }
  });

  it('refuses what does not fit, and changes nothing', async () => {
    const table = freshTable();
    const merge = { mode: 'merge', mergeKey: ['id'] };
    await ran(people("(1, 'a')"), table);
    for (const [rows, config, code] of [
      ["SELECT 'one' AS id, 'b' AS name", { mode: 'overwrite' }, 'SCHEMA_MISMATCH'],
      ['SELECT 2 AS id, 3 AS unknown', { mode: 'append' }, 'SCHEMA_MISMATCH'],
      [people("(2, 'b'), (2, 'c')"), merge, 'SCHEMA_MISMATCH'],
      [people("(NULL, 'b'), (2, 'c')"), merge, 'SCHEMA_MISMATCH'],
      [people("(2, 'b')"), { ...merge, dedupeOrderBy: [{ column: 'typo' }] }, 'SCHEMA_MISMATCH'],
    ] as const) {
      expect((await ran(rows, table, config)).run, rows).toMatchObject({ status: 'failed', error: { code } });
    }
    expect(await read(`SELECT id::int, name FROM "${table}"`)).toEqual([[1, 'a']]);
  });

  it('keeps to the keys and numbers of the table, and goes through a view', async () => {
    await read(`
      CREATE TABLE "with a key" (id bigint PRIMARY KEY, name text);
      CREATE TABLE "numbered by the server" (id bigint GENERATED ALWAYS AS IDENTITY, name text);
      CREATE VIEW "seen through" AS SELECT id, name FROM "with a key";
      CREATE TABLE "with a trigger" (id bigint, name text);
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'closed'; END $$;
      CREATE TRIGGER closed BEFORE INSERT ON "with a trigger" FOR EACH ROW EXECUTE FUNCTION refuse()`);
    expect((await ran(people("(1, 'a')"), 'seen through')).run).toMatchObject({ status: 'succeeded', rowsMoved: 1 });
    for (const [table, mode] of [
      ['with a key', 'append'],
      ['seen through', 'append'],
      ['numbered by the server', 'append'],
      ['numbered by the server', 'overwrite'],
      ['with a trigger', 'append'],
    ] as const) {
      const { run } = await ran(people("(1, 'b')"), table, { mode });
      expect(run, table).toMatchObject({ status: 'failed', error: { code: 'SQL_ERROR' } });
    }
    expect(await read('SELECT id::int, name FROM "with a key"')).toEqual([[1, 'a']]);
    expect(await read('SELECT id FROM "numbered by the server"')).toEqual([]);
    expect((await ran(people("(1, 'c')"), 'with a key', { mode: 'overwrite' })).run.status).toBe('succeeded');
    expect(await read('SELECT id::int, name FROM "seen through"')).toEqual([[1, 'c']]);
  });

  it.skipIf(!HAS_PSQL)('of a table that was read holds what psql shows of the original, byte for byte', async () => {
    const values = `n::bigint AS n, (n * 12345.6789)::numeric(18,4) AS price, CASE n % 4 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE
        repeat(chr(39 + (abs(n) % 90)::int), (n % 7)::int) || E'\\\\ "\\t\\r\\n' || chr(8364) END AS text, n % 3 = 0 AS yes,
      date '2000-02-28' + n::int AS day, timestamp '1999-12-31 23:59:59.999999' + n * interval '1 day 1 microsecond' AS at,
      timestamptz '2026-03-29 00:30:00+01' + n * interval '7 hours' AS instant, exp(n / 7.0)::double precision AS odd,
      decode(md5(n::text), 'hex') AS bytes, time '00:00:00.000001' + n * interval '13 seconds' AS clock`;
    await read(`CREATE TABLE "the original" AS SELECT ${values} FROM generate_series(-200, 4000) s(n)`);
    await read(`INSERT INTO "the original" (n, odd, at) VALUES (9999, 'NaN', NULL)`);
    const steps = [
      { id: 'rows', type: 'extract', config: { sourceId, object: { table: 'the original' } } },
      {
        id: 'load',
        type: 'load',
        dependsOn: ['rows'],
        config: { target: { kind: 'table', sourceId, table: 'the copy' }, mode: 'append' },
      },
    ];
    const run = await setup.run(await setup.pipeline({ version: 1, steps } as Dag));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', rowsMoved: 4202 });
    const shown = async (table: string) => {
      const file = join(setup.worker.scratchDir, 'shown.txt');
      await psql(under.postgres, `COPY (SELECT * FROM "${table}" ORDER BY n) TO STDOUT`, file);
      return readFile(file, 'utf8');
    };
    const original = await shown('the original');
    expect(original.split('\n')).toHaveLength(4203);
    expect(await shown('the copy')).toBe(original);
  });

  it('adds columns and widens them with evolve, where nothing is lost by it', async () => {
    const table = freshTable();
    const columns = 'a smallint, b numeric(5,2), c real, d date, e varchar(3), f double precision, g integer';
    await read(`CREATE TABLE "${table}" (${columns}, own text DEFAULT 'mine')`);
    await read(`INSERT INTO "${table}" VALUES (1, 1.25, 0.5, '2026-01-01', 'abc', 0.1, 7)`);
    const { run, step } = await ran(
      `SELECT 70000 AS a, 1234.567::DECIMAL(9,3) AS b, 0.1::DOUBLE AS c, TIMESTAMP '2026-01-02 03:00:00' AS d, 'abcd' AS e,
         9007199254740993 AS f, 2 AS g, true AS vip`,
      table,
      { mode: 'append', onSchemaChange: 'evolve' },
    );
    expect(run, JSON.stringify(run.error)).toMatchObject({ status: 'succeeded' });
    expect(step.schemaChanges?.map(({ column, change, from, to }) => `${column} ${change} ${from} ${to}`)).toEqual([
      'vip added null boolean',
      'a retyped smallint bigint',
      'b retyped numeric(5,2) numeric',
      'c retyped real double precision',
      'd retyped date timestamp without time zone',
      'e retyped character varying(3) text',
      'f retyped double precision numeric',
    ]);
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'vip', 'own'].map((name) => `${name}::text`).join(', ');
    expect(await read(`SELECT ${list} FROM "${table}" ORDER BY a`)).toEqual([
      ['1', '1.25', '0.5', '2026-01-01 00:00:00', 'abc', '0.1', '7', null, 'mine'],
      ['70000', '1234.567', '0.1', '2026-01-02 03:00:00', 'abcd', '9007199254740993', '2', 'true', 'mine'],
    ]);
  });

  it('leaves the table as it is with ignore and fail, and rounds and cuts nothing off', async () => {
    const table = freshTable();
    await read(`CREATE TABLE "${table}" (id integer, price numeric(5,2), day date, own serial)`);
    const fine = "SELECT 1 AS id, 1.500::DECIMAL(9,3) AS price, TIMESTAMP '2026-01-02 00:00:00' AS day";
    const ignore = { mode: 'append', onSchemaChange: 'ignore' };
    const fail = { mode: 'append', onSchemaChange: 'fail' };
    const left = await ran(`SELECT *, true AS vip FROM (${fine})`, table, ignore);
    expect(left.step).toMatchObject({ rowsOut: 1, schemaChanges: [{ column: 'vip', change: 'left_out' }] });
    expect((await ran(fine, table, fail)).run).toMatchObject({ status: 'succeeded' });
    for (const [rows, config, message] of [
      [`SELECT * REPLACE (1.505::DECIMAL(9,3) AS price) FROM (${fine})`, ignore, 'price is numeric(5,2)'],
      [`SELECT * REPLACE (5000000000 AS id) FROM (${fine})`, fail, 'id is integer'],
      [`SELECT * REPLACE (1.5 AS id) FROM (${fine})`, { mode: 'append' }, 'id is integer'],
      [`SELECT * REPLACE (TIMESTAMP '2026-01-02 03:00:00' AS day) FROM (${fine})`, ignore, 'day is date'],
      [`SELECT *, true AS vip FROM (${fine})`, fail, 'no column vip'],
      [`SELECT * EXCLUDE (price) FROM (${fine})`, fail, 'no column price'],
      ["SELECT 'one' AS nothing", ignore, 'none of the columns'],
    ] as const) {
      const { run } = await ran(rows, table, config);
      expect(run, rows).toMatchObject({
        status: 'failed',
        error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining(message) },
      });
    }
    expect(await read(`SELECT id, price::text, day::text FROM "${table}"`)).toEqual(
      Array(2).fill([1, '1.50', '2026-01-02']),
    );
  });

  it('takes a reading only when it says all that the rows say', async () => {
    await read('CREATE DOMAIN tenths AS numeric(5,1); CREATE DOMAIN tenths_again AS tenths');
    const refused = [
      ["'1.555'", 'numeric(10,2)'],
      ["'2026-01-01 10:00:00'", 'date'],
      ["'2026-01-01 10:00:00+05'", 'timestamp'],
      ["'2026-01-01 10:00:00.1234567'", 'timestamptz'],
      ["TIMESTAMP '2026-01-01 10:00:00.6'", 'timestamp(0)'],
      ["TIMESTAMPTZ '2026-01-01 10:00:00.123987+00'", 'timestamp(3) with time zone'],
      ["TIMESTAMP '2026-01-01 10:00:00'", 'time'],
      ["'10:00:00+05'", 'time'],
      ["TIME '10:00:00.7'", 'time(0)'],
      ['1.55', 'tenths'],
      ["'1.55'", 'tenths_again'],
      ['1.555', 'money'],
      ["'1.555'", 'money'],
      ["'0.10000000000000000001'", 'double precision'],
      ["'{2026-01-01 10:00:00}'", 'date[]'],
      ["'1.6 seconds'", 'interval(0)'],
      ["'two letters'", '"char"'],
    ] as const;
    const taken = [
      ["'1.50'", 'numeric(10,2)', '1.50'],
      ["'2026-01-01'", 'date', '2026-01-01'],
      ["'2026-01-01 10:00:00Z'", 'timestamp', '2026-01-01 10:00:00'],
      ["TIMESTAMP '2026-01-01 10:00:00'", 'timestamp(0)', '2026-01-01 10:00:00'],
      ["'10:00'", 'time(0)', '10:00:00'],
      ["'1.5'", 'tenths_again', '1.5'],
      ['1.5', 'tenths', '1.5'],
      ["'$1,200.50'", 'money', '$1,200.50'],
      ["'0.1'", 'real', '0.1'],
      ["'{2026-01-01}'", 'date[]', '{2026-01-01}'],
      ['NULL::VARCHAR', 'date', null],
      ["'a'", '"char"', 'a'],
    ] as const;
    const table = freshTable();
    for (const [value, type] of refused) {
      await read(`DROP TABLE IF EXISTS "${table}"; CREATE TABLE "${table}" (id integer, v ${type})`);
      const { run } = await ran(`SELECT 1 AS id, ${value} AS v`, table);
      const error = expect.objectContaining({ code: 'SCHEMA_MISMATCH', message: expect.stringMatching(/column v/) });
      expect([value, type, run.error]).toEqual([value, type, error]);
      expect(await read(`SELECT v::text FROM "${table}"`), type).toEqual([]);
    }
    const other = freshTable();
    await read(`CREATE TABLE "${other}" (${taken.map(([, type], index) => `v${index} ${type}`).join(', ')})`);
    const { run } = await ran(`SELECT ${taken.map(([value], index) => `${value} AS v${index}`).join(', ')}`, other);
    expect(run.error).toBeNull();
    const texts = taken.map((_, index) => `v${index}::text`).join(', ');
    expect(await read(`SELECT ${texts} FROM "${other}"`)).toEqual([taken.map(([, , kept]) => kept)]);
  });

  it('compares readings of texts as what the table holds, and takes none at all', async () => {
    const table = freshTable();
    await read(`CREATE TABLE "${table}" (id numeric(5,1), day date, noted timestamp(0))`);
    const merge = { mode: 'merge', mergeKey: ['id'], dedupeOrderBy: [{ column: 'day', direction: 'desc' }] };
    const rows =
      "SELECT * FROM (VALUES ('1.0', '2026-01-09', NULL), ('1', '2026-1-10', NULL), ('2', NULL, '2026-01-01')) v(id, day, noted)";
    for (const sql of [`${rows} WHERE false`, rows, rows]) {
      expect((await ran(sql, table, merge)).run.error ?? null).toBeNull();
    }
    const widened = await ran("SELECT 3.25 AS id, TIMESTAMP '2026-01-01 00:00:00.5' AS noted", table, {
      mode: 'append',
      onSchemaChange: 'evolve',
    });
    expect(widened.step.schemaChanges?.map(({ column, to }) => `${column} ${to}`)).toEqual([
      'day null',
      'id numeric',
      'noted timestamp without time zone',
    ]);
    expect(await read(`SELECT id::text, day::text, noted::text FROM "${table}" ORDER BY id`)).toEqual([
      ['1.0', '2026-01-10', null],
      ['2.0', null, '2026-01-01 00:00:00'],
      ['3.25', null, '2026-01-01 00:00:00.5'],
    ]);
  });

  it('overwrites the partitions that it has rows of, those without a value among them', async () => {
    const table = freshTable();
    const rows = (values: string) => `SELECT * FROM (VALUES ${values}) v(day, region, id)`;
    await ran(rows("('d1', 'eu', 1), ('d1', 'us', 2), ('d2', 'eu', 3), (NULL, 'eu', 4)"), table);
    const config = { mode: 'overwrite', scope: 'partition' };
    const partitioned = { target: { kind: 'table', sourceId, table, partitionBy: ['day', 'region'] } };
    await ran(rows("('d1', 'eu', 9), (NULL, 'eu', 8)"), table, { ...config, ...partitioned });
    expect(await read(`SELECT id::int FROM "${table}" ORDER BY 1`)).toEqual([[2], [3], [8], [9]]);
    const none = { target: { kind: 'table', sourceId, table, partitionBy: ['nothing'] } };
    const { run } = await ran(rows("('d1', 'eu', 0)"), table, { ...config, ...none });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
  });

  it('also reports what it changed in the attempt after one that died after the commit', async () => {
    await read('DROP SCHEMA IF EXISTS ledgers CASCADE');
    await read(`CREATE SCHEMA ledgers; CREATE TABLE ledgers.people (id integer)`);
    let died = false;
    const { run, step } = await ran(
      people("(1, 'a')"),
      'people',
      {
        target: { kind: 'table', sourceId, schema: 'ledgers', table: 'people' },
        mode: 'append',
        onSchemaChange: 'evolve',
      },
      (write) => {
        if (died || !isAt('commit', write)) return undefined;
        died = true;
        return 'before';
      },
    );
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 1 });
    expect(step).toMatchObject({ attempt: 2, schemaChanges: [{ column: 'name', change: 'added', to: 'text' }] });
    expect(await read('SELECT id, name FROM ledgers.people')).toEqual([[1, 'a']]);
    const tail = await readStepLog(setup.worker.objects, step);
    expect(JSON.stringify(tail)).toContain('The column name (text) is new.');
  });

  it('loads each row once when the server is restarted in the middle', async () => {
    const table = freshTable();
    await ran(people("(1, 'a')"), table);
    const { host, port, database, user, password } = under.config;
    const holder = new Client({ host, port, database, user, password });
    const ended = new Promise<void>((resolve) => holder.on('error', () => resolve()));
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`);
    const loading = ran(people("(2, 'b'), (3, 'c')"), table, { mode: 'append' }, () => undefined);
    await expect
      .poll(() =>
        read("SELECT 1 FROM pg_stat_activity WHERE application_name = 'analytics' AND wait_event_type = 'Lock'"),
      )
      .toHaveLength(1);
    await under.postgres.shutDown();
    await ended;
    await under.postgres.startUp();
    const { run, step } = await loading;
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(step.attempt).toBeGreaterThan(1);
    expect(await read(`SELECT id::int, name FROM "${table}" ORDER BY 1`)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  const DEATHS = (['before', 'after'] as const).flatMap((when, place) =>
    [2, 3, 4, 5, 6, 7, 8, 9].map((nth) => ({ when, nth, place })),
  );

  it.each(['append', 'overwrite', 'merge'].map((mode, index) => ({ mode, index })))(
    'takes effect once whatever write its worker dies at ($mode)',
    async ({ mode, index }) => {
      const config = mode === 'merge' ? { mode, mergeKey: ['id'] } : { mode };
      // Each write is lost before and after it has reached the table, but not in every mode.
      const deaths = sample(DEATHS, ({ nth, place }) => (nth + place + index) % 2 === 0);
      let survived = 0;
      for (const { when, nth } of deaths) {
        const table = freshTable();
        let writes = 0;
        const { run } = await ran(people("(1, 'a'), (2, 'b')"), table, config, () =>
          ++writes === nth ? when : undefined,
        );
        // A run whose start was lost waits for the tick, which is no part of this setup.
        if (run.status !== 'succeeded') continue;
        survived += 1;
        expect(await read(`SELECT id::int, name FROM "${table}" ORDER BY 1`), `${when} ${nth}`).toEqual([
          [1, 'a'],
          [2, 'b'],
        ]);
        expect(run.rowsMoved).toBe(2);
      }
      expect(survived).toBeGreaterThanOrEqual(deaths.length / 2);
    },
  );
});
