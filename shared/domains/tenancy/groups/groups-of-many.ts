import { queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { groupIdsOf } from './groups-of.ts';
import { groupMemberKey } from './keys.ts';
import type { GroupRecord, Person } from './records.ts';
import { groupCollection } from './repository.ts';

/** Fewer people are looked up one by one. */
const MANY = 20;
/**
 * How many members of a group are read for each person: between two people of a page there may be members of other
 * pages.
 */
const READ_PER_PERSON = 5;

/**
 * The groups of people of one workspace, by user id. A page of people costs a query for each group instead of each
 * person if there are fewer groups; one that was created a moment ago may then be missing.
 */
export async function groupsOfMany(
  table: Table,
  workspaceId: string,
  people: readonly Person[],
): Promise<Map<string, GroupRecord[]>> {
  const few = people.length < MANY ? undefined : await fewGroups(table, workspaceId, Math.floor(people.length / 2));
  return few ? groupsWith(table, few, people) : groupsByPerson(table, workspaceId, people);
}

/** All groups of the workspace; undefined if there are more. */
async function fewGroups(table: Table, workspaceId: string, atMost: number): Promise<GroupRecord[] | undefined> {
  const { items, total } = await groupCollection(table).list(workspaceId, { limit: atMost, offset: 0 });
  return items.length === total ? items.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : undefined;
}

async function groupsByPerson(table: Table, workspaceId: string, people: readonly Person[]) {
  const idsOf = await Promise.all(people.map(async (each) => [each.userId, await groupIdsOf(table, each)] as const));
  const ids = [...new Set(idsOf.flatMap(([, groupIds]) => groupIds))];
  // A membership may outlive its group for a moment; it no longer counts.
  const groups = new Map((await groupCollection(table).getMany(workspaceId, ids)).map((group) => [group.id, group]));
  return new Map(idsOf.map(([userId, groupIds]) => [userId, groupIds.flatMap((id) => groups.get(id) ?? [])]));
}

async function groupsWith(table: Table, groups: readonly GroupRecord[], people: readonly Person[]) {
  const found = new Map<string, GroupRecord[]>(people.map(({ userId }) => [userId, []]));
  const members = await Promise.all(groups.map((group) => membersAmong(table, group, people)));
  for (const [index, group] of groups.entries()) {
    for (const userId of members[index]!) found.get(userId)!.push(group);
  }
  return found;
}

async function membersAmong(
  table: Table,
  { workspaceId, id: groupId }: GroupRecord,
  people: readonly Person[],
): Promise<string[]> {
  const memberships = new Map(people.map(({ userId, membershipId }) => [userId, membershipId]));
  const keys = people.map(({ userId }) => groupMemberKey(workspaceId, groupId, userId));
  const atMost = people.length * READ_PER_PERSON;
  const between = await Array.fromAsync(rangeOf(table, keys, atMost));
  const items = between.length < atMost ? between : await readItems(table, keys);
  return items
    .filter(({ userId, membershipId }) => {
      const known = memberships.has(userId as string);
      return known && memberships.get(userId as string) === membershipId;
    })
    .map(({ userId }) => userId as string);
}

/** People of one page were created one after the other, and so have ids, and keys, that lie together. */
function rangeOf(table: Table, keys: readonly { pk: string; sk: string }[], atMost: number) {
  const sorted = keys.map(({ sk }) => sk).toSorted();
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': keys[0]!.pk, ':first': sorted[0], ':last': sorted.at(-1) },
    ConsistentRead: true,
  };
  return queryItems(table, query, atMost);
}
