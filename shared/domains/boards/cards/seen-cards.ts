import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import {
  type CardRecord,
  type DashboardParts,
  publishedFor,
  type ReaderDeps,
  type Snapshot,
  seenDashboard,
} from '../dashboards/index.ts';

/**
 * The parts of the dashboard as the caller sees them: of the draft or of the published version. Throws
 * `DASHBOARD_NOT_FOUND`.
 */
export async function seenParts(
  deps: ReaderDeps,
  named: { principal: Principal; id: string },
): Promise<DashboardParts & Pick<Snapshot, 'name' | 'description' | 'theme' | 'timezone'>> {
  const { state, sight } = await seenDashboard(deps, named);
  const { name, description } = state.record;
  return (
    (await publishedFor(deps, state, sight)) ?? {
      ...state,
      name,
      description,
      theme: state.body.theme,
      timezone: state.body.timezone,
    }
  );
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. */
export function cardOf({ cards }: DashboardParts, cardId: string): CardRecord {
  const card = cards.find(({ id }) => id === cardId);
  if (!card) throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  return card;
}

/** The cards of a page, or those that are named. Throws `DASHBOARD_PAGE_NOT_FOUND` and `DASHBOARD_CARD_NOT_FOUND`. */
export function wantedCards(
  parts: DashboardParts,
  { pageId, cardIds }: { pageId?: string | undefined; cardIds?: readonly string[] | undefined },
): CardRecord[] {
  if (pageId !== undefined && !parts.pages.some((page) => page.id === pageId))
    throw new AppError('DASHBOARD_PAGE_NOT_FOUND');
  const named = cardIds?.map((cardId) => cardOf(parts, cardId)) ?? parts.cards;
  // Cards without a page are on the first one.
  const first = parts.pages[0]?.id ?? null;
  return named.filter((card) => pageId === undefined || (card.pageId ?? first) === pageId);
}
