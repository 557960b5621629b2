import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems, holdsAudited } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Key, userKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import {
  actOf,
  isIdentityOf,
  readUser,
  sameAccount,
  sessionKey,
  type UserRecord,
  userRecordKey,
} from '../../tenancy/workspaces/index.ts';
import { credentialKey, passkeyKey, passkeysOf } from './keys.ts';

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

/** Those that ended with the removal of the user (`identitiesEndedAt`) count as absent. */
export interface Passkeys {
  list(user: UserRecord): Promise<Passkey[]>;
  get(user: UserRecord, id: string): Promise<Passkey | undefined>;
  byCredential(credentialId: string): Promise<{ user: UserRecord; passkey: Passkey } | undefined>;
  /** Throws `PASSKEY_REJECTED` if it was added before, or the user was removed meanwhile; or `TOO_MANY_PASSKEYS`. */
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
  const isOf = (user: UserRecord) => (passkey: Passkey) => isIdentityOf(user, passkey.createdAt);
  const get = async (user: UserRecord, id: string) => {
    const item = await read(passkeyKey(user.id, id));
    const passkey = item && toRecord<Passkey>(item);
    return passkey && isOf(user)(passkey) ? passkey : undefined;
  };
  const act = (user: UserRecord, verb: string, change: object) => ({
    ...actOf(user, null),
    action: `user.passkey_${verb}` as const,
    ...change,
  });

  return {
    get,

    async list(user) {
      const found = await Array.fromAsync(itemsBelow(table, passkeysOf(user.id)), (item) => toRecord<Passkey>(item));
      return found.filter(isOf(user));
    },

    async byCredential(credentialId) {
      const holder = await read(credentialKey(credentialId));
      const user = holder && (await readUser(table, holder.userId as string));
      const passkey = user && (await get(user, holder.owner as string));
      return passkey && { user, passkey };
    },

    async add(user, passkey) {
      const { id, userId, credentialId, name } = passkey;
      const absent = 'attribute_not_exists(pk)';
      const same = sameAccount(user);
      const holder = { ...credentialKey(credentialId), entity: 'unique', owner: id, userId };
      const stored = { ...passkey, ...passkeyKey(userId, id), entity: 'passkey' };
      try {
        await transact(table, [
          { Put: { TableName: table.name, Item: holder, ConditionExpression: absent } },
          {
            Update: {
              TableName: table.name,
              Key: userRecordKey(userId),
              UpdateExpression: 'ADD passkeys :one',
              ConditionExpression: `${same.ConditionExpression} AND (attribute_not_exists(passkeys) OR passkeys < :max)`,
              ExpressionAttributeValues: { ...same.ExpressionAttributeValues, ':one': 1, ':max': MAX_PASSKEYS },
            },
          },
          { Put: { TableName: table.name, Item: stored, ConditionExpression: absent } },
          ...(await auditItems(table, act(user, 'added', { after: { id, name } }))),
        ]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new AppError('PASSKEY_REJECTED', { cause });
        if (failed.has(1)) {
          const isFull = ((await readUser(table, userId))?.passkeys ?? 0) >= MAX_PASSKEYS;
          throw new AppError(isFull ? 'TOO_MANY_PASSKEYS' : 'PASSKEY_REJECTED', { cause });
        }
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
        { Delete: { TableName: table.name, Key: credentialKey(credentialId) } },
        { Update: { TableName: table.name, Key: userRecordKey(userId), ...minusOne } },
        ...(await auditItems(table, act(user, 'removed', { before: { id, name } }))),
      );
      if (isRemoved) await endSessionsOf(id);
      return isRemoved;

      async function endSessionsOf(passkeyId: string): Promise<void> {
        const revokedAt = table.now().toISOString();
        for await (const { id: sessionId, method } of itemsBelow(table, userKey(userId, 'SESSION#'))) {
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
