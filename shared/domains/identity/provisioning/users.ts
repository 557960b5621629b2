import { type AuditedChange, auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { isEmailAddress, isSameAddress } from '../../../platform/text/email-address.ts';
import { directoryIds, emailKey, type UserRecord, userRecordKey } from '../../tenancy/workspaces/index.ts';
import { contactKey, externalIdKey, profileKey, userNameKey } from './keys.ts';
import type { Profile, ProvisionedUser } from './records.ts';
import type { Part } from './user-items.ts';

/** The users of a company as identity providers see them: with their profiles, and without those that were removed. */
export interface ProvisionedUsers {
  get(id: string): Promise<ProvisionedUser | undefined>;
  /** In the order of the ids; those that do not exist are omitted. */
  getMany(ids: readonly string[]): Promise<ProvisionedUser[]>;
  /** The user with this sign-in name, and one who had it, or one that looks like it, and was removed: one read. */
  holdersOf(userName: string): Promise<{ id?: string; removed?: UserRecord }>;
  /** By sign-in name. */
  idNamed(userName: string): Promise<string | undefined>;
  idOfExternal(externalId: string): Promise<string | undefined>;
  /** By a contact address, ignoring case. */
  idsWithContact(email: string): Promise<string[]>;
  /** All ids, in the order in which the users were created. */
  ids(): Promise<readonly string[]>;
  /** A user of this name, or one that looks like it, who was removed, and whose account waits. */
  removedNamed(userName: string): Promise<UserRecord | undefined>;
  /** Writes all parts or none. Throws the error of the first part whose condition fails. */
  write(parts: readonly Part[], change: AuditedChange): Promise<void>;
}

/** Whether the user is active for identity providers. */
export const isShownActive = ({ active, heldAt }: Pick<UserRecord, 'active' | 'heldAt'>): boolean =>
  active && heldAt === undefined;

/**
 * Whether two sign-in names are one. Addresses are compared as such; other names, which sign in nowhere else, without
 * the case of any letter.
 */
export const isSameName = (one: string, other: string): boolean =>
  isEmailAddress(one) || isEmailAddress(other) ? isSameAddress(one, other) : emailKey(one).sk === emailKey(other).sk;

export function provisionedUsers(table: Table, companyId: string): ProvisionedUsers {
  const isOurs = ({ companyId: owner, removedAt }: UserRecord) => owner === companyId && removedAt === undefined;

  async function records(ids: readonly string[]): Promise<Map<string, ProvisionedUser>> {
    const distinct = [...new Set(ids)];
    const items = await readItems(
      table,
      distinct.flatMap((id) => [userRecordKey(id), profileKey(id)]),
    );
    const bySort = (sk: string) => new Map(items.filter((item) => item.sk === sk).map((item) => [item.pk, item]));
    const [users, profiles] = [bySort(userRecordKey('').sk), bySort(profileKey('').sk)];
    const found = distinct.flatMap((id): [string, ProvisionedUser][] => {
      const { pk } = userRecordKey(id);
      const [item, profile] = [users.get(pk), profiles.get(pk)];
      if (!item) return [];
      return [[id, { user: toRecord<UserRecord>(item), profile: profile && toRecord<Profile>(profile) }]];
    });
    return new Map(found);
  }

  const users: ProvisionedUsers = {
    get: async (id) => (await users.getMany([id]))[0],

    async getMany(ids) {
      const found = await records(ids);
      return ids.flatMap((id) => {
        const each = found.get(id);
        return each && isOurs(each.user) ? [each] : [];
      });
    },

    async holdersOf(userName) {
      const nameKey = userNameKey(companyId, userName);
      // People who were added by hand have only the sign-in address, which no two companies share.
      const claims = await readItems(table, [emailKey(userName), nameKey]);
      const found = await records(claims.map(({ owner }) => owner as string));
      const holder = [...found.values()].find(({ user }) => isOurs(user) && isSameName(user.email, userName));
      const owner = claims.find(({ pk }) => pk === nameKey.pk)?.owner as string | undefined;
      const last = owner === undefined ? undefined : found.get(owner)?.user;
      return {
        ...(holder && { id: holder.user.id }),
        ...(last?.companyId === companyId && last.removedAt !== undefined && { removed: last }),
      };
    },

    idNamed: async (userName) => (await users.holdersOf(userName)).id,

    async idOfExternal(externalId) {
      const [claim] = await readItems(table, [externalIdKey(companyId, externalId)]);
      return claim?.owner as string | undefined;
    },

    async idsWithContact(email) {
      const listed = await Array.fromAsync(
        itemsBelow(table, { ...contactKey(companyId, email, ''), sk: '' }),
        ({ sk }) => sk as string,
      );
      const named = await users.idNamed(email);
      return [...new Set([...listed, ...(named === undefined ? [] : [named])])];
    },

    ids: () => directoryIds(table, companyId),

    removedNamed: async (userName) => (await users.holdersOf(userName)).removed,

    async write(parts, change) {
      const logged = await auditItems(table, change);
      try {
        await transact(table, [...parts.map(({ item }) => item), ...logged]);
      } catch (cause) {
        for (const index of [...failedConditions(cause)].sort((a, b) => a - b)) {
          const failed = parts[index]?.failed;
          if (failed) throw new AppError(failed.code, { detail: failed.detail, cause });
        }
        throw cause;
      }
    },
  };
  return users;
}
