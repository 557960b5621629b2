import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGraph } from '../../../../shared/data/semantics/join-graph.ts';
import type { JoinType, Relationship } from '../../../../shared/data/semantics/model.ts';
import { Restrictions } from '../../../../shared/data/semantics/restrictions.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { AGGREGATES } from './support/aggregates.ts';
import { type Asked, modelOf, planOf, type Shape, sqlOf } from './support/ask.ts';
import type { Row } from './support/brute-force.ts';
import { expectRight } from './support/expect-right.ts';
import { relation, shapeOf } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
});
afterAll(() => engines.close());

/** The rows, which both engines must agree on. */
async function rowsOf(schema: string, shape: Shape, asked: Asked) {
  const duckdb = await engines.duckdb(sqlOf(schema, shape, asked, 'duckdb'));
  expect(await engines.postgres(sqlOf(schema, shape, asked, 'postgres'))).toEqual(duckdb);
  return duckdb;
}

/** A row whose amount makes it visible in a restricted table, or hides it. */
const row = (table: string, key: number, amount: number, keys: Record<string, number | null> = {}): Row => ({
  [`${table}.key`]: key,
  [`${table}.amount`]: amount,
  ...Object.fromEntries(Object.entries(keys).map(([other, value]) => [`${table}.of_${other}`, value])),
});

describe('rows that lead to hidden rows', () => {
  const tables = {
    region: [row('region', 1, 9), row('region', 2, 1)],
    customer: [
      row('customer', 1, 9, { region: 1 }),
      row('customer', 2, 9, { region: 2 }),
      row('customer', 3, 9, { region: null }),
      row('customer', 4, 1, { region: 1 }),
    ],
    order: [1, 2, 3, 4, null].map((customer, index) => row('order', index, 2 ** index, { customer })),
  };
  const shape = (restricted: string[], { isActive = true } = {}): Shape => ({
    relationships: [{ ...relation('region>customer'), isActive }, relation('customer>order')],
    tables,
    restricted,
  });
  beforeAll(() => engines.load('chain', shape([])));

  it('are hidden in questions that do not mention the other table', async () => {
    const total = (of: Shape, measure: string) => rowsOf('chain', of, { measures: [measure] });
    expect(await total(shape([]), 'SUM([order.amount])')).toEqual([[31]]);
    expect(await total(shape(['customer']), 'SUM([order.amount])')).toEqual([[1 + 2 + 4]]);
    expect(await total(shape(['region']), 'SUM([order.amount])')).toEqual([[1 + 8]]);
    expect(await total(shape(['region', 'customer']), 'SUM([order.amount])')).toEqual([[1]]);
    expect(await total(shape(['region']), 'COUNT([customer.key])')).toEqual([[2]]);
    expect(await total(shape(['order']), 'COUNT([customer.key])')).toEqual([[4]]);
    expect(await total(shape(['region'], { isActive: false }), 'SUM([order.amount])')).toEqual([[31]]);
  });

  it('are hidden in every part of a question: shares, totals, filters and groups', async () => {
    const asked = {
      dimensions: ['[customer.key]'],
      measures: ['SUM([order.amount])', 'SHARE(SUM([order.amount]))', 'COUNT([region.key])'],
      totals: 'grand' as const,
    };
    expect(await rowsOf('chain', shape(['region']), asked)).toEqual([
      [0, null, 9, 1, 1],
      [1, 1, 1, 0.111111111, 1],
      [1, 4, 8, 0.888888889, 1],
    ]);
    const filtered = { measures: ['COUNT([customer.key])'], filters: ['[order.amount] >= 2'] };
    expect(await rowsOf('chain', shape(['region']), filtered)).toEqual([[1]]);
    expect(await rowsOf('chain', shape(['order']), filtered)).toEqual([[2]]);
  });

  it('are hidden by a join where the tables are joined anyway', () => {
    const sql = sqlOf(
      'chain',
      shape(['customer']),
      { dimensions: ['[customer.key]'], measures: ['SUM([order.amount])'] },
      'duckdb',
    );
    expect(sql).not.toContain('EXISTS');
    expect(sql).toContain('\n      JOIN (SELECT * FROM chain.customer WHERE amount >= 3) AS "customer" ON ');
  });

  it('are hidden whichever of several chains leads there', async () => {
    const diamond: Shape = {
      relationships: [relation('payer>sale'), relation('buyer>sale'), relation('land>payer'), relation('land>buyer')],
      tables: {
        land: [row('land', 1, 9), row('land', 2, 1)],
        payer: [row('payer', 1, 9, { land: 1 }), row('payer', 2, 9, { land: 2 })],
        buyer: [row('buyer', 1, 9, { land: 1 }), row('buyer', 2, 9, { land: 2 })],
        sale: [
          row('sale', 1, 1, { payer: 1, buyer: 1 }),
          row('sale', 2, 2, { payer: 1, buyer: 2 }),
          row('sale', 3, 4, { payer: 2, buyer: 1 }),
          row('sale', 4, 8, { payer: 1, buyer: null }),
        ],
      },
      restricted: ['land'],
    };
    await engines.load('diamond', diamond);
    expect(await rowsOf('diamond', diamond, { measures: ['SUM([sale.amount])'] })).toEqual([[1]]);
  });
});

it('no question to a random star or snowflake counts a hidden row', async () => {
  let hiding = 0;
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + Math.floor(random() * 4));
    const relationships = names.slice(1).map((name, index) => {
      const other = names[Math.floor(random() * (index + 1))]!;
      const sign = pick(['>', '>', '>', '=', '<>']);
      const joinType = pick<JoinType>(['inner', 'left', 'left', 'right', 'full']);
      return relation(random() < 0.5 ? `${name}${sign}${other}` : `${other}${sign}${name}`, joinType);
    });
    const shape = {
      ...shapeOf(seed, names, relationships),
      restricted: names.filter(() => random() < 0.4),
    };
    const schema = `hidden_${seed}`;
    await engines.load(schema, shape);
    for (let question = 0; question < 2; question += 1) {
      const dimensions = [...new Set(Array.from({ length: Math.floor(random() * 3) }, () => `${pick(names)}.group`))];
      const measures = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        const home = pick(names);
        return { home, field: `${home}.amount`, known: pick(AGGREGATES) };
      });
      const filters = random() < 0.3 ? [{ field: `${pick(names)}.amount`, atLeast: 1 + Math.floor(random() * 4) }] : [];
      const totals = pick(['none', 'none', 'grand', 'all'] as const);
      await expectRight(engines, schema, shape, { dimensions, measures, filters, totals });
    }
    if (shape.restricted.length > 0) hiding += 1;
  }
  expect(hiding).toBeGreaterThan(15);
});

it('fails closed where more chains lead to restricted tables than a statement can hold', () => {
  const names = Array.from({ length: 9 }, (_, index) => `t${index}`);
  const relationships: Relationship[] = names.flatMap((one, index) =>
    names.slice(0, index).map((many) => relation(`${one}>${many}`)),
  );
  const keys = Object.fromEntries(names.map((name) => [name, 1]));
  const tables = Object.fromEntries(names.map((name) => [name, [row(name, 1, 5, keys)]]));
  const shape = { relationships, tables, restricted: ['t8'] };
  const plan = planOf('none', shape, { measures: ['SUM([t0.amount])'] }, 'duckdb');
  expect(plan).toMatchObject({ problems: [{ code: 5008 }] });
  const model = modelOf(shape);
  const graph = joinGraph(model);
  expect(new Restrictions(model, graph).needs('t0')).toEqual([]);
  expect(new Restrictions(model, graph, new Set(['t8'])).needs('t7')).toMatchObject([
    { hop: { to: { tableId: 't8' } } },
  ]);
});
