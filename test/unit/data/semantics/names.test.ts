import { afterAll, beforeAll, expect, it } from 'vitest';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import type { Typed } from '../../../../shared/data/expressions/index.ts';
import type { SemanticModel } from '../../../../shared/data/semantics/model.ts';
import { planQuestion } from '../../../../shared/data/semantics/plan.ts';
import { optionsOf } from './support/ask.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const LONG = 'x'.repeat(200);
/** Names of columns that the statement uses for its own parts, or that need quotes. */
const COLUMNS = ['d1', 'a1', 'i1', '#row', '#exists', '#PRESENT', 'say "hi"', '🦆'];
/** The names of two tables, and what the model calls them. */
const TABLES: readonly (readonly [name: string, alias: string])[][] = [
  [
    ['leg_1', 'leg_1'],
    ['combined', 'combined'],
  ],
  [
    ['joined', 'd1'],
    ['legs', 'a1'],
  ],
  [
    ['facts', 'it"s; --'],
    ['periods', '🦆'],
  ],
  [
    ['seen', `${LONG}1`],
    ['axis', `${LONG}2`],
  ],
  [
    ['t.1', '#table_2'],
    ['t.2', '#leg_1'],
  ],
];

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  for (const pair of TABLES)
    for (const [name] of pair) {
      const values = COLUMNS.map((column, index) => `${index} AS ${quoteIdentifier(column)}`).join(', ');
      await engines.run(`CREATE TABLE ${quoteIdentifier(name)} AS SELECT ${values}, 'b' AS of, 1 AS k`);
    }
});
afterAll(() => engines.close());

function modelOf([one, many]: (typeof TABLES)[number]): SemanticModel & { names: Map<string, string> } {
  const columns = [...COLUMNS, 'of', 'k'];
  const end = (tableId: string) => ({ tableId, fieldId: `${tableId}/k` });
  return {
    tables: [
      { id: 'one', alias: one![1] },
      { id: 'many', alias: many![1] },
    ],
    fields: ['one', 'many'].flatMap((tableId) =>
      columns.map((name) => ({ id: `${tableId}/${name}`, tableId, name, dataType: 'integer' })),
    ),
    relationships: [
      { id: 'r', from: end('one'), to: end('many'), cardinality: '1:N', joinType: 'full', isActive: true },
    ],
    names: new Map([
      ['one', one![0]],
      ['many', many![0]],
    ]),
  };
}

it.each(TABLES.map((pair) => ({ pair, name: pair.map(([name]) => name).join(' and ') })))(
  'tables called $name and columns with names of the statement are kept apart',
  async ({ pair }) => {
    const model = modelOf(pair);
    const field = (id: string): Typed => ({
      kind: 'field',
      table: id.split('/')[0]!,
      field: id,
      type: id.endsWith('/of') ? 'string' : 'integer',
      level: 'row',
      from: 0,
      to: 0,
    });
    const sum = (id: string): Typed => ({
      kind: 'call',
      name: 'SUM',
      args: [field(id)],
      isStar: false,
      type: 'integer',
      level: 'aggregate',
      from: 0,
      to: 0,
    });
    const labels = ['a1', 'd1', '#level', '#row', LONG, `${LONG}!`, 'say "hi"', '#d1', '🦆', 'd1'];
    const dimensions = ['many/of', 'many/d1', 'many/#row', 'one/#exists'].map(field);
    const measures = ['one/a1', 'many/i1', 'one/#PRESENT', 'many/#row', 'many/say "hi"', 'one/🦆'].map(sum);
    const trees = [...dimensions, ...measures];
    const columns = trees.map((tree, index) => ({ tree, label: labels[index]! }));
    for (const totals of ['none', 'all'] as const) {
      const question = {
        dimensions: columns.slice(0, dimensions.length),
        measures: columns.slice(dimensions.length),
        filters: [],
        resultFilters: [],
        sort: trees.map((_, position) => ({ position, descending: true })),
        totals,
      };
      const source = {
        relation: (table: string) => quoteIdentifier(model.names.get(table)!),
        column: (id: string) => ({ column: id.split('/')[1]! }),
      };
      for (const dialect of ['duckdb', 'postgres'] as const) {
        const plan = planQuestion(model, source, question, optionsOf(dialect));
        if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
        const rows = await engines[dialect === 'duckdb' ? 'duckdb' : 'postgresColumns'](plan.sql);
        expect(rows.at(-1), plan.sql).toEqual([...(totals === 'none' ? [] : [4]), 'b', 0, 3, 4, 1, 2, 5, 3, 6, 7]);
      }
    }
  },
);
