import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CreatedScimToken, CreateScimToken, ScimTokenList, ScimTokenParams, ShownScimToken } from './schemas.ts';

export const createScimToken = defineRoute({
  operationId: 'createScimToken',
  method: 'POST',
  path: '/api/scim/tokens',
  summary: 'Create a SCIM token',
  description:
    'For company admins. The reply shows the token once. A workspace has at most two, so that one can replace the other without a gap.',
  permission: 'company:manage',
  body: CreateScimToken,
  success: { status: 201, body: CreatedScimToken },
  errors: ['SCIM_TOKEN_LIMIT'],
  idempotent: true,
  audit: 'scim_token.created',
});

export const listScimTokens = defineRoute({
  operationId: 'listScimTokens',
  method: 'GET',
  path: '/api/scim/tokens',
  summary: 'List SCIM tokens',
  description: 'For company admins: the tokens of all workspaces, oldest first.',
  permission: 'company:manage',
  success: { status: 200, body: ScimTokenList },
});

export const deleteScimToken = defineRoute({
  operationId: 'deleteScimToken',
  method: 'DELETE',
  path: '/api/scim/tokens/{id}',
  summary: 'Delete a SCIM token',
  description: 'For company admins. The token stops working within seconds; people and groups stay.',
  permission: 'company:manage',
  params: ScimTokenParams,
  success: { status: 200, body: ShownScimToken },
  errors: ['SCIM_TOKEN_NOT_FOUND'],
  audit: 'scim_token.deleted',
});
