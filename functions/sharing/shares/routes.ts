import { CardData } from '../../../shared/domains/boards/cards/index.ts';
import { BlockData } from '../../../shared/domains/boards/reports/index.ts';
import { SharedContent, SharedLink } from '../../../shared/domains/sharing/shares/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  AskShared,
  CreateShare,
  DownloadSharedCard,
  DrawSharedCard,
  LinkParams,
  OpenContent,
  PasswordQuery,
  ReadSharedBlock,
  ReadSharedCard,
  ReadSharedCards,
  ReadSharedModelCard,
  RecordEvents,
  RecordedEvents,
  Share,
  ShareAi,
  SharedAnswer,
  SharedCardsData,
  ShareListQuery,
  SharePage,
  ShareParams,
  TokenParams,
} from './schemas.ts';

const manage = { permission: 'shares:manage' } as const;

export const listShares = defineRoute({
  operationId: 'listShares',
  method: 'GET',
  path: '/api/shares',
  summary: 'List share links',
  ...manage,
  query: ShareListQuery,
  success: { status: 200, body: SharePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createShare = defineRoute({
  operationId: 'createShare',
  method: 'POST',
  path: '/api/shares',
  summary: 'Create a share link',
  description:
    'Opens the published version of a dashboard, or a published report, to readers without a sign-in. A link of the type `public` or `password` cannot be created if row-level security or sensitivity labels protect what a card reads. The URL is returned only once.',
  ...manage,
  body: CreateShare,
  success: { status: 201, body: Share, versioned: true },
  errors: [
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_NOT_PUBLISHED',
    'REPORT_NOT_FOUND',
    'REPORT_NOT_PUBLISHED',
    'STORY_NOT_FOUND',
    'STORY_NOT_PUBLISHED',
    'RLS_SHARE_REQUIRED',
  ],
  idempotent: true,
  audit: 'share.created',
});

export const deleteShare = defineRoute({
  operationId: 'deleteShare',
  method: 'DELETE',
  path: '/api/shares/{id}',
  summary: 'Delete a share link',
  description: 'The link stops working immediately.',
  ...manage,
  params: ShareParams,
  success: { status: 204, versioned: true },
  errors: ['SHARE_NOT_FOUND'],
  audit: 'share.deleted',
});

export const setShareAi = defineRoute({
  operationId: 'setShareAi',
  method: 'PUT',
  path: '/api/shares/{id}/ai',
  summary: 'Set Ask-AI of a share link',
  description:
    'Lets the readers of the link ask the AI provider about the rows that they see, and limits their questions in an hour.',
  ...manage,
  params: ShareParams,
  body: ShareAi,
  success: { status: 200, body: Share, versioned: true },
  errors: ['SHARE_NOT_FOUND'],
  audit: 'share.updated',
});

const reader = { permission: 'public', params: TokenParams } as const;
/** The errors of every operation that a password protects. */
const OPENING = ['SHARE_NOT_FOUND', 'SHARE_PASSWORD', 'TOO_MANY_PASSWORDS'] as const;

export const getSharedLink = defineRoute({
  operationId: 'getSharedLink',
  method: 'GET',
  // Operations with an id have their parameter in the same place, so this one has the same name.
  path: '/api/shares/{id}',
  summary: 'Get what a link opens',
  description:
    'For the page of a link, before a password is given. Links that are unknown, expired or deleted all reply 404.',
  ...reader,
  params: LinkParams,
  success: { status: 200, body: SharedLink },
  errors: ['SHARE_NOT_FOUND'],
});

const content = {
  ...reader,
  success: { status: 200, body: SharedContent },
  errors: [...OPENING],
} as const;

export const openSharedContent = defineRoute({
  operationId: 'openSharedContent',
  method: 'POST',
  path: '/api/shares/{token}/content',
  summary: 'Open shared content',
  description: 'The pages, cards and filters of the published version, without queries and sources. Counts a view.',
  body: OpenContent,
  optionalBody: true,
  ...content,
});

export const getSharedContent = defineRoute({
  operationId: 'getSharedContent',
  method: 'GET',
  path: '/api/shares/{token}/content',
  summary: 'Get shared content',
  description: 'Like POST. A password in the address is deprecated, because addresses end up in logs.',
  query: PasswordQuery,
  ...content,
});

const READING = [
  ...OPENING,
  'DASHBOARD_CARD_NOT_FOUND',
  'CARD_WITHOUT_ROWS',
  'RLS_SHARE_REQUIRED',
  'SHARE_QUERIES_SPENT',
] as const;

export const readSharedCard = defineRoute({
  operationId: 'readSharedCard',
  method: 'POST',
  path: '/api/shares/{token}/card-data',
  summary: 'Read the rows of a shared card',
  description:
    'Runs the query of the card with the rows and columns that the link may show, and with its locked filters. Readers can filter only by filters of the dashboard and by fields that the card groups by.',
  ...reader,
  body: ReadSharedCard,
  success: { status: 200, body: CardData },
  errors: [...READING, 'CARD_UNREADABLE'],
});

export const readSharedCards = defineRoute({
  operationId: 'readSharedCards',
  method: 'POST',
  path: '/api/shares/{token}/cards-data',
  summary: 'Read the rows of many shared cards',
  description:
    'Reads the cards that are named, at most 50, as `card-data` reads each of them. The link is opened once for all. A card that fails has a problem instead of rows; if the rows of all are too large for one reply, read the rest alone.',
  ...reader,
  body: ReadSharedCards,
  success: { status: 200, body: SharedCardsData },
  errors: [...OPENING],
});

export const readSharedModelCard = defineRoute({
  operationId: 'readSharedModelCard',
  method: 'POST',
  path: '/api/shares/{token}/model-card-data',
  summary: 'Read a shared card of a model',
  description: 'Like `card-data`, for cards that read a model: fields are named by their ids. Other cards reply 404.',
  ...reader,
  body: ReadSharedModelCard,
  success: { status: 200, body: CardData },
  errors: [...READING, 'CARD_UNREADABLE'],
});

export const readSharedBlock = defineRoute({
  operationId: 'readSharedBlock',
  method: 'POST',
  path: '/api/shares/{token}/report-block-data',
  summary: 'Read the rows of a shared block',
  description:
    'Runs the query of the block of a report with the rows and columns that the link may show, with its locked filters and with the values of the parameters. Readers can filter only by fields that the block groups by.',
  ...reader,
  body: ReadSharedBlock,
  success: { status: 200, body: BlockData },
  errors: [
    ...OPENING,
    'REPORT_BLOCK_NOT_FOUND',
    'REPORT_BLOCK_WITHOUT_ROWS',
    'RLS_SHARE_REQUIRED',
    'SHARE_QUERIES_SPENT',
    'REPORT_BLOCK_UNREADABLE',
  ],
});

export const drawSharedCard = defineRoute({
  operationId: 'drawSharedCard',
  method: 'POST',
  path: '/api/shares/{token}/card-image',
  summary: 'Draw a shared card as SVG',
  description:
    'Draws the chart, the number or the table of the card from the rows that the link may show. If the card cannot be read, the image shows the reason. The readers of a link can have at most 3,600 pictures drawn in a clock hour; stored ones do not count.',
  ...reader,
  body: DrawSharedCard,
  success: { status: 200, contentTypes: ['image/svg+xml'] },
  errors: [...OPENING, 'DASHBOARD_CARD_NOT_FOUND', 'CARD_WITHOUT_ROWS', 'SHARE_DRAWINGS_SPENT'],
});

export const downloadSharedCard = defineRoute({
  operationId: 'downloadSharedCard',
  method: 'POST',
  path: '/api/shares/{token}/card-file',
  summary: 'Export the rows of a shared card',
  description:
    'Returns the rows that the card shows to the reader as a CSV file, if the link or the token allows downloads. Texts that a spreadsheet would run as formulas begin with an apostrophe.',
  ...reader,
  body: DownloadSharedCard,
  success: {
    status: 200,
    contentTypes: ['text/csv'],
    headers: { 'X-Truncated': '`true` when the card has more rows than the file.' },
  },
  errors: [...READING, 'CARD_UNREADABLE', 'SHARE_EXPORT_OFF'],
});

export const askShared = defineRoute({
  operationId: 'askShared',
  method: 'POST',
  path: '/api/shares/{token}/ask',
  summary: 'Send a question about shared content',
  description:
    'Sends the question and at most 50 rows of each card to the AI provider: those that the link may show, and no others. The number of questions in a clock hour is limited; questions that do not reach the provider do not count.',
  ...reader,
  body: AskShared,
  success: { status: 200, body: SharedAnswer },
  errors: [...OPENING, 'SHARE_AI_OFF', 'SHARE_AI_SPENT', 'AI_NOT_CONFIGURED', 'AI_ANSWER_REJECTED', 'AI_UNAVAILABLE'],
});

export const recordSharedEvents = defineRoute({
  operationId: 'recordSharedEvents',
  method: 'POST',
  path: '/api/shares/{token}/events',
  summary: 'Save usage events of a link',
  description:
    'Counts what readers do on the page of a link, at most 50 events at once. A visitor adds at most one `view` in half an hour and 500 other events in a clock hour; of a request that exceeds the 500, only the `view` is counted.',
  ...reader,
  body: RecordEvents,
  success: { status: 200, body: RecordedEvents },
  errors: [...OPENING],
});
