import { grantOn } from '../../shared/domains/grants/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { CursorQuery } from '../../shared/platform/http/schemas.ts';
import { Access, AccessPage, AccessParams, MetricParams, SetAccess } from './schemas.ts';

export const listMetricAccess = defineRoute({
  operationId: 'listMetricAccess',
  method: 'GET',
  path: '/api/metrics/{id}/access',
  summary: 'List access to a metric',
  description: 'The users and groups to whom access is granted. Roles give access without being listed here.',
  permission: 'metrics:write',
  grant: grantOn('metric', 'editor'),
  params: MetricParams,
  query: CursorQuery,
  success: { status: 200, body: AccessPage },
  errors: ['METRIC_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const setMetricAccess = defineRoute({
  operationId: 'setMetricAccess',
  method: 'PUT',
  path: '/api/metrics/{id}/access/{granteeType}/{granteeId}',
  summary: 'Set access to a metric',
  description:
    'Grants the level to a user or to the members of a group, or changes it. An `editor` of the metric may change it even with the role `viewer`.',
  permission: 'metrics:write',
  params: AccessParams,
  body: SetAccess,
  success: { status: 200, body: Access },
  errors: ['METRIC_NOT_FOUND', 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
  audit: 'access.granted',
});

export const revokeMetricAccess = defineRoute({
  operationId: 'revokeMetricAccess',
  method: 'DELETE',
  path: '/api/metrics/{id}/access/{granteeType}/{granteeId}',
  summary: 'Revoke access to a metric',
  description: 'Revoking access that is not granted changes nothing.',
  permission: 'metrics:write',
  params: AccessParams,
  success: { status: 204 },
  errors: ['METRIC_NOT_FOUND'],
  audit: 'access.revoked',
});
