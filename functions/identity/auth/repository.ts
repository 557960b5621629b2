import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Session,
  type SessionChain,
  type SessionStore,
  sessionChain,
  sessionStore,
} from '../../../shared/domains/identity/sessions/index.ts';
import {
  actOf,
  mayHaveCredentialsOfOthers,
  readUserByEmail,
  showInMemberships,
  type UserRecord,
  userRecordKey,
  withoutCredentialsOfOthers,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { changedMembers } from '../../../shared/platform/audit/changes.ts';
import { holdsAudited } from '../../../shared/platform/audit/entry.ts';
import { isOfEpoch } from '../../../shared/platform/auth/authenticate.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { ifHolds } from '../../../shared/platform/storage/if-holds.ts';
import { userKey } from '../../../shared/platform/storage/keys.ts';
import { queryItems } from '../../../shared/platform/storage/query-items.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';

export interface AuthRepository extends SessionStore, SessionChain {
  userByEmail(email: string): Promise<UserRecord | undefined>;
  /** Sign-ins that have neither ended nor expired, newest first. */
  activeSessions(user: UserRecord, at: Date): Promise<Session[]>;
  /** Throws `STALE_WRITE` if the profile has changed. */
  saveProfile(user: UserRecord, profile: Profile, at: Date): Promise<void>;
  /** Writes the user's name into the lists of members. Repeat it if it was interrupted. */
  renameMemberships(userId: string): Promise<void>;
  /**
   * Begins an epoch that at most one sign-in survives, if password, epoch and email are still those that were read.
   * Returns false otherwise.
   */
  beginEpoch(user: UserRecord, epoch: Epoch, at: Date): Promise<boolean>;
  /**
   * The person confirms the address that others have given to the account. Returns false if either has changed since.
   */
  confirmAddress(user: UserRecord, at: Date): Promise<boolean>;
  /** Stores another hash of the same password, which ends no sign-in. Without effect if the stored one has changed. */
  replaceHash(user: UserRecord, passwordHash: string): Promise<void>;
}

export type Profile = Pick<UserRecord, 'name'> & { language: string | null; timeZone: string | null };

export interface Epoch {
  signInEpoch: string;
  /** Absent if no sign-in survives. */
  keptSessionId?: string;
  /** The new password's hash, if it changes. */
  passwordHash?: string;
  /** Whether the password was chosen by the owner of the mailbox, who then takes the account over from others. */
  isFromMailbox?: true;
}

export function authRepository(table: Table): AuthRepository {
  const repository: AuthRepository = {
    ...sessionStore(table),
    ...sessionChain(table),
    userByEmail: (email) => readUserByEmail(table, email),

    async activeSessions(user, at) {
      const { pk, sk } = userKey(user.id, 'SESSION#');
      const found = queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        FilterExpression: 'attribute_not_exists(revokedAt) AND expiresAt > :now',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk, ':now': Math.floor(at.getTime() / 1000) },
        ConsistentRead: true,
      });
      const sessions = (await Array.fromAsync(found)).map((item) => item as unknown as Session);
      return sessions
        .filter((session) => isOfEpoch(session, user))
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },

    async saveProfile(user, { name, language, timeZone }, at) {
      const set = {
        name,
        language: language ?? undefined,
        timeZone: timeZone ?? undefined,
        updatedAt: at.toISOString(),
      };
      const remove = (['language', 'timeZone'] as const).filter((member) => set[member] === undefined);
      const change = { set, remove, revise: true } as const;
      const unchanged = { revision: user.revision ?? 1 };
      const shown = { name: 'shown', language: 'shown', timeZone: 'shown' } as const;
      const isSaved = await holdsAudited(
        table,
        { Update: updateOf(table, userRecordKey(user.id), change, unchanged) },
        {
          ...actOf(user, null),
          action: 'user.updated',
          ...changedMembers<Partial<UserRecord>>(shown, user, set),
        },
      );
      if (!isSaved) throw new AppError('STALE_WRITE');
    },

    renameMemberships: (userId) => showInMemberships(table, userId),

    beginEpoch(user, { isFromMailbox = false, ...epoch }, at) {
      const isTaken = isFromMailbox && mayHaveCredentialsOfOthers(user);
      const taken = isTaken ? withoutCredentialsOfOthers(user, at, { isByProvider: false }) : { set: {}, remove: [] };
      // An admin who has typed the password can change it as well: only a mail shows who the person is.
      const isKnownToOthers = epoch.passwordHash !== undefined && user.passwordSetBy !== undefined && !isTaken;
      const set = {
        ...taken.set,
        ...epoch,
        updatedAt: at.toISOString(),
        ...(isKnownToOthers ? { hasOwnPassword: true } : {}),
      };
      const gone = new Set<string>([...taken.remove, 'keptSessionId']);
      const change = { set, remove: [...gone].filter((name) => !(name in set)) };
      const { passwordHash, signInEpoch, email } = user;
      const absent = Object.entries({ passwordHash, signInEpoch }).flatMap(([name, value]) => (value ? [] : [name]));
      const unchanged = { equals: { passwordHash, signInEpoch, email }, absent };
      return holdsAudited(
        table,
        { Update: updateOf(table, userRecordKey(user.id), change, unchanged) },
        {
          ...actOf(user, null),
          action: epoch.passwordHash === undefined ? 'session.others_ended' : 'user.password_changed',
          after: { keptSessionId: epoch.keptSessionId ?? null },
        },
      );
    },

    confirmAddress(user, at) {
      const { id, email, addressChange } = user;
      const confirmed = { ...addressChange, isConfirmed: true };
      const change = { set: { addressChange: confirmed, updatedAt: at.toISOString() }, revise: true } as const;
      return holdsAudited(
        table,
        { Update: updateOf(table, userRecordKey(id), change, { equals: { email, addressChange } }) },
        {
          ...actOf(user, null),
          action: 'user.email_confirmed',
          before: { email: addressChange?.from },
          after: { email },
        },
      );
    },

    async replaceHash({ id, passwordHash: seen }, passwordHash) {
      const update = updateOf(table, userRecordKey(id), { set: { passwordHash } }, { equals: { passwordHash: seen } });
      await ifHolds(table.db.send(new UpdateCommand(update)));
    },
  };
  return repository;
}
