import { defineRoute } from '../../../shared/platform/http/route.ts';
import { NamedListQuery } from '../../../shared/platform/http/schemas.ts';
import {
  ApiKey,
  ApiKeyPage,
  ApiKeyParams,
  CreateApiKey,
  CreatedApiKey,
  RotateApiKey,
  UpdateApiKey,
} from './schemas.ts';

export const createApiKey = defineRoute({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  summary: 'Create an API key',
  description:
    'The reply shows the key once. It acts for the admin who created it, or for a service account, within its scope.',
  permission: 'api-keys:manage',
  body: CreateApiKey,
  success: { status: 201, body: CreatedApiKey, versioned: true },
  errors: ['SERVICE_ACCOUNT_NOT_FOUND', 'TOO_MANY_API_KEYS'],
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

export const getApiKey = defineRoute({
  operationId: 'getApiKey',
  method: 'GET',
  path: '/api/api-keys/{id}',
  summary: 'Get an API key',
  permission: 'api-keys:manage',
  params: ApiKeyParams,
  success: { status: 200, body: ApiKey, versioned: true },
  errors: ['API_KEY_NOT_FOUND'],
});

export const updateApiKey = defineRoute({
  operationId: 'updateApiKey',
  method: 'PATCH',
  path: '/api/api-keys/{id}',
  summary: 'Update an API key',
  description: 'The change applies within seconds. The scope of a key cannot change.',
  permission: 'api-keys:manage',
  params: ApiKeyParams,
  body: UpdateApiKey,
  success: { status: 200, body: ApiKey, versioned: true },
  errors: ['API_KEY_NOT_FOUND'],
  audit: 'api_key.updated',
});

export const rotateApiKey = defineRoute({
  operationId: 'rotateApiKey',
  method: 'POST',
  path: '/api/api-keys/{id}/rotate',
  summary: 'Rotate an API key',
  description:
    'Gives the key a new value, which the reply shows once. The current value works until the overlap ends; one from an earlier rotation ends immediately. Only the person whom the key acts for can rotate it; for a service account, every admin can.',
  permission: 'api-keys:manage',
  params: ApiKeyParams,
  body: RotateApiKey,
  optionalBody: true,
  success: { status: 200, body: CreatedApiKey, versioned: true },
  errors: ['API_KEY_NOT_FOUND', 'API_KEY_OF_ANOTHER'],
  idempotent: true,
  audit: 'api_key.rotated',
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
