import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreateServiceAccount,
  ServiceAccount,
  ServiceAccountPage,
  ServiceAccountParams,
  ServiceAccountsQuery,
  UpdateServiceAccount,
} from './schemas.ts';

export const createServiceAccount = defineRoute({
  operationId: 'createServiceAccount',
  method: 'POST',
  path: '/api/service-accounts',
  summary: 'Create a service account',
  description: 'Give it keys with `serviceAccountId` in `POST /api/api-keys`.',
  permission: 'api-keys:manage',
  body: CreateServiceAccount,
  success: { status: 201, body: ServiceAccount, versioned: true },
  errors: ['SERVICE_ACCOUNT_NAME_TAKEN', 'TOO_MANY_SERVICE_ACCOUNTS'],
  idempotent: true,
  audit: 'service_account.created',
});

export const listServiceAccounts = defineRoute({
  operationId: 'listServiceAccounts',
  method: 'GET',
  path: '/api/service-accounts',
  summary: 'List service accounts',
  permission: 'api-keys:manage',
  query: ServiceAccountsQuery,
  success: { status: 200, body: ServiceAccountPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getServiceAccount = defineRoute({
  operationId: 'getServiceAccount',
  method: 'GET',
  path: '/api/service-accounts/{id}',
  summary: 'Get a service account',
  permission: 'api-keys:manage',
  params: ServiceAccountParams,
  success: { status: 200, body: ServiceAccount, versioned: true },
  errors: ['SERVICE_ACCOUNT_NOT_FOUND'],
});

export const updateServiceAccount = defineRoute({
  operationId: 'updateServiceAccount',
  method: 'PATCH',
  path: '/api/service-accounts/{id}',
  summary: 'Update a service account',
  description: 'A changed role or attribute applies to its keys within seconds.',
  permission: 'api-keys:manage',
  params: ServiceAccountParams,
  body: UpdateServiceAccount,
  success: { status: 200, body: ServiceAccount, versioned: true },
  errors: ['SERVICE_ACCOUNT_NOT_FOUND', 'SERVICE_ACCOUNT_NAME_TAKEN'],
  audit: 'service_account.updated',
});

export const deleteServiceAccount = defineRoute({
  operationId: 'deleteServiceAccount',
  method: 'DELETE',
  path: '/api/service-accounts/{id}',
  summary: 'Delete a service account',
  description: 'The API keys of the account are revoked with it.',
  permission: 'api-keys:manage',
  params: ServiceAccountParams,
  success: { status: 204, versioned: true },
  errors: ['SERVICE_ACCOUNT_NOT_FOUND'],
  audit: ['service_account.deleted', 'api_key.revoked'],
});
