import { defineRoute } from '../../shared/platform/http/route.ts';
import { ChangePassword, ChangeProfile, Login, Me, Refresh, SessionList, SessionParams, SignedIn } from './schemas.ts';

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
  description: 'The user, the current workspace and role, and all workspaces of the user.',
  permission: 'session:read',
  success: { status: 200, body: Me },
});

export const changeProfile = defineRoute({
  operationId: 'changeProfile',
  method: 'PATCH',
  path: '/api/auth/me',
  summary: 'Change the profile of the caller',
  description: 'Members that are absent stay as they are. Lists of members show a new name at once.',
  permission: 'session:end',
  body: ChangeProfile,
  success: { status: 200, body: Me },
  errors: ['SERVICE_BUSY'],
});

export const changePassword = defineRoute({
  operationId: 'changePassword',
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Change the password of the caller',
  description:
    'Ends every other sign-in of the user. Wrong passwords count as failed sign-ins. API keys go on working; revoke them one by one.',
  permission: 'session:end',
  body: ChangePassword,
  success: { status: 204 },
  errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'STALE_WRITE'],
});

export const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'List sign-ins of the caller',
  description: 'Sign-ins that have neither ended nor expired, in all workspaces of the user.',
  permission: 'session:end',
  success: { status: 200, body: SessionList },
});

export const endSession = defineRoute({
  operationId: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{id}',
  summary: 'End a sign-in',
  description: 'Its access and refresh tokens stop working within seconds.',
  permission: 'session:end',
  params: SessionParams,
  success: { status: 204 },
  errors: ['SESSION_NOT_FOUND'],
});

export const endOtherSessions = defineRoute({
  operationId: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'End all other sign-ins',
  description: 'Ends every sign-in of the user but the one of this request.',
  permission: 'session:end',
  success: { status: 204 },
  errors: ['STALE_WRITE'],
});
