import { Secret } from '../../shared/domains/secrets/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { ListQuery } from '../../shared/platform/http/schemas.ts';
import { SecretPage, SecretParams, SecretValue } from './secret-schemas.ts';

export const listSecrets = defineRoute({
  operationId: 'listSecrets',
  method: 'GET',
  path: '/api/secrets',
  summary: 'List the secrets of the workspace, newest first',
  description: 'Their names and when they were changed; values are never shown.',
  permission: 'secrets:read',
  query: ListQuery,
  success: { status: 200, body: SecretPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const getSecret = defineRoute({
  operationId: 'getSecret',
  method: 'GET',
  path: '/api/secrets/{name}',
  summary: 'Read what is known of a secret, but for its value',
  permission: 'secrets:read',
  params: SecretParams,
  success: { status: 200, body: Secret, versioned: true },
  errors: ['SECRET_NOT_FOUND'],
});

export const putSecret = defineRoute({
  operationId: 'putSecret',
  method: 'PUT',
  path: '/api/secrets/{name}',
  summary: 'Keep a value under a name, or replace the one that is kept',
  description:
    'The value is encrypted with a key of the workspace, and used where a pipeline says `{{ secrets.<name> }}`. What begins later uses the new value; with `If-Match` only a secret that exists is replaced.',
  permission: 'secrets:manage',
  params: SecretParams,
  body: SecretValue,
  success: { status: 200, body: Secret, versioned: true },
  errors: ['TOO_MANY_SECRETS'],
});

export const deleteSecret = defineRoute({
  operationId: 'deleteSecret',
  method: 'DELETE',
  path: '/api/secrets/{name}',
  summary: 'Delete a secret',
  description:
    'Refused while a pipeline refers to it; the reply names them. Replace its value to take it back at once.',
  permission: 'secrets:manage',
  params: SecretParams,
  success: { status: 204, versioned: true },
  errors: ['SECRET_NOT_FOUND', 'SECRET_REFERENCED'],
});
