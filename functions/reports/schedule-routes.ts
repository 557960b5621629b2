import { REPORTS } from '../../shared/domains/delivery-schedules/index.ts';
import { scheduleRoutes } from '../schedule-routes.ts';
import { reportScheduleSchemas } from './schedule-schemas.ts';
import { ReportParams } from './schemas.ts';

export const {
  list: listReportSchedules,
  create: createReportSchedule,
  update: updateReportSchedule,
  remove: deleteReportSchedule,
  runs: listReportScheduleRuns,
  run: runReportSchedule,
  page: getReportUnsubscribePage,
  leave: unsubscribeFromReport,
} = scheduleRoutes({
  noun: 'report',
  title: 'Report',
  outside:
    'they can receive only a published report whose tables have neither row-level security nor sensitivity labels.',
  codes: REPORTS.codes,
  params: ReportParams,
  schemas: reportScheduleSchemas,
});
