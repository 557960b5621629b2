import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { type EndedStory, storyRepository } from '../stories/index.ts';
import { type EndedPins, pinsOfStory, removePins } from './snapshot-store.ts';

/** Removes what a story keeps of data: of publications that are not, or no longer, the newest, and of ended stories. */
export const snapshotCleanUps: readonly [CleanUp<EndedStory>, CleanUp<EndedPins>] = [
  {
    kind: 'story',
    async remove(table, place, isOver) {
      if (await storyRepository(table).get(place.workspaceId, place.storyId)) return true;
      for (const pins of await pinsOfStory(table, place)) if (!(await removePins(table, pins, isOver))) return false;
      return true;
    },
  },
  {
    kind: 'story-pins',
    async remove(table, { workspaceId, storyId, pinsId }, isOver) {
      const story = await storyRepository(table).get(workspaceId, storyId);
      if (story?.published?.pinsId === pinsId) return true;
      return removePins(table, { workspaceId, storyId, pinsId }, isOver);
    },
  },
];
