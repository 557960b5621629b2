import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ReceivedGrant } from '../../tenancy/grants/index.ts';
import type { SectionRecord, StoryState } from './records.ts';
import { mayAct, type StoryLevel, type StorySight, storySight } from './sight.ts';
import type { StoryStore } from './store.ts';

export interface StoryReaderDeps {
  store: Pick<StoryStore, 'read'>;
  /** The grant of one story. */
  grantOf(principal: Principal, storyId: string): Promise<ReceivedGrant | undefined>;
}

/** A story as the caller names it. */
export interface NamedStory {
  principal: Principal;
  id: string;
}

export interface SeenStory {
  state: StoryState;
  sight: StorySight;
}

/** The story, and how the caller sees it. Throws `STORY_NOT_FOUND`, also if it is deleted. */
export async function seenStory(
  { store, grantOf }: StoryReaderDeps,
  { principal, id }: NamedStory,
): Promise<SeenStory> {
  const [state, grant] = await Promise.all([
    store.read({ workspaceId: principal.workspaceId, storyId: id }),
    grantOf(principal, id),
  ]);
  const sight = state && state.record.deletedAt === null && storySight(principal, state.record, grant);
  if (!sight) throw new AppError('STORY_NOT_FOUND');
  return { state, sight };
}

/** The same for callers who may do what needs the level. Throws `STORY_NOT_FOUND` or `FORBIDDEN`. */
export async function actedOn(deps: StoryReaderDeps, named: NamedStory, level: StoryLevel): Promise<SeenStory> {
  const seen = await seenStory(deps, named);
  if (!mayAct(seen.sight, level)) throw new AppError('FORBIDDEN');
  return seen;
}

/** Throws `STORY_SECTION_NOT_FOUND`. */
export function sectionOf({ sections }: StoryState, sectionId: string): SectionRecord {
  const section = sections.find(({ id }) => id === sectionId);
  if (!section) throw new AppError('STORY_SECTION_NOT_FOUND');
  return section;
}
