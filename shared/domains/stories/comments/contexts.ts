import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable, StrictObject, StringEnum, TaggedUnion } from '../../../platform/http/schemas.ts';
import { PartId } from '../../boards/dashboards/index.ts';

const MAX_QUOTE = 1_000;
const MAX_CONTEXT = 64;

const Part = Type.Unsafe<string>({ ...PartId, description: 'The id of the part.' });

const Value = Nullable(Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]));

/** The values of a mark of a chart by the name of its column. */
const Row = Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Value, {
  minProperties: 1,
  maxProperties: 20,
  description: 'The values of the row, by column name.',
});

export const Quote = StrictObject(
  {
    exact: Type.String({ minLength: 1, maxLength: MAX_QUOTE, description: 'The quoted text, without formatting.' }),
    prefix: Type.Optional(Type.String({ maxLength: MAX_CONTEXT, description: 'The text before the quote.' })),
    suffix: Type.Optional(Type.String({ maxLength: MAX_CONTEXT, description: 'The text after the quote.' })),
  },
  { $id: 'CommentQuote', description: 'A quoted text, as a text quote selector of the W3C.' },
);

const text = { sectionId: Part, blockId: Part, quote: Quote };

const contexts = {
  object: StrictObject({ kind: Type.Literal('object') }, { $id: 'CommentOnObject', description: 'The object itself.' }),
  card: StrictObject(
    { kind: Type.Literal('card'), cardId: Part },
    { $id: 'CommentOnCard', description: 'A card of a dashboard.' },
  ),
  block: StrictObject(
    { kind: Type.Literal('block'), blockId: Part, sectionId: Type.Optional(Part) },
    { $id: 'CommentOnBlock', description: 'A block of a report or story.' },
  ),
  section: StrictObject(
    { kind: Type.Literal('section'), sectionId: Part },
    { $id: 'CommentOnSection', description: 'A section of a story.' },
  ),
  field: StrictObject(
    { kind: Type.Literal('field'), fieldId: Part },
    { $id: 'CommentOnField', description: 'A field of a model.' },
  ),
  point: StrictObject(
    { kind: Type.Literal('point'), cardId: Type.Optional(Part), blockId: Type.Optional(Part), row: Row },
    { $id: 'CommentOnPoint', description: 'A mark of the chart of a card or block.' },
  ),
  text: StrictObject(
    { kind: Type.Literal('text'), ...text },
    { $id: 'CommentOnText', description: 'A quote from a section of a story.' },
  ),
  suggestion: StrictObject(
    {
      kind: Type.Literal('suggestion'),
      ...text,
      replacement: Type.String({ maxLength: 10_000, description: 'The plain text that should replace the quote.' }),
    },
    {
      $id: 'CommentSuggestion',
      description: 'A quote from a section of a story, and the text that should replace it.',
    },
  ),
};

export const CommentContext = TaggedUnion('kind', Object.values(contexts), {
  $id: 'CommentContext',
  description:
    'What the comment is about: the object itself, a part of the object, a mark of a chart, or a quoted text.',
});
export type CommentContext = {
  [K in keyof typeof contexts]: Static<(typeof contexts)[K]>;
}[keyof typeof contexts];

/** What readers see: the row of a point is null for those who may not see its values. */
export const ShownContext = TaggedUnion(
  'kind',
  Object.entries(contexts).map(([kind, context]) =>
    kind === 'point'
      ? Type.Object(
          { ...contexts.point.properties, row: Nullable(Row) },
          {
            $id: 'CommentOnPointShown',
            description:
              'A mark of a chart; `row` is null while the rows of the chart are protected, or if the chart reads other data now.',
          },
        )
      : context,
  ),
  { $id: 'ShownCommentContext', description: 'What the comment is about.' },
);
export type ShownContext =
  | Exclude<CommentContext, { kind: 'point' }>
  | (Omit<Extract<CommentContext, { kind: 'point' }>, 'row'> & {
      row: Record<string, string | number | boolean | null> | null;
    });

export type TextContext = Extract<CommentContext, { kind: 'text' | 'suggestion' }>;

export const ANCHOR_STATES = ['anchored', 'moved', 'orphaned'] as const;
export const Anchor = Type.Object(
  {
    state: StringEnum(ANCHOR_STATES, {
      description:
        '`anchored`: the thread is where it was written; `moved`: its quote was found elsewhere or was reworded; `orphaned`: the part or quote that it is about no longer exists. An orphaned thread is anchored again when the part or quote comes back.',
    }),
    score: Nullable(
      Type.Number({ description: 'The similarity of the found text to the quote, up to 1; null for other contexts.' }),
    ),
    text: Nullable(
      Type.String({ description: 'The quoted text as it is now; null for other contexts and for orphaned threads.' }),
    ),
  },
  { $id: 'CommentAnchor', description: 'The current place of a thread.' },
);
export type Anchor = Static<typeof Anchor>;

/** The part that a context names; undefined for the object itself. */
export function partOf(context: CommentContext): { type: string; id: string } | undefined {
  switch (context.kind) {
    case 'object':
      return undefined;
    case 'card':
      return { type: 'card', id: context.cardId };
    case 'field':
      return { type: 'field', id: context.fieldId };
    case 'section':
    case 'text':
    case 'suggestion':
      return { type: 'section', id: context.sectionId };
    case 'point':
      return context.cardId === undefined
        ? { type: 'block', id: context.blockId ?? '' }
        : { type: 'card', id: context.cardId };
    default:
      return { type: 'block', id: context.blockId };
  }
}

/** The context of a comment on a part. */
export function contextOf(type: string, id: string): CommentContext {
  switch (type) {
    case 'card':
      return { kind: 'card', cardId: id };
    case 'field':
      return { kind: 'field', fieldId: id };
    case 'section':
      return { kind: 'section', sectionId: id };
    default:
      return { kind: 'block', blockId: id };
  }
}

export const isTextContext = (context: CommentContext): context is TextContext =>
  context.kind === 'text' || context.kind === 'suggestion';
