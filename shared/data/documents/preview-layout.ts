import type { DocumentCard } from './documents.ts';

/** In pixels: what applications that preview links show in full. */
export const PREVIEW = { width: 1200, height: 630 } as const;

/** A card in a preview, in rows of the grid from the upper end of the first card. */
export interface PreviewCard<C> {
  card: C;
  top: number;
  rows: number;
}

/** About a row of numbers and a row of charts. */
const ROWS = 10;
/** A chart that is lower than this shows nothing. */
const MIN_ROWS = 4;

/**
 * The cards at the beginning of a page. A card that does not fit in whole is lower, as long as it can still be
 * recognized.
 */
export function previewCards<C extends Pick<DocumentCard, 'position'>>(cards: readonly C[]): PreviewCard<C>[] {
  const start = Math.min(...cards.map(({ position }) => position.y));
  return cards.flatMap((card) => {
    const { y, h } = card.position;
    const top = y - start;
    const rows = Math.min(h, ROWS - top);
    return rows < Math.min(h, MIN_ROWS) ? [] : [{ card, top, rows }];
  });
}
