import { AppError } from '../../../platform/errors/app-error.ts';
import { type EditDeps, editParts, type NamedDashboard, partsOf } from './edit.ts';
import { newStamps } from './parts.ts';
import type { DashboardParts, DashboardState } from './records.ts';
import type { CardContent } from './schemas.ts';

export interface AddCard extends NamedDashboard {
  cardId: string;
  /** The same request does not add a second card. */
  requestId: string;
  /** What the card shows, which may depend on the other parts. */
  content(parts: DashboardParts): CardContent | Promise<CardContent>;
}

/**
 * Adds a card at the end. Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_CARD_ID_TAKEN`, `DASHBOARD_PAGE_NOT_FOUND` and
 * `DASHBOARD_TOO_LARGE`.
 */
export function addCard(deps: EditDeps, { cardId, requestId, content, ...named }: AddCard): Promise<DashboardState> {
  return editParts(deps, named, async (parts, act) => {
    const taken = parts.cards.find(({ id }) => id === cardId);
    if (taken?.request === requestId) return parts;
    if (taken) throw new AppError('DASHBOARD_CARD_ID_TAKEN');
    const members = await content(parts);
    assertPage(parts, members.pageId);
    const card = { id: cardId, ...members, ...newStamps(act), request: requestId };
    return { ...partsOf(parts), cards: [...parts.cards, card] };
  });
}

/** Throws `DASHBOARD_PAGE_NOT_FOUND`. */
export function assertPage({ pages }: DashboardParts, pageId: string | null | undefined): void {
  if (pageId == null || pages.some(({ id }) => id === pageId)) return;
  throw new AppError('DASHBOARD_PAGE_NOT_FOUND');
}
