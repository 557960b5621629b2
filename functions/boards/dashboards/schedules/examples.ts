import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { scheduleExamples } from '../../../delivery/schedules/examples.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const common = scheduleExamples(
  { scheduleId: IDS.dashboardSchedule, runId: IDS.dashboardRun },
  { dashboardId: IDS.dashboard },
  { filters: [{ filterId: IDS.filter, op: 'in', values: ['eu'] }], pageId: 'overview' },
);

export const examples: ExamplesOf<typeof routes> = {
  listDashboardSchedules: common.list,
  createDashboardSchedule: common.create,
  updateDashboardSchedule: common.update,
  deleteDashboardSchedule: common.remove,
  listDashboardScheduleRuns: common.runs,
  runDashboardSchedule: common.run,
  getDashboardUnsubscribePage: common.page,
  unsubscribeFromDashboard: common.leave,
};
