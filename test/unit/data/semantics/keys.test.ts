import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SqlColumn } from '../../../../shared/data/expressions/index.ts';
import { planQuestion } from '../../../../shared/data/semantics/plan.ts';
import { modelOf, optionsOf, type Shape, treeOf } from './support/ask.ts';
import { relation } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
});
afterAll(() => engines.close());

const ID = '0b7c1f4e-0000-4000-8000-00000000000a';

it.each<[string, 'string' | 'datetime', string, string, SqlColumn['stored'], string | undefined]>([
  ['a UUID and a text', 'string', `CAST('${ID}' AS uuid)`, `'${ID}'`, 'other', 'CAST("a"."key" AS '],
  ['two UUIDs', 'string', `CAST('${ID}' AS uuid)`, `CAST('${ID}' AS uuid)`, 'other', undefined],
  [
    'a datetime without a zone and an instant',
    'datetime',
    `TIMESTAMP '2026-01-01 12:00:00'`,
    `TIMESTAMPTZ '2026-01-01 12:00:00+00'`,
    'timestamp',
    `("a"."key" AT TIME ZONE 'UTC')`,
  ],
])('%s are joined by their values', async (name, type, one, many, stored, converted) => {
  const schema = name.replaceAll(' ', '_');
  await engines.run(`CREATE SCHEMA ${schema}`);
  await engines.run(`CREATE TABLE ${schema}.a AS SELECT ${one} AS key, 7 AS "group"`);
  await engines.run(`CREATE TABLE ${schema}.b AS SELECT ${many} AS of_a, 5 AS amount`);
  const shape: Shape = {
    relationships: [relation('a>b')],
    types: { 'a.key': type, 'b.of_a': type },
    tables: { a: [{ 'a.key': null, 'a.group': null }], b: [{ 'b.of_a': null, 'b.amount': null }] },
  };
  const isAlike = one === many;
  const isStored = (field: string) => field === 'a.key' || (field === 'b.of_a' && isAlike);
  const source = {
    relation: (table: string) => `${schema}.${table}`,
    column: (field: string) => ({ column: field.split('.')[1]!, ...(isStored(field) && stored ? { stored } : {}) }),
  };
  const question = {
    dimensions: [{ label: 'group', tree: treeOf(shape, 'row', '[a.group]') }],
    measures: [{ label: 'sum', tree: treeOf(shape, 'measure', 'SUM([b.amount])') }],
    filters: [],
    resultFilters: [],
    sort: [],
    totals: 'none' as const,
  };
  for (const restricted of [[], ['a']])
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const plan = planQuestion(
        modelOf(shape),
        { ...source, restricted: new Set(restricted) },
        question,
        optionsOf(dialect, 'Asia/Tokyo'),
      );
      if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
      expect(await engines[dialect](plan.sql), plan.sql).toEqual([[7, 5]]);
      expect(plan.sql).toContain(converted ?? '"b"."of_a" = "a"."key"');
    }
});
