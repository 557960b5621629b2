import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type Asked, planOfRows, type Shape, sqlIn, sqlOf } from './support/ask.ts';
import type { Value } from './support/brute-force.ts';
import { rounded, sorted } from './support/expect-right.ts';
import { relation } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const random = seededRandom(7);
const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;

/** Sales in cities of regions by months, whose shop belongs to a group with several labels. */
const SALES = Array.from({ length: 80 }, (_, key) => ({
  's.key': key,
  's.region': random() < 0.1 ? null : pick(['North', 'south']),
  's.city': random() < 0.1 ? null : pick(['A', 'b', 'C']),
  's.day': random() < 0.1 ? null : `2026-0${1 + Math.floor(random() * 3)}-05`,
  's.group': random() < 0.1 ? null : pick([0, 1, 2]),
  's.amount': random() < 0.15 ? null : Math.floor(random() * 20) - 6,
}));
type Sale = (typeof SALES)[number];
const LABELS = [0, 1, 2, 3].map((key) => ({ 'l.key': key, 'l.group': pick([0, 1, 2]), 'l.amount': 9 }));

const shape: Shape = {
  relationships: [relation('s<>l')],
  types: { 's.region': 'string', 's.city': 'string', 's.day': 'date' },
  tables: { s: SALES, l: LABELS },
};
const restricted: Shape = { ...shape, restricted: ['s'] };

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('parents', shape);
  await engines.load('parents_rights', restricted);
});
afterAll(() => engines.close());

const DIMENSIONS: Record<string, (sale: Sale) => Value[]> = {
  '[s.region]': (sale) => [sale['s.region']],
  '[s.city]': (sale) => [sale['s.city']],
  "DATE_TRUNC('month', [s.day])": (sale) => [sale['s.day'] && `${sale['s.day'].slice(0, 7)}-01`],
  '[l.key]': (sale) => {
    const keys = LABELS.filter((label) => label['l.group'] === sale['s.group']).map((label) => label['l.key']);
    return keys.length > 0 ? keys : [null];
  },
};
const amounts = (sales: readonly Sale[]) => sales.flatMap((sale) => sale['s.amount'] ?? []);
const sum = (sales: readonly Sale[]) => {
  const values = amounts(sales);
  return values.length > 0 ? values.reduce((total, value) => total + value, 0) : null;
};
const cities = (sales: readonly Sale[]) => new Set(sales.flatMap((sale) => sale['s.city'] ?? [])).size;

const MEASURES: readonly [text: string, value: (sales: readonly Sale[]) => number | null][] = [
  ['SUM([s.amount])', sum],
  ['COUNT([s.amount])', (sales) => amounts(sales).length],
  ['COUNT_DISTINCT([s.city])', cities],
  [
    'SUM([s.amount]) / COUNT([s.amount])',
    (sales) => (amounts(sales).length > 0 ? sum(sales)! / amounts(sales).length : null),
  ],
];

interface Member {
  sale: Sale;
  keys: Value[];
}

const shareOf = (value: number | null, parent: number | null) =>
  value === null || parent === null || parent === 0 ? null : value / parent;

/** Each group with its share of the parent, and its place among the groups of its level, from the sales themselves. */
function expected(sales: readonly Sale[], dimensions: readonly string[], totals: 'none' | 'grand' | 'all'): Value[][] {
  const members = sales.flatMap((sale) =>
    dimensions
      .map((dimension) => DIMENSIONS[dimension]!(sale))
      .reduce<Value[][]>((all, keys) => all.flatMap((left) => keys.map((key) => [...left, key])), [[]])
      .map((keys): Member => ({ sale, keys })),
  );
  const full = dimensions.length;
  const levels = { none: [full], grand: [full, 0], all: Array.from({ length: full + 1 }, (_, level) => level) }[totals];
  const valuesOf = (of: readonly Member[]) => {
    const once = [...new Set(of.map(({ sale }) => sale))];
    return MEASURES.map(([, value]) => value(once));
  };
  const at =
    (level: number) =>
    ({ keys }: Member) =>
      JSON.stringify(keys.slice(0, level));
  const rows = levels.flatMap((level) => {
    const parents = Map.groupBy(members, at(level - 1));
    const groups = [...Map.groupBy(members, at(level)).values()].map((of) => ({ of, values: valuesOf(of) }));
    return groups.map(({ of, values }): Value[] => {
      const parent = level > 0 ? valuesOf(parents.get(at(level - 1)(of[0]!))!) : values.map(() => null);
      const places = values.map((value, index) =>
        value === null
          ? null
          : 1 + groups.filter((other) => (other.values[index] ?? Number.NEGATIVE_INFINITY) > value).length,
      );
      const keys = dimensions.map((_, index) => (index < level ? of[0]!.keys[index]! : null));
      const shares = values.map((value, index) => shareOf(value, parent[index]!));
      return [...(totals === 'none' ? [] : [level]), ...keys, ...shares, ...places];
    });
  });
  return rounded(rows);
}

const measures = [
  ...MEASURES.map(([text]) => `SHARE_OF_PARENT(${text})`),
  ...MEASURES.map(([text]) => `RANK(${text})`),
];

async function expectRight(schema: string, of: Shape, asked: Asked, sales: readonly Sale[]): Promise<void> {
  const wanted = sorted(expected(sales, asked.dimensions!, asked.totals ?? 'none'));
  for (const dialect of ['duckdb', 'postgres'] as const) {
    const sql = sqlOf(schema, of, asked, dialect);
    expect(sorted(await engines[dialect](sql)), `${dialect}\n${sql}`).toEqual(wanted);
  }
}

/** The rows, which both engines must agree on. */
async function rowsOf(asked: Asked) {
  const duckdb = await engines.duckdb(sqlOf('parents', shape, asked, 'duckdb'));
  expect(await engines.postgres(sqlOf('parents', shape, asked, 'postgres'))).toEqual(duckdb);
  return duckdb;
}

describe('SHARE_OF_PARENT and RANK', () => {
  it.each([
    [['[s.region]']],
    [['[s.region]', '[s.city]']],
    [["DATE_TRUNC('month', [s.day])", '[s.region]', '[s.city]']],
    [['[s.region]', '[l.key]']],
    [['[l.key]', '[s.city]']],
  ])('by %s compare each group and subtotal with those of its level', async (dimensions) => {
    for (const totals of ['none', 'grand', 'all'] as const)
      await expectRight('parents', shape, { dimensions, measures, totals }, SALES);
  });

  it('see no rows that the reader may not see', async () => {
    const visible = SALES.filter((sale) => (sale['s.amount'] ?? 0) >= 3);
    const dimensions = ['[s.region]', '[s.city]'];
    await expectRight('parents_rights', restricted, { dimensions, measures, totals: 'all' }, visible);
  });

  it('do not depend on conditions on the reply or its limit, and stand beside other comparisons', async () => {
    const dimensions = ['[s.region]', '[s.city]'];
    const asked = {
      dimensions,
      measures: ['RANK(SUM([s.amount]))', 'SHARE_OF_PARENT(SUM([s.amount]))', 'SHARE(SUM([s.amount]))'],
      sort: [{ position: 2, descending: false }],
    };
    const all = await rowsOf(asked);
    expect(await rowsOf({ ...asked, resultFilters: [{ position: 2, atLeast: 3 }] })).toEqual(
      all.filter(([, , rank]) => Number(rank) >= 3),
    );
    expect(await rowsOf({ ...asked, limit: 2 })).toEqual(all.slice(0, 2));
    const limited = await rowsOf({ ...asked, totals: 'all', limit: 2 });
    expect(limited.filter(([level]) => level === 2)).toHaveLength(2);
    expect(limited.filter(([level]) => level === 1)).toHaveLength(3);
    const total = amounts(SALES).reduce((left, right) => left + right, 0);
    expect(all[0]![4]).toBeCloseTo(Math.max(...all.map(([, , , , share]) => Number(share) * total)) / total, 8);
  });

  it('have no parent without dimensions, and the rows of the group behind them', async () => {
    expect(await rowsOf({ measures: ['SHARE_OF_PARENT(COUNT([s.key]))', 'RANK(COUNT([s.key]))'] })).toEqual([
      [null, 1],
    ]);
    const group = [{ dimension: '[s.region]', value: "'North'" }];
    const asked = { columns: ['[s.key]'], measures: ['SHARE_OF_PARENT(SUM([s.amount]))'], group };
    const north = SALES.filter((sale) => sale['s.region'] === 'North').map((sale) => sale['s.key']);
    for (const dialect of ['duckdb', 'postgres'] as const)
      expect((await engines[dialect](sqlIn(planOfRows('parents', shape, asked, dialect)))).flat()).toEqual(north);
  });
});
