import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { scheduleExamples } from '../../delivery/schedules/examples.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const common = scheduleExamples({ scheduleId: IDS.storySchedule, runId: IDS.storyRun }, { storyId: IDS.story }, {});

export const examples: ExamplesOf<typeof routes> = {
  listStorySchedules: common.list,
  createStorySchedule: common.create,
  updateStorySchedule: common.update,
  deleteStorySchedule: common.remove,
  listStoryScheduleRuns: common.runs,
  runStorySchedule: common.run,
  getStoryUnsubscribePage: common.page,
  unsubscribeFromStory: common.leave,
};
