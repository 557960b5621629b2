import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, StrictObject } from '../../platform/http/schemas.ts';
import { PartId } from '../dashboards/index.ts';
import { queryOptions } from '../queries/index.ts';
import { QuestionFilter } from '../questions/index.ts';

export const CardFilter = StrictObject(
  {
    filterId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'A filter of the dashboard; it applies to its linked cards.' }),
    ),
    fieldId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'The id of a field of a model, or the name of a column of a dataset, without a filter.',
      }),
    ),
    op: QuestionFilter.properties.op,
    values: QuestionFilter.properties.values,
  },
  {
    $id: 'CardFilter',
    description:
      'What a reader has chosen: the values of a filter of the dashboard, of a field of a model, or of a column of a dataset.',
  },
);
export type CardFilter = Static<typeof CardFilter>;

export const CardSelection = StrictObject(
  {
    cardId: Type.Unsafe<string>({ ...PartId, description: 'The card in which the reader has clicked.' }),
    values: Type.Record(
      Type.String(),
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()]),
      {
        minProperties: 1,
        maxProperties: 20,
        description: 'The values of dimensions in the row that was clicked, by the names of their columns.',
      },
    ),
  },
  {
    $id: 'CardSelection',
    description:
      'A bar, point or row that the reader has clicked on. It restricts the other cards whose source has the fields; a period or a range stands for all values in it.',
  },
);
export type CardSelection = Static<typeof CardSelection>;

export const readingProperties = {
  filters: Type.Array(CardFilter, { maxItems: 50, default: [], description: 'All of them must hold.' }),
  selection: Type.Optional(CardSelection),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The IANA name of the time zone of periods; by default UTC, and for metrics their own.',
    }),
  ),
  timeoutMs: queryOptions.timeoutMs,
  maxAgeSeconds: queryOptions.maxAgeSeconds,
};

export const ReadCard = Type.Object(readingProperties, {
  $id: 'ReadCard',
  description: 'How to read the rows of a card.',
});
export type ReadCard = Static<typeof ReadCard>;
