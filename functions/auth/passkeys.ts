import { GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  actOf,
  passkeyCredentialKey,
  passkeyKey,
  sessionKey,
  type UserRecord,
  userRecordKey,
} from '../../shared/domains/workspaces/index.ts';
import { auditItems, holdsAudited } from '../../shared/platform/audit/entry.ts';
import { AppError } from '../../shared/platform/errors/app-error.ts';
import { failedConditions, toRecord } from '../../shared/platform/storage/collection.ts';
import { type Key, userKey } from '../../shared/platform/storage/keys.ts';
import { queryItems } from '../../shared/platform/storage/query-items.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import { transact } from '../../shared/platform/storage/transact.ts';
import { updateOf } from '../../shared/platform/storage/update.ts';

export const MAX_PASSKEYS = 10;

/** A passkey as stored. */
export interface Passkey {
  id: string;
  userId: string;
  name: string;
  credentialId: string;
  publicKey: string;
  /** Of the authenticator; stays 0 for passkeys that are synced between devices. */
  counter: number;
  transports: string[];
  isSynced: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface Passkeys {
  list(userId: string): Promise<Passkey[]>;
  get(userId: string, id: string): Promise<Passkey | undefined>;
  byCredential(credentialId: string): Promise<Passkey | undefined>;
  /** Throws `PASSKEY_REJECTED` if it was added before, or `TOO_MANY_PASSKEYS`. */
  add(user: UserRecord, passkey: Passkey): Promise<void>;
  /** Returns false if it is gone. */
  rename(user: UserRecord, passkey: Passkey, name: string): Promise<boolean>;
  /** Records a use. Returns false if another use has advanced the counter meanwhile, or the passkey is gone. */
  used(passkey: Passkey, counter: number): Promise<boolean>;
  /** Ends the sign-ins with the passkey too. Returns false if it is gone. */
  remove(user: UserRecord, passkey: Passkey): Promise<boolean>;
}

export function passkeys(table: Table): Passkeys {
  const read = async (key: Key) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  const get = async (userId: string, id: string) => {
    const item = await read(passkeyKey(userId, id));
    return item && toRecord<Passkey>(item);
  };
  const act = (user: UserRecord, verb: string, change: object) => ({
    ...actOf(user, null),
    action: `user.passkey_${verb}` as const,
    ...change,
  });
  const below = ({ pk, sk }: Key) =>
    queryItems(table, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
      ConsistentRead: true,
    });

  return {
    get,
    list: (userId) => Array.fromAsync(below(passkeyKey(userId)), (item) => toRecord<Passkey>(item)),

    async byCredential(credentialId) {
      const holder = await read(passkeyCredentialKey(credentialId));
      return holder && get(holder.userId as string, holder.owner as string);
    },

    async add(user, passkey) {
      const { id, userId, credentialId, name } = passkey;
      const absent = 'attribute_not_exists(pk)';
      const holder = { ...passkeyCredentialKey(credentialId), entity: 'unique', owner: id, userId };
      const stored = { ...passkey, ...passkeyKey(userId, id), entity: 'passkey' };
      try {
        await transact(table, [
          { Put: { TableName: table.name, Item: holder, ConditionExpression: absent } },
          {
            Update: {
              TableName: table.name,
              Key: userRecordKey(userId),
              UpdateExpression: 'ADD passkeys :one',
              ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(passkeys) OR passkeys < :max)',
              ExpressionAttributeValues: { ':one': 1, ':max': MAX_PASSKEYS },
            },
          },
          { Put: { TableName: table.name, Item: stored, ConditionExpression: absent } },
          ...(await auditItems(table, act(user, 'added', { after: { id, name } }))),
        ]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new AppError('PASSKEY_REJECTED', { cause });
        if (failed.has(1)) throw new AppError('TOO_MANY_PASSKEYS', { cause });
        throw cause;
      }
    },

    rename: (user, { userId, id, name: before }, name) =>
      holdsAudited(
        table,
        { Update: updateOf(table, passkeyKey(userId, id), { set: { name } }, { exists: ['pk'] }) },
        act(user, 'renamed', { before: { id, name: before }, after: { id, name } }),
      ),

    used: ({ userId, id, counter: seen }, counter) =>
      holds(table, {
        Update: updateOf(
          table,
          passkeyKey(userId, id),
          { set: { counter, lastUsedAt: table.now().toISOString() } },
          { equals: { counter: seen } },
        ),
      }),

    async remove(user, { userId, id, credentialId, name }) {
      const minusOne = { UpdateExpression: 'ADD passkeys :by', ExpressionAttributeValues: { ':by': -1 } };
      const isRemoved = await holds(
        table,
        {
          Delete: {
            TableName: table.name,
            Key: passkeyKey(userId, id),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        { Delete: { TableName: table.name, Key: passkeyCredentialKey(credentialId) } },
        { Update: { TableName: table.name, Key: userRecordKey(userId), ...minusOne } },
        ...(await auditItems(table, act(user, 'removed', { before: { id, name } }))),
      );
      if (isRemoved) await endSessionsOf(id);
      return isRemoved;

      async function endSessionsOf(passkeyId: string): Promise<void> {
        const revokedAt = table.now().toISOString();
        for await (const { id: sessionId, method } of below(userKey(userId, 'SESSION#'))) {
          if ((method as { passkeyId?: string } | undefined)?.passkeyId !== passkeyId) continue;
          const change = updateOf(table, sessionKey(userId, sessionId as string), { set: { revokedAt } });
          await holds(table, { Update: { ...change, ConditionExpression: 'attribute_exists(pk)' } });
        }
      }
    },
  };
}

/** Writes all or nothing; false if the condition of the first item does not hold. */
async function holds(table: Table, ...items: Parameters<typeof transact>[1]): Promise<boolean> {
  try {
    await transact(table, items);
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(0)) return false;
    throw cause;
  }
}
