import type { Static } from 'typebox';
import * as Type from 'typebox';
import { PROVIDER_TYPES } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { AttributeName } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { ROLES } from '../../../../shared/platform/auth/permissions.ts';
import {
  Id,
  idParams,
  Name,
  Nullable,
  Revision,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';
import { Slug } from '../sign-in/schemas.ts';

export const ProviderParams = idParams('identity provider');
export const ProviderDomainParams = Type.Object({
  ...ProviderParams.properties,
  domain: Type.String({ maxLength: 253, description: 'The email domain.' }),
});
export const ProviderUserParams = Type.Object({
  ...ProviderParams.properties,
  userId: Type.String({ format: 'uuid', description: 'The id of the user.' }),
});

const Url = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description });
const Attribute = (description: string) => Nullable(Type.String({ minLength: 1, maxLength: 500, description }));

const oidc = {
  issuer: Url('The issuer, at which `/.well-known/openid-configuration` is found.'),
  clientId: Type.String({ minLength: 1, maxLength: 500 }),
  scopes: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The scopes to request; `openid` is always requested.',
  }),
  emailClaim: Type.String({ minLength: 1, maxLength: 200, description: 'The claim with the email address.' }),
  groupsClaim: Attribute('The claim with the groups; null to ignore groups.'),
  trustsMail: Type.Boolean({
    description:
      'Whether an address without `email_verified` may be linked to an account; for providers whose admins set all addresses.',
  }),
};

const saml = {
  entityId: Type.String({ minLength: 1, maxLength: 1024, description: 'The entity id of the identity provider.' }),
  ssoUrl: Url('Its single sign-on address for the redirect binding.'),
  certificates: Type.Array(Type.String({ minLength: 1, maxLength: 8192 }), {
    minItems: 1,
    maxItems: 5,
    description: 'Signing certificates (PEM) of the provider. While the provider changes its certificate, list both.',
  }),
  subjectAttribute: Attribute('The attribute that identifies a person for good; null for the NameID.'),
  emailAttribute: Attribute('The attribute with the email address; null for the NameID.'),
  nameAttribute: Attribute('The attribute with the name; null for none.'),
  groupsAttribute: Attribute('The attribute with the groups; null to ignore groups.'),
};

const optional = <P extends Record<string, Type.TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties)).properties;

const secret = {
  clientSecret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Never shown again. A new issuer requires it again.' }),
  ),
};

const metadata = {
  metadataUrl: Type.Optional(Nullable(Url('Where to read entity id, address and certificates.'))),
  metadata: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500_000, description: 'The metadata of the identity provider (XML).' }),
  ),
};

const { issuer, clientId, ...oidcChoices } = oidc;
const NewOidc = Type.Object({ issuer, clientId, ...optional(oidcChoices), ...secret });
const OidcChange = Type.Object({ ...optional(oidc), ...secret });
const SamlInput = Type.Object({ ...optional(saml), ...metadata });
export type OidcChange = Static<typeof OidcChange>;
export type SamlInput = Static<typeof SamlInput>;

const GroupMapping = Type.Object({
  providerGroup: Type.String({ minLength: 1, maxLength: 500, description: 'The group as the provider names it.' }),
  groupId: Nullable(
    Type.String({ format: 'uuid', description: 'The group of the workspace that they join; null for none.' }),
  ),
  role: Nullable(
    StringEnum(ROLES, { description: 'The role of new members; the highest role of all their groups counts.' }),
  ),
});

const jit = {
  enabled: Type.Boolean({ description: 'Whether people without an account get one when they sign in.' }),
  workspaceId: Nullable(Type.String({ format: 'uuid', description: 'The workspace that they become members of.' })),
  role: StringEnum(ROLES, { description: 'The role of new members without a mapped group.' }),
  groups: Type.Array(GroupMapping, {
    maxItems: 200,
    description: 'Memberships in these groups follow the provider at each sign-in.',
  }),
};

const attributes = Type.Array(
  Type.Object({
    claim: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The claim of the ID token or of UserInfo, or the name of the SAML attribute.',
    }),
    attribute: AttributeName,
  }),
  {
    maxItems: 50,
    description:
      'Claims that become attributes of the person (`user.attr()`) in all workspaces at each sign-in, in place of what admins have set. Each attribute at most once.',
  },
);

export const IdentityProvider = Type.Object(
  {
    id: Id,
    companyId: Id,
    slug: Slug,
    name: Name,
    type: StringEnum(PROVIDER_TYPES),
    oidc: Nullable(Type.Object({ ...oidc, hasClientSecret: Type.Boolean() })),
    saml: Nullable(Type.Object({ ...saml, metadataUrl: Nullable(Type.String()) })),
    domains: Type.Array(
      Type.Object({
        name: Type.String(),
        verified: Type.Boolean({ description: 'Only verified domains are used.' }),
        record: Type.Object(
          { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
          { description: 'The DNS record that proves the domain. Leave it in place.' },
        ),
      }),
    ),
    jit: Type.Object(jit),
    attributes,
    enabled: Type.Boolean(),
    callbackUrl: Type.String({ description: 'The redirect URI (OpenID Connect) or ACS URL (SAML) for the provider.' }),
    audience: Nullable(Type.String({ description: 'The entity id of the platform for a SAML provider.' })),
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'IdentityProvider', description: 'An identity provider of the company, without its secret.' },
);
export type IdentityProvider = Static<typeof IdentityProvider>;

export const IdentityProviderList = Type.Object(
  { items: Type.Array(IdentityProvider), total: Type.Integer() },
  { $id: 'IdentityProviderList', description: 'All identity providers of the company, oldest first; at most 20.' },
);

const common = {
  domains: Type.Optional(
    Type.Array(Type.String({ minLength: 3, maxLength: 253 }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'The email domains of the people. Each must be verified.',
    }),
  ),
  jit: Type.Optional(Type.Object(optional(jit))),
  attributes: Type.Optional(attributes),
  enabled: Type.Optional(Type.Boolean()),
};

export const CreateIdentityProvider = Type.Object(
  {
    name: Name,
    slug: Type.Unsafe<string>({ ...Slug, description: 'Unique in the deployment. It cannot be changed.' }),
    type: StringEnum(PROVIDER_TYPES),
    oidc: Type.Optional(NewOidc),
    saml: Type.Optional(SamlInput),
    ...common,
  },
  { $id: 'CreateIdentityProvider', description: 'A new identity provider, with the settings of its type.' },
);
export type CreateIdentityProvider = Static<typeof CreateIdentityProvider>;

export const UpdateIdentityProvider = Type.Object(
  { name: Type.Optional(Name), oidc: Type.Optional(OidcChange), saml: Type.Optional(SamlInput), ...common },
  { $id: 'UpdateIdentityProvider', description: 'The members to change, also within `oidc`, `saml` and `jit`.' },
);
export type UpdateIdentityProvider = Static<typeof UpdateIdentityProvider>;

export const ProviderTest = Type.Object(
  {
    ok: Type.Boolean(),
    issues: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'IdentityProviderTest', description: 'Whether the identity provider answers as a sign-in requires.' },
);
export type ProviderTest = Static<typeof ProviderTest>;

const breakGlassUserIds = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: 10,
  uniqueItems: true,
  description:
    'Company admins with a second factor who may still sign in by password or passkey, in case the provider fails.',
});

export const Enforcement = Type.Object(
  {
    companyId: Id,
    enforced: Type.Boolean({ description: 'Whether all other users must sign in through an identity provider.' }),
    breakGlassUserIds,
    updatedBy: Nullable(Id),
    updatedAt: Nullable(Timestamp),
    revision: Revision,
  },
  { $id: 'SsoEnforcement', description: 'Whether the company accepts passwords and passkeys.' },
);
export type Enforcement = Static<typeof Enforcement>;

export const SetEnforcement = Type.Object(
  { enforced: Type.Boolean(), breakGlassUserIds },
  { $id: 'SetSsoEnforcement', description: 'Whether the company accepts passwords, and who may use them anyway.' },
);
export type SetEnforcement = Static<typeof SetEnforcement>;
