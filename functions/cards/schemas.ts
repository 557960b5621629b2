import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ThemeTokens } from '../../shared/data/charts/theme.ts';
import { readingProperties } from '../../shared/domains/cards/index.ts';
import { ChartSpec } from '../../shared/domains/charts/index.ts';
import { cardProperties, PartId } from '../../shared/domains/dashboards/index.ts';
import { MeasureFormat } from '../../shared/domains/models/index.ts';
import { Problem } from '../../shared/platform/http/problem.ts';
import { Id, idParams, Nullable, StringEnum, Timestamp } from '../../shared/platform/http/schemas.ts';
import { PERIOD_GRAINS } from '../../shared/platform/schedule/periods.ts';

export const DashboardParams = idParams('dashboard');
export const CardParams = Type.Object({
  ...DashboardParams.properties,
  cardId: Type.Unsafe<string>({ ...PartId, description: 'The id of the card.' }),
});

export const FilterParams = Type.Object({
  ...DashboardParams.properties,
  filterId: Type.String({ format: 'uuid', description: 'The id of the filter.' }),
});

const MAX_CARDS = 50;

export const ReadCards = Type.Object(
  {
    pageId: Type.Optional(Type.Unsafe<string>({ ...PartId, description: 'Only the cards of this page.' })),
    cardIds: Type.Optional(
      Type.Array(PartId, { minItems: 1, maxItems: MAX_CARDS, uniqueItems: true, description: 'Only these cards.' }),
    ),
    ...readingProperties,
  },
  { $id: 'ReadCards', description: 'Which cards to read, and how.' },
);
export type ReadCards = Static<typeof ReadCards>;

export const DrawCard = Type.Object(
  {
    ...readingProperties,
    width: Type.Integer({ minimum: 80, maximum: 4000, default: 640, description: 'In pixels.' }),
    height: Type.Integer({ minimum: 60, maximum: 4000, default: 400, description: 'In pixels.' }),
    theme: Type.Optional(ThemeTokens),
  },
  { $id: 'DrawCard', description: 'How to draw a card.' },
);
export type DrawCard = Static<typeof DrawCard>;

const { selection: _selection, ...readingValues } = readingProperties;
export const ReadFilterValues = Type.Object(
  {
    ...readingValues,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Returns only texts that contain this; case matters.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  },
  {
    $id: 'ReadFilterValues',
    description: 'Which values of a filter to list. The values of other filters narrow the list.',
  },
);
export type ReadFilterValues = Static<typeof ReadFilterValues>;

export const FilterValues = Type.Object(
  {
    values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    truncated: Type.Boolean({ description: 'Whether there are more values than `limit`.' }),
    asOf: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'When the values were read; null if no card has them.' }),
    ),
  },
  { $id: 'DashboardFilterValues', description: 'The values that a filter can take, in ascending order.' },
);
export type FilterValues = Static<typeof FilterValues>;

export const CreateCardFromQuery = Type.Object(
  {
    savedQueryId: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'The saved query to show. It runs with the default values of its parameters.',
      }),
    ),
    query: Type.Optional(ChartSpec.properties.query),
    title: Type.Optional(
      Type.Unsafe<string>({
        ...cardProperties.title,
        description: 'The title of the card; by default, the name of the saved query or metric.',
      }),
    ),
    position: Type.Optional(cardProperties.position),
    pageId: Type.Optional(
      Type.Unsafe<string>({ ...PartId, description: 'The page of the card; by default, the first page.' }),
    ),
  },
  {
    $id: 'CreateDashboardCardFromQuery',
    description:
      'What a new card shows: a saved query, or the `query` of a chart. The platform chooses a chart that fits the rows. Without `position`, the card is placed below the other cards of its page.',
  },
);
export type CreateCardFromQuery = Static<typeof CreateCardFromQuery>;

export const CardColumn = Type.Object(
  {
    name: Type.String(),
    role: StringEnum(['dimension', 'measure']),
    type: Type.String({ description: 'Such as `string`, `integer`, `decimal`, `number`, `date` or `datetime`.' }),
    format: Nullable(Type.Union([Type.String(), MeasureFormat], { description: 'How to show the values.' })),
    fieldId: Type.Optional(Type.String()),
    measureId: Type.Optional(Id),
    grain: Type.Optional(StringEnum(PERIOD_GRAINS)),
    binWidth: Type.Optional(Type.Number({ description: 'The width of the ranges whose beginnings are the values.' })),
  },
  { $id: 'CardColumn', description: 'A column of the rows of a card.' },
);

const CardSummary = Type.Object(
  {
    text: Type.String(),
    generatedAt: Timestamp,
    model: Type.String({ description: 'The language model that wrote the summary.' }),
    isStale: Type.Boolean({
      description: 'Whether the rows differ from the summarized ones, because they have changed or are filtered.',
    }),
  },
  { $id: 'CardSummary', description: 'A summary of the rows of a card, written by a language model.' },
);
export type CardSummary = Static<typeof CardSummary>;

export const SummarizedCard = Type.Object(
  { cardId: PartId, aiSummary: CardSummary },
  { $id: 'SummarizedCard', description: 'The new summary of a card.' },
);
export type SummarizedCard = Static<typeof SummarizedCard>;

export const CardData = Type.Object(
  {
    cardId: PartId,
    columns: Type.Array(CardColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether there are more rows than the limit of the chart.' }),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the rows were computed.' }),
    cache: StringEnum(['hit', 'shared', 'miss'], {
      description:
        '`hit`: the rows were cached; `shared`: they were computed for another card or request at the same time; `miss`: they were computed for this card.',
    }),
    timezone: Type.String(),
    ignoredFilters: Type.Array(Type.String(), {
      description: 'The fields of filters that do not apply, because the source of the card does not have them.',
    }),
    warnings: Type.Array(Type.String()),
    drillDown: Type.Optional(
      Type.Array(
        Type.Object(
          { column: Type.String(), to: Type.String({ description: 'The column that `drill` puts in its place.' }) },
          { $id: 'CardDrillDown', description: 'A dimension with a next level.' },
        ),
        { description: 'Where `drill` with `nextLevel` leads; only for a single card that is not drilled into.' },
      ),
    ),
    aiSummary: Nullable(CardSummary),
  },
  {
    $id: 'CardData',
    description:
      'The rows of a card that the caller may see. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, datetimes are in the time zone.',
  },
);
export type CardData = Static<typeof CardData>;

export const CardsData = Type.Object(
  {
    cards: Type.Array(
      Type.Object(
        { cardId: PartId, data: Nullable(CardData), problem: Nullable(Problem) },
        { $id: 'CardResult', description: 'The rows of a card, or why it has none.' },
      ),
    ),
  },
  {
    $id: 'CardsData',
    description: 'The cards with rows, in their order. A card that fails does not affect the others.',
  },
);
