import { toRecord } from '../../platform/storage/collection.ts';
import { workspaceKey } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import { readItems } from '../../platform/storage/read-items.ts';
import type { Table } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { listUser, type UserRecord, userRecordKey } from '../workspaces/index.ts';

const AT_ONCE = 100;

/** Lists the members of a workspace among the users of the company: accounts from before there was that list. */
export async function enrolMembers(table: Table, workspaceId: string): Promise<void> {
  const members = await Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, 'MEMBER', '')));
  const ids = members.flatMap(({ userId }) => (typeof userId === 'string' ? [userId] : []));
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const users = await readItems(table, ids.slice(start, start + AT_ONCE).map(userRecordKey));
    const listed = users.map((item) => listUser(table, toRecord<UserRecord>(item)));
    if (listed.length > 0) await transact(table, listed);
  }
}
