import { SignedIn } from '../../shared/domains/sessions/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import {
  ActivateMfa,
  ChangePassword,
  ChangeProfile,
  EnrolMfa,
  Login,
  Me,
  MfaCode,
  MfaEnrolment,
  RecoveryCodes,
  Refresh,
  SessionList,
  SessionParams,
  SignedInOrMfaRequired,
  TurnOffMfa,
  VerifyMfa,
} from './schemas.ts';

export const login = defineRoute({
  operationId: 'login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in',
  description:
    'Signs in to the given workspace, or to the one joined first. For an account with a second factor, the reply has an `mfaToken` instead of tokens. Failed sign-ins are limited by account and address; see the guide to the API.',
  permission: 'public',
  body: Login,
  success: { status: 200, body: SignedInOrMfaRequired },
  errors: ['INVALID_CREDENTIALS', 'TOO_MANY_ATTEMPTS'],
  audit: ['user.signed_in', 'user.sign_in_failed'],
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
  audit: 'session.token_reused',
});

export const logout = defineRoute({
  operationId: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sign out',
  description: 'Ends this sign-in: its access and refresh tokens stop working within seconds.',
  permission: 'session:end',
  success: { status: 204 },
  audit: 'user.signed_out',
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

export const changeProfile = defineRoute({
  operationId: 'changeProfile',
  method: 'PATCH',
  path: '/api/auth/me',
  summary: 'Change the profile of the caller',
  description: 'Members that are absent stay as they are. Lists of members show a new name at once.',
  permission: 'session:end',
  body: ChangeProfile,
  success: { status: 200, body: Me },
  audit: 'user.updated',
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
  errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'SSO_REQUIRED'],
  audit: 'user.password_changed',
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
  audit: 'session.ended',
});

export const endOtherSessions = defineRoute({
  operationId: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'End all other sign-ins',
  description: 'Ends every sign-in of the user but the one of this request.',
  permission: 'session:end',
  success: { status: 204 },
  audit: 'session.others_ended',
});

export const verifyMfa = defineRoute({
  operationId: 'verifyMfa',
  method: 'POST',
  path: '/api/auth/mfa/verify',
  summary: 'Sign in with the second factor',
  description:
    'The second half of a sign-in. Wrong codes count as failed sign-ins; the token stays valid until it expires.',
  permission: 'public',
  body: VerifyMfa,
  success: { status: 200, body: SignedIn },
  errors: ['INVALID_MFA_TOKEN', 'INVALID_MFA_CODE', 'TOO_MANY_ATTEMPTS'],
  audit: ['user.signed_in', 'user.sign_in_failed'],
});

export const enrolMfa = defineRoute({
  operationId: 'enrolMfa',
  method: 'POST',
  path: '/api/auth/mfa/enroll',
  summary: 'Set up an authenticator app',
  description:
    'Returns a secret for the app. The second factor is on after `POST /api/auth/mfa/activate` with a code of the app.',
  permission: 'session:end',
  body: EnrolMfa,
  success: { status: 200, body: MfaEnrolment },
  errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'MFA_ALREADY_ON'],
  audit: 'user.mfa_setup_started',
});

export const activateMfa = defineRoute({
  operationId: 'activateMfa',
  method: 'POST',
  path: '/api/auth/mfa/activate',
  summary: 'Turn on the second factor',
  description: 'The reply has recovery codes, which are shown once.',
  permission: 'session:end',
  body: ActivateMfa,
  success: { status: 200, body: RecoveryCodes },
  errors: ['WRONG_CODE', 'TOO_MANY_ATTEMPTS', 'MFA_ALREADY_ON'],
  audit: 'user.mfa_enabled',
});

export const replaceRecoveryCodes = defineRoute({
  operationId: 'replaceRecoveryCodes',
  method: 'POST',
  path: '/api/auth/mfa/recovery-codes',
  summary: 'Replace the recovery codes',
  description: 'Earlier recovery codes stop working.',
  permission: 'session:end',
  body: MfaCode,
  success: { status: 200, body: RecoveryCodes },
  errors: ['WRONG_CODE', 'TOO_MANY_ATTEMPTS', 'MFA_NOT_ON'],
  audit: 'user.recovery_codes_replaced',
});

export const turnOffMfa = defineRoute({
  operationId: 'turnOffMfa',
  method: 'POST',
  path: '/api/auth/mfa/disable',
  summary: 'Turn off the second factor',
  permission: 'session:end',
  body: TurnOffMfa,
  success: { status: 204 },
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'TOO_MANY_ATTEMPTS', 'MFA_NOT_ON'],
  audit: 'user.mfa_disabled',
});
