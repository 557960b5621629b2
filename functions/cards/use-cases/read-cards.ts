import type { CardRecord, DashboardParts } from '../../../shared/domains/dashboards/index.ts';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { renderProblem } from '../../../shared/platform/http/problem.ts';
import type { ReadCards } from '../schemas.ts';
import { filtersFor } from './card-filters.ts';
import { hasRows, queryOf } from './card-query.ts';
import { type CardDeps, type CardRows, cardText, type Reading, rowsOf } from './read-card.ts';
import { cardOf, seenParts } from './seen-cards.ts';

const CARDS_AT_ONCE = 8;
const MAX_CARDS = 50;
/** A reply has at most 6 MB. */
const MAX_BYTES = 4 * 1024 * 1024;
const TOO_LARGE = 'The cards of the request are too large for one reply. Read this card alone.';

export interface ReadMany extends Reading, Pick<ReadCards, 'pageId' | 'cardIds'> {
  id: string;
  requestId: string;
  onError(error: unknown): void;
}

/** Cards with the same query and filters are read once. */
export async function readCards(
  deps: CardDeps,
  { id, pageId, cardIds, requestId, onError, ...reading }: ReadMany,
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const cards = wantedCards(parts, { pageId, cardIds });
  const known = new Map<string, Promise<CardRows>>();
  const read = (card: CardRecord) => {
    const key = JSON.stringify([queryOf(card), filtersFor(parts, card, reading)]);
    const rows = known.get(key) ?? rowsOf(deps, parts, card, reading);
    known.set(key, rows);
    return rows;
  };
  const texts = new Map<string, string>();
  let bytes = 0;
  await inParallel(CARDS_AT_ONCE, cards, async (card) => {
    const cardId = card.id;
    try {
      const { text } = await cardText(deps, card, await read(card), reading.principal);
      bytes += Buffer.byteLength(text);
      if (bytes > MAX_BYTES) throw new AppError('RESULT_TOO_LARGE', { detail: TOO_LARGE });
      texts.set(cardId, JsonText.of({ cardId, problem: null }, { data: text }).text);
    } catch (error) {
      if (!(error instanceof AppError)) onError(error);
      const path = `/api/dashboards/${id}/cards/${cardId}/data`;
      const { body } = renderProblem(error, { path, requestId });
      texts.set(cardId, JsonText.of({ cardId, data: null }, { problem: body }).text);
    }
  });
  return JsonText.of({}, { cards: `[${cards.map((card) => texts.get(card.id)).join(',')}]` });
}

/** Throws `DASHBOARD_PAGE_NOT_FOUND` and `DASHBOARD_CARD_NOT_FOUND`. */
function wantedCards(parts: DashboardParts, { pageId, cardIds }: Pick<ReadMany, 'pageId' | 'cardIds'>): CardRecord[] {
  if (pageId !== undefined && !parts.pages.some((page) => page.id === pageId))
    throw new AppError('DASHBOARD_PAGE_NOT_FOUND');
  const named = cardIds?.map((cardId) => cardOf(parts, cardId)) ?? parts.cards;
  // Cards without a page are on the first one.
  const first = parts.pages[0]?.id ?? null;
  return named
    .filter((card) => hasRows(card) && (pageId === undefined || (card.pageId ?? first) === pageId))
    .slice(0, MAX_CARDS);
}
