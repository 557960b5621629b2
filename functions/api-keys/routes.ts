import { defineRoute } from '../../shared/platform/http/route.ts';
import { NamedListQuery } from '../../shared/platform/http/schemas.ts';
import { ApiKeyPage, ApiKeyParams, CreateApiKey, CreatedApiKey } from './schemas.ts';

export const createApiKey = defineRoute({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  summary: 'Create an API key',
  description: 'The reply shows the key once. It acts for the admin who created it, within its scope.',
  permission: 'api-keys:manage',
  body: CreateApiKey,
  success: { status: 201, body: CreatedApiKey, versioned: true },
  idempotent: true,
  audit: ['api_key.created', 'api_key.revoked'],
});

export const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  summary: 'List API keys',
  permission: 'api-keys:manage',
  query: NamedListQuery,
  success: { status: 200, body: ApiKeyPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const revokeApiKey = defineRoute({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  summary: 'Revoke an API key',
  description: 'The key stops working within seconds.',
  permission: 'api-keys:manage',
  params: ApiKeyParams,
  success: { status: 204, versioned: true },
  errors: ['API_KEY_NOT_FOUND'],
  audit: 'api_key.revoked',
});
