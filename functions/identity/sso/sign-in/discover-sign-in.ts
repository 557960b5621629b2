import { readEnforcement, type SsoDomains } from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { domainOf } from '../../../../shared/platform/text/email-address.ts';
import type { SignInWay } from './schemas.ts';

/** By the domain alone. */
export async function discoverSignIn(deps: { domains: SsoDomains; table: Table }, email: string): Promise<SignInWay> {
  const provider = await deps.domains.providerFor(domainOf(email));
  if (!provider) return { method: 'password', slug: null, name: null, required: false };
  const { enforced } = await readEnforcement(deps.table, provider.companyId);
  return { method: 'sso', slug: provider.slug, name: provider.name, required: enforced };
}
