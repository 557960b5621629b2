import { seenParts } from '../../../../shared/domains/boards/cards/index.ts';
import { dashboardStore, dashboardVersions } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  DASHBOARDS,
  type DashboardSchedule,
  hasFilters,
  type StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { type ExportDeps, exportDashboard } from '../../../../shared/domains/boards/exports/index.ts';
import { grantReader } from '../../../../shared/domains/tenancy/grants/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Opener } from '../stages.ts';
import type { Content } from './deliver-schedule.ts';
import type { MailedFiles } from './mailed-file.ts';
import { filesOf, openSchedules, writerDeps } from './open-schedules.ts';

export const openDashboardSchedules: Opener<DashboardSchedule, StoredScheduleMail> = (clients) => {
  const { table } = clients;
  const deps: ExportDeps = {
    ...writerDeps(clients),
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
  };
  return openSchedules(clients, dashboardContent(deps, filesOf(clients)));
};

/** What schedules of dashboards send. */
const dashboardContent = (deps: ExportDeps, files: MailedFiles): Content<DashboardSchedule> => ({
  kind: DASHBOARDS,
  async stopReason(schedule) {
    const { workspaceId, dashboardId, pageId } = schedule;
    const state = await deps.store.read({ workspaceId, dashboardId });
    if (!state || state.record.deletedAt !== null) return 'DASHBOARD_DELETED';
    if (pageId !== null && !state.pages.some(({ id }) => id === pageId)) return 'PAGE_DELETED';
    return hasFilters(state, schedule) ? undefined : 'FILTER_DELETED';
  },
  async seen({ dashboardId: id, pageId }, principal) {
    const parts = await seenParts(deps, { principal, id }).catch(noneIf('DASHBOARD_NOT_FOUND'));
    return parts && { ...parts, pageId };
  },
  file: (schedule, principal) =>
    files.write(schedule, principal, (options) =>
      exportDashboard(deps, {
        ...options,
        dashboardId: schedule.dashboardId,
        pageId: schedule.pageId ?? undefined,
      }),
    ),
  ended: async () => [],
});

export function noneIf(code: AppError['code']): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof AppError && error.code === code) return undefined;
    throw error;
  };
}
