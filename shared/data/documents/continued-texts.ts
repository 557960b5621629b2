import type { DocumentCard } from './documents.ts';
import { splitBlocks } from './pdf-blocks.ts';
import { type PaperCard, textSize, withText } from './pdf-card.ts';
import type { Paper } from './pdf-paper.ts';

interface Grid {
  /** In points. */
  sizeOf(card: DocumentCard): { width: number; height: number };
  /** How many rows of the grid a card of the height needs. */
  rowsOf(height: number): number;
  maxRows: number;
}

/** The cards with their texts, and below them the texts for which a card has no room. */
export function withContinuedTexts(paper: Paper, cards: readonly PaperCard[], grid: Grid): PaperCard[] {
  let below = Math.max(0, ...cards.map(({ position: { y, h } }) => y + h));
  const continued: PaperCard[] = [];
  const shown = cards.map((card): PaperCard => {
    if (card.content.kind === 'chart' || card.content.kind === 'divider') return card;
    const first = withText(paper, card, { box: grid.sizeOf(card), isPage: card.position.h >= grid.maxRows });
    let { rest } = first;
    while (rest.length > 0) {
      const title = card.title === '' ? 'Continued' : `${card.title} (continued)`;
      const highest = { ...card, title, position: { ...card.position, y: below, h: grid.maxRows } };
      const room = textSize(grid.sizeOf(highest), highest);
      const split = splitBlocks(rest, room.height, { isPage: true });
      const frame = grid.sizeOf(highest).height - room.height;
      const h = split.rest.length > 0 ? grid.maxRows : Math.min(grid.maxRows, grid.rowsOf(split.height + frame));
      continued.push({ ...highest, position: { ...highest.position, h }, blocks: split.shown });
      below += h;
      rest = split.rest;
    }
    return first.card;
  });
  return [...shown, ...continued];
}
