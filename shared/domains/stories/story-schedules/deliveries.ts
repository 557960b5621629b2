import {
  type ScheduleDelivery,
  STORIES,
  type StorySchedule,
  scheduleRepository,
} from '../../boards/delivery-schedules/index.ts';
import { storyRepository } from '../stories/index.ts';

export const storySchedules: ScheduleDelivery<StorySchedule> = {
  kind: STORIES,
  deliveries: (table) => scheduleRepository(table, STORIES),
  isObjectDeleted: async (table, { workspaceId, storyId }) =>
    (await storyRepository(table).get(workspaceId, storyId))?.deletedAt !== null,
};
