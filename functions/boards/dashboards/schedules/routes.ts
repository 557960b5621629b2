import { DASHBOARDS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { scheduleRoutes } from '../../../delivery/schedules/routes.ts';
import { DashboardParams } from '../schemas.ts';
import { dashboardScheduleSchemas } from './schemas.ts';

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
  nouns: 'dashboards',
  title: 'Dashboard',
  outside:
    'they can receive only a published dashboard whose tables have neither row-level security nor sensitivity labels.',
  codes: DASHBOARDS.codes,
  params: DashboardParams,
  schemas: dashboardScheduleSchemas,
});
