import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinType } from '../../../../shared/data/semantics/model.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { AGGREGATES } from './support/aggregates.ts';
import { type Asked, type Shape, sqlOf } from './support/ask.ts';
import { expectRight } from './support/expect-right.ts';
import { relation, shapeOf } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const TYPES: readonly JoinType[] = ['inner', 'left', 'right', 'full'];
const [SUM, COUNT] = AGGREGATES as [(typeof AGGREGATES)[number], (typeof AGGREGATES)[number]];

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

describe('each join type, from either side', () => {
  const shape = (joinType: JoinType): Shape => ({
    relationships: [relation('a>b', joinType)],
    tables: {
      a: [
        { 'a.key': 1, 'a.group': 1 },
        { 'a.key': 2, 'a.group': 2 },
      ],
      b: [
        { 'b.of_a': 1, 'b.group': 10, 'b.amount': 5 },
        { 'b.of_a': null, 'b.group': 20, 'b.amount': 7 },
      ],
    },
  });
  beforeAll(() => engines.load('sides', shape('left')));

  it('keeps the rows that are summed, and shows those of the one side that have none only by `full`', async () => {
    const asked = { dimensions: ['[a.group]'], measures: ['SUM([b.amount])', 'COUNT(COALESCE([b.amount], 0))'] };
    const [matched, unmatched, empty] = [
      [1, 5, 1],
      [null, 7, 1],
      [2, null, 0],
    ];
    expect(await rowsOf('sides', shape('inner'), asked)).toEqual([matched]);
    expect(await rowsOf('sides', shape('left'), asked)).toEqual([matched, unmatched]);
    expect(await rowsOf('sides', shape('right'), asked)).toEqual([matched, unmatched]);
    expect(await rowsOf('sides', shape('full'), asked)).toEqual([matched, empty, unmatched]);
  });

  it('keeps the rows that are counted, and shows those of the many side that have none by `right` and `full`', async () => {
    const asked = { dimensions: ['[b.group]'], measures: ['COUNT([a.key])'] };
    const [matched, unmatched, empty] = [
      [10, 1],
      [null, 1],
      [20, 0],
    ];
    expect(await rowsOf('sides', shape('inner'), asked)).toEqual([matched]);
    expect(await rowsOf('sides', shape('left'), asked)).toEqual([matched, unmatched]);
    expect(await rowsOf('sides', shape('right'), asked)).toEqual([matched, empty, unmatched]);
    expect(await rowsOf('sides', shape('full'), asked)).toEqual([matched, empty, unmatched]);
  });
});

describe('two joins of any type and direction are answered by the rule', () => {
  const shapes = (links: readonly (readonly [string, string])[]) =>
    TYPES.flatMap((first) =>
      TYPES.flatMap((second) =>
        [0, 1, 2, 3].map((turns) =>
          links.map(([near, far], index) =>
            relation((turns >> index) % 2 === 0 ? `${near}>${far}` : `${far}>${near}`, [first, second][index]!),
          ),
        ),
      ),
    );
  const measures = [
    { home: 'a', field: 'a.amount', known: SUM },
    { home: 'a', field: 'a.amount', known: COUNT },
  ];
  const keys = ['a', 'b', 'c'].flatMap((one) => ['a', 'b', 'c'].map((many) => relation(`${one}>${many}`)));
  const { tables } = shapeOf(5, ['a', 'b', 'c'], keys);
  beforeAll(() => engines.load('pairs', { relationships: [], tables }));

  it.each([
    ['in a chain', [['a', 'b'] as const, ['b', 'c'] as const]],
    ['from the same table', [['a', 'b'] as const, ['a', 'c'] as const]],
  ])('%s', async (_, links) => {
    for (const relationships of shapes(links)) {
      const shape = { relationships, tables };
      const dimensions = ['b.group', 'c.group'];
      await expectRight(engines, 'pairs', shape, { dimensions, measures, filters: [], totals: 'grand' });
    }
  });
});

it('without inner joins, no dimension changes a total, and the groups of a dimension with one value for each row add up', async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const random = seededRandom(seed);
    const joinType = () => TYPES[1 + Math.floor(random() * 3)]!;
    const relationships = [relation('b>a', joinType()), relation('c>b', joinType()), relation('a>d', joinType())];
    const shape = shapeOf(seed, ['a', 'b', 'c', 'd'], relationships);
    const schema = `totals_${seed}`;
    await engines.load(schema, shape);
    const measures = ['SUM([a.amount])', 'COUNT([a.key])'];
    const [whole] = await rowsOf(schema, shape, { measures });
    for (const dimension of ['[b.group]', '[c.group]', '[d.group]']) {
      const asked = { dimensions: [dimension], measures, totals: 'grand' as const };
      const [total, ...groups] = await rowsOf(schema, shape, asked);
      expect(total, dimension).toEqual([0, null, ...whole!]);
      const sum = (at: number) => groups.reduce((all, group) => all + Number(group[at] ?? 0), 0);
      if (dimension !== '[d.group]') expect([sum(2), sum(3)], dimension).toEqual(whole!.map(Number));
    }
  }
});

it('shares of the groups of a dimension add up to one, whatever the joins drop or add', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = seededRandom(seed);
    const joinType = () => TYPES[Math.floor(random() * 4)]!;
    const relationships = [relation('b>a', joinType()), relation('c>b', joinType()), relation('a>d', joinType())];
    const shape = shapeOf(seed, ['a', 'b', 'c', 'd'], relationships);
    const schema = `shares_${seed}`;
    await engines.load(schema, shape);
    for (const dimension of ['[b.group]', '[c.group]', '[d.group]']) {
      const measures = ['SHARE(COUNT([a.key]))', 'TOTAL(COUNT([a.key]))', 'COUNT([a.key])'];
      const asked = { dimensions: [dimension], measures, totals: 'grand' as const };
      const [total, ...groups] = await rowsOf(schema, shape, asked);
      const count = Number(total!.at(-1));
      expect(total, dimension).toEqual([0, null, count > 0 ? 1 : null, count, count]);
      const shares = groups.reduce((all, group) => all + Number(group[2] ?? 0), 0);
      if (dimension !== '[d.group]' && count > 0) expect(shares, dimension).toBeCloseTo(1, 6);
    }
  }
});
