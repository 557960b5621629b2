import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  BulkDelete,
  BulkDeleted,
  CreateDashboard,
  Dashboard,
  DashboardCursorPage,
  DashboardCursorQuery,
  DashboardDetails,
  DashboardListQuery,
  DashboardParams,
  DashboardQuery,
  DashboardSummaryPage,
  RestoreDashboard,
  UpdateDashboard,
} from './schemas.ts';

const write = { permission: 'dashboards:write', grant: grantOn('dashboard', 'editor') } as const;

export const listDashboards = defineRoute({
  operationId: 'listDashboards',
  method: 'GET',
  path: '/api/dashboards',
  summary: 'List dashboards',
  description:
    'Editors and admins see all dashboards, viewers those that are published or granted to them. Viewers see names as they were published.',
  permission: 'dashboards:read',
  query: DashboardListQuery,
  success: { status: 200, body: DashboardSummaryPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const pageDashboards = defineRoute({
  operationId: 'pageDashboards',
  method: 'GET',
  path: '/api/dashboards/page',
  summary: 'List dashboards by cursor',
  description:
    'Newest first; later pages leave out what was created since the first one. With `scope=shared` only dashboards for which the caller has received a grant; ownership, roles and publication do not count.',
  permission: 'dashboards:read',
  query: DashboardCursorQuery,
  success: { status: 200, body: DashboardCursorPage },
  errors: ['LIST_TOO_LARGE', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const createDashboard = defineRoute({
  operationId: 'createDashboard',
  method: 'POST',
  path: '/api/dashboards',
  summary: 'Create a dashboard',
  permission: 'dashboards:write',
  body: CreateDashboard,
  success: { status: 201, body: Dashboard, versioned: true },
  errors: ['DASHBOARD_NAME_TAKEN'],
  idempotent: true,
  audit: 'dashboard.created',
});

export const getDashboard = defineRoute({
  operationId: 'getDashboard',
  method: 'GET',
  path: '/api/dashboards/{id}',
  summary: 'Get a dashboard',
  description: 'Editors get the draft with all changes, viewers the published version.',
  permission: 'dashboards:read',
  object: 'dashboard',
  params: DashboardParams,
  query: DashboardQuery,
  uses: { type: 'dashboard', param: 'id' },
  success: { status: 200, body: DashboardDetails, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const updateDashboard = defineRoute({
  operationId: 'updateDashboard',
  method: 'PUT',
  path: '/api/dashboards/{id}',
  summary: 'Update a dashboard',
  description:
    'Changes the members that are sent. Its revision counts these changes alone: pages, cards and filters have revisions of their own.',
  ...write,
  params: DashboardParams,
  body: UpdateDashboard,
  success: { status: 200, body: Dashboard, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_NAME_TAKEN', 'PUBLISH_GATE'],
  audit: ['dashboard.updated', 'dashboard.published'],
});

export const deleteDashboard = defineRoute({
  operationId: 'deleteDashboard',
  method: 'DELETE',
  path: '/api/dashboards/{id}',
  summary: 'Delete a dashboard',
  description: 'The dashboard can be restored for 30 days. Its name becomes available again.',
  permission: 'dashboards:write',
  params: DashboardParams,
  success: { status: 204, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND'],
  audit: 'dashboard.deleted',
});

export const deleteDashboards = defineRoute({
  operationId: 'deleteDashboards',
  method: 'POST',
  path: '/api/dashboards/bulk-delete',
  summary: 'Delete dashboards',
  description: 'Deletes those that the caller may delete, and names the others. Fails if none was deleted.',
  permission: 'dashboards:bookmark',
  body: BulkDelete,
  success: { status: 200, body: BulkDeleted },
  errors: ['DASHBOARD_NOT_FOUND'],
  audit: 'dashboard.deleted',
});

export const restoreDashboard = defineRoute({
  operationId: 'restoreDashboard',
  method: 'POST',
  path: '/api/dashboards/{id}/restore',
  summary: 'Restore a deleted dashboard',
  description: 'With everything that belonged to it. Restoring a dashboard that is not deleted changes nothing.',
  permission: 'dashboards:write',
  params: DashboardParams,
  body: RestoreDashboard,
  optionalBody: true,
  success: { status: 200, body: Dashboard, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_NAME_TAKEN'],
  audit: 'dashboard.restored',
});

export const duplicateDashboard = defineRoute({
  operationId: 'duplicateDashboard',
  method: 'POST',
  path: '/api/dashboards/{id}/duplicate',
  summary: 'Duplicate a dashboard',
  description:
    'The copy has pages, cards and filters with new ids and the name “Copy of …”. It is a draft without access, bookmarks and versions.',
  permission: 'dashboards:write',
  params: DashboardParams,
  success: { status: 201, body: DashboardDetails, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND'],
  idempotent: true,
  audit: 'dashboard.created',
});
