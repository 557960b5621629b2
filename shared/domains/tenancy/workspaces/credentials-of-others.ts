import { later, newId } from '../../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';
import { SECOND_FACTOR } from './second-factor.ts';

/**
 * Whether another person than the owner of the mailbox could have set the password: an admin who typed it, or accepted
 * the invitation, also if it was changed since by a person who knew it; or the user of an account to which others have
 * given the address.
 */
export const mayHaveCredentialsOfOthers = ({ passwordSetBy, addressChange }: UserRecord): boolean =>
  passwordSetBy !== undefined || addressChange !== undefined;

const GONE = ['passwordHash', 'passwordSetBy', 'hasOwnPassword', 'addressChange', 'passkeys', 'keptSessionId'] as const;

/**
 * The change of an account whose person proves to own the mailbox: it loses everything that a password of others may
 * have given access to, which is the password itself, passkeys, identities, sign-ins and API keys. The second factor
 * goes only where another one takes its place, that of an identity provider: access to the mailbox alone must not be
 * enough to sign in.
 */
export function withoutCredentialsOfOthers(user: UserRecord, now: Date, { isByProvider }: { isByProvider: boolean }) {
  const remove: readonly (keyof UserRecord)[] = isByProvider ? [...GONE, ...SECOND_FACTOR] : GONE;
  const at = later(user.identitiesEndedAt ?? user.createdAt, now);
  const set = { signInEpoch: newId(), credentialsEndedAt: at, identitiesEndedAt: at, updatedAt: at };
  const left = Object.entries(user).filter(([name]) => !(remove as readonly string[]).includes(name));
  return { set, remove, user: { ...(Object.fromEntries(left) as unknown as UserRecord), ...set } };
}

/**
 * The account as its person takes it over: with a new password, or by an identity provider. The item, for one
 * transaction, fails if password or address have changed since, or the account was deactivated or removed.
 */
export function takenOver(
  table: Table,
  user: UserRecord,
  { now, passwordHash }: { now: Date; passwordHash?: string },
): { user: UserRecord; items: TransactItem[] } {
  const {
    set,
    remove,
    user: left,
  } = withoutCredentialsOfOthers(user, now, {
    isByProvider: passwordHash === undefined,
  });
  const { email, passwordHash: seen, passwordSetBy, identitiesEndedAt } = user;
  const seenMembers = { passwordHash: seen, passwordSetBy, identitiesEndedAt };
  const absent = Object.entries(seenMembers).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const Update = updateOf(
    table,
    userRecordKey(user.id),
    {
      set: { ...set, ...(passwordHash === undefined ? {} : { passwordHash }) },
      remove: remove.filter((name) => passwordHash === undefined || name !== 'passwordHash'),
    },
    { equals: { active: true, email, ...seenMembers }, absent },
  );
  return { user: left, items: [{ Update }] };
}
