import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import allowedFunctions from '../../../../shared/data/sql/allowed-functions.json' with { type: 'json' };
import { DENIED_FUNCTIONS } from '../../../../shared/data/sql/denied-functions.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { readCorpus } from '../../../support/corpus.ts';

const TABLES = { tables: ['orders', 'customers', 'Daily Sales'] };
let engine: Engine;

beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: tmpdir() });
  await engine.lock();
  return () => engine.close();
});

const check = (sql: string) => checkSelect(engine, sql, TABLES);
const refusal = (sql: string) =>
  check(sql).then(
    () => 'accepted',
    (error) => error,
  );

describe('the gate', () => {
  it.each(readCorpus(new URL('corpus/legal.sql', import.meta.url)))('accepts %s', async (sql) => {
    expect(await check(sql)).toMatchObject({ sql: expect.any(String) });
  });

  it.each(readCorpus(new URL('corpus/hostile.sql', import.meta.url)))('refuses %s', async (sql) => {
    expect(await refusal(sql)).toMatchObject({
      name: 'DataError',
      code: /^(SQL_PARSE|SQL_NOT_READ_ONLY|SQL_ERROR|NOT_FOUND)$/,
    });
  });

  it.each([
    ['a null byte', 'SELECT 1\u0000; DROP TABLE orders'],
    ['a control character', "SELECT '\u0001'"],
    ['a byte order mark', '\ufeffSELECT 1'],
    ['a no-break space', 'SELECT\u00a01'],
    ['an ideographic space', 'SELECT\u30001'],
    ['a zero-width space', 'SELECT 1\u200b'],
    ['half of a character', "SELECT '\ud800'"],
    ['20,000 brackets', `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['5,000 nested queries', `${'SELECT * FROM ('.repeat(5_000)}SELECT 1${')'.repeat(5_000)}`],
    ['50,000 nested comments', `SELECT ${'/*'.repeat(50_000)}${'*/'.repeat(50_000)} 1`],
    ['a list of 12 megabytes', `SELECT 1 IN (${'1,'.repeat(6_000_000)}1)`],
    [
      'a name that only Unicode folds to another',
      'WITH "duc\u212ab_settings" AS (SELECT 1) SELECT * FROM duckdb_settings',
    ],
  ])('refuses %s at once', async (_, sql) => {
    const startedAt = performance.now();
    expect(await refusal(sql)).toMatchObject({ name: 'DataError' });
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it.each([
    ['a sum of 20,000 terms', `SELECT ${'1+'.repeat(20_000)}1`],
    ['9,000 WITH clauses', `WITH ${Array.from({ length: 9000 }, (_, i) => `a${i} AS (SELECT 1)`).join()} SELECT 1`],
    ['10,000 unions', `SELECT 1${' UNION SELECT 1'.repeat(10_000)}`],
    ['30,000 times NOT', `SELECT ${'NOT '.repeat(30_000)}true`],
    ['a list of 100,000 numbers', `SELECT 1 IN (${'1,'.repeat(100_000)}1)`],
  ])('answers %s in time, one way or the other', async (_, sql) => {
    const startedAt = performance.now();
    const answer = await refusal(sql);
    expect(answer === 'accepted' || answer.name === 'DataError').toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('gives the statement fit for brackets, its tables as the allow list spells them, and its parameters', async () => {
    const sql =
      'SELECT * FROM ORDERS JOIN "daily sales" USING (id) WHERE region = $region AND id > $id -- all\n ; -- end';
    expect(await check(sql)).toMatchObject({
      sql: 'SELECT * FROM ORDERS JOIN "daily sales" USING (id) WHERE region = $region AND id > $id',
      tables: ['orders', 'Daily Sales'],
      parameters: ['region', 'id'],
    });
    expect((await check('WITH customers AS (SELECT 1) SELECT * FROM customers')).tables).toEqual([]);
  });

  it('refuses a number that is too large for any type', async () => {
    expect(await refusal('SELECT id FROM orders WHERE id < 1e400')).toMatchObject({
      code: 'SQL_PARSE',
      message: 'A number in the SQL text is too large.',
    });
  });

  it('reports every issue with its place', async () => {
    const error = await refusal('SELECT random(),\n  nope(1)\nFROM secrets, other.orders');
    expect(error).toMatchObject({
      code: 'SQL_NOT_READ_ONLY',
      issues: [
        { code: 'SQL_NOT_READ_ONLY', message: 'The function random is not allowed.', position: { line: 1, column: 8 } },
        { code: 'SQL_ERROR', message: 'There is no function nope.', position: { line: 2, column: 3 } },
        { code: 'NOT_FOUND', message: 'There is no table "secrets".', position: { line: 3, column: 6 } },
        { code: 'SQL_NOT_READ_ONLY', position: { line: 3, column: 15 } },
      ],
    });
  });

  it.each([
    ["SELECT 'é'\n  FROMM orders x y", { line: 2, column: 8 }],
    ['DROP TABLE orders', { line: 1, column: 1 }],
    ["SELECT 1, 'open", { line: 1, column: 11 }],
  ])('reports where the issue of %s is', async (sql, position) => {
    expect(await refusal(sql)).toMatchObject({ issues: [{ position }] });
  });
});

describe('the frozen list of functions', () => {
  it('was made for this engine, and every function of the engine is either allowed or denied with a reason', async () => {
    const [[version] = []] = await engine.run('SELECT version()');
    const rows = await engine.run(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')",
    );
    const denied = (name: string) => Object.values(DENIED_FUNCTIONS).some((pattern) => pattern.test(name));
    const names = rows.map(([name]) => String(name));

    expect(allowedFunctions.engine).toBe(version);
    expect(allowedFunctions.names.filter((name) => !names.includes(name))).toEqual([]);
    expect(allowedFunctions.names.filter(denied)).toEqual([]);
    expect(names.filter((name) => !denied(name) && !allowedFunctions.names.includes(name))).toEqual([]);
    const aggregates = await engine.run(
      "SELECT function_name FROM duckdb_functions() GROUP BY ALL HAVING bool_or(function_type = 'aggregate') AND NOT bool_or(function_type IN ('scalar', 'macro')) ORDER BY 1",
    );
    expect(allowedFunctions.aggregates).toEqual(
      aggregates.map(([name]) => name).filter((name) => !denied(String(name))),
    );
  });
});
