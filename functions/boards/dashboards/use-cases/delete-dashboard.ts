import {
  type DashboardRecord,
  dashboardPlaceOf,
  dashboardUseItems,
  type EndedDashboard,
  editedDashboard,
  type NamedDashboard,
  purgeAt,
  sightOf,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { BulkDeleted, Dashboard, RestoreDashboard } from '../schemas.ts';
import { type DashboardDeps, replaceRecord } from './context.ts';
import { showDashboard } from './views.ts';

/** Soft: it can be restored until the clean-up that begins in 30 days. Throws `DASHBOARD_NOT_FOUND`. */
export async function deleteDashboard(deps: DashboardDeps, { principal, id }: NamedDashboard): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const { record } = await editedDashboard(deps, { principal, id });
    const at = deps.now();
    const deletedAt = at.toISOString();
    const deleted: DashboardRecord = {
      ...record,
      deletedAt,
      deletedBy: principal.userId,
      updatedBy: principal.userId,
      updatedAt: later(record.updatedAt, at),
    };
    await replaceRecord(deps, record, deleted, [
      deps.store.deletedItem(dashboardPlaceOf(record), true),
      deps.cleanUpItem({ kind: 'dashboard', ...dashboardPlaceOf(record) } satisfies EndedDashboard, purgeAt(deletedAt)),
      deletedEvent(deps, deleted, at),
    ]);
  });
}

function deletedEvent({ table }: DashboardDeps, record: DashboardRecord, at: Date): TransactItem {
  const { id: dashboardId, workspaceId, name: dashboardName, deletedBy } = record;
  const deletedAt = at.toISOString();
  return outboxItem(table, {
    id: idFrom('dashboard.deleted', dashboardId, deletedAt),
    workspaceId,
    event: 'dashboard.deleted',
    data: { workspaceId, dashboardId, dashboardName, deletedBy, deletedAt },
    at,
  });
}

/** Throws `DASHBOARD_NOT_FOUND` if the caller sees none of them, and `FORBIDDEN` if the caller may delete none. */
export async function deleteDashboards(
  deps: DashboardDeps,
  principal: Principal,
  ids: readonly string[],
): Promise<BulkDeleted> {
  const grants = await deps.grantsTo(principal);
  const result: BulkDeleted = { deleted: [], notFound: [], forbidden: [] };
  for (const id of ids) {
    const record = await deps.dashboards.get(principal.workspaceId, id);
    const sight = record?.deletedAt === null ? sightOf(principal, record, grants.get(id)) : undefined;
    if (sight?.mayDelete && (await isDeleted(deps, { principal, id }))) result.deleted.push(id);
    else result[sight && !sight.mayDelete ? 'forbidden' : 'notFound'].push(id);
  }
  if (result.deleted.length > 0) return result;
  throw new AppError(result.forbidden.length > 0 ? 'FORBIDDEN' : 'DASHBOARD_NOT_FOUND');
}

/** False if another request was faster. */
async function isDeleted(deps: DashboardDeps, named: NamedDashboard): Promise<boolean> {
  try {
    await deleteDashboard(deps, named);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'DASHBOARD_NOT_FOUND') return false;
    throw error;
  }
}

/** Throws `DASHBOARD_NOT_FOUND`, or `DASHBOARD_NAME_TAKEN` if another dashboard has its name by now. */
export function restoreDashboard(
  deps: DashboardDeps,
  { principal, id, name }: NamedDashboard & RestoreDashboard,
): Promise<Dashboard> {
  const { workspaceId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const state = await deps.store.read({ workspaceId, dashboardId: id });
    if (!state) throw new AppError('DASHBOARD_NOT_FOUND');
    const { record } = state;
    if (record.deletedAt === null) return showDashboard(state);
    const restored: DashboardRecord = {
      ...record,
      name: name ?? record.name,
      hasOwnChanges: record.hasOwnChanges || (name ?? record.name) !== record.name,
      deletedAt: null,
      deletedBy: null,
      updatedBy: principal.userId,
      updatedAt: later(record.updatedAt, deps.now()),
    };
    const place = dashboardPlaceOf(record);
    const { isPublished, published } = record;
    const seen = isPublished && published ? await deps.versions.read(place, published.version) : undefined;
    const after = { ...state.body, cards: [...state.cards, ...(seen?.cards ?? [])] };
    // The clean-up that is due later finds it alive.
    const stored = await replaceRecord(deps, record, restored, [
      deps.store.deletedItem(place, false),
      ...(await dashboardUseItems(deps.table, place, { after })),
      ...(seen ? await dashboardUseItems(deps.table, place, { after: { theme: seen.theme } }) : []),
    ]);
    return showDashboard({ ...state, record: stored });
  });
}
