import { DASHBOARDS } from '../../shared/domains/delivery-schedules/index.ts';
import { scheduleRoutes } from '../schedule-routes.ts';
import { dashboardScheduleSchemas } from './schedule-schemas.ts';
import { DashboardParams } from './schemas.ts';

export const {
  list: listDashboardSchedules,
  create: createDashboardSchedule,
  update: updateDashboardSchedule,
  remove: deleteDashboardSchedule,
  runs: listDashboardScheduleRuns,
  run: runDashboardSchedule,
  page: getDashboardUnsubscribePage,
  leave: unsubscribeFromDashboard,
} = scheduleRoutes({
  noun: 'dashboard',
  title: 'Dashboard',
  outside:
    'they can receive only a published dashboard whose tables have neither row-level security nor sensitivity labels.',
  codes: DASHBOARDS.codes,
  params: DashboardParams,
  schemas: dashboardScheduleSchemas,
});
