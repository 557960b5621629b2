import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { groupRepository, stillGroup } from '../groups/index.ts';
import { readMembers, stillMember } from '../workspaces/index.ts';
import type { Access, Grantee, StoredGrant } from './records.ts';

/** A grantee who exists. */
export interface KnownGrantee extends Grantee {
  name: string;
  email: string | null;
  /** Absent for a group. */
  membershipId?: string | undefined;
  /** Fails a transaction once the grantee is gone. */
  stillThere: TransactItem;
}

/** Throws `MEMBER_NOT_FOUND` or `GROUP_NOT_FOUND`. */
export async function findGrantee(table: Table, workspaceId: string, wanted: Grantee): Promise<KnownGrantee> {
  const found = (await findGrantees(table, workspaceId, [wanted])).get(wanted.granteeId);
  if (!found) throw new AppError(wanted.granteeType === 'user' ? 'MEMBER_NOT_FOUND' : 'GROUP_NOT_FOUND');
  return found;
}

/** The grantees that exist, by id. */
export async function findGrantees(
  table: Table,
  workspaceId: string,
  wanted: readonly Grantee[],
): Promise<Map<string, KnownGrantee>> {
  const ids = (type: Grantee['granteeType']) =>
    wanted.filter(({ granteeType }) => granteeType === type).map(({ granteeId }) => granteeId);
  const [people, groups] = await Promise.all([
    readMembers(table, workspaceId, ids('user')),
    groupRepository(table).getMany(workspaceId, ids('group')),
  ]);
  const users: KnownGrantee[] = [...people.values()].map((person) => ({
    granteeType: 'user',
    granteeId: person.userId,
    name: person.name,
    email: person.email,
    membershipId: person.membershipId,
    stillThere: stillMember(table, person),
  }));
  const known = groups.map(
    ({ id, name }): KnownGrantee => ({
      granteeType: 'group',
      granteeId: id,
      name,
      email: null,
      stillThere: stillGroup(table, { workspaceId, groupId: id }),
    }),
  );
  return new Map([...users, ...known].map((grantee) => [grantee.granteeId, grantee]));
}

/** Undefined if the grantee is gone, or has left and joined again. */
export function accessOf(grant: StoredGrant, grantee: KnownGrantee | undefined): Access | undefined {
  if (!grantee || grantee.granteeType !== grant.granteeType || grantee.membershipId !== grant.membershipId)
    return undefined;
  const { granteeType, granteeId, level, grantedBy, grantedAt } = grant;
  return { granteeType, granteeId, name: grantee.name, email: grantee.email, level, grantedBy, grantedAt };
}
