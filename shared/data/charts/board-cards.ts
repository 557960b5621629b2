import type { ChartLink, ChartLook } from './chart-look.ts';
import { showsLatest } from './latest-rows.ts';

/** What pages need to know of a card to fill it; its query stays where it is. */
export interface FilledCard {
  id: string;
  chartSpec: Pick<ChartLook, 'mark' | 'layer'> | null;
  hasRows: boolean;
  /** Whether its rows have a time zone of their own, as those of a metric. */
  hasOwnZone?: boolean;
  /** Whether the reader may select rows of the card and drill into them. Readers of links may not. */
  isExplorable?: boolean;
  /** Whether the reader may choose the length of its periods. */
  hasGrains?: boolean;
  /** Where its marks and rows lead. */
  links?: readonly ChartLink[] | undefined;
}

/** How a script fills a card: with a picture, or with a table of the rows. Undefined for cards without rows. */
export function fillOf({ chartSpec, hasRows }: Pick<FilledCard, 'chartSpec' | 'hasRows'>) {
  if (chartSpec) return chartSpec.mark.type === 'table' && !chartSpec.layer ? ('table' as const) : ('chart' as const);
  return hasRows ? ('table' as const) : undefined;
}

/** The cards with rows as the script needs them, with the columns that a chart chooses for a table. */
export function cardConfigs(cards: readonly FilledCard[]) {
  return cards.flatMap((card) => {
    const fill = fillOf(card);
    const { id, chartSpec, isExplorable, hasGrains, links, hasOwnZone } = card;
    const columns = chartSpec?.mark.type === 'table' ? chartSpec.mark.columns : undefined;
    const hasLatest = chartSpec ? showsLatest(chartSpec) : false;
    return fill ? [{ id, fill, columns, isExplorable, hasGrains, links, hasOwnZone, hasLatest }] : [];
  });
}

/** What can be done with the rows of a chart: only those of models and datasets are selected and drilled into. */
export function explorationOf(kind: string | undefined) {
  const isExplorable = kind === 'model' || kind === 'dataset';
  const hasOwnZone = kind === 'metric';
  return { isExplorable, hasOwnZone, hasGrains: isExplorable || hasOwnZone };
}

/** A place on the grid of 24 columns. */
export interface CardPlace {
  x: number;
  y: number;
  w: number;
  h: number;
}

/**
 * The cards in reading order, with their rows. Rows that no card covers are left out: a page has no end of empty space.
 */
export function placedCards<Card extends { position: CardPlace }>(
  cards: readonly Card[],
): { card: Card; row: number }[] {
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
