import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineTypeOf } from '../../../shared/data/duckdb/column-types.ts';
import { quoteLiteral } from '../../../shared/data/duckdb/quoting.ts';
import { checkTable } from '../../../shared/data/quality/evaluate-table.ts';
import { outcomeOf } from '../../../shared/data/quality/outcome.ts';
import type { QualityTest } from '../../../shared/data/quality/tests.ts';
import { TEST_TYPES } from '../../../shared/data/quality/tests.ts';
import { openTestEngine } from '../data/engine/open-test-engine.ts';

interface Expectations {
  now: string;
  /** The column `k` of the table that foreign keys refer to. */
  numbers: (number | null)[];
  cases: QualityTest[];
}

interface Table {
  columns: Record<string, string>;
  rows: (string | null)[][];
  /** Of each case: status, checked rows, failing rows. */
  expected: [status: string, evaluated: number, failed: number | null][];
}

/** Computed with pandas; see expectations.py. */
const [{ now, numbers, cases }, ...tables] = readFileSync(
  join(import.meta.dirname, 'pandas/expectations.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [Expectations, ...Table[]];

async function results({ columns, rows }: Table) {
  const { engine } = await openTestEngine();
  const types = Object.entries(columns);
  const defined = types.map(([name, type]) => `"${name}" ${engineTypeOf(type)}`);
  await engine.run(`CREATE TABLE numbered (${[...defined, 'nr BIGINT'].join(', ')})`);
  const shown = rows.map((row, nr) => `(${row.map((v) => (v === null ? 'NULL' : quoteLiteral(v))).join(', ')}, ${nr})`);
  if (shown.length > 0) await engine.run(`INSERT INTO numbered VALUES ${shown.join(', ')}`);
  await engine.run('CREATE VIEW input AS SELECT * EXCLUDE (nr) FROM numbered');
  await engine.run(`CREATE TABLE numbers AS SELECT unnest([${numbers.map((k) => k ?? 'NULL').join(', ')}]) AS k`);
  await engine.lock();
  return checkTable(engine, cases, {
    columns: types.map(([name, type]) => ({ name, type })),
    rowNumber: 'nr',
    now: new Date(now),
    references: new Map([['numbers', 'numbers']]),
    bindText: (sql) => ({ sql, params: [] }),
  });
}

describe('tests of data quality', () => {
  it('are compared in at least a hundred cases of all types', () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
    expect([...new Set(cases.map(({ type }) => type))].sort()).toEqual([...TEST_TYPES].sort());
  });

  it.each(tables.map((table) => [table.rows.length, table] as const))(
    'find in %i rows what pandas finds',
    async (_rows, table) => {
      const found = (await results(table)).map((result, index) => {
        if ('error' in result) return [result.error];
        const failed = cases[index]!.type === 'row_count' ? null : result.failedRows;
        return [outcomeOf(cases[index]!, result), result.evaluatedRows, failed];
      });
      const wrong = cases.flatMap((test, index) => {
        const [expected, got] = [table.expected[index], found[index]];
        return JSON.stringify(expected) === JSON.stringify(got) ? [] : [{ test, pandas: expected, platform: got }];
      });
      expect(wrong).toEqual([]);
    },
  );
});
