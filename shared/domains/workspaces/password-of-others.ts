import { newId } from '../../platform/storage/ids.ts';
import { queryItems } from '../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { passkeyCredentialKey, passkeyKey, userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';
import { SECOND_FACTOR } from './second-factor.ts';

/** Whether another person knows the password, because an admin typed it and the user has not changed it since. */
export const hasPasswordOfOthers = ({ passwordSetBy }: UserRecord): boolean => passwordSetBy !== undefined;

/**
 * The user without the password that another person knows, and without everything that it may have given access to: second factor,
 * passkeys, sign-ins and API keys. The items, for one transaction, fail if the password or the passkeys have changed since.
 */
export async function withoutPasswordOfOthers(
  table: Table,
  user: UserRecord,
  at: string,
): Promise<{ user: UserRecord; items: TransactItem[] }> {
  const { passwordHash, passwordSetBy, passkeys } = user;
  const ended = { signInEpoch: newId(), credentialsEndedAt: at };
  const remove = ['passwordHash', 'passwordSetBy', 'passkeys', 'keptSessionId', ...SECOND_FACTOR] as const;
  const Update = updateOf(
    table,
    userRecordKey(user.id),
    { set: { ...ended, updatedAt: at }, remove },
    { equals: { passwordHash, passwordSetBy, passkeys }, absent: passkeys === undefined ? ['passkeys'] : [] },
  );
  const left = Object.entries(user).filter(([name]) => !(remove as readonly string[]).includes(name));
  return {
    user: { ...(Object.fromEntries(left) as unknown as UserRecord), ...ended, updatedAt: at },
    items: [{ Update }, ...(passkeys ? await removedPasskeys(table, user.id) : [])],
  };
}

async function removedPasskeys(table: Table, userId: string): Promise<TransactItem[]> {
  const { pk, sk } = passkeyKey(userId);
  const found = queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
    ConsistentRead: true,
  });
  const keys = await Array.fromAsync(found, ({ id, credentialId }) => [
    passkeyKey(userId, id as string),
    passkeyCredentialKey(credentialId as string),
  ]);
  return keys.flat().map((Key) => ({ Delete: { TableName: table.name, Key } }));
}
