import {
  ANY,
  always,
  both,
  type CallSql,
  COMPARABLE,
  type Dialect,
  type Emit,
  type FunctionEntry,
  literalText,
  NUMERIC,
  ofFirst,
} from './entry.ts';

const value = { name: 'value', accepts: NUMERIC } as const;
const float = { name: 'value', accepts: NUMERIC, asNumber: true } as const;
const condition = { name: 'condition', accepts: ['boolean'] } as const;
const emptyIsNull = 'Nulls are ignored; a group without values gives null.';

const simple = (sql: string): FunctionEntry['emit'] => both(({ args, filter }) => `${sql}(${args[0]})${filter}`);

/** Text is compared by code points in both engines, whatever the collation of the database is. */
const extreme = (sql: string): FunctionEntry['emit'] => ({
  duckdb: ({ args, filter }) => `${sql}(${args[0]})${filter}`,
  postgres: ({ args, operands, types, filter }) =>
    `${sql}(${types[0] === 'string' ? `${operands[0]} COLLATE "C"` : args[0]})${filter}`,
});

/** The smallest value, so that every run and engine gives the same; false is smaller than true. */
const anyValue = (dialect: Dialect): Emit => {
  const smallest = extreme('min')[dialect];
  return (call) => (call.types[0] === 'boolean' ? `bool_and(${call.args[0]})${call.filter}` : smallest(call));
};

const MAX_LISTED = 1000;

/** `smallest` gives the list of the first values, of which DuckDB keeps no more than are shown. */
const listed =
  (smallest: (call: CallSql, count: number) => string): Emit =>
  (call) => {
    const { args, literals, filter } = call;
    const count = Number(literalText(literals[1]) || 100);
    const more = `CASE WHEN count(DISTINCT ${args[0]})${filter} > ${count} THEN ', …' ELSE '' END`;
    const values = `array_to_string(${smallest(call, count)}, ', ')`;
    return `CASE WHEN count(${args[0]})${filter} > 0 THEN concat(${values}, ${more}) END`;
  };

const average: FunctionEntry['emit'] = {
  duckdb: ({ args, filter }) => `avg(${args[0]})${filter}`,
  postgres: ({ args, types, filter }) =>
    types[0] === 'number' ? `avg(${args[0]})${filter}` : `CAST(avg(${args[0]})${filter} AS double precision)`,
};

const percentile = (share: (literal: string) => string): FunctionEntry['emit'] => ({
  duckdb: ({ args, literals, filter }) => `quantile_cont(${args[0]}, ${share(literalText(literals[1]))})${filter}`,
  postgres: ({ args, literals, filter }) =>
    `percentile_cont(${share(literalText(literals[1]))}) WITHIN GROUP (ORDER BY ${args[0]})${filter}`,
});

const sum = simple('sum');
const count: FunctionEntry['emit'] = both(({ args, filter }) => `count(${args[0] ?? '*'})${filter}`);

/** SUM keeps the type of exact numbers. */
const ofSum = ofFirst;

export const AGGREGATE_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'SUM',
    kind: 'aggregate',
    parameters: [value],
    returns: ofSum,
    additivity: 'full',
    summary: 'The sum of the values. Sums of exact numbers are exact, up to 38 digits.',
    nulls: emptyIsNull,
    example: ['SUM([amount])', '35.49'],
    emit: sum,
  },
  {
    name: 'COUNT',
    kind: 'aggregate',
    parameters: [{ name: 'value', accepts: ANY }],
    returns: always('integer'),
    additivity: 'full',
    summary: 'The number of values; COUNT(*) counts the rows of an expression with a single table.',
    nulls: 'Nulls are not counted; an empty group gives 0.',
    example: ['COUNT([amount])', '3'],
    emit: count,
  },
  {
    name: 'COUNT_DISTINCT',
    kind: 'aggregate',
    parameters: [{ name: 'value', accepts: [...COMPARABLE, 'boolean'] }],
    returns: always('integer'),
    summary: 'The number of different values.',
    nulls: 'Nulls are not counted; an empty group gives 0.',
    example: ['COUNT_DISTINCT([region])', '2'],
    emit: both(({ args, filter }) => `count(DISTINCT ${args[0]})${filter}`),
  },
  {
    name: 'AVG',
    kind: 'aggregate',
    parameters: [value],
    returns: always('number'),
    summary: 'The mean of the values, as a float.',
    nulls: emptyIsNull,
    example: ['AVG([quantity])', '2.5'],
    emit: average,
  },
  {
    name: 'MIN',
    kind: 'aggregate',
    parameters: [{ name: 'value', accepts: COMPARABLE }],
    returns: ofFirst,
    additivity: 'semi',
    summary: 'The smallest value; texts are compared by code points.',
    nulls: emptyIsNull,
    example: ['MIN([amount])', '5'],
    emit: extreme('min'),
  },
  {
    name: 'MAX',
    kind: 'aggregate',
    parameters: [{ name: 'value', accepts: COMPARABLE }],
    returns: ofFirst,
    additivity: 'semi',
    summary: 'The largest value; texts are compared by code points, and NaN is larger than all numbers.',
    nulls: emptyIsNull,
    example: ['MAX([region])', '"South"'],
    emit: extreme('max'),
  },
  {
    name: 'ANY_VALUE',
    kind: 'aggregate',
    parameters: [{ name: 'value', accepts: [...COMPARABLE, 'boolean'] }],
    returns: ofFirst,
    additivity: 'semi',
    summary: 'One of the values: the smallest, so that it is always the same one.',
    nulls: emptyIsNull,
    example: ['ANY_VALUE([region])', '"North"'],
    emit: { duckdb: anyValue('duckdb'), postgres: anyValue('postgres') },
  },
  {
    name: 'LIST_DISTINCT',
    kind: 'aggregate',
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'count', accepts: ['integer'], literal: { is: 'integer', min: 1, max: MAX_LISTED }, isOptional: true },
    ],
    returns: always('string'),
    summary:
      'The different texts, sorted by code points and separated by commas: the first 100, or as many as the count says, up to 1,000. If there are more, "…" follows.',
    nulls: emptyIsNull,
    example: ['LIST_DISTINCT([region])', '"North, South"'],
    emit: {
      duckdb: listed(({ args, filter }, count) => `min(DISTINCT ${args[0]}, ${count})${filter}`),
      postgres: listed(({ operands, filter }, count) => {
        const text = `${operands[0]} COLLATE "C"`;
        return `(array_agg(DISTINCT ${text} ORDER BY ${text})${filter})[1:${count}]`;
      }),
    },
  },
  {
    name: 'MEDIAN',
    kind: 'aggregate',
    parameters: [float],
    returns: always('number'),
    summary: 'The value in the middle, or the mean of the two in the middle.',
    nulls: emptyIsNull,
    example: ['MEDIAN([quantity])', '2.5'],
    emit: percentile(() => '0.5'),
  },
  {
    name: 'PERCENTILE',
    kind: 'aggregate',
    parameters: [float, { name: 'share', accepts: ['number'], literal: { is: 'share' } }],
    returns: always('number'),
    summary: 'The value below which the share (0 to 1) of the values lies, interpolated between neighbours.',
    nulls: emptyIsNull,
    example: ['PERCENTILE([quantity], 0.9)', '3.7'],
    emit: percentile((share) => share),
  },
  {
    name: 'STDDEV',
    kind: 'aggregate',
    parameters: [float],
    returns: always('number'),
    summary: 'The standard deviation of a sample.',
    nulls: 'Nulls are ignored; a group with fewer than two values gives null.',
    example: ['ROUND(STDDEV([quantity]), 4)', '1.291'],
    emit: simple('stddev_samp'),
  },
  {
    name: 'VARIANCE',
    kind: 'aggregate',
    parameters: [float],
    returns: always('number'),
    summary: 'The variance of a sample.',
    nulls: 'Nulls are ignored; a group with fewer than two values gives null.',
    example: ['ROUND(VARIANCE([quantity]), 4)', '1.6667'],
    emit: simple('var_samp'),
  },
  {
    name: 'SUM_IF',
    kind: 'aggregate',
    parameters: [value, condition],
    returns: ofSum,
    filtered: 'SUM',
    additivity: 'full',
    summary:
      'The sum of the values of the rows for which the condition is true; the same as SUM(value) FILTER (WHERE condition).',
    nulls: 'Rows for which the condition is null are left out; a group without values gives null.',
    example: ['SUM_IF([quantity], [paid])', '9'],
    emit: sum,
  },
  {
    name: 'COUNT_IF',
    kind: 'aggregate',
    parameters: [condition],
    returns: always('integer'),
    filtered: 'COUNT',
    additivity: 'full',
    summary: 'The number of rows for which the condition is true.',
    nulls: 'Rows for which the condition is null are not counted; an empty group gives 0.',
    example: ['COUNT_IF([amount] > 10)', '2'],
    emit: count,
  },
  {
    name: 'AVG_IF',
    kind: 'aggregate',
    parameters: [value, condition],
    returns: always('number'),
    filtered: 'AVG',
    summary: 'The mean of the values of the rows for which the condition is true.',
    nulls: 'Rows for which the condition is null are left out; a group without values gives null.',
    example: ['AVG_IF([quantity], [paid])', '3'],
    emit: average,
  },
];
