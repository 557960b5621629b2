/** The public API of this domain; everything else is internal. */
export { activityItem, listActivity, type NewActivity } from './activity.ts';
export { assignedStories, assignmentItems } from './assignments.ts';
export { blockIdItems, blockIdsBeside } from './block-ids.ts';
export type { BlockSourceDeps } from './block-sources.ts';
export { type EndedStory, storyCleanUps } from './end-stories.ts';
export { anchorNow, followedThreads, followWords, movedTo, type WordsThread } from './followed-words.ts';
export { lockKey, pinPrefix, presenceKey, recordKey, type StoryPlace } from './keys.ts';
export { assertFits, MAX_SECTIONS } from './limits.ts';
export { type LiveBlockDeps, liveBlockStates } from './live-block-states.ts';
export { locksInForce } from './lock-holders.ts';
export { freeFor, isHeld, isTakenFrom, LOCK_SECONDS, lockItem, notLockedByOthers } from './locks.ts';
export { narrowedItem } from './narrowed.ts';
export { listReaders, noteHeartbeat, PRESENT_MS, type StoryReader } from './presence.ts';
export { isSameReads, joinReads, type TextReads } from './quoted-tables.ts';
export { actedOn, type NamedStory, type SeenStory, type StoryReaderDeps, sectionOf, seenStory } from './reader.ts';
export {
  ACTIVITIES,
  type Activity,
  type Published,
  REVISION_REASONS,
  type Reviewer,
  type ReviewRound,
  type Revision,
  type Section,
  type SectionLock,
  type SectionRecord,
  type StoryMode,
  type StoryRecord,
  type StorySnapshot,
  type StoryState,
  type StoryVersion,
  type TextRights,
  type TitleRevision,
} from './records.ts';
export { type StoryRepository, storyRepository } from './repository.ts';
export {
  findRevision,
  type KeptText,
  keepRefused,
  listRevisions,
  type RevisionPlace,
  revisionIdOf,
  revisionItem,
  TITLES,
  wasRemoved,
} from './revisions.ts';
export {
  isHidden,
  quotesProtected,
  type RightsClassDeps,
  rightsClassOf,
} from './rights-class.ts';
export {
  DECISIONS,
  MODES,
  SECTION_STATUSES,
  SectionAi,
  SectionVisibility,
  SOURCES,
  sectionProperties,
  storyProperties,
  VISIBILITIES,
  workProperties,
} from './schemas.ts';
export { shareCountItem } from './share-count.ts';
export { actsInPerson, isReviewer, mayAct, type StoryLevel, type StorySight, storySight } from './sight.ts';
export { readSlices, sliceItems } from './slices.ts';
export { meaningOfStory, stateOf } from './state-of.ts';
export { keptWith, type StoryStore, storyPlaceOf, storyStore } from './store.ts';
export { STORY_USES } from './story-referrer.ts';
export { STORY_SUBJECT } from './story-subject.ts';
export { usesOfText, withStoryUses } from './story-uses.ts';
export { readsOfText } from './text-reads.ts';
export { type StoryVersions, storyVersions } from './versions.ts';
export {
  type StoryView,
  VIEWS,
  type ViewedBlock,
  type ViewedStory,
  type ViewedStoryDeps,
  viewedBlock,
  viewedBlocks,
  viewedText,
  viewOf,
} from './viewed-story.ts';
export { visibleSections } from './visible-sections.ts';
export { assertEditable, assertMayLock, assertOpen, isExcluded, lockedBy } from './write-checks.ts';
