import {
  type CardDeps,
  type CardRows,
  cardOf,
  type DrawDeps,
  drilledLook,
  imageBeside,
  nextLevels,
  queryOf,
  type Reading,
  rowsOf,
  seenParts,
  withMapWarnings,
} from '../../../shared/domains/cards/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { summaryFor } from './card-summary.ts';

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
  if (drill) return textOf(cardId, rows, { drillDown, image, aiSummary: null });
  const aiSummary = await summaryFor(deps, { ...principal, card, rows });
  return textOf(cardId, withMapWarnings(card, rows), { drillDown, image, aiSummary });
}

export async function cardText(
  deps: CardDeps,
  card: CardRecord,
  rows: CardRows,
  { workspaceId }: Principal,
): Promise<JsonText> {
  const aiSummary = await summaryFor(deps, { workspaceId, card, rows });
  return textOf(card.id, withMapWarnings(card, rows), { aiSummary });
}

const textOf = (cardId: string, { rowsJson, ...about }: CardRows, more: object): JsonText =>
  JsonText.of({ cardId, ...about, ...more }, { rows: rowsJson });
