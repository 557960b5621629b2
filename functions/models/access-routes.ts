import { grantOn } from '../../shared/domains/grants/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { CursorQuery } from '../../shared/platform/http/schemas.ts';
import { Access, AccessPage, AccessParams, ModelIdParams, SetAccess } from './schemas.ts';

export const listModelAccess = defineRoute({
  operationId: 'listModelAccess',
  method: 'GET',
  path: '/api/models/{id}/access',
  summary: 'List access to a model',
  description: 'The users and groups to whom access is granted. Roles give access without being listed here.',
  permission: 'models:write',
  grant: grantOn('model', 'editor'),
  params: ModelIdParams,
  query: CursorQuery,
  success: { status: 200, body: AccessPage },
  errors: ['MODEL_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const setModelAccess = defineRoute({
  operationId: 'setModelAccess',
  method: 'PUT',
  path: '/api/models/{id}/access/{granteeType}/{granteeId}',
  summary: 'Set access to a model',
  description:
    'Grants the level to a user or to the members of a group, or changes it. An `editor` of the model may change it, except for its row-level security, even with the role `viewer`.',
  permission: 'models:write',
  params: AccessParams,
  body: SetAccess,
  success: { status: 200, body: Access },
  errors: ['MODEL_NOT_FOUND', 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
  audit: 'access.granted',
});

export const revokeModelAccess = defineRoute({
  operationId: 'revokeModelAccess',
  method: 'DELETE',
  path: '/api/models/{id}/access/{granteeType}/{granteeId}',
  summary: 'Revoke access to a model',
  description: 'Revoking access that is not granted changes nothing.',
  permission: 'models:write',
  params: AccessParams,
  success: { status: 204 },
  errors: ['MODEL_NOT_FOUND'],
  audit: 'access.revoked',
});
