import {
  type Act,
  contentOf,
  type DashboardBody,
  type DashboardParts,
  type DashboardState,
  dashboardPlaceOf,
  dashboardUseItems,
  type EndedDashboard,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { later, newId } from '../../../../shared/platform/storage/ids.ts';
import { type DashboardDeps, inTenMinutes, replaceRecord } from './context.ts';

interface Draft {
  name: string;
  description: string;
  body: DashboardBody;
  parts: DashboardParts;
}

/** Replaces texts and parts at once if nothing has changed since the state was read; throws `STALE_WRITE` otherwise. */
export async function replaceDraft(
  deps: DashboardDeps,
  state: DashboardState,
  { name, description, body, parts }: Draft,
  { by, at }: Act,
): Promise<DashboardState> {
  const { record: before, content } = state;
  const place = dashboardPlaceOf(before);
  // A generation of its own, so that readers see all of it or nothing.
  const generation = newId(at);
  const cleanUp = (of: string, due: Date) =>
    deps.cleanUpItem({ kind: 'dashboard', ...place, generation: of } satisfies EndedDashboard, due);
  await deps.store.prepareGeneration(place, generation, parts, cleanUp(generation, inTenMinutes(at)));
  const next = contentOf(parts, { generation, structure: content.structure + 1, edits: content.edits + 1 }, { by, at });
  const updatedAt = later(before.updatedAt, at);
  const record = { ...before, name, description, hasOwnChanges: true, updatedBy: by, updatedAt };
  const after = { ...body, ...parts };
  const stored = await replaceRecord(deps, before, record, [
    ...(await dashboardUseItems(deps.table, place, { before: { ...state.body, ...state }, after, room: 40 })),
    deps.store.bodyItem(place, body),
    deps.store.contentItem(place, content, next),
    cleanUp(content.generation, at),
  ]);
  return { record: stored, body, content: next, ...parts };
}
