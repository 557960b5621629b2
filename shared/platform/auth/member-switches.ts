import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { groupOfUserKey } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import { type Switch, switchesOf } from './permissions.ts';

interface Membership {
  workspaceId: string;
  userId: string;
  membershipId: string | undefined;
}

/**
 * The switches that are on for a member, by the stored record of the workspace. The groups of the member are read only
 * if the workspace has named one that certifies.
 */
export async function memberSwitches(
  table: Table,
  workspace: Readonly<Record<string, unknown>>,
  { workspaceId, userId, membershipId }: Membership,
): Promise<Switch[]> {
  const { certifierGroupId } = workspace;
  const switches: Switch[] = switchesOf(workspace);
  if (typeof certifierGroupId !== 'string' || membershipId === undefined) return switches;
  const Key = groupOfUserKey(workspaceId, userId, certifierGroupId);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  // What an earlier membership of the person left behind does not count.
  return Item?.membershipId === membershipId ? [...switches, 'certifies'] : switches;
}
