import {
  actedOn,
  actsInPerson,
  assertOpen,
  isReviewer,
  type NamedStory,
  type ReviewRound,
  type StoryState,
  seenStory,
  stateOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { grantedObject, membersWhoSee } from '../access/use-cases.ts';
import type { ReviewRound as ShownReview } from '../schemas.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import { assertMembers } from '../use-cases/members.ts';
import type { Announcer } from '../use-cases/notices.ts';
import { replaceStory } from '../use-cases/save-story.ts';
import { showReview } from '../use-cases/views.ts';
import type { DecideReview, RequestReview } from '../versions/schemas.ts';

/**
 * Opens a round; an earlier one ends. Throws `STORY_NOT_FOUND`, `STORY_ARCHIVED`, `MEMBER_NOT_FOUND`,
 * `REVIEWER_NO_ACCESS`, or `VALIDATION_FAILED` if the caller is to review.
 */
export async function requestReview(
  deps: StoryDeps,
  announcer: Announcer,
  { reviewerIds, note = null, grant = false, requestId, ...named }: NamedStory & RequestReview & { requestId: string },
): Promise<ShownReview> {
  const { principal } = named;
  const own = reviewerIds.indexOf(principal.userId);
  if (own >= 0) {
    const message = 'is your own id; choose other members as reviewers';
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: `/reviewerIds/${own}`, code: 'CONFLICT', message }],
    });
  }
  const { state: first } = await actedOn(deps, named, 'contributor');
  assertOpen(first);
  const wanted = reviewerIds.map((userId, index) => ({ userId, pointer: `/reviewerIds/${index}` }));
  await assertMembers(deps.table, principal.workspaceId, wanted);
  await letReviewersIn(deps, named, first, { wanted, grant });
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'contributor');
    assertOpen(state);
    const { record } = state;
    if (record.review && record.reviewRequest === requestId) return showReview(record.review, state)!;
    const requestedAt = deps.now().toISOString();
    const review: ReviewRound = {
      round: record.reviewRounds + 1,
      requestedBy: principal.userId,
      requestedAt,
      note,
      reviewers: reviewerIds.map((userId) => ({ userId, decision: null, note: null, at: null, state: null })),
    };
    const announcement = announcer.requested(record, review);
    await replaceStory(
      deps,
      record,
      { review, reviewRounds: review.round, reviewRequest: requestId },
      { activity: { action: 'review_requested' }, by: principal.userId },
      [announcer.item(announcement)],
    );
    await announcer.now(announcement);
    return showReview(review, state)!;
  });
}

/** Contributors may ask for a review, but only editors may grant access. */
async function letReviewersIn(
  deps: StoryDeps,
  named: NamedStory,
  { record }: StoryState,
  { wanted, grant }: { wanted: readonly { userId: string; pointer: string }[]; grant: boolean },
): Promise<void> {
  const seeing = await membersWhoSee(
    deps,
    record,
    wanted.map(({ userId }) => userId),
  );
  const without = wanted.filter(({ userId }) => !seeing.has(userId));
  if (without.length === 0) return;
  if (!grant) {
    const errors = without.map(({ pointer }) => ({ pointer, code: 'NO_ACCESS', message: 'cannot see the story' }));
    throw new AppError('REVIEWER_NO_ACCESS', { errors });
  }
  await actedOn(deps, named, 'editor');
  const act = { by: named.principal.userId, at: deps.now() };
  for (const { userId: granteeId } of without) {
    await deps.grants.put(grantedObject(deps, record), { granteeType: 'user', granteeId, level: 'commenter' }, act);
  }
}

/**
 * Throws `STORY_NOT_FOUND`, `STORY_REVIEW_NOT_FOUND`, or `FORBIDDEN` for others than the owner and the person who
 * asked.
 */
export async function endReview(deps: StoryDeps, named: NamedStory): Promise<void> {
  const { userId } = named.principal;
  await onNewest('STALE_WRITE', async () => {
    const { state } = await seenStory(deps, named);
    const { review, ownerId } = state.record;
    if (!review) throw new AppError('STORY_REVIEW_NOT_FOUND');
    const isOwn = userId === ownerId || userId === review.requestedBy;
    if (!isOwn || !actsInPerson(named.principal)) {
      throw new AppError('FORBIDDEN', {
        detail: 'Only the owner of the story and the person who requested the review can end it.',
      });
    }
    await replaceStory(deps, state.record, { review: null }, { activity: { action: 'review_closed' }, by: userId });
  });
}

/** Throws `STORY_NOT_FOUND`, `STORY_REVIEW_NOT_FOUND` or `NOT_A_REVIEWER`. */
export function decideReview(
  deps: StoryDeps,
  announcer: Announcer,
  { decision, note = null, ...named }: NamedStory & DecideReview,
): Promise<ShownReview> {
  const { userId } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { state } = await seenStory(deps, named);
    const { record, sections } = state;
    if (!record.review) throw new AppError('STORY_REVIEW_NOT_FOUND');
    if (!isReviewer(named.principal, record)) throw new AppError('NOT_A_REVIEWER');
    const decided = { userId, decision, note, at: deps.now().toISOString(), state: stateOf(record, sections) };
    const reviewers = record.review.reviewers.map((reviewer) => (reviewer.userId === userId ? decided : reviewer));
    const review = { ...record.review, reviewers };
    const announcement = announcer.decided(record, review, decided);
    await replaceStory(deps, record, { review }, { activity: { action: 'review_decided' }, by: userId }, [
      announcer.item(announcement),
    ]);
    await announcer.now(announcement);
    return showReview(review, state)!;
  });
}
