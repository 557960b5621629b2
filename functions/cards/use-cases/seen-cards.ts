import {
  type CardRecord,
  type DashboardParts,
  type DashboardStore,
  type DashboardVersions,
  placeOf,
  sightOf,
} from '../../../shared/domains/dashboards/index.ts';
import type { ReceivedGrant } from '../../../shared/domains/grants/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

export interface SeenDeps {
  store: Pick<DashboardStore, 'read'>;
  versions: Pick<DashboardVersions, 'read'>;
  grantOf(principal: Principal, dashboardId: string): Promise<ReceivedGrant | undefined>;
}

/** The parts of the dashboard as the caller sees them: of the draft or of the published version. Throws `DASHBOARD_NOT_FOUND`. */
export async function seenParts(
  deps: SeenDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<DashboardParts> {
  const [state, grant] = await Promise.all([
    deps.store.read({ workspaceId: principal.workspaceId, dashboardId: id }),
    deps.grantOf(principal, id),
  ]);
  const sight = state && sightOf(principal, state.record, grant);
  if (!sight) throw new AppError('DASHBOARD_NOT_FOUND');
  const { published } = state.record;
  return sight.seesDraft || !published ? state : deps.versions.read(placeOf(state.record), published.version);
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. */
export function cardOf({ cards }: DashboardParts, cardId: string): CardRecord {
  const card = cards.find(({ id }) => id === cardId);
  if (!card) throw new AppError('DASHBOARD_CARD_NOT_FOUND');
  return card;
}
