import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  CardFilter,
  CardImage,
  CardResult,
  drawingProperties,
  readingProperties,
} from '../../../shared/domains/boards/cards/index.ts';
import { MAX_CHART_ROWS } from '../../../shared/domains/boards/charts/index.ts';
import { PartId } from '../../../shared/domains/boards/dashboards/index.ts';
import { type GivenParameter, readingReport } from '../../../shared/domains/boards/reports/index.ts';
import { valuesProperties } from '../../../shared/domains/semantics/questions/index.ts';
import {
  AiRatePerHour,
  ContentType,
  EVENT_TYPES,
  type EventType,
  LINK_PREVIEWS,
  LinkPassword,
  LinkToken,
  RlsContext,
  SHARE_TYPES,
  shareProperties,
} from '../../../shared/domains/sharing/shares/index.ts';
import {
  Id,
  idParams,
  Nullable,
  Page,
  SortedListQuery,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

/** Of the rows of one card. A page is printed by the browser. */
const FILE_FORMATS = ['csv'] as const;

const SHARE_STATUSES = ['active', 'expired'] as const;

export const ShareParams = idParams('share link');
export const TokenParams = Type.Object({ token: LinkToken });
export const LinkParams = Type.Object({ id: LinkToken });

export const ShareListQuery = Type.Object({
  ...SortedListQuery.properties,
  status: Type.Optional(StringEnum(SHARE_STATUSES, { description: 'Only links with this status.' })),
  shareType: Type.Optional(StringEnum(SHARE_TYPES, { description: 'Only links of this type.' })),
  contentType: Type.Optional(ContentType),
  contentId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only the links to this content.' })),
});
export type ShareListQuery = Static<typeof ShareListQuery>;

const Preview = StringEnum(LINK_PREVIEWS, {
  description:
    'What other applications may show of the link where it is pasted: nothing, the name and description of the content, or also a picture of its beginning. `picture` is for links of the type `public`; links with a password have `none`.',
});

type EventSchemas = Record<EventType, Type.TInteger>;

export const Share = Type.Object(
  {
    ...shareProperties,
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'The page of the link; only in the reply that creates it.' }),
    ),
    token: Type.Optional(Type.String({ description: 'The token of the link; only in the reply that creates it.' })),
    expiresAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When the link ends; null for never.' })),
    hasPassword: Type.Boolean(),
    allowExport: Type.Boolean({ description: 'Whether readers may download the rows of cards.' }),
    preview: Preview,
    status: StringEnum(SHARE_STATUSES),
    viewCount: Type.Integer({
      minimum: 0,
      description: 'How often the content was opened: once for each visitor and half hour.',
    }),
    lastAccessedAt: Nullable(Timestamp),
    events: Type.Object(
      Object.fromEntries(EVENT_TYPES.map((type) => [type, Type.Integer({ minimum: 0 })])) as EventSchemas,
      {
        $id: 'LinkEvents',
        description:
          'What readers have done since the link was created, as their pages report it. A visitor adds at most one `view` in half an hour.',
      },
    ),
    aiUsedThisHour: Type.Integer({ minimum: 0, description: 'The number of questions in this clock hour.' }),
  },
  { $id: 'Share', description: 'A link that opens a dashboard, a report or a story without a sign-in.' },
);
export type Share = Static<typeof Share>;
export const SharePage = Page(Share);

export const CreateShare = Type.Object(
  {
    contentType: ContentType,
    contentId: Type.Unsafe<string>({ ...Id, description: 'The id of a published dashboard, report or story.' }),
    shareType: StringEnum(SHARE_TYPES),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 256,
        description: 'Required for links of the type `password`, and allowed only for them.',
      }),
    ),
    rlsContext: Type.Optional(RlsContext),
    expiresAt: Type.Optional(
      Type.Unsafe<string>({
        ...Timestamp,
        maxLength: 40,
        description: 'A time in the future; by default, the link does not expire.',
      }),
    ),
    allowExport: Type.Boolean({ default: false, description: 'Whether readers may download the rows of cards.' }),
    preview: Type.Optional(Preview),
  },
  { $id: 'CreateShare', description: 'A new share link. `rls` requires `rlsContext`.' },
);
export type CreateShare = Static<typeof CreateShare>;

export const ShareAi = Type.Object(
  { allowAi: Type.Boolean(), aiRatePerHour: Type.Optional(AiRatePerHour) },
  { $id: 'ShareAi', description: 'Whether readers of the link may ask questions, and how many in an hour.' },
);
export type ShareAi = Static<typeof ShareAi>;

export const OpenContent = Type.Object(
  { password: Type.Optional(LinkPassword) },
  { $id: 'OpenContent', description: 'The password of the link, if it has one.' },
);
export const PasswordQuery = Type.Object({
  password: Type.Optional(
    Type.Unsafe<string>({ ...LinkPassword, deprecated: true, description: 'Deprecated: addresses end up in logs.' }),
  ),
});

const reading = {
  cardId: Type.Unsafe<string>({ ...PartId, description: 'A card of the shared content.' }),
  password: Type.Optional(LinkPassword),
  parameters: Type.Unsafe<GivenParameter[]>({
    ...readingReport.parameters,
    description: 'For links to reports: values of its parameters; the others have their defaults.',
  }),
  filters: Type.Array(CardFilter, {
    maxItems: 50,
    default: [],
    description: 'Conditions on filters of the dashboard, or on fields that the card groups by.',
  }),
  timezone: readingProperties.timezone,
};

export const ReadSharedCard = Type.Object(
  {
    ...reading,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_CHART_ROWS, description: 'The maximum number of rows.' }),
    ),
    distinctColumn: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Returns the values of this column of the card, or of this field of a filter, instead of its rows.',
      }),
    ),
    search: Type.Optional(
      Type.Unsafe<string>({
        ...valuesProperties.search,
        description: 'With `distinctColumn`: returns only texts that contain this, in upper or lower case.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20_000,
        description: 'With `distinctColumn`: how many values to leave out, to continue where an earlier reply ended.',
      }),
    ),
    image: Type.Optional(CardImage),
  },
  { $id: 'ReadSharedCard', description: 'Which card to read, and how.' },
);
export type ReadSharedCard = Static<typeof ReadSharedCard>;

const { password, ...readingOne } = reading;
export const ReadSharedCards = Type.Object(
  {
    password,
    cards: Type.Array(
      StrictObject(
        { ...readingOne, image: Type.Optional(CardImage) },
        { $id: 'SharedCardReading', description: 'A card to read, and how.' },
      ),
      { minItems: 1, maxItems: 50 },
    ),
  },
  { $id: 'ReadSharedCards', description: 'Which cards to read.' },
);
export type ReadSharedCards = Static<typeof ReadSharedCards>;

export const SharedCardsData = Type.Object(
  { cards: Type.Array(CardResult) },
  {
    $id: 'SharedCardsData',
    description: 'The cards, in the order of the request. A card that fails does not affect the others.',
  },
);

export const ReadSharedModelCard = Type.Object(
  {
    ...reading,
    distinctFieldId: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'Returns the values of this field of the card or of a filter, instead of its rows.',
      }),
    ),
  },
  { $id: 'ReadSharedModelCard', description: 'Which card of a model to read, and how.' },
);
export type ReadSharedModelCard = Static<typeof ReadSharedModelCard>;

export const ReadSharedBlock = Type.Object(
  {
    blockId: Type.Unsafe<string>({ ...PartId, description: 'A block of the shared report.' }),
    password: Type.Optional(LinkPassword),
    ...readingReport,
  },
  { $id: 'ReadSharedBlock', description: 'Which block to read, and how.' },
);
export type ReadSharedBlock = Static<typeof ReadSharedBlock>;

export const DrawSharedCard = Type.Object(
  { ...reading, ...drawingProperties },
  { $id: 'DrawSharedCard', description: 'Which card to draw, and how.' },
);
export type DrawSharedCard = Static<typeof DrawSharedCard>;

export const DownloadSharedCard = Type.Object(
  { ...reading, format: StringEnum(FILE_FORMATS, { default: 'csv', description: 'The format of the file.' }) },
  { $id: 'DownloadSharedCard', description: 'Which card to download, and how.' },
);
export type DownloadSharedCard = Static<typeof DownloadSharedCard>;

const Turn = Type.Object(
  { role: StringEnum(['user', 'assistant']), content: Type.String({ minLength: 1, maxLength: 2000 }) },
  { $id: 'AskTurn', description: 'An earlier question or answer.' },
);
export const AskShared = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 2000, description: 'The question.' }),
    password: Type.Optional(LinkPassword),
    history: Type.Array(Turn, { maxItems: 20, default: [], description: 'The conversation so far, oldest first.' }),
  },
  { $id: 'AskShared', description: 'A question about the shared content.' },
);
export type AskShared = Static<typeof AskShared>;

export const SharedAnswer = Type.Object(
  {
    answer: Type.String(),
    cardIds: Type.Array(PartId, { description: 'The cards whose rows were sent with the question.' }),
    remainingThisHour: Type.Integer({ minimum: 0, description: 'The number of questions left in this clock hour.' }),
  },
  { $id: 'SharedAnswer', description: 'The answer of the AI provider.' },
);
export type SharedAnswer = Static<typeof SharedAnswer>;

const LinkEvent = Type.Object(
  {
    type: StringEnum(EVENT_TYPES),
    cardId: Type.Optional(Type.Unsafe<string>({ ...PartId, description: 'The card that the event is about.' })),
  },
  { $id: 'LinkEvent', description: 'What a reader has done, or what failed.' },
);
export const RecordEvents = Type.Object(
  {
    password: Type.Optional(LinkPassword),
    events: Type.Array(LinkEvent, { minItems: 1, maxItems: 50 }),
  },
  { $id: 'RecordEvents', description: 'What happened on the page of a link.' },
);
export type RecordEvents = Static<typeof RecordEvents>;

export const RecordedEvents = Type.Object(
  { recorded: Type.Integer({ minimum: 0 }) },
  { $id: 'RecordedEvents', description: 'How many of the events were counted.' },
);
