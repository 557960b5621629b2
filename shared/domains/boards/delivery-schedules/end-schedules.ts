import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { endRuns } from '../../delivery/deliveries/index.ts';
import { dashboardRepository, type EndedDashboard } from '../dashboards/index.ts';
import { type EndedReport, reportRepository } from '../reports/index.ts';
import { DASHBOARDS, REPORTS, type ScheduleKind } from './kinds.ts';
import type { ScheduleRecord } from './records.ts';
import { scheduleRepository } from './repository.ts';

/** Schedules end with the dashboard or report that was purged. */
export const scheduleCleanUps: readonly [CleanUp<EndedDashboard>, CleanUp<EndedReport>] = [
  {
    kind: 'dashboard',
    remove: async (table, { workspaceId, dashboardId }, isOver) => {
      if (await dashboardRepository(table).get(workspaceId, dashboardId)) return true;
      return endSchedules(table, DASHBOARDS, { workspaceId, objectId: dashboardId }, isOver);
    },
  },
  {
    kind: 'report',
    remove: async (table, { workspaceId, reportId }, isOver) => {
      if (await reportRepository(table).get(workspaceId, reportId)) return true;
      return endSchedules(table, REPORTS, { workspaceId, objectId: reportId }, isOver);
    },
  },
];

/** Removes the schedules of what was purged. Returns false if any are left once `isOver` is true. */
export async function endSchedules<S extends ScheduleRecord>(
  table: Table,
  kind: ScheduleKind<S>,
  { workspaceId, objectId }: { workspaceId: string; objectId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const schedules = scheduleRepository(table, kind);
  for (const schedule of await schedules.ofObject(workspaceId, objectId)) {
    if (isOver() || !(await endRuns(table, kind, { workspaceId, deliveryId: schedule.id }, isOver))) return false;
    await schedules.purge(schedule);
  }
  return true;
}
