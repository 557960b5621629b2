import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';
import { TIME_GRAINS } from '../../../platform/schedule/fiscal-calendar.ts';
import { AGGREGATIONS, ParameterChoice } from '../models/index.ts';
import { queryOptions } from '../queries/index.ts';

export const FILLS = ['null', 'zero', 'previous'] as const;
export type Fill = (typeof FILLS)[number];
export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_null',
  'not_null',
  'last_n',
  'this',
  'prev',
  'in_period',
] as const;
export type Operator = (typeof OPERATORS)[number];

const label = Type.Optional(
  Type.Unsafe<string>({ ...Name, description: 'The name of the column; by default that of the field or measure.' }),
);
const expression = (example: string, needs = '; needs a `label`') =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 10_000, description: `Such as \`${example}\`${needs}.` }));
const fieldId = Type.Optional(Id);

export const QuestionDimension = StrictObject(
  {
    fieldId,
    expression: expression('UPPER([customers.region])'),
    label,
    grain: Type.Optional(
      StringEnum(TIME_GRAINS, {
        description:
          'Groups dates by their period. Weeks begin on Monday; fiscal periods are those of the calendar of the model.',
      }),
    ),
    bin: Type.Optional(
      StrictObject(
        {
          width: Type.Number({ exclusiveMinimum: 0 }),
          origin: Type.Optional(Type.Number({ description: 'Where a bin begins; 0 by default.' })),
        },
        { $id: 'QuestionBin', description: 'Groups numbers by ranges of equal width, named by where they begin.' },
      ),
    ),
    fill: Type.Optional(
      StringEnum(FILLS, {
        description:
          'Adds the periods without rows within the range of the filters. Their measures are null, 0, or those of the period before. Requires `grain`, and is allowed for one dimension.',
      }),
    ),
  },
  { $id: 'QuestionDimension', description: 'What to group by: a field of the model, or an expression over its rows.' },
);

export const QuestionMeasure = StrictObject(
  {
    measureId: Type.Optional(Id),
    fieldId,
    aggregation: Type.Optional(
      StringEnum(AGGREGATIONS.filter((each) => each !== 'none') as Exclude<(typeof AGGREGATIONS)[number], 'none'>[], {
        description: 'How to combine the values of the field; by default as the field says.',
      }),
    ),
    expression: expression('SUM([orders.amount]) / 100'),
    label,
  },
  {
    $id: 'QuestionMeasure',
    description: 'What to compute: a measure of the model, an aggregated field, or an expression.',
  },
);

const FilterValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);
const values = Type.Array(FilterValue, {
  maxItems: 1000,
  default: [],
  description:
    'One value; two for `between`; any number for `in` and `not_in`; none for `is_null` and `not_null`. `last_n` takes a number and a grain (`[7, "day"]`), `this` a grain, `prev` a grain or a number and a grain, and `in_period` any date of a period and its grain (`["2026-02-01", "fiscal_quarter"]`).',
});
const op = StringEnum(OPERATORS, {
  description:
    '`ne`, `not_in` and `not_contains` keep rows without a value. `last_n` ends with the current period, `prev` before it; both count in the time zone of the question.',
});

const ignoreCase = Type.Optional(
  Type.Boolean({ description: 'Whether upper and lower case of texts are the same; by default they differ.' }),
);

export const AskedMeasure = StrictObject(
  {
    ...QuestionMeasure.properties,
    hidden: Type.Optional(
      Type.Boolean({ description: 'Whether the measure is only to sort and filter by, and not in the reply.' }),
    ),
  },
  { $id: 'AskedMeasure', description: 'What to compute, and whether to show it.' },
);

export const QuestionFilter = StrictObject(
  {
    fieldId,
    expression: expression("[orders.status] <> 'cancelled'", ', in place of `fieldId`, `op` and `values`'),
    op: Type.Optional(op),
    values,
    ignoreCase,
  },
  {
    $id: 'QuestionFilter',
    description: 'A condition on rows: a field with `op` and `values`, or an expression that is true or false.',
  },
);

export const QuestionCondition = StrictObject(
  {
    ...QuestionFilter.properties,
    anyOf: Type.Optional(
      Type.Array(QuestionFilter, {
        minItems: 1,
        maxItems: 20,
        description: 'Conditions of which at least one must hold, in place of `fieldId` and `expression`.',
      }),
    ),
  },
  { $id: 'QuestionCondition', description: 'A condition on rows, or several of which at least one must hold.' },
);

/** The conditions of filters, also those of which only one must hold. */
export const conditionsIn = <C extends object>(filters: readonly (C & { anyOf?: readonly C[] | undefined })[]): C[] =>
  filters.flatMap((filter): readonly C[] => filter.anyOf ?? [filter]);

const column = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A dimension or measure of the question, by the name of its column.',
});

export const ResultFilter = StrictObject(
  { column, op, values, ignoreCase },
  { $id: 'QuestionResultFilter', description: 'A condition on groups of the reply.' },
);

export const QuestionSort = StrictObject(
  { column, direction: StringEnum(['asc', 'desc'], { default: 'asc' }) },
  { $id: 'QuestionSort', description: 'A column to sort by. Nulls come last in both directions.' },
);

const parameters = Type.Optional(
  Type.Record(Type.String({ maxLength: 63 }), ParameterChoice, {
    maxProperties: 50,
    description: 'Values of parameters of the model, by name; by default those that the model says.',
  }),
);

export const questionProperties = {
  dimensions: Type.Array(QuestionDimension, { maxItems: 20, default: [] }),
  measures: Type.Array(AskedMeasure, { maxItems: 50, default: [] }),
  filters: Type.Array(QuestionCondition, { maxItems: 50, default: [], description: 'All of them must hold.' }),
  resultFilters: Type.Array(ResultFilter, { maxItems: 20, default: [], description: 'All of them must hold.' }),
  sort: Type.Array(QuestionSort, { maxItems: 20, default: [] }),
  totals: StringEnum(['none', 'grand', 'all'], {
    default: 'none',
    description:
      '`grand` adds a total over all rows, `all` also subtotals of each leading part of the dimensions. Totals are computed from the rows, so they are right for ratios and distinct counts too.',
  }),
  parameters,
  limit: queryOptions.limit,
  timezone: queryOptions.timezone,
};

export const MAX_PIVOT_GROUPS = 100;

export const Pivot = StrictObject(
  {
    columns: Type.Array(column, {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      description: 'The dimensions whose values stand beside each other, by the names of their columns.',
    }),
    maxGroups: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: MAX_PIVOT_GROUPS,
      description: 'The maximum number of groups of columns. Questions with more are rejected.',
    }),
  },
  { $id: 'QuestionPivot', description: 'Which dimensions of the answer become groups of columns.' },
);
export type PivotInput = Static<typeof Pivot>;

/** One number of an answer, whose rows are wanted. */
export const rowsProperties = {
  dimensions: Type.Unsafe<Static<typeof QuestionDimension>[]>({
    ...questionProperties.dimensions,
    description: 'The dimensions of the question that the number is from.',
  }),
  measure: QuestionMeasure,
  values: Type.Array(Type.Union([FilterValue, Type.Null()]), {
    maxItems: 20,
    default: [],
    description: 'The values of the dimensions in the row of the number, in their order.',
  }),
  filters: Type.Unsafe<Static<typeof QuestionCondition>[]>({
    ...questionProperties.filters,
    description: 'The filters of the question.',
  }),
  columns: Type.Array(QuestionDimension, {
    maxItems: 100,
    default: [],
    description: 'What to show of each row; by default the visible fields of the table that the measure reads.',
  }),
  parameters,
  limit: queryOptions.limit,
  timezone: queryOptions.timezone,
};
/** A filter with its place in the request that it comes from; by default that in the question. */
type PlacedFilter = Static<typeof QuestionCondition> & { pointer?: string };
type WithPlaces<T> = Omit<T, 'filters'> & { filters: readonly PlacedFilter[] };

const RowsInput = Type.Object(rowsProperties);
export type RowsInput = WithPlaces<Static<typeof RowsInput>>;

/** A question to a model. */
export const QuestionInput = Type.Object(questionProperties);
export type QuestionInput = WithPlaces<Static<typeof QuestionInput>> & {
  /** Whether the rows are read from the end of their order, the last one first. */
  isFromEnd?: boolean;
  /** For a part of another question: the label of the dimension of time of the whole, which the part may lack. */
  time?: string | undefined;
};
