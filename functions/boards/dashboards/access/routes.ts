import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CursorQuery } from '../../../../shared/platform/http/schemas.ts';
import { DashboardParams } from '../schemas.ts';
import {
  AccessCandidates,
  AccessIdParams,
  CandidatesQuery,
  DashboardAccess,
  DashboardAccessPage,
  GrantDashboardAccess,
  GranteeParams,
  SetDashboardAccess,
} from './schemas.ts';

export const listDashboardAccess = defineRoute({
  operationId: 'listDashboardAccess',
  method: 'GET',
  path: '/api/dashboards/{id}/access',
  summary: 'List access to a dashboard',
  description: 'The members and groups to whom access is granted. Roles give access without being listed here.',
  permission: 'dashboards:write',
  grant: grantOn('dashboard', 'editor'),
  params: DashboardParams,
  query: CursorQuery,
  success: { status: 200, body: DashboardAccessPage },
  errors: ['DASHBOARD_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const grantDashboardAccess = defineRoute({
  operationId: 'grantDashboardAccess',
  method: 'POST',
  path: '/api/dashboards/{id}/access',
  summary: 'Grant access to a dashboard',
  description:
    'Grants it to a member by email address. The reply is the same for people who have no account and for those who are not members.',
  permission: 'dashboards:write',
  params: DashboardParams,
  body: GrantDashboardAccess,
  success: { status: 201, body: DashboardAccess },
  errors: ['DASHBOARD_NOT_FOUND', 'NOT_A_MEMBER', 'ACCESS_EXISTS'],
  idempotent: true,
  audit: 'access.granted',
});

export const setDashboardAccess = defineRoute({
  operationId: 'setDashboardAccess',
  method: 'PUT',
  path: '/api/dashboards/{id}/access/{granteeType}/{granteeId}',
  summary: 'Set access to a dashboard',
  description: 'Grants the permission to a member or to the members of a group, or changes it.',
  permission: 'dashboards:write',
  params: GranteeParams,
  body: SetDashboardAccess,
  success: { status: 200, body: DashboardAccess },
  errors: ['DASHBOARD_NOT_FOUND', 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
  audit: 'access.granted',
});

export const revokeDashboardAccess = defineRoute({
  operationId: 'revokeDashboardAccess',
  method: 'DELETE',
  path: '/api/dashboards/{id}/access/{accessId}',
  summary: 'Revoke access to a dashboard',
  permission: 'dashboards:write',
  params: AccessIdParams,
  success: { status: 204 },
  errors: ['DASHBOARD_NOT_FOUND', 'DASHBOARD_ACCESS_NOT_FOUND'],
  audit: 'access.revoked',
});

export const findAccessCandidates = defineRoute({
  operationId: 'findAccessCandidates',
  method: 'GET',
  path: '/api/dashboards/{id}/access/candidates',
  summary: 'Search members to grant access to',
  permission: 'dashboards:write',
  params: DashboardParams,
  query: CandidatesQuery,
  success: { status: 200, body: AccessCandidates },
  errors: ['DASHBOARD_NOT_FOUND'],
});
