import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreateIdentityProvider,
  Enforcement,
  IdentityProvider,
  IdentityProviderList,
  ProviderDomainParams,
  ProviderParams,
  ProviderTest,
  ProviderUserParams,
  SetEnforcement,
  UpdateIdentityProvider,
} from './schemas.ts';

const PATH = '/api/identity-providers';
const INVALID = ['ADDRESS_BLOCKED', 'SAML_METADATA_INVALID'] as const;

export const createIdentityProvider = defineRoute({
  operationId: 'createIdentityProvider',
  method: 'POST',
  path: PATH,
  summary: 'Create an identity provider',
  permission: 'company:manage',
  body: CreateIdentityProvider,
  success: { status: 201, body: IdentityProvider, versioned: true },
  errors: ['SLUG_TAKEN', 'TOO_MANY_IDENTITY_PROVIDERS', ...INVALID],
  idempotent: true,
  audit: 'identity_provider.created',
});

export const listIdentityProviders = defineRoute({
  operationId: 'listIdentityProviders',
  method: 'GET',
  path: PATH,
  summary: 'List identity providers',
  permission: 'company:manage',
  success: { status: 200, body: IdentityProviderList },
});

export const getIdentityProvider = defineRoute({
  operationId: 'getIdentityProvider',
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Get an identity provider',
  permission: 'company:manage',
  params: ProviderParams,
  success: { status: 200, body: IdentityProvider, versioned: true },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND'],
});

export const updateIdentityProvider = defineRoute({
  operationId: 'updateIdentityProvider',
  method: 'PATCH',
  path: `${PATH}/{id}`,
  summary: 'Update an identity provider',
  description:
    'A new issuer requires the client secret again; a new entity id requires its certificates. Sign-ins through a provider that is turned off end when their access token expires, at most 15 minutes later.',
  permission: 'company:manage',
  params: ProviderParams,
  body: UpdateIdentityProvider,
  success: { status: 200, body: IdentityProvider, versioned: true },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND', ...INVALID],
  audit: 'identity_provider.updated',
});

export const deleteIdentityProvider = defineRoute({
  operationId: 'deleteIdentityProvider',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  summary: 'Delete an identity provider',
  description:
    'Sign-ins through the provider end when their access token expires, at most 15 minutes later. Accounts stay.',
  permission: 'company:manage',
  params: ProviderParams,
  success: { status: 204, versioned: true },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND'],
  audit: 'identity_provider.deleted',
});

export const testIdentityProvider = defineRoute({
  operationId: 'testIdentityProvider',
  method: 'POST',
  path: `${PATH}/{id}/test`,
  summary: 'Test an identity provider',
  description: 'Reads from the provider what a sign-in needs, without signing anyone in.',
  permission: 'company:manage',
  params: ProviderParams,
  success: { status: 200, body: ProviderTest },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND'],
});

export const verifySsoDomain = defineRoute({
  operationId: 'verifySsoDomain',
  method: 'POST',
  path: `${PATH}/{id}/domains/{domain}/verify`,
  summary: 'Validate an email domain',
  description:
    'Checks the TXT record. Once it is found, people with addresses of the domain sign in through this provider.',
  permission: 'company:manage',
  params: ProviderDomainParams,
  success: { status: 200, body: IdentityProvider, versioned: true },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND', 'DOMAIN_NOT_LISTED', 'DOMAIN_NOT_PROVEN', 'DOMAIN_TAKEN'],
  audit: 'identity_provider.domain_verified',
});

export const removeIdentity = defineRoute({
  operationId: 'removeIdentity',
  method: 'DELETE',
  path: `${PATH}/{id}/users/{userId}`,
  summary: "Remove a user's identity",
  description:
    'For an email address that now belongs to another person. The next sign-in with the address links the account again.',
  permission: 'company:manage',
  params: ProviderUserParams,
  success: { status: 204 },
  errors: ['IDENTITY_PROVIDER_NOT_FOUND', 'IDENTITY_NOT_FOUND'],
  audit: 'identity_provider.identity_removed',
});

export const getSsoEnforcement = defineRoute({
  operationId: 'getSsoEnforcement',
  method: 'GET',
  path: `${PATH}/enforcement`,
  summary: 'Get the enforcement of single sign-on',
  permission: 'company:manage',
  success: { status: 200, body: Enforcement, versioned: true },
});

export const setSsoEnforcement = defineRoute({
  operationId: 'setSsoEnforcement',
  method: 'PUT',
  path: `${PATH}/enforcement`,
  summary: 'Set the enforcement of single sign-on',
  description:
    'While it is on, passwords and passkeys are rejected, except for those of the named company admins, whose passwords need a second factor. Other sign-ins by password or passkey end when their access token expires. API keys keep working.',
  permission: 'company:manage',
  body: SetEnforcement,
  success: { status: 200, body: Enforcement, versioned: true },
  errors: ['SSO_NOT_READY'],
  audit: 'sso_enforcement.updated',
});
