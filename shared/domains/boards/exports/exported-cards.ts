import { wantedCards } from '../cards/index.ts';
import type { CardRecord, DashboardParts } from '../dashboards/index.ts';
import type { ExportOptions } from './export-command.ts';

export interface ExportedPage {
  name: string;
  cards: CardRecord[];
}

/** The wanted cards by page, in the order in which they are read: from the top, and from the left within a row. */
export function exportedPages(
  parts: DashboardParts,
  wanted: Pick<ExportOptions, 'pageId' | 'cardIds'>,
): ExportedPage[] {
  const cards = wantedCards(parts, wanted);
  const first = parts.pages[0]?.id ?? null;
  if (first === null) return [{ name: '', cards: inReadingOrder(cards) }];
  const isNamed = wanted.pageId !== undefined || wanted.cardIds !== undefined;
  return parts.pages
    .filter(({ isHidden }) => isNamed || !isHidden)
    .map((page) => ({
      name: page.name,
      cards: inReadingOrder(cards.filter(({ pageId }) => (pageId ?? first) === page.id)),
    }))
    .filter((page) => page.cards.length > 0);
}

const inReadingOrder = (cards: readonly CardRecord[]): CardRecord[] =>
  [...cards].sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
