import { FISCAL_GRAINS } from '../../../platform/schedule/fiscal-years.ts';
import { always, both, type FunctionEntry, NUMERIC, ofFirst } from './entry.ts';

export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;

const measure = { name: 'measure', accepts: NUMERIC } as const;
const grain = { name: 'grain', accepts: ['string'], literal: { is: 'unit', units: GRAINS } } as const;
const units = [...GRAINS, ...FISCAL_GRAINS] as const;
const anyGrain = { name: 'grain', accepts: ['string'], literal: { is: 'unit', units } } as const;

/** These depend on the other rows of the result, which only a query planner can arrange. */
const planned = both(() => {
  throw new TypeError('These functions are emitted by a query planner.');
});

export const WINDOW_FUNCTIONS: readonly FunctionEntry[] = [
  {
    name: 'TOTAL',
    kind: 'window',
    parameters: [measure],
    returns: ofFirst,
    summary: 'The measure over all rows of the query, without its dimensions.',
    nulls: 'It is null if the measure is null for all rows.',
    example: ['TOTAL(SUM([quantity]))', '10'],
    emit: both(({ args }) => `sum(${args[0]}) OVER ()`),
  },
  {
    name: 'SHARE',
    kind: 'window',
    parameters: [measure],
    returns: always('number'),
    summary: 'The measure divided by its TOTAL, 0 to 1.',
    nulls: 'A null measure or a total of zero gives null.',
    example: ['SHARE(SUM([quantity]))', '1'],
    emit: {
      duckdb: ({ args, operands }) => `(${operands[0]} / NULLIF(sum(${args[0]}) OVER (), 0))`,
      postgres: ({ args }) => `(CAST(${args[0]} AS double precision) / NULLIF(sum(${args[0]}) OVER (), 0))`,
    },
  },
  {
    name: 'SHARE_OF_PARENT',
    kind: 'window',
    parameters: [measure],
    returns: always('number'),
    summary:
      'The measure divided by that of all rows with the same dimensions apart from the last: of a city within its region, 0 to 1.',
    nulls: 'A null measure, a parent of zero and the total over all rows give null.',
    example: ['SHARE_OF_PARENT(SUM([quantity]))'],
    emit: planned,
  },
  {
    name: 'RANK',
    kind: 'window',
    parameters: [measure],
    returns: always('integer'),
    summary:
      'The place of the group among all groups of the query, 1 for the largest measure. Equal ones share a place, after which as many are left out.',
    nulls: 'A null measure has no place.',
    example: ['RANK(SUM([quantity]))'],
    emit: planned,
  },
  {
    name: 'PRIOR',
    kind: 'window',
    parameters: [
      measure,
      grain,
      { name: 'count', accepts: ['integer'], literal: { is: 'integer', min: 1, max: 1000 }, isOptional: true },
    ],
    returns: ofFirst,
    summary: 'The measure of the period that begins that many grains earlier in the calendar (1 if omitted).',
    nulls:
      'It is null if there is no such period or no row in it; a count is 0 then, and null before the first row. It is null for rows without a time.',
    example: ['PRIOR(SUM([amount]), "month", 1)'],
    emit: planned,
  },
  {
    name: 'TRAILING',
    kind: 'window',
    parameters: [
      measure,
      grain,
      { name: 'count', accepts: ['integer'], literal: { is: 'integer', min: 1, max: 1000 }, isOptional: true },
    ],
    returns: ofFirst,
    summary:
      'The measure over the rows of that many grains (1 if omitted) up to the end of the period, also those before the filters begin.',
    nulls: 'It is null for rows without a time, and in totals over all periods.',
    example: ['TRAILING(SUM([amount]), "day", 28)'],
    emit: planned,
  },
  {
    name: 'CUMULATIVE',
    kind: 'window',
    parameters: [measure, { ...anyGrain, isOptional: true }],
    returns: ofFirst,
    summary:
      'The measure over all rows up to this one in time; with a grain it starts again in each of its periods, also those of the fiscal calendar of the model.',
    nulls: 'Periods without rows keep the value of the one before.',
    example: ['CUMULATIVE(SUM([amount]), "year")'],
    emit: planned,
  },
];
