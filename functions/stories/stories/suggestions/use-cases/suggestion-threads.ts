import type { CommentContext, CommentStore } from '../../../../../shared/domains/stories/comments/index.ts';
import type { WordsThread } from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { NamedSection } from '../../use-cases/context.ts';
import type { DecidedSuggestion } from '../schemas.ts';

/** A comment that suggests another text. */
export type SuggestionThread = WordsThread & { context: Extract<CommentContext, { kind: 'suggestion' }> };

export const subjectOf = ({ principal: { workspaceId }, id }: Pick<NamedSection, 'principal' | 'id'>) => ({
  ...{ workspaceId, type: 'story', id },
});

/** Throws `COMMENT_NOT_FOUND` if the section has no such suggestion. */
export async function suggestionIn(
  comments: Pick<CommentStore, 'thread'>,
  { commentId, sectionId, ...named }: NamedSection & { commentId: string },
): Promise<SuggestionThread> {
  const thread = await comments.thread(subjectOf(named), commentId);
  const { context, words, isRootDeleted } = thread ?? {};
  const isHere = context?.kind === 'suggestion' && context.sectionId === sectionId;
  if (!thread || !isHere || !words || isRootDeleted) throw new AppError('COMMENT_NOT_FOUND');
  return { ...thread, context, words };
}

/** A suggestion after a decision. */
export const decided = ({
  id: commentId,
  resolution,
  resolvedAt,
  resolvedBy,
}: SuggestionThread): DecidedSuggestion => ({
  ...{ commentId, resolvedAt: resolvedAt!, resolvedBy: resolvedBy! },
  resolution: resolution === 'accepted' ? resolution : 'rejected',
});
