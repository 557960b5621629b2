import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PostgresSource } from '../../../shared/data/connectors/postgres/connection.ts';
import { extractToParquet, testInPostgres } from '../../../shared/data/connectors/postgres/index.ts';
import { quoteIdentifier, quoteLiteral } from '../../../shared/data/duckdb/quoting.ts';
import { checkTable } from '../../../shared/data/quality/evaluate-table.ts';
import { outcomeOf } from '../../../shared/data/quality/outcome.ts';
import { samplesSql } from '../../../shared/data/quality/postgres/statements.ts';
import { neededColumns, type QualityTest } from '../../../shared/data/quality/tests.ts';
import { sample } from '../../support/cases.ts';
import { openTestEngine } from '../data/engine/open-test-engine.ts';
import { usePostgres } from '../warehouse/sources/use-postgres.ts';

const under = usePostgres();
const NOW = new Date('2026-03-10T12:00:00Z');
const MAX_BYTES = 1e9;

/** What the database finds, and what the engine finds in a copy of the rows. */
async function both(table: string, tests: readonly QualityTest[]) {
  const source = await under.openSource();
  return { pushed: await inDatabase(table, tests, { source }), copied: await inEngine(source, table, tests) };
}

async function inDatabase(
  table: string,
  tests: readonly QualityTest[],
  given: { source?: PostgresSource; now?: Date } = {},
) {
  const { engine, dir } = await openTestEngine();
  const { source = await under.openSource(), now = NOW } = given;
  const request = { schema: 'public', table, tests, now, previousRows: () => undefined, maxBytes: MAX_BYTES };
  const path = `${dir}/rest.parquet`;
  return { ...(await testInPostgres(engine, source, request, path)), engine, path };
}

async function inEngine(source: PostgresSource, table: string, tests: readonly QualityTest[]) {
  const { engine, dir } = await openTestEngine();
  const columns = neededColumns(tests);
  await extractToParquet(
    engine,
    source,
    { from: { schema: 'public', table }, ...(columns ? { columns } : {}) },
    `${dir}/all.parquet`,
  );
  await engine.attach('numbered', [`${dir}/all.parquet`], { numbered: 'nr' });
  await engine.run('CREATE VIEW input AS SELECT * EXCLUDE (nr) FROM numbered');
  await engine.lock();
  const described = await engine.describe('SELECT * FROM input');
  const bindText = (sql: string) => ({ sql, params: [] });
  return checkTable(engine, tests, { columns: described, rowNumber: 'nr', now: NOW, references: new Map(), bindText });
}

type Found = Awaited<ReturnType<typeof both>>;

const shown = (result: Found['copied'][number]) =>
  'error' in result ? result : { evaluated: result.evaluatedRows, failed: result.failedRows, issue: result.issue };

/** Tests of which the two find something different. */
const different = (tests: readonly QualityTest[], { pushed, copied }: Found) =>
  tests.flatMap((test, index) => {
    const there = pushed.results[index];
    if (!there) return [];
    const [inDatabase, inEngine] = [shown(there), shown(copied[index]!)];
    return JSON.stringify(inDatabase) === JSON.stringify(inEngine) ? [] : [{ test, inDatabase, inEngine }];
  });

const counted = ({ results }: Found['pushed']): number =>
  results.filter((result) => result && 'ranIn' in result && result.ranIn === 'database').length;

/** Values of each type that Postgres and the engine might see differently. */
const VALUES: Record<string, string[]> = {
  smallint: ['-1', '0', '7', '7'],
  bigint: ['9223372036854775807', '-9223372036854775808', '0', '0', '3'],
  'numeric(9,2)': ["'NaN'", '0.10', '0.1', '-0.01', '1234567.89'],
  'numeric(38,9)': ["'NaN'", '0.1', '99999999999999999999999999999.999999999', '0.100000000', '-3'],
  'numeric(38,30)': ['0.1', '12345678.000000000000000000000000000001', '0.1', '-1', '5'],
  'numeric(3,-2)': ['12300', '-100', '100', '100', '0'],
  'numeric(2,4)': ['0.0012', '-0.0001', '0.0012', "'NaN'", '0'],
  'numeric(60,10)': ['1e45', '0.1', '-2', '0.1', '3'],
  numeric: [
    "'NaN'",
    "'Infinity'",
    '1e40',
    '0.10000000049',
    '0.1',
    '0.1000000005',
    '99999999999999999999999999999.9999999996',
    '-0.0000000004',
  ],
  'double precision': ["'NaN'", "'-Infinity'", "'Infinity'", "'-0'", '0', '0.1', '0.1', '1e300', '7'],
  real: ["'NaN'", '0.1', '0.1', '-1'],
  text: [
    "'a'",
    "'A'",
    "'a '",
    "''",
    "' '",
    "'ä'",
    "'a'",
    "U&'\\0061\\0308'",
    '\'x,"y"\'',
    "'\\N'",
    "E'a\\nb'",
    "U&'\\FEFFa'",
  ],
  'varchar(5)': ["'a'", "'a '", "'a'", "''"],
  'char(3)': ["'a'", "'a '", "'b'", "''"],
  'text COLLATE folded': ["'a'", "'A'", "'ä'", "'a'", "'b'"],
  boolean: ['true', 'false', 'true'],
  date: [
    "'infinity'",
    "'-infinity'",
    "'0044-03-15 BC'",
    "'5874897-12-31'",
    "'4713-01-01 BC'",
    "'2026-03-10'",
    "'2026-03-10'",
    "'2026-03-11'",
  ],
  timestamp: [
    "'infinity'",
    "'-infinity'",
    "'294247-01-10 04:00:54.775806'",
    "'294247-01-10 04:00:54.775807'",
    "'294276-12-31'",
    "'4713-01-01 BC'",
    "'2026-03-10 12:00:00'",
    "'2026-03-10 12:00:00.000001'",
    "'2026-03-10 12:00:00'",
  ],
  timestamptz: [
    "'infinity'",
    "'294247-01-10 04:00:54.775806+00'",
    "'294247-01-10 04:00:54.775807+00'",
    "'0001-01-01 BC'",
    "'2026-03-10 14:00:00+02'",
    "'2026-03-10 12:00:00Z'",
    "'2026-03-10 12:00:00.000001Z'",
  ],
  time: ["'24:00'", "'10:00'", "'10:00:00.5'", "'10:00'"],
  interval: ["'1 day'", "'24 hours'", "'1 month'", "'1 day'"],
  uuid: [
    "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
    "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
    "'00000000-0000-0000-0000-000000000000'",
  ],
  mood: ["'sad'", "'ok'", "'sad'"],
  inet: ["'10.0.0.1'", "'10.0.0.1/32'", "'10.0.0.0/8'"],
  money: ["'1.5'", "'-2'", "'1.50'"],
  json: ["'null'", "'{}'", "'{ }'", "'1'"],
  jsonb: ["'null'", "'{}'", "'{}'", "'1'"],
  bytea: ["'\\x00'", "''", "'\\x00'"],
  'int[]': ["'{}'", "'{1}'", "'{{1},{2}}'", "'{NULL}'"],
  pair: ['ROW(NULL, NULL)', "ROW(1, 'a')", "ROW(1, 'a')"],
  positive: ['1', '2', '1'],
  name: ["'a'", "'b'", "'a'"],
  oid: ['1', '2', '1'],
};
const TYPES = Object.keys(VALUES);

const NUMBERS = [-1e15, -1, 0, 0.1, 7, 1e15, 1e-7, 0.10000000049, 9007199254740991, 123456789.123456];
const ZERO = '\0';
const TEXTS = ['a', 'A', 'a ', 'sad', '', ZERO, 'x,"y"', '10.0.0.1', '(,)', '0 years 0 mons 1 days'];
const DATES = ['2026-03-10', '2026-03-10T12:00:00Z', '-30d', '+1d', '-99999d', '0001-01-01'];

type Config = [QualityTest['type'], object];

function testsOf(column: string): QualityTest[] {
  const configs: Config[] = [
    ['not_null', {}],
    ['unique', {}],
    ['unique', { ignoreNulls: false }],
    ['unique', { ignoreNulls: false, sampleLimit: 2 }],
    ['no_negative', {}],
    ['no_negative', { allowZero: false }],
    ...NUMBERS.flatMap((min): Config[] => [
      ['value_range', { min, max: min, sampleLimit: 20 }],
      ['value_range', { max: min, inclusive: false, sampleLimit: 0 }],
    ]),
    ...[[0.1, 0], NUMBERS.slice(0, 5), [9007199254740991], [1e-7]].map(
      (values): Config => ['allowed_values', { values }],
    ),
    ...[TEXTS, ['a'], ['sad', 'A'], ['a ', ''], ['10.0.0.1']].map((values): Config => ['allowed_values', { values }]),
    ['allowed_values', { values: TEXTS.filter((text) => text !== ZERO) }],
    ['allowed_values', { values: TEXTS.slice(0, 4), caseSensitive: false }],
    ['allowed_values', { values: [true] }],
    ...DATES.flatMap((min): Config[] => [
      ['date_range', { min }],
      ['date_range', { max: min }],
    ]),
    ['no_future_date', {}],
    ['no_future_date', { toleranceMinutes: 1440, timezone: 'Asia/Kathmandu' }],
    ['regex', { pattern: '^a' }],
    ['email', {}],
    ['phone', {}],
  ];
  return [
    ...configs.map(([type, config]) => ({ type, column, config }) as QualityTest),
    { type: 'duplicate_detection', config: { keys: [column] } },
    { type: 'duplicate_detection', config: { keys: [column], fuzzy: 'normalized' } },
  ];
}

beforeAll(async () => {
  await under.postgres.run(`
    CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TYPE mood AS ENUM ('ok', 'sad');
    CREATE TYPE pair AS (a int, b text);
    CREATE DOMAIN positive AS int CHECK (VALUE > 0);
    CREATE TABLE odd (${TYPES.map((type, i) => `c${i} ${type}`).join(', ')}, "V" int);
    CREATE TABLE nothing (LIKE odd);
    CREATE TABLE shown (n int, word text, at timestamptz, price numeric(9,2));
    INSERT INTO shown VALUES (9, 'a', '2026-02-01', 1), (9, 'a', '2025-12-31 23:00Z', 2), (8, NULL, NULL, 3), (NULL, NULL, NULL, 4);
    CREATE TABLE one AS SELECT 1 AS id, NULL::int AS gone, 5 AS same;
    CREATE TABLE twins (a int, "A" int); INSERT INTO twins VALUES (1, 2), (1, 3);
    CREATE TABLE people AS SELECT i AS id, 'p' || i % 7 AS word, i % 3 AS team FROM generate_series(1, 1000) i`);
  const rows = Math.max(...Object.values(VALUES).map((values) => values.length)) + 2;
  for (let row = 0; row < rows; row++) {
    const values = TYPES.map((type) => VALUES[type]![row] ?? 'NULL');
    await under.postgres.run(`INSERT INTO odd VALUES (${values.join(', ')}, ${row % 3 === 0 ? 'NULL' : row % 4})`);
  }
});

describe('tests that a database runs', () => {
  it.each(sample(TYPES, (_type, index) => index % 2 === 0).map((type) => [type, `c${TYPES.indexOf(type)}`]))(
    'find the same of %s as the engine',
    async (_type, column) => {
      const tests = testsOf(column);
      expect(different(tests, await both('odd', tests))).toEqual([]);
    },
  );

  it('find the same in a table without rows, and in one with a single row', async () => {
    const empty = TYPES.flatMap((_type, i) => testsOf(`c${i}`).filter((_test, nr) => nr % 17 === i % 17));
    expect(different(empty, await both('nothing', empty))).toEqual([]);
    const tests = ['id', 'gone', 'same'].flatMap(testsOf);
    expect(different(tests, await both('one', tests))).toEqual([]);
  });

  it('show the same failing rows', async () => {
    const column = 'n';
    const tests: QualityTest[] = [
      { type: 'not_null', column, config: {} },
      { type: 'unique', column, config: {} },
      { type: 'unique', config: { columns: ['n', 'word'], ignoreNulls: false } },
      { type: 'value_range', column, config: { max: 7, sampleLimit: 20 } },
      { type: 'allowed_values', column: 'word', config: { values: ['b'], sampleLimit: 1 } },
      { type: 'date_range', column: 'at', config: { min: '2026-01-01' } },
      { type: 'not_null', column: 'word', config: { sampleLimit: 0 } },
      { type: 'row_count', config: { min: 100 } },
    ];
    const rowsOf = ({ sample: found }: { sample?: unknown }) => {
      const { columns, rows } = (found ?? { columns: [], rows: [] }) as { columns: string[]; rows: unknown[][] };
      return { columns, rows: rows.map((row) => JSON.stringify(row)).sort() };
    };
    const { pushed, copied } = await both('shown', tests);
    const found = pushed.results.map((result) => rowsOf(result as object));
    expect(found).toEqual(copied.map((result) => rowsOf(result as object)));
    expect(found.map(({ rows }) => rows.length)).toEqual([1, 2, 2, 3, 1, 1, 0, 0]);
    const later = await both('shown', [{ type: 'duplicate_detection', config: { keys: ['word', 'n'] } }]);
    expect(rowsOf(later.pushed.results[0] as object).rows).toEqual(rowsOf(later.copied[0] as object).rows);
  });

  it('show the failing rows of all tests of single rows with one scan of the table', async () => {
    const tests: QualityTest[] = [
      { type: 'not_null', column: 'n', config: {} },
      { type: 'value_range', column: 'n', config: { max: 7, sampleLimit: 2 } },
      { type: 'value_range', column: 'n', config: { max: 5, sampleLimit: 20 } },
      { type: 'allowed_values', column: 'word', config: { values: ['b'], sampleLimit: 1 } },
      { type: 'date_range', column: 'at', config: { min: '2026-01-01' } },
    ];
    const source = await under.openSource();
    const rowsOf = (result: unknown) => (result as { sample: { rows: unknown[] } }).sample.rows.length;
    const { results } = await inDatabase('shown', tests, { source });
    expect(results.map(rowsOf)).toEqual((await inEngine(source, 'shown', tests)).map(rowsOf));

    const n = { name: 'n', type: 'integer', oid: 23, kind: 'number', value: 'n' } as const;
    const failing = (number: number) => ({ number, rows: 2, checked: 'v0 IS NOT NULL', failing: `v0 > ${number}` });
    const sql = samplesSql({ relation: 'public.shown', columns: [n] }, [1, 2, 3, 4, 5].map(failing));
    const { rows: plan } = await source.query(`EXPLAIN ${sql}`);
    expect(plan.flat().filter((line) => String(line).includes('Scan on shown'))).toHaveLength(1);
    expect(plan.flat().filter((line) => /Sort/.test(String(line)))).toEqual([]);
  });

  it('compare several columns, also without values, and count all rows', async () => {
    const tests: QualityTest[] = [
      { type: 'unique', config: { columns: ['V', 'c15'] } },
      { type: 'unique', config: { columns: ['V', 'c15'], ignoreNulls: false } },
      { type: 'duplicate_detection', config: { keys: ['V', 'c0'] } },
      { type: 'row_count', config: { min: 1 } },
      { type: 'row_count', config: { min: 1000 } },
    ];
    const found = await both('odd', tests);
    expect(different(tests, found)).toEqual([]);
    expect(counted(found.pushed)).toBe(tests.length);
  });

  it('are most of those of common types, and none whose result is not certain', async () => {
    const ways = async (column: string, tests = testsOf(column)) =>
      counted(await inDatabase('odd', tests)) / tests.length;
    for (const type of ['smallint', 'bigint', 'numeric(9,2)', 'text', 'date', 'timestamptz']) {
      expect(await ways(`c${TYPES.indexOf(type)}`), type).toBeGreaterThan(0.1);
    }
    const column = `c${TYPES.indexOf('text')}`;
    const uncertain: QualityTest[] = [
      { type: 'regex', column, config: { pattern: 'a' } },
      { type: 'email', column, config: {} },
      { type: 'phone', column, config: {} },
      { type: 'not_null', column, config: { where: 'c1 > 0' } },
      { type: 'allowed_values', column, config: { values: ['a'], caseSensitive: false } },
      { type: 'duplicate_detection', config: { keys: [column], fuzzy: 'normalized' } },
      { type: 'custom_sql', config: { sql: 'SELECT * FROM input' } },
      { type: 'foreign_key', column, config: { refTable: 'r', refColumn: 'k' } },
    ];
    expect(await ways(column, uncertain)).toBe(0);
    expect(counted(await inDatabase('twins', [{ type: 'unique', column: 'a', config: {} }]))).toBe(0);
  });

  it('copy only the columns of the others, from the same snapshot', async () => {
    const source = await under.openSource();
    const tests: QualityTest[] = [
      { type: 'unique', column: 'id', config: {} },
      { type: 'regex', column: 'word', config: { pattern: 'p' } },
      { type: 'value_range', column: 'vanished', config: { min: 1 } },
    ];
    const query = source.query.bind(source);
    let statements = 0;
    // Another session changes the table between the counts and the copy.
    source.query = async (sql, params) => {
      const reply = await query(sql, params);
      if (sql.startsWith('SELECT count')) {
        statements += 1;
        await under.postgres.run(`INSERT INTO people VALUES (1, 'q', 1)`);
      }
      return reply;
    };
    const { results, copied, engine, path } = await inDatabase('people', tests, { source });
    expect(results).toMatchObject([
      { evaluatedRows: 1000, failedRows: 0, ranIn: 'database' },
      undefined,
      { error: 'There is no column vanished.' },
    ]);
    expect(copied).toEqual([{ name: 'word', type: 'string' }]);
    expect(await engine.run(`SELECT count(*) FROM read_parquet('${path}')`)).toEqual([['1000']]);
    expect(statements).toBe(1);
  });

  it('end at the time limit of the source, and change nothing', async () => {
    await under.postgres.run(`
      CREATE FUNCTION slow(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN i; END $$;
      CREATE FUNCTION writing(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO people VALUES (9); RETURN i; END $$;
      CREATE VIEW slowly AS SELECT slow(id) AS id FROM people;
      CREATE VIEW writes AS SELECT writing(id) AS id FROM people`);
    const run = async (table: string) => {
      const source = await under.openSource({}, { connectMs: 3000, statementMs: 500 });
      return inDatabase(table, [{ type: 'not_null', column: 'id', config: {} }], { source });
    };
    await expect(run('slowly')).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(run('writes')).rejects.toMatchObject({ code: 'SQL_NOT_READ_ONLY' });
    await expect(run('missing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the cases that pandas has computed', () => {
  const [{ now, cases }, ...tables] = readFileSync(join(import.meta.dirname, 'pandas/expectations.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const TYPE: Record<string, string> = {
    integer: 'bigint',
    double: 'float8',
    string: 'text',
    'decimal(12,2)': 'numeric(12,2)',
  };

  it('have the same results in the database', async () => {
    for (const [nr, { columns, rows, expected }] of tables.entries()) {
      const name = `pandas${nr}`;
      const defined = Object.entries<string>(columns).map(
        ([column, type]) => `${quoteIdentifier(column)} ${TYPE[type] ?? type}`,
      );
      await under.postgres.run(`CREATE TABLE ${name} (${defined.join(', ')})`);
      const lines = rows.map(
        (row: (string | null)[]) => `(${row.map((v) => (v === null ? 'NULL' : quoteLiteral(v))).join(', ')})`,
      );
      if (lines.length > 0) await under.postgres.run(`INSERT INTO ${name} VALUES ${lines.join(', ')}`);
      const { results } = await inDatabase(name, cases, { now: new Date(now) });
      const found = results.flatMap((result, index): { index: number; result: unknown }[] => {
        if (!result || 'error' in result) return result ? [{ index, result }] : [];
        const failed = cases[index].type === 'row_count' ? null : result.failedRows;
        return [{ index, result: [outcomeOf(cases[index], result), result.evaluatedRows, failed] }];
      });
      expect(found.length).toBeGreaterThan(30);
      const wrong = found.filter(({ index, result }) => JSON.stringify(result) !== JSON.stringify(expected[index]));
      expect(wrong.map(({ index, result }) => ({ test: cases[index], result, pandas: expected[index] }))).toEqual([]);
    }
  });
});
