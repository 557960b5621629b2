import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { statementLineage } from '../../../../shared/data/lineage/column-lineage.ts';
import type { ParseTree } from '../../../../shared/data/sql/parse-tree.ts';
import { type Golden, INDIRECT, QUERIES } from './queries.ts';
import { SHOP, SHOP_QUERIES } from './shop-queries.ts';

const TABLES = [
  {
    name: 'o',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'customer_id', type: 'integer' },
      { name: 'amount', type: 'double' },
      { name: 'placed', type: 'date' },
      { name: 'note', type: 'string' },
    ],
  },
  {
    name: 'c',
    columns: [
      { name: 'customer_id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'country', type: 'string' },
    ],
  },
];

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: tmpdir(), maxTempMb: 64 });
  for (const { name, columns } of [...TABLES, ...SHOP]) await engine.attach(name, [], { emptySchema: columns });
});
afterAll(() => engine.close());

async function rootOf(sql: string) {
  const { statements = [] } = JSON.parse(await engine.parseTree(sql)) as ParseTree;
  return statements[0]!.node;
}

async function lineageOf(sql: string, tables: { name: string; columns: Column[] }[]) {
  const outputs = (await engine.describe(sql)).map(({ name }) => name);
  return statementLineage(await rootOf(sql), tables, outputs);
}

interface Found {
  sql: string;
  expected: string[];
  found: Set<string>;
  isSilent: boolean;
}

async function edgesOf([sql, expected]: Golden, tables: { name: string; columns: Column[] }[]): Promise<Found> {
  const { columns } = await lineageOf(sql, tables);
  const found = new Set(
    columns.flatMap(({ name, inputs }) => (inputs ?? []).map(({ table, column }) => `${name} < ${table}.${column}`)),
  );
  const isComplete = columns.every(({ inputs }) => inputs !== null);
  return { sql, expected, found, isSilent: isComplete && expected.some((edge) => !found.has(edge)) };
}

describe.each([
  ['orders and customers', TABLES, QUERIES, 80],
  ['a shop with lists, structs and JSON', SHOP, SHOP_QUERIES, 60],
] as const)('column lineage of queries over %s', (_title, tables, queries, least) => {
  const results: (Found & { invented: string[] })[] = [];

  it.each(queries.map((golden) => [golden[0], golden] as const))('invents nothing in %s', async (_sql, golden) => {
    const result = await edgesOf(golden, [...tables]);
    const allowed = new Set([...golden[1], ...(golden[2] ?? [])]);
    const invented = [...result.found].filter((edge) => !allowed.has(edge));
    results.push({ ...result, invented });
    expect(invented).toEqual([]);
  });

  it('finds at least 97 of 100 expected edges, and reports where it does not', () => {
    const expected = results.reduce((sum, each) => sum + each.expected.length, 0);
    const missed = results.flatMap(({ sql, expected: edges, found }) =>
      edges.filter((edge) => !found.has(edge)).map((edge) => `${edge} in ${sql}`),
    );
    const invented = results.flatMap((each) => each.invented);
    console.log(
      `column lineage: ${expected - missed.length} found, ${missed.length} missed, ${invented.length} invented in ${results.length} queries${missed.map((each) => `\n  missed ${each}`).join('')}`,
    );
    expect(results.length).toBeGreaterThanOrEqual(least);
    expect(results.filter(({ isSilent }) => isSilent).map(({ sql }) => sql)).toEqual([]);
    expect(invented).toEqual([]);
    expect((expected - missed.length) / expected).toBeGreaterThanOrEqual(0.97);
  });
});

describe('column lineage', () => {
  it.each(INDIRECT)('finds the columns that decide about the rows of %s', async (sql, expected) => {
    const { indirect, isIndirectComplete } = await lineageOf(sql, TABLES);
    const deciding = indirect.map(({ table, column, subtype }) => `${subtype} ${table}.${column}`);
    expect(deciding.sort()).toEqual([...expected].sort());
    expect(isIndirectComplete).toBe(true);
  });

  it('distinguishes what is unchanged, computed and aggregated, and what decides about rows', async () => {
    const sql =
      'SELECT o.id, upper(c.name) AS n, sum(amount) AS s FROM o JOIN c ON o.customer_id = c.customer_id WHERE placed > $1 GROUP BY ALL';
    const lineage = statementLineage(await rootOf(sql), TABLES, ['id', 'n', 's']);
    expect(lineage.columns.map(({ inputs }) => inputs?.map(({ subtype }) => subtype))).toEqual([
      ['IDENTITY'],
      ['TRANSFORMATION'],
      ['AGGREGATION'],
    ]);
    expect(lineage.indirect).toContainEqual({ table: 'o', column: 'placed', subtype: 'FILTER' });
    expect(lineage.indirect).toContainEqual({ table: 'c', column: 'customer_id', subtype: 'JOIN' });
  });

  it('follows unchanged columns through subqueries', async () => {
    const sql =
      'WITH t AS (SELECT id, amount + 1 AS x FROM o) SELECT * FROM (SELECT id AS k, x FROM t UNION ALL SELECT id, id FROM o)';
    const { columns } = await lineageOf(sql, TABLES);
    expect(columns).toEqual([
      { name: 'k', inputs: [{ table: 'o', column: 'id', subtype: 'IDENTITY' }] },
      {
        name: 'x',
        inputs: [
          { table: 'o', column: 'amount', subtype: 'TRANSFORMATION' },
          { table: 'o', column: 'id', subtype: 'IDENTITY' },
        ],
      },
    ]);
  });

  it('leaves columns unresolved that it cannot name', async () => {
    const sql = 'SELECT COLUMNS(c -> length(c) = 2), note FROM o';
    expect(statementLineage(await rootOf(sql), TABLES, ['id', 'note']).columns).toEqual([
      { name: 'id', inputs: null },
      { name: 'note', inputs: [{ table: 'o', column: 'note', subtype: 'IDENTITY' }] },
    ]);
    // DuckDB comes to other columns.
    expect(statementLineage(await rootOf('SELECT id, note FROM o'), TABLES, ['id', 'text']).columns).toEqual([
      { name: 'id', inputs: [{ table: 'o', column: 'id', subtype: 'IDENTITY' }] },
      { name: 'text', inputs: null },
    ]);
    expect(statementLineage(await rootOf('SELECT id FROM o'), TABLES, ['id', 'x']).columns).toEqual([
      { name: 'id', inputs: null },
      { name: 'x', inputs: null },
    ]);
  });

  it('gives up on statements that would take long', async () => {
    const joins = Array.from(
      { length: 22 },
      (_, index) => `t${index + 1} AS (SELECT a.* FROM t${index} a, t${index} b)`,
    );
    const deep = await rootOf(`WITH t0 AS (FROM o SELECT *), ${joins.join(', ')} SELECT id FROM t22`);
    const recursive = await rootOf(
      `WITH RECURSIVE ${Array.from({ length: 12 }, (_, i) => `r${i} AS (SELECT id FROM o UNION ALL (WITH RECURSIVE s AS (SELECT id FROM o UNION ALL SELECT amount FROM s) SELECT id FROM s))`).join(', ')} SELECT id FROM r1`,
    );
    const from = performance.now();
    for (const root of [deep, recursive]) statementLineage(root, TABLES, ['id']);
    expect(performance.now() - from).toBeLessThan(2_000);
  });
});
