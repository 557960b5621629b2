import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregatesOf } from '../../../../shared/data/expressions/index.ts';
import type { Rollup } from '../../../../shared/data/semantics/rollup-table.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type Asked, planOf, planOfRows, type Shape, sqlIn, sqlOf, treeOf, waysIn } from './support/ask.ts';
import { type Joined, join, type Row, type Value } from './support/brute-force.ts';
import { rounded, sorted } from './support/expect-right.ts';
import { relation } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';
import { visibleRows } from './support/visible-rows.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
});
afterAll(() => engines.close());

/** Levels of stock `s` of products `p` in places, with gaps; groups of products have several labels `l`. */
function stockOf(seed: number, more: Partial<Shape> = {}, joinType: 'left' | 'full' = 'left'): Shape {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
  const day = () => `2026-0${1 + Math.floor(random() * 3)}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`;
  const s = Array.from({ length: 60 }, (_, index) => ({
    's.key': index,
    's.of_p': random() < 0.1 ? null : pick([0, 1, 2, 3, 4, 9]),
    's.place': random() < 0.1 ? null : pick(['A', 'b', 'Ü']),
    's.day': random() < 0.1 ? null : day(),
    's.amount': random() < 0.2 ? null : Math.floor(random() * 9),
  }));
  const p = Array.from({ length: 6 }, (_, index) => ({
    'p.key': index,
    'p.kind': random() < 0.1 ? null : pick(['red', 'blue']),
    'p.group': random() < 0.1 ? null : pick([0, 1, 2]),
    'p.amount': Math.floor(random() * 9),
  }));
  const l = Array.from({ length: 5 }, (_, index) => ({ 'l.key': index, 'l.group': pick([0, 1, 2]), 'l.amount': 5 }));
  return {
    relationships: [relation('p>s', joinType), relation('p<>l')],
    types: { 's.place': 'string', 's.day': 'date', 'p.kind': 'string' },
    tables: { s, p, l },
    ...more,
  };
}

type Read = (joined: Joined) => Value;
const field =
  (name: string): Read =>
  (joined) =>
    joined.get(name.split('.')[0]!)?.[name] ?? null;
const month: Read = (joined) => {
  const day = field('s.day')(joined);
  return day === null ? null : `${String(day).slice(0, 7)}-01`;
};
const DIMENSIONS: Record<string, Read> = {
  "DATE_TRUNC('month', [s.day])": month,
  '[s.place]': field('s.place'),
  '[p.kind]': field('p.kind'),
  '[l.key]': field('l.key'),
};

const numbers = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row['s.amount'] === null ? [] : [row['s.amount']])) as number[];
const sum = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values)! / values.length);
const median = (values: readonly number[]) => {
  const ordered = values.toSorted((a, b) => a - b);
  const [low, high] = [ordered[Math.floor((ordered.length - 1) / 2)], ordered[Math.ceil((ordered.length - 1) / 2)]];
  return low === undefined ? null : (low + high!) / 2;
};
const extreme = (of: typeof Math.max) => (values: readonly number[]) => (values.length === 0 ? null : of(...values));
const count = (values: readonly unknown[]) => values.length;
const distinctPlaces = (rows: readonly Row[]) => new Set(rows.flatMap((row) => row['s.place'] ?? [])).size;

/** The rows of a group by the values of some expressions, without rows in which one of them is null. */
function by(rows: readonly Joined[], keys: readonly Read[]): Joined[][] {
  const known = rows.filter((row) => keys.every((key) => key(row) !== null));
  return [...Map.groupBy(known, (row) => JSON.stringify(keys.map((key) => key(row)))).values()];
}
const own = (rows: readonly Joined[]) => rows.map((row) => row.get('s')!);
const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);

type Inner = (rows: readonly Row[]) => number | null;
const amount: Inner = (rows) => sum(numbers(rows));
const DAY = field('s.day');

/** The value of each day that has one, in their order. */
const days = (rows: readonly Joined[], inner: Inner) =>
  by(rows, [DAY])
    .toSorted(([a], [b]) => (String(DAY(a!)) < String(DAY(b!)) ? -1 : 1))
    .map((each) => inner(own(each)))
    .filter((value) => value !== null);
const over = (rows: readonly Joined[], entities: readonly Read[], of: (each: readonly Joined[]) => number | null) =>
  entities.length === 0 ? of(rows) : sum(known(by(rows, entities).map(of)));
const PRODUCT = field('p.key');

/** Expressions with what they mean for the rows of a group, in words of our own. */
const MEASURES: readonly [text: string, value: (rows: readonly Joined[]) => number | null][] = [
  ['LAST_OVER(SUM([s.amount]), [s.day])', (rows) => days(rows, amount).at(-1) ?? null],
  ['FIRST_OVER(SUM([s.amount]), [s.day])', (rows) => days(rows, amount)[0] ?? null],
  ['AVG_OVER(SUM([s.amount]), [s.day])', (rows) => mean(days(rows, amount))],
  [
    'LAST_OVER(SUM([s.amount]), [s.day], [p.key])',
    (rows) => over(rows, [PRODUCT], (each) => days(each, amount).at(-1) ?? null),
  ],
  [
    'FIRST_OVER(SUM([s.amount]), [s.day], [s.place], [p.key])',
    (rows) => over(rows, [field('s.place'), PRODUCT], (each) => days(each, amount)[0] ?? null),
  ],
  ['AVG_OVER(SUM([s.amount]), [s.day], [p.key])', (rows) => over(rows, [PRODUCT], (each) => mean(days(each, amount)))],
  [
    'LAST_OVER(SUM([s.amount]) / COUNT([s.amount]), DATE_TRUNC("month", [s.day]), [s.place])',
    (rows) =>
      over(rows, [field('s.place')], (each) => {
        const last = by(each, [month])
          .toSorted(([a], [b]) => (String(month(a!)) < String(month(b!)) ? -1 : 1))
          .filter((rowsOfMonth) => numbers(own(rowsOfMonth)).length > 0)
          .at(-1);
        return last ? mean(numbers(own(last))) : null;
      }),
  ],
  ['AVG_PER(COUNT([s.key]), [p.key])', (rows) => mean(by(rows, [PRODUCT]).map(count))],
  [
    'MEDIAN_PER(SUM([s.amount]), [p.key])',
    (rows) => median(known(by(rows, [PRODUCT]).map((each) => amount(own(each))))),
  ],
  [
    'MIN_PER(SUM([s.amount]), [s.place])',
    (rows) => extreme(Math.min)(known(by(rows, [field('s.place')]).map((each) => amount(own(each))))),
  ],
  [
    'MAX_PER(SUM([s.amount]), [s.place])',
    (rows) => extreme(Math.max)(known(by(rows, [field('s.place')]).map((each) => amount(own(each))))),
  ],
  [
    'SUM_PER(COUNT_DISTINCT([s.place]), [p.key], [s.day])',
    (rows) => sum(by(rows, [PRODUCT, DAY]).map((each) => distinctPlaces(own(each)))),
  ],
  [
    'AVG_PER(SUM([s.amount]) FILTER (WHERE [s.amount] > 4), [p.key])',
    (rows) => mean(known(by(rows, [PRODUCT]).map((each) => sum(numbers(own(each)).filter((value) => value > 4))))),
  ],
  ['COUNT_PER(COUNT([s.key]) > 2, [p.key])', (rows) => by(rows, [PRODUCT]).filter((each) => each.length > 2).length],
];

/** The answer from whole joined rows. */
function expected(
  shape: Shape,
  { dimensions = [], measures = [], filters = [], totals = 'none' }: Asked,
  isKept: (row: Joined) => boolean,
) {
  const tables = visibleRows(shape);
  const count = dimensions.length;
  const levels = { none: [count], grand: [count, 0], all: Array.from({ length: count + 1 }, (_, level) => level) };
  const groups = new Map<string, Value[]>();
  for (const [index, text] of measures.entries()) {
    const others = [...`${text} ${dimensions.join(' ')} ${filters.join(' ')}`.matchAll(/\[([pl])\./g)];
    const ways = waysIn(shape)(
      's',
      others.map(([, table]) => table!),
    );
    const rows = join(tables, 's', ways).filter(isKept);
    for (const level of new Set(levels[totals])) {
      const keysOf = (row: Joined) => dimensions.map((each, at) => (at < level ? DIMENSIONS[each]!(row) : null));
      const found = Map.groupBy(rows, (row) => JSON.stringify([level, ...keysOf(row)]));
      if (level === 0 && found.size === 0) found.set(JSON.stringify([0, ...dimensions.map(() => null)]), []);
      for (const [name, all] of found) {
        const ofHome = all.filter((row) => row.get('s'));
        const once = [...new Map(ofHome.map((row) => [row.get('s'), row])).values()];
        const row = groups.get(name) ?? [...(JSON.parse(name) as Value[]), ...measures.map(emptyOf)];
        row[1 + count + index] = MEASURES.find(([each]) => each === text)![1](once);
        groups.set(name, row);
      }
    }
  }
  const all = [...groups.values()];
  return rounded(totals === 'none' ? all.map((row) => row.slice(1)) : all);
}
const emptyOf = (text: string) => (text.startsWith('COUNT') ? 0 : null);

async function expectRight(schema: string, shape: Shape, asked: Asked, read?: Read, value?: Value): Promise<void> {
  const wanted = sorted(expected(shape, asked, (row) => read === undefined || read(row) === value));
  for (const dialect of ['duckdb', 'postgres'] as const) {
    const sql = sqlOf(schema, shape, asked, dialect);
    expect(sorted(await engines[dialect](sql)), `${dialect}\n${sql}`).toEqual(wanted);
  }
}

/** The rows, which both engines must agree on. */
async function rowsOf(schema: string, shape: Shape, asked: Asked) {
  const duckdb = await engines.duckdb(sqlOf(schema, shape, asked, 'duckdb'));
  expect(await engines.postgres(sqlOf(schema, shape, asked, 'postgres'))).toEqual(duckdb);
  return duckdb;
}

const GROUPS: readonly string[][] = [
  [],
  ["DATE_TRUNC('month', [s.day])"],
  ['[p.kind]', "DATE_TRUNC('month', [s.day])"],
  ['[s.place]', '[p.kind]'],
  ['[l.key]', '[s.place]'],
];

describe.each([
  ['rows of the table and its partners', 'nested_left', stockOf(1)],
  ['groups that a full join adds', 'nested_full', stockOf(2, {}, 'full')],
  ['visible rows only', 'nested_rights', stockOf(3, { restricted: ['p', 's'] })],
])('aggregates of aggregates over %s', (_, schema, shape) => {
  beforeAll(() => engines.load(schema, shape));

  it.each(GROUPS)('are those of the parts of each group and total by %s', async (...dimensions) => {
    const measures = MEASURES.map(([text]) => text);
    for (const totals of ['none', 'all'] as const) await expectRight(schema, shape, { dimensions, measures, totals });
    const asked = { dimensions, measures, totals: 'grand', filters: ["[p.kind] = 'red'"] } as const;
    await expectRight(schema, shape, asked, field('p.kind'), 'red');
  });

  it.each(MEASURES.map(([text]) => text))('%s needs no other measure beside it', async (text) => {
    await expectRight(schema, shape, { dimensions: GROUPS[2]!, measures: [text], totals: 'all' });
  });
});

describe('stock', () => {
  /** Two products; one is not counted in February, and the other not on its last day. */
  const levels: [day: string | null, product: string, quantity: number][] = [
    ['2026-01-01', 'nuts', 10],
    ['2026-01-31', 'nuts', 7],
    ['2026-01-01', 'oats', 100],
    ['2026-01-31', 'oats', 80],
    ['2026-02-14', 'nuts', 5],
    ['2026-03-01', 'oats', 60],
    ['2026-03-31', 'nuts', 3],
    [null, 'nuts', 999],
  ];
  const shape: Shape = {
    relationships: [],
    types: { 's.day': 'date', 's.product': 'string' },
    tables: {
      s: levels.map(([day, product, quantity]) => ({ 's.day': day, 's.product': product, 's.quantity': quantity })),
    },
  };
  const month = "DATE_TRUNC('month', [s.day])";
  const [last, perProduct] = ['', ', [s.product]'].map((entity) => `LAST_OVER(SUM([s.quantity]), [s.day]${entity})`);
  const time = { position: 0, fieldId: 's.day', grain: 'month', isDense: false } as const;
  const filters = ['[s.day] IS NOT NULL'];
  beforeAll(() => engines.load('stock', shape));

  it('of a period is that of its last day, in totals too', async () => {
    const measures = [last!, perProduct!];
    expect(await rowsOf('stock', shape, { dimensions: [month], measures, filters, totals: 'all' })).toEqual([
      [0, null, 3, 63],
      [1, '2026-01-01', 87, 87],
      [1, '2026-02-01', 5, 5],
      [1, '2026-03-01', 3, 63],
    ]);
    expect(await rowsOf('stock', shape, { dimensions: ['[s.product]'], measures: [last!] })).toEqual([
      ['nuts', 3],
      ['oats', 60],
    ]);
    expect(await rowsOf('stock', shape, { dimensions: [month], measures, filters: ['[s.day] IS NULL'] })).toEqual([
      [null, null, null],
    ]);
  });

  it('is compared with earlier periods and with totals, which have last days of their own', async () => {
    const measures = [`PRIOR(${perProduct}, 'month')`, `${perProduct} / TOTAL(${perProduct})`, `SHARE(${last})`];
    expect(await rowsOf('stock', shape, { dimensions: [month], measures, filters, time })).toEqual([
      ['2026-01-01', null, 87 / 63, 29].map(nineDigits),
      ['2026-02-01', 87, 5 / 63, 5 / 3].map(nineDigits),
      ['2026-03-01', 5, 1, 1],
    ]);
    const dense = { ...time, isDense: true };
    const earlier = ["[s.day] >= DATE '2026-03-01'", "[s.day] < DATE '2026-05-01'"];
    expect(
      await rowsOf('stock', shape, { dimensions: [month], measures: [last!], filters: earlier, time: dense }),
    ).toEqual([
      ['2026-03-01', 3, 1],
      ['2026-04-01', null, 1],
    ]);
  });

  it('is in no rollup', () => {
    const sums: Rollup = {
      id: 'sums',
      name: 'sums',
      dimensions: [treeOf(shape, 'row', '[s.day]')],
      aggregates: aggregatesOf(treeOf(shape, 'measure', 'SUM([s.quantity])')),
    };
    const stocks = { ...sums, id: 'stocks', aggregates: aggregatesOf(treeOf(shape, 'measure', last!)) };
    const plan = planOf(
      'stock',
      shape,
      { dimensions: ['[s.day]'], measures: [last!], rollups: [sums, stocks] },
      'duckdb',
    );
    const reason = 'LAST_OVER has to read the rows themselves';
    expect(plan).toMatchObject({ rollups: { unused: [{ rollup: { id: 'sums' }, reason }, { reason }] } });
  });

  it('has the rows of all its times behind it', async () => {
    const measures = ['LAST_OVER(SUM([s.quantity]) FILTER (WHERE [s.quantity] > 5), [s.day])'];
    const group = [{ dimension: month, value: "DATE '2026-01-01'" }];
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const asked = { columns: ['[s.quantity]'], measures, group, filters: ["[s.product] = 'nuts'"] };
      const sql = sqlIn(planOfRows('stock', shape, asked, dialect));
      expect(await engines[dialect](sql)).toEqual([[7], [10]]);
    }
  });
});

const nineDigits = (value: unknown) => (typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value);
