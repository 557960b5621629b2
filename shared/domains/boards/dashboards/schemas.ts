import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { ChartSpec } from '../charts/index.ts';

export const STAGES = ['draft', 'review', 'production'] as const;
export const CARD_TYPES = ['chart', 'table', 'pivot', 'kpi', 'text', 'image', 'map', 'metric', 'divider'] as const;
export const FILTER_TYPES = [
  'select',
  'multi_select',
  'date_range',
  'relative_date',
  'number_range',
  'text',
  'boolean',
] as const;
export type FilterType = (typeof FILTER_TYPES)[number];

/** The columns of the grid on which cards lie. */
export const GRID_COLUMNS = 24;

/** An id of a page or a card, which clients may choose, so that they can build dashboards without a connection. */
export const PartId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description: 'Letters, digits, `_` and `-`; starts with a letter or a digit.',
});

const stamps = {
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const MAX_JSON_TEXT = 65_536;
const jsonText = (description: string) => Nullable(Type.String({ maxLength: MAX_JSON_TEXT, description }));

/** What belongs to a dashboard beside its parts. The JSON texts are those of a client, and are kept as they are. */
export const bodyProperties = {
  layout: jsonText('JSON text of the client about the arrangement, at most 64 KiB; returned as it was sent.'),
  theme: jsonText('JSON text about colors and fonts, such as `{"themeId":"…"}`, at most 64 KiB.'),
  filterState: jsonText('JSON text with the initial values of filters, at most 64 KiB.'),
  timezone: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The IANA name of the time zone of its cards, unless the reader chooses another; null for that of the workspace.',
    }),
  ),
};
const DashboardBody = Type.Object(bodyProperties);
export type DashboardBody = Static<typeof DashboardBody>;

export const dashboardProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Type.String({ maxLength: 2000 }),
};

export const Counts = Type.Object(
  {
    pages: Type.Integer({ minimum: 0 }),
    cards: Type.Integer({ minimum: 0 }),
    filters: Type.Integer({ minimum: 0 }),
  },
  { $id: 'DashboardCounts', description: 'The number of parts of a dashboard.' },
);
export type Counts = Static<typeof Counts>;

export const Position = StrictObject(
  {
    x: Type.Integer({ minimum: 0, maximum: GRID_COLUMNS - 1 }),
    y: Type.Integer({ minimum: 0, maximum: 100_000 }),
    w: Type.Integer({ minimum: 1, maximum: GRID_COLUMNS }),
    h: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  {
    $id: 'CardPosition',
    description: 'The place of a card on a grid of 24 columns: `x` + `w` is at most 24. Cards may overlap.',
  },
);
export type Position = Static<typeof Position>;

export const pageProperties = {
  name: Name,
  isHidden: Type.Boolean({ description: 'Whether the page is left out of the navigation.' }),
};
const PageRecord = Type.Object({ id: PartId, ...pageProperties, ...stamps });
/** Its place among the pages is in the content of the dashboard. */
export type PageRecord = Static<typeof PageRecord> & { request?: string };

export const cardProperties = {
  cardType: StringEnum(CARD_TYPES),
  title: Type.String({ maxLength: 200 }),
  description: Type.String({ maxLength: 2000 }),
  position: Position,
  chartSpec: Nullable(ChartSpec),
  savedQueryId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The saved query whose rows the card shows.' })),
  textContent: Nullable(Type.String({ maxLength: 20_000, description: 'The text of a card of type `text`.' })),
  imageUrl: Nullable(
    Type.String({ maxLength: 2048, pattern: '^https://[^\\s]+$', description: 'Where the image of the card is.' }),
  ),
  value: Nullable(Type.String({ maxLength: 1000, description: 'A fixed value, such as a headline of a `kpi`.' })),
  pageId: Nullable(Type.Unsafe<string>({ ...PartId, description: 'The page of the card; null for the first page.' })),
};
const CardContent = Type.Object(cardProperties);
/** What a card shows, and where. */
export type CardContent = Static<typeof CardContent>;
const CardRecord = Type.Object({ id: PartId, ...cardProperties, ...stamps });
export type CardRecord = Static<typeof CardRecord> & {
  request?: string;
  /** Shown with the rows that it is about, to those who may see them. */
  aiSummary?: { text: string; generatedAt: string; model: string; dataHash: string; subject: string };
};

export const filterProperties = {
  fieldId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The id of a field of a model, or the name of a column of a dataset or saved query.',
  }),
  filterType: StringEnum(FILTER_TYPES),
  label: Type.String({ maxLength: 200 }),
  defaultValue: Nullable(
    Type.String({
      maxLength: 4096,
      description:
        'JSON text: a value for `select`, `text` and `boolean`, a list for `multi_select`, `{"from","to"}` for `date_range`, `{"op","n","unit"}` for `relative_date`, `{"min","max"}` for `number_range`.',
    }),
  ),
  linkedCardIds: Type.Array(PartId, {
    maxItems: 200,
    uniqueItems: true,
    description: 'The cards that the filter applies to; every card with the field if empty.',
  }),
};
const FilterRecord = Type.Object({ id: Id, ...filterProperties, ...stamps });
export type FilterRecord = Static<typeof FilterRecord> & { request?: string };

export const GATE_CODES = [
  'CARD_EMPTY',
  'SAVED_QUERY_MISSING',
  'SAVED_QUERY_INVALID',
  'SOURCE_MISSING',
  'CHART_SPEC_INVALID',
  'DATA_QUALITY_LOW',
] as const;
export const BookmarkState = StrictObject(
  {
    pageId: Type.Optional(Nullable(PartId)),
    filters: Type.Optional(
      Type.Object({}, { additionalProperties: true, maxProperties: 100, description: 'Values of filters by id.' }),
    ),
    sort: Type.Optional(
      Type.Object({}, { additionalProperties: true, maxProperties: 200, description: 'The order of cards by id.' }),
    ),
    cardState: Type.Optional(
      Type.Object({}, { additionalProperties: true, maxProperties: 200, description: 'Other state of cards by id.' }),
    ),
    timezone: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 64, description: 'The IANA name of the time zone of the cards.' }),
      ),
    ),
  },
  {
    $id: 'BookmarkState',
    description: 'What a reader has chosen: page, filters, order and state of cards, and the time zone.',
  },
);

export const bookmarkProperties = {
  name: Name,
  state: BookmarkState,
  isDefault: Type.Boolean({
    description:
      'Whether the dashboard opens with it. A user has at most one default, and all users share at most one.',
  }),
  isPersonal: Type.Boolean({ description: 'Whether only the user who created it sees it.' }),
};
export const bookmarkRecord = { id: Id, dashboardId: Id, ...bookmarkProperties, ...stamps };
const BookmarkRecord = Type.Object(bookmarkRecord);
export type Bookmark = Static<typeof BookmarkRecord>;

export const partStamps = stamps;
