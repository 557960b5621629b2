import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ListQuery } from '../../../../shared/platform/http/schemas.ts';
import { DashboardDetails, DashboardParams } from '../schemas.ts';
import {
  DashboardVersionDetails,
  DashboardVersionPage,
  PublishDashboard,
  PublishedDashboard,
  VersionParams,
} from './schemas.ts';

const write = { permission: 'dashboards:write', grant: grantOn('dashboard', 'editor') } as const;

export const publishDashboard = defineRoute({
  operationId: 'publishDashboard',
  method: 'POST',
  path: '/api/dashboards/{id}/publish',
  summary: 'Publish a dashboard',
  description:
    'Stores the current state as a version, which viewers see from then on. Cards that cannot show anything prevent it.',
  ...write,
  params: DashboardParams,
  body: PublishDashboard,
  optionalBody: true,
  success: { status: 200, body: PublishedDashboard },
  errors: ['DASHBOARD_NOT_FOUND', 'PUBLISH_GATE'],
  idempotent: true,
  audit: 'dashboard.published',
});

export const listDashboardVersions = defineRoute({
  operationId: 'listDashboardVersions',
  method: 'GET',
  path: '/api/dashboards/{id}/versions',
  summary: 'List the versions of a dashboard',
  description: 'Newest first.',
  ...write,
  params: DashboardParams,
  query: ListQuery,
  success: { status: 200, body: DashboardVersionPage },
  errors: ['DASHBOARD_NOT_FOUND'],
});

export const getDashboardVersion = defineRoute({
  operationId: 'getDashboardVersion',
  method: 'GET',
  path: '/api/dashboards/{id}/versions/{version}',
  summary: 'Get a version of a dashboard',
  ...write,
  params: VersionParams,
  success: { status: 200, body: DashboardVersionDetails },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_VERSION_NOT_FOUND'],
});

export const restoreDashboardVersion = defineRoute({
  operationId: 'restoreDashboardVersion',
  method: 'POST',
  path: '/api/dashboards/{id}/versions/{version}/restore',
  summary: 'Restore a version of a dashboard',
  description:
    'Brings texts, pages, cards and filters of the draft back to the version, all together. Name, description and the published version stay.',
  ...write,
  params: VersionParams,
  success: { status: 200, body: DashboardDetails, versioned: true },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_VERSION_NOT_FOUND'],
  audit: 'dashboard.restored',
});
