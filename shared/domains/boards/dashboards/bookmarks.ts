import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { staleCode } from '../../../platform/storage/expectation.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import {
  type BookmarkScope,
  bookmarkKey,
  bookmarksOf,
  type DashboardPlace,
  defaultKey,
  locatorKey,
  memberBookmarkKey,
  recordKey,
} from './keys.ts';
import type { Bookmark } from './records.ts';

/** The maximum number of shared bookmarks of a dashboard, and of personal ones of one user there. */
export const MAX_BOOKMARKS = 100;

/** As stored. Another item names the default of a scope, so that there is never more than one. */
interface StoredBookmark extends Omit<Bookmark, 'isDefault'> {
  membershipId?: string | undefined;
}

interface Locator extends BookmarkScope {
  dashboardId: string;
}

export interface BookmarkRepository {
  /** The shared ones and those of the user, each in the order of creation. */
  list(place: DashboardPlace, userId: string): Promise<Bookmark[]>;
  /** Undefined unless it is shared or belongs to the user. */
  find(workspaceId: string, id: string, userId: string): Promise<Bookmark | undefined>;
  /** Throws `TOO_MANY_BOOKMARKS`. */
  create(workspaceId: string, bookmark: Bookmark, membershipId: string | undefined): Promise<Bookmark>;
  /** Throws `TOO_MANY_BOOKMARKS` if the other scope is full, and `STALE_WRITE`. */
  replace(workspaceId: string, before: Bookmark, next: Bookmark, membershipId: string | undefined): Promise<Bookmark>;
  /** Throws `STALE_WRITE`. */
  remove(workspaceId: string, bookmark: Bookmark): Promise<void>;
}

const scopeOf = ({ isPersonal, createdBy }: Bookmark): BookmarkScope => ({ userId: isPersonal ? createdBy : null });

const placeIn = (workspaceId: string, { dashboardId }: Bookmark): DashboardPlace => ({ workspaceId, dashboardId });

export function bookmarkRepository(table: Table): BookmarkRepository {
  async function listScope(place: DashboardPlace, scope: BookmarkScope): Promise<Bookmark[]> {
    const items = await Array.fromAsync(itemsBelow(table, bookmarksOf(place, scope)));
    const chosen = items.find(({ entity }) => entity === 'bookmark-default')?.bookmarkId;
    return items
      .filter(({ entity }) => entity === 'bookmark')
      .map((item) => {
        const { membershipId: _membershipId, ...bookmark } = toRecord<StoredBookmark>(item);
        return { ...bookmark, isDefault: chosen === bookmark.id };
      });
  }

  async function assertRoom(place: DashboardPlace, scope: BookmarkScope): Promise<void> {
    if ((await listScope(place, scope)).length >= MAX_BOOKMARKS) throw new AppError('TOO_MANY_BOOKMARKS');
  }

  async function write({ id }: Bookmark, items: TransactItem[]): Promise<void> {
    try {
      await transact(table, items);
    } catch (cause) {
      if (failedConditions(cause).size > 0) throw new AppError(staleCode(id, 'STALE_WRITE'), { cause });
      throw cause;
    }
  }

  return {
    async list(place, userId) {
      const lists = await Promise.all([listScope(place, { userId: null }), listScope(place, { userId })]);
      return lists.flat();
    },

    async find(workspaceId, id, userId) {
      const Key = locatorKey(workspaceId, id);
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      const locator = found.Item as Locator | undefined;
      if (!locator || (locator.userId !== null && locator.userId !== userId)) return undefined;
      const scoped = await listScope({ workspaceId, dashboardId: locator.dashboardId }, locator);
      return scoped.find((bookmark) => bookmark.id === id);
    },

    async create(workspaceId, bookmark, membershipId) {
      const place = placeIn(workspaceId, bookmark);
      const stored = (await listScope(place, scopeOf(bookmark))).find(({ id }) => id === bookmark.id);
      if (stored) return stored;
      await assertRoom(place, scopeOf(bookmark));
      await write(bookmark, [
        // A dashboard that is purged meanwhile takes all its bookmarks with it.
        {
          ConditionCheck: { TableName: table.name, Key: recordKey(place), ConditionExpression: 'attribute_exists(pk)' },
        },
        putItem(table, place, { bookmark, membershipId }),
        ...locatorItems(table, place, bookmark),
        ...(bookmark.isDefault ? [setDefault(table, place, bookmark)] : []),
      ]);
      return bookmark;
    },

    async replace(workspaceId, before, next, membershipId) {
      const place = placeIn(workspaceId, before);
      if (before.isPersonal === next.isPersonal) {
        await write(before, [
          putItem(table, place, { bookmark: next, before, membershipId }),
          ...(next.isDefault && !before.isDefault ? [setDefault(table, place, next)] : []),
          ...(before.isDefault && !next.isDefault ? [endDefault(table, place, before)] : []),
        ]);
        return next;
      }
      await assertRoom(place, scopeOf(next));
      await write(before, [
        ...removeItems(table, place, before),
        putItem(table, place, { bookmark: next, membershipId }),
        ...locatorItems(table, place, next),
        ...(next.isDefault ? [setDefault(table, place, next)] : []),
      ]);
      return next;
    },

    async remove(workspaceId, bookmark) {
      const locator = { Delete: { TableName: table.name, Key: locatorKey(workspaceId, bookmark.id) } };
      const twin = memberBookmarkKey(workspaceId, bookmark.createdBy, bookmark.id);
      await write(bookmark, [
        ...removeItems(table, placeIn(workspaceId, bookmark), bookmark),
        locator,
        ...(bookmark.isPersonal ? [{ Delete: { TableName: table.name, Key: twin } }] : []),
      ]);
    },
  };
}

function putItem(
  table: Table,
  place: DashboardPlace,
  { bookmark, before, membershipId }: { bookmark: Bookmark; before?: Bookmark; membershipId: string | undefined },
): TransactItem {
  const { isDefault: _isDefault, ...stored } = bookmark;
  const key = bookmarkKey(place, scopeOf(bookmark), bookmark.id);
  return {
    Put: {
      TableName: table.name,
      Item: { ...stored, ...(bookmark.isPersonal ? { membershipId } : {}), ...key, entity: 'bookmark' },
      ...(before ? sameBookmark(before) : {}),
    },
  };
}

/** Where the bookmark is, and the list of the member's own. */
function locatorItems(table: Table, { workspaceId, dashboardId }: DashboardPlace, bookmark: Bookmark): TransactItem[] {
  const { id, createdBy, isPersonal } = bookmark;
  const { userId } = scopeOf(bookmark);
  const twin = memberBookmarkKey(workspaceId, createdBy, id);
  const at = { dashboardId, userId };
  return [
    {
      Put: {
        TableName: table.name,
        Item: { ...at, ...locatorKey(workspaceId, id), entity: 'bookmark-locator' },
      },
    },
    isPersonal
      ? { Put: { TableName: table.name, Item: { ...at, ...twin, entity: 'member-bookmark' } } }
      : { Delete: { TableName: table.name, Key: twin } },
  ];
}

function removeItems(table: Table, place: DashboardPlace, bookmark: Bookmark): TransactItem[] {
  const Key = bookmarkKey(place, scopeOf(bookmark), bookmark.id);
  return [
    { Delete: { TableName: table.name, Key, ...sameBookmark(bookmark) } },
    ...(bookmark.isDefault ? [endDefault(table, place, bookmark)] : []),
  ];
}

const setDefault = (table: Table, place: DashboardPlace, bookmark: Bookmark): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: { ...defaultKey(place, scopeOf(bookmark)), entity: 'bookmark-default', bookmarkId: bookmark.id },
  },
});

const endDefault = (table: Table, place: DashboardPlace, bookmark: Bookmark): TransactItem => ({
  Delete: {
    TableName: table.name,
    Key: defaultKey(place, scopeOf(bookmark)),
    ConditionExpression: 'bookmarkId = :id',
    ExpressionAttributeValues: { ':id': bookmark.id },
  },
});

const sameBookmark = ({ updatedAt }: Bookmark) => ({
  ConditionExpression: 'updatedAt = :seen',
  ExpressionAttributeValues: { ':seen': updatedAt },
});
