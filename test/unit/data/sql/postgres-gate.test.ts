import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkPostgresSelect } from '../../../../shared/data/sql/postgres-check.ts';
import { POSTGRES_FUNCTIONS } from '../../../../shared/data/sql/postgres-functions.ts';
import { readCorpus } from '../../../support/corpus.ts';
import { openDatabase } from '../../../support/postgres-database.ts';

const refusal = (sql: string) =>
  checkPostgresSelect(sql).then(
    () => 'accepted',
    (error) => error,
  );

describe('the gate before a Postgres source', () => {
  it.each(readCorpus(new URL('corpus/postgres-legal.sql', import.meta.url)))('accepts %s', async (sql) => {
    expect(await checkPostgresSelect(sql)).toMatchObject({ sql: expect.any(String) });
  });

  it.each(readCorpus(new URL('corpus/postgres-hostile.sql', import.meta.url)))('refuses %s', async (sql) => {
    expect(await refusal(sql)).toMatchObject({ name: 'DataError', code: /^(SQL_PARSE|SQL_NOT_READ_ONLY)$/ });
  });

  it('gives the statement fit for brackets, its tables and its parameters', async () => {
    const sql = 'WITH a AS (SELECT * FROM sales.orders) SELECT * FROM a, customers WHERE x = $2 AND y = $1; -- end';
    expect(await checkPostgresSelect(sql)).toEqual({
      sql: 'WITH a AS (SELECT * FROM sales.orders) SELECT * FROM a, customers WHERE x = $2 AND y = $1',
      tables: expect.arrayContaining(['sales.orders', 'customers']),
      parameterCount: 2,
    });
  });

  it('reports every issue with its place', async () => {
    expect(await refusal("SELECT 'é', pg_sleep(1),\n nope()\nFROM pg_class FOR UPDATE")).toMatchObject({
      code: 'SQL_NOT_READ_ONLY',
      issues: expect.arrayContaining([
        expect.objectContaining({
          message: 'The function pg_sleep is not allowed.',
          position: { line: 1, column: 13, offset: 12 },
        }),
        expect.objectContaining({
          message: 'The function nope is not allowed.',
          position: { line: 2, column: 2, offset: 26 },
        }),
        expect.objectContaining({ message: 'The system catalog pg_class is not allowed.' }),
        expect.objectContaining({ message: 'FOR UPDATE and other locks are not allowed.' }),
      ]),
    });
    expect(await refusal("SELECT '𝄞' FROM\n x y z")).toMatchObject({
      code: 'SQL_PARSE',
      issues: [{ position: { line: 2, column: 6 } }],
    });
  });

  it.each([
    ['20,000 brackets', `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['a sum of 20,000 terms', `SELECT ${'1+'.repeat(20_000)}1`],
  ])('answers %s in time', async (_, sql) => {
    const startedAt = performance.now();
    await refusal(sql);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

describe('the list of Postgres functions', () => {
  it('names functions that Postgres has, none of them volatile', async () => {
    const postgres = await openDatabase();
    onTestFinished(() => postgres.drop());
    const client = new Client(postgres);
    await client.connect();
    const { rows } = await client.query(
      `SELECT proname, bool_or(provolatile = 'v') AS volatile FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace GROUP BY 1`,
    );
    await client.end();
    const known = new Map<string, boolean>(rows.map(({ proname, volatile }) => [proname, volatile]));

    expect([...POSTGRES_FUNCTIONS].filter((name) => !known.has(name))).toEqual([]);
    expect([...POSTGRES_FUNCTIONS].filter((name) => known.get(name))).toEqual([]);
  });
});
