import { asDouble, type FunctionRule, first, notPortable } from './function-table.ts';
import { digitsOf, type Typed } from './typed.ts';

/** How an aggregate is called, besides its arguments. */
export interface AggregateCall {
  distinct: boolean;
  /** `ORDER BY …` within the call, or an empty text. */
  orderBy: string;
  /** What follows each call: ` FILTER (WHERE …)`, with an additional condition, and ` OVER (…)`. */
  filter: (also?: string) => string;
}

export interface Aggregate {
  takes: FunctionRule['takes'];
  gives: FunctionRule['gives'];
  write(call: AggregateCall, ...args: Typed[]): string;
  /** Whether the result is independent of the order of the rows. */
  ordered?: boolean;
  /** Whether it may be used with OVER. */
  overWindow: boolean;
}

const plain = (
  name: string,
  takes: FunctionRule['takes'],
  gives: FunctionRule['gives'],
  of = ({ sql }: Typed) => sql,
): Aggregate => ({
  takes,
  gives,
  overWindow: true,
  write: ({ distinct, filter }, ...args) =>
    `${name}(${distinct ? 'DISTINCT ' : ''}${args.map(of).join(', ')})${filter()}`,
});

const spread = (name: string): Aggregate[] => [plain(name, ['number'], 'double', asDouble)];

/** Applies `body` to the sorted values of a group, as `sorted`, because Trino has no exact quantiles. */
const ofSorted = (value: string, { distinct, filter }: AggregateCall, body: string) =>
  `element_at(transform(ARRAY[array_sort(array_agg(${distinct ? 'DISTINCT ' : ''}${value})${filter(`${value} IS NOT NULL`)})], sorted -> ${body}), 1)`;

const median: Aggregate[] = [
  {
    takes: ['number'],
    gives: 'double',
    overWindow: false,
    write: (call, value) => {
      const low = 'element_at(sorted, (cardinality(sorted) + 1) / 2)';
      const high = 'element_at(sorted, (cardinality(sorted) + 2) / 2)';
      return ofSorted(asDouble(value), call, `${low} + (${high} - ${low}) / 2.0E0`);
    },
  },
];

/** Rows in which either value is NULL do not count. */
const ofExtreme = (name: string): Aggregate[] => [
  {
    takes: ['any', 'any'],
    gives: first,
    overWindow: false,
    write: ({ distinct, filter }, value, by) => {
      if (distinct) notPortable('it cannot be DISTINCT');
      if (by!.type === 'double') notPortable('Athena sorts NaN differently');
      return `${name}(${value.sql}, ${by!.sql})${filter(`${value.sql} IS NOT NULL AND ${by!.sql} IS NOT NULL`)}`;
    },
  },
];

const joined: Aggregate[] = [
  {
    takes: ['string', 'string'],
    gives: 'string',
    overWindow: false,
    ordered: true,
    write: ({ distinct, orderBy, filter }, value, separator) => {
      if (distinct) notPortable('it cannot be DISTINCT');
      if (orderBy === '') notPortable('it needs an ORDER BY, because Athena does not keep the order of rows');
      return `array_join(array_agg(${value.sql} ${orderBy})${filter(`${value.sql} IS NOT NULL`)}, ${separator!.sql})`;
    },
  },
];

const sum: Aggregate[] = [
  // DuckDB sums integers in 128 bits.
  plain('sum', ['integer'], 'decimal(38,0)', ({ sql }) => `CAST(${sql} AS decimal(38,0))`),
  plain('sum', ['exact'], ([value]) => `decimal(38,${/,(\d+)\)/.exec(value!.type)?.[1] ?? 0})`),
  plain('sum', ['number'], 'double'),
];
const avg: Aggregate[] = [
  // DuckDB computes the exact sum of exact numbers and divides once.
  {
    takes: ['exact'],
    gives: 'double',
    overWindow: true,
    write: ({ distinct, filter }, { sql, type }) => {
      const scale = digitsOf(type)?.scale ?? 0;
      const sum = `sum(${distinct ? 'DISTINCT ' : ''}CAST(${sql} AS decimal(38,${scale})))${filter()}`;
      return `(CAST(${sum} AS double) / count(${distinct ? 'DISTINCT ' : ''}${sql})${filter()})`;
    },
  },
  plain('avg', ['number'], 'double'),
];
const countIf: Aggregate[] = [plain('count_if', ['boolean'], 'integer')];
/** DuckDB sorts NaN above all other doubles; Trino may not. */
const doubles: Record<'min' | 'max', (value: string, call: AggregateCall) => string> = {
  min: (value, { filter }) => `coalesce(min(${value})${filter(`NOT is_nan(${value})`)}, min(${value})${filter()})`,
  max: (value, { filter }) =>
    `CASE WHEN bool_or(is_nan(${value}))${filter()} THEN nan() ELSE max(${value})${filter(`NOT is_nan(${value})`)} END`,
};
const extreme = (name: 'min' | 'max'): Aggregate[] => [
  {
    takes: ['double'],
    gives: 'double',
    overWindow: true,
    write: (call, value) => doubles[name](value.sql, call),
  },
  { ...plain(name, ['any'], first), write: ({ filter }, value) => `${name}(${value.sql})${filter()}` },
];

export const AGGREGATES: Record<string, Aggregate[]> = {
  count_star: [{ takes: [], gives: 'integer', overWindow: true, write: ({ filter }) => `count(*)${filter()}` }],
  count: [
    { takes: [], gives: 'integer', overWindow: true, write: ({ filter }) => `count(*)${filter()}` },
    plain('count', ['any'], 'integer'),
  ],
  sum,
  avg,
  mean: avg,
  min: extreme('min'),
  max: extreme('max'),
  any_value: [plain('arbitrary', ['any'], first)],
  bool_and: [plain('bool_and', ['boolean'], 'boolean')],
  bool_or: [plain('bool_or', ['boolean'], 'boolean')],
  count_if: countIf,
  countif: countIf,
  stddev: spread('stddev_samp'),
  stddev_samp: spread('stddev_samp'),
  stddev_pop: spread('stddev_pop'),
  variance: spread('var_samp'),
  var_samp: spread('var_samp'),
  var_pop: spread('var_pop'),
  median,
  string_agg: joined,
  listagg: joined,
  group_concat: joined,
  arg_max: ofExtreme('max_by'),
  max_by: ofExtreme('max_by'),
  arg_min: ofExtreme('min_by'),
  min_by: ofExtreme('min_by'),
};
