import type { Principal } from '../../../platform/auth/principal.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { groupsOf } from '../groups/index.ts';
import { granteePartition, grantKey } from './keys.ts';
import { includesLevel, type ObjectType } from './object-kinds.ts';
import type { Grantee, StoredGrant } from './records.ts';

/** A grant that a caller has received, directly or through a group. */
export interface ReceivedGrant {
  level: string;
  via: 'grant' | 'group';
}

/**
 * The objects of one kind that are granted to the caller, by id, each with the highest level; of equals the direct one.
 */
export async function grantsTo(
  table: Table,
  person: Pick<Principal, 'workspaceId' | 'userId' | 'membershipId'>,
  type: ObjectType,
): Promise<Map<string, ReceivedGrant>> {
  const { workspaceId, userId, membershipId } = person;
  const groups = await groupsOf(table, person);
  const grantees: Grantee[] = [
    ...groups.map(({ id }) => ({ granteeType: 'group' as const, granteeId: id })),
    { granteeType: 'user', granteeId: userId },
  ];
  const lists = await Promise.all(
    grantees.map((grantee) => {
      const { pk } = granteePartition(workspaceId, grantee);
      return Array.fromAsync(itemsBelow(table, { pk, sk: `${type}#` }), ({ objectId }) =>
        grantKey({ workspaceId, type, id: objectId as string }, grantee),
      );
    }),
  );
  const grants = (await readItems(table, lists.flat())) as unknown as StoredGrant[];
  const received = new Map<string, ReceivedGrant>();
  // The direct ones come last, and so replace those of a group with the same level.
  for (const grant of grants.sort((a, b) => (a.granteeType < b.granteeType ? -1 : 1))) {
    if (grant.granteeType === 'user' && grant.membershipId !== membershipId) continue;
    const known = received.get(grant.objectId);
    if (known && !includesLevel(type, grant.level, known.level)) continue;
    received.set(grant.objectId, { level: grant.level, via: grant.granteeType === 'user' ? 'grant' : 'group' });
  }
  return received;
}
