import type { Table } from '../../../platform/storage/table.ts';
import type { RegisteredDelivery } from '../../delivery/deliveries/index.ts';
import { dashboardRepository } from '../dashboards/index.ts';
import { reportRepository } from '../reports/index.ts';
import { DASHBOARDS, REPORTS, type ScheduleKind } from './kinds.ts';
import type { DashboardSchedule, ReportSchedule, ScheduleRecord } from './records.ts';
import { scheduleRepository } from './repository.ts';

/** Schedules of a kind as the workers deliver them. */
export interface ScheduleDelivery<S extends ScheduleRecord> extends RegisteredDelivery<S> {
  kind: ScheduleKind<S>;
  /** Whether the dashboard or report is deleted. */
  isObjectDeleted(table: Table, schedule: S): Promise<boolean>;
}

export const dashboardSchedules: ScheduleDelivery<DashboardSchedule> = {
  kind: DASHBOARDS,
  deliveries: (table) => scheduleRepository(table, DASHBOARDS),
  isObjectDeleted: async (table, { workspaceId, dashboardId }) =>
    (await dashboardRepository(table).get(workspaceId, dashboardId))?.deletedAt !== null,
};

export const reportSchedules: ScheduleDelivery<ReportSchedule> = {
  kind: REPORTS,
  deliveries: (table) => scheduleRepository(table, REPORTS),
  isObjectDeleted: async (table, { workspaceId, reportId }) =>
    (await reportRepository(table).read(workspaceId, reportId))?.deletedAt !== null,
};
