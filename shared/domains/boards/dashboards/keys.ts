import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { PartKind } from './records.ts';

export interface DashboardPlace {
  workspaceId: string;
  dashboardId: string;
}

/** The record, its texts, the list of its parts and the parts share a partition, so that one query reads all. */
export const dashboardKey = ({ workspaceId, dashboardId }: DashboardPlace, sk: string): Key =>
  workspaceKey(workspaceId, `DASHBOARD#${dashboardId}`, sk);

export const recordKey = (place: DashboardPlace): Key => dashboardKey(place, 'META');
export const bodyKey = (place: DashboardPlace): Key => dashboardKey(place, 'BODY');
export const contentKey = (place: DashboardPlace): Key => dashboardKey(place, 'CONTENT');

export const partKey = (place: DashboardPlace, generation: string, kind: PartKind, id: string): Key =>
  dashboardKey(place, `PART#${generation}#${kind}#${id}`);

/** All parts of a generation. */
export const generationKey = (place: DashboardPlace, generation: string): Key =>
  dashboardKey(place, `PART#${generation}#`);

const versionArea = ({ workspaceId, dashboardId }: DashboardPlace, sk: string): Key =>
  workspaceKey(workspaceId, `DASHBOARD-VERSION#${dashboardId}`, sk);

export const versionKey = (place: DashboardPlace, version: number): Key =>
  versionArea(place, `VERSION#${String(version).padStart(8, '0')}`);

/** A slice of the compressed content of a version. */
export const snapshotKey = (place: DashboardPlace, version: number, slice: number): Key =>
  versionArea(place, `SNAPSHOT#${version}#${String(slice).padStart(2, '0')}`);

export const snapshotPrefix = (place: DashboardPlace, version: number): Key =>
  versionArea(place, `SNAPSHOT#${version}#`);

/** Shared bookmarks, or those of a user, with the default of each. */
export type BookmarkScope = { userId: string | null };

const scopePrefix = ({ userId }: BookmarkScope) => (userId === null ? 'SHARED#' : `USER#${userId}#`);

const bookmarkArea = ({ workspaceId, dashboardId }: DashboardPlace, sk: string): Key =>
  workspaceKey(workspaceId, `DASHBOARD-BOOKMARK#${dashboardId}`, sk);

export const bookmarkKey = (place: DashboardPlace, scope: BookmarkScope, id: string): Key =>
  bookmarkArea(place, `${scopePrefix(scope)}${id}`);

/** Names the bookmark that is the default of the scope. */
export const defaultKey = (place: DashboardPlace, scope: BookmarkScope): Key =>
  bookmarkArea(place, `${scopePrefix(scope)}!DEFAULT`);

export const bookmarksOf = (place: DashboardPlace, scope: BookmarkScope): Key =>
  bookmarkArea(place, scopePrefix(scope));

export const allBookmarks = (place: DashboardPlace): Key => bookmarkArea(place, '');
export const allVersions = (place: DashboardPlace): Key => versionArea(place, '');

/** Where a bookmark is, for requests that name nothing but its id. */
export const locatorKey = (workspaceId: string, id: string): Key => workspaceKey(workspaceId, 'BOOKMARK', id);

/** The personal bookmarks of a member, to end them with the membership. */
export const memberBookmarkKey = (workspaceId: string, userId: string, id: string): Key =>
  workspaceKey(workspaceId, `BOOKMARKS-OF#${userId}`, id);
