import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinType } from '../../../../shared/data/semantics/model.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { AGGREGATES } from './support/aggregates.ts';
import { type AskedRows, planOfRows, type Shape, sqlIn, sqlOf, waysIn } from './support/ask.ts';
import { fieldOf, join, type Row, type Value } from './support/brute-force.ts';
import { relation, shapeOf } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';
import { visibleRows } from './support/visible-rows.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
});
afterAll(() => engines.close());

/** The rows, which both engines must agree on, in their order. */
async function rowsOf(schema: string, shape: Shape, asked: AskedRows) {
  const sql = sqlIn(planOfRows(schema, shape, asked, 'duckdb'));
  const duckdb = await engines.duckdb(sql);
  const postgres = await engines.postgres(sqlIn(planOfRows(schema, shape, asked, 'postgres')));
  expect(postgres, sql).toEqual(duckdb);
  return duckdb;
}

const shop: Shape = {
  relationships: [relation('customer>order'), relation('order>item')],
  types: { 'customer.name': 'string' },
  tables: {
    customer: [
      { 'customer.key': 1, 'customer.name': 'b' },
      { 'customer.key': 2, 'customer.name': 'É' },
      { 'customer.key': 3, 'customer.name': 'C' },
    ],
    order: [
      { 'order.key': 1, 'order.amount': 5, 'order.of_customer': 1 },
      { 'order.key': 2, 'order.amount': 5, 'order.of_customer': 1 },
      { 'order.key': 3, 'order.amount': 9, 'order.of_customer': 2 },
      { 'order.key': 4, 'order.amount': 1, 'order.of_customer': null },
    ],
    item: [
      { 'item.of_order': 1, 'item.product': 7, 'item.count': 1 },
      { 'item.of_order': 1, 'item.product': 7, 'item.count': 3 },
      { 'item.of_order': 2, 'item.product': 7, 'item.count': 1 },
      { 'item.of_order': 2, 'item.product': 8, 'item.count': 3 },
    ],
  },
};

describe('the rows behind a number', () => {
  beforeAll(() => engines.load('drill', shop));
  const asked = { columns: ['[customer.name]', '[order.amount]'], measures: ['SUM([order.amount])'] };

  it('are those of the table that the measure aggregates, each once, with values of tables that it has one row of', async () => {
    expect(await rowsOf('drill', shop, asked)).toEqual([
      ['b', 5],
      ['b', 5],
      ['É', 9],
      [null, 1],
    ]);
    expect(await rowsOf('drill', shop, { ...asked, filters: ['[item.product] = 7'] })).toEqual([
      ['b', 5],
      ['b', 5],
    ]);
    expect(await rowsOf('drill', shop, { ...asked, measures: [], filters: ['[item.product] IS NULL'] })).toEqual([
      ['É', 9],
      [null, 1],
    ]);
  });

  it('fulfil all conditions with the same row of another table', async () => {
    const filters = ['[item.product] = 7', '[item.count] = 3'];
    expect(await rowsOf('drill', shop, { ...asked, filters })).toEqual([['b', 5]]);
  });

  it('are sorted, nulls last and texts by code points, and limited', async () => {
    const descending = [{ position: 0, descending: true }];
    expect(await rowsOf('drill', shop, { ...asked, sort: descending, limit: 3 })).toEqual([
      ['É', 9],
      ['b', 5],
      ['b', 5],
    ]);
    const names = { columns: ['[customer.name]'], home: 'customer' };
    expect(await rowsOf('drill', shop, names)).toEqual([['C'], ['b'], ['É']]);
    expect(await rowsOf('drill', shop, { ...names, sort: descending, filters: ['[item.count] = 3'] })).toEqual([['b']]);
  });

  it('leave out what an inner join of the number drops', async () => {
    const inner = { ...shop, relationships: [relation('customer>order', 'inner'), relation('order>item', 'full')] };
    const amounts = { columns: ['[order.amount]'], joined: ['[customer.key]'] };
    expect(await rowsOf('drill', inner, amounts)).toEqual([[5], [5], [9]]);
    expect(await rowsOf('drill', inner, { ...amounts, joined: ['[item.count]'] })).toEqual([[1], [5], [5], [9]]);
  });

  it.each<[number, string, AskedRows]>([
    [5003, 'several values for each row', { home: 'order', columns: ['[item.count]'] }],
    [5009, 'measures of two tables', { ...asked, measures: ['SUM([order.amount]) + COUNT([customer.key])'] }],
    [5009, 'an unknown table', { ...asked, home: 'nowhere' }],
    [5009, 'no columns', { columns: [], home: 'order' }],
  ])('are a problem (%i) with %s', (code, _, wrong) => {
    expect(planOfRows('drill', shop, wrong, 'duckdb')).toMatchObject({ problems: [{ code }] });
  });
});

it('of any random star or snowflake are those that a measure of it counts, and never a hidden one', async () => {
  let found = 0;
  for (let seed = 100; seed < 125; seed += 1) {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + Math.floor(random() * 4));
    const relationships = names.slice(1).map((name, index) => {
      const other = names[Math.floor(random() * (index + 1))]!;
      const sign = pick(['>', '>', '>', '=', '<>']);
      const joinType = pick<JoinType>(['inner', 'left', 'left', 'right', 'full']);
      return relation(random() < 0.5 ? `${name}${sign}${other}` : `${other}${sign}${name}`, joinType);
    });
    const shape = { ...shapeOf(seed, names, relationships), restricted: names.filter(() => random() < 0.2) };
    const schema = `rows_${seed}`;
    await engines.load(schema, shape);
    const home = pick(names);
    const fields = [`${home}.key`, `${home}.group`];
    const filters = [...new Set([pick(names), pick(names)])].map((name) => ({
      field: `${name}.amount`,
      atLeast: 1 + Math.floor(random() * 3),
    }));
    const texts = filters.map(({ field, atLeast }) => `[${field}] >= ${atLeast}`);
    const rows = await rowsOf(schema, shape, { columns: fields.map((field) => `[${field}]`), home, filters: texts });
    expect(rows, `${schema} ${home}`).toEqual(expectedRows(shape, home, fields, filters));
    // The number that the rows are behind, by the other planner.
    const count = { measures: [AGGREGATES[1]!.text(`[${home}.key]`)], filters: texts };
    expect(await engines.duckdb(sqlOf(schema, shape, count, 'duckdb'))).toEqual([[rows.length]]);
    found += rows.length;
  }
  expect(found).toBeGreaterThan(30);
});

/** Each visible row of the home table that some row joined to it lets through, in the order of its columns. */
function expectedRows(
  shape: Shape,
  home: string,
  fields: readonly string[],
  filters: readonly { field: string; atLeast: number }[],
): Value[][] {
  const ways = waysIn(shape)(
    home,
    filters.map(({ field }) => field.split('.')[0]!),
  );
  const matching = join(visibleRows(shape), home, ways).filter((joined) =>
    filters.every(({ field, atLeast }) => Number(fieldOf(joined, field) ?? Number.NaN) >= atLeast),
  );
  const rows = new Set(matching.map((joined) => joined.get(home)).filter((row): row is Row => Boolean(row)));
  return [...rows].map((row) => fields.map((field) => row[field]!)).toSorted(([a], [b]) => Number(a) - Number(b));
}
