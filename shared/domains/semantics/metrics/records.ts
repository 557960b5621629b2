import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DEFAULT_THRESHOLD } from '../../../data/statistics/robust-baseline.ts';
import { Id, Name, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import type { Basis } from '../../tenancy/certifications/index.ts';
import { MeasureFormat } from '../models/index.ts';
import { conditionsIn, QuestionCondition } from '../questions/index.ts';

export const METRIC_AGGREGATIONS = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max'] as const;
export type MetricAggregation = (typeof METRIC_AGGREGATIONS)[number];
export const DIRECTIONS = ['up_good', 'down_good'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const DateOnly = Type.String({ format: 'date', description: 'A date, such as `2026-12-31`.' });

export const Target = StrictObject(
  {
    value: Type.Number({ description: 'What the metric should be over the time from `from` to `by`.' }),
    by: Type.Unsafe<string>({ ...DateOnly, description: 'The last day of the time.' }),
    from: Type.Optional(
      Type.Unsafe<string>({
        ...DateOnly,
        description: 'The first day of the time; by default that of the period of the metric that contains `by`.',
      }),
    ),
  },
  { $id: 'MetricTarget', description: 'The value that a metric should reach, and until when.' },
);
export type Target = Static<typeof Target>;

const checks = {
  delayHours: Type.Integer({
    minimum: 0,
    maximum: 72,
    description: 'How long after the end of a period its rows are complete; 6 by default.',
  }),
  threshold: Type.Number({
    minimum: 2,
    maximum: 20,
    description: `How many robust standard deviations a usual value may be away from what is expected; ${DEFAULT_THRESHOLD} by default.`,
  }),
};
const AnomalyChecks = StrictObject(checks, {
  $id: 'MetricAnomalyChecks',
  description: 'Each period is checked once for an unusual value, while the metric is certified.',
});
export type AnomalyChecks = Static<typeof AnomalyChecks>;

export const SetAnomalyChecks = StrictObject(
  { delayHours: Type.Optional(checks.delayHours), threshold: Type.Optional(checks.threshold) },
  { $id: 'SetMetricAnomalyChecks', description: 'Turns the checks on; null turns them off.' },
);

export const completeChecks = (given: Static<typeof SetAnomalyChecks> | null): AnomalyChecks | null =>
  given && { delayHours: 6, threshold: DEFAULT_THRESHOLD, ...given };

export const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The IANA name of the zone in which periods begin, such as `Europe/Berlin`.',
});

export const metricProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Type.String({ maxLength: 2000 }),
  modelId: Type.Unsafe<string>({ ...Id, description: 'The model that the metric asks.' }),
  measureId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The measure of the model that is the value.' })),
  fieldId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The field whose `aggregation` is the value.' })),
  aggregation: Nullable(StringEnum(METRIC_AGGREGATIONS)),
  timeFieldId: Type.Unsafe<string>({
    ...Id,
    description: 'The `date` or `datetime` field that decides the period of a row.',
  }),
  grain: StringEnum(GRAINS, { description: 'The length of a period. Weeks start on Monday.' }),
  timezone: Timezone,
  filters: Type.Array(QuestionCondition, {
    maxItems: 20,
    description: 'Conditions on rows; all of them must hold.',
  }),
  direction: StringEnum(DIRECTIONS, { description: 'Whether more is better, or less.' }),
  target: Nullable(Target),
  format: Nullable(MeasureFormat),
  anomalyChecks: Nullable(AnomalyChecks),
  ownerId: Type.Unsafe<string>({ ...Id, description: 'The member who answers for the metric.' }),
};

export const metricRecord = {
  id: Id,
  workspaceId: Id,
  ...metricProperties,
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};
const MetricRecord = Type.Object(metricRecord);
export type MetricRecord = Static<typeof MetricRecord>;

/** What decides the numbers of a metric. */
export type MetricDefinition = Pick<
  MetricRecord,
  'modelId' | 'measureId' | 'fieldId' | 'aggregation' | 'timeFieldId' | 'grain' | 'timezone' | 'filters'
>;

/** The members that decide the numbers, as they are compared. */
export const meaningOfMetric = (metric: MetricRecord): unknown[] => [
  metric.modelId,
  metric.measureId,
  metric.fieldId,
  metric.aggregation,
  metric.timeFieldId,
  metric.grain,
  metric.timezone,
  metric.filters,
];

/** What a metric is made from. A filter in text may name any part of the model. */
export function basisOfMetric({ workspaceId, modelId, measureId, fieldId, timeFieldId, filters }: MetricRecord): Basis {
  const conditions = conditionsIn(filters);
  const named = conditions.map((condition) => condition.fieldId ?? null);
  const fields = [fieldId, timeFieldId, ...named].filter((id) => id !== null);
  return {
    place: { workspaceId, type: 'model', id: modelId },
    parts: [
      ...(measureId === null ? [] : [{ type: 'measure' as const, id: measureId }]),
      ...[...new Set(fields)].map((id) => ({ type: 'field' as const, id })),
      ...(conditions.some(({ expression }) => expression !== undefined)
        ? [{ type: 'model' as const, id: modelId }]
        : []),
    ],
  };
}
