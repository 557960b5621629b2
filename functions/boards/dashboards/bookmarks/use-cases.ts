import {
  type Bookmark,
  type NamedDashboard,
  newStamps,
  type Sight,
  sightOf,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { MAX_STORED_NESTING, nestedPlace } from '../../../../shared/platform/http/json-limits.ts';
import { assertExpected } from '../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import type { CreateBookmark, UpdateBookmark } from './schemas.ts';

/** How the caller sees the dashboard. Throws `DASHBOARD_NOT_FOUND`. */
async function sightOn(deps: DashboardDeps, { principal, id }: NamedDashboard): Promise<Sight> {
  const [record, grant] = await Promise.all([
    deps.dashboards.get(principal.workspaceId, id),
    deps.grantOf(principal, id),
  ]);
  const sight = record?.deletedAt === null ? sightOf(principal, record, grant) : undefined;
  if (!sight) throw new AppError('DASHBOARD_NOT_FOUND');
  return sight;
}

export async function listBookmarks(
  deps: DashboardDeps,
  { principal, id }: NamedDashboard,
): Promise<{ items: Bookmark[]; total: number }> {
  await sightOn(deps, { principal, id });
  const { workspaceId, userId } = principal;
  const items = await deps.bookmarks.list({ workspaceId, dashboardId: id }, userId);
  return { items, total: items.length };
}

/** Throws `VALIDATION_FAILED` for a state that the table could not store. */
function assertStorable({ state }: Pick<UpdateBookmark, 'state'>): void {
  const place = state && nestedPlace(state, MAX_STORED_NESTING);
  if (place === undefined) return;
  const message = `must not be nested more than ${MAX_STORED_NESTING} levels deep`;
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: `/state${place}`, code: 'MAX_NESTING', message }] });
}

/** Throws `DASHBOARD_NOT_FOUND`, `FORBIDDEN` or `TOO_MANY_BOOKMARKS`. */
export function createBookmark(
  deps: DashboardDeps,
  { principal, id: dashboardId, newId: id, bookmark }: NamedDashboard & { newId: string; bookmark: CreateBookmark },
): Promise<Bookmark> {
  const { workspaceId, userId, membershipId } = principal;
  assertStorable(bookmark);
  return onNewest('STALE_WRITE', async () => {
    const sight = await sightOn(deps, { principal, id: dashboardId });
    if (!bookmark.isPersonal) assertEditor(sight);
    const made = { id, dashboardId, ...bookmark, ...newStamps({ by: userId, at: deps.now() }) };
    return deps.bookmarks.create(workspaceId, made, membershipId);
  });
}

interface BookmarkNamed {
  principal: Principal;
  bookmarkId: string;
}

/** Throws `BOOKMARK_NOT_FOUND`, `FORBIDDEN` or `TOO_MANY_BOOKMARKS`. */
export function updateBookmark(
  deps: DashboardDeps,
  { principal, bookmarkId, change }: BookmarkNamed & { change: UpdateBookmark },
): Promise<Bookmark> {
  const { workspaceId, userId, membershipId } = principal;
  assertStorable(change);
  return onNewest('STALE_WRITE', async () => {
    const { bookmark, sight } = await findBookmark(deps, { principal, bookmarkId });
    const isPersonal = change.isPersonal ?? bookmark.isPersonal;
    if (!bookmark.isPersonal || !isPersonal) assertEditor(sight);
    if (isPersonal && bookmark.createdBy !== userId) {
      const detail = 'Only the user who created a shared bookmark can make it personal.';
      throw new AppError('FORBIDDEN', { detail });
    }
    assertExpected(bookmark.id, bookmark.revision);
    const next: Bookmark = {
      ...bookmark,
      ...change,
      updatedBy: userId,
      updatedAt: later(bookmark.updatedAt, deps.now()),
      revision: bookmark.revision + 1,
    };
    return deps.bookmarks.replace(workspaceId, bookmark, next, membershipId);
  });
}

/** Throws `BOOKMARK_NOT_FOUND` or `FORBIDDEN`. */
export async function deleteBookmark(deps: DashboardDeps, { principal, bookmarkId }: BookmarkNamed): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const { bookmark, sight } = await findBookmark(deps, { principal, bookmarkId });
    if (!bookmark.isPersonal) assertEditor(sight);
    assertExpected(bookmark.id, bookmark.revision);
    await deps.bookmarks.remove(principal.workspaceId, bookmark);
  });
}

/** A shared bookmark or one of the caller, of a dashboard that the caller sees. */
async function findBookmark(
  deps: DashboardDeps,
  { principal, bookmarkId }: BookmarkNamed,
): Promise<{ bookmark: Bookmark; sight: Sight }> {
  const bookmark = await deps.bookmarks.find(principal.workspaceId, bookmarkId, principal.userId);
  if (!bookmark) throw new AppError('BOOKMARK_NOT_FOUND');
  try {
    return { bookmark, sight: await sightOn(deps, { principal, id: bookmark.dashboardId }) };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError('BOOKMARK_NOT_FOUND', { cause });
  }
}

function assertEditor({ permission }: Sight): void {
  if (permission === 'editor') return;
  throw new AppError('FORBIDDEN', { detail: 'Only editors of the dashboard change shared bookmarks.' });
}
