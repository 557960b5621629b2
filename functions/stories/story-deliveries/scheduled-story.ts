import type {
  ObjectNamed,
  ScheduledObject,
  StorySchedule,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { actedOn, type StoryStore, storyPlaceOf } from '../../../shared/domains/stories/stories/index.ts';
import {
  type StorySourceDeps,
  storySources,
  storyStopReason,
} from '../../../shared/domains/stories/story-schedules/index.ts';

export type ScheduledStoryDeps = StorySourceDeps & { store: Pick<StoryStore, 'presentItem'> };

/** The story as its schedules need it. Throws `STORY_NOT_FOUND` or `FORBIDDEN`. */
export async function scheduledStory(
  deps: ScheduledStoryDeps,
  named: ObjectNamed,
): Promise<ScheduledObject<StorySchedule>> {
  const seen = await actedOn(deps, named, 'editor');
  const { record } = seen.state;
  return {
    presentItem: deps.store.presentItem(storyPlaceOf(record)),
    issues: () => [],
    stopReason: () => storyStopReason(record),
    sources: () => storySources(deps, named.principal, seen),
  };
}
