import {
  type CardDeps,
  type CardRows,
  cardOf,
  type Reading,
  rowsOf,
  seenParts,
} from '../../../shared/domains/cards/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { summaryFor } from './card-summary.ts';

/** Throws `CARD_WITHOUT_ROWS`, and what `readChart` throws. */
export async function readCard(
  deps: CardDeps,
  { id, cardId, ...reading }: Reading & { id: string; cardId: string },
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  return cardText(deps, card, await rowsOf(deps, parts, card, reading), reading.principal);
}

export async function cardText(
  deps: CardDeps,
  card: CardRecord,
  rows: CardRows,
  { workspaceId }: Principal,
): Promise<JsonText> {
  const { rowsJson, ...about } = rows;
  const aiSummary = await summaryFor(deps, { workspaceId, card, rows });
  return JsonText.of({ cardId: card.id, ...about, aiSummary }, { rows: rowsJson });
}
