import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, SIGNED_IN } from '../../platform/example-values.ts';
import type * as providerRoutes from './providers/routes.ts';
import type * as signInRoutes from './sign-in/routes.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIDqDCCApCgAwIBAgIGAX…\n-----END CERTIFICATE-----';

export const signInExamples: ExamplesOf<typeof signInRoutes> = {
  discoverSignIn: {
    request: { email: 'ada@example.com' },
    reply: { method: 'sso', slug: 'example-okta', name: 'Okta', required: true },
  },
  startSso: {},
  finishOidc: {},
  finishSaml: { request: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlIHhtbG5zOnNhbWxwPSJ1…', RelayState: 'Zk3Qx0pWc1' } },
  getSamlMetadata: {},
  exchangeSsoCode: {
    request: { code: 'sso_8HkVn3Xq', codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
    reply: SIGNED_IN,
  },
};

const provider = {
  id: IDS.identityProvider,
  companyId: IDS.company,
  slug: 'example-okta',
  name: 'Okta',
  type: 'oidc',
  oidc: {
    issuer: 'https://example.okta.com',
    clientId: '0oa1b2c3d4e5f6g7h8i9',
    hasClientSecret: true,
    scopes: ['openid', 'email', 'profile', 'groups'],
    emailClaim: 'email',
    groupsClaim: 'groups',
    trustsMail: false,
  },
  saml: null,
  domains: [
    {
      name: 'example.com',
      verified: true,
      record: {
        type: 'TXT',
        name: '_analytics-sso.example.com',
        value: 'analytics-sso=5f0f2f0e0b434f0a9d0c3a1f5b8f2c11',
      },
    },
  ],
  jit: {
    enabled: true,
    workspaceId: IDS.workspace,
    role: 'viewer',
    groups: [{ providerGroup: 'finance', groupId: IDS.group, role: 'editor' }],
  },
  attributes: [{ claim: 'department', attribute: 'department' }],
  enabled: true,
  callbackUrl: 'https://api.example.com/api/auth/sso/example-okta/callback',
  audience: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const samlProvider = {
  ...provider,
  slug: 'example-entra',
  name: 'Entra',
  type: 'saml',
  oidc: null,
  saml: {
    entityId: 'https://sts.windows.net/019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01/',
    ssoUrl: 'https://login.microsoftonline.com/019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01/saml2',
    metadataUrl: null,
    certificates: [CERTIFICATE],
    subjectAttribute: 'http://schemas.microsoft.com/identity/claims/objectidentifier',
    emailAttribute: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    nameAttribute: 'http://schemas.microsoft.com/identity/claims/displayname',
    groupsAttribute: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  },
  callbackUrl: 'https://api.example.com/api/auth/sso/example-entra/callback',
  audience: 'https://api.example.com/api/auth/sso/example-entra/metadata',
};

const enforcement = {
  companyId: IDS.company,
  enforced: true,
  breakGlassUserIds: [IDS.user],
  updatedBy: IDS.user,
  updatedAt: CHANGED_AT,
  revision: 2,
};

export const providerExamples: ExamplesOf<typeof providerRoutes> = {
  createIdentityProvider: {
    request: {
      name: 'Okta',
      slug: 'example-okta',
      type: 'oidc',
      oidc: {
        issuer: 'https://example.okta.com',
        clientId: '0oa1b2c3d4e5f6g7h8i9',
        clientSecret: 'a secret of the provider',
        scopes: ['openid', 'email', 'profile', 'groups'],
        groupsClaim: 'groups',
        trustsMail: false,
      },
      domains: ['example.com'],
    },
    reply: provider,
  },
  listIdentityProviders: { reply: { items: [provider, samlProvider], total: 2 } },
  getIdentityProvider: { reply: samlProvider },
  updateIdentityProvider: {
    request: { name: 'Okta (production)' },
    reply: { ...provider, name: 'Okta (production)', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteIdentityProvider: {},
  testIdentityProvider: { reply: { ok: true, issues: [] } },
  verifySsoDomain: { reply: provider },
  removeIdentity: {},
  getSsoEnforcement: { reply: enforcement },
  setSsoEnforcement: { request: { enforced: true, breakGlassUserIds: [IDS.user] }, reply: enforcement },
};
