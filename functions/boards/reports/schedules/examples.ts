import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { scheduleExamples } from '../../../delivery/schedules/examples.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

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
