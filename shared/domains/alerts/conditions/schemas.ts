import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, StrictObject, StringEnum, TaggedUnion } from '../../../platform/http/schemas.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import { CardFilter } from '../../boards/cards/index.ts';
import { ChartSpec } from '../../boards/charts/index.ts';
import { PartId } from '../../boards/dashboards/index.ts';
import { QuestionFilter } from '../../semantics/questions/index.ts';
import { REDUCERS } from './reduce.ts';
import { NO_DATA_RULES } from './state-machine.ts';
import { OPERATORS, VALUE_OPERATORS } from './zones.ts';

export const SOURCE_KINDS = ['savedQuery', 'card', 'model', 'dataset', 'blend'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

const { source: _source, params, ...question } = ChartSpec.properties.query.properties;
const { dimensions, measures, filters, resultFilters, sort, limit, joinType } = question;

export const AlertQuery = StrictObject(
  { dimensions, measures, filters, resultFilters, sort, limit, joinType },
  {
    $id: 'AlertQuery',
    description:
      'The query of a model, dataset or blend. By default, the reduced column, grouped by the column of `by`.',
  },
);

export const AlertSource = StrictObject(
  {
    kind: StringEnum(SOURCE_KINDS),
    id: Type.Unsafe<string>({ ...PartId, description: 'The id of the saved query, card, model, dataset or blend.' }),
    dashboardId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'For cards: the id of the dashboard.' })),
    params,
    query: Type.Optional(AlertQuery),
    filters: Type.Optional(
      Type.Array(CardFilter, { maxItems: 50, description: 'For cards: the filters of the dashboard to apply.' }),
    ),
  },
  { $id: 'AlertSource', description: 'Where the rows of the condition come from.' },
);
export type AlertSource = Static<typeof AlertSource>;

const number = Type.Number({ minimum: -1e300, maximum: 1e300 });
const pair = Type.Array(number, { minItems: 2, maxItems: 2, description: 'The lower and the upper end.' });

const Threshold = Type.Union(
  [
    number,
    pair,
    StrictObject({ ref: Type.Literal('target') }, { description: 'For metrics: the value of the target.' }),
  ],
  {
    $id: 'AlertThreshold',
    description:
      'A number, or two numbers for `between` and `outside`. For changes, the size of the change; for `unusual`, the distance from the usual value in robust standard deviations, 3.5 by default.',
  },
);

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description }));

const common = {
  operator: StringEnum(OPERATORS, {
    description:
      'How to compare the value: a value equal to the threshold is not `gt`. `increases_by`, `decreases_by` and `changes_by` compare it with one earlier value, and `unusual` with several; `is_behind_target` checks the pace of a metric.',
  }),
  threshold: Type.Optional(Threshold),
  recover: Type.Optional(
    StrictObject(
      { operator: StringEnum(VALUE_OPERATORS), threshold: Type.Union([number, pair]) },
      {
        $id: 'AlertRecovery',
        description:
          'What the value must meet for the alert to recover; by default, the alert recovers when the condition is not met. Values in between change nothing, so the alert does not flap.',
      },
    ),
  ),
  compare: Type.Optional(
    StrictObject(
      {
        to: StringEnum(['previous_period', 'previous_run', 'same_period_last_year'], {
          description: 'The earlier value. Only metrics have periods.',
        }),
        unit: Type.Optional(
          StringEnum(['absolute', 'percent'], {
            description: '`percent` by default. A percentage change from zero counts as no value.',
          }),
        ),
      },
      { $id: 'AlertComparison', description: 'What a change is computed from.' },
    ),
  ),
  for: count('How many evaluations in a row must meet the condition before it fires; 1 by default.'),
  recoverFor: count('How many evaluations in a row must not meet the condition before it recovers; 1 by default.'),
  noData: Type.Optional(
    StringEnum(NO_DATA_RULES, {
      description:
        'What to do without a value: `keep` the state (the default), or evaluate as if the condition were not met (`ok`) or met (`alert`).',
    }),
  ),
};

const groupLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, description: 'The largest number of groups; 100 by default.' }),
);

const AlertGroups = StrictObject(
  {
    column: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A column of the rows; for a model without a `query`, or a metric, the id of a field of the model.',
    }),
    limit: groupLimit,
  },
  {
    $id: 'AlertGroups',
    description: 'A column whose values divide the rows into groups, each with its own state.',
  },
);

export const FieldCondition = StrictObject(
  {
    kind: Type.Literal('field'),
    source: AlertSource,
    column: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A column of the rows. For a model without a `query`, the id of a field; for a dataset, the name of a column.',
    }),
    reduce: StringEnum(REDUCERS, {
      description:
        'How to compute one value from the rows, in their order. `count` counts rows, including those without a value; for a model or dataset without a `query`, it counts the values of the column. `any_row` fires if any row meets the condition.',
    }),
    by: Type.Optional(AlertGroups),
    ...common,
  },
  { $id: 'AlertFieldCondition', description: 'A condition on a column of rows.' },
);
export type FieldCondition = Static<typeof FieldCondition>;

export const MetricCondition = StrictObject(
  {
    kind: Type.Literal('metric'),
    metricId: Id,
    grain: Type.Optional(StringEnum(GRAINS, { description: 'The periods; by default those of the metric.' })),
    filters: Type.Optional(
      Type.Array(QuestionFilter, { maxItems: 20, description: 'Filters in addition to those of the metric.' }),
    ),
    includePartial: Type.Optional(
      Type.Boolean({ description: 'Whether to check the current, incomplete period; false by default.' }),
    ),
    by: Type.Optional(AlertGroups),
    settle: Type.Optional(
      StrictObject(
        {
          minutes: Type.Integer({
            minimum: 0,
            maximum: 1_440,
            description: 'How long after its end a period is still left out; 0 by default.',
          }),
        },
        {
          $id: 'AlertSettling',
          description: 'How long to wait for late rows of a period. Until then, the period before is the newest.',
        },
      ),
    ),
    ...common,
  },
  { $id: 'AlertMetricCondition', description: 'A condition on the value of a metric.' },
);
export type MetricCondition = Static<typeof MetricCondition>;

export const AlertCondition = TaggedUnion('kind', [FieldCondition, MetricCondition], {
  $id: 'AlertCondition',
  description: 'When an alert fires.',
});
export type AlertCondition = FieldCondition | MetricCondition;
