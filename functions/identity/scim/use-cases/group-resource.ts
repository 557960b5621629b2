import type {
  BulkMemberships,
  GroupMemberships,
  GroupRecord,
} from '../../../../shared/domains/tenancy/groups/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { GROUP_URN } from '../protocol/attributes.ts';
import type { Members } from '../protocol/values.ts';

/** In larger groups members have neither names nor addresses, so that a reply stays below the limit of 6 MB. */
const MAX_DETAILED = 5_000;

export function showGroup(group: GroupRecord, members: readonly Members[], baseUrl: string): Members {
  return {
    schemas: [GROUP_URN],
    id: group.id,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.name,
    ...(members.length > 0 ? { members } : {}),
    meta: {
      resourceType: 'Group',
      created: group.createdAt,
      lastModified: group.updatedAt,
      location: `${baseUrl}/Groups/${group.id}`,
    },
  };
}

/** The members of a group who are still in the workspace. */
export async function showMembers(
  deps: { table: Table; memberships: GroupMemberships; bulk: BulkMemberships },
  { workspaceId, id: groupId }: GroupRecord,
  baseUrl: string,
): Promise<Members[]> {
  const stored = await deps.bulk.stored({ workspaceId, groupId });
  const people = await readMembers(
    deps.table,
    workspaceId,
    stored.map(({ userId }) => userId),
  );
  const isDetailed = stored.length <= MAX_DETAILED;
  return stored.flatMap(({ userId: value, membershipId }) => {
    const person = people.get(value);
    if (!person || person.membershipId !== membershipId) return [];
    if (!isDetailed) return [{ value, type: 'User' }];
    return [{ value, $ref: `${baseUrl}/Users/${value}`, display: person.name, type: 'User' }];
  });
}
