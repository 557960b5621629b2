import {
  type CardRecord,
  type DashboardParts,
  publishedFor,
  type ReaderDeps,
  seenDashboard,
} from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

/** The parts of the dashboard as the caller sees them: of the draft or of the published version. Throws `DASHBOARD_NOT_FOUND`. */
export async function seenParts(
  deps: ReaderDeps,
  named: { principal: Principal; id: string },
): Promise<DashboardParts> {
  const { state, sight } = await seenDashboard(deps, named);
  return (await publishedFor(deps, state, sight)) ?? state;
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. */
export function cardOf({ cards }: DashboardParts, cardId: string): CardRecord {
  const card = cards.find(({ id }) => id === cardId);
  if (!card) throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  return card;
}
