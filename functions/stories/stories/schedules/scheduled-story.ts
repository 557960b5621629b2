import type {
  ObjectNamed,
  ScheduledObject,
  StorySchedule,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { type StoryContentDeps, storySources } from '../../../../shared/domains/stories/exports/index.ts';
import { actedOn, placeOf, type StoryStore } from '../../../../shared/domains/stories/stories/index.ts';
import { storyStopReason } from '../../../../shared/domains/stories/story-schedules/index.ts';

/** The story as its schedules need it. Throws `STORY_NOT_FOUND` or `FORBIDDEN`. */
export async function scheduledStory(
  deps: StoryContentDeps & { store: Pick<StoryStore, 'presentItem'> },
  named: ObjectNamed,
): Promise<ScheduledObject<StorySchedule>> {
  const seen = await actedOn(deps.stories, named, 'editor');
  const { record } = seen.state;
  return {
    presentItem: deps.store.presentItem(placeOf(record)),
    issues: () => [],
    stopReason: () => storyStopReason(record),
    sources: () => storySources(deps, named.principal, seen),
  };
}
