import {
  type IdentityProvider,
  type IdentityProviderRepository,
  proofName,
  proofValue,
  type SsoDomains,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { audienceOf, callbackUrl } from '../addresses.ts';
import type { IdentityProvider as ShownProvider } from './schemas.ts';

export async function findProvider(
  deps: { providers: IdentityProviderRepository },
  { companyId, id }: { companyId: string; id: string },
): Promise<IdentityProvider> {
  const provider = await deps.providers.get(companyId, id);
  if (!provider) throw new AppError('IDENTITY_PROVIDER_NOT_FOUND');
  return provider;
}

/** Without its secret, with what the other side must be set up with. */
export async function showProvider(
  deps: { domains: SsoDomains },
  provider: IdentityProvider,
  base: string,
): Promise<ShownProvider> {
  const { sealedClientSecret, oidc, domains, ...shown } = provider;
  const verified = await deps.domains.verified(provider);
  const callback = callbackUrl(base, provider.slug);
  return {
    ...shown,
    oidc: oidc && { ...oidc, hasClientSecret: sealedClientSecret !== undefined },
    domains: domains.map((domain) => ({
      name: domain.name,
      verified: verified.has(domain.name),
      record: { type: 'TXT', name: proofName(domain.name), value: proofValue(domain) },
    })),
    callbackUrl: callback,
    audience: provider.saml ? audienceOf(callback) : null,
  };
}
