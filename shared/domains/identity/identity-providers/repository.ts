import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers, type ShownMembers } from '../../../platform/audit/changes.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { providerCountKey, providerKey, slugKey } from './keys.ts';
import { listProviders } from './read-claims.ts';
import { type IdentityProvider, MAX_PROVIDERS } from './records.ts';

const SHOWN: ShownMembers<IdentityProvider> = {
  name: 'shown',
  slug: 'shown',
  type: 'shown',
  oidc: 'shown',
  saml: 'shown',
  sealedClientSecret: 'hidden',
  domains: (domains) => domains.map(({ name }) => name),
  jit: 'shown',
  attributes: 'shown',
  enabled: 'shown',
};

export interface IdentityProviderRepository {
  get(companyId: string, id: string): Promise<IdentityProvider | undefined>;
  bySlug(slug: string): Promise<IdentityProvider | undefined>;
  /** All of a company, oldest first. */
  list(companyId: string): Promise<IdentityProvider[]>;
  /** A repeated call with the same id returns the stored one. Throws `SLUG_TAKEN` or `TOO_MANY_IDENTITY_PROVIDERS`. */
  create(provider: IdentityProvider): Promise<IdentityProvider>;
  /**
   * Throws `STALE_WRITE` if the provider has changed since it was read, `PRECONDITION_FAILED` if the client expects
   * another revision.
   */
  replace(previous: IdentityProvider, next: IdentityProvider): Promise<IdentityProvider>;
  /** Throws the same errors. */
  remove(provider: IdentityProvider): Promise<void>;
}

export function identityProviderRepository(table: Table): IdentityProviderRepository {
  const read = async (key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;

  async function get(companyId: string, id: string): Promise<IdentityProvider | undefined> {
    const item = await read(providerKey(companyId, id));
    return item && toRecord<IdentityProvider>(item);
  }

  const put = (provider: IdentityProvider, condition: object): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...provider, ...providerKey(provider.companyId, provider.id), entity: 'identity-provider' },
      ...(condition as { ConditionExpression: string }),
    },
  });

  const count = ({ companyId }: IdentityProvider, by: 1 | -1): TransactItem => ({
    Update: {
      TableName: table.name,
      Key: providerCountKey(companyId),
      UpdateExpression: 'ADD #count :by',
      ...(by > 0 ? { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' } : {}),
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by, ...(by > 0 ? { ':max': MAX_PROVIDERS } : {}) },
    },
  });

  const logged = (verb: string, before: IdentityProvider | undefined, after: IdentityProvider | undefined) => {
    const { id, name, companyId } = (after ?? before)!;
    return auditItems(table, {
      action: `identity_provider.${verb}` as const,
      object: { type: 'identity-provider', id, name },
      place: { companyId, workspaceId: null },
      ...changedMembers(SHOWN, before, after),
    });
  };

  const asRead = ({ revision }: IdentityProvider) => ({
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': revision },
  });

  async function write(provider: IdentityProvider, items: TransactItem[]): Promise<void> {
    assertExpected(provider.id, provider.revision);
    try {
      await transact(table, items);
    } catch (cause) {
      if (failedConditions(cause).has(0)) throw new AppError(staleCode(provider.id, 'STALE_WRITE'), { cause });
      throw cause;
    }
  }

  return {
    get,

    async bySlug(slug) {
      const holder = await read(slugKey(slug));
      return holder && get(holder.companyId as string, holder.owner as string);
    },

    list: (companyId) => listProviders(table, companyId),

    async create(provider) {
      const { id, companyId, slug } = provider;
      const Item = { ...slugKey(slug), entity: 'unique', owner: id, companyId };
      try {
        await transact(table, [
          put(provider, { ConditionExpression: 'attribute_not_exists(pk)' }),
          { Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
          count(provider, 1),
          ...(await logged('created', undefined, provider)),
        ]);
        return provider;
      } catch (cause) {
        const failed = failedConditions(cause);
        const stored = failed.has(0) ? await get(companyId, id) : undefined;
        if (stored) return stored;
        if (failed.has(1)) throw new AppError('SLUG_TAKEN', { cause });
        if (failed.has(2)) throw new AppError('TOO_MANY_IDENTITY_PROVIDERS', { cause });
        throw cause;
      }
    },

    async replace(previous, changed) {
      const next = { ...changed, revision: previous.revision + 1 };
      await write(previous, [put(next, asRead(previous)), ...(await logged('updated', previous, next))]);
      return next;
    },

    remove: async (provider) =>
      write(provider, [
        { Delete: { TableName: table.name, Key: providerKey(provider.companyId, provider.id), ...asRead(provider) } },
        { Delete: { TableName: table.name, Key: slugKey(provider.slug) } },
        count(provider, -1),
        ...(await logged('deleted', provider, undefined)),
      ]),
  };
}
