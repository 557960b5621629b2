import {
  type CardDeps,
  type CardRows,
  cardOf,
  type Reading,
  rowsOf,
  seenParts,
} from '../../../shared/domains/cards/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';

/** Throws `CARD_WITHOUT_ROWS`, and what `readChart` throws. */
export async function readCard(
  deps: CardDeps,
  { id, cardId, ...reading }: Reading & { id: string; cardId: string },
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  return cardText(card, await rowsOf(deps, parts, card, reading));
}

export const cardText = ({ id }: CardRecord, { rowsJson, ...rows }: CardRows): JsonText =>
  JsonText.of({ cardId: id, ...rows }, { rows: rowsJson });
