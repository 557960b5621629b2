import { PERMISSIONS } from '../../../shared/platform/auth/permissions.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import type { Json } from './json-schema.ts';

export const SECURITY_SCHEMES: Json = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token, from `POST /auth/login` or `POST /auth/refresh`. Each operation states the lowest role that may call it.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ak_…',
    description: 'An API key, from `POST /api-keys`. Each operation states the lowest scope that may call it.',
  },
  scimToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'scim_…',
    description: 'A SCIM token, from `POST /scim/tokens`, for the operations of SCIM only.',
  },
};

/** The security requirements of a route, as alternatives. */
export function securityOf({ permission }: Route): Json[] {
  if (permission === 'public') return [];
  if (permission === 'scim') return [{ scimToken: [] }];
  const { role, key } = PERMISSIONS[permission];
  return [{ accessToken: [role] }, ...(key === null ? [] : [{ apiKey: [key] }])];
}

/** The same as a sentence. */
export function rightsOf({ permission, grant }: Route): string {
  if (permission === 'public') return 'Needs no credentials.';
  if (permission === 'scim') return 'For identity providers, with a SCIM token.';
  const { role, key } = PERMISSIONS[permission];
  const people = { viewer: 'every member', editor: 'editors and admins', admin: 'admins' }[role];
  const scopes = {
    read: 'any API key',
    'read/write': 'API keys of scope `read/write` or `admin`',
    admin: 'API keys of scope `admin`',
  };
  const granted = grant ? ` Also for members to whom the level \`${grant.level}\` is granted.` : '';
  return `For ${people}${key === null ? '; not for API keys' : ` and ${scopes[key]}`}.${granted}`;
}
