import {
  type CardDeps,
  cardOf,
  type DrawDeps,
  drawCardRows,
  drilledLook,
  type Reading,
  rowsOf,
  seenParts,
} from '../../../../shared/domains/boards/cards/index.ts';
import type { Content } from '../../../../shared/platform/http/content.ts';
import type { DrawCard } from '../schemas.ts';

/** Draws the card as the caller may see it. */
export async function drawCard(
  deps: CardDeps & DrawDeps,
  { id, cardId, width, height, theme, hiddenSeries, ...reading }: Reading & DrawCard & { id: string; cardId: string },
): Promise<Content> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  const { drill, principal } = reading;
  const lookFor = drill && (() => drilledLook(deps, card, reading, drill));
  const place = { workspaceId: principal.workspaceId, theme: parts.theme, lookFor };
  return drawCardRows(deps, card, () => rowsOf(deps, parts, card, reading), {
    ...place,
    image: { width, height, ...(theme && { theme }), ...(hiddenSeries && { hiddenSeries }) },
  });
}
