import { expect, it } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.ts';
import { useEngines } from '../expressions/two-engines.ts';
import { evaluate, type Row } from './support/evaluate.ts';
import { runSteps } from './support/run-steps.ts';
import { type Config, relationOf } from './support/tables.ts';

const TEXTS = ['a', 'B', 'é', '😀x', '', '12', '-7', ' 5 ', "o'b", '\\'];
const random = seededRandom(23);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const some = <T>(items: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(items))),
];

const ROWS: Row[] = Array.from({ length: 40 }, (_, index) => ({
  id: index % 35,
  num: random() < 0.2 ? null : Math.floor(random() * 6),
  text: random() < 0.15 ? null : pick(TEXTS),
  group: random() < 0.2 ? null : pick(['x', 'y', 'z']),
}));
const literal = (value: Row[string]) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
const values = ROWS.map(
  (row) =>
    `(${Object.values(row)
      .map((value) => literal(value ?? null))
      .join(', ')})`,
);

const engines = useEngines(
  `CREATE TABLE data (id integer, num integer, "text" varchar, "group" varchar);\nINSERT INTO data VALUES ${values.join(', ')}`,
);

const table = () => ({
  name: 'data',
  columns: [
    { name: 'id', type: 'integer', sourceType: 'integer' },
    { name: 'num', type: 'integer', sourceType: 'integer' },
    { name: 'text', type: 'string', sourceType: 'character varying' },
    { name: 'group', type: 'string', sourceType: 'text' },
  ],
});

interface Column {
  name: string;
  type: string;
}

let count = 0;
function newName(): string {
  count += 1;
  return `c${count} "${pick(['é', '$1', ''])}`;
}
const valueFor = ({ type }: Column) => (type === 'integer' ? Math.floor(random() * 8) - 1 : pick(TEXTS));

/** A step that fits the columns; undefined if there is none of the kind. */
const MAKERS: Record<string, (columns: readonly Column[]) => object | undefined> = {
  filter_rows: (columns) => {
    const condition = () => {
      const column = pick(columns);
      const texts = column.type === 'string' ? ['contains', 'starts_with'] : [];
      const op = pick(['eq', 'ne', 'in', 'not_in', 'gt', 'lte', 'between', 'is_null', 'not_null', ...texts]);
      const value = op.endsWith('null')
        ? undefined
        : op.endsWith('in')
          ? [valueFor(column), valueFor(column)]
          : op === 'between'
            ? [valueFor(column), valueFor(column)]
            : valueFor(column);
      return { column: column.name, op, ...(value === undefined ? {} : { value }) };
    };
    return { match: pick(['all', 'any']), conditions: [condition(), ...(random() < 0.5 ? [condition()] : [])] };
  },
  remove_columns: (columns) => (columns.length > 2 ? { columns: [pick(columns).name] } : undefined),
  rename_column: (columns) => ({ from: pick(columns).name, to: newName() }),
  change_type: (columns) => {
    const column = pick(columns);
    return { column: column.name, type: column.type === 'integer' ? 'string' : 'integer' };
  },
  add_column: (columns) => {
    const numbers = columns.filter(({ type, name }) => type === 'integer' && !/["$]/.test(name));
    const texts = columns.filter(({ type, name }) => type === 'string' && !/["$]/.test(name));
    if (numbers.length > 0 && random() < 0.6)
      return { name: newName(), expression: `[${pick(numbers).name}] + [${pick(numbers).name}]` };
    if (texts.length === 0) return undefined;
    return { name: newName(), expression: `CONCAT([${pick(texts).name}], "-", [${pick(texts).name}])` };
  },
  replace_values: (columns) => {
    const texts = columns.filter(({ type }) => type === 'string');
    if (texts.length === 0) return undefined;
    return { column: pick(texts).name, pairs: some(TEXTS, 3).map((from) => ({ from, to: pick(TEXTS) })) };
  },
  sort_rows: (columns) => ({ by: ordered(columns) }),
  top_n: (columns) => ({
    n: 1 + Math.floor(random() * 5),
    by: ordered(columns),
    ...(random() < 0.5 ? { perGroup: some(columns, 2).map(({ name }) => name) } : {}),
  }),
  deduplicate: (columns) => ({
    keys: some(columns, 2).map(({ name }) => name),
    keep: pick(['first', 'last']),
    ...(random() < 0.5 ? { orderBy: ordered(columns) } : {}),
  }),
  group_aggregate: (columns) => {
    const groupBy = random() < 0.2 ? [] : some(columns, 2).map(({ name }) => name);
    const aggregation = () => {
      const column = pick(columns);
      const fn = pick(['count', 'count_distinct', 'min', 'max', ...(column.type === 'integer' ? ['sum'] : [])]);
      return { fn, as: newName(), ...(fn === 'count' && random() < 0.5 ? {} : { column: column.name }) };
    };
    return { groupBy, aggregations: [aggregation(), aggregation()] };
  },
};

const ordered = (columns: readonly Column[]) =>
  some(columns, 2).map(({ name }) => ({
    column: name,
    direction: pick(['asc', 'desc']),
    nulls: pick(['first', 'last']),
  }));

function randomChain(): Config[] {
  const configs: Config[] = [];
  for (let tries = 0; tries < 2 + Math.floor(random() * 6); tries += 1) {
    const { columns } = relationOf(table(), configs, 'duckdb');
    // Steps reduce the rows quickly, so those that only change columns are more frequent.
    const type = pick([
      ...Object.keys(MAKERS),
      'filter_rows',
      'add_column',
      'rename_column',
      'change_type',
      'replace_values',
    ]);
    const config = MAKERS[type]!(columns!);
    if (config) configs.push([type, config]);
  }
  return configs;
}

const texts = (rows: readonly object[]) =>
  rows
    .map((row) =>
      JSON.stringify(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
    )
    .toSorted();

it('random chains of steps give the rows that an evaluation row by row gives, in both engines', async () => {
  let withRows = 0;
  for (let chain = 0; chain < 120; chain += 1) {
    const configs = randomChain();
    const expected = texts(evaluate(ROWS, configs));
    withRows += expected.length > 1 ? 1 : 0;
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const rows = await runSteps(engines[dialect], table(), configs, dialect);
      expect(texts(rows), `${dialect} ${JSON.stringify(configs)}`).toEqual(expected);
    }
  }
  expect(withRows).toBeGreaterThan(60);
});
