import {
  type CardDeps,
  cardOf,
  type DrawDeps,
  type Reading,
  seenParts,
} from '../../../../shared/domains/boards/cards/index.ts';
import type { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { type NoticeDeps, openedCardText } from '../../common/card-results.ts';

/** Throws `CARD_WITHOUT_ROWS`, and what `readChart` throws. */
export async function readCard(
  deps: CardDeps & DrawDeps & NoticeDeps,
  { id, cardId, ...reading }: Reading & { id: string; cardId: string },
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  return openedCardText(deps, { card: cardOf(parts, cardId), parts }, reading, { cardId });
}
