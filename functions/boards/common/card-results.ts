import {
  type CardDeps,
  type CardRows,
  type Reading,
  readEach,
  summaryFor,
  withMapWarnings,
} from '../../../shared/domains/boards/cards/index.ts';
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
      const { text } = await cardText(deps, { card, rows: await rows, workspaceId: reading.principal.workspaceId });
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
export async function cardText(
  deps: CardDeps,
  { card, rows, workspaceId, more }: { card: CardRecord; rows: CardRows; workspaceId: string; more?: object },
): Promise<JsonText> {
  const aiSummary = await summaryFor(deps, { workspaceId, card, rows });
  return rowsText(card.id, withMapWarnings(card, rows), { ...more, aiSummary });
}

export const rowsText = (cardId: string, { rowsJson, ...about }: CardRows, more: object): JsonText =>
  JsonText.of({ cardId, ...about, ...more }, { rows: rowsJson });
