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

export interface ReadResults {
  /** The id of the dashboard. */
  id: string;
  parts: DashboardParts;
  cards: readonly CardRecord[];
  reading: Reading;
  /** What all rows may have together. A card beyond it fails. */
  maxBytes: number;
  requestId: string;
  onError(error: unknown): void;
}

export interface CardReply {
  cardId: string;
  /** A `CardResult` as JSON. */
  text: string;
  isFailed: boolean;
}

/** Reads several cards and passes on the result of each as soon as it is ready: its rows, or why it has none. */
export async function readResults(
  deps: CardDeps,
  { id, parts, cards, reading, maxBytes, requestId, onError }: ReadResults,
  take: (reply: CardReply) => Promise<void> | void,
): Promise<void> {
  let bytes = 0;
  const resultOf = async (card: CardRecord, rows: Promise<CardRows>): Promise<CardReply> => {
    const cardId = card.id;
    try {
      const about = { card, workspaceId: reading.principal.workspaceId, about: { cardId } };
      const { text } = await cardText(deps, { ...about, rows: await rows });
      bytes += Buffer.byteLength(text);
      if (bytes > maxBytes) throw new AppError('RESULT_TOO_LARGE', { detail: TOO_LARGE });
      return { cardId, text: JsonText.of({ cardId, problem: null }, { data: text }).text, isFailed: false };
    } catch (error) {
      if (!(error instanceof AppError)) onError(error);
      const path = `/api/dashboards/${id}/cards/${cardId}/data`;
      const { body } = renderProblem(error, { path, requestId });
      return { cardId, text: JsonText.of({ cardId, data: null }, { problem: body }).text, isFailed: true };
    }
  };
  await readEach(deps, { parts, cards, reading }, async (card, rows) => take(await resultOf(card, rows)));
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
  deps: ChartDeps & DrawDeps,
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
  const about = { ...named, drillDown, image };
  if (drill) return rowsText({ ...about, aiSummary: null }, rows);
  return cardText(deps, { card, rows, workspaceId: principal.workspaceId, about });
}
