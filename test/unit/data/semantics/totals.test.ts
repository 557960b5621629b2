import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, planOf, type Shape, sqlOf } from './support/ask.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const sale = (shop: string | null, day: number, amount: number) => ({
  's.shop': shop,
  's.day': day,
  's.amount': amount,
});

const shape: Shape = {
  relationships: [],
  types: { 's.shop': 'string' },
  tables: {
    s: [sale('Ü', 1, 50), sale('a', 1, 1), sale('a', 2, 2), sale('B', 1, 10), sale('B', 2, 20), sale(null, 2, 5)],
  },
};

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('totals', shape);
});
afterAll(() => engines.close());

/** The rows, which both engines must agree on. */
async function rowsOf(asked: Asked): Promise<unknown[][]> {
  const duckdb = await engines.duckdb(sqlOf('totals', shape, asked, 'duckdb'));
  expect(await engines.postgres(sqlOf('totals', shape, asked, 'postgres'))).toEqual(duckdb);
  return duckdb;
}

const byShop = { dimensions: ['[s.shop]'], measures: ['SUM([s.amount])'] };
const byShopAndDay = { dimensions: ['[s.shop]', '[s.day]'], measures: ['SUM([s.amount])'] };
const biggest = [{ position: 1, descending: true }];

describe('totals', () => {
  it('are not subject to conditions on the reply', async () => {
    const resultFilters = [{ position: 1, atLeast: 10 }];
    expect(await rowsOf({ ...byShop, resultFilters, totals: 'grand' })).toEqual([
      [0, null, 88],
      [1, 'B', 30],
      [1, 'Ü', 50],
    ]);
    expect(await rowsOf({ ...byShop, resultFilters: [{ position: 1, atLeast: 1000 }], totals: 'grand' })).toEqual([
      [0, null, 88],
    ]);
    expect(await rowsOf({ ...byShop, resultFilters })).toEqual([
      ['B', 30],
      ['Ü', 50],
    ]);
    const bySum = [{ position: 2, atLeast: 20 }];
    expect(await rowsOf({ ...byShopAndDay, resultFilters: bySum, totals: 'all' })).toEqual([
      [0, null, null, 88],
      [1, 'B', null, 30],
      [1, 'a', null, 3],
      [1, 'Ü', null, 50],
      [1, null, null, 5],
      [2, 'B', 2, 20],
      [2, 'Ü', 1, 50],
    ]);
  });

  it('do not count towards the limit', async () => {
    const asked = { ...byShop, sort: biggest, limit: 2 };
    expect(await rowsOf({ ...asked, totals: 'grand' })).toEqual([
      [0, null, 88],
      [1, 'Ü', 50],
      [1, 'B', 30],
    ]);
    const filtered = { ...asked, resultFilters: [{ position: 1, atLeast: 40 }], totals: 'grand' as const };
    expect(await rowsOf(filtered)).toEqual([
      [0, null, 88],
      [1, 'Ü', 50],
    ]);
    const all = await rowsOf({ ...byShopAndDay, limit: 2, totals: 'all' });
    expect(all.map(([level]) => level)).toEqual([0, 1, 1, 1, 1, 2, 2]);
    expect(await rowsOf({ ...asked, dimensions: [], sort: [], limit: 1, totals: 'grand' })).toEqual([[0, 88]]);
  });

  it('are a single row where nothing is aggregated', async () => {
    expect(await rowsOf({ dimensions: ['[s.day]'], totals: 'grand' })).toEqual([
      [0, null],
      [1, 1],
      [1, 2],
    ]);
    const related: Shape = {
      ...shape,
      relationships: [
        {
          id: 'r',
          from: { tableId: 'd', fieldId: 'd.key' },
          to: { tableId: 's', fieldId: 's.day' },
          cardinality: '1:N',
          joinType: 'left',
          isActive: true,
        },
      ],
      tables: { ...shape.tables, d: [{ 'd.key': 1 }, { 'd.key': 2 }, { 'd.key': 3 }] },
    };
    await engines.load('empty_totals', related);
    const asked = {
      dimensions: ['[d.key]'],
      measures: ['2 - 1'],
      filters: ['[s.amount] > 0'],
      totals: 'grand' as const,
    };
    for (const dialect of ['duckdb', 'postgres'] as const)
      expect(await engines[dialect](sqlOf('empty_totals', related, asked, dialect))).toEqual([
        [0, null, 1],
        [1, 1, 1],
        [1, 2, 1],
      ]);
  });
});

describe('a question that reads no table', () => {
  it.each<[string, Asked]>([
    ['without columns', { filters: ['[s.day] = 1'] }],
    ['with constants only', { measures: ['1 + 1'] }],
  ])('%s is a problem', (_, asked) => {
    expect(planOf('totals', shape, asked, 'duckdb')).toMatchObject({ problems: [{ code: 5007 }] });
  });
});

it('texts are ordered by code points on both engines, wherever they are', async () => {
  const shops = async (asked: Asked) => (await rowsOf(asked)).map(([shop]) => shop);
  expect(await shops(byShop)).toEqual(['B', 'a', 'Ü', null]);
  expect(await shops({ ...byShop, sort: [{ position: 0, descending: true }] })).toEqual(['Ü', 'a', 'B', null]);
  expect(await shops({ dimensions: ['UPPER([s.shop])'] })).toEqual(['A', 'B', 'Ü', null]);
  const firstShop = { dimensions: ['[s.day]'], measures: ['MIN([s.shop])'], sort: biggest };
  expect(await rowsOf(firstShop)).toEqual([
    [1, 'B'],
    [2, 'B'],
  ]);
  for (const asked of [byShop, firstShop])
    expect(sqlOf('totals', shape, asked, 'postgres')).toMatch(/ORDER BY .*COLLATE "C" (ASC|DESC) NULLS LAST/);
});
