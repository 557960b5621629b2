import type { Role } from '../../../platform/auth/permissions.ts';

/** Identity providers of companies as stored. */
export const PROVIDER_TYPES = ['oidc', 'saml'] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export const MAX_PROVIDERS = 20;

export interface OidcSettings {
  issuer: string;
  clientId: string;
  scopes: string[];
  emailClaim: string;
  /** Null if the groups of the provider are not used. */
  groupsClaim: string | null;
  /** Whether addresses that the provider does not call verified count as verified. */
  trustsMail: boolean;
}

export interface SamlSettings {
  entityId: string;
  ssoUrl: string;
  /** Where entity id, address and certificates were read from; null if they were given. */
  metadataUrl: string | null;
  /** PEM; several while the provider changes its certificate. */
  certificates: string[];
  /** The attribute that identifies a person for good; null for the NameID. */
  subjectAttribute: string | null;
  /** Null for the NameID. */
  emailAttribute: string | null;
  nameAttribute: string | null;
  groupsAttribute: string | null;
}

export interface GroupMapping {
  /** The group's name or id at the identity provider. */
  providerGroup: string;
  groupId: string | null;
  role: Role | null;
}

/** Whether and how people become members of a workspace at their first sign-in. */
export interface JitSettings {
  enabled: boolean;
  workspaceId: string | null;
  role: Role;
  groups: GroupMapping[];
}

/** A claim (OpenID Connect) or attribute (SAML) whose value is an attribute of the person. */
export interface ClaimMapping {
  claim: string;
  attribute: string;
}

/** A mail domain. It routes sign-ins once the token was seen in the DNS of the domain. */
export interface ProviderDomain {
  name: string;
  token: string;
}

export interface IdentityProvider {
  id: string;
  companyId: string;
  /** In the addresses of the sign-in; unique in the deployment. */
  slug: string;
  name: string;
  type: ProviderType;
  oidc: OidcSettings | null;
  saml: SamlSettings | null;
  sealedClientSecret?: string;
  domains: ProviderDomain[];
  jit: JitSettings;
  attributes: ClaimMapping[];
  enabled: boolean;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** Whether members of a company must sign in through its identity providers. */
export interface Enforcement {
  companyId: string;
  enforced: boolean;
  /** Company admins who may go on signing in with password and second factor. */
  breakGlassUserIds: string[];
  updatedBy: string | null;
  updatedAt: string | null;
  revision: number;
}

/** The authority that names the subjects of a provider. */
export const issuerOf = ({ oidc, saml }: Pick<IdentityProvider, 'oidc' | 'saml'>): string =>
  oidc?.issuer ?? saml?.entityId ?? '';
