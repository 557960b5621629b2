import { type InvitationRecord, invitationRepository } from '../../../shared/domains/identity/invitations/index.ts';
import { groupMemberships } from '../../../shared/domains/tenancy/groups/index.ts';
import {
  actOf,
  memberObject,
  type NewMember,
  putMember,
  putUser,
  readMembers,
  stillAccount,
  takenOver,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { auditItems } from '../../../shared/platform/audit/entry.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';
import { failedConditions } from '../../../shared/platform/storage/transact.ts';

interface Joining {
  user: UserRecord;
  isNew: boolean;
  /** The password with which the person takes an account over that others know the password of. */
  taken: { passwordHash: string } | undefined;
  workspace: WorkspaceRecord;
  membershipId: string;
  at: Date;
}

/**
 * Makes the person a member of the workspace and of the groups that still exist, and removes the invitation, with one
 * write. Throws `STALE_WRITE` if anything has changed meanwhile.
 */
export type Join = (invitation: InvitationRecord, joining: Joining) => Promise<void>;

export function joinBy(table: Table): Join {
  const invitations = invitationRepository(table);
  const memberships = groupMemberships(table);
  return async (invitation, { user, isNew, taken, workspace, membershipId, at }) => {
    const { workspaceId, role, groupIds, invitedBy: by } = invitation;
    const member: NewMember = {
      ...{ membershipId, workspaceId, userId: user.id, email: user.email, name: user.name, role },
      ...{ joinedAt: at.toISOString(), revision: 1 },
    };
    const known = taken ? takenOver(table, user, { now: at, ...taken }).items : [stillAccount(table, user)];
    const person = isNew ? putUser(table, user) : known;
    const joining = await memberships.joinItems(member, { groupIds, by, at });
    const logged = await loggedItems(table, { invitation, user, isNew });
    try {
      await invitations.accept(invitation, [
        ...person,
        ...putMember(table, member, workspace.name),
        ...joining,
        ...logged,
      ]);
    } catch (cause) {
      if (failedConditions(cause).size === 0) throw cause;
      // Added directly meanwhile: what the invitation was for is done.
      const known = await readMembers(table, workspaceId, [user.id]);
      if (known.size > 0) return invitations.accept(invitation, []);
      throw new AppError('STALE_WRITE', { cause });
    }
  };
}

async function loggedItems(
  table: Table,
  { invitation, user, isNew }: Pick<Joining, 'user' | 'isNew'> & { invitation: InvitationRecord },
): Promise<TransactItem[]> {
  const { id, email, role, workspaceId } = invitation;
  const { actor, place } = actOf(user, workspaceId);
  const object = { type: 'invitation', id, name: email };
  return [
    ...(await auditItems(table, { action: 'invitation.accepted', actor, place, object })),
    ...(await auditItems(table, {
      ...{ action: 'member.added', actor, place, object: memberObject({ ...user, userId: user.id }) },
      after: { role, isNewAccount: isNew },
    })),
  ];
}
