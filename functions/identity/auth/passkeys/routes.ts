import { SignedIn } from '../../../../shared/domains/identity/sessions/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  AddPasskey,
  Passkey,
  PasskeyFactor,
  PasskeyList,
  PasskeyParams,
  PasskeyProof,
  RenamePasskey,
  SignInWithPasskey,
  VerifyPasskeyFactor,
  WebAuthnOptions,
} from './schemas.ts';

export const startPasskey = defineRoute({
  operationId: 'startPasskey',
  method: 'POST',
  path: '/api/auth/passkeys/options',
  summary: 'Start to add a passkey',
  description: 'Returns the options with which the browser creates a passkey.',
  permission: 'session:end',
  body: PasskeyProof,
  success: { status: 200, body: WebAuthnOptions },
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'TOO_MANY_ATTEMPTS', 'SSO_REQUIRED'],
});

export const addPasskey = defineRoute({
  operationId: 'addPasskey',
  method: 'POST',
  path: '/api/auth/passkeys',
  summary: 'Add a passkey',
  permission: 'session:end',
  body: AddPasskey,
  success: { status: 201, body: Passkey },
  errors: ['PASSKEY_REJECTED', 'TOO_MANY_PASSKEYS'],
  audit: 'user.passkey_added',
});

export const listPasskeys = defineRoute({
  operationId: 'listPasskeys',
  method: 'GET',
  path: '/api/auth/passkeys',
  summary: 'List passkeys of the caller',
  permission: 'session:end',
  success: { status: 200, body: PasskeyList },
});

export const renamePasskey = defineRoute({
  operationId: 'renamePasskey',
  method: 'PATCH',
  path: '/api/auth/passkeys/{id}',
  summary: 'Change the name of a passkey',
  permission: 'session:end',
  params: PasskeyParams,
  body: RenamePasskey,
  success: { status: 200, body: Passkey },
  errors: ['PASSKEY_NOT_FOUND'],
  audit: 'user.passkey_renamed',
});

export const removePasskey = defineRoute({
  operationId: 'removePasskey',
  method: 'DELETE',
  path: '/api/auth/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'Ends the sign-ins that were made with it.',
  permission: 'session:end',
  params: PasskeyParams,
  success: { status: 204 },
  errors: ['PASSKEY_NOT_FOUND'],
  audit: 'user.passkey_removed',
});

export const startPasskeySignIn = defineRoute({
  operationId: 'startPasskeySignIn',
  method: 'POST',
  path: '/api/auth/passkeys/sign-in/options',
  summary: 'Start a sign-in with a passkey',
  description: 'The browser offers the passkeys that it has: no email address is needed.',
  permission: 'public',
  success: { status: 200, body: WebAuthnOptions },
});

export const signInWithPasskey = defineRoute({
  operationId: 'signInWithPasskey',
  method: 'POST',
  path: '/api/auth/passkeys/sign-in',
  summary: 'Sign in with a passkey',
  description: 'A passkey asks its user for a fingerprint, a face or a PIN, and so counts as both factors.',
  permission: 'public',
  body: SignInWithPasskey,
  success: { status: 200, body: SignedIn },
  errors: ['INVALID_PASSKEY'],
  audit: ['user.signed_in', 'user.sign_in_failed'],
});

export const startPasskeyFactor = defineRoute({
  operationId: 'startPasskeyFactor',
  method: 'POST',
  path: '/api/auth/mfa/passkey/options',
  summary: 'Start a second factor by passkey',
  permission: 'public',
  body: PasskeyFactor,
  success: { status: 200, body: WebAuthnOptions },
  errors: ['INVALID_MFA_TOKEN'],
});

export const verifyPasskeyFactor = defineRoute({
  operationId: 'verifyPasskeyFactor',
  method: 'POST',
  path: '/api/auth/mfa/passkey',
  summary: 'Sign in with a passkey as second factor',
  description: 'In place of a code of the app.',
  permission: 'public',
  body: VerifyPasskeyFactor,
  success: { status: 200, body: SignedIn },
  errors: ['INVALID_MFA_TOKEN', 'INVALID_PASSKEY'],
  audit: ['user.signed_in', 'user.sign_in_failed'],
});
