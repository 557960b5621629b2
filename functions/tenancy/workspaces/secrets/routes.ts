import { Secret } from '../../../../shared/domains/warehouse/secrets/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { NamedListQuery } from '../../../../shared/platform/http/schemas.ts';
import { SecretPage, SecretParams, SecretValue } from './schemas.ts';

export const listSecrets = defineRoute({
  operationId: 'listSecrets',
  method: 'GET',
  path: '/api/secrets',
  summary: 'List secrets',
  description: 'Names and metadata, newest first. Values are never returned.',
  permission: 'secrets:read',
  query: NamedListQuery,
  success: { status: 200, body: SecretPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getSecret = defineRoute({
  operationId: 'getSecret',
  method: 'GET',
  path: '/api/secrets/{name}',
  summary: "Get a secret's metadata",
  permission: 'secrets:read',
  params: SecretParams,
  success: { status: 200, body: Secret, versioned: true },
  errors: ['SECRET_NOT_FOUND'],
});

export const putSecret = defineRoute({
  operationId: 'putSecret',
  method: 'PUT',
  path: '/api/secrets/{name}',
  summary: 'Create or replace a secret',
  description:
    'The value is encrypted with a key of the workspace, and used wherever a pipeline refers to `{{ secrets.<name> }}`. Steps that start later use the new value. With `If-Match` the secret must exist.',
  permission: 'secrets:manage',
  params: SecretParams,
  body: SecretValue,
  success: { status: 200, body: Secret, versioned: true },
  errors: ['TOO_MANY_SECRETS'],
  audit: ['secret.created', 'secret.updated'],
});

export const deleteSecret = defineRoute({
  operationId: 'deleteSecret',
  method: 'DELETE',
  path: '/api/secrets/{name}',
  summary: 'Delete a secret',
  description:
    'Rejected while a pipeline refers to the secret; the reply lists the pipelines. To revoke a value immediately, replace it.',
  permission: 'secrets:manage',
  params: SecretParams,
  success: { status: 204, versioned: true },
  errors: ['SECRET_NOT_FOUND', 'REFERENCED'],
  audit: 'secret.deleted',
});
