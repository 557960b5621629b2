import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { type StoredMember, stillMember } from '../workspaces/index.ts';
import { groupMemberKey } from './keys.ts';
import { countMembers, type Place, putItems, removeItems } from './memberships.ts';
import type { GroupMembership } from './records.ts';

/** The people to add, as members of the workspace, and the user ids to remove. */
export interface MembershipChange {
  add: readonly StoredMember[];
  remove: readonly string[];
  by: string;
  at: Date;
}

/** Items of one transaction, which all change the same group. */
export type Batch = TransactItem[];

/** DynamoDB's limit for a transaction. */
const MAX_ITEMS = 100;
/** Entries of the audit log in a batch. */
const MAX_LOGGED = 2;

export interface BulkMemberships {
  /** Everyone in the group as stored: also people who have just left the workspace. */
  stored(group: Place): Promise<Pick<GroupMembership, 'userId' | 'membershipId'>[]>;
  /**
   * What is to be written for the change, in as few transactions as possible; nothing for people who are in the group
   * already, or not in it. A batch takes `room` for further items of its transaction.
   */
  batches(group: Place, change: MembershipChange, room?: number): Promise<Batch[]>;
  /** Throws `STALE_WRITE` if the group, or a membership, has changed since the batch was made. */
  write(batch: Batch): Promise<void>;
}

/** Changes many memberships at once. The cost depends on the change, not on the size of the group. */
export function bulkMemberships(table: Table): BulkMemberships {
  async function known({ workspaceId, groupId }: Place, userIds: readonly string[]) {
    const keys = userIds.map((userId) => groupMemberKey(workspaceId, groupId, userId));
    const items = (await readItems(table, keys)) as unknown as GroupMembership[];
    return new Map(items.map((item) => [item.userId, item]));
  }

  return {
    async stored({ workspaceId, groupId }) {
      const items = itemsBelow(table, groupMemberKey(workspaceId, groupId, ''));
      return Array.fromAsync(items, (item) => item as unknown as GroupMembership);
    },

    async batches(group, { add, remove, by, at }, room = 0) {
      const seen = await known(group, [...add.map(({ userId }) => userId), ...remove]);
      const units = add.flatMap((member) => {
        const { userId, membershipId } = member;
        const earlier = seen.get(userId);
        if (earlier && earlier.membershipId === membershipId) return [];
        const added = { addedBy: by, addedAt: at.toISOString(), groupId: group.groupId };
        const membership = { ...added, userId, membershipId };
        const items = [...putItems(table, group, membership, earlier), stillMember(table, member)];
        // What an earlier membership of the person left behind is counted already.
        return [{ items, count: earlier ? 0 : 1, userId, isAdded: true }];
      });
      for (const userId of remove) {
        const stored = seen.get(userId);
        if (stored) units.push({ items: removeItems(table, group, stored), count: -1, userId, isAdded: false });
      }
      const packs = pack(units, MAX_ITEMS - 1 - MAX_LOGGED - room);
      return Promise.all(
        packs.map(async (packed) => [
          ...packed.flatMap(({ items }) => items),
          countMembers(
            table,
            group,
            packed.reduce((sum, { count }) => sum + count, 0),
          ),
          ...(await logged(table, group, packed)),
        ]),
      );
    },

    async write(batch) {
      try {
        await transact(table, batch);
      } catch (cause) {
        if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },
  };
}

/** One entry for the added people of a batch, and one for the removed. */
async function logged(
  table: Table,
  { groupId, groupName }: Place,
  units: readonly { userId: string; isAdded: boolean }[],
): Promise<TransactItem[]> {
  const object = { type: 'group', id: groupId, name: groupName ?? null };
  const ids = (added: boolean) => units.flatMap(({ userId, isAdded }) => (isAdded === added ? [userId] : []));
  const [added, removed] = [ids(true), ids(false)];
  return [
    ...(added.length > 0
      ? await auditItems(table, { action: 'group.member_added', object, after: { userIds: added } })
      : []),
    ...(removed.length > 0
      ? await auditItems(table, { action: 'group.member_removed', object, before: { userIds: removed } })
      : []),
  ];
}

function pack<T extends { items: TransactItem[] }>(units: readonly T[], most: number): T[][] {
  const packs: T[][] = [];
  let size = most;
  for (const unit of units) {
    if (size + unit.items.length > most) {
      packs.push([]);
      size = 0;
    }
    packs.at(-1)!.push(unit);
    size += unit.items.length;
  }
  return packs;
}
