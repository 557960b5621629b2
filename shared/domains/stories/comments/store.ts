import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { later } from '../../../platform/storage/ids.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { type Change, type Condition, updateOf } from '../../../platform/storage/update.ts';
import type { FollowedWords } from '../../tenancy/subjects/index.ts';
import { type Anchor, isTextContext } from './contexts.ts';
import {
  allOf,
  allThreads,
  type CommentPlace,
  commentKey,
  commentsOf,
  followedKey,
  locatorKey,
  rateKey,
  threadKey,
  totalKey,
} from './keys.ts';
import {
  type LocatedComment,
  MAX_A_MINUTE,
  MAX_COMMENTS,
  MAX_REPLIES,
  type StoredComment,
  type StoredThread,
} from './records.ts';

type ThreadChange = Partial<
  Pick<StoredThread, 'resolvedAt' | 'resolvedBy' | 'resolution' | 'context' | 'rowsOf' | 'anchor' | 'words'>
>;

/** Where the words of a thread are now. */
export interface MovedWords {
  thread: StoredThread;
  anchor: Anchor;
  words: FollowedWords;
}

/** A transaction has at most 100 items. */
const MOVED_AT_ONCE = 90;

export interface CommentStore {
  /** All threads of the subject and its parts, oldest first, without their texts. */
  threads(place: CommentPlace): Promise<StoredThread[]>;
  thread(place: CommentPlace, threadId: string): Promise<StoredThread | undefined>;
  /** The root of the thread, then its replies. */
  comments(place: CommentPlace, threadId: string): Promise<StoredComment[]>;
  /** Also a tombstone. */
  find(workspaceId: string, id: string): Promise<LocatedComment | undefined>;
  /**
   * Stores a comment, and the thread that it begins if it is no reply. A repeated call returns what is stored. Throws
   * `TOO_MANY_COMMENTS`, `COMMENT_PARENT_DELETED`, and `STALE_WRITE` if a condition of `also` fails.
   */
  add(
    place: CommentPlace,
    comment: StoredComment,
    thread: StoredThread | undefined,
    also: readonly TransactItem[],
  ): Promise<LocatedComment>;
  /** Replaces the content of a comment and changes the state of its thread, both or neither. Throws `STALE_WRITE`. */
  change(
    found: LocatedComment,
    change: { comment?: Pick<StoredComment, 'content' | 'editedAt'>; thread?: ThreadChange },
    also: readonly TransactItem[],
  ): Promise<LocatedComment>;
  /**
   * Erases a comment. The root of a thread with replies becomes a tombstone, which goes with the last of them. Throws
   * `STALE_WRITE`.
   */
  remove(found: LocatedComment, by: { userId: string; at: Date }, also: readonly TransactItem[]): Promise<void>;
  /** Up to which text of the section the words of threads were followed; undefined if they never were. */
  followedSeq(place: CommentPlace, sectionId: string): Promise<number | undefined>;
  /**
   * Stores where the words of threads are in the text `seq` of a section. Returns false if another request has followed
   * them meanwhile; then some may be stored.
   */
  moveWords(
    place: CommentPlace,
    section: { sectionId: string; seen: number | undefined; seq: number },
    moved: readonly MovedWords[],
  ): Promise<boolean>;
  /** The item for the transaction that accepts or rejects a suggestion; fails it if the thread has changed. */
  decideItem(
    place: CommentPlace,
    moved: Pick<MovedWords, 'thread'> & Partial<MovedWords>,
    decision: Pick<StoredThread, 'resolution' | 'resolvedAt' | 'resolvedBy'>,
  ): TransactItem;
  /** Counts a comment of the person. Throws `RATE_LIMITED`. */
  count(workspaceId: string, userId: string): Promise<void>;
}

export function commentStore(table: Table): CommentStore {
  const read = async <T>(Key: Key): Promise<T | undefined> => {
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item && toRecord<T>(found.Item);
  };
  const put = (Item: Record<string, unknown>): TransactItem => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const update = (key: Key, change: Change, condition: Condition): TransactItem => ({
    Update: updateOf(table, key, change, condition),
  });
  const remove = (Key: Key, condition: Condition = {}): TransactItem => {
    const { UpdateExpression: _none, ExpressionAttributeNames: names, ...rest } = updateOf(table, Key, {}, condition);
    const named = Object.keys(names ?? {}).length > 0 ? { ExpressionAttributeNames: names } : {};
    return { Delete: { ...rest, ...named } };
  };
  const addTotal = (place: CommentPlace, by: number): TransactItem => ({
    Update: {
      TableName: table.name,
      Key: totalKey(place),
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ...(by > 0
        ? {
            ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
            ExpressionAttributeValues: { ':by': by, ':max': MAX_COMMENTS },
          }
        : { ExpressionAttributeValues: { ':by': by } }),
    },
  });
  const write = async (
    items: TransactItem[],
    codes: Readonly<Record<number, (() => AppError) | undefined>> = {},
  ): Promise<void> => {
    try {
      await transact(table, items);
    } catch (cause) {
      const failed = [...failedConditions(cause)];
      if (failed.length === 0) throw cause;
      const known = failed.find((position) => codes[position]);
      throw known === undefined ? new AppError('STALE_WRITE', { cause }) : codes[known]!();
    }
  };

  const store: CommentStore = {
    threads: (place) => Array.fromAsync(itemsBelow(table, allThreads(place)), (item) => toRecord<StoredThread>(item)),
    thread: (place, threadId) => read<StoredThread>(threadKey(place, threadId)),
    comments: (place, threadId) =>
      Array.fromAsync(itemsBelow(table, commentsOf(place, threadId)), (item) => toRecord<StoredComment>(item)),

    async find(workspaceId, id) {
      const locator = await read<{ place: CommentPlace; threadId: string }>(locatorKey(workspaceId, id));
      if (!locator) return undefined;
      const { place, threadId } = locator;
      const [thread, comment] = await Promise.all([
        store.thread(place, threadId),
        read<StoredComment>(commentKey(place, threadId, id)),
      ]);
      return thread && comment && { place, thread, comment };
    },

    async add(place, comment, thread, also) {
      const { id, threadId } = comment;
      const stored = await store.find(place.workspaceId, id);
      if (stored) return stored;
      const parent: TransactItem = thread
        ? put({ ...thread, ...threadKey(place, threadId), entity: 'comment-thread' })
        : {
            Update: {
              TableName: table.name,
              Key: threadKey(place, threadId),
              UpdateExpression: 'ADD replyCount :one SET updatedAt = :at',
              ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(isRootDeleted) AND replyCount < :max',
              ExpressionAttributeValues: { ':one': 1, ':at': comment.createdAt, ':max': MAX_REPLIES },
            },
          };
      const isFull = async () => {
        const current = await store.thread(place, threadId);
        return current !== undefined && !current.isRootDeleted && current.replyCount >= MAX_REPLIES;
      };
      const full = new AppError('TOO_MANY_COMMENTS', {
        detail: `A thread has at most ${MAX_REPLIES} replies. Start a new thread.`,
      });
      const refused = !thread && (await isFull()) ? full : new AppError('COMMENT_PARENT_DELETED');
      await write(
        [
          put({ ...comment, ...commentKey(place, threadId, id), entity: 'comment' }),
          parent,
          addTotal(place, 1),
          put({ ...locatorKey(place.workspaceId, id), entity: 'comment-locator', place, threadId }),
          ...also,
        ],
        {
          ...(thread ? {} : { 1: () => refused }),
          2: () => new AppError('TOO_MANY_COMMENTS'),
        },
      );
      return (await store.find(place.workspaceId, id))!;
    },

    async change({ place, comment, thread }, change, also) {
      const next: LocatedComment = {
        place,
        comment: { ...comment, ...change.comment, updatedAt: later(comment.updatedAt, table.now()) },
        thread: { ...thread, ...change.thread, updatedAt: later(thread.updatedAt, table.now()) },
      };
      const gone = Object.entries(change.thread ?? {}).flatMap(([name, value]) => (value === undefined ? [name] : []));
      const commentItem = update(
        commentKey(place, thread.id, comment.id),
        { set: { ...change.comment, updatedAt: next.comment.updatedAt } },
        { equals: { updatedAt: comment.updatedAt } },
      );
      const threadItem = update(
        threadKey(place, thread.id),
        { set: { ...change.thread, updatedAt: next.thread.updatedAt }, remove: gone },
        { equals: { updatedAt: thread.updatedAt } },
      );
      await write([...(change.comment ? [commentItem] : []), ...(change.thread ? [threadItem] : []), ...also]);
      return {
        place,
        comment: change.comment ? next.comment : comment,
        thread: change.thread ? next.thread : thread,
      };
    },

    async remove({ place, thread, comment }, { userId, at }, also) {
      const key = commentKey(place, thread.id, comment.id);
      const same = { equals: { updatedAt: comment.updatedAt } };
      const erased = [remove(key, same), remove(locatorKey(place.workspaceId, comment.id))];
      const unchanged = { equals: { replyCount: thread.replyCount, updatedAt: thread.updatedAt } };
      const threadItem = threadKey(place, thread.id);
      if (comment.parentId === null && thread.replyCount > 0) {
        const deletedAt = at.toISOString();
        const tombstone = { content: null, deletedAt, deletedBy: userId, updatedAt: deletedAt };
        await write([
          update(key, { set: tombstone }, same),
          update(threadItem, { set: { isRootDeleted: true, updatedAt: later(thread.updatedAt, at) } }, unchanged),
          ...also,
        ]);
        return;
      }
      if (comment.parentId === null) {
        await write([...erased, remove(threadItem, unchanged), addTotal(place, -1), ...also]);
        return;
      }
      const isLast = thread.isRootDeleted === true && thread.replyCount === 1;
      const root = [remove(commentKey(place, thread.id, thread.id)), remove(locatorKey(place.workspaceId, thread.id))];
      const fewer = { add: { replyCount: -1 }, set: { updatedAt: later(thread.updatedAt, at) } };
      await write([
        ...erased,
        isLast ? remove(threadItem, unchanged) : update(threadItem, fewer, unchanged),
        addTotal(place, isLast ? -2 : -1),
        ...(isLast ? root : []),
        ...also,
      ]);
    },

    followedSeq: async (place, sectionId) => (await read<{ seq: number }>(followedKey(place, sectionId)))?.seq,

    async moveWords(place, { sectionId, seen, seq }, moved) {
      const marker = followedKey(place, sectionId);
      const unfollowed = seen === undefined ? { absent: ['pk'] } : { equals: { seq: seen } };
      for (let start = 0; start === 0 || start < moved.length; start += MOVED_AT_ONCE) {
        const isLast = start + MOVED_AT_ONCE >= moved.length;
        const items = moved
          .slice(start, start + MOVED_AT_ONCE)
          .map(({ thread, anchor, words }) =>
            update(
              threadKey(place, thread.id),
              { set: { anchor, words, context: contextAt(thread, words) } },
              { equals: { words: thread.words } },
            ),
          );
        const followed = update(marker, { set: isLast ? { entity: 'comment-words', seq } : {} }, unfollowed);
        try {
          await transact(table, [isLast ? followed : checkOf(followed), ...items]);
        } catch (cause) {
          if (failedConditions(cause).size > 0) return false;
          throw cause;
        }
      }
      return true;
    },

    decideItem: (place, { thread, anchor, words }, decision) =>
      update(
        threadKey(place, thread.id),
        {
          set: {
            ...decision,
            ...(words && { anchor, words }),
            updatedAt: later(thread.updatedAt, table.now()),
          },
        },
        { equals: { updatedAt: thread.updatedAt, ...(words && { words: thread.words }) }, exists: ['pk'] },
      ),

    async count(workspaceId, userId) {
      const now = table.now();
      const Key = rateKey(workspaceId, userId, now.toISOString().slice(0, 16));
      const isCounted = await ifHolds(
        table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key,
            UpdateExpression: 'SET entity = :entity, expiresAt = :end ADD #count :one',
            ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: {
              ':entity': 'comment-rate',
              ':end': Math.ceil(now.getTime() / 1000) + 3_600,
              ':one': 1,
              ':max': MAX_A_MINUTE,
            },
          }),
        ),
      );
      if (isCounted) return;
      const detail = `A person writes at most ${MAX_A_MINUTE} comments a minute. Try again after the time in Retry-After.`;
      throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds: 60 - now.getUTCSeconds() });
    },
  };
  return store;
}

/** What a thread is about, with the words as they are now. */
function contextAt({ context }: StoredThread, { place: { sectionId, blockId, quote } }: FollowedWords) {
  return isTextContext(context) ? { ...context, sectionId, blockId, quote } : context;
}

/** Checks the condition of an update without making it. */
function checkOf({ Update }: TransactItem): TransactItem {
  const { UpdateExpression: _none, ...check } = Update!;
  return { ConditionCheck: check } as TransactItem;
}

/** The comments of a subject that has ended. Returns false if some are left once `isOver` is true. */
export async function endComments(table: Table, place: CommentPlace, isOver: () => boolean): Promise<boolean> {
  const items = await Array.fromAsync(itemsBelow(table, allOf(place)), ({ pk, sk, entity, id }) => ({
    key: { pk: pk as string, sk: sk as string },
    locator: entity === 'comment' ? [locatorKey(place.workspaceId, id as string)] : [],
  }));
  // A comment goes after its locator: without it the locator would not be found again.
  return deleteItems(
    table,
    items.flatMap(({ key, locator }) => [...locator, key]),
    isOver,
  );
}
