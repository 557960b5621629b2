import { STORIES } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { scheduleRoutes } from '../../delivery/schedules/routes.ts';
import { StoryParams, storyScheduleSchemas } from './schemas.ts';

export const {
  list: listStorySchedules,
  create: createStorySchedule,
  update: updateStorySchedule,
  remove: deleteStorySchedule,
  runs: listStoryScheduleRuns,
  run: runStorySchedule,
  page: getStoryUnsubscribePage,
  leave: unsubscribeFromStory,
} = scheduleRoutes({
  noun: 'story',
  nouns: 'stories',
  title: 'Story',
  outside: 'they can receive only a story whose tables have neither row-level security nor sensitivity labels.',
  codes: STORIES.codes,
  params: StoryParams,
  schemas: storyScheduleSchemas,
});
