import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect } from 'vitest';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { it } from '../../../support/api.ts';
import { sample } from '../../../support/cases.ts';
import { readCorpus } from '../../../support/corpus.ts';
import { wireRows } from '../../../support/duckdb-wire.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { TABLES } from './corpus/tables.ts';

const STATEMENTS = readCorpus(new URL('corpus/legal.sql', import.meta.url));

/** Rows in the order in which they are promised: any, where the statement asks for none. */
const comparable = (sql: string, rows: unknown[][]) =>
  /order by/i.test(sql) ? rows : rows.map((row) => JSON.stringify(row)).sort();

describe('POST /api/query', () => {
  it('accepts legal statements and answers each as DuckDB alone does', async ({ api }) => {
    expect(STATEMENTS.length).toBeGreaterThanOrEqual(300);
    const plain = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
    await plain.run("SET TimeZone = 'UTC'");
    for (const [name, sql] of Object.entries(TABLES)) {
      await plain.run(`CREATE TABLE "${name}" AS ${sql}`);
      await givenDataset(api, { name, sql });
    }
    const wrong: unknown[] = [];
    const asked = sample(STATEMENTS, (_sql, index) => index % 3 === 0);
    await inParallel(4, asked, async (sql) => {
      const reply = await api.as('editor').post('/api/query', { sql, limit: 5000 });
      const expected = await plain.run(sql).then(wireRows, (error: Error) => [[error.message]]);
      const rows: unknown[][] = reply.body.rows ?? [];
      const same = JSON.stringify(comparable(sql, rows)) === JSON.stringify(comparable(sql, expected));
      if (reply.status !== 200 || !same) wrong.push({ sql, rows, expected, refusal: reply.body.errors });
    });
    expect(wrong).toEqual([]);
  });
});
