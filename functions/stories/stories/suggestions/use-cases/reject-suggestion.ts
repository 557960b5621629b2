import { commentStore } from '../../../../../shared/domains/stories/comments/index.ts';
import {
  actedOn,
  activityItem,
  assertOpen,
  isHidden,
  sectionOf,
  storyPlaceOf,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import { failedConditions, transact } from '../../../../../shared/platform/storage/transact.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import type { DecidedSuggestion } from '../schemas.ts';
import { decided, subjectOf, suggestionIn } from './suggestion-threads.ts';

/**
 * Resolves a suggestion without a change of the text. Throws `STORY_NOT_FOUND`, `STORY_SECTION_NOT_FOUND`,
 * `SECTION_HIDDEN`, `STORY_ARCHIVED`, `COMMENT_NOT_FOUND` or `SUGGESTION_ACCEPTED`.
 */
export function rejectSuggestion(
  deps: StoryDeps,
  { commentId, ...named }: NamedSection & { commentId: string },
): Promise<DecidedSuggestion> {
  const comments = commentStore(deps.table);
  const { userId: by } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'contributor');
    const section = sectionOf(state, named.sectionId);
    if (await isHidden(deps, named.principal, section)) throw new AppError('SECTION_HIDDEN');
    assertOpen(state);
    const thread = await suggestionIn(comments, { ...named, commentId });
    if (thread.resolution === 'accepted') throw new AppError('SUGGESTION_ACCEPTED');
    if (thread.resolution === 'rejected') return decided(thread);
    const at = deps.now();
    const decision = { resolution: 'rejected', resolvedAt: at.toISOString(), resolvedBy: by } as const;
    const place = storyPlaceOf(state.record);
    try {
      await transact(deps.table, [
        comments.decideItem(subjectOf(named), { thread }, decision),
        deps.store.openItem(place),
        activityItem(deps.table, place, { action: 'suggestion_rejected', sectionId: section.id }, { by, at }),
      ]);
    } catch (cause) {
      if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
    return decided({ ...thread, ...decision });
  });
}
