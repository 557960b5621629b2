import {
  type CardDeps,
  type CardRows,
  type DrawDeps,
  drilledLook,
  imageBeside,
  nextLevels,
  queryOf,
  type Reading,
  readEach,
  rowsOf,
  summaryFor,
  withMapWarnings,
} from '../../../shared/domains/boards/cards/index.ts';
import type { ChartDeps } from '../../../shared/domains/boards/charts/index.ts';
import type { CardRecord, DashboardParts } from '../../../shared/domains/boards/dashboards/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { renderProblem } from '../../../shared/platform/http/problem.ts';

const TOO_LARGE = 'The cards of the request are too large for one reply. Read this card alone.';

/** Of the reply to a request for several cards. */
export interface Bounds {
  /** What all rows may have together. A card beyond it fails. */
  maxBytes: number;
  requestId: string;
  onError(error: unknown): void;
}

export interface ReadResults extends Bounds {
  /** The id of the dashboard. */
  id: string;
  parts: DashboardParts;
  cards: readonly CardRecord[];
  reading: Reading;
}

/** What the rows of a reply without a stream may have together. It has at most 6 MB. */
export const MAX_RESULTS_BYTES = 4 * 1024 * 1024;

export interface CardReply {
  cardId: string;
  /** A `CardResult` as JSON. */
  text: string;
  isFailed: boolean;
}

export interface NoticeDeps {
  /** Finds which of the sources should no longer be used, and a message for each. */
  deprecatedSources(workspaceId: string, sources: readonly Source[]): Promise<(source: Source) => string | undefined>;
}
type Source = ReturnType<typeof queryOf>['source'];

/** Reads several cards and passes on the result of each as soon as it is ready: its rows, or why it has none. */
export async function readResults(
  deps: CardDeps & NoticeDeps,
  { id, parts, cards, reading, ...bounds }: ReadResults,
  take: (reply: CardReply) => Promise<void> | void,
): Promise<void> {
  const resultOf = resultWriter(bounds);
  const { workspaceId } = reading.principal;
  const noticesOf = await readNotices(deps, workspaceId, cards);
  await readEach(deps, { parts, cards, reading }, async (card, rows) => {
    const cardId = card.id;
    const path = `/api/dashboards/${id}/cards/${cardId}/data`;
    const read = async () =>
      cardText(deps, { card, rows: await rows, workspaceId, about: { cardId, ...noticesOf(card) } });
    await take({ cardId, ...(await resultOf({ cardId }, path, read)) });
  });
}

/** Writes results as JSON: what was read, or the problem that a request for it alone, to `path`, would reply with. */
export function resultWriter({ maxBytes, requestId, onError }: Bounds) {
  let bytes = 0;
  return async (named: object, path: string, read: () => Promise<JsonText>): Promise<Omit<CardReply, 'cardId'>> => {
    try {
      const { text } = await read();
      bytes += Buffer.byteLength(text);
      if (bytes > maxBytes) throw new AppError('RESULT_TOO_LARGE', { detail: TOO_LARGE });
      return { text: JsonText.of({ ...named, problem: null }, { data: text }).text, isFailed: false };
    } catch (error) {
      if (!(error instanceof AppError)) onError(error);
      const { body } = renderProblem(error, { path, requestId });
      return { text: JsonText.of({ ...named, data: null }, { problem: body }).text, isFailed: true };
    }
  };
}

async function readNotices({ deprecatedSources }: NoticeDeps, workspaceId: string, cards: readonly CardRecord[]) {
  const messageOf = await deprecatedSources(
    workspaceId,
    cards.map((card) => queryOf(card).source),
  );
  return (card: CardRecord) => {
    const message = messageOf(queryOf(card).source);
    return message === undefined ? {} : { notices: [{ code: 'DEPRECATED_SOURCE', message }] };
  };
}

/** The rows of a card that is not drilled into, with its summary. */
async function cardText(
  deps: ChartDeps,
  { card, rows, workspaceId, about }: { card: CardRecord; rows: CardRows; workspaceId: string; about: object },
): Promise<JsonText> {
  const aiSummary = await summaryFor(deps, { workspaceId, card, rows });
  return rowsText({ ...about, aiSummary }, withMapWarnings(card, rows));
}

const rowsText = (about: object, { rowsJson, ...rows }: CardRows): JsonText =>
  JsonText.of({ ...about, ...rows }, { rows: rowsJson });

/** A card with the dashboard that it is part of. */
export interface OpenedCard {
  card: CardRecord;
  parts: DashboardParts & { theme: string | null; timezone?: string | null | undefined };
}

/**
 * The rows of one card, with all that its reader asks for. `named` says in the reply whose rows these are. Throws
 * `CARD_WITHOUT_ROWS`, and what `readChart` throws.
 */
export async function openedCardText(
  deps: ChartDeps & DrawDeps & NoticeDeps,
  { card, parts, rows: known }: OpenedCard & { rows?: CardRows },
  { image: wanted, ...reading }: Reading,
  named: object,
): Promise<JsonText> {
  const rows = known ?? (await rowsOf(deps, parts, card, reading));
  const { principal, drill } = reading;
  const drillDown = await nextLevels(deps, { principal, query: queryOf(card) }, drill);
  const image = await imageBeside(deps, card, rows, {
    workspaceId: principal.workspaceId,
    theme: parts.theme,
    image: wanted,
    lookFor: drill && (() => drilledLook(deps, card, reading, drill)),
  });
  const noticesOf = await readNotices(deps, principal.workspaceId, [card]);
  const about = { ...named, drillDown, image, ...noticesOf(card) };
  if (drill) return rowsText({ ...about, aiSummary: null }, rows);
  return cardText(deps, { card, rows, workspaceId: principal.workspaceId, about });
}
