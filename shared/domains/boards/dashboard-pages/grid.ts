import type { CardPlace } from '../../../data/charts/board-cards.ts';

/** The places as rules of a style sheet; ids of cards are made of letters, digits, `_` and `-`. */
export const placeRules = (placed: readonly { card: { id: string; position: CardPlace }; row: number }[]): string =>
  placed
    .map(({ card: { id, position }, row }) => {
      const { x, w, h } = position;
      return `#card-${id}{--x:${x + 1};--w:${w};--y:${row};--h:${h}}`;
    })
    .join('\n');
