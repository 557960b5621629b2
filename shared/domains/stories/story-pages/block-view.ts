import type { LiveBlock } from '../../../data/rich-text/index.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { cardView, type PageCard } from '../../boards/dashboard-pages/index.ts';

/** What a page shows of a live block: a card with the id of the block, or why there is none. */
export interface PagedBlock {
  card?: PageCard;
  problem?: string;
  /** In rows of the grid of dashboards. */
  height: number;
}

/** The frame of a live block, which the script fills. */
export function blockView({ title }: LiveBlock, shown: PagedBlock | undefined, level: number): Html {
  if (shown?.card) return cardView(shown.card, level);
  return html`<div class="card missing">${title !== undefined && html`<p class="missing-title">${title}</p>`}<p class="nothing">${shown?.problem}</p></div>`;
}

/** The heights as rules of a style sheet; ids of blocks are made of letters, digits, `_` and `-`. */
export const blockRules = (blocks: ReadonlyMap<string, PagedBlock>): string[] =>
  [...blocks].flatMap(([id, { card, height }]) => (card ? [`#card-${id}{--h:${height}}`] : []));
