import type { ErrorTable } from '../error-kind.ts';

export const SIGN_IN_ERRORS = {
  // Authentication
  UNAUTHENTICATED: [
    'unauthenticated',
    'The request has no valid credentials. Sign in, or send a valid access token or API key.',
  ],
  INVALID_CREDENTIALS: ['unauthenticated', 'The email address or the password is wrong. Correct them and try again.'],
  WRONG_PASSWORD: ['forbidden', 'The current password is wrong. Correct it and try again.'],
  WRONG_CODE: ['forbidden', 'The code is wrong, or was used before. Wait for the next code of the app.'],
  INVALID_MFA_TOKEN: ['unauthenticated', 'The sign-in has expired or was completed. Sign in with the password again.'],
  INVALID_MFA_CODE: ['unauthenticated', 'The code is wrong, or was used before. Wait for the next code of the app.'],
  MFA_ALREADY_ON: ['conflict', 'The second factor is on. Turn it off before setting up another app.'],
  MFA_NOT_ON: ['conflict', 'The second factor is off. Set up an app with POST /api/auth/mfa/enroll.'],
  SESSION_NOT_FOUND: ['notFound', 'You have no such sign-in, or it has ended. List yours with GET /api/auth/sessions.'],
  INVALID_RESET_TOKEN: [
    'unauthenticated',
    'The link is no longer valid: it was used, replaced by a newer one, or is older than 30 minutes. Ask for another email.',
  ],
  INVALID_EMAIL_TOKEN: [
    'unauthenticated',
    'The link is no longer valid: the address was confirmed or changed again, or the link is older than seven days. Sign in to confirm the address.',
  ],
  INVALID_INVITATION: [
    'unauthenticated',
    'The invitation is no longer valid: it was accepted, deleted or sent again, or it has expired. Ask for another one.',
  ],
  INVALID_REFRESH_TOKEN: ['unauthenticated', 'The refresh token is no longer valid. Sign in again.'],
  FORBIDDEN: [
    'forbidden',
    'Your role or API key does not permit this operation. Ask a workspace admin for a higher role or scope.',
  ],
  PRODUCT_NOT_LICENSED: [
    'forbidden',
    'Your company has no licence for this product. See GET /api/entitlements for what is licensed.',
  ],
  PRODUCT_TURNED_OFF: [
    'forbidden',
    'The operator of the platform has turned this product off. Ask the operator to turn it on; the plan of the company is unchanged.',
  ],
  LICENCE_INVALID: [
    'unprocessable',
    'This deployment does not accept the licence file. Upload the file exactly as it was issued.',
  ],
  LICENCE_OTHER_COMPANY: [
    'unprocessable',
    'The licence was issued for another company. Ask the issuer for a licence with the id of your company; see GET /api/company.',
  ],
  LICENCE_NOT_YET_VALID: [
    'unprocessable',
    'The licence is not valid yet. Upload it again on its first day; until then, the current licence stays in effect.',
  ],
  LICENCE_EXPIRED: ['unprocessable', 'The licence has expired. Ask the issuer for a new one.'],
  LICENCE_NOT_FOUND: ['notFound', 'The company has no licence file. Upload one with PUT /api/entitlements/licence.'],
  TOO_MANY_ATTEMPTS: [
    'tooMany',
    'There were too many attempts to sign in or to reset a password. Wait for the time in Retry-After.',
  ],

  // Sign-in by device, with the codes of RFC 8628
  AUTHORIZATION_PENDING: ['invalid', 'The person has not decided yet. Ask again after the time in Retry-After.'],
  SLOW_DOWN: ['invalid', 'The program asks too often. From now on, wait for the time in Retry-After between requests.'],
  ACCESS_DENIED: [
    'forbidden',
    'The sign-in was denied, or the person who approved it has signed out. Start it again if that was a mistake.',
  ],
  EXPIRED_TOKEN: ['invalid', 'The device code is unknown, was used, or has expired. Start the sign-in again.'],
  USER_CODE_NOT_FOUND: [
    'notFound',
    'No program is waiting with this code: it is mistyped, was decided before, or has expired. Compare it with the screen of the program.',
  ],

  // Sign-in by browser
  SIGN_IN_CODE_INVALID: [
    'invalid',
    'The code of the sign-in has expired, was used before, or belongs to another program. Start the sign-in again.',
  ],

  // Passkeys
  PASSKEY_NOT_FOUND: ['notFound', 'The user has no such passkey. List them with GET /api/auth/passkeys.'],
  PASSKEY_REJECTED: [
    'invalid',
    'The new passkey could not be verified. Request new options, and create the passkey on a page of the application.',
  ],
  TOO_MANY_PASSKEYS: ['conflict', 'The user already has 10 passkeys. Remove one first.'],
  INVALID_PASSKEY: [
    'unauthenticated',
    'The sign-in with the passkey failed. Request new options and try again, or sign in another way.',
  ],

  // Single sign-on
  IDENTITY_PROVIDER_NOT_FOUND: [
    'notFound',
    'There is no such identity provider, or it is turned off. List those of the company with GET /api/identity-providers.',
  ],
  SLUG_TAKEN: ['conflict', 'Another identity provider of the deployment has this slug. Choose a different one.'],
  TOO_MANY_IDENTITY_PROVIDERS: ['conflict', 'The company already has 20 identity providers. Delete one first.'],
  SAML_METADATA_INVALID: [
    'unprocessable',
    'The metadata of the identity provider cannot be used. Check `metadataUrl` or `metadata`, or send `entityId`, `ssoUrl` and `certificates`.',
  ],
  IDENTITY_PROVIDER_UNREACHABLE: [
    'unavailable',
    'The identity provider did not answer as expected. Try again, and test it with POST /api/identity-providers/{id}/test.',
  ],
  DOMAIN_NOT_LISTED: ['notFound', 'The identity provider has no such domain. Add it to `domains` first.'],
  DOMAIN_NOT_PROVEN: [
    'unprocessable',
    'The TXT record of the domain was not found. Create it as shown in `domains`, and try again once it is published.',
  ],
  DOMAIN_TAKEN: [
    'conflict',
    'Another company has proven this domain, and its TXT record is still there. Remove that record first.',
  ],
  IDENTITY_NOT_FOUND: ['notFound', 'The user has no identity at this provider. There is nothing to remove.'],
  RETURN_URL_NOT_ALLOWED: [
    'invalid',
    'A sign-in cannot return to this address. Ask the operator to add it to the setting SSO_RETURN_URLS.',
  ],
  SSO_STATE_INVALID: [
    'invalid',
    'The sign-in has expired, was completed before, or was started elsewhere. Start it again from the application.',
  ],
  SSO_CODE_INVALID: [
    'unauthenticated',
    'The code of the sign-in has expired, was used before, or belongs to another client. Start the sign-in again.',
  ],
  SSO_REQUIRED: [
    'forbidden',
    'Your company signs in through its identity provider. Manage the password there, or ask a company admin.',
  ],
  SSO_NOT_READY: [
    'unprocessable',
    'With enforcement, members could not sign in. Turn on an identity provider with a verified domain first.',
  ],
} as const satisfies ErrorTable;
