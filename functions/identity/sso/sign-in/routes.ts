import { SignedIn } from '../../../../shared/domains/identity/sessions/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { DiscoverSignIn, ExchangeSsoCode, OidcReply, SamlReply, SignInWay, SlugParams, StartQuery } from './schemas.ts';

export const discoverSignIn = defineRoute({
  operationId: 'discoverSignIn',
  method: 'POST',
  path: '/api/auth/sso/discover',
  summary: 'Get the way to sign in',
  description: 'Depends on the domain of the address alone, so it does not reveal whether an account exists.',
  permission: 'public',
  body: DiscoverSignIn,
  success: { status: 200, body: SignInWay },
});

export const startSso = defineRoute({
  operationId: 'startSso',
  method: 'GET',
  path: '/api/auth/sso/{slug}/start',
  summary: 'Start a single sign-on',
  description:
    'Open this address in the browser. It continues at the identity provider, and returns to `returnTo` with a `code`, or with `error`. The sign-in must be completed within 10 minutes.',
  permission: 'public',
  params: SlugParams,
  query: StartQuery,
  success: { status: 303, redirect: true, description: 'Continue at the identity provider.' },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND', 'IDENTITY_PROVIDER_UNREACHABLE', 'RETURN_URL_NOT_ALLOWED'],
});

export const finishOidc = defineRoute({
  operationId: 'finishOidc',
  method: 'GET',
  path: '/api/auth/sso/{slug}/callback',
  summary: 'Complete an OpenID Connect sign-in',
  description: 'The redirect URI for the identity provider. Clients do not call it.',
  permission: 'public',
  params: SlugParams,
  query: OidcReply,
  success: { status: 303, redirect: true, description: 'Back to the application.' },
  errors: ['SSO_STATE_INVALID'],
  audit: ['member.added', 'user.attributes_updated', 'user.sign_in_failed'],
});

export const finishSaml = defineRoute({
  operationId: 'finishSaml',
  method: 'POST',
  path: '/api/auth/sso/{slug}/callback',
  summary: 'Complete a SAML sign-in',
  description: 'The assertion consumer service (ACS) for the identity provider. Clients do not call it.',
  permission: 'public',
  params: SlugParams,
  body: SamlReply,
  form: true,
  success: { status: 303, redirect: true, description: 'Back to the application.' },
  errors: ['SSO_STATE_INVALID'],
  audit: ['member.added', 'user.attributes_updated', 'user.sign_in_failed'],
});

export const getSamlMetadata = defineRoute({
  operationId: 'getSamlMetadata',
  method: 'GET',
  path: '/api/auth/sso/{slug}/metadata',
  summary: 'Get the SAML metadata of the platform',
  description: 'For setting up a SAML identity provider. The entity id is the address of this document.',
  permission: 'public',
  params: SlugParams,
  success: { status: 200, contentTypes: ['application/samlmetadata+xml'] },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND'],
});

export const exchangeSsoCode = defineRoute({
  operationId: 'exchangeSsoCode',
  method: 'POST',
  path: '/api/auth/sso/token',
  summary: 'Sign in with the code of a sign-on',
  description: 'Exchanges the code that the page received for the tokens of the sign-in.',
  permission: 'public',
  body: ExchangeSsoCode,
  success: { status: 200, body: SignedIn },
  errors: ['SSO_CODE_INVALID'],
  audit: 'user.signed_in',
});
