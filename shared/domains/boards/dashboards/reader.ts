import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ReceivedGrant } from '../../tenancy/grants/index.ts';
import type { DashboardState, Snapshot } from './records.ts';
import { type Sight, sightOf } from './sight.ts';
import { type DashboardStore, dashboardPlaceOf } from './store.ts';
import type { DashboardVersions } from './versions.ts';

export interface ReaderDeps {
  store: Pick<DashboardStore, 'read'>;
  versions: Pick<DashboardVersions, 'read'>;
  /** The grant of one dashboard. */
  grantOf(principal: Principal, dashboardId: string): Promise<ReceivedGrant | undefined>;
}

interface Seen {
  state: DashboardState;
  sight: Sight;
  grant: ReceivedGrant | undefined;
}

/**
 * The dashboard with all its parts, and how the caller sees it. Throws `DASHBOARD_NOT_FOUND`, also if it is deleted.
 */
export async function seenDashboard(
  deps: Pick<ReaderDeps, 'store' | 'grantOf'>,
  named: { principal: Principal; id: string },
): Promise<Seen> {
  const seen = await seenWithDeleted(deps, named);
  if (seen.state.record.deletedAt !== null) throw new AppError('DASHBOARD_NOT_FOUND');
  return seen;
}

/** The same, also for a deleted dashboard that the caller may restore. */
export async function seenWithDeleted(
  deps: Pick<ReaderDeps, 'store' | 'grantOf'>,
  { principal, id }: { principal: Principal; id: string },
): Promise<Seen> {
  const [state, grant] = await Promise.all([
    deps.store.read({ workspaceId: principal.workspaceId, dashboardId: id }),
    deps.grantOf(principal, id),
  ]);
  const sight = state && sightOf(principal, state.record, grant);
  if (!sight) throw new AppError('DASHBOARD_NOT_FOUND');
  return { state, sight, grant };
}

/** What the published version preserves, for callers who do not see the draft; undefined for those who do. */
export async function publishedFor(
  { versions }: Pick<ReaderDeps, 'versions'>,
  { record }: DashboardState,
  { seesDraft }: Sight,
): Promise<Snapshot | undefined> {
  return seesDraft || !record.published ? undefined : versions.read(dashboardPlaceOf(record), record.published.version);
}
