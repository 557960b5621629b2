import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { groupOfUserKey } from './keys.ts';
import type { GroupRecord, Person } from './records.ts';
import { groupCollection } from './repository.ts';

/** The groups of a person by name: one query, and one read for a hundred groups. */
export async function groupsOf(table: Table, person: Person): Promise<Pick<GroupRecord, 'id' | 'name'>[]> {
  const ids = await groupIdsOf(table, person);
  // A membership may outlive its group for a moment; it no longer counts.
  const groups = await groupCollection(table).getMany(person.workspaceId, ids);
  return groups
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
}

/** Includes groups that were deleted a moment ago. */
export async function groupIdsOf(table: Table, person: Person): Promise<string[]> {
  const memberships = itemsBelow(table, groupOfUserKey(person.workspaceId, person.userId, ''));
  const ids: string[] = [];
  for await (const { sk, membershipId } of memberships) {
    if (membershipId === person.membershipId) ids.push(sk as string);
  }
  return ids;
}
