import {
  type Act,
  contentOf,
  type DashboardParts,
  type DashboardState,
  type DashboardVersion,
  editedDashboard,
  type NamedDashboard,
  PART_KINDS,
  placeOf,
  type Snapshot,
  shownParts,
} from '../../../shared/domains/dashboards/index.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import type { DashboardDetails } from '../schemas.ts';
import type { DashboardVersionDetails } from '../version-schemas.ts';
import { type DashboardDeps, inTenMinutes, replaceRecord } from './context.ts';
import { bodyOf, shownDraft } from './views.ts';

export async function listVersions(
  deps: DashboardDeps,
  { limit, offset, ...named }: NamedDashboard & { limit: number; offset: number },
): Promise<PageOf<DashboardVersion>> {
  const { record } = await editedDashboard(deps, named);
  return deps.versions.list(placeOf(record), { limit, offset });
}

/** Throws `DASHBOARD_NOT_FOUND` or `DASHBOARD_VERSION_NOT_FOUND`. */
export async function getVersion(
  deps: DashboardDeps,
  { version, ...named }: NamedDashboard & { version: number },
): Promise<DashboardVersionDetails> {
  const { record } = await editedDashboard(deps, named);
  const [details, snapshot] = await Promise.all([
    deps.versions.find(placeOf(record), version),
    deps.versions.read(placeOf(record), version),
  ]);
  return {
    ...details,
    description: snapshot.description,
    ...bodyOf(snapshot),
    ...shownParts(record.id, snapshot),
  };
}

/** Throws `DASHBOARD_NOT_FOUND` or `DASHBOARD_VERSION_NOT_FOUND`. */
export function restoreVersion(
  deps: DashboardDeps,
  { version, ...named }: NamedDashboard & { version: number },
): Promise<DashboardDetails> {
  return onNewest('STALE_WRITE', async () => {
    const state = await editedDashboard(deps, named);
    const { record: before, content } = state;
    const place = placeOf(before);
    const snapshot = await deps.versions.read(place, version);
    const at = deps.now();
    const act = { by: named.principal.userId, at };
    const parts = restoredParts(state, snapshot, act);
    // A generation of its own, so that readers see all of it or nothing.
    const generation = newId(at);
    const cleanUp = (of: string, due: Date) => deps.cleanUpItem({ kind: 'dashboard', ...place, generation: of }, due);
    await deps.store.prepareGeneration(place, generation, parts, cleanUp(generation, inTenMinutes(at)));
    const next = contentOf(parts, { generation, structure: content.structure + 1, edits: content.edits + 1 }, act);
    const body = bodyOf(snapshot);
    const record = {
      ...before,
      hasOwnChanges: true,
      updatedBy: act.by,
      updatedAt: later(before.updatedAt, at),
    };
    const stored = await replaceRecord(deps, before, record, [
      deps.store.bodyItem(place, body),
      deps.store.contentItem(place, content, next),
      cleanUp(content.generation, at),
    ]);
    return shownDraft({ record: stored, body, content: next, ...parts });
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
