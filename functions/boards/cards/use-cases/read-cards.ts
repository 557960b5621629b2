import {
  type CardDeps,
  hasRows,
  type Reading,
  seenParts,
  wantedCards,
} from '../../../../shared/domains/boards/cards/index.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { MAX_RESULTS_BYTES, type NoticeDeps, readResults } from '../../common/card-results.ts';
import { MAX_CARDS, type ReadCards } from '../schemas.ts';

export interface ReadMany extends Reading, Pick<ReadCards, 'pageId' | 'cardIds'> {
  id: string;
  requestId: string;
  onError(error: unknown): void;
}

/** Cards with the same query and filters are read once. */
export async function readCards(
  deps: CardDeps & NoticeDeps,
  { id, pageId, cardIds, requestId, onError, ...reading }: ReadMany,
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const cards = wantedCards(parts, { pageId, cardIds }).filter(hasRows).slice(0, MAX_CARDS);
  const texts = new Map<string, string>();
  await readResults(
    deps,
    { id, parts, cards, reading, maxBytes: MAX_RESULTS_BYTES, requestId, onError },
    ({ cardId, text }) => void texts.set(cardId, text),
  );
  return JsonText.of({}, { cards: `[${cards.map((card) => texts.get(card.id)).join(',')}]` });
}
