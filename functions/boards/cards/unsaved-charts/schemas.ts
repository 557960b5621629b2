import type { Static } from 'typebox';
import * as Type from 'typebox';
import { lookProperties } from '../../../../shared/data/charts/chart-look.ts';
import {
  CardData,
  CardFilter,
  CardImage,
  readingProperties,
  rowsProperties,
} from '../../../../shared/domains/boards/cards/index.ts';
import { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import { QueryParameters } from '../../../../shared/domains/semantics/queries/index.ts';
import { Id, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';

const { filterId: _filterId, ...condition } = CardFilter.properties;
const ChartPreviewFilter = StrictObject(
  {
    ...condition,
    fieldId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The id of a field of a model, or the name of a column of a dataset or saved query.',
    }),
  },
  { $id: 'ChartPreviewFilter', description: 'A condition on the rows of a chart.' },
);

const { timezone, timeoutMs, maxAgeSeconds } = readingProperties;
const image = Type.Optional(CardImage);

export const PreviewChart = Type.Object(
  {
    chartSpec: ChartSpec,
    filters: Type.Array(ChartPreviewFilter, {
      maxItems: 50,
      default: [],
      description: 'Rows must match all of these conditions, as if a reader had chosen them.',
    }),
    timezone,
    timeoutMs,
    maxAgeSeconds,
    image,
  },
  { $id: 'PreviewChart', description: 'A chart that is not saved, and how to read it.' },
);
export type PreviewChart = Static<typeof PreviewChart>;

export const ChartPreview = Type.Object(
  {
    ...rowsProperties,
    image: CardData.properties.image,
    notices: CardData.properties.notices,
  },
  {
    $id: 'ChartPreview',
    description: 'The rows of a chart that the caller may see, as a card with the chart would return them.',
  },
);

export const SuggestCharts = Type.Object(
  {
    query: Type.Optional(ChartSpec.properties.query),
    sql: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 262_144,
        description: 'One SELECT or WITH statement, in place of `query`, for callers who may run queries.',
      }),
    ),
    sourceId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'With `sql`: the data source to read instead of datasets.' }),
    ),
    params: QueryParameters,
    timezone,
    timeoutMs,
    image,
  },
  {
    $id: 'SuggestCharts',
    description: 'The rows to find charts for: the `query` of a chart, or a statement.',
  },
);
export type SuggestCharts = Static<typeof SuggestCharts>;

const SuggestedChart = Type.Object(
  {
    cardType: StringEnum(['chart', 'kpi', 'map', 'table'], { description: 'The type of a card with the chart.' }),
    look: StrictObject(lookProperties, {
      $id: 'SuggestedChartLook',
      description: 'How to draw the rows; beside `version` and `query` it makes a `chartSpec`.',
    }),
    reason: Type.String({ description: 'Why the chart suits the rows, in a sentence.' }),
    image: Type.Optional(Type.String({ description: 'The chart as SVG, if the request asks for it.' })),
  },
  { $id: 'SuggestedChart', description: 'A chart that suits the rows.' },
);

export const SuggestedCharts = Type.Object(
  {
    suggestions: Type.Array(SuggestedChart, { description: 'One to three charts, best first.' }),
    columns: rowsProperties.columns,
    rowCount: rowsProperties.rowCount,
    truncated: rowsProperties.truncated,
    asOf: rowsProperties.asOf,
    warnings: rowsProperties.warnings,
  },
  { $id: 'SuggestedCharts', description: 'Charts that suit the rows that the caller may see.' },
);
