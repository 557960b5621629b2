import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery } from '../../shared/platform/http/schemas.ts';
import { ApiKeyPage, CreatedApiKey, NewApiKey } from './schemas.ts';

export const createApiKey = defineRoute({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  summary: 'Create an API key',
  description: 'The key is in this reply and never shown again. It acts for the admin who made it, within its scope.',
  permission: 'api-keys:manage',
  body: NewApiKey,
  success: { status: 201, body: CreatedApiKey, versioned: true },
  idempotent: true,
});

export const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  summary: 'List the API keys of the workspace',
  permission: 'api-keys:manage',
  query: ListQuery,
  success: { status: 200, body: ApiKeyPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const revokeApiKey = defineRoute({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  summary: 'Revoke an API key',
  permission: 'api-keys:manage',
  params: IdParams,
  success: { status: 204, versioned: true },
  errors: ['API_KEY_NOT_FOUND'],
});
