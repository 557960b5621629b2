import {
  type Anchor,
  groupOf,
  isTextContext,
  mentionsIn,
  partName,
  partOf,
  quoteFor,
  type ShownContext,
  type StoredComment,
  type StoredThread,
  seesOwnComments,
  type TextContext,
} from '../../../../shared/domains/stories/comments/index.ts';
import type { Reply, Thread, WrittenComment } from '../schemas.ts';
import type { CommentDeps } from './context.ts';
import type { Discussed } from './find-object.ts';
import { anyProtected, rowSources, rowsSubject } from './part-rows.ts';

type Deps = Pick<CommentDeps, 'people' | 'groups' | 'charts'>;

type WrittenDeps = Deps & Pick<CommentDeps, 'store'>;

const NOWHERE: Anchor = { state: 'orphaned', score: null, text: null };
const IN_PLACE: Anchor = { state: 'anchored', score: null, text: null };

/** Where the thread is now: a part that does not exist any more may come back, and its threads with it. */
export function anchorOf({ parts }: Pick<Discussed, 'parts'>, thread: StoredThread): Anchor {
  const { context, anchor } = thread;
  const part = partOf(context);
  const known = part && parts.get(partName(part));
  if (part && (!known || known.isHidden)) return NOWHERE;
  if (anchor && known?.quoteIn) {
    const found = quoteFor(thread, known);
    return found ? { state: 'anchored', score: 1, text: found.quote.exact } : NOWHERE;
  }
  return anchor ?? IN_PLACE;
}

/** Whether the reader sees only their own comments of the thread, because its words are hidden from them by now. */
export const isOwnOnly = (
  { parts, principal }: Pick<Discussed, 'parts' | 'principal'>,
  thread: StoredThread,
): boolean => seesOwnComments(thread, { parts, readerId: principal.userId });

/** The part that the thread is about for the reader. */
export const partFor = (object: Pick<Discussed, 'parts' | 'principal'>, thread: StoredThread): Discussed['part'] =>
  isOwnOnly(object, thread) ? { type: 'section', id: thread.words!.written.sectionId } : partOf(thread.context);

/**
 * What words a thread is about, in the text that the reader sees. Words that are followed into a text that is hidden
 * from the reader are shown as they were written.
 */
function textContextFor({ parts }: Pick<Discussed, 'parts'>, thread: StoredThread, context: TextContext): TextContext {
  const known = parts.get(partName(partOf(context)!));
  if (!thread.words || !(known?.quoteIn || known?.isHidden)) return context;
  const { sectionId, blockId, quote } = thread.words.written;
  return { ...context, sectionId, ...(quoteFor(thread, known) ?? { blockId, quote }) };
}

/** What a part shows is protected if not every member may see its rows, or the rows that its text may quote. */
export async function warningOf(
  deps: Pick<Deps, 'charts'>,
  { parts, place, kind }: Pick<Discussed, 'parts' | 'place' | 'kind'>,
  part: { type: string; id: string } | undefined,
): Promise<WrittenComment['warning']> {
  const known = part && parts.get(partName(part));
  const source = part ? known?.source : kind.source?.(place.id);
  const isProtected =
    (await known?.quotesProtected?.()) || (await anyProtected(deps, place.workspaceId, source ? [source] : []));
  return isProtected ? 'PROTECTED_SOURCE' : null;
}

/** Threads with their comments, as a reader of the object sees them. */
export async function showThreads(
  deps: Deps,
  object: Discussed,
  threads: readonly { thread: StoredThread; comments: readonly StoredComment[] }[],
): Promise<Thread[]> {
  const names = await namesIn(
    deps,
    object,
    threads.flatMap(({ comments }) => [...comments]),
  );
  const contexts = await showContexts(
    deps,
    object,
    threads.map(({ thread }) => thread),
  );
  return threads.flatMap(({ thread, comments }, index) => {
    const show = (comment: StoredComment) => showComment(object, comment, { context: contexts[index]!, names });
    const isShown = isOwnOnly(object, thread)
      ? ({ authorId }: StoredComment) => authorId === object.principal.userId
      : () => true;
    const [root, ...replies] = comments.filter(isShown);
    if (!root) return [];
    const shown = { ...showState(object, thread), replies: replies.map(show) };
    return { ...show(root), ...shown, ...(isOwnOnly(object, thread) && { replyCount: replies.length }) };
  });
}

/** A comment as its author gets it back. */
export async function showWritten(
  deps: WrittenDeps,
  object: Discussed,
  { thread, comment }: { thread: StoredThread; comment: StoredComment },
  mentioned: WrittenComment['mentioned'],
): Promise<WrittenComment> {
  const names = await namesIn(deps, object, [comment]);
  const [context] = await showContexts(deps, object, [thread]);
  return {
    ...showComment(object, comment, { context: context!, names }),
    ...showState(object, thread),
    ...(isOwnOnly(object, thread) && { replyCount: await countOwnReplies(deps, object, thread) }),
    mentioned,
    warning: await warningOf(deps, object, partOf(thread.context)),
  };
}

async function countOwnReplies({ store }: WrittenDeps, { place, principal }: Discussed, thread: StoredThread) {
  const comments = await store.comments(place, thread.id);
  return comments.filter(({ parentId, authorId }) => parentId !== null && authorId === principal.userId).length;
}

const showState = (object: Discussed, thread: StoredThread) => {
  const { resolvedAt, resolvedBy, resolution, replyCount } = thread;
  return { resolvedAt, resolvedBy, resolution, anchor: anchorOf(object, thread), replyCount };
};

type Names = ReadonlyMap<string, string>;

function showComment(
  { place: { workspaceId, type: resourceType, id: resourceId } }: Discussed,
  comment: StoredComment,
  { context, names }: { context: ShownContext; names: Names },
): Reply {
  const { id, parentId, authorId, authorName, content } = comment;
  const { createdAt, updatedAt, editedAt, deletedAt, deletedBy } = comment;
  return {
    ...{ id, workspaceId, resourceType, resourceId, parentId, context },
    author: { id: authorId, name: names.get(authorId) ?? authorName },
    content,
    mentions: mentionsIn(content ?? '').map((mention) => ({ id: mention, name: names.get(mention) ?? null })),
    ...{ createdAt, updatedAt, editedAt, deletedAt, deletedBy },
  };
}

/** The present names of authors and of those who are mentioned, by the id of the mention. */
async function namesIn(
  deps: Pick<Deps, 'people' | 'groups'>,
  { place: { workspaceId } }: Discussed,
  comments: readonly StoredComment[],
): Promise<Names> {
  const mentions = comments.flatMap(({ content }) => mentionsIn(content ?? ''));
  const userIds = [...comments.map(({ authorId }) => authorId), ...mentions.filter((id) => !groupOf(id))];
  const groupIds = [...new Set(mentions.flatMap((id) => groupOf(id) ?? []))];
  const [people, groups] = await Promise.all([
    deps.people(workspaceId, userIds),
    deps.groups.getMany(workspaceId, groupIds),
  ]);
  return new Map([
    ...[...people].map(([id, { name }]) => [id, name] as const),
    ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
  ]);
}

/** The row of a point is shown while its chart reads what it read then, and every member may see that. */
async function showContexts(
  deps: Pick<Deps, 'charts'>,
  { parts, place: { workspaceId } }: Discussed,
  threads: readonly StoredThread[],
): Promise<ShownContext[]> {
  const open = new Map<string, Promise<boolean>>();
  const isOpen = (name: string, rowsOf: string | undefined) => {
    const key = `${name} ${rowsOf}`;
    const known = open.get(key) ?? readsOpenRows(name, rowsOf);
    open.set(key, known);
    return known;
  };
  const readsOpenRows = async (name: string, rowsOf: string | undefined): Promise<boolean> => {
    const sources = await rowSources(parts.get(name));
    if (sources.length === 0 || rowsOf !== (await rowsSubject(deps, workspaceId, sources))) return false;
    return !(await anyProtected(deps, workspaceId, sources));
  };
  return Promise.all(
    threads.map(async ({ context, rowsOf }, index): Promise<ShownContext> => {
      if (isTextContext(context)) return textContextFor({ parts }, threads[index]!, context);
      if (context.kind !== 'point') return context;
      const { row, ...point } = context;
      return { ...point, row: (await isOpen(partName(partOf(context)!), rowsOf)) ? row : null };
    }),
  );
}
