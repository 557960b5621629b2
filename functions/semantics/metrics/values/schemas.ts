import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DEFAULT_THRESHOLD, SEASONS } from '../../../../shared/data/statistics/robust-baseline.ts';
import { COMPARISONS, metricProperties, PACE_STATUSES } from '../../../../shared/domains/semantics/metrics/index.ts';
import { CACHE_OUTCOMES, queryOptions } from '../../../../shared/domains/semantics/queries/index.ts';
import { FILLS } from '../../../../shared/domains/semantics/questions/index.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';
import { GRAINS } from '../../../../shared/platform/schedule/periods.ts';

/** Decimals and large integers are texts, so that they stay exact. */
const Amount = Nullable(Type.Union([Type.Number(), Type.String()]));

const amount = (description: string) => Type.Unsafe<number | string | null>({ ...Amount, description });
const changePct = Nullable(
  Type.Number({ description: 'The change in percent of the earlier value; null if that is 0.' }),
);

export const MetricPeriod = Type.Object(
  {
    from: Timestamp,
    to: Type.Unsafe<string>({ ...Timestamp, description: 'The end, exclusive.' }),
    through: Type.Unsafe<string>({
      ...Timestamp,
      description: 'The rows before this moment count; earlier than `to` if the period is incomplete.',
    }),
    isComplete: Type.Boolean(),
  },
  { $id: 'MetricPeriod', description: 'A period in the time zone of the reply, as instants.' },
);

const result = {
  metricId: Id,
  timezone: Type.String(),
  type: Type.String({ description: 'The type of the values, such as `decimal`.' }),
  format: metricProperties.format,
  dataAsOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the oldest part of the reply was computed.' }),
  cache: StringEnum(CACHE_OUTCOMES, { description: 'Cache outcome as in `QueryStats`; the slowest of the parts.' }),
};

const asOf = Type.Optional(
  Type.String({
    minLength: 10,
    maxLength: 40,
    description:
      'The moment to look at, or a date: the end of that day in the time zone of the reply, or now if it has not ended. By default the current moment, to the minute. It cannot be in the future.',
  }),
);
const timezone = Type.Optional(
  Type.Unsafe<string>({ ...metricProperties.timezone, description: 'Another time zone than that of the metric.' }),
);
const { timeoutMs } = queryOptions;
const includePartial = Type.Boolean({
  default: true,
  description: 'Whether the current period counts although it is incomplete; if not, the newest complete one counts.',
});

export const ValueQuery = Type.Object({
  asOf,
  compare: StringEnum(COMPARISONS, {
    default: 'previous_period',
    description: 'What to compare with. An incomplete period is compared with the same part of the other one.',
  }),
  includePartial,
  timezone,
  timeoutMs,
});

const Pace = Type.Object(
  {
    elapsed: Type.Number({ description: 'The share of the time of the target that has passed, from 0 to 1.' }),
    expected: Type.Number({
      description:
        'What the metric should be by now: the target in proportion to the time that has passed if the values of periods add up; otherwise the target itself.',
    }),
    status: StringEnum(PACE_STATUSES, {
      description: '`on_track` within 5 % of what is expected; at the end, only if the target is met exactly.',
    }),
  },
  { $id: 'MetricPace', description: 'Whether the metric is on the way to its target.' },
);

const TargetProgress = Type.Object(
  {
    ...metricProperties.target.anyOf[0].properties,
    actual: amount('The value over the time of the target, as far as it has passed.'),
    progress: Nullable(Type.Number({ description: '`actual` as a ratio of the target.' })),
    pace: Nullable(Pace),
  },
  { $id: 'MetricTargetProgress', description: 'The target, and how much of it is reached.' },
);

const MetricComparison = Type.Object(
  { value: Amount, period: MetricPeriod, change: amount('The difference of the values.'), changePct },
  { $id: 'MetricComparison', description: 'The value of an earlier period.' },
);

export const MetricValue = Type.Object(
  {
    ...result,
    value: amount('Null if no row gives a value.'),
    period: MetricPeriod,
    comparison: Nullable(MetricComparison),
    target: Nullable(TargetProgress),
    direction: metricProperties.direction,
    asOf: Timestamp,
  },
  { $id: 'MetricValue', description: 'The value of a metric for one period, from the rows that the caller may see.' },
);
export type MetricValue = Static<typeof MetricValue>;

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

const grain = Type.Optional(
  Type.Unsafe<Static<typeof metricProperties.grain>>({
    ...metricProperties.grain,
    description: 'Another length of a period than that of the metric.',
  }),
);

/** Consecutive periods. */
const periods = {
  from: day('The first period is the one that contains this date; by default a usual length before `to`.'),
  to: day('The last period is the one that contains this date; by default the current one.'),
  grain,
  timezone,
  timeoutMs,
};

export const SeriesQuery = Type.Object({
  ...periods,
  asOf: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 40,
      description:
        'A moment or a date, as for the value of a metric: the last period is the one that contains it, and later rows do not count. Cannot be given together with `to`.',
    }),
  ),
  fill: StringEnum(FILLS, {
    default: 'null',
    description: 'The value of periods without one. Periods that have not begun stay empty.',
  }),
});

const MetricPoint = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The first day of the period.' }),
    from: Timestamp,
    to: Timestamp,
    value: Amount,
    isComplete: Type.Boolean(),
  },
  { $id: 'MetricPoint', description: 'The value of one period.' },
);

export const MetricSeries = Type.Object(
  {
    ...result,
    grain: StringEnum(GRAINS),
    fill: StringEnum(FILLS),
    points: Type.Array(MetricPoint, { description: 'One for each period, the earliest first.' }),
  },
  { $id: 'MetricSeries', description: 'The values of a metric over consecutive periods.' },
);
export type MetricSeries = Static<typeof MetricSeries>;

export const DriversQuery = Type.Object({
  by: Type.Unsafe<string>({ ...Id, description: 'The field of the model whose values may explain the change.' }),
  compare: StringEnum(['previous_period', 'same_period_last_year'] as const, {
    default: 'previous_period',
    description: 'Which earlier period to compare with.',
  }),
  asOf,
  includePartial,
  timezone,
  timeoutMs,
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 10,
    description: 'How many values to list; `rest` sums the others.',
  }),
});

const pair = { current: Amount, previous: Amount, change: Amount, changePct };
const contribution = {
  contribution: amount('The part of the change of the total; null if the metric is not additive.'),
  contributionPct: Nullable(Type.Number({ description: 'Contribution in percent of the earlier total.' })),
};

const Driver = Type.Object(
  { value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), ...pair, ...contribution },
  { $id: 'MetricDriver', description: 'How the metric moved for one value of the dimension.' },
);

export const MetricDrivers = Type.Object(
  {
    ...result,
    by: Id,
    additive: StringEnum(['full', 'none'], {
      description:
        '`full` if the values of parts add up to the whole; only then the contributions are known, and add up to the change.',
    }),
    total: Type.Object(pair, { $id: 'MetricDriversTotal', description: 'How the metric moved as a whole.' }),
    period: MetricPeriod,
    comparedWith: MetricPeriod,
    items: Type.Array(Driver, { description: 'The largest changes first.' }),
    rest: Nullable(
      Type.Object(
        { ...pair, ...contribution },
        { $id: 'MetricDriversRest', description: 'The other values together.' },
      ),
    ),
    restCount: Type.Integer({ description: 'The number of values that are not listed.' }),
    truncated: Type.Boolean({ description: 'Whether the dimension has more values than can be compared.' }),
    asOf: Timestamp,
  },
  { $id: 'MetricDrivers', description: 'Which values of a dimension moved a metric.' },
);
export type MetricDrivers = Static<typeof MetricDrivers>;

export const AnomaliesQuery = Type.Object({
  ...periods,
  threshold: Type.Number({
    minimum: 2,
    maximum: 20,
    default: DEFAULT_THRESHOLD,
    description: 'How many robust standard deviations a usual value may be away from what is expected.',
  }),
});

const MetricAnomaly = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The first day of the period.' }),
    from: Timestamp,
    to: Timestamp,
    value: Amount,
    expected: Type.Number({ description: 'The median of the baseline.' }),
    expectedLow: Type.Number(),
    expectedHigh: Type.Number(),
    direction: StringEnum(['above', 'below']),
    score: Type.Number({
      description: 'The distance from what is expected, in robust standard deviations; from -100 to 100.',
    }),
  },
  { $id: 'MetricAnomaly', description: 'An unusual value.' },
);

export const MetricAnomalies = Type.Object(
  {
    ...result,
    grain: StringEnum(GRAINS),
    season: StringEnum(SEASONS, {
      description: 'Which earlier periods are the baseline: for days those of the same weekday, otherwise all.',
    }),
    threshold: Type.Number(),
    checkedCount: Type.Integer({ description: 'The number of periods that were checked.' }),
    uncheckedCount: Type.Integer({
      description:
        'The number of complete periods without a value, or with fewer than seven earlier ones to compare with.',
    }),
    items: Type.Array(MetricAnomaly, { description: 'The earliest first.' }),
  },
  { $id: 'MetricAnomalies', description: 'The unusual values of a metric, from the rows that the caller may see.' },
);
export type MetricAnomalies = Static<typeof MetricAnomalies>;
