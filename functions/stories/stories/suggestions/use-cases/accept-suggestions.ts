import { acceptSuggestion, newAnchor, type RichText, reanchor } from '../../../../../shared/data/rich-text/index.ts';
import { type CommentStore, commentStore } from '../../../../../shared/domains/stories/comments/index.ts';
import { anchorNow, movedTo, storyPlaceOf } from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { type EditedState, editSection, type SectionEdit } from '../../sections/use-cases/edit-section.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import type { Announcer } from '../../use-cases/notices.ts';
import { readContent } from '../../use-cases/read-content.ts';
import { showSection } from '../../use-cases/views.ts';
import type { AcceptedSuggestions } from '../schemas.ts';
import { decided, type SuggestionThread, subjectOf, suggestionIn } from './suggestion-threads.ts';

/**
 * Replaces the words of suggestions by what they suggest, all or none. Those that were accepted before stay as they
 * are. Throws `COMMENT_NOT_FOUND`, `QUOTE_GONE`, `SUGGESTION_STALE`, and the codes of `editSection`.
 */
export async function acceptSuggestions(
  deps: StoryDeps,
  announcer: Announcer,
  { commentIds, ...named }: NamedSection & { commentIds: readonly string[] },
): Promise<AcceptedSuggestions> {
  const comments = commentStore(deps.table);
  const read = () => Promise.all(commentIds.map((commentId) => suggestionIn(comments, { ...named, commentId })));
  let announcement: ReturnType<Announcer['suggestionsAccepted']> | undefined;
  let isReadAfter = false;
  const { section, ordinal, lock } = await editSection(deps, named, {
    activity: 'suggestion_accepted',
    async edit(edited) {
      announcement = undefined;
      const open = (await read()).filter(({ resolution }) => resolution !== 'accepted');
      if (open.length === 0) {
        // Accepted by another request, maybe after the section was read, which would be returned without their words.
        if (!isReadAfter) {
          isReadAfter = true;
          throw new AppError('STALE_WRITE');
        }
        return undefined;
      }
      const at = deps.now().toISOString();
      const { edit, seq } = await replacing(deps, comments, { named, edited, open, at });
      const by = named.principal.userId;
      const authorIds = [...new Set(open.map(({ authorId }) => authorId))];
      announcement = announcer.suggestionsAccepted(edited.state.record, {
        ...{ sectionId: named.sectionId, commentIds: open.map(({ id }) => id), seq, by, at, authorIds },
      });
      return { ...edit, also: [...(edit.also ?? []), announcer.item(announcement)] };
    },
  });
  if (announcement) await announcer.now(announcement);
  return {
    items: (await read()).map(decided),
    section: await showSection(deps, named.principal, section, { storyId: named.id, ordinal, lock }),
  };
}

interface Accepting {
  named: NamedSection;
  edited: EditedState;
  open: readonly SuggestionThread[];
  at: string;
}

async function replacing(
  deps: StoryDeps,
  comments: CommentStore,
  { named, edited: { state, section }, open, at }: Accepting,
): Promise<{ edit: SectionEdit; seq: number }> {
  const place = storyPlaceOf(state.record);
  const subject = subjectOf(named);
  const seen = await comments.followedSeq(subject, section.id);
  const current = open.map((thread) => anchorNow(deps.store, place, state, { section, threads: [], seen, thread }));
  let anchors = await Promise.all(current);
  let { content } = section;
  for (const [index, { id: commentId, context }] of open.entries()) {
    const result = acceptSuggestion(content, anchors[index]!, context.replacement);
    if (result.kind === 'stale') {
      throw new AppError('SUGGESTION_STALE', { members: { commentId, current: result.current } });
    }
    if (result.kind !== 'replaced') throw new AppError('QUOTE_GONE', { members: { commentId } });
    // The others stand beside the new text, which is not theirs.
    const others = reanchor(anchors, sectionWith(section.id, content), sectionWith(section.id, result.content));
    const own = { ...newAnchor(result.place), ...(context.replacement === '' && { state: 'orphaned' as const }) };
    anchors = others.map((anchor, each) => (each === index ? own : anchor));
    content = result.content;
  }
  const isChanged = JSON.stringify(content) !== JSON.stringify(section.content);
  const seq = isChanged ? section.editSeq + 1 : section.textSeq;
  const decision = { resolution: 'accepted', resolvedAt: at, resolvedBy: named.principal.userId } as const;
  const items = open.map((thread, index) =>
    comments.decideItem(subject, movedTo(thread, anchors[index]!, seq), decision),
  );
  return { edit: { content: fitting(content), also: items }, seq };
}

const sectionWith = (id: string, content: RichText) => [{ id, content }];

/** Throws `STORY_TOO_LARGE`: nothing else can be wrong with a valid text and a plain replacement. */
function fitting(content: RichText): RichText {
  try {
    return readContent(content, { at: '/content', takenIds: new Set() });
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'STORY_CONTENT_INVALID') {
      throw new AppError('STORY_TOO_LARGE', { errors: cause.errors, cause });
    }
    throw cause;
  }
}
