import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { Act } from './parts.ts';
import type { DashboardParts, DashboardState } from './records.ts';
import type { DashboardStore } from './store.ts';

export interface EditDeps {
  store: Pick<DashboardStore, 'read' | 'commit'>;
  now(): Date;
}

/** A dashboard as its editor names it. */
export interface NamedDashboard {
  principal: Principal;
  id: string;
}

/** A dashboard for a caller with the right to change it, which the route has checked. Throws `DASHBOARD_NOT_FOUND`. */
export async function editedDashboard(
  { store }: Pick<EditDeps, 'store'>,
  { principal: { workspaceId }, id }: NamedDashboard,
): Promise<DashboardState> {
  const state = await store.read({ workspaceId, dashboardId: id });
  if (!state || state.record.deletedAt !== null) throw new AppError('DASHBOARD_NOT_FOUND');
  return state;
}

/**
 * Changes the parts of a dashboard, and again if another editor was faster. `rule` makes the next parts of the newest
 * ones; it may run several times. Throws what `editedDashboard` and the rule throw.
 */
export function editParts(
  deps: EditDeps,
  named: NamedDashboard,
  rule: (parts: DashboardState, act: Act) => DashboardParts | Promise<DashboardParts>,
): Promise<DashboardState> {
  return onNewest('STALE_WRITE', async () => {
    const state = await editedDashboard(deps, named);
    const act = { by: named.principal.userId, at: deps.now() };
    return deps.store.commit(state, await rule(state, act), act);
  });
}

export const partsOf = ({ pages, cards, filters }: DashboardParts): DashboardParts => ({ pages, cards, filters });
