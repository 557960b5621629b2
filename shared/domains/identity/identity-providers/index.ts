/** The public API of this domain; everything else is internal. */
export { anotherManager, type CompanyManager, hasSignIn, stillManager } from './company-managers.ts';
export { proofName, proofValue, type ReadTexts, type SsoDomains, ssoDomains } from './domains.ts';
export { type OwnSignIn, readEnforcement, replaceEnforcement, type SignInPolicy, signInPolicy } from './enforcement.ts';
export { endIdentities, type Identities, identities, identityCleanUps } from './identities.ts';
export { type Claims, type ClaimsOfProvider, listProviders, readClaims } from './read-claims.ts';
export {
  type ClaimMapping,
  type Enforcement,
  type GroupMapping,
  type IdentityProvider,
  issuerOf,
  type JitSettings,
  type OidcSettings,
  PROVIDER_TYPES,
  type ProviderDomain,
  type ProviderType,
  type SamlSettings,
} from './records.ts';
export { type IdentityProviderRepository, identityProviderRepository } from './repository.ts';
