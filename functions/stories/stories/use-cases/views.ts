import {
  isHeld,
  isHidden,
  type Published,
  type ReviewRound,
  type Section,
  type SectionLock,
  type SectionRecord,
  type SeenStory,
  type StoryRecord,
  type StorySight,
  type StoryView,
  stateOf,
  storyPlaceOf,
  viewOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { ReviewRound as ShownReview, Story, StorySection, StorySummary } from '../schemas.ts';
import type { StoryDeps } from './context.ts';

type Viewed = Pick<StorySight, 'permission'>;

export function showSummary(record: StoryRecord, { permission }: Viewed): StorySummary {
  const { id, workspaceId, title, summary, mode, ownerId, published, sectionIds, archivedAt } = record;
  const { deletedAt, deletedBy, createdBy, updatedBy, createdAt, updatedAt, revision } = record;
  return {
    ...{ id, workspaceId, title, summary, mode },
    status: published ? 'published' : 'draft',
    ownerId,
    permission,
    publishedVersion: published?.version ?? null,
    publishedAt: published?.at ?? null,
    publishedBy: published?.by ?? null,
    sectionCount: sectionIds.length,
    ...{ archivedAt, deletedAt, deletedBy, createdBy, updatedBy, createdAt, updatedAt, revision },
  };
}

/** The story in a list as a reader of the published version sees it. */
export function showForReader(record: StoryRecord, sight: StorySight): StorySummary {
  const { published } = record;
  const shown = showSummary(record, sight);
  if (!published || sight.seesDraft) return shown;
  const { title, summary, mode, sectionCount } = published;
  return { ...shown, title, summary, mode, sectionCount, ...publishedStamps(published) };
}

/** What the draft went through since it was published is not for readers. */
const publishedStamps = ({ at, by, version }: Published) => ({ updatedAt: at, updatedBy: by, revision: version });

/** A story as the caller sees it: the draft, or the newest published version. */
export async function showStory(
  deps: StoryDeps,
  principal: Principal,
  seen: SeenStory,
  wanted?: StoryView,
): Promise<Story> {
  const { state, sight } = seen;
  const { record, sections } = state;
  const place = storyPlaceOf(record);
  const followed = await followersOf(deps, principal, record.id);
  const common = { ...showForReader(record, sight), ...followed, editSeq: record.editSeq };
  if (viewOf(seen, wanted) === 'published') {
    const { title, summary, mode, sections: kept } = await deps.versions.read(place, record.published!.version);
    const editSeq = sight.seesDraft ? record.editSeq : record.published!.editSeq;
    const shown = await showSections(deps, principal, record, kept, new Map());
    return {
      ...common,
      ...{ title, summary, mode, editSeq },
      view: 'published',
      sectionCount: kept.length,
      hasUnpublishedChanges: sight.seesDraft && hasChanges(state),
      review: sight.seesDraft ? showReview(record.review, state) : null,
      sections: sight.seesDraft ? shown : shown.map(withoutWork),
    };
  }
  const full = await deps.store.withContents(place, sections);
  return {
    ...common,
    view: 'draft',
    hasUnpublishedChanges: sight.seesDraft && hasChanges(state),
    review: showReview(record.review, state),
    sections: await showSections(deps, principal, record, full, locksNow(state.locks, deps.now())),
  };
}

/** Who works on a section until when is for those who see the draft. */
const withoutWork = (section: StorySection): StorySection => ({
  ...section,
  ...{ assigneeId: null, dueAt: null, editorIds: [] },
});

const MAX_COUNTED_FOLLOWERS = 1000;

async function followersOf({ follows }: StoryDeps, reader: Principal, id: string) {
  const subject = { type: 'story', id };
  const [own, followers] = await Promise.all([
    follows.read([reader], subject),
    follows.list(reader.workspaceId, subject, { after: '', limit: MAX_COUNTED_FOLLOWERS }),
  ]);
  return { following: own.get(reader.userId)?.state === 'following', followerCount: followers.length };
}

const hasChanges = ({ record, sections }: SeenStory['state']): boolean =>
  record.published?.state !== stateOf(record, sections);

export function showReview(review: ReviewRound | null, { record, sections }: SeenStory['state']): ShownReview | null {
  if (!review) return null;
  const state = stateOf(record, sections);
  const { reviewers, ...about } = review;
  return {
    ...about,
    reviewers: reviewers.map(({ state: seen, ...reviewer }) => ({
      ...reviewer,
      outdated: reviewer.decision !== null && seen !== state,
    })),
  };
}

export const locksNow = (locks: ReadonlyMap<string, SectionLock>, now: Date): ReadonlyMap<string, SectionLock> =>
  new Map([...locks].filter(([, lock]) => isHeld(lock, now)));

function showSections(
  deps: StoryDeps,
  principal: Principal,
  record: StoryRecord,
  sections: readonly Section[],
  locks: ReadonlyMap<string, SectionLock>,
): Promise<StorySection[]> {
  return Promise.all(
    sections.map((section, ordinal) =>
      showSection(deps, principal, section, { storyId: record.id, ordinal, lock: locks.get(section.id) }),
    ),
  );
}

/** A section as the caller sees it; without title and text if these are hidden. */
export async function showSection(
  deps: StoryDeps,
  principal: Principal,
  section: Section,
  { storyId, ordinal, lock }: { storyId: string; ordinal: number; lock?: SectionLock | undefined },
): Promise<StorySection> {
  const isKept = await isHidden(deps, principal, section);
  const { content, ...about } = section;
  const shown = { ...showRecord(about, { storyId, ordinal, lock }), content };
  return isKept ? { ...shown, title: null, content: null, ai: null, hidden: { reason: 'DATA_ACCESS' } } : shown;
}

function showRecord(
  section: SectionRecord,
  { storyId, ordinal, lock }: { storyId: string; ordinal: number; lock?: SectionLock | undefined },
): Omit<StorySection, 'content'> {
  const { id, title, source, ai, status, assigneeId, workDueAt, editSeq, editedBy, editedAt, readOnly } = section;
  const { editorIds, visibility, createdBy, updatedBy, createdAt, updatedAt, revision } = section;
  return {
    ...{ id, storyId, ordinal, title, source, ai, status, assigneeId, dueAt: workDueAt, editSeq, editedBy, editedAt },
    lock: lock ? showLock(lock) : null,
    ...{ readOnly, editorIds, visibility, createdBy, updatedBy, createdAt, updatedAt, revision },
  };
}

export const showLock = ({ sectionId, holderId, holderName, acquiredAt, expiresAt }: SectionLock) => ({
  sectionId,
  holder: { id: holderId, name: holderName },
  acquiredAt,
  expiresAt,
});
