import {
  type Act,
  type DashboardParts,
  type DashboardState,
  type DashboardVersion,
  dashboardPlaceOf,
  editedDashboard,
  type NamedDashboard,
  PART_KINDS,
  type Snapshot,
  showParts,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { DashboardDetails } from '../schemas.ts';
import type { DashboardVersionDetails } from '../versions/schemas.ts';
import type { DashboardDeps } from './context.ts';
import { replaceDraft } from './replace-draft.ts';
import { bodyOf, showDraft } from './views.ts';

export async function listVersions(
  deps: DashboardDeps,
  { limit, offset, ...named }: NamedDashboard & { limit: number; offset: number },
): Promise<PageOf<DashboardVersion>> {
  const { record } = await editedDashboard(deps, named);
  return deps.versions.list(dashboardPlaceOf(record), { limit, offset });
}

/** Throws `DASHBOARD_NOT_FOUND` or `DASHBOARD_VERSION_NOT_FOUND`. */
export async function getVersion(
  deps: DashboardDeps,
  { version, ...named }: NamedDashboard & { version: number },
): Promise<DashboardVersionDetails> {
  const { record } = await editedDashboard(deps, named);
  const [details, snapshot] = await Promise.all([
    deps.versions.find(dashboardPlaceOf(record), version),
    deps.versions.read(dashboardPlaceOf(record), version),
  ]);
  return {
    ...details,
    description: snapshot.description,
    ...bodyOf(snapshot),
    ...showParts(record.id, snapshot),
  };
}

/** Throws `DASHBOARD_NOT_FOUND` or `DASHBOARD_VERSION_NOT_FOUND`. */
export function restoreVersion(
  deps: DashboardDeps,
  { version, ...named }: NamedDashboard & { version: number },
): Promise<DashboardDetails> {
  return onNewest('STALE_WRITE', async () => {
    const state = await editedDashboard(deps, named);
    const { name, description } = state.record;
    const snapshot = await deps.versions.read(dashboardPlaceOf(state.record), version);
    const act = { by: named.principal.userId, at: deps.now() };
    const draft = { name, description, body: bodyOf(snapshot), parts: restoredParts(state, snapshot, act) };
    return showDraft(await replaceDraft(deps, state, draft, act));
  });
}

/** The parts of the version with revisions that none of them has had before. */
function restoredParts(state: DashboardState, snapshot: Snapshot, { by, at }: Act): DashboardParts {
  const restored = PART_KINDS.map((kind) => {
    const now = new Map<string, { revision: number; updatedAt: string }>(state[kind].map((part) => [part.id, part]));
    const parts: readonly { id: string; revision: number; updatedAt: string }[] = snapshot[kind];
    return [
      kind,
      parts.map((part) => ({
        ...part,
        revision: Math.max(part.revision, now.get(part.id)?.revision ?? 0) + 1,
        updatedAt: later(now.get(part.id)?.updatedAt ?? part.updatedAt, at),
        updatedBy: by,
      })),
    ];
  });
  return Object.fromEntries(restored) as unknown as DashboardParts;
}
