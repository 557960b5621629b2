import { memberSwitches } from '../../../platform/auth/member-switches.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { readWorkspace } from './accounts.ts';
import { readMembers } from './members.ts';
import { readUser } from './users.ts';

/**
 * The member as they would be signed in to the workspace; undefined for other people, and while the account is
 * deactivated.
 */
export async function memberPrincipal(
  table: Table,
  { workspaceId, companyId, userId }: { workspaceId: string; companyId: string; userId: string },
): Promise<Principal | undefined> {
  const [members, user, workspace] = await Promise.all([
    readMembers(table, workspaceId, [userId]),
    readUser(table, userId),
    readWorkspace(table, workspaceId),
  ]);
  const member = members.get(userId);
  if (!member || !user || user.active === false) return undefined;
  const { role, membershipId } = member;
  const { email, companyRole } = user;
  return {
    kind: 'user',
    userId,
    companyId,
    companyRole,
    workspaceId,
    role,
    scope: null,
    credentialId: userId,
    switches: await memberSwitches(table, { ...workspace }, { workspaceId, userId, membershipId }),
    membershipId,
    email,
  };
}
