import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { endSchedules, STORIES } from '../../boards/delivery-schedules/index.ts';
import { type EndedStory, storyRepository } from '../stories/index.ts';

/** Schedules end with the story that was purged. */
export const storyScheduleCleanUps: readonly [CleanUp<EndedStory>] = [
  {
    kind: 'story',
    async remove(table, { workspaceId, storyId }, isOver) {
      if (await storyRepository(table).get(workspaceId, storyId)) return true;
      return endSchedules(table, STORIES, { workspaceId, objectId: storyId }, isOver);
    },
  },
];
