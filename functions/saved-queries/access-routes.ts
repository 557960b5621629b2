import { grantOn } from '../../shared/domains/grants/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { CursorQuery } from '../../shared/platform/http/schemas.ts';
import { Access, AccessPage, AccessParams, SavedQueryParams, SetAccess } from './schemas.ts';

export const listSavedQueryAccess = defineRoute({
  operationId: 'listSavedQueryAccess',
  method: 'GET',
  path: '/api/saved-queries/{id}/access',
  summary: 'List access to a saved query',
  description: 'The users and groups to whom access is granted. Roles give access without being listed here.',
  permission: 'saved-queries:write',
  grant: grantOn('saved-query', 'editor'),
  product: 'warehouse',
  params: SavedQueryParams,
  query: CursorQuery,
  success: { status: 200, body: AccessPage },
  errors: ['SAVED_QUERY_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const setSavedQueryAccess = defineRoute({
  operationId: 'setSavedQueryAccess',
  method: 'PUT',
  path: '/api/saved-queries/{id}/access/{granteeType}/{granteeId}',
  summary: 'Set access to a saved query',
  description:
    'Grants the level to a user or to the members of a group, or changes it. An `editor` may change the query and restore its versions, also with the role `viewer`.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  params: AccessParams,
  body: SetAccess,
  success: { status: 200, body: Access },
  errors: ['SAVED_QUERY_NOT_FOUND', 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
  audit: 'access.granted',
});

export const revokeSavedQueryAccess = defineRoute({
  operationId: 'revokeSavedQueryAccess',
  method: 'DELETE',
  path: '/api/saved-queries/{id}/access/{granteeType}/{granteeId}',
  summary: 'Revoke access to a saved query',
  description: 'Revoking access that is not granted changes nothing.',
  permission: 'saved-queries:write',
  product: 'warehouse',
  params: AccessParams,
  success: { status: 204 },
  errors: ['SAVED_QUERY_NOT_FOUND'],
  audit: 'access.revoked',
});
