import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../shared/data/duckdb/engine.ts';
import { check } from '../../../shared/data/quality/evaluate.ts';
import { checkTable } from '../../../shared/data/quality/evaluate-table.ts';
import type { QualityTest } from '../../../shared/data/quality/tests.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evaluate-table-'));
  engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: folder });
  const path = join(folder, 'rows.parquet');
  await engine.copyToParquet(
    `SELECT range AS id, CASE WHEN range % 10 = 0 THEN NULL ELSE range % 50 END AS a, 'text ' || (range % 7) AS t,
       DATE '2026-01-01' + (range % 90)::INTEGER AS day FROM range(1000)`,
    { path },
  );
  await engine.attach('numbered', [path], { numbered: 'nr' });
  await engine.run('CREATE VIEW input AS SELECT * EXCLUDE (nr) FROM numbered');
  await engine.run('CREATE TABLE keys AS SELECT unnest([1, 2, 3]) AS key');
  await engine.lock();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const context = async () => ({
  columns: await engine.describe('SELECT * FROM input'),
  rowNumber: 'nr',
  now: new Date('2026-03-10T12:00:00Z'),
  references: new Map([['known keys', 'keys']]),
  bindText: (sql: string) => ({ sql, params: [] }),
});

const column = (type: string, name: string, config: object = {}) => ({ type, column: name, config }) as QualityTest;
const TESTS: QualityTest[] = [
  column('not_null', 'a'),
  column('not_null', 'id'),
  column('unique', 'a'),
  column('unique', 'a', { where: 'id < 40' }),
  column('value_range', 'a', { min: 5, max: 40, where: 'id >= 500' }),
  column('value_range', 'a', { max: 30, where: 'a > (SELECT avg(a) FROM input)' }),
  column('regex', 't', { pattern: '[0-3]$', sampleLimit: 2 }),
  column('allowed_values', 't', { values: ['text 1', 'text 2'] }),
  column('date_range', 'day', { min: '-30d' }),
  column('no_future_date', 'day'),
  column('foreign_key', 'a', { refTable: 'known keys', refColumn: 'key' }),
  { type: 'duplicate_detection', config: { keys: ['t'], fuzzy: 'normalized', where: 'id >= 3' } },
  { type: 'row_count', config: { min: 2000, where: 'a IS NOT NULL' } },
  { type: 'custom_sql', config: { sql: 'SELECT * FROM input WHERE a = 49' } },
  column('not_null', 'vanished'),
  column('not_null', 'a', { where: 'nonsense(' }),
];

describe('many tests of one table', () => {
  it('give the same results as each of them alone', async () => {
    const together = await checkTable(engine, TESTS, await context());
    for (const [index, test] of TESTS.entries()) {
      const alone = await check(engine, test, await context());
      const { compiled: _one, ...expected } = { compiled: null, ...alone };
      const { compiled: _other, ...found } = { compiled: null, ...together[index]! };
      expect(found, JSON.stringify(test)).toEqual(expected);
    }
  });

  it('read the table once for a hundred tests of rows, and once more for their samples', async () => {
    const statements: string[] = [];
    const counting = new Proxy(engine, {
      get: (target, name) => {
        const member = target[name as keyof Engine] as (...args: unknown[]) => unknown;
        if (name !== 'run' && name !== 'query') return member.bind(target);
        return (sql: string, ...rest: unknown[]) => {
          if (sql.includes('FROM numbered')) statements.push(sql);
          return member.call(target, sql, ...rest);
        };
      },
    });
    const hundred = Array.from({ length: 100 }, (_, i) => column('value_range', 'a', { max: i }));
    const results = await checkTable(counting, hundred, await context());
    const values = Array.from({ length: 1000 }, (_, id) => (id % 10 === 0 ? -1 : id % 50));
    expect(results.map((result) => 'failedRows' in result && result.failedRows)).toEqual(
      hundred.map((_test, i) => values.filter((value) => value > i).length),
    );
    expect(statements).toHaveLength(2);
  });

  it('survive a test that fails on a value', async () => {
    const broken = column('value_range', 'a', { min: 0, where: 'CAST(t AS INTEGER) > 1' });
    const [fine, wrong] = await checkTable(engine, [column('not_null', 'a'), broken], await context());
    expect(fine).toMatchObject({ evaluatedRows: 1000, failedRows: 100 });
    expect(wrong).toEqual({ error: 'A value cannot be converted, or is out of range.' });
  });
});
