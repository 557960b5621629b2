import { expect } from 'vitest';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { compileRecipe, opIssues } from '../../../../shared/data/recipe/compile.ts';
import { emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import type { Op } from '../../../../shared/data/recipe/ops.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

/** Tables with everything that is awkward: nulls, equal keys, a name with a quote in it. */
const ORDERS = `SELECT * FROM (VALUES
  (1, 'Ada Lovelace', 10.5, 'eu', '{"a": {"b": "x"}}'), (2, 'grace hopper', NULL, 'us', '{}'),
  (3, NULL, 7.0, 'eu', NULL), (3, 'Linus', 7.0, NULL, NULL)) v(id, "the ""name", amount, region, doc)`;
export const REGIONS = `SELECT * FROM (VALUES ('eu', 'Europe', 1), ('us', 'America', 2), ('us', 'States', 3)) v(region, title, id)`;

export async function given(inputs: Record<string, string> = { orders: ORDERS, regions: REGIONS }) {
  const { engine } = await openTestEngine();
  for (const [name, sql] of Object.entries(inputs)) await engine.run(`CREATE TABLE ${name} AS ${sql}`);
  return engine;
}

export async function compiled(engine: Engine, ops: unknown[]) {
  const shapes = opIssues(ops, '/ops');
  expect(shapes).toEqual([]);
  const columns = async (name: string) => engine.describe(`SELECT * FROM ${name}`);
  const suffixed = ['n', 'id', 'id_right'].map((name) => ({ name, type: 'integer' }));
  const inputs = { orders: await columns('orders'), regions: await columns('regions'), suffixed };
  return compileRecipe(ops as Op[], inputs, { main: 'orders', at: '/ops' });
}

export async function ran(ops: unknown[], values = {}): Promise<{ columns: string[]; rows: unknown[][] }> {
  const engine = await given();
  const { tables, rows, issues } = await compiled(engine, ops);
  expect(issues).toEqual([]);
  const { columns } = tables.at(-1)!;
  const { sql, params } = emitDuckDb(rows, (text, first) => bindTemplates(text, values, first));
  const found = await engine.describe(sql, params);
  // What is known of the columns without running is what the engine finds.
  expect(columns!.map(({ name }) => name)).toEqual(found.map(({ name }) => name));
  for (const [i, { type }] of columns!.entries()) if (type) expect([i, type]).toEqual([i, found[i]!.type]);
  return { columns: found.map(({ name }) => name), rows: await rowsOf(engine, sql, params) };
}
