import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../platform/audit/entry.ts';
import { newId } from '../../platform/storage/ids.ts';
import type { Key } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { failedConditions, transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { isIdentityOf, readUser, type UserRecord, userRecordKey } from '../workspaces/index.ts';
import { identitiesOf, identityKey, subjectKey } from './keys.ts';
import { type IdentityProvider, issuerOf } from './records.ts';
import { identityProviderRepository } from './repository.ts';

/** Identities that ended with the removal of the user (`identitiesEndedAt`) count as absent, and are deleted where they are met. */
export interface Identities {
  /** The user whom the provider names so; undefined for a person whom it has not named before. */
  userOf(provider: IdentityProvider, subject: string): Promise<string | undefined>;
  /** Whether the user has an identity at the provider. */
  has(provider: IdentityProvider, userId: string): Promise<boolean>;
  /** Items for the transaction that gives an identity to a user: it fails if the subject or the user has one already. */
  linkItems(provider: IdentityProvider, identity: { subject: string; userId: string; at: string }): TransactItem[];
  /** Takes the user's identity at the provider away and ends every sign-in of the user. Returns false if there is none. */
  unlink(provider: Pick<IdentityProvider, 'id' | 'name' | 'companyId'>, userId: string): Promise<boolean>;
}

/** An identity below its user, as stored. */
interface StoredIdentity extends Key {
  subjectKey: Key;
  linkedAt: string;
}

export function identities(table: Table): Identities {
  const read = async (Key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
  const keyOf = (provider: IdentityProvider, subject: string) =>
    subjectKey(provider.id, { issuer: issuerOf(provider), subject });
  const put = (Item: Record<string, unknown>): TransactItem => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  async function identityOf(providerId: string, userId: string): Promise<StoredIdentity | undefined> {
    const [identity, user] = await Promise.all([read(identityKey(userId, providerId)), readUser(table, userId)]);
    if (!identity) return undefined;
    const stored = identity as unknown as StoredIdentity;
    if (user && isIdentityOf(user, stored.linkedAt)) return stored;
    await removeIdentity(table, stored);
    return undefined;
  }

  return {
    async userOf(provider, subject) {
      const holder = await read(keyOf(provider, subject));
      const userId = holder?.userId as string | undefined;
      if (userId === undefined) return undefined;
      return (await identityOf(provider.id, userId)) && userId;
    },

    has: async (provider, userId) => (await identityOf(provider.id, userId)) !== undefined,

    linkItems(provider, { subject, userId, at }) {
      const key = keyOf(provider, subject);
      return [
        put({ ...key, entity: 'sso-subject', userId }),
        put({ ...identityKey(userId, provider.id), entity: 'sso-identity', subjectKey: key, linkedAt: at }),
      ];
    },

    async unlink({ id, name, companyId }, userId) {
      const identity = await identityOf(id, userId);
      if (!identity) return false;
      const epoch = { set: { signInEpoch: newId(), updatedAt: table.now().toISOString() }, remove: ['keptSessionId'] };
      const logged = await auditItems(table, {
        action: 'identity_provider.identity_removed',
        object: { type: 'identity-provider', id, name },
        place: { companyId, workspaceId: null },
        before: { userId },
      });
      const Update = updateOf(table, userRecordKey(userId), epoch, { exists: ['pk'] });
      return removeIdentity(table, identity, [{ Update }, ...logged]);
    },
  };
}

/** The id of an enabled provider at which the user has an identity. */
export async function enabledProviderOf(table: Table, user: UserRecord): Promise<string | undefined> {
  const prefix = identitiesOf(user.id).sk;
  for await (const item of itemsBelow(table, identitiesOf(user.id))) {
    if (!isIdentityOf(user, item.linkedAt as string)) continue;
    const id = (item.sk as string).slice(prefix.length);
    if ((await identityProviderRepository(table).get(user.companyId, id))?.enabled) return id;
  }
  return undefined;
}

/**
 * Deletes the identities that the user was given until then, or all, with the subjects that lead to them. May be repeated. Returns false
 * if some are left once `isOver` is true.
 */
export async function endIdentities(
  table: Table,
  { userId, until }: { userId: string; until?: string },
  isOver: () => boolean,
): Promise<boolean> {
  for (const item of await Array.fromAsync(itemsBelow(table, identitiesOf(userId)))) {
    const identity = item as unknown as StoredIdentity;
    if (until !== undefined && isIdentityOf({ identitiesEndedAt: until }, identity.linkedAt)) continue;
    if (isOver()) return false;
    await removeIdentity(table, identity);
  }
  return true;
}

/** Returns false if it was removed meanwhile, also if there is a new one in its place. */
async function removeIdentity(table: Table, identity: StoredIdentity, also: TransactItem[] = []): Promise<boolean> {
  const { pk, sk, subjectKey: subject, linkedAt } = identity;
  try {
    await transact(table, [
      {
        Delete: {
          TableName: table.name,
          Key: { pk, sk },
          ConditionExpression: 'linkedAt = :seen',
          ExpressionAttributeValues: { ':seen': linkedAt },
        },
      },
      { Delete: { TableName: table.name, Key: subject } },
      ...also,
    ]);
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(0)) return false;
    throw cause;
  }
}
