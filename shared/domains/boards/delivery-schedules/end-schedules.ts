import type { Table } from '../../../platform/storage/table.ts';
import { endRuns } from '../../delivery/deliveries/index.ts';
import { dashboardRepository } from '../dashboards/index.ts';
import { reportRepository } from '../reports/index.ts';
import { DASHBOARDS, REPORTS, type ScheduleKind } from './kinds.ts';
import type { ScheduleRecord } from './records.ts';
import { scheduleRepository } from './repository.ts';

type OfDashboard = { workspaceId: string; dashboardId: string };
type OfReport = { workspaceId: string; reportId: string };

/** Removes the schedules of a dashboard that was purged. Returns false if some are left once `isOver` is true. */
export async function endDashboardSchedules(
  table: Table,
  { workspaceId, dashboardId }: OfDashboard,
  isOver: () => boolean,
): Promise<boolean> {
  if (await dashboardRepository(table).get(workspaceId, dashboardId)) return true;
  return endSchedules(table, DASHBOARDS, { workspaceId, objectId: dashboardId }, isOver);
}

/** The same for a report. */
export async function endReportSchedules(
  table: Table,
  { workspaceId, reportId }: OfReport,
  isOver: () => boolean,
): Promise<boolean> {
  if (await reportRepository(table).get(workspaceId, reportId)) return true;
  return endSchedules(table, REPORTS, { workspaceId, objectId: reportId }, isOver);
}

async function endSchedules<S extends ScheduleRecord>(
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
