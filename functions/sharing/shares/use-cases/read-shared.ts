import { fileBaseName } from '../../../../shared/data/documents/file-names.ts';
import {
  type CardImage,
  type DrawDeps,
  drawCardRows,
  imageBeside,
  queryOf,
} from '../../../../shared/domains/boards/cards/index.ts';
import { blockOf, type GivenParameter, isDataBlock } from '../../../../shared/domains/boards/reports/index.ts';
import {
  countedBy,
  type EventCounts,
  type LinkEvents,
  type LinkParts,
  type LinkQuota,
  type LinkReader,
  type LinkReading,
  type LinkRowsDeps,
  type LinkViews,
  linkRows,
  type OpenDeps,
  type OpenedCard,
  type Opening,
  openedCard,
  openLink,
  openSharedCard,
  openSharedParts,
  type PublishedContent,
  partsOfContent,
  publishedParts,
  type SharedContent,
  type SharedLink,
  type ShareRepository,
  sharedContent,
  showParts,
  type Visitor,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Content } from '../../../../shared/platform/http/content.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { MAX_RESULTS_BYTES, resultWriter } from '../../../boards/common/card-results.ts';
import { cardCsv } from '../card-csv.ts';
import type {
  DownloadSharedCard,
  DrawSharedCard,
  ReadSharedBlock,
  ReadSharedCard,
  ReadSharedCards,
  ReadSharedModelCard,
  RecordEvents,
} from '../schemas.ts';

export interface SharedDeps extends LinkRowsDeps, OpenDeps {
  shares: Pick<ShareRepository, 'count'>;
  views: LinkViews;
  events: LinkEvents;
  drawingQuota: LinkQuota;
}

type CardReading = Omit<LinkReading, 'cardId'> & { image?: CardImage | undefined };

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

/** Counts a view. Throws what `openSharedParts` throws. */
export async function openContent(
  deps: SharedDeps,
  { userAgent, ...opening }: Opening & Visitor,
): Promise<SharedContent> {
  const { reader, parts } = await openSharedParts(deps, opening);
  await deps.views.count(reader, { sourceIp: opening.sourceIp, userAgent });
  return sharedContent(parts, reader);
}

/** Throws what `openSharedCard` and `linkRows` throw. */
export async function readSharedCard(
  deps: SharedDeps & DrawDeps,
  { distinctColumn, search, offset, ...request }: Opening & ReadSharedCard,
): Promise<JsonText> {
  if (distinctColumn === undefined) assertAbsent({ search, offset });
  const distinct =
    distinctColumn === undefined ? undefined : { pointer: '/distinctColumn', name: distinctColumn, search, offset };
  return replyWithRows(deps, await openSharedCard(deps, request), { ...request, distinct });
}

/** Throws `VALIDATION_FAILED` for what has an effect on values only. */
function assertAbsent(ofValues: Pick<ReadSharedCard, 'search' | 'offset'>): void {
  const errors = Object.entries(ofValues).flatMap(([name, value]) =>
    value === undefined ? [] : [{ pointer: `/${name}`, code: 'CONFLICT', message: 'needs `distinctColumn`' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

const AT_ONCE = 8;

/** The link is opened once for all cards; one that fails does not affect the others. Throws what `openLink` throws. */
export async function readSharedCards(
  deps: SharedDeps & DrawDeps,
  {
    cards,
    requestId,
    onError,
    ...opening
  }: Opening & ReadSharedCards & { requestId: string; onError(error: unknown): void },
): Promise<JsonText> {
  const { reader, content } = await openLink(deps, opening);
  const partsFor = partsOnce(deps, content, reader);
  const resultOf = resultWriter({ maxBytes: MAX_RESULTS_BYTES, requestId, onError });
  const texts = new Map<number, string>();
  await inParallel(AT_ONCE, [...cards.entries()], async ([index, { cardId, parameters, ...asked }]) => {
    const { text } = await resultOf({ cardId }, `/api/shares/${opening.token}/card-data`, async () => {
      const opened = openedCard(deps, { reader, parts: await partsFor(parameters), cardId });
      return replyWithRows(deps, opened, asked);
    });
    texts.set(index, text);
  });
  return JsonText.of({}, { cards: `[${cards.map((_, index) => texts.get(index)).join(',')}]` });
}

/** What the link opens, read once for the same values of parameters. */
function partsOnce(deps: SharedDeps, content: PublishedContent, reader: LinkReader) {
  const known = new Map<string, Promise<LinkParts>>();
  return (parameters: readonly GivenParameter[] = []): Promise<LinkParts> => {
    const key = JSON.stringify(parameters);
    const parts = known.get(key) ?? partsOfContent(deps, content, reader, parameters);
    known.set(key, parts);
    return parts;
  };
}

/** Throws what `openSharedCard` and `linkRows` throw; cards that do not read a model do not exist here. */
export async function readSharedModelCard(
  deps: SharedDeps & DrawDeps,
  { distinctFieldId, ...request }: Opening & ReadSharedModelCard,
): Promise<JsonText> {
  const distinct = distinctFieldId === undefined ? undefined : { pointer: '/distinctFieldId', name: distinctFieldId };
  const opened = await openSharedCard(deps, request);
  if (queryOf(opened.card).source.kind !== 'model') throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  return replyWithRows(deps, opened, { ...request, distinct });
}

async function replyWithRows(
  deps: SharedDeps & DrawDeps,
  { reader, parts, card, readRows }: OpenedCard,
  { filters, timezone, limit, distinct, image: wanted }: CardReading,
): Promise<JsonText> {
  const rows = await readRows({ filters, timezone, limit, distinct });
  const place = { workspaceId: reader.workspaceId, theme: parts.theme };
  const image = distinct
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
  const parts = showParts(report, parameters, [block]);
  const rows = linkRows(deps, parts, reader, { cardId: blockId, filters });
  const { rowsJson, ...about } = await rows.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CARD_UNREADABLE') throw error;
    const detail = 'The rows of this block cannot be read. Ask the sender of the link about it.';
    throw new AppError('REPORT_BLOCK_UNREADABLE', { detail, cause: error });
  });
  return JsonText.of({ blockId, ...about }, { rows: rowsJson });
}

/**
 * Without a theme of its own, the picture has that of the dashboard or of the workspace. Throws what `openSharedCard`
 * and `linkRows` throw, and `SHARE_DRAWINGS_SPENT`.
 */
export async function drawSharedCard(
  deps: SharedDeps & DrawDeps,
  { filters, timezone, width, height, theme, hiddenSeries, ...opening }: Opening & DrawSharedCard,
): Promise<Content> {
  const { reader, parts, card, readRows } = await openSharedCard(deps, opening);
  return drawCardRows(limited(deps, reader), card, () => readRows({ filters, timezone }), {
    workspaceId: reader.workspaceId,
    theme: parts.theme,
    image: { width, height, ...(theme && { theme }), ...(hiddenSeries && { hiddenSeries }) },
  });
}

/**
 * The rows that the card shows, and no others. Throws what `openSharedCard` and `linkRows` throw, and
 * `SHARE_EXPORT_OFF`.
 */
export async function downloadSharedCard(
  deps: SharedDeps,
  { filters, timezone, format, ...opening }: Opening & DownloadSharedCard,
): Promise<Content> {
  const { reader, parts, card, readRows } = await openSharedCard(deps, opening);
  if (!reader.allowExport) throw new AppError('SHARE_EXPORT_OFF');
  const rows = await readRows({ filters, timezone });
  await deps.shares.count(countedBy(reader), { events: { export: 1 } });
  const headers = { 'x-truncated': String(rows.truncated) };
  return new Content(cardCsv(rows), { fileName: `${fileBaseName(card.title, parts.name)}.${format}`, headers });
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
