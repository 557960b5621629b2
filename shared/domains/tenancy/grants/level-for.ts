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
 * The grant with the highest level that the caller has on the object, of their own or of one of their groups; of equals
 * their own. Two reads, up to 49 groups. The object may not exist.
 */
async function grantFor(
  table: Table,
  person: Person,
  object: Omit<ObjectRef, 'workspaceId'>,
): Promise<ReceivedGrant | undefined> {
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
  const valid = grants.filter((grant) =>
    grant.granteeType === 'user' ? grant.membershipId === membershipId : groups.has(grant.granteeId),
  );
  const level = OBJECT_KINDS[object.type].levels.findLast((each) => valid.some((grant) => grant.level === each));
  if (level === undefined) return undefined;
  const isOwn = valid.some((grant) => grant.level === level && grant.granteeType === 'user');
  return { level, via: isOwn ? 'grant' : 'group' };
}

/** The highest level that the caller has on the object. */
export const levelFor = async (...asked: Parameters<typeof grantFor>): Promise<string | undefined> =>
  (await grantFor(...asked))?.level;

/** Reads the grant of a caller on one object of the kind. */
export const grantReader =
  (table: Table, type: ObjectType) =>
  (person: Person, id: string): Promise<ReceivedGrant | undefined> =>
    grantFor(table, person, { type, id });

/** Whether the caller has the level on the object; for `GroupDeps.isGranted`. */
export const grantCheck =
  (table: Table) =>
  async (person: Person, { type, id, level }: { type: string; id: string; level: string }): Promise<boolean> => {
    // The path has not been validated yet.
    if (!/^[0-9a-f-]{36}$/.test(id)) return false;
    const kind = type as ObjectType;
    return includesLevel(kind, await levelFor(table, person, { type: kind, id }), level);
  };
