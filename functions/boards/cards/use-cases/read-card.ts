import {
  type CardDeps,
  cardOf,
  type DrawDeps,
  drilledLook,
  imageBeside,
  nextLevels,
  queryOf,
  type Reading,
  rowsOf,
  seenParts,
} from '../../../../shared/domains/boards/cards/index.ts';
import type { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { cardText, rowsText } from '../../common/card-results.ts';

/** Throws `CARD_WITHOUT_ROWS`, and what `readChart` throws. */
export async function readCard(
  deps: CardDeps & DrawDeps,
  { id, cardId, image: wanted, ...reading }: Reading & { id: string; cardId: string },
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  const rows = await rowsOf(deps, parts, card, reading);
  const { principal, drill } = reading;
  const drillDown = await nextLevels(deps, { principal, query: queryOf(card) }, drill);
  const image = await imageBeside(deps, card, rows, {
    workspaceId: principal.workspaceId,
    theme: parts.theme,
    image: wanted,
    lookFor: drill && (() => drilledLook(deps, card, reading, drill)),
  });
  if (drill) return rowsText(cardId, rows, { drillDown, image, aiSummary: null });
  return cardText(deps, { card, rows, workspaceId: principal.workspaceId, more: { drillDown, image } });
}
