import { PERMISSIONS } from '../../../shared/platform/auth/permissions.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import type { Json } from './json-schema.ts';

export const SECURITY_SCHEMES: Json = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token, from `POST /auth/login` or `POST /auth/refresh`. The role named by an operation is the least that may call it.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ak_…',
    description: 'An API key, from `POST /api-keys`. The scope named by an operation is the least that may call it.',
  },
};

/** What a caller must have, as OpenAPI's security requirements: any one of the list is enough. */
export function securityOf({ permission }: Route): Json[] {
  if (permission === 'public') return [];
  const { role, key } = PERMISSIONS[permission];
  return [{ accessToken: [role] }, ...(key === null ? [] : [{ apiKey: [key] }])];
}

/** The same in words. */
export function rightsOf({ permission }: Route): string {
  if (permission === 'public') return 'Needs no credentials.';
  const { role, key } = PERMISSIONS[permission];
  const people = { viewer: 'every member', editor: 'editors and admins', admin: 'admins' }[role];
  const scopes = {
    read: 'any API key',
    'read/write': 'API keys of scope `read/write` or `admin`',
    admin: 'API keys of scope `admin`',
  };
  return `For ${people}${key === null ? '; not for API keys' : ` and ${scopes[key]}`}.`;
}
