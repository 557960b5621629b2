import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { directoryChanged, listUser, type UserRecord, userRecordKey } from '../../tenancy/workspaces/index.ts';

/** With the new version of the directory, a transaction of 100 items. */
const AT_ONCE = 99;

/** Lists the members of a workspace among the users of the company: accounts from before there was that list. */
export async function enrolMembers(table: Table, workspaceId: string): Promise<void> {
  const members = await Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, 'MEMBER', '')));
  const ids = members.flatMap(({ userId }) => (typeof userId === 'string' ? [userId] : []));
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const users = await readItems(table, ids.slice(start, start + AT_ONCE).map(userRecordKey));
    const [first, ...others] = users.map((item) => toRecord<UserRecord>(item));
    if (!first) continue;
    await transact(table, [...[first, ...others].map((user) => listUser(table, user)), directoryChanged(table, first)]);
  }
}
