import type { PageCard } from './card-view.ts';

export interface Placed {
  card: PageCard;
  row: number;
}

/**
 * The cards in reading order, with their rows. Rows that no card covers are left out: a page has no end of empty space.
 */
export function placedCards(cards: readonly PageCard[]): Placed[] {
  const ordered = [...cards].sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  let shift = 0;
  let bottom = 0;
  return ordered.map((card) => {
    const { y, h } = card.position;
    if (y > bottom) {
      shift += y - bottom;
      bottom = y;
    }
    bottom = Math.max(bottom, y + h);
    return { card, row: y - shift + 1 };
  });
}

/** The places as rules of a style sheet; ids of cards are made of letters, digits, `_` and `-`. */
export const placeRules = (placed: readonly Placed[]): string =>
  placed
    .map(({ card: { id, position }, row }) => {
      const { x, w, h } = position;
      return `#card-${id}{--x:${x + 1};--w:${w};--y:${row};--h:${h}}`;
    })
    .join('\n');
