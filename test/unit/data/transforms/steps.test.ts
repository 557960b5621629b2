import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../shared/data/expressions/index.ts';
import { tableRelation, unwritableStep } from '../../../../shared/data/transforms/index.ts';
import { useEngines } from '../expressions/two-engines.ts';
import { runOnBoth } from './support/run-steps.ts';
import { type Asked, type Config, relationOf, stepsOf } from './support/tables.ts';

const engines = useEngines(`
  CREATE TABLE people (id integer, "first ""name""" varchar, age integer, height decimal(5,2), weight double precision, member boolean,
    born date, seen timestamp, last timestamptz, wakes time, code uuid);
  INSERT INTO people VALUES
    (1, 'Ada', 36, 1.70, 60.5, TRUE, '1990-12-10', '2026-01-31 23:30:00', '2026-01-31 23:30:00+00', '06:30:00', '00000000-0000-0000-0000-00000000000b'),
    (2, 'bo''b \\ "q"', 36, 1.85, NULL, FALSE, '2000-02-29', NULL, NULL, '07:00:00', '00000000-0000-0000-0000-00000000000a'),
    (3, NULL, NULL, NULL, 0, NULL, NULL, '2026-01-01 00:00:00', '2026-03-29 01:00:00+00', NULL, NULL),
    (4, 'Ärger 😀', 20, 1.705, -2.5, TRUE, '1990-12-10', '2026-02-01 00:00:00', '2026-02-01 00:00:00+00', '23:59:59', '00000000-0000-0000-0000-00000000000c'),
    (5, '', 20, 1.60, 'NaN', FALSE, '1960-01-01', '2026-01-31 23:30:00', '2026-01-31 22:59:59+00', '00:00:00', NULL);
  CREATE TABLE nothing (id integer, amount decimal(9,2));
  CREATE TABLE texts (id integer, value varchar);
  INSERT INTO texts VALUES ${TEXTS()}
`);

function TEXTS() {
  const texts = [
    ...[
      '12',
      '-12.5',
      '+3.',
      '.5',
      '0.5',
      '2.5',
      ' 7 ',
      '1e3',
      '1.0000000005',
      '99999999999999999999',
      '9223372036854775807',
      '12a',
      '',
    ],
    ...[
      'true',
      'T',
      'no',
      'NO',
      '0',
      'maybe',
      '2026-01-31',
      '2024-02-29',
      '2023-02-29',
      '31.01.2026',
      '1.2.2026',
      '32.01.2026',
    ],
    ...[
      '2026-01-31T10:30:00Z',
      '2026-01-31 10:30',
      '2026-01-31 10:30:05.123456+02:00',
      '2026-03-29 02:30:00',
      '10:30',
      '24:00',
      '23:59:59.5',
    ],
    ...['31.01.2026 08:05', '20260131', 'Straße', 'NaN', 'inf'],
  ];
  return [...texts.map((text, index) => `(${index + 1}, '${text}')`), '(99, NULL)'].join(', ');
}

const columns = (dialect: Dialect) => [
  { name: 'id', type: 'integer' },
  { name: 'first "name"', type: 'string', sourceType: 'character varying' },
  { name: 'age', type: 'integer' },
  { name: 'height', type: 'decimal(5,2)' },
  { name: 'weight', type: 'double' },
  { name: 'member', type: 'boolean' },
  { name: 'born', type: 'date' },
  { name: 'seen', type: 'timestamp' },
  { name: 'last', type: 'timestamptz' },
  { name: 'wakes', type: 'time' },
  { name: 'code', type: dialect === 'duckdb' ? 'uuid' : 'string', sourceType: 'uuid' },
];
const people = (dialect: Dialect) => ({ name: 'people', columns: columns(dialect) });
const texts = () => ({
  name: 'texts',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'value', type: 'string' },
  ],
});
const nothing = () => ({
  name: 'nothing',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'amount', type: 'decimal(9,2)' },
  ],
});

const others = (...kept: string[]) =>
  columns('duckdb')
    .map(({ name }) => name)
    .filter((name) => !kept.includes(name));
const keep = (...names: string[]): Config => ['remove_columns', { columns: others(...names) }];
const ids = async (configs: Config[], asked?: Asked) =>
  (await runOnBoth(engines, people, configs, asked)).map(({ id }) => Number(id));

describe('filter_rows', () => {
  const cases: [column: string, op: string, value: unknown, ids: number[]][] = [
    ['age', 'eq', 36, [1, 2]],
    ['age', 'ne', 36, [3, 4, 5]],
    ['age', 'in', [20, '36'], [1, 2, 4, 5]],
    ['age', 'not_in', [20], [1, 2, 3]],
    ['age', 'gt', 20.5, [1, 2]],
    ['height', 'between', ['1.70', 1.71], [1, 4]],
    ['height', 'lte', '1.600', [5]],
    ['weight', 'lt', 0, [4]],
    ['weight', 'gte', 60.5, [1, 5]],
    ['weight', 'eq', -2.5, [4]],
    ['member', 'eq', false, [2, 5]],
    ['member', 'ne', true, [2, 3, 5]],
    ['first "name"', 'eq', 'bo\'b \\ "q"', [2]],
    ['first "name"', 'contains', '😀', [4]],
    ['first "name"', 'contains', '\\', [2]],
    ['first "name"', 'starts_with', 'Ä', [4]],
    ['first "name"', 'contains', '', [1, 2, 4, 5]],
    ['first "name"', 'gt', 'Z', [2, 4]],
    ['first "name"', 'is_null', undefined, [3]],
    ['code', 'not_null', undefined, [1, 2, 4]],
    ['code', 'eq', '00000000-0000-0000-0000-00000000000a', [2]],
    ['code', 'in', ['nothing', '00000000-0000-0000-0000-00000000000c'], [4]],
    ['born', 'eq', '1990-12-10', [1, 4]],
    ['born', 'gte', '1990-12-10T00:00:01', [2]],
    ['born', 'in', ['1960-01-01', '2000-02-29T00:00:00Z'], [2, 5]],
    ['seen', 'lt', '2026-01-31T23:30:00Z', [3]],
    ['seen', 'between', ['2026-01-31', '2026-01-31T23:59:59Z'], [1, 5]],
    ['last', 'gte', '2026-02-01', [3, 4]],
    ['wakes', 'lte', '06:30', [1, 5]],
  ];
  for (const [column, op, value, expected] of cases)
    it(`keeps rows whose ${column} ${op} ${JSON.stringify(value)}`, async () => {
      expect(await ids([['filter_rows', { conditions: [{ column, op, value }] }]])).toEqual(expected);
    });

  it('reads datetimes without an offset in the time zone of the query', async () => {
    const configs: Config[] = [['filter_rows', { conditions: [{ column: 'last', op: 'gte', value: '2026-02-01' }] }]];
    expect(await ids(configs, { timezone: 'Europe/Berlin' })).toEqual([1, 3, 4]);
  });

  it('keeps rows that meet all conditions, or any of them', async () => {
    const conditions = [
      { column: 'age', op: 'eq', value: 20 },
      { column: 'member', op: 'eq', value: true },
    ];
    expect(await ids([['filter_rows', { conditions }]])).toEqual([4]);
    expect(await ids([['filter_rows', { match: 'any', conditions }]])).toEqual([1, 4, 5]);
  });
});

describe('columns', () => {
  it('are removed, renamed and swapped', async () => {
    const swapped: Config[] = [
      keep('id', 'age'),
      ['rename_column', { from: 'id', to: 'x' }],
      ['rename_column', { from: 'age', to: 'id' }],
      ['rename_column', { from: 'x', to: 'age' }],
    ];
    const first = { id: '36', age: '1' };
    expect((await runOnBoth(engines, people, [...swapped, ['top_n', { n: 1, by: [{ column: 'age' }] }]]))[0]).toEqual(
      first,
    );
    const added: Config = ['add_column', { name: 'sum', expression: '[id] + [age] * 10' }];
    const filter: Config = ['filter_rows', { conditions: [{ column: 'age', op: 'eq', value: 1 }] }];
    expect(await runOnBoth(engines, people, [...swapped, added, filter])).toEqual([{ ...first, sum: '46' }]);
    const grouped: Config = [
      'group_aggregate',
      { groupBy: ['id'], aggregations: [{ fn: 'max', column: 'age', as: 'age' }] },
    ];
    expect(await runOnBoth(engines, people, [...swapped, grouped])).toEqual(
      [
        { id: null, age: '3' },
        { id: '20', age: '5' },
        { id: '36', age: '2' },
      ].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  });

  it('are computed from computed ones, with the declared type', async () => {
    const rows = await runOnBoth(engines, people, [
      keep('id', 'height', 'first "name"'),
      ['rename_column', { from: 'first "name"', to: '😀 "' }],
      ['add_column', { name: 'double', expression: '[height] * 2' }],
      ['add_column', { name: 'rounded', expression: 'ROUND([double], 1)', type: 'string' }],
      ['add_column', { name: 'name', expression: 'UPPER(["😀 """])' }],
      ['add_column', { name: 'none', expression: 'NULL', type: 'date' }],
      ['filter_rows', { conditions: [{ column: 'double', op: 'eq', value: 3.42 }] }],
    ]);
    expect(rows).toEqual([
      { id: '4', '😀 "': 'Ärger 😀', height: '1.71', double: '3.42', rounded: '3.4', name: 'ÄRGER 😀', none: null },
    ]);
  });
});

describe('change_type', () => {
  const converted = async (type: string, format?: string, timezone = 'UTC') => {
    const configs: Config[] = [
      ['rename_column', { from: 'value', to: 'text' }],
      ['add_column', { name: 'value', expression: '[text]' }],
      ['change_type', { column: 'value', type, ...(format ? { format } : {}) }],
      ['filter_rows', { conditions: [{ column: 'value', op: 'not_null' }] }],
    ];
    const rows = await runOnBoth(engines, texts, configs, { timezone });
    return Object.fromEntries(rows.map(({ text, value }) => [text, value]));
  };

  it('reads numbers from texts, and rounds halves away from zero', async () => {
    expect(await converted('integer')).toEqual({
      '12': '12',
      '-12.5': '-13',
      '+3.': '3',
      '.5': '1',
      '0.5': '1',
      '2.5': '3',
      ' 7 ': '7',
      '1.0000000005': '1',
      '9223372036854775807': '9223372036854775807',
      '0': '0',
      '20260131': '20260131',
    });
    expect(await converted('decimal')).toEqual({
      '12': '12',
      '-12.5': '-12.5',
      '+3.': '3',
      '.5': '0.5',
      '0.5': '0.5',
      '2.5': '2.5',
      ' 7 ': '7',
      '1.0000000005': '1.000000001',
      '99999999999999999999': '99999999999999999999',
      '9223372036854775807': '9223372036854775807',
      '0': '0',
      '20260131': '20260131',
    });
    expect(await converted('number')).toMatchObject({ '1e3': 1000, '-12.5': -12.5 });
  });

  it('reads truth values, dates and times from texts', async () => {
    expect(await converted('boolean')).toEqual({ true: true, T: true, no: false, NO: false, '0': false });
    expect(await converted('date')).toEqual({ '2026-01-31': '2026-01-31', '2024-02-29': '2024-02-29' });
    expect(await converted('date', '%d.%m.%Y')).toEqual({ '31.01.2026': '2026-01-31', '1.2.2026': '2026-02-01' });
    expect(await converted('date', '%Y%m%d')).toEqual({ '20260131': '2026-01-31' });
    expect(await converted('time')).toEqual({ '10:30': '10:30:00', '23:59:59.5': '23:59:59.5' });
    expect(await converted('datetime', '%d.%m.%Y %H:%M', 'Europe/Berlin')).toEqual({
      '31.01.2026 08:05': '2026-01-31T07:05:00.000Z',
    });
    expect(await converted('datetime', undefined, 'Europe/Berlin')).toEqual({
      '2026-01-31': '2026-01-30T23:00:00.000Z',
      '2024-02-29': '2024-02-28T23:00:00.000Z',
      '2026-01-31T10:30:00Z': '2026-01-31T10:30:00.000Z',
      '2026-01-31 10:30': '2026-01-31T09:30:00.000Z',
      '2026-01-31 10:30:05.123456+02:00': '2026-01-31T08:30:05.123Z',
      '2026-03-29 02:30:00': expect.any(String),
    });
  });

  const types: Record<string, string[]> = {
    age: ['string', 'number', 'decimal', 'boolean'],
    height: ['string', 'number', 'integer', 'boolean'],
    weight: ['string', 'integer', 'decimal', 'boolean'],
    member: ['string', 'number', 'integer', 'decimal'],
    born: ['string', 'datetime'],
    seen: ['string', 'date', 'time'],
    last: ['string', 'date', 'time'],
    wakes: ['string'],
    code: ['integer', 'boolean'],
  };
  for (const [column, targets] of Object.entries(types))
    it(`converts ${column} alike`, async () => {
      for (const type of targets)
        for (const timezone of ['UTC', 'America/New_York'])
          await runOnBoth(engines, people, [keep('id', column), ['change_type', { column, type }]], { timezone });
    });

  it('rounds and converts numbers as documented', async () => {
    const rows = await runOnBoth(engines, people, [
      keep('id', 'weight'),
      ['change_type', { column: 'weight', type: 'integer' }],
    ]);
    expect(rows.map(({ weight }) => weight)).toEqual(['61', null, '0', '-3', null]);
  });

  it('ends the statement where a value does not convert, without showing it', async () => {
    const configs: Config[] = [['change_type', { column: 'value', type: 'integer', onError: 'fail' }]];
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const { sql } = relationOf(texts(), configs, dialect);
      const failed = engines[dialect](`SELECT * FROM ${sql} AS reply`);
      await expect(failed, dialect).rejects.toThrow('A value of the column "value" cannot be converted to integer.');
      await expect(engines[dialect](`SELECT * FROM ${sql} AS reply`)).rejects.not.toThrow('maybe');
    }
    const valid: Config = ['filter_rows', { conditions: [{ column: 'id', op: 'lt', value: 7 }] }];
    expect(await runOnBoth(engines, texts, [valid, ...configs])).toHaveLength(6);
  });
});

describe('replace_values', () => {
  const replaced = async (config: object) =>
    (
      await runOnBoth(engines, people, [
        keep('id', 'first "name"'),
        ['replace_values', { column: 'first "name"', ...config }],
      ])
    ).map((row) => row['first "name"']);

  it('replaces whole texts, each once', async () => {
    const pairs = [
      { from: 'Ada', to: '' },
      { from: '', to: 'Ada' },
      { from: 'bo\'b \\ "q"', to: "o'\\" },
    ];
    expect(await replaced({ pairs })).toEqual(['', "o'\\", null, 'Ärger 😀', 'Ada']);
  });

  it('replaces what matches a pattern, pair after pair', async () => {
    const pairs = [
      { from: '[^a-zA-ZÄ ]', to: '<\\0>' },
      { from: '^(\\w)(\\w)', to: '\\2\\1\\\\' },
    ];
    expect(await replaced({ mode: 'regex', pairs })).toEqual([
      'dA\\a',
      'ob\\<\'>b <\\> <">q<">',
      null,
      'Ärger <😀>',
      '',
    ]);
  });
});

describe('rows in an order', () => {
  it('are sorted with nulls where the step says, and equal ones by all columns', async () => {
    const by = [{ column: 'age', direction: 'desc', nulls: 'first' }];
    expect(await ids([['top_n', { n: 3, by }]])).toEqual([3, 1, 2]);
    expect(await ids([['sort_rows', { by: [{ column: 'first "name"', direction: 'desc' }] }]])).toEqual([
      4, 2, 1, 5, 3,
    ]);
    expect(await ids([['top_n', { n: 10, by: [{ column: 'code' }] }]])).toEqual([2, 1, 4, 3, 5]);
    expect((await ids([['top_n', { n: 1, by: [{ column: 'age' }], perGroup: ['age'] }]])).toSorted()).toEqual([
      1, 3, 4,
    ]);
  });

  it('lose their duplicates: the first one in the order stays, or the last', async () => {
    expect(await ids([['deduplicate', { keys: ['age'] }]])).toEqual([1, 3, 4]);
    expect(await ids([['deduplicate', { keys: ['age'], keep: 'last' }]])).toEqual([2, 3, 5]);
    expect(await ids([['deduplicate', { keys: ['age'], orderBy: [{ column: 'height', direction: 'desc' }] }]])).toEqual(
      [2, 3, 4],
    );
    const sorted: Config = ['sort_rows', { by: [{ column: 'id', direction: 'desc' }] }];
    expect(await ids([sorted, ['deduplicate', { keys: ['age'] }]])).toEqual([5, 3, 2]);
    expect(await ids([['deduplicate', { keys: ['code', 'member'] }]])).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('group_aggregate', () => {
  it('combines the rows of each group, nulls among them', async () => {
    const aggregations = [
      { fn: 'count', as: 'n' },
      { fn: 'count', column: 'weight', as: 'weights' },
      { fn: 'count_distinct', column: 'code', as: 'codes' },
      { fn: 'sum', column: 'height', as: 'sum' },
      { fn: 'avg', column: 'id', as: 'avg' },
      { fn: 'min', column: 'first "name"', as: 'first' },
      { fn: 'max', column: 'seen', as: 'seen' },
      { fn: 'min', column: 'member', as: 'all' },
      { fn: 'max', column: 'member', as: 'any' },
    ];
    const rows = await runOnBoth(engines, people, [['group_aggregate', { groupBy: ['age'], aggregations }]]);
    const [seen, later] = ['2026-01-31T23:30:00.000Z', '2026-02-01T00:00:00.000Z'];
    expect(rows).toEqual(
      [
        {
          age: '20',
          n: '2',
          weights: '2',
          codes: '1',
          sum: '3.31',
          avg: 4.5,
          first: '',
          seen: later,
          all: false,
          any: true,
        },
        {
          age: '36',
          n: '2',
          weights: '1',
          codes: '2',
          sum: '3.55',
          avg: 1.5,
          first: 'Ada',
          seen,
          all: false,
          any: true,
        },
        {
          age: null,
          n: '1',
          weights: '1',
          codes: '0',
          sum: null,
          avg: 3,
          first: null,
          seen: '2026-01-01T00:00:00.000Z',
          all: null,
          any: null,
        },
      ].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  });

  it('gives one row without groups, also of an empty table', async () => {
    const aggregations = [
      { fn: 'count', as: 'n' },
      { fn: 'sum', column: 'amount', as: 'sum' },
    ];
    expect(await runOnBoth(engines, nothing, [['group_aggregate', { groupBy: [], aggregations }]])).toEqual([
      { n: '0', sum: null },
    ]);
    expect(await runOnBoth(engines, nothing, [['group_aggregate', { groupBy: ['id'], aggregations }]])).toEqual([]);
  });

  it('groups by a type that has no equality of texts', async () => {
    const rows = await runOnBoth(engines, people, [
      ['group_aggregate', { groupBy: ['code', 'seen'], aggregations: [{ fn: 'count', as: 'n' }] }],
    ]);
    expect(rows).toHaveLength(5);
  });
});

describe('the query', () => {
  const relation = (steps: Config[], conditions: string[] = [], isEnabled = true) => {
    const made = tableRelation({
      table: { schema: 'shop "x"', name: 'people', columns: columns('duckdb') },
      conditions,
      steps: stepsOf(steps).map((step) => ({ ...step, isEnabled })),
      dialect: 'duckdb',
      params: [],
      now: new Date(0),
    });
    if ('problems' in made) throw new Error('does not fit');
    return made.sql;
  };

  it('is the name of the table without steps, and where steps change nothing', () => {
    expect(relation([])).toBe('"shop ""x"""."people"');
    expect(relation([['sort_rows', { by: [{ column: 'id' }] }]])).toBe('"shop ""x"""."people"');
    expect(relation([keep('id')], [], false)).toBe('"shop ""x"""."people"');
  });

  it('is one SELECT as long as no step needs the result of another', () => {
    const sql = relation([
      keep('id', 'age'),
      ['rename_column', { from: 'age', to: 'years' }],
      ['add_column', { name: 'months', expression: '[years] * 12' }],
      ['filter_rows', { conditions: [{ column: 'years', op: 'gte', value: 18 }] }],
    ]);
    expect(sql).toBe(`(
  SELECT
    "id",
    "age" AS "years",
    CAST("age" AS BIGINT) * 12 AS "months"
  FROM "shop ""x"""."people"
  WHERE ("age" >= 18)
)`);
  });

  it('filters by conditions before any expression, so that no error can reveal other rows', async () => {
    const steps: Config[] = [
      ['change_type', { column: 'value', type: 'integer', onError: 'fail' }],
      ['filter_rows', { conditions: [{ column: 'value', op: 'gt', value: 0 }] }],
    ];
    // Databases make a join of it, and would compute the filter above before the join.
    const visible = '"id" IN (SELECT n FROM (VALUES (1), (5)) AS seen(n))';
    for (const [configs, filter] of [
      [steps, '"value" < 100'],
      [[], 'CAST("value" AS decimal) < 100'],
    ] as const)
      for (const dialect of ['duckdb', 'postgres'] as const) {
        const { sql } = relationOf(texts(), configs, dialect, { conditions: [visible] });
        const { rows } = await engines[dialect](`SELECT "id" FROM ${sql} AS reply WHERE ${filter} ORDER BY 1`);
        expect(rows.flat(), `${dialect} ${sql}`).toEqual(['1', '5']);
      }
  });

  it('has no rows of other people in groups', async () => {
    const grouped: Config = ['group_aggregate', { groupBy: [], aggregations: [{ fn: 'count', as: 'n' }] }];
    expect(await runOnBoth(engines, people, [grouped], { conditions: ['"id" > 3', '"age" = 20'] })).toEqual([
      { n: '2' },
    ]);
  });

  it('is never longer than a database reads', () => {
    const values = Array.from({ length: 1000 }, (_, index) => `${index} ${'x'.repeat(1100)}`);
    const steps = stepsOf([['filter_rows', { conditions: [{ column: 'value', op: 'in', value: values }] }]]);
    expect(unwritableStep(texts().columns, steps)).toMatchObject({ stepId: 'step-1', issues: [{ code: '6001' }] });
    const short = values.slice(0, 300);
    const many = Array.from(
      { length: 4 },
      (): Config => ['filter_rows', { conditions: [{ column: 'value', op: 'not_in', value: short }] }],
    );
    expect(unwritableStep(texts().columns, stepsOf(many.slice(0, 2)))).toBeUndefined();
    expect(unwritableStep(texts().columns, stepsOf(many))).toMatchObject({
      stepId: 'step-4',
      issues: [{ code: 'MAX_LENGTH' }],
    });
  });

  it('reports the step that does not fit', () => {
    const made = tableRelation({
      table: { schema: '', name: 'people', columns: null },
      conditions: [],
      steps: stepsOf([keep('id')]),
      dialect: 'postgres',
      params: [],
      now: new Date(0),
    });
    expect(made).toMatchObject({ problems: [{ stepId: 'step-1', issues: [{ code: 'UNKNOWN_COLUMNS' }] }] });
  });
});
