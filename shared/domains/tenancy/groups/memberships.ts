import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { readMembers, type StoredMember, sameMembership, stillMember } from '../workspaces/index.ts';
import { groupMemberKey, groupOfUserKey, memberTotalKey } from './keys.ts';
import type { GroupMembership } from './records.ts';
import { groupCollection } from './repository.ts';

/** A membership with the person. */
export type GroupMember = GroupMembership & Pick<StoredMember, 'email' | 'name' | 'role'>;

export interface Place {
  workspaceId: string;
  groupId: string;
  /** For the audit log. */
  groupName?: string;
}

export interface GroupMemberships {
  /**
   * By user id, after the end of the previous page. People who have left the workspace are omitted. `last` is the place
   * where this page ends; undefined at the end of the list.
   */
  list(
    group: Place,
    page: { limit: number; after?: string | undefined },
  ): Promise<{ items: GroupMember[]; total: number; last: string | undefined }>;
  /** Adding a member again changes nothing. Throws `GROUP_NOT_FOUND` or `MEMBER_NOT_FOUND`. */
  add(group: Place, added: { userId: string; by: string; at: Date }): Promise<GroupMember>;
  /**
   * Items for the transaction that makes the person a member of the workspace: to join those of the groups that exist.
   * It fails if one of them is deleted meanwhile.
   */
  joinItems(
    person: StoredMember,
    joining: { groupIds: readonly string[]; by: string; at: Date },
  ): Promise<TransactItem[]>;
  /** Removing a person who is no member changes nothing. */
  remove(group: Place, userId: string): Promise<void>;
  /** How many people are in the group. */
  count(group: Place): Promise<number>;
}

/** Each membership is stored below its group and below its person. */
export function groupMemberships(table: Table): GroupMemberships {
  async function read({ workspaceId, groupId }: Place, userId: string): Promise<GroupMembership | undefined> {
    const Key = groupMemberKey(workspaceId, groupId, userId);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item && toRecord<GroupMembership>(found.Item);
  }

  async function totalOf({ workspaceId, groupId }: Place): Promise<number> {
    const Key = memberTotalKey(workspaceId, groupId);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return (found.Item?.count as number | undefined) ?? 0;
  }

  async function store(
    group: Place,
    person: StoredMember,
    membership: GroupMembership,
    seen: GroupMembership | undefined,
  ): Promise<void> {
    try {
      await transact(table, [
        ...putItems(table, group, membership, seen),
        // What an earlier membership of the person left behind is counted already.
        countMembers(table, group, seen ? 0 : 1),
        stillMember(table, person),
        ...(await loggedMember(table, group, 'member_added', person)),
      ]);
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.has(2)) throw new AppError('GROUP_NOT_FOUND', { cause });
      if (failed.has(0) || failed.has(3)) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  }

  return {
    count: totalOf,

    async list(group, { limit, after }) {
      const { pk, sk } = groupMemberKey(group.workspaceId, group.groupId, after ?? '');
      const query = {
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: { ':pk': pk, ':after': sk },
        ConsistentRead: true,
      };
      const [items, total] = await Promise.all([
        Array.fromAsync(queryItems(table, query, limit + 1), (item) => toRecord<GroupMembership>(item)),
        totalOf(group),
      ]);
      const page = items.slice(0, limit);
      const people = await readMembers(
        table,
        group.workspaceId,
        page.map(({ userId }) => userId),
      );
      return {
        items: page.flatMap((membership) => withPerson(membership, people.get(membership.userId)) ?? []),
        total,
        last: items.length > limit ? page.at(-1)!.userId : undefined,
      };
    },

    add: (group, { userId, by, at }) =>
      onNewest('STALE_WRITE', async () => {
        const [seen, people] = await Promise.all([
          read(group, userId),
          readMembers(table, group.workspaceId, [userId]),
        ]);
        const person = people.get(userId);
        if (!person) throw new AppError('MEMBER_NOT_FOUND');
        const known = seen && withPerson(seen, person);
        if (known) return known;
        const membership = newMembership(person, { groupId: group.groupId, addedBy: by, addedAt: at.toISOString() });
        await store(group, person, membership, seen);
        return withPerson(membership, person)!;
      }),

    async joinItems(person, { groupIds, by, at }) {
      const { workspaceId, userId } = person;
      const groups = await groupCollection(table).getMany(workspaceId, groupIds);
      const items = await Promise.all(
        groups.map(async ({ id: groupId }) => {
          const seen = await read({ workspaceId, groupId }, userId);
          const membership = newMembership(person, { groupId, addedBy: by, addedAt: at.toISOString() });
          const group = { workspaceId, groupId };
          return [...putItems(table, group, membership, seen), countMembers(table, group, seen ? 0 : 1)];
        }),
      );
      return items.flat();
    },

    remove: (group, userId) =>
      onNewest('STALE_WRITE', async () => {
        const seen = await read(group, userId);
        if (!seen) return;
        const person = (await readMembers(table, group.workspaceId, [userId])).get(userId);
        const logged = await loggedMember(table, group, 'member_removed', person ?? { userId });
        if (!(await endMembership(table, group, userId, seen.membershipId, logged))) throw new AppError('STALE_WRITE');
      }),
  };
}

function newMembership(
  { userId, membershipId }: StoredMember,
  added: Omit<GroupMembership, 'userId' | 'membershipId'>,
): GroupMembership {
  return { ...added, userId, membershipId };
}

async function loggedMember(
  table: Table,
  { groupId, groupName }: Place,
  verb: 'member_added' | 'member_removed',
  { userId, name, email }: Partial<StoredMember> & { userId: string },
): Promise<TransactItem[]> {
  const side = verb === 'member_added' ? 'after' : 'before';
  return auditItems(table, {
    action: `group.${verb}`,
    object: { type: 'group', id: groupId, name: groupName ?? null },
    [side]: { userId, name: name ?? null, email: email ?? null },
  });
}

/** Returns false if the membership has changed. With a deleted group, its clean-up removes the items. */
export async function endMembership(
  table: Table,
  group: Place,
  userId: string,
  membershipId: string,
  also: TransactItem[] = [],
): Promise<boolean> {
  const seen = { userId, membershipId };
  try {
    await transact(table, [...removeItems(table, group, seen), countMembers(table, group, -1), ...also]);
    return true;
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.size > 0) return failed.has(2);
    throw cause;
  }
}

/** Undefined if the person has left the workspace since. */
function withPerson(membership: GroupMembership, person: StoredMember | undefined): GroupMember | undefined {
  if (!person || person.membershipId !== membership.membershipId) return undefined;
  const { email, name, role } = person;
  return { ...membership, email, name, role };
}

/** The membership below its group, unless it has changed since it was read, and below its person. */
export const putItems = (
  table: Table,
  { workspaceId }: Place,
  next: GroupMembership,
  seen: GroupMembership | undefined,
): TransactItem[] => [
  {
    Put: {
      TableName: table.name,
      Item: { ...next, ...groupMemberKey(workspaceId, next.groupId, next.userId), entity: 'group-member' },
      ...(seen ? sameMembership(seen.membershipId) : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  },
  {
    Put: {
      TableName: table.name,
      Item: {
        ...groupOfUserKey(workspaceId, next.userId, next.groupId),
        entity: 'group-of-user',
        membershipId: next.membershipId,
      },
    },
  },
];

export const removeItems = (
  table: Table,
  { workspaceId, groupId }: Place,
  { userId, membershipId }: Pick<GroupMembership, 'userId' | 'membershipId'>,
): TransactItem[] => [
  {
    Delete: {
      TableName: table.name,
      Key: groupMemberKey(workspaceId, groupId, userId),
      ...sameMembership(membershipId),
    },
  },
  { Delete: { TableName: table.name, Key: groupOfUserKey(workspaceId, userId, groupId) } },
];

/** Fails if the group does not exist. */
export const countMembers = (table: Table, { workspaceId, groupId }: Place, by: number): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: memberTotalKey(workspaceId, groupId),
    UpdateExpression: 'ADD #count :by',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':by': by },
  },
});
