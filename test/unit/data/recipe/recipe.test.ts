import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { OPS, type Op } from '../../../../shared/data/recipe/ops.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { rowsOf } from '../engine/open-test-engine.ts';
import { base, GOLDEN } from './golden-recipes.ts';
import { compiled, given, REGIONS, ran } from './recipe-setup.ts';

describe('a recipe on DuckDB', () => {
  it.each(GOLDEN)('does %s', async (_title, ops, expected) => {
    expect((await ran(ops, { params: { n: 2 } })).rows).toEqual(expected);
  });

  it('has an example of every operation', () => {
    const used = new Set(GOLDEN.flatMap(([, ops]) => ops.map((op) => (op as Op).op)));
    expect(Object.keys(OPS).filter((name) => !used.has(name as Op['op']))).toEqual([]);
  });

  it.each([
    ['assert', [base, { op: 'assert', condition: 'region IS NOT NULL' }], 'violates an assertion'],
    [
      'lookup',
      [
        base,
        {
          op: 'lookup',
          with: 'regions',
          on: [{ left: 'region', right: 'region' }],
          columns: ['title'],
          multiple: 'error',
        },
      ],
      'Several rows of regions',
    ],
    ['cast', [base, { op: 'cast', column: 'region', type: 'integer' }], 'eu'],
  ])('fails where %s says so', async (_title, ops, message) => {
    await expect(ran(ops)).rejects.toThrow(message);
  });

  const id = [{ left: 'id', right: 'id' }];
  const asserted = [base, { op: 'assert', condition: 'id < 3' }];
  const once = { op: 'lookup', with: 'regions', on: [{ left: 'region', right: 'region' }], columns: ['title'] };
  it.each<[string, unknown[], string]>([
    ['a filter', [...asserted, { op: 'filter', condition: 'id < 2' }], 'violates an assertion'],
    ['a filter that nothing meets', [...asserted, { op: 'filter', condition: '1 = 0' }], 'violates an assertion'],
    [
      'another assertion',
      [...asserted, { op: 'assert', condition: 'id < 2', action: 'drop' }],
      'violates an assertion',
    ],
    [
      'a join',
      [...asserted, { op: 'join', with: 'regions', type: 'semi', on: id }, { op: 'filter', condition: 'id = 1' }],
      'violates an assertion',
    ],
    [
      'an intersection',
      [...asserted, { op: 'intersect', with: 'regions' }, { op: 'filter', condition: 'id = 1' }],
      'violates an assertion',
    ],
    ['a select', [base, { ...once, multiple: 'error' }, { op: 'drop', columns: ['title'] }], 'Several rows of regions'],
    [
      'a filter',
      [base, { ...once, multiple: 'error' }, { op: 'filter', condition: "region = 'eu'" }],
      'Several rows of regions',
    ],
  ])('fails although %s behind it leaves the row out', async (_title, ops, message) => {
    await expect(ran(ops)).rejects.toThrow(message);
  });

  it('keeps the order and the types of rows that are as several operations assert', async () => {
    const ops = [
      ...['id < 4', 'id > 0'].map((condition) => ({ op: 'assert', condition })),
      { ...once, on: [{ left: 'id', right: 'id' }], multiple: 'error' },
      { op: 'derive', column: 'doc', expression: 'doc::JSON' },
      { op: 'derive', column: 'more', expression: "{'a': [id]}" },
      { op: 'sort', by: [{ column: 'id', direction: 'desc' }, { column: 'region' }] },
      { op: 'select', columns: ['id', 'amount', 'title', 'doc', 'more'] },
    ];
    const { rows } = await ran(ops);
    expect(rows.map(([id, , title]) => [id, title])).toEqual([
      [3, 'States'],
      [3, 'States'],
      [2, 'America'],
      [1, 'Europe'],
    ]);
  });

  it.each<[string, string, string]>([
    ['a flag and no group', '(?i)abc', 'Abc'],
    ['a class with a bracket', '[(]x', '(x'],
    ['a class with a bracket behind a closing one', '[])(]x', '(x'],
    ['a quoted bracket', '\\Q(x\\E', '(x'],
    ['an escaped bracket', '\\(x', '(x'],
    ['a group that is not kept', '(?:f|g)\\(', 'f('],
    ['an escaped backslash before a group', '\\\\([0-9])', '5'],
    ['a named group', '(?P<n>[0-9])', '5'],
    ['a group behind a flag', '(?i)a(bc)', 'bc'],
    ['a group of digits behind a class of them', '[[:alpha:]]\\\\([[:digit:]])', '5'],
  ])('extracts by a pattern with %s', async (_title, pattern, expected) => {
    const ops = [
      { op: 'derive', column: 'text', expression: "'xAbc f(x) a\\5'" },
      { op: 'extract', column: 'text', pattern, into: 'found' },
      { op: 'select', columns: ['found'] },
      { op: 'limit', count: 1 },
    ];
    expect((await ran(ops)).rows).toEqual([[expected]]);
  });

  it.each(['asc', 'desc'])('keeps the same row of a key although those of equal rank come %s', async (direction) => {
    const ops = [
      base,
      { op: 'derive', column: 'one', expression: '1' },
      { op: 'sort', by: [{ column: 'id', direction }] },
      { op: 'dedupe', keys: ['region'], orderBy: [{ column: 'one' }] },
      { op: 'filter', condition: "region = 'eu'" },
    ];
    expect((await ran(ops)).rows).toEqual([[1, 'eu', 1]]);
  });

  it.each(['name', 'position'])('knows no type of a column that a union by %s makes of several', async (by) => {
    const ops = [
      { op: 'select', columns: ['region', 'the "name', 'amount'] },
      { op: 'rename', map: { 'the "name': 'title', amount: 'id' } },
      { op: 'union', with: ['regions'], by },
    ];
    expect((await ran(ops)).rows).toHaveLength(7);
  });

  it('takes the same sample each time, near to the share that is asked for', async () => {
    const engine = await given({ orders: 'SELECT range AS n FROM range(10000)', regions: REGIONS });
    const { tables } = await compiled(engine, [{ op: 'sample', percent: 25, seed: 7 }]);
    const { sql, params } = emitDuckDb(tables.at(-1)!.relation, bindTemplates as never);
    const count = async () =>
      Number((await engine.run(`SELECT sum(hash(n)) % 1000000, count(*) FROM (${sql})`, params))[0]![1]);
    const first = await count();
    expect(await count()).toBe(first);
    expect(Math.abs(first - 2500)).toBeLessThan(200);
  });

  it('keeps any text a value and any name a name', async () => {
    const engine = await given();
    const hostile = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, name) => {
        const ops = [
          base,
          { op: 'fill', column: 'region', value: text },
          { op: 'rename', map: { region: `r ${name}` } },
        ];
        const { tables } = await compiled(engine, ops);
        const { sql, params } = emitDuckDb(tables.at(-1)!.relation, bindTemplates as never);
        expect((await rowsOf(engine, sql, params))[3]).toEqual([3, text]);
        expect((await engine.describe(sql, params))[1]!.name).toBe(`r ${name}`);
      }),
      { numRuns: 40 },
    );
  });
});
