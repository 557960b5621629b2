import { later, newId } from '../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';
import { SECOND_FACTOR } from './second-factor.ts';

/**
 * The user without the password that an admin typed, and without everything that it may have given access to: second factor, passkeys,
 * sign-ins and API keys. The item, for one transaction, fails if the password has changed since, or the account was deactivated or
 * removed.
 */
export function withoutPasswordOfOthers(
  table: Table,
  user: UserRecord,
  now: Date,
): { user: UserRecord; items: TransactItem[] } {
  const { passwordHash, passwordSetBy, identitiesEndedAt } = user;
  const at = later(identitiesEndedAt ?? user.createdAt, now);
  const ended = { signInEpoch: newId(), credentialsEndedAt: at, identitiesEndedAt: at, updatedAt: at };
  const remove = ['passwordHash', 'passwordSetBy', 'passkeys', 'keptSessionId', ...SECOND_FACTOR] as const;
  const Update = updateOf(
    table,
    userRecordKey(user.id),
    { set: ended, remove },
    {
      equals: { active: true, passwordHash, passwordSetBy, identitiesEndedAt },
      absent: identitiesEndedAt === undefined ? ['identitiesEndedAt'] : [],
    },
  );
  const left = Object.entries(user).filter(([name]) => !(remove as readonly string[]).includes(name));
  return { user: { ...(Object.fromEntries(left) as unknown as UserRecord), ...ended }, items: [{ Update }] };
}
