import { SignedIn } from '../../../shared/domains/identity/sessions/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  AcceptedInvitation,
  AcceptInvitation,
  ActivateMfa,
  ChangePassword,
  ChangeProfile,
  ConfirmEmail,
  ConfirmEmailByMail,
  EnrolMfa,
  ForgotPassword,
  Jwks,
  Login,
  Me,
  MfaCode,
  MfaEnrolment,
  RecoveryCodes,
  Refresh,
  ResetPassword,
  ResetRequested,
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
    'Signs in to the given workspace; without one, to the workspace that the user joined first. For an account with a second factor, the reply has an `mfaToken` instead of tokens. Failed sign-ins are limited by account and address; see the guide “API basics”.',
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

export const jwks = defineRoute({
  operationId: 'jwks',
  method: 'GET',
  path: '/api/auth/jwks',
  summary: 'Get the public keys of access tokens',
  description:
    'A JSON Web Key Set (RFC 7517), for services that verify access tokens themselves: Ed25519 (`EdDSA`), issuer `analytics-platform`, audience `access`. It has the current key and the one before. Fetch it again when a token names an unknown `kid`. A valid signature does not mean that the sign-in still lasts; call `GET /api/auth/me` to check.',
  permission: 'public',
  success: {
    status: 200,
    contentTypes: ['application/jwk-set+json'],
    body: Jwks,
    headers: { 'cache-control': 'How long the keys may be cached.' },
  },
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
  description: 'Omitted fields keep their values. Lists of members show a new name immediately.',
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
    'Ends every other sign-in of the user. Wrong passwords count as failed sign-ins. API keys keep working; revoke them one by one.',
  permission: 'session:end',
  body: ChangePassword,
  success: { status: 204 },
  errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'SSO_REQUIRED'],
  audit: 'user.password_changed',
});

export const forgotPassword = defineRoute({
  operationId: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/password/forgot',
  summary: 'Send an email to reset a password',
  description:
    'The reply is the same whether or not an account has the address. The email has a link that works once, within 30 minutes; a newer email replaces it. Emails are limited by account, and requests by IP address.',
  permission: 'public',
  body: ForgotPassword,
  success: { status: 202, body: ResetRequested },
  errors: ['MAIL_NOT_CONFIGURED', 'TOO_MANY_ATTEMPTS'],
});

export const resetPassword = defineRoute({
  operationId: 'resetPassword',
  method: 'POST',
  path: '/api/auth/password/reset',
  summary: 'Set a forgotten password',
  description:
    'Takes the token from the email. Ends every sign-in of the user. A second factor stays on. API keys keep working; revoke them one by one.',
  permission: 'public',
  body: ResetPassword,
  success: { status: 204 },
  errors: ['INVALID_RESET_TOKEN'],
  audit: 'user.password_reset',
});

export const confirmEmail = defineRoute({
  operationId: 'confirmEmail',
  method: 'POST',
  path: '/api/auth/me/email/confirm',
  summary: 'Confirm the email address of the caller',
  description:
    'For use after others, such as an identity provider by SCIM, have changed the address of the account (`emailConfirmed` is false). Until it is confirmed, the new address gets no email that gives access to the account. Repeating the request changes nothing.',
  permission: 'session:end',
  body: ConfirmEmail,
  success: { status: 204 },
  audit: 'user.email_confirmed',
});

export const confirmEmailByMail = defineRoute({
  operationId: 'confirmEmailByMail',
  method: 'POST',
  path: '/api/auth/email/confirm',
  summary: 'Confirm a changed email address by email',
  description: 'Takes the token from the email to the previous address. The token works once, within seven days.',
  permission: 'public',
  body: ConfirmEmailByMail,
  success: { status: 204 },
  errors: ['INVALID_EMAIL_TOKEN'],
  audit: 'user.email_confirmed',
});

export const acceptInvitation = defineRoute({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/auth/invitations/accept',
  summary: 'Accept an invitation',
  description:
    'Takes the token from the email. A new person gets an account with the given name and password. A person with an account in the company joins with it; name and password stay as they are. If an admin typed the password, or others changed the address of the account, a new `password` is required, and everything that the old one gave access to ends. Sign in afterwards.',
  permission: 'public',
  body: AcceptInvitation,
  success: { status: 200, body: AcceptedInvitation },
  errors: ['INVALID_INVITATION', 'EMAIL_TAKEN'],
  audit: ['invitation.accepted', 'member.added'],
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
  description: 'The access and refresh tokens of the session stop working within seconds.',
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
