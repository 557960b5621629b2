import type { AuditObject } from '../../../platform/audit/entry.ts';
import { isFound } from '../../../platform/storage/list-request.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { isSameAddress } from '../../../platform/text/email-address.ts';
import { memberKey, userRecordKey } from './keys.ts';
import type { StoredMember, WorkspacePerson } from './records.ts';

/** The members among the users, by user id; a hundred cost one read. */
export async function readMembers(
  table: Table,
  workspaceId: string,
  userIds: readonly string[],
): Promise<Map<string, StoredMember>> {
  const keys = [...new Set(userIds)].map((userId) => memberKey(workspaceId, userId));
  const members = (await readItems(table, keys)).map(toStoredMember);
  return new Map(members.map((member) => [member.userId, member]));
}

/** The same, and whether each account is active. */
export async function readPeople(
  table: Table,
  workspaceId: string,
  userIds: readonly string[],
): Promise<Map<string, WorkspacePerson>> {
  const [members, users] = await Promise.all([
    readMembers(table, workspaceId, userIds),
    readItems(
      table,
      [...new Set(userIds)].map((userId) => userRecordKey(userId)),
    ),
  ]);
  const active = new Set(users.filter((user) => user.active !== false).map(({ id }) => id));
  return new Map([...members].map(([userId, member]) => [userId, { ...member, isActive: active.has(userId) }]));
}

/** Whether a list of people that is filtered by these contains the person; emails as addresses are. */
export function isWantedPerson(
  { name, email }: { name: string; email: string },
  filters: { email?: string; search?: string },
): boolean {
  const isNamed = filters.email === undefined || isSameAddress(filters.email, email);
  return isNamed && isFound(filters.search, [name, email]);
}

/** All members of a workspace. */
export async function listMembers(table: Table, workspaceId: string): Promise<StoredMember[]> {
  const items = await Array.fromAsync(itemsBelow(table, memberKey(workspaceId, '')));
  return items.filter(({ userId }) => typeof userId === 'string').map(toStoredMember);
}

export const toStoredMember = (item: Record<string, unknown>): StoredMember => toRecord<StoredMember>(item);

/** A member in the audit log, readable when the person has left. */
export const memberObject = ({
  userId,
  name,
  email,
}: Pick<StoredMember, 'userId' | 'name' | 'email'>): AuditObject => ({
  type: 'member',
  id: userId,
  name: name === email ? email : `${name} <${email}>`,
});

/** Fails the transaction unless the person still has the membership that was read. */
export function stillMember(table: Table, { workspaceId, userId, membershipId }: StoredMember): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: memberKey(workspaceId, userId),
      ...sameMembership(membershipId),
    },
  };
}

/** The condition that an item belongs to the membership. */
export function sameMembership(membershipId: string): {
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, unknown>;
} {
  return {
    ConditionExpression: 'membershipId = :membership',
    ExpressionAttributeValues: { ':membership': membershipId },
  };
}
