import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { boundedMembers } from '../../../platform/audit/changes.ts';
import { auditItems, holdsAudited } from '../../../platform/audit/entry.ts';
import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { newId } from '../../../platform/storage/ids.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import {
  actOf,
  type EndedUser,
  isIdentityOf,
  readUser,
  type UserRecord,
  userRecordKey,
} from '../../tenancy/workspaces/index.ts';
import { endedIdentitiesOf, identitiesOf, identityKey, subjectKey } from './keys.ts';
import type { Claims, StoredIdentity } from './read-claims.ts';
import { type IdentityProvider, issuerOf } from './records.ts';
import { identityProviderRepository } from './repository.ts';

/**
 * Identities that ended with the removal of the user (`identitiesEndedAt`) count as absent, and are ended where they
 * are met.
 */
export interface Identities {
  /**
   * The user whom the provider names so; undefined for a person whom it has not named before, or whose identity has
   * ended.
   */
  userOf(provider: IdentityProvider, subject: string): Promise<string | undefined>;
  /**
   * Whether the identity of the subject has ended, because its user was removed: the person does not come back without
   * being asked.
   */
  hasEnded(provider: IdentityProvider, subject: string): Promise<boolean>;
  /** Whether the user has an identity at the provider. */
  has(provider: IdentityProvider, userId: string): Promise<boolean>;
  /** Stores them. A change of a value is logged. Without effect if the identity has ended meanwhile. */
  saveClaims(provider: IdentityProvider, user: UserRecord, claims: Claims): Promise<void>;
  /**
   * Items for the transaction that gives an identity to a user: it fails if the subject or the user has one already.
   */
  linkItems(provider: IdentityProvider, identity: { subject: string; userId: string; at: string }): TransactItem[];
  /**
   * Takes the user's identity at the provider away and ends every sign-in of the user. Returns false if there is none.
   */
  unlink(provider: Pick<IdentityProvider, 'id' | 'name' | 'companyId'>, userId: string): Promise<boolean>;
}

export function identities(table: Table): Identities {
  const read = async (Key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
  const keyOf = (provider: IdentityProvider, subject: string) =>
    subjectKey(provider.id, { issuer: issuerOf(provider), subject });
  const put = (Item: Record<string, unknown>, ConditionExpression = 'attribute_not_exists(pk)'): TransactItem => ({
    Put: { TableName: table.name, Item, ConditionExpression },
  });

  async function identityOf(providerId: string, userId: string): Promise<StoredIdentity | undefined> {
    const [identity, user] = await Promise.all([read(identityKey(userId, providerId)), readUser(table, userId)]);
    if (!identity) return undefined;
    const stored = identity as unknown as StoredIdentity;
    if (user && isIdentityOf(user, stored.linkedAt)) return stored;
    await endIdentity(table, stored);
    return undefined;
  }

  return {
    async userOf(provider, subject) {
      const holder = await read(keyOf(provider, subject));
      const userId = holder?.userId as string | undefined;
      if (userId === undefined || holder?.endedAt !== undefined) return undefined;
      return (await identityOf(provider.id, userId)) && userId;
    },

    hasEnded: async (provider, subject) => (await read(keyOf(provider, subject)))?.endedAt !== undefined,

    has: async (provider, userId) => (await identityOf(provider.id, userId)) !== undefined,

    async saveClaims({ id, name, companyId }, user, claims) {
      const identity = await identityOf(id, user.id);
      if (!identity || (identity.claims === undefined && Object.keys(claims).length === 0)) return;
      const change = { set: { claims, claimsAt: table.now().toISOString() } };
      const Update = updateOf(table, identityKey(user.id, id), change, { equals: { linkedAt: identity.linkedAt } });
      const before = identity.claims ?? {};
      if (JSON.stringify(sortedClaims(before)) === JSON.stringify(sortedClaims(claims))) {
        return void (await ifHolds(table.db.send(new UpdateCommand(Update))));
      }
      await holdsAudited(
        table,
        { Update },
        {
          ...actOf(user, null),
          action: 'user.attributes_updated',
          place: { companyId, workspaceId: null },
          before: boundedMembers(before),
          after: boundedMembers({ ...claims, identityProvider: name }),
        },
      );
    },

    linkItems(provider, { subject, userId, at }) {
      const key = keyOf(provider, subject);
      return [
        put({ ...key, entity: 'sso-subject', userId }, 'attribute_not_exists(pk) OR attribute_exists(endedAt)'),
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
      return removeIdentity(table, identity, { subject: 'forgotten', also: [{ Update }, ...logged] });
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
 * Ends the identities that the user was given until then; or deletes all, with the subjects that lead to them. May be
 * repeated. Returns false if some are left once `isOver` is true.
 */
export async function endIdentities(
  table: Table,
  { userId, until }: { userId: string; until?: string },
  isOver: () => boolean,
): Promise<boolean> {
  if (until === undefined) await forgetEnded(table, userId);
  for (const item of await Array.fromAsync(itemsBelow(table, identitiesOf(userId)))) {
    const identity = item as unknown as StoredIdentity;
    if (until !== undefined && isIdentityOf({ identitiesEndedAt: until }, identity.linkedAt)) continue;
    if (isOver()) return false;
    if (until === undefined) await removeIdentity(table, identity, { subject: 'forgotten' });
    else await endIdentity(table, identity);
  }
  return true;
}

/** Leads from the user to a subject that has ended, which is to be found when the user is erased. */
const endedIdentity = (user: string, subject: Key) => ({
  pk: user,
  sk: `${endedIdentitiesOf('').sk}${subject.pk}#${subject.sk}`,
  entity: 'ended-sso-identity',
  subjectKey: subject,
});

/** Forgets the subjects that have ended, but for those that belong to another account by now. */
async function forgetEnded(table: Table, userId: string): Promise<void> {
  for await (const { subjectKey: Key } of itemsBelow(table, endedIdentitiesOf(userId))) {
    const condition = { ConditionExpression: 'userId = :user', ExpressionAttributeValues: { ':user': userId } };
    await ifHolds(table.db.send(new DeleteCommand({ TableName: table.name, Key: Key as Key, ...condition })));
  }
}

const sortedClaims = (claims: Claims) => Object.entries(claims).sort(([one], [other]) => (one < other ? -1 : 1));

/** The provider may name the person under another address later: the subject stays known as one that has ended. */
const endIdentity = (table: Table, identity: StoredIdentity) => removeIdentity(table, identity, { subject: 'ended' });

/** Returns false if it was removed meanwhile, also if there is a new one in its place. */
async function removeIdentity(
  table: Table,
  identity: StoredIdentity,
  { subject: fate, also = [] }: { subject: 'forgotten' | 'ended'; also?: TransactItem[] },
): Promise<boolean> {
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
      fate === 'forgotten'
        ? { Delete: { TableName: table.name, Key: subject } }
        : { Update: updateOf(table, subject, { set: { endedAt: table.now().toISOString() } }) },
      ...(fate === 'ended' ? [{ Put: { TableName: table.name, Item: endedIdentity(pk, subject) } }] : []),
      ...also,
    ]);
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(0)) return false;
    throw cause;
  }
}

export const identityCleanUps: readonly [CleanUp<EndedUser>] = [{ kind: 'user', remove: endIdentities }];
