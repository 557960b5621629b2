import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../shared/engine/engine.ts';
import { compileRecipe, opFaults } from '../../../shared/recipe/compile.ts';
import { emitDuckDb } from '../../../shared/recipe/duckdb.ts';
import { OPS, type Op } from '../../../shared/recipe/ops.ts';
import { bindTemplates } from '../../../shared/sql/templates.ts';
import { openTestEngine, rowsOf } from '../engine/open-test-engine.ts';

const ORDERS = `SELECT * FROM (VALUES
  (1, 'Ada Lovelace', 10.5, 'eu', '{"a": {"b": "x"}}'), (2, 'grace hopper', NULL, 'us', '{}'),
  (3, NULL, 7.0, 'eu', NULL), (3, 'Linus', 7.0, NULL, NULL)) v(id, "the ""name", amount, region, doc)`;
const REGIONS = `SELECT * FROM (VALUES ('eu', 'Europe', 1), ('us', 'America', 2), ('us', 'States', 3)) v(region, title, id)`;

async function given(inputs: Record<string, string> = { orders: ORDERS, regions: REGIONS }) {
  const { engine } = await openTestEngine();
  for (const [name, sql] of Object.entries(inputs)) await engine.run(`CREATE TABLE ${name} AS ${sql}`);
  return engine;
}

async function compiled(engine: Engine, ops: unknown[]) {
  const shapes = opFaults(ops, '/ops');
  expect(shapes).toEqual([]);
  const columns = async (name: string) => engine.describe(`SELECT * FROM ${name}`);
  const inputs = { orders: await columns('orders'), regions: await columns('regions') };
  return compileRecipe(ops as Op[], inputs, { main: 'orders', at: '/ops' });
}

async function ran(ops: unknown[], values = {}): Promise<{ columns: string[]; rows: unknown[][] }> {
  const engine = await given();
  const { tables, faults } = await compiled(engine, ops);
  expect(faults).toEqual([]);
  const { relation, columns } = tables.at(-1)!;
  const { sql, params } = emitDuckDb(relation, (text, first) => bindTemplates(text, values, first));
  const found = await engine.describe(sql, params);
  // What is known of the columns without running is what the engine finds.
  expect(columns!.map(({ name }) => name)).toEqual(found.map(({ name }) => name));
  for (const [i, { type }] of columns!.entries()) if (type) expect([i, type]).toEqual([i, found[i]!.type]);
  return { columns: found.map(({ name }) => name), rows: await rowsOf(engine, sql, params) };
}

const base = { op: 'select', columns: ['id', 'region'] };
const GOLDEN: [string, unknown[], unknown[][]][] = [
  [
    'select',
    [
      { op: 'select', columns: ['region', 'ID'] },
      { op: 'limit', count: 1 },
    ],
    [['eu', 1]],
  ],
  [
    'drop',
    [
      { op: 'drop', columns: ['the "name', 'doc', 'amount'] },
      { op: 'limit', count: 1 },
    ],
    [[1, 'eu']],
  ],
  ['rename', [base, { op: 'rename', map: { region: 'a "b" {{ c }}' } }, { op: 'limit', count: 1 }], [[1, 'eu']]],
  ['reorder', [base, { op: 'reorder', columns: ['region'] }, { op: 'limit', count: 1 }], [['eu', 1]]],
  [
    'filter',
    [base, { op: 'filter', condition: "region = 'eu' -- only" }],
    [
      [1, 'eu'],
      [3, 'eu'],
    ],
  ],
  [
    'derive',
    [base, { op: 'derive', column: 'twice', expression: 'id * {{ params.n }}' }, { op: 'limit', count: 2 }],
    [
      [1, 'eu', 2],
      [2, 'us', 4],
    ],
  ],
  [
    'cast',
    [base, { op: 'cast', column: 'region', type: 'integer', onError: 'null' }, { op: 'limit', count: 1 }],
    [[1, null]],
  ],
  [
    'fill by a value',
    [base, { op: 'fill', column: 'region', value: "'; DROP {{ x }}" }, { op: 'limit', count: 1, offset: 3 }],
    [[3, "'; DROP {{ x }}"]],
  ],
  [
    'fill forward',
    [base, { op: 'fill', column: 'region', method: 'forward' }, { op: 'limit', count: 1, offset: 3 }],
    [[3, 'eu']],
  ],
  [
    'fill backward',
    [
      { op: 'select', columns: ['id', 'amount'] },
      { op: 'fill', column: 'amount', method: 'backward' },
      { op: 'limit', count: 1, offset: 1 },
    ],
    [[2, '7.0']],
  ],
  [
    'fill by the mean',
    [
      { op: 'select', columns: ['id', 'amount'] },
      { op: 'fill', column: 'amount', method: 'mean' },
      { op: 'filter', condition: 'id = 2' },
    ],
    [[2, '8.2']],
  ],
  ['replace', [base, { op: 'replace', column: 'region', from: 'e', to: "'" }, { op: 'limit', count: 1 }], [[1, "'u"]]],
  [
    'replace by a pattern',
    [base, { op: 'replace', column: 'region', from: '^(.).*', to: '\\1', regex: true }, { op: 'limit', count: 1 }],
    [[1, 'e']],
  ],
  [
    'split',
    [
      { op: 'select', columns: ['the "name'] },
      { op: 'split', column: 'the "name', delimiter: ' ', into: ['first', 'last'] },
      { op: 'drop', columns: ['the "name'] },
      { op: 'limit', count: 1 },
    ],
    [['Ada', 'Lovelace']],
  ],
  [
    'concat',
    [
      base,
      { op: 'concat', columns: ['region', 'id'], into: 'both', separator: '-' },
      { op: 'select', columns: ['both'] },
    ],
    [['eu-1'], ['us-2'], ['eu-3'], ['3']],
  ],
  [
    'extract',
    [base, { op: 'extract', column: 'region', pattern: 'e(.)', into: 'letter' }, { op: 'select', columns: ['letter'] }],
    [['u'], [null], ['u'], [null]],
  ],
  [
    'text',
    [
      { op: 'select', columns: ['the "name'] },
      { op: 'text', column: 'the "name', fn: 'title' },
      { op: 'limit', count: 2 },
    ],
    [['Ada Lovelace'], ['Grace Hopper']],
  ],
  [
    'parse_json',
    [
      { op: 'parse_json', column: 'doc', paths: { b: '$.a.b' } },
      { op: 'select', columns: ['b'] },
      { op: 'limit', count: 2 },
    ],
    [['x'], [null]],
  ],
  [
    'flatten',
    [
      base,
      { op: 'limit', count: 1 },
      { op: 'derive', column: 'each', expression: '[id, 9]' },
      { op: 'cast', column: 'region', type: 'string' },
      { op: 'select', columns: ['each'] },
      { op: 'flatten', column: 'each' },
    ],
    [[1], [9]],
  ],
  [
    'dedupe',
    [base, { op: 'dedupe', keys: ['id'] }, { op: 'sort', by: [{ column: 'id' }] }],
    [
      [1, 'eu'],
      [2, 'us'],
      [3, 'eu'],
    ],
  ],
  [
    'dedupe by an order',
    [
      base,
      { op: 'dedupe', keys: ['region'], orderBy: [{ column: 'id', direction: 'desc' }] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'region' }] },
    ],
    [
      [2, 'us'],
      [3, 'eu'],
      [3, null],
    ],
  ],
  [
    'sort',
    [
      base,
      { op: 'sort', by: [{ column: 'region', direction: 'desc' }, { column: 'id' }] },
      { op: 'derive', column: 'x', expression: '1' },
      { op: 'limit', count: 2 },
    ],
    [
      [2, 'us', 1],
      [1, 'eu', 1],
    ],
  ],
  [
    'aggregate',
    [
      {
        op: 'aggregate',
        groupBy: ['region'],
        measures: [
          { fn: 'count', as: 'n' },
          { fn: 'sum', column: 'amount', as: 'total' },
          { fn: 'count_distinct', column: 'id', as: 'ids' },
        ],
      },
      { op: 'sort', by: [{ column: 'region' }] },
    ],
    [
      ['eu', 2, '17.5', 2],
      ['us', 1, null, 1],
      [null, 1, '7.0', 1],
    ],
  ],
  [
    'aggregate of all rows',
    [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'max', column: 'id', as: 'most' }] }],
    [[3]],
  ],
  [
    'window',
    [
      base,
      { op: 'window', partitionBy: ['region'], orderBy: [{ column: 'id' }], fn: 'row_number', as: 'nth' },
      { op: 'sort', by: [{ column: 'region' }, { column: 'nth' }] },
    ],
    [
      [1, 'eu', 1],
      [3, 'eu', 2],
      [2, 'us', 1],
      [3, null, 1],
    ],
  ],
  [
    'pivot',
    [
      { op: 'pivot', rows: ['id'], column: 'region', value: 'amount', fn: 'sum', values: ['eu', 'us'] },
      { op: 'sort', by: [{ column: 'id' }] },
    ],
    [
      [1, '10.5', null],
      [2, null, null],
      [3, '7.0', null],
    ],
  ],
  [
    'unpivot',
    [
      base,
      { op: 'limit', count: 1 },
      { op: 'cast', column: 'id', type: 'string' },
      { op: 'unpivot', columns: ['id', 'region'], nameColumn: 'name', valueColumn: 'value' },
    ],
    [
      ['id', '1'],
      ['region', 'eu'],
    ],
  ],
  [
    'join',
    [
      base,
      { op: 'join', with: 'regions', type: 'left', on: [{ left: 'region', right: 'region' }] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'title' }] },
    ],
    [
      [1, 'eu', 'Europe', 1],
      [2, 'us', 'America', 2],
      [2, 'us', 'States', 3],
      [3, 'eu', 'Europe', 1],
      [3, null, null, null],
    ],
  ],
  [
    'full join',
    [
      base,
      { op: 'filter', condition: 'id = 1' },
      { op: 'join', with: 'regions', type: 'full', on: [{ left: 'region', right: 'region' }], suffix: '_r' },
      { op: 'sort', by: [{ column: 'title' }] },
    ],
    [
      [null, 'us', 'America', 2],
      [1, 'eu', 'Europe', 1],
      [null, 'us', 'States', 3],
    ],
  ],
  [
    'anti join',
    [base, { op: 'join', with: 'regions', type: 'anti', on: [{ left: 'region', right: 'region' }] }],
    [[3, null]],
  ],
  [
    'lookup',
    [
      base,
      { op: 'lookup', with: 'regions', on: [{ left: 'region', right: 'region' }], columns: ['title'] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'title' }] },
    ],
    [
      [1, 'eu', 'Europe'],
      [2, 'us', 'America'],
      [3, 'eu', 'Europe'],
      [3, null, null],
    ],
  ],
  [
    'union by name',
    [base, { op: 'limit', count: 1 }, { op: 'union', with: ['regions'] }],
    [
      [1, 'eu', null],
      [1, 'eu', 'Europe'],
      [2, 'us', 'America'],
      [3, 'us', 'States'],
    ],
  ],
  [
    'intersect',
    [base, { op: 'intersect', with: 'regions' }, { op: 'sort', by: [{ column: 'id' }] }],
    [
      [1, 'eu'],
      [2, 'us'],
    ],
  ],
  [
    'except',
    [base, { op: 'except', with: 'regions' }, { op: 'sort', by: [{ column: 'region' }] }],
    [
      [3, 'eu'],
      [3, null],
    ],
  ],
  [
    'surrogate_key',
    [
      { op: 'select', columns: ['region'] },
      { op: 'surrogate_key', column: 'key' },
    ],
    [
      ['eu', 1],
      ['us', 2],
      ['eu', 3],
      [null, 4],
    ],
  ],
  [
    'assert that drops',
    [
      base,
      { op: 'assert', condition: 'region IS NOT NULL', action: 'drop' },
      { op: 'aggregate', groupBy: [], measures: [{ fn: 'count', as: 'n' }] },
    ],
    [[3]],
  ],
  [
    'sample',
    [base, { op: 'sample', rows: 2 }, { op: 'aggregate', groupBy: [], measures: [{ fn: 'count', as: 'n' }] }],
    [[2]],
  ],
];

describe('a recipe on DuckDB', () => {
  it.each(GOLDEN)('does %s', async (_title, ops, expected) => {
    expect((await ran(ops, { params: { n: 2 } })).rows).toEqual(expected);
  });

  it('has an example of every operation', () => {
    const used = new Set(GOLDEN.flatMap(([, ops]) => ops.map((op) => (op as Op).op)));
    expect(Object.keys(OPS).filter((name) => !used.has(name as Op['op']))).toEqual([]);
  });

  it.each([
    ['assert', [base, { op: 'assert', condition: 'region IS NOT NULL' }], 'asserts'],
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

  it.each<[string, unknown[], string]>([
    ['an unknown column', [{ op: 'drop', columns: ['nobody'] }], '/ops/0/columns/0 COLUMN_UNKNOWN'],
    [
      'a column that an operation before has taken away',
      [base, { op: 'sort', by: [{ column: 'amount' }] }],
      '/ops/1/by/0/column COLUMN_UNKNOWN',
    ],
    [
      'a sum of texts',
      [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'sum', column: 'region', as: 'x' }] }],
      '/ops/0/measures/0/column COLUMN_TYPE',
    ],
    ['a text operation on a number', [{ op: 'text', column: 'id', fn: 'upper' }], '/ops/0/column COLUMN_TYPE'],
    [
      'keys that can never be equal',
      [{ op: 'join', with: 'regions', type: 'inner', on: [{ left: 'id', right: 'title' }] }],
      '/ops/0/on/0 COLUMN_TYPE',
    ],
    ['an input of nobody', [{ op: 'except', with: 'nobody' }], '/ops/0/with INPUT_UNKNOWN'],
    ['a name that is taken', [{ op: 'surrogate_key', column: 'ID' }], '/ops/0/column COLUMN_TAKEN'],
    ['nothing left', [base, { op: 'drop', columns: ['id', 'region'] }], '/ops/1/columns NO_COLUMNS'],
    ['neither value nor method', [{ op: 'fill', column: 'id' }], '/ops/0/value SHAPE'],
    [
      'a measure without a column',
      [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'max', as: 'x' }] }],
      '/ops/0/measures/0/column REQUIRED',
    ],
  ])('tells of %s with its place', async (_title, ops, expected) => {
    const engine = await given();
    const { faults } = await compiled(engine, ops);
    expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });

  it.each<[string, unknown, string]>([
    ['an operation of nobody', { op: 'explode' }, '/ops/0/op ENUM'],
    ['an operation without its name', {}, '/ops/0/op REQUIRED'],
    ['a setting of nobody', { op: 'limit', count: 1, of: 'x' }, '/ops/0/of UNKNOWN_MEMBER'],
    ['a setting that is missing', { op: 'filter' }, '/ops/0/condition REQUIRED'],
    ['flowlets', { op: 'flowlet', flowletId: 'x' }, '/ops/0/op SETTING_NOT_AVAILABLE'],
  ])('refuses %s', (_title, op, expected) => {
    expect(opFaults([op], '/ops').map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
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
