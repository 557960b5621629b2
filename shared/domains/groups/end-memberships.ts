import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table } from '../../platform/storage/table.ts';
import { groupIdsOf } from './groups-of.ts';
import { groupMemberKey, groupOfUserKey } from './keys.ts';
import { endMembership } from './memberships.ts';
import type { Person } from './records.ts';

/** A request deletes at most 25 items. */
const PER_REQUEST = 25;

/** Removes the memberships of a person who was removed from the workspace. Returns false if some are left once `isOver` is true. */
export async function endMembershipsOf(table: Table, person: Person, isOver: () => boolean): Promise<boolean> {
  const { workspaceId, userId, membershipId } = person;
  for (const groupId of await groupIdsOf(table, person)) {
    if (isOver()) return false;
    // One that has changed is under a newer membership of the person.
    await endMembership(table, { workspaceId, groupId }, userId, membershipId);
  }
  return true;
}

/** Removes the memberships of a deleted group. Returns false if some are left once `isOver` is true. */
export async function endMembershipsIn(
  table: Table,
  { workspaceId, groupId }: { workspaceId: string; groupId: string },
  isOver: () => boolean,
): Promise<boolean> {
  let batch: string[] = [];
  for await (const { userId } of itemsBelow(table, groupMemberKey(workspaceId, groupId, ''))) {
    batch.push(userId as string);
    if (batch.length < PER_REQUEST) continue;
    if (isOver()) return false;
    if (!(await remove(table, workspaceId, groupId, batch))) return false;
    batch = [];
  }
  return batch.length === 0 || remove(table, workspaceId, groupId, batch);
}

/** Needs no condition: nothing is added to a deleted group. */
async function remove(table: Table, workspaceId: string, groupId: string, userIds: string[]): Promise<boolean> {
  // The side of the group last, because it is how the other one is found.
  return (
    (await deleteAll(
      table,
      userIds.map((userId) => groupOfUserKey(workspaceId, userId, groupId)),
    )) &&
    (await deleteAll(
      table,
      userIds.map((userId) => groupMemberKey(workspaceId, groupId, userId)),
    ))
  );
}

async function deleteAll(table: Table, keys: readonly Key[]): Promise<boolean> {
  const deletions = keys.map((Key) => ({ DeleteRequest: { Key } }));
  const reply = await table.db.send(new BatchWriteCommand({ RequestItems: { [table.name]: deletions } }));
  return Object.keys(reply.UnprocessedItems ?? {}).length === 0;
}
