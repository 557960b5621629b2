import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../platform/audit/entry.ts';
import { failedConditions } from '../../platform/storage/collection.ts';
import { newId } from '../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { readUser, userRecordKey } from '../workspaces/index.ts';
import { identityKey, subjectKey } from './keys.ts';
import { type IdentityProvider, issuerOf } from './records.ts';

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

export function identities(table: Table): Identities {
  const read = async (Key: { pk: string; sk: string }) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
  const keyOf = (provider: IdentityProvider, subject: string) =>
    subjectKey(provider.id, { issuer: issuerOf(provider), subject });
  const put = (Item: Record<string, unknown>): TransactItem => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  return {
    userOf: async (provider, subject) => (await read(keyOf(provider, subject)))?.userId as string | undefined,

    has: async (provider, userId) => (await read(identityKey(userId, provider.id))) !== undefined,

    linkItems(provider, { subject, userId, at }) {
      const key = keyOf(provider, subject);
      return [
        put({ ...key, entity: 'sso-subject', userId }),
        put({ ...identityKey(userId, provider.id), entity: 'sso-identity', subjectKey: key, linkedAt: at }),
      ];
    },

    async unlink({ id, name, companyId }, userId) {
      const identity = await read(identityKey(userId, id));
      if (!identity) return false;
      const user = await readUser(table, userId);
      const epoch = { set: { signInEpoch: newId(), updatedAt: table.now().toISOString() }, remove: ['keptSessionId'] };
      try {
        await transact(table, [
          {
            Delete: {
              TableName: table.name,
              Key: identityKey(userId, id),
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
          { Delete: { TableName: table.name, Key: identity.subjectKey as { pk: string; sk: string } } },
          ...(user ? [{ Update: updateOf(table, userRecordKey(userId), epoch, { exists: ['pk'] }) }] : []),
          ...(await auditItems(table, {
            action: 'identity_provider.identity_removed',
            object: { type: 'identity_provider', id, name },
            place: { companyId, workspaceId: null },
            before: { userId },
          })),
        ]);
        return true;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return false;
        throw cause;
      }
    },
  };
}
