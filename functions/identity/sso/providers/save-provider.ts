import type {
  IdentityProvider,
  IdentityProviderRepository,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { changedSettings, NO_JIT, type SettingsDeps } from './provider-settings.ts';
import { findProvider } from './read-providers.ts';
import type { CreateIdentityProvider, UpdateIdentityProvider } from './schemas.ts';

interface Deps extends SettingsDeps {
  providers: IdentityProviderRepository;
  secrets: SecretBox;
  now: () => Date;
}

export async function createProvider(
  deps: Deps,
  command: { id: string; companyId: string; userId: string; provider: CreateIdentityProvider },
): Promise<IdentityProvider> {
  const { id, companyId, userId, provider } = command;
  const { name, slug, type, enabled = true, ...settings } = provider;
  const empty = { companyId, type, oidc: null, saml: null, domains: [], jit: NO_JIT, attributes: [] };
  const at = deps.now().toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at };
  return deps.providers.create({
    ...empty,
    ...(await changedSettings(deps, empty, settings)),
    ...(await sealedSecret(deps, companyId, settings)),
    id,
    slug,
    name,
    enabled,
    ...stamps,
    revision: 1,
  });
}

export function updateProvider(
  deps: Deps,
  command: { companyId: string; id: string; userId: string; change: UpdateIdentityProvider },
): Promise<IdentityProvider> {
  const { companyId, userId: updatedBy, change } = command;
  return onNewest('STALE_WRITE', async () => {
    const current = await findProvider(deps, command);
    return deps.providers.replace(current, {
      ...current,
      ...(await changedSettings(deps, current, change)),
      ...(await sealedSecret(deps, companyId, change)),
      name: change.name ?? current.name,
      enabled: change.enabled ?? current.enabled,
      updatedBy,
      updatedAt: later(current.updatedAt, deps.now()),
    });
  });
}

async function sealedSecret(
  { secrets }: Deps,
  companyId: string,
  { oidc }: Pick<UpdateIdentityProvider, 'oidc'>,
): Promise<Pick<IdentityProvider, 'sealedClientSecret'>> {
  if (oidc?.clientSecret === undefined) return {};
  return { sealedClientSecret: await secrets.seal(companyId, oidc.clientSecret) };
}
