import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { statementColumns, statementLineage } from '../../../../shared/data/lineage/column-lineage.ts';
import type { ParseTree } from '../../../../shared/data/sql/parse-tree.ts';
import { RANDOM_TABLES, randomStatement, seeded } from './random-statements.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: tmpdir(), maxTempMb: 64 });
  for (const { name, columns } of RANDOM_TABLES) await engine.attach(name, [], { emptySchema: columns });
});
afterAll(() => engine.close());

const SEED = Number(process.env.RANDOM_SEED ?? 1);
const STATEMENTS = Number(process.env.RANDOM_STATEMENTS ?? 1000);

it('reports no unknown name in a statement that DuckDB accepts, and names its columns as DuckDB does', async () => {
  const random = seeded(SEED);
  const untyped = RANDOM_TABLES.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => ({ name: column.name })),
  }));
  const counts = { accepted: 0, unknown: 0, reported: 0 };
  const wrong: string[] = [];
  for (let round = 0; round < STATEMENTS; round += 1) {
    const sql = randomStatement(random);
    const tree = JSON.parse(await engine.parseTree(sql)) as ParseTree;
    if (tree.error) continue;
    const root = tree.statements![0]!.node;
    const { columns, unknown } = statementColumns(root, untyped);
    const described = await engine.describe(sql).then(
      (found) => ({ names: found.map(({ name }) => name), message: '' }),
      (error: Error) => ({ names: undefined, message: error.message }),
    );
    if (described.names) {
      counts.accepted += 1;
      if (unknown.length > 0) wrong.push(`${sql}: ${unknown.map(({ name }) => name).join()} is known`);
      const names = columns?.map(({ name }) => name);
      // DuckDB numbers repeated names.
      const isNumbered =
        new Set(described.names.map((name) => name.replace(/_\d+$/, '').toLowerCase())).size < described.names.length;
      if (names && !isNumbered && names.join() !== described.names.join()) {
        wrong.push(`${sql}: ${names.join()} instead of ${described.names.join()}`);
      }
      const lineage = statementLineage(root, RANDOM_TABLES, described.names);
      expect(lineage.columns.map(({ name }) => name)).toEqual(described.names);
    } else if (/not found|does not have a column/.test(described.message)) {
      counts.unknown += 1;
      if (unknown.length > 0) counts.reported += 1;
    }
  }
  console.log(`random statements of seed ${SEED}: ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
  expect(counts.accepted).toBeGreaterThan(STATEMENTS / 20);
  expect(counts.reported / counts.unknown).toBeGreaterThan(0.8);
});
