import type { Principal } from '../../../platform/auth/principal.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { groupIdsOf, groupRepository } from '../groups/index.ts';
import type { ReceivedGrant } from './grants-to.ts';
import { grantKey } from './keys.ts';
import { includesLevel, OBJECT_KINDS, type ObjectType } from './object-kinds.ts';
import type { ObjectRef, StoredGrant } from './records.ts';

type Person = Pick<Principal, 'workspaceId' | 'userId' | 'membershipId'>;

/**
 * The highest level that the caller has on the object, by a grant of their own or by one of their groups; two reads, up
 * to 49 groups. The object may not exist.
 */
export async function levelFor(
  table: Table,
  person: Person,
  object: Omit<ObjectRef, 'workspaceId'>,
): Promise<string | undefined> {
  const { workspaceId, userId, membershipId } = person;
  const ref = { workspaceId, ...object };
  const groupIds = await groupIdsOf(table, person);
  const { key: groupKey } = groupRepository(table);
  const items = await readItems(table, [
    grantKey(ref, { granteeType: 'user', granteeId: userId }),
    // A group that was deleted a moment ago may still have members and grants.
    ...groupIds.flatMap((granteeId) => [
      grantKey(ref, { granteeType: 'group', granteeId }),
      groupKey(workspaceId, granteeId),
    ]),
  ]);
  const groups = new Set(items.filter(({ entity }) => entity === 'group').map(({ id }) => id as string));
  const grants = items.filter(({ entity }) => entity === 'grant') as unknown as StoredGrant[];
  const levels = grants
    .filter((grant) =>
      grant.granteeType === 'user' ? grant.membershipId === membershipId : groups.has(grant.granteeId),
    )
    .map(({ level }) => level);
  return OBJECT_KINDS[object.type].levels.findLast((level) => levels.includes(level));
}

/** Reads the grant of a caller on one object of the kind. */
export const grantReader =
  (table: Table, type: ObjectType) =>
  async (person: Person, id: string): Promise<ReceivedGrant | undefined> => {
    const level = await levelFor(table, person, { type, id });
    return level === undefined ? undefined : { level, via: 'grant' };
  };

/** Whether the caller has the level on the object; for `GroupDeps.isGranted`. */
export const grantCheck =
  (table: Table) =>
  async (person: Person, { type, id, level }: { type: string; id: string; level: string }): Promise<boolean> => {
    // The path has not been validated yet.
    if (!/^[0-9a-f-]{36}$/.test(id)) return false;
    const kind = type as ObjectType;
    return includesLevel(kind, await levelFor(table, person, { type: kind, id }), level);
  };
