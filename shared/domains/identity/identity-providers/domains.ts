import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { holdsAudited } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { domainOf } from '../../../platform/text/email-address.ts';
import { domainKey } from './keys.ts';
import type { IdentityProvider, ProviderDomain } from './records.ts';
import { identityProviderRepository } from './repository.ts';

/** Where the proof of a domain stands in its DNS. */
export const proofName = (domain: string): string => `_analytics-sso.${domain}`;
export const proofValue = ({ token }: ProviderDomain): string => `analytics-sso=${token}`;

/** The texts of a DNS name; none for a name without any. */
export type ReadTexts = (name: string) => Promise<string[]>;

/** The claim of a domain. It counts as long as the provider lists the domain with this token. */
interface Claim {
  companyId: string;
  providerId: string;
  token: string;
}

export interface SsoDomains {
  /** The provider that has proven the domain; undefined if there is none, or it is turned off. */
  providerFor(domain: string): Promise<IdentityProvider | undefined>;
  /** Throws `EMAIL_TAKEN` if another company has proven the domain of the address. */
  requireClaimable(companyId: string, email: string): Promise<void>;
  /** The names of the domains that the provider has proven. */
  verified(provider: IdentityProvider): Promise<Set<string>>;
  /**
   * Gives the domain to the provider if its proof is in the DNS. Throws `DOMAIN_NOT_PROVEN`, or `DOMAIN_TAKEN` if the
   * proof of another company is there as well. A company whose proof is gone loses the domain to the next one that
   * proves it.
   */
  verify(provider: IdentityProvider, domain: ProviderDomain, read: ReadTexts): Promise<void>;
}

export function ssoDomains(table: Table): SsoDomains {
  const providers = identityProviderRepository(table);

  async function claimOf(domain: string): Promise<Claim | undefined> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: domainKey(domain), ConsistentRead: true }),
    );
    return found.Item as Claim | undefined;
  }

  async function holderOf(domain: string, claim: Claim | undefined): Promise<IdentityProvider | undefined> {
    const provider = claim && (await providers.get(claim.companyId, claim.providerId));
    const isListed = provider?.domains.some(({ name, token }) => name === domain && token === claim?.token);
    return isListed ? provider : undefined;
  }

  return {
    async providerFor(domain) {
      const provider = await holderOf(domain, await claimOf(domain));
      return provider?.enabled ? provider : undefined;
    },

    async requireClaimable(companyId, email) {
      const domain = domainOf(email);
      const holder = await holderOf(domain, await claimOf(domain));
      if (holder && holder.companyId !== companyId) throw new AppError('EMAIL_TAKEN');
    },

    async verified({ id, domains }) {
      const keys = domains.map(({ name }) => domainKey(name));
      const claims = keys.length > 0 ? await readItems(table, keys) : [];
      const tokens = new Set(claims.filter(({ providerId }) => providerId === id).map(({ token }) => token));
      return new Set(domains.filter(({ token }) => tokens.has(token)).map(({ name }) => name));
    },

    async verify(provider, domain, read) {
      const { name, token } = domain;
      const texts = await read(proofName(name));
      if (!texts.includes(proofValue(domain))) throw new AppError('DOMAIN_NOT_PROVEN');
      const claim = await claimOf(name);
      const holder = await holderOf(name, claim);
      if (
        holder &&
        claim &&
        holder.companyId !== provider.companyId &&
        texts.includes(proofValue({ ...domain, token: claim.token }))
      ) {
        throw new AppError('DOMAIN_TAKEN');
      }
      const Item = {
        ...domainKey(name),
        entity: 'sso-domain',
        companyId: provider.companyId,
        providerId: provider.id,
        token,
      };
      const Put = {
        TableName: table.name,
        Item,
        ...(claim
          ? { ConditionExpression: '#token = :seen', ExpressionAttributeValues: { ':seen': claim.token } }
          : { ConditionExpression: 'attribute_not_exists(#token)' }),
        ExpressionAttributeNames: { '#token': 'token' },
      };
      const { id, companyId } = provider;
      const isClaimed = await holdsAudited(
        table,
        { Put },
        {
          action: 'identity_provider.domain_verified',
          object: { type: 'identity-provider', id, name: provider.name },
          place: { companyId, workspaceId: null },
          after: { domain: name },
        },
      );
      if (!isClaimed) throw new AppError('STALE_WRITE');
    },
  };
}
