import type { DocumentCard } from './documents.ts';

/** A card on a sheet of paper, in rows of the grid from its upper end. */
export interface PlacedCard<C extends DocumentCard = DocumentCard> {
  card: C;
  top: number;
  rows: number;
}

/**
 * Distributes cards over sheets of paper, so that none is cut: a card that does not fit begins a new sheet, and one
 * that is higher than a sheet is made lower.
 */
export function paginated<C extends DocumentCard>(
  cards: readonly C[],
  firstRows: number,
  rows: number,
): PlacedCard<C>[][] {
  const sheets: PlacedCard<C>[][] = [];
  let start = 0;
  for (const card of cards) {
    const { y, h } = card.position;
    const capacity = sheets.length <= 1 ? firstRows : rows;
    const current = sheets.at(-1);
    if (current && y - start + Math.min(h, capacity) <= capacity) {
      current.push({ card, top: y - start, rows: Math.min(h, capacity) });
      continue;
    }
    start = y;
    const next = sheets.length === 0 ? firstRows : rows;
    sheets.push([{ card, top: 0, rows: Math.min(h, next) }]);
  }
  return sheets;
}
