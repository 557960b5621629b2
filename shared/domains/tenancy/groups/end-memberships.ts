import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { EndedMember } from '../workspaces/index.ts';
import { groupIdsOf } from './groups-of.ts';
import { groupMemberKey, groupOfUserKey } from './keys.ts';
import { endMembership } from './memberships.ts';

const PEOPLE_AT_ONCE = 50;

/**
 * Removes the memberships of a person who was removed from the workspace. Returns false if some are left once `isOver`
 * is true.
 */
async function endMembershipsOf(table: Table, person: EndedMember, isOver: () => boolean): Promise<boolean> {
  const { workspaceId, userId, membershipId } = person;
  for (const groupId of await groupIdsOf(table, person)) {
    if (isOver()) return false;
    // One that has changed is under a newer membership of the person.
    await endMembership(table, { workspaceId, groupId }, userId, membershipId);
  }
  return true;
}

/**
 * Removes the memberships of a deleted group, to which none are added. Returns false if some are left once `isOver` is
 * true.
 */
async function endMembershipsIn(
  table: Table,
  { workspaceId, groupId }: { workspaceId: string; groupId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const members = await Array.fromAsync(itemsBelow(table, groupMemberKey(workspaceId, groupId, '')));
  const userIds = members.map(({ userId }) => userId as string);
  for (let start = 0; start < userIds.length; start += PEOPLE_AT_ONCE) {
    const batch = userIds.slice(start, start + PEOPLE_AT_ONCE);
    const keys = [
      ...batch.map((userId) => groupOfUserKey(workspaceId, userId, groupId)),
      ...batch.map((userId) => groupMemberKey(workspaceId, groupId, userId)),
    ];
    if (!(await deleteItems(table, keys, isOver))) return false;
  }
  return true;
}

/** A deleted group. */
export type EndedGroup = { kind: 'group'; workspaceId: string; groupId: string };

/** Places in groups end with the group, or with the membership of the workspace. */
export const groupCleanUps: readonly [CleanUp<EndedGroup>, CleanUp<EndedMember>] = [
  { kind: 'group', remove: endMembershipsIn },
  { kind: 'member', remove: endMembershipsOf },
];
