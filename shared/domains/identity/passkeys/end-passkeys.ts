import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type EndedUser, isIdentityOf } from '../../tenancy/workspaces/index.ts';
import { credentialKey, passkeyKey, passkeysOf } from './keys.ts';
import type { Passkey } from './repository.ts';

/**
 * Deletes the passkeys that the user added until then, or all, with what leads to them. May be repeated. Returns false
 * if some are left once `isOver` is true.
 */
export async function endPasskeys(
  table: Table,
  { userId, until }: { userId: string; until?: string },
  isOver: () => boolean,
): Promise<boolean> {
  const found = await Array.fromAsync(itemsBelow(table, passkeysOf(userId)), (item) => toRecord<Passkey>(item));
  const ended = found.filter(
    ({ createdAt }) => until === undefined || !isIdentityOf({ identitiesEndedAt: until }, createdAt),
  );
  const keys = ended.flatMap(({ id, credentialId }) => [credentialKey(credentialId), passkeyKey(userId, id)]);
  return deleteItems(table, keys, isOver);
}

export const passkeyCleanUps: readonly [CleanUp<EndedUser>] = [{ kind: 'user', remove: endPasskeys }];
