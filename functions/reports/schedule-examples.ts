import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { IDS } from '../example-values.ts';
import { scheduleExamples } from '../schedule-examples.ts';
import type * as routes from './schedule-routes.ts';

const common = scheduleExamples(
  { scheduleId: IDS.reportSchedule, runId: IDS.reportRun },
  { reportId: IDS.report },
  { filters: [], parameters: [{ name: 'regions', value: ['North'] }] },
);

export const examples: ExamplesOf<typeof routes> = {
  listReportSchedules: common.list,
  createReportSchedule: common.create,
  updateReportSchedule: common.update,
  deleteReportSchedule: common.remove,
  listReportScheduleRuns: common.runs,
  runReportSchedule: common.run,
  getReportUnsubscribePage: common.page,
  unsubscribeFromReport: common.leave,
};
