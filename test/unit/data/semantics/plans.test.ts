import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinType } from '../../../../shared/data/semantics/model.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { AGGREGATES } from './support/aggregates.ts';
import { sqlOf } from './support/ask.ts';
import { expectRight } from './support/expect-right.ts';
import { relation, shapeOf } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
});
afterAll(() => engines.close());

const everyAggregate = (table: string) => AGGREGATES.map((known) => ({ home: table, field: `${table}.amount`, known }));

describe('twelve aggregates over joined tables are those of the rows of their own table', () => {
  const shapes: Record<string, { tables: string[]; relations: string[]; dimension: string; homes: string[] }> = {
    'from one to many': { tables: ['a', 'b'], relations: ['a>b'], dimension: 'b.group', homes: ['a'] },
    'from many to one': { tables: ['a', 'b'], relations: ['a>b'], dimension: 'a.group', homes: ['b'] },
    'one to one': { tables: ['a', 'b'], relations: ['a=b'], dimension: 'b.group', homes: ['a'] },
    'many to many': { tables: ['a', 'b'], relations: ['a<>b'], dimension: 'b.group', homes: ['a'] },
    'a chain': { tables: ['a', 'b', 'c'], relations: ['a>b', 'b>c'], dimension: 'a.group', homes: ['c', 'b', 'a'] },
    'a chasm of two legs': {
      tables: ['a', 'b', 'c'],
      relations: ['a>b', 'a>c'],
      dimension: 'a.group',
      homes: ['b', 'c'],
    },
    'a bridge': { tables: ['a', 'l', 'b'], relations: ['a>l', 'b>l'], dimension: 'b.group', homes: ['a'] },
    'a snowflake': {
      tables: ['f', 'd', 'e', 'g'],
      relations: ['d>f', 'e>d', 'g>f'],
      dimension: 'e.group',
      homes: ['f', 'g'],
    },
  };
  for (const [name, { tables, relations, dimension, homes }] of Object.entries(shapes)) {
    it(name, async () => {
      const schema = `shape_${name.replaceAll(' ', '_')}`;
      const shape = shapeOf(
        7,
        tables,
        relations.map((text) => relation(text)),
      );
      await engines.load(schema, shape);
      const measures = homes.flatMap(everyAggregate);
      for (const totals of ['none', 'grand', 'all'] as const) {
        await expectRight(engines, schema, shape, { dimensions: [dimension], measures, filters: [], totals });
        await expectRight(engines, schema, shape, { dimensions: [], measures, filters: [], totals });
      }
    });
  }
});

it('any question to a random star or snowflake is answered as by joining whole rows', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + Math.floor(random() * 4));
    // Each table hangs on an earlier one, on either end, so that there is one path between any two.
    const relationships = names.slice(1).map((name, index) => {
      const other = names[Math.floor(random() * (index + 1))]!;
      const sign = pick(['>', '>', '>', '=', '<>']);
      const joinType = pick<JoinType>(['inner', 'left', 'left', 'right', 'full']);
      return relation(random() < 0.5 ? `${name}${sign}${other}` : `${other}${sign}${name}`, joinType);
    });
    const shape = shapeOf(seed, names, relationships);
    const schema = `seed_${seed}`;
    await engines.load(schema, shape);
    for (let question = 0; question < 2; question += 1) {
      const dimensions = [...new Set(Array.from({ length: Math.floor(random() * 3) }, () => `${pick(names)}.group`))];
      const measures = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        const home = pick(names);
        return { home, field: `${home}.amount`, known: pick(AGGREGATES) };
      });
      const filters = random() < 0.4 ? [{ field: `${pick(names)}.amount`, atLeast: 1 + Math.floor(random() * 4) }] : [];
      const totals = pick(['none', 'none', 'grand', 'all'] as const);
      await expectRight(engines, schema, shape, { dimensions, measures, filters, totals });
    }
  }
});

it('groups that only another table has count no row', async () => {
  const shape = {
    relationships: [relation('a>b', 'full')],
    tables: {
      a: [
        { 'a.key': 1, 'a.group': 5 },
        { 'a.key': 2, 'a.group': 6 },
      ],
      b: [
        { 'b.key': 1, 'b.of_a': 1, 'b.amount': null },
        { 'b.key': 2, 'b.of_a': null, 'b.amount': 3 },
      ],
    },
  };
  await engines.load('without_rows', shape);
  const asked = {
    dimensions: ['[a.group]'],
    measures: ['SUM(COALESCE([b.amount], 1))', 'COUNT_IF([b.amount] IS NULL)'],
  };
  for (const dialect of ['duckdb', 'postgres'] as const)
    expect(await engines[dialect](sqlOf('without_rows', shape, asked, dialect))).toEqual([
      [5, 1, 1],
      [6, null, 0],
      [null, 3, 0],
    ]);
});
