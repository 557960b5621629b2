import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { endGrantsOn } from '../../tenancy/grants/index.ts';
import type { EndedMember } from '../../tenancy/workspaces/index.ts';
import {
  allBookmarks,
  allVersions,
  bodyKey,
  bookmarksOf,
  contentKey,
  type DashboardPlace,
  dashboardKey,
  generationKey,
  locatorKey,
  memberBookmarkKey,
} from './keys.ts';
import type { Bookmark, DashboardRecord } from './records.ts';
import { dashboardRepository } from './repository.ts';
import { dashboardStore } from './store.ts';

/** How long a deleted dashboard can be restored. */
export const RESTORE_DAYS = 30;

export const purgeAt = (deletedAt: string): Date => new Date(Date.parse(deletedAt) + RESTORE_DAYS * DAY_MS);

/**
 * Removes the parts of a generation unless they are those of the dashboard; without a generation, a dashboard that was
 * deleted 30 days ago, with all that belongs to it. Returns false if some is left once `isOver` is true.
 */
export async function endDashboard(
  table: Table,
  { generation, ...place }: DashboardPlace & { generation?: string | undefined },
  isOver: () => boolean,
): Promise<boolean> {
  if (generation !== undefined) return endGeneration(table, place, generation, isOver);
  const record = await dashboardRepository(table).get(place.workspaceId, place.dashboardId);
  if (record) {
    if (record.deletedAt === null) return true;
    if (purgeAt(record.deletedAt) > table.now()) return false;
    await removeRecord(table, place, record);
  }
  const { workspaceId, dashboardId: objectId } = place;
  return (
    (await endItems(table, dashboardKey(place, ''), isOver)) &&
    (await endItems(table, allVersions(place), isOver)) &&
    (await endBookmarks(table, place, isOver)) &&
    endGrantsOn(table, { workspaceId, objectType: 'dashboard', objectId }, isOver)
  );
}

/** The record goes first, together with what readers find by it: what is left then belongs to nothing. */
function removeRecord(table: Table, place: DashboardPlace, record: DashboardRecord): Promise<void> {
  return dashboardRepository(table).remove(
    record,
    'STALE_WRITE',
    [bodyKey(place), contentKey(place)].map((Key) => ({ Delete: { TableName: table.name, Key } })),
  );
}

async function endGeneration(
  table: Table,
  place: DashboardPlace,
  generation: string,
  isOver: () => boolean,
): Promise<boolean> {
  const { workspaceId, dashboardId } = place;
  const content = (await dashboardStore(table).readContents(workspaceId, [dashboardId])).get(dashboardId);
  return content?.generation === generation || endItems(table, generationKey(place, generation), isOver);
}

async function endItems(table: Table, below: Key, isOver: () => boolean): Promise<boolean> {
  const keys = await Array.fromAsync(itemsBelow(table, below), keyOf);
  return deleteItems(table, keys, isOver);
}

const keyOf = ({ pk, sk }: Record<string, unknown>): Key => ({ pk: pk as string, sk: sk as string });

async function endBookmarks(table: Table, place: DashboardPlace, isOver: () => boolean): Promise<boolean> {
  const items = await Array.fromAsync(itemsBelow(table, allBookmarks(place)));
  const keys = items.flatMap((item) => {
    const { id, createdBy, isPersonal } = item as unknown as Bookmark;
    if (item.entity !== 'bookmark') return [keyOf(item)];
    const twin = isPersonal ? [memberBookmarkKey(place.workspaceId, createdBy, id)] : [];
    // The bookmark itself goes last: without it the others would not be found again.
    return [locatorKey(place.workspaceId, id), ...twin, keyOf(item)];
  });
  return deleteItems(table, keys, isOver);
}

/**
 * Removes the personal bookmarks of someone who was removed under `membershipId`. Returns false if some are left once
 * `isOver` is true.
 */
async function endBookmarksOf(
  table: Table,
  { workspaceId, userId, membershipId }: { workspaceId: string; userId: string; membershipId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const twins = await Array.fromAsync(itemsBelow(table, memberBookmarkKey(workspaceId, userId, '')));
  for (const dashboardId of new Set(twins.map((twin) => twin.dashboardId as string))) {
    const own = bookmarksOf({ workspaceId, dashboardId }, { userId });
    const items = await Array.fromAsync(itemsBelow(table, own));
    const ended = items.filter((item) => item.entity === 'bookmark' && item.membershipId === membershipId);
    const keys = ended.flatMap((item) => {
      const id = item.id as string;
      return [locatorKey(workspaceId, id), keyOf(item), memberBookmarkKey(workspaceId, userId, id)];
    });
    if (!(await deleteItems(table, keys, isOver))) return false;
  }
  return true;
}

/** A dashboard that was deleted 30 days ago, or one generation of its parts. */
export type EndedDashboard = {
  kind: 'dashboard';
  workspaceId: string;
  dashboardId: string;
  generation?: string | undefined;
};

export const dashboardCleanUps: readonly [CleanUp<EndedDashboard>, CleanUp<EndedMember>] = [
  { kind: 'dashboard', remove: endDashboard },
  { kind: 'member', remove: endBookmarksOf },
];
