import { REPORTS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { scheduleRoutes } from '../../../delivery/schedules/routes.ts';
import { ReportParams } from '../schemas.ts';
import { reportScheduleSchemas } from './schemas.ts';

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
  nouns: 'reports',
  title: 'Report',
  outside:
    'they can receive only a published report whose tables have neither row-level security nor sensitivity labels.',
  codes: REPORTS.codes,
  params: ReportParams,
  schemas: reportScheduleSchemas,
});
