import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ThemeTokens } from '../../../data/charts/theme.ts';
import { Id, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import { queryOptions } from '../../semantics/queries/index.ts';
import { QuestionFilter } from '../../semantics/questions/index.ts';
import { PartId } from '../dashboards/index.ts';

export const CardFilter = StrictObject(
  {
    filterId: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'The id of a filter of the dashboard. It applies to the linked cards of the filter.',
      }),
    ),
    fieldId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'The id of a field of a model, or the name of a column of a dataset or saved query; used instead of `filterId`.',
      }),
    ),
    op: QuestionFilter.properties.op,
    values: QuestionFilter.properties.values,
    ignoreCase: QuestionFilter.properties.ignoreCase,
  },
  {
    $id: 'CardFilter',
    description:
      'A condition that the reader has chosen, on a filter of the dashboard, a field of a model, or a column of a dataset.',
  },
);
export type CardFilter = Static<typeof CardFilter>;

export const CardSelection = StrictObject(
  {
    cardId: Type.Unsafe<string>({ ...PartId, description: 'The card that the reader has clicked in.' }),
    values: Type.Record(
      Type.String(),
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()]),
      {
        minProperties: 1,
        maxProperties: 20,
        description:
          'The dimension values of the selected row, by the `label` of the dimension or, if it has none, by its `fieldId` or `column`.',
      },
    ),
  },
  {
    $id: 'CardSelection',
    description:
      'A bar, point or row that the reader has clicked on. It filters the other cards whose source has the fields; a period or a range selects all values in it.',
  },
);
export type CardSelection = Static<typeof CardSelection>;

export const readingProperties = {
  filters: Type.Array(CardFilter, {
    maxItems: 50,
    default: [],
    description: 'Rows must match all of these conditions.',
  }),
  selection: Type.Optional(CardSelection),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The IANA name of the time zone of periods and times. By default that of the dashboard, then of the workspace, then UTC; metrics use their own time zone.',
    }),
  ),
  timeoutMs: queryOptions.timeoutMs,
  maxAgeSeconds: queryOptions.maxAgeSeconds,
};

/** Which cards of a dashboard to read. */
export const wantedProperties = (maxCards: number) => ({
  pageId: Type.Optional(Type.Unsafe<string>({ ...PartId, description: 'Only the cards of this page.' })),
  cardIds: Type.Optional(
    Type.Array(PartId, { minItems: 1, maxItems: maxCards, uniqueItems: true, description: 'Only these cards.' }),
  ),
});

export const DrillStep = StrictObject(
  {
    to: StringEnum(['nextLevel', 'grain', 'rows'], {
      description:
        '`nextLevel` groups by the next level of a hierarchy of the model, or by a shorter period; `grain` by periods of another length; `rows` lists the rows behind a number, and is the last step.',
    }),
    values: Type.Unsafe<CardSelection['values']>({
      ...CardSelection.properties.values,
      minProperties: 0,
      description: 'The dimension values of the row to drill into, named as in `selection`.',
    }),
    dimension: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'With `nextLevel`: the dimension to replace; by default the last one with a next level. With `grain`: the one with periods; by default the first.',
      }),
    ),
    grain: Type.Optional(StringEnum(GRAINS, { description: 'With `grain`: the length of the periods.' })),
    measure: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 49,
        description: 'With `rows`: the place of the measure in the chart, from 0; by default the first one.',
      }),
    ),
  },
  { $id: 'DrillStep', description: 'A step from a row of a card to its details.' },
);
export type DrillStep = Static<typeof DrillStep>;

export const drawingProperties = {
  width: Type.Integer({ minimum: 80, maximum: 4000, default: 640, description: 'In pixels.' }),
  height: Type.Integer({ minimum: 60, maximum: 4000, default: 400, description: 'In pixels.' }),
  theme: Type.Optional(ThemeTokens),
  hiddenSeries: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 99 }), {
      maxItems: 100,
      uniqueItems: true,
      description:
        'The series that are not drawn, by their places in the legend, from 0. The legend names them, and the others keep their colors.',
    }),
  ),
};

export const CardImage = StrictObject(drawingProperties, {
  $id: 'CardImage',
  description: 'Also returns a picture of the rows as `image`, which takes one request less than drawing the card.',
});
export type CardImage = Static<typeof CardImage>;

export const ReadCard = Type.Object(
  {
    ...readingProperties,
    drill: Type.Optional(
      Type.Array(DrillStep, {
        minItems: 1,
        maxItems: 10,
        description: 'Steps into the details of the card; each continues from the rows of the one before.',
      }),
    ),
    image: Type.Optional(CardImage),
  },
  { $id: 'ReadCard', description: 'How to read the rows of a card.' },
);
export type ReadCard = Static<typeof ReadCard>;
