import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type CleanUp, cleanUpItem } from '../../../platform/storage/clean-ups.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { userKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { countMembers, removeMemberItems } from './accounts.ts';
import { memberKey, membershipKey, userRecordKey } from './keys.ts';
import { readMembers } from './members.ts';
import type { StoredMember, UserRecord } from './records.ts';

/** The workspaces of a user, with the time of joining. */
export async function membershipsOf(
  table: Table,
  userId: string,
): Promise<{ workspaceId: string; joinedAt: string }[]> {
  const items = await Array.fromAsync(itemsBelow(table, userKey(userId, 'WORKSPACE#')));
  return items.map((item) => toRecord<{ workspaceId: string; joinedAt: string }>(item));
}

/** The condition that the user is a member of the workspace. */
export const hasMembership = (
  table: Table,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: membershipKey(userId, workspaceId),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** Writes the user's name and email into the lists of members. Repeat it if it was interrupted. */
export async function showInMemberships(table: Table, userId: string): Promise<void> {
  for (let shown: string | undefined; ; ) {
    const Key = userRecordKey(userId);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    const { name, email } = (found.Item ?? {}) as Partial<UserRecord>;
    // Another request may have changed them since; the last one to finish finds nothing newer.
    if (name === undefined || email === undefined || shown === JSON.stringify([name, email])) return;
    for (const { workspaceId } of await membershipsOf(table, userId)) {
      const member = (await readMembers(table, workspaceId, [userId])).get(userId);
      if (!member || (member.name === name && member.email === email)) continue;
      const change = { set: { name, email }, revise: true } as const;
      const update = updateOf(table, memberKey(workspaceId, userId), change, { exists: ['pk'] });
      // Without effect if the membership has ended meanwhile.
      await ifHolds(table.db.send(new UpdateCommand(update)));
    }
    shown = JSON.stringify([name, email]);
  }
}

/**
 * Removes the user from every workspace joined until then, also as its last admin. `also` must include what cleans up
 * after a membership. Returns false if some are left once `isOver` is true.
 */
export async function endMembershipsBefore(
  table: Table,
  { userId, until }: { userId: string; until: string },
  also: (member: StoredMember) => TransactItem[],
  isOver: () => boolean,
): Promise<boolean> {
  for (const { workspaceId, joinedAt } of await membershipsOf(table, userId)) {
    if (joinedAt > until) continue;
    for (let isEnded = false; !isEnded; ) {
      if (isOver()) return false;
      const member = (await readMembers(table, workspaceId, [userId])).get(userId);
      isEnded = !member || member.joinedAt > until || (await endMembership(table, member, also(member)));
    }
  }
  return true;
}

/** Returns false if the membership has changed since it was read. */
async function endMembership(table: Table, member: StoredMember, also: TransactItem[]): Promise<boolean> {
  const admins = member.role === 'admin' ? -1 : 0;
  try {
    await transact(table, [
      ...removeMemberItems(table, member),
      countMembers(table, member.workspaceId, -1, admins, { mayBeLast: true }),
      ...also,
    ]);
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(0)) return false;
    throw cause;
  }
}

/** A person who was removed from a workspace. */
export type EndedMember = { kind: 'member'; workspaceId: string; userId: string; membershipId: string };

/** A person who was removed from the company: from every workspace joined until then. */
export type EndedUser = { kind: 'user'; workspaceId: string; userId: string; until: string };

/** Each membership leaves a clean-up of its own, which is worked on immediately as far as the time allows. */
export const membershipCleanUps: readonly [CleanUp<EndedUser>] = [
  {
    kind: 'user',
    remove: async (table, ended, isOver, cleanUpAlso) => {
      const members: EndedMember[] = [];
      const left = ({ workspaceId, userId, membershipId }: StoredMember): TransactItem[] => {
        const member: EndedMember = { kind: 'member', workspaceId, userId, membershipId };
        members.push(member);
        return [cleanUpItem(table, member, table.now())];
      };
      const isDone = await endMembershipsBefore(table, ended, left, isOver);
      for (const member of members) await cleanUpAlso(member);
      return isDone;
    },
  },
];
