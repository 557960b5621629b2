import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { EndedGroup } from '../groups/index.ts';
import type { EndedMember } from '../workspaces/index.ts';
import { endItems } from './grants.ts';
import { grantedKey, granteePartition, grantKey, grantTotalKey } from './keys.ts';
import type { ObjectType } from './object-kinds.ts';
import type { Grantee, ObjectRef, StoredGrant } from './records.ts';

const GRANTS_AT_ONCE = 50;

/**
 * Removes the grants of a deleted group, or of a user who was removed under `membershipId`. Returns false if some are
 * left once `isOver` is true.
 */
async function endGrantsOf(
  table: Table,
  grantee: Grantee & { workspaceId: string; membershipId?: string | undefined },
  isOver: () => boolean,
): Promise<boolean> {
  for await (const item of itemsBelow(table, granteePartition(grantee.workspaceId, grantee))) {
    const { id, membershipId, objectType, objectId } = item as unknown as StoredGrant;
    if (membershipId !== grantee.membershipId) continue;
    if (isOver()) return false;
    const object = { workspaceId: grantee.workspaceId, type: objectType, id: objectId };
    try {
      await transact(table, endItems(table, object, { ...grantee, id }));
    } catch (cause) {
      // It has changed, or goes with its object.
      if (failedConditions(cause).size === 0) throw cause;
    }
  }
  return true;
}

/** Removes the grants on a deleted object. Returns false if some are left once `isOver` is true. */
export async function endGrantsOn(
  table: Table,
  { workspaceId, objectType: type, objectId: id }: { workspaceId: string; objectType: ObjectType; objectId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const object: ObjectRef = { workspaceId, type, id };
  const below = { pk: grantTotalKey(object).pk, sk: '' };
  const grants = (await Array.fromAsync(itemsBelow(table, below))).filter(({ entity }) => entity === 'grant');
  const grantees = grants as unknown as StoredGrant[];
  for (let start = 0; start < grantees.length; start += GRANTS_AT_ONCE) {
    const batch = grantees.slice(start, start + GRANTS_AT_ONCE);
    const keys = [
      ...batch.map((grantee) => grantedKey(object, grantee)),
      ...batch.map((grantee) => grantKey(object, grantee)),
    ];
    if (!(await deleteItems(table, keys, isOver))) return false;
  }
  return deleteItems(table, [grantTotalKey(object)], isOver);
}

/** A deleted object that can be granted. */
export type EndedObject = { kind: 'object'; workspaceId: string; objectType: ObjectType; objectId: string };

/** Grants end with what is granted, or with the group or person to whom it is. */
export const grantCleanUps: readonly [CleanUp<EndedObject>, CleanUp<EndedGroup>, CleanUp<EndedMember>] = [
  { kind: 'object', remove: endGrantsOn },
  {
    kind: 'group',
    remove: (table, { workspaceId, groupId }, isOver) =>
      endGrantsOf(table, { workspaceId, granteeType: 'group', granteeId: groupId }, isOver),
  },
  {
    kind: 'member',
    remove: (table, { workspaceId, userId, membershipId }, isOver) =>
      endGrantsOf(table, { workspaceId, granteeType: 'user', granteeId: userId, membershipId }, isOver),
  },
];
