import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { DashboardParams } from '../schemas.ts';
import { Bookmark, BookmarkList, BookmarkParams, CreateBookmark, UpdateBookmark } from './schemas.ts';

export const listDashboardBookmarks = defineRoute({
  operationId: 'listDashboardBookmarks',
  method: 'GET',
  path: '/api/dashboards/{id}/bookmarks',
  summary: 'List the bookmarks of a dashboard',
  permission: 'dashboards:read',
  params: DashboardParams,
  success: { status: 200, body: BookmarkList },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const createDashboardBookmark = defineRoute({
  operationId: 'createDashboardBookmark',
  method: 'POST',
  path: '/api/dashboards/{id}/bookmarks',
  summary: 'Create a bookmark of a dashboard',
  description: 'Everyone who sees the dashboard may create personal bookmarks, its editors shared ones.',
  permission: 'dashboards:bookmark',
  params: DashboardParams,
  body: CreateBookmark,
  success: { status: 201, body: Bookmark, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'TOO_MANY_BOOKMARKS'],
  idempotent: true,
});

export const updateDashboardBookmark = defineRoute({
  operationId: 'updateDashboardBookmark',
  method: 'PUT',
  path: '/api/dashboards/bookmarks/{bookmarkId}',
  summary: 'Update a bookmark of a dashboard',
  description:
    'Users change their own bookmarks, and editors of the dashboard the shared ones. Only the user who created a shared bookmark can make it personal.',
  permission: 'dashboards:bookmark',
  params: BookmarkParams,
  body: UpdateBookmark,
  success: { status: 200, body: Bookmark, versioned: true },
  errors: ['BOOKMARK_NOT_FOUND', 'TOO_MANY_BOOKMARKS'],
});

export const deleteDashboardBookmark = defineRoute({
  operationId: 'deleteDashboardBookmark',
  method: 'DELETE',
  path: '/api/dashboards/bookmarks/{bookmarkId}',
  summary: 'Delete a bookmark of a dashboard',
  permission: 'dashboards:bookmark',
  params: BookmarkParams,
  success: { status: 204, versioned: true },
  errors: ['BOOKMARK_NOT_FOUND'],
});
