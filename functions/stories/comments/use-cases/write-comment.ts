import { type Announcement, announcementItem } from '../../../../shared/domains/delivery/notifications/index.ts';
import {
  COMMENT,
  isVisible,
  type LocatedComment,
  MENTION,
  REPLY,
  type StoredComment,
  type StoredThread,
  seesOwnComments,
} from '../../../../shared/domains/stories/comments/index.ts';
import { auditItems } from '../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { CreateComment, UpdateComment, WrittenComment } from '../schemas.ts';
import { type CheckedContext, checkContext } from './check-context.ts';
import { findMentioned, reachMentioned } from './check-mentions.ts';
import type { CommentDeps } from './context.ts';
import { assertKnownType, assertMayComment, type Discussed, findComment, findObject } from './find-object.ts';
import { showWritten } from './show-comments.ts';

interface Create {
  id: string;
  principal: Principal;
  comment: CreateComment;
  apiUrl: string;
}

/**
 * The comment, its thread and whom to notify are one transaction. Throws `COMMENT_OBJECT_NOT_FOUND`, `COMMENTS_OFF`,
 * `COMMENTS_RESTRICTED`, `COMMENT_PARENT_DELETED`, `TOO_MANY_COMMENTS` and `RATE_LIMITED`.
 */
export async function createComment(
  deps: CommentDeps,
  { id, principal, comment: given, apiUrl }: Create,
): Promise<WrittenComment> {
  assertKnownType(deps, given.resourceType);
  const object = await findObject(deps, principal, given);
  await assertMayComment(deps, object);
  const { place, subject, kind } = object;
  const parent = given.parentId === undefined ? undefined : await findParent(deps, object, given.parentId);
  if (parent && given.context) {
    const message = 'belongs to the first comment of the thread';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/context', code: 'NOT_ALLOWED', message }] });
  }
  let about = parent ? undefined : await checkContext(deps, object, given.context);
  const reached = await findMentioned(deps, object, { content: given.content, listed: given.mentions });
  const at = deps.now();
  const comment = newComment({ id, given, principal, at, threadId: parent?.thread.id ?? id });
  const thread = parent?.thread ?? newThread(comment, about!.checked);
  const { mentioned, userIds } = await reachMentioned(deps, object, thread, reached);
  const participants = parent ? await authorsOf(deps, parent) : [];
  const announcement: Announcement = {
    ...announcementOf(object, comment, apiUrl),
    follow: [...new Set([principal.userId, ...(subject.ownerId === null ? [] : [subject.ownerId])])],
    audiences: [
      { kind: MENTION, userIds },
      { kind: REPLY, userIds: participants, onlyFollowers: true },
      { kind: COMMENT, followers: true },
    ],
  };
  if (!(await deps.store.find(place.workspaceId, id))) await deps.store.count(place.workspaceId, principal.userId);
  const stored = await onNewest('STALE_WRITE', async () => {
    if (!(await kind.find(deps.table, principal, place.id))) throw new AppError('COMMENT_OBJECT_NOT_FOUND');
    about ??= parent ? undefined : await checkContext(deps, object, given.context);
    const { checked, unchanged = [] } = about ?? {};
    // The text may have changed by the next try.
    about = undefined;
    return deps.store.add(place, comment, checked && newThread(comment, checked), [
      ...unchanged,
      kind.present(deps.table, place.workspaceId, place.id),
      announcementItem(deps.table, announcement),
      ...(await logged(deps, object, comment.id, 'created')),
    ]);
  });
  await deps.announceNow(announcement);
  return showWritten(deps, object, stored, mentioned);
}

/** Throws `COMMENT_PARENT_DELETED`, and `VALIDATION_FAILED` if the object has no such comment. */
async function findParent(
  { store }: CommentDeps,
  { principal, place, subject, parts }: Discussed,
  parentId: string,
): Promise<LocatedComment> {
  const parent = await store.find(place.workspaceId, parentId);
  const isHere = parent && parent.place.type === place.type && parent.place.id === place.id;
  if (!isHere || !isVisible(parent.thread, { subject, parts, readerId: principal.userId })) {
    const message = 'The object has no such comment';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/parentId', code: 'UNKNOWN_COMMENT', message }] });
  }
  if (parent.thread.isRootDeleted) throw new AppError('COMMENT_PARENT_DELETED');
  return parent;
}

async function authorsOf({ store }: CommentDeps, { place, thread }: LocatedComment): Promise<string[]> {
  return [...new Set((await store.comments(place, thread.id)).map(({ authorId }) => authorId))];
}

function newComment(made: {
  id: string;
  given: CreateComment;
  principal: Principal;
  at: Date;
  threadId: string;
}): StoredComment {
  const { id, given, principal, at, threadId } = made;
  const time = at.toISOString();
  return {
    id,
    threadId,
    parentId: threadId === id ? null : threadId,
    authorId: principal.userId,
    authorName: principal.name ?? principal.email ?? '',
    content: given.content,
    editedAt: null,
    deletedAt: null,
    deletedBy: null,
    createdAt: time,
    updatedAt: time,
  };
}

const newThread = ({ id, authorId, createdAt }: StoredComment, checked: CheckedContext): StoredThread => ({
  ...{ id, authorId, ...checked, replyCount: 0 },
  ...{ resolvedAt: null, resolvedBy: null, resolution: null, createdAt, updatedAt: createdAt },
});

function announcementOf({ place, principal }: Discussed, { id, createdAt }: StoredComment, apiUrl: string) {
  const { workspaceId, type, id: subjectId } = place;
  const cause = { id, at: createdAt };
  const about = { workspaceId, subject: { type, id: subjectId }, partId: id };
  return { ...about, cause, actorId: principal.userId, apiUrl };
}

/** What a comment says is not logged. */
const logged = (
  { table }: Pick<CommentDeps, 'table'>,
  { place: { type, id } }: Pick<Discussed, 'place'>,
  commentId: string,
  verb: 'created' | 'updated' | 'deleted',
): Promise<TransactItem[]> =>
  auditItems(table, {
    action: `comment.${verb}`,
    object: { type: 'comment', id: commentId, name: null },
    [verb === 'deleted' ? 'before' : 'after']: { resourceType: type, resourceId: id },
  });

interface Update {
  principal: Principal;
  id: string;
  change: UpdateComment;
  apiUrl: string;
}

/**
 * Everything is checked before anything is written, in one transaction. Throws `COMMENT_NOT_FOUND`, `COMMENT_IS_REPLY`,
 * `COMMENTS_OFF`, `COMMENTS_RESTRICTED`, and `FORBIDDEN` for the comment of another person.
 */
export async function updateComment(deps: CommentDeps, update: Update): Promise<WrittenComment> {
  let announcement: Announcement | undefined;
  const written = await onNewest('STALE_WRITE', async () => {
    const { found, object } = await findComment(deps, update.principal, update.id);
    await assertMayComment(deps, object);
    assertMayChange(object, found, update);
    const { thread, unchanged } = await changedThread(deps, object, found, update);
    const edited = await editedContent(deps, object, found, update);
    announcement = edited?.announcement;
    const changed =
      thread || edited
        ? await deps.store.change(found, { ...(edited && { comment: edited.content }), ...(thread && { thread }) }, [
            ...unchanged,
            ...(announcement ? [announcementItem(deps.table, announcement)] : []),
            ...(await logged(deps, object, update.id, 'updated')),
          ])
        : found;
    return showWritten(deps, object, changed, edited?.mentioned ?? []);
  });
  if (announcement) await deps.announceNow(announcement);
  return written;
}

function assertMayChange(
  { subject, principal, parts }: Discussed,
  { comment, thread }: LocatedComment,
  { change: { content, isResolved, context } }: Update,
): void {
  const isAuthor = comment.authorId === principal.userId;
  if (content !== undefined && !isAuthor) throw new AppError('FORBIDDEN');
  if (context && !isAuthor && !subject.mayEdit) throw new AppError('FORBIDDEN');
  // Elsewhere, replies that are hidden from the author would be shown.
  if (context && seesOwnComments(thread, { parts, readerId: principal.userId })) throw new AppError('FORBIDDEN');
  if (comment.parentId !== null && (isResolved !== undefined || context)) throw new AppError('COMMENT_IS_REPLY');
}

interface Edited {
  content: Pick<StoredComment, 'content' | 'editedAt'>;
  mentioned: WrittenComment['mentioned'];
  announcement: Announcement | undefined;
}

/** Those who were not mentioned before are notified. Undefined for an edit that changes nothing. */
async function editedContent(
  deps: CommentDeps,
  object: Discussed,
  { thread, comment }: LocatedComment,
  { change: { content }, apiUrl }: Update,
): Promise<Edited | undefined> {
  if (content === undefined || content === comment.content) return undefined;
  const reached = await findMentioned(deps, object, { content, before: comment.content ?? '' });
  const { mentioned, userIds } = await reachMentioned(deps, object, thread, reached);
  const editedAt = later(comment.updatedAt, deps.now());
  const announcement: Announcement = {
    ...announcementOf(object, comment, apiUrl),
    cause: { id: `${comment.id}/${editedAt}`, at: editedAt },
    audiences: [{ kind: MENTION, userIds }],
  };
  return { content: { content, editedAt }, mentioned, announcement: userIds.length > 0 ? announcement : undefined };
}

/**
 * The change of the thread; undefined if it stays as it is. A new context has neither the anchor nor the rows of the
 * former.
 */
async function changedThread(
  deps: CommentDeps,
  object: Discussed,
  { thread: before }: LocatedComment,
  { principal, change: { isResolved, context } }: Update,
): Promise<{ thread?: Partial<StoredThread>; unchanged: TransactItem[] }> {
  const isChanged = isResolved !== undefined && isResolved !== (before.resolvedAt !== null);
  if (!isChanged && !context) return { unchanged: [] };
  const resolved = isResolved
    ? ({ resolvedAt: deps.now().toISOString(), resolvedBy: principal.userId, resolution: 'resolved' } as const)
    : { resolvedAt: null, resolvedBy: null, resolution: null };
  const about = context && (await checkContext(deps, object, context));
  const former = { anchor: undefined, rowsOf: undefined, words: undefined };
  const thread = { ...(isChanged && resolved), ...(about && { ...former, ...about.checked }) } as Partial<StoredThread>;
  return { thread, unchanged: about?.unchanged ?? [] };
}

/** Throws `COMMENT_NOT_FOUND`, and `FORBIDDEN` for the comment of another person on an object of others. */
export async function deleteComment(
  deps: CommentDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const { found, object } = await findComment(deps, principal, id);
    const isModerator = object.subject.mayEdit || principal.role === 'admin';
    if (found.comment.authorId !== principal.userId && !isModerator) throw new AppError('FORBIDDEN');
    const by = { userId: principal.userId, at: deps.now() };
    await deps.store.remove(found, by, await logged(deps, object, id, 'deleted'));
  });
}
