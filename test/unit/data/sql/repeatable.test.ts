import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import allowedFunctions from '../../../../shared/data/sql/allowed-functions.json' with { type: 'json' };
import { UNREPEATABLE_FUNCTIONS, unrepeatablePart } from '../../../../shared/data/sql/repeatable.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: tmpdir() });
});
afterAll(() => engine.close());

const partOf = async (sql: string) => unrepeatablePart((await checkSelect(engine, sql, { tables: ['t'] })).root);

describe('what makes a statement give other rows at another time', () => {
  it.each([
    ['SELECT now()', 'now()'],
    ['SELECT a FROM t WHERE a < (SELECT TODAY())', 'today()'],
    ['SELECT current_date', 'current_date'],
    ['SELECT a FROM t WHERE a > CURRENT_TIMESTAMP', 'current_timestamp'],
    ['WITH x AS (SELECT localtimestamp AS at) SELECT * FROM x', 'localtimestamp'],
    ['SELECT age(a) FROM t', 'age()'],
    ['SELECT ago(INTERVAL 1 DAY)', 'ago()'],
    ['SELECT * FROM t USING SAMPLE 10%', 'a sample'],
    ['SELECT * FROM t TABLESAMPLE reservoir(3)', 'a sample'],
    ['SELECT reservoir_quantile(a, 0.5) FROM t', 'reservoir_quantile()'],
    ["SELECT list_aggregate(list(a), 'reservoir_quantile', 0.5) FROM t", 'reservoir_quantile()'],
    ['SELECT max(now()) OVER () FROM t', 'now()'],
  ])('is found in %s', async (sql, part) => {
    expect(await partOf(sql)).toBe(part);
  });

  it.each([
    'SELECT a, row_number() OVER (ORDER BY a) FROM t WHERE a IS NOT NULL LIMIT 3',
    'SELECT age(a, b) FROM t',
    "SELECT 'now()' AS text, t.current_date FROM t",
    'SELECT hash(a) FROM t GROUP BY ALL',
  ])('is not there in %s', async (sql) => {
    expect(await partOf(sql)).toBeUndefined();
  });

  it('is every allowed function that the engine calls consistent within a query only, or less', async () => {
    const rows = await engine.run(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability IN ('VOLATILE', 'CONSISTENT_WITHIN_QUERY')",
    );
    const names = rows.map(([name]) => String(name)).filter((name) => allowedFunctions.names.includes(name));
    expect(names.filter((name) => !UNREPEATABLE_FUNCTIONS.has(name))).toEqual([]);
    expect(names).toContain('now');
  });
});
