import type { Static } from 'typebox';
import * as Type from 'typebox';
import { JOINS, SIDES } from '../../../data/blends/join-sql.ts';
import { lookProperties } from '../../../data/charts/chart-look.ts';
import { Id, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import {
  AskedMeasure,
  FILLS,
  Pivot,
  QuestionDimension,
  QuestionFilter,
  QuestionSort,
  ResultFilter,
} from '../../semantics/questions/index.ts';
import { ParameterValue } from '../../semantics/saved-queries/index.ts';

export const SOURCE_KINDS = ['model', 'dataset', 'savedQuery', 'metric', 'blend'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Rows beyond it are not a picture any more. */
export const MAX_CHART_ROWS = 5000;

export const ChartSource = StrictObject(
  { kind: StringEnum(SOURCE_KINDS), id: Id },
  { $id: 'ChartSource', description: 'Where the rows of a chart come from.' },
);

const column = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'For datasets and saved queries: the column, in place of `fieldId`.',
  }),
);
const side = Type.Optional(
  StringEnum(SIDES, {
    description:
      'For blends: the side that is meant, where `fieldId` or `measureId` does not decide. Required with an expression.',
  }),
);
const { fill: _fill, ...dimension } = QuestionDimension.properties;

const ChartDimension = StrictObject(
  { ...dimension, fill: QuestionDimension.properties.fill, column, side },
  {
    $id: 'ChartDimension',
    description: 'What to group by: a field of the model or blend, or a column of the dataset.',
  },
);
const ChartMeasure = StrictObject(
  { ...AskedMeasure.properties, column, side },
  { $id: 'ChartMeasure', description: 'What to compute from the rows of each group.' },
);
/** Defaults do not reach into a chart, which may also be absent: what has one is optional. */
const values = Type.Optional(QuestionFilter.properties.values);
const ChartCondition = StrictObject(
  { ...QuestionFilter.properties, values, column, side },
  { $id: 'ChartCondition', description: 'A condition on rows.' },
);
const ChartFilter = StrictObject(
  {
    ...ChartCondition.properties,
    anyOf: Type.Optional(
      Type.Array(ChartCondition, {
        minItems: 1,
        maxItems: 20,
        description: 'Conditions of which at least one must hold, in place of a field and `expression`.',
      }),
    ),
  },
  { $id: 'ChartFilter', description: 'A condition on rows, or several of which at least one must hold.' },
);

const ChartResultFilter = StrictObject(
  { ...ResultFilter.properties, values },
  { $id: 'ChartResultFilter', description: 'A condition on groups.' },
);
const ChartSort = StrictObject(
  {
    ...QuestionSort.properties,
    direction: Type.Optional(StringEnum(['asc', 'desc'], { description: '`asc` by default.' })),
  },
  { $id: 'ChartSort', description: 'A column to sort by. Nulls come last in both directions.' },
);

const ChartPivot = StrictObject(
  {
    columns: Pivot.properties.columns,
    maxGroups: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'The maximum number of groups of columns; 100 by default. A table with more is not shown.',
      }),
    ),
  },
  { $id: 'ChartPivot', description: 'Which dimensions of a table become groups of columns.' },
);

export const RANGE_ENDS = ['from', 'to'] as const;

const ChartBinding = StrictObject(
  {
    fieldId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'What filters of the dashboard name: the id of a field of a model, or the name of a column.',
    }),
    column: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'The column of the result that they filter.' }),
    ),
    parameter: Type.Optional(
      Type.String({ minLength: 1, maxLength: 63, description: 'The parameter that they set, in place of `column`.' }),
    ),
    end: Type.Optional(
      StringEnum(RANGE_ENDS, {
        description: 'Which end of a range the parameter takes. Without it, the parameter takes one value.',
      }),
    ),
  },
  {
    $id: 'ChartBinding',
    description: 'What filters of the dashboard on a field do to a saved query that knows it by another name.',
  },
);

export const ChartQuery = StrictObject(
  {
    source: ChartSource,
    dimensions: Type.Optional(Type.Array(ChartDimension, { maxItems: 20 })),
    measures: Type.Optional(Type.Array(ChartMeasure, { maxItems: 50 })),
    filters: Type.Optional(Type.Array(ChartFilter, { maxItems: 50, description: 'All of them must hold.' })),
    resultFilters: Type.Optional(
      Type.Array(ChartResultFilter, { maxItems: 20, description: 'All of them must hold.' }),
    ),
    sort: Type.Optional(Type.Array(ChartSort, { maxItems: 20 })),
    totals: Type.Optional(
      StringEnum(['none', 'grand', 'all'], {
        description:
          'For tables: `grand` adds a total over all rows, `all` also subtotals of each leading part of the dimensions. `none` by default.',
      }),
    ),
    pivot: Type.Optional(ChartPivot),
    params: Type.Optional(
      Type.Record(Type.String(), ParameterValue, {
        maxProperties: 50,
        description: 'For saved queries and models: values of the parameters, by name.',
      }),
    ),
    bindings: Type.Optional(
      Type.Array(ChartBinding, {
        maxItems: 50,
        description:
          'For saved queries: what filters of the dashboard apply to. Without a binding, a filter sets the parameter with the name of its field, or filters by the column with this name.',
      }),
    ),
    joinType: Type.Optional(
      StringEnum(JOINS, {
        description:
          'For blends: which rows without a match count: those of the left side (`left`, the default), none (`inner`), or all (`full`).',
      }),
    ),
    grain: Type.Optional(
      StringEnum(GRAINS, { description: 'For metrics: the periods; by default those of the metric.' }),
    ),
    fill: Type.Optional(
      StringEnum(FILLS, { description: 'For metrics: the value of periods without rows. `null` by default.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_CHART_ROWS,
        description: `The maximum number of rows. By default 5000 for metrics and for the rows of saved queries, otherwise 1000.`,
      }),
    ),
  },
  {
    $id: 'ChartQuery',
    description:
      'The rows of a chart. Models, datasets and blends are grouped by `dimensions` and `measures`, and so are the rows of a saved query, which returns them as they are without both. A metric returns a value for each period.',
  },
);
export type ChartQuery = Static<typeof ChartQuery>;

export const ChartSpec = StrictObject(
  { version: Type.Literal(1), query: ChartQuery, ...lookProperties },
  {
    $id: 'ChartSpec',
    description:
      'A chart: a query and how to draw its rows. The drawing is a fixed subset of Vega-Lite, without inline data, URLs, expressions and signals.',
  },
);
export type ChartSpec = Static<typeof ChartSpec>;
