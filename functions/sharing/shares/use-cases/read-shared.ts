import { fileBaseName } from '../../../../shared/data/documents/file-names.ts';
import {
  type CardImage,
  cardOf,
  type DrawDeps,
  drawCardRows,
  imageBeside,
  queryOf,
} from '../../../../shared/domains/boards/cards/index.ts';
import { blockOf, type GivenParameter, isDataBlock } from '../../../../shared/domains/boards/reports/index.ts';
import {
  type ContentDeps,
  countedBy,
  type EventCounts,
  type LinkEvents,
  type LinkPasswords,
  type LinkQuota,
  type LinkReader,
  type LinkReading,
  type LinkRowsDeps,
  type LinkViews,
  linkRows,
  type PublishedContent,
  partsOfContent,
  publishedContent,
  publishedParts,
  type ResolveLink,
  type SharedContent,
  type SharedLink,
  type ShareRepository,
  sharedContent,
  shownParts,
  type Visitor,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Content } from '../../../../shared/platform/http/content.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { cardCsv } from '../card-csv.ts';
import type {
  DownloadSharedCard,
  DrawSharedCard,
  ReadSharedBlock,
  ReadSharedCard,
  ReadSharedModelCard,
  RecordEvents,
} from '../schemas.ts';

export interface SharedDeps extends LinkRowsDeps, ContentDeps {
  resolve: ResolveLink;
  linkPasswords: LinkPasswords;
  shares: Pick<ShareRepository, 'count'>;
  views: LinkViews;
  events: LinkEvents;
  drawingQuota: LinkQuota;
}

/** What every request of a reader of a link brings. */
export interface Opening {
  token: string;
  password?: string | undefined;
  sourceIp: string;
}

type OpeningReport = Opening & { parameters: readonly GivenParameter[] };

/** Throws `SHARE_NOT_FOUND`. */
export async function getSharedLink(deps: SharedDeps, token: string): Promise<SharedLink> {
  const reader = await deps.resolve(token);
  const { name, theme } = await publishedParts(deps, reader);
  const passwordRequired = reader.passwordHash !== null;
  const { kind, expiresAt, allowExport, allowAi } = reader;
  return {
    contentType: reader.content.type,
    title: passwordRequired ? null : name,
    kind,
    passwordRequired,
    theme: passwordRequired ? null : theme,
    expiresAt,
    allowExport,
    allowAi,
  };
}

/**
 * The reader whom the token and its password stand for, and what the link opens. A link of deleted content replies like
 * an unknown one, so it asks for no password. Throws `SHARE_NOT_FOUND`, `SHARE_PASSWORD` and `TOO_MANY_PASSWORDS`.
 */
export async function openLink(
  deps: SharedDeps,
  { token, ...given }: Opening,
): Promise<{ reader: LinkReader; content: PublishedContent }> {
  const reader = await deps.resolve(token);
  const content = await publishedContent(deps, reader);
  await deps.linkPasswords.check(reader, given);
  return { reader, content };
}

/** Counts a view. Throws what `openLink` throws. */
export async function openContent(
  deps: SharedDeps,
  { userAgent, ...opening }: Opening & Visitor,
): Promise<SharedContent> {
  const { reader, content } = await openLink(deps, opening);
  const parts = await partsOfContent(deps, content);
  await deps.views.count(reader, { sourceIp: opening.sourceIp, userAgent });
  return sharedContent(parts, reader);
}

/** Throws what `openLink` and `linkRows` throw. */
export async function readSharedCard(
  deps: SharedDeps & DrawDeps,
  { cardId, filters, parameters, timezone, limit, distinctColumn, image, ...opening }: Opening & ReadSharedCard,
): Promise<JsonText> {
  const distinct = distinctColumn === undefined ? undefined : { pointer: '/distinctColumn', name: distinctColumn };
  return readRows(deps, { ...opening, parameters }, { cardId, filters, timezone, limit, distinct, image });
}

/** Throws what `openLink` and `linkRows` throw; cards that do not read a model do not exist here. */
export async function readSharedModelCard(
  deps: SharedDeps & DrawDeps,
  { cardId, filters, parameters, timezone, distinctFieldId, ...opening }: Opening & ReadSharedModelCard,
): Promise<JsonText> {
  const distinct = distinctFieldId === undefined ? undefined : { pointer: '/distinctFieldId', name: distinctFieldId };
  return readRows(deps, { ...opening, parameters }, { cardId, filters, timezone, distinct }, 'model');
}

async function readRows(
  deps: SharedDeps & DrawDeps,
  { parameters, ...opening }: OpeningReport,
  { image: wanted, ...reading }: LinkReading & { image?: CardImage | undefined },
  kind?: 'model',
): Promise<JsonText> {
  const { reader, content } = await openLink(deps, opening);
  const parts = await partsOfContent(deps, content, parameters);
  const card = cardOf(parts, reading.cardId);
  if (kind !== undefined && queryOf(card).source.kind !== kind) throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  const rows = await linkRows(deps, parts, reader, reading);
  const place = { workspaceId: reader.workspaceId, theme: parts.theme };
  const image = reading.distinct
    ? undefined
    : await imageBeside(limited(deps, reader), card, rows, { ...place, image: wanted });
  const { rowsJson, ...about } = rows;
  // A summary is written about all rows of the card, of which the reader may see only some.
  return JsonText.of({ cardId: card.id, ...about, image, aiSummary: null }, { rows: rowsJson });
}

/** Throws what `openLink` and `linkRows` throw, in the words of reports, and `REPORT_BLOCK_NOT_FOUND`. */
export async function readSharedBlock(
  deps: SharedDeps,
  { blockId, parameters, filters, ...opening }: Opening & ReadSharedBlock,
): Promise<JsonText> {
  const { reader, content } = await openLink(deps, opening);
  if (!('report' in content)) throw new AppError('REPORT_BLOCK_NOT_FOUND');
  const { report } = content;
  const block = blockOf(report, blockId);
  if (!isDataBlock(block)) throw new AppError('REPORT_BLOCK_WITHOUT_ROWS');
  const parts = shownParts(report, parameters, [block]);
  const rows = linkRows(deps, parts, reader, { cardId: blockId, filters });
  const { rowsJson, ...about } = await rows.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CARD_UNREADABLE') throw error;
    const detail = 'The rows of this block cannot be read. Ask the sender of the link about it.';
    throw new AppError('REPORT_BLOCK_UNREADABLE', { detail, cause: error });
  });
  return JsonText.of({ blockId, ...about }, { rows: rowsJson });
}

/**
 * Without a theme of its own, the picture has that of the dashboard or of the workspace. Throws what `openLink` throws,
 * `DASHBOARD_CARD_NOT_FOUND`, `CARD_WITHOUT_ROWS` and `SHARE_DRAWINGS_SPENT`.
 */
export async function drawSharedCard(
  deps: SharedDeps & DrawDeps,
  { cardId, filters, parameters, timezone, width, height, theme, ...opening }: Opening & DrawSharedCard,
): Promise<Content> {
  const { reader, content } = await openLink(deps, opening);
  const parts = await partsOfContent(deps, content, parameters);
  const card = cardOf(parts, cardId);
  const read = () => linkRows(deps, parts, reader, { cardId, filters, timezone });
  return drawCardRows(limited(deps, reader), card, read, {
    workspaceId: reader.workspaceId,
    theme: parts.theme,
    image: { width, height, ...(theme && { theme }) },
  });
}

/** The rows that the card shows, and no others. Throws what `openLink` and `linkRows` throw, and `SHARE_EXPORT_OFF`. */
export async function downloadSharedCard(
  deps: SharedDeps,
  { cardId, filters, parameters, timezone, format, ...opening }: Opening & DownloadSharedCard,
): Promise<Content> {
  const { reader, content } = await openLink(deps, opening);
  if (!reader.allowExport) throw new AppError('SHARE_EXPORT_OFF');
  const parts = await partsOfContent(deps, content, parameters);
  const { title } = cardOf(parts, cardId);
  const rows = await linkRows(deps, parts, reader, { cardId, filters, timezone });
  await deps.shares.count(countedBy(reader), { events: { export: 1 } });
  const headers = { 'x-truncated': String(rows.truncated) };
  return new Content(cardCsv(rows), { fileName: `${fileBaseName(title, parts.name)}.${format}`, headers });
}

const limited = <D extends SharedDeps & DrawDeps>(deps: D, reader: LinkReader): D => ({
  ...deps,
  admit: () => deps.drawingQuota.take(reader),
});

/** Throws what `openLink` throws. */
export async function recordEvents(
  deps: SharedDeps,
  { events, userAgent, ...opening }: Opening & Visitor & Pick<RecordEvents, 'events'>,
): Promise<{ recorded: number }> {
  const { reader } = await openLink(deps, opening);
  const counts: EventCounts = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return { recorded: await deps.events.count(reader, { sourceIp: opening.sourceIp, userAgent }, counts) };
}
