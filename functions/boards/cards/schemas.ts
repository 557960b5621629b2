import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  CardResult,
  CardSummary,
  drawingProperties,
  ReadCard,
  readingProperties,
  wantedProperties,
} from '../../../shared/domains/boards/cards/index.ts';
import { ChartSpec } from '../../../shared/domains/boards/charts/index.ts';
import { cardProperties, PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { valuesProperties } from '../../../shared/domains/semantics/questions/index.ts';
import { Id, idParams, Nullable, Timestamp } from '../../../shared/platform/http/schemas.ts';

export const DashboardParams = idParams('dashboard');
export const CardParams = Type.Object({
  ...DashboardParams.properties,
  cardId: Type.Unsafe<string>({ ...PartId, description: 'The id of the card.' }),
});

export const FilterParams = Type.Object({
  ...DashboardParams.properties,
  filterId: Type.String({ format: 'uuid', description: 'The id of the filter.' }),
});

export const MAX_CARDS = 50;

export const ReadCards = Type.Object(
  {
    ...wantedProperties(MAX_CARDS),
    ...readingProperties,
  },
  { $id: 'ReadCards', description: 'Which cards to read, and how.' },
);
export type ReadCards = Static<typeof ReadCards>;

export const DrawCard = Type.Object(
  {
    ...readingProperties,
    drill: ReadCard.properties.drill,
    ...drawingProperties,
  },
  { $id: 'DrawCard', description: 'How to draw a card.' },
);
export type DrawCard = Static<typeof DrawCard>;

const { selection: _selection, ...readingValues } = readingProperties;
export const ReadFilterValues = Type.Object(
  {
    ...readingValues,
    ...valuesProperties,
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
    truncated: Type.Boolean({ description: 'Whether there are further values.' }),
    asOf: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'When the values were read; null if no card has them.' }),
    ),
  },
  {
    $id: 'DashboardFilterValues',
    description:
      'The values that a filter can take: those of rows in ascending order, those of a parameter of a model in its own.',
  },
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

export const SummarizedCard = Type.Object(
  { cardId: PartId, aiSummary: CardSummary },
  { $id: 'SummarizedCard', description: 'The new summary of a card.' },
);
export type SummarizedCard = Static<typeof SummarizedCard>;

export const CardsData = Type.Object(
  {
    cards: Type.Array(CardResult),
  },
  {
    $id: 'CardsData',
    description: 'The cards with rows, in their order. A card that fails does not affect the others.',
  },
);
