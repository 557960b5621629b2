import { defineRoute } from '../../shared/platform/http/route.ts';
import { Login, Me, Refresh, SignedIn } from './schemas.ts';

export const login = defineRoute({
  operationId: 'login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  description:
    'Signs in to the given workspace, or to the one joined first. Failed sign-ins are limited by account and address; see the guide to the API.',
  permission: 'public',
  body: Login,
  success: { status: 200, body: SignedIn },
  errors: ['INVALID_CREDENTIALS', 'TOO_MANY_ATTEMPTS'],
});

export const refresh = defineRoute({
  operationId: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'Renew a sign-in',
  description:
    'Exchanges a refresh token for new tokens. A refresh token works once. Using it a second time ends the sign-in, because the token may have been stolen. A sign-in also ends with the membership in its workspace.',
  permission: 'public',
  body: Refresh,
  success: { status: 200, body: SignedIn },
  errors: ['INVALID_REFRESH_TOKEN'],
});

export const logout = defineRoute({
  operationId: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sign out',
  description: 'Ends this sign-in: its access and refresh tokens stop working within seconds.',
  permission: 'session:end',
  success: { status: 204 },
});

export const me = defineRoute({
  operationId: 'me',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Get the caller',
  description:
    'The user, with role, attributes and groups in the current workspace, and all workspaces of the user. The attributes of an API key are its own.',
  permission: 'session:read',
  success: { status: 200, body: Me },
});
