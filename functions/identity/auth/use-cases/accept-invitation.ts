import type { SsoDomains } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  type InvitationRecord,
  type InvitationRepository,
  type InvitationTokens,
  isMailed,
  isPending,
} from '../../../../shared/domains/identity/invitations/index.ts';
import {
  isTrustedAddress,
  mayHaveCredentialsOfOthers,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Join } from '../join.ts';
import type { AuthRepository } from '../repository.ts';
import type { AcceptedInvitation } from '../schemas.ts';

interface Deps {
  accounts: AuthRepository;
  domains: SsoDomains;
  invitations: InvitationRepository;
  invitationTokens: InvitationTokens;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** A person of the company whom an identity provider has removed, by the address of then. */
  removedNamed(companyId: string, email: string): Promise<UserRecord | undefined>;
  join: Join;
  passwords: Passwords;
  newId: () => string;
  now: () => Date;
}

interface Command {
  newUserId: string;
  token: string;
  name?: string;
  password?: string;
}

const ELSEWHERE = 'This email address has an account in another company. Ask for an invitation to another address.';

/**
 * The token of a mail proves that the caller reads the mails of the address. A new person gets an account; one with an
 * account in the company joins with it, whose name stays, and the password too unless others could have set it. One
 * write does all of it, so that a token works once.
 */
export async function acceptInvitation(deps: Deps, command: Command): Promise<AcceptedInvitation> {
  let passwordHash: string | undefined;
  return onNewest('STALE_WRITE', async () => {
    const { invitation, workspace } = await invitedTo(deps, command.token);
    const known = await deps.accounts.userByEmail(invitation.email);
    if (known && known.companyId !== invitation.companyId) throw new AppError('EMAIL_TAKEN', { detail: ELSEWHERE });
    if (known && (!known.active || !isTrustedAddress(known) || isRemovedSince(invitation, known.identitiesEndedAt))) {
      throw new AppError('INVALID_INVITATION');
    }
    if (!known) await deps.domains.requireClaimable(invitation.companyId, invitation.email);
    // The role is for the owner of the mailbox, not for an admin who knows the password of the account.
    const isTaken = known !== undefined && isMailed(invitation) && mayHaveCredentialsOfOthers(known);
    if (!known || isTaken) passwordHash ??= await deps.passwords.hash(requirePassword(command));
    const at = deps.now();
    const user = known ?? newUser(command, invitation, passwordHash!, at);
    const taken = isTaken ? { passwordHash: passwordHash! } : undefined;
    await deps.join(invitation, { user, isNew: !known, taken, workspace, membershipId: deps.newId(), at });
    return { workspaceId: workspace.id, workspaceName: workspace.name, email: user.email };
  });
}

/** Throws `INVALID_INVITATION`, whatever the reason. */
async function invitedTo(
  deps: Deps,
  token: string,
): Promise<{ invitation: InvitationRecord; workspace: WorkspaceRecord }> {
  const named = deps.invitationTokens.parse(token);
  const invitation = named && (await deps.invitations.get(named.workspaceId, named.id));
  if (!invitation || !isPending(invitation, deps.now()) || !(await deps.invitationTokens.matches(invitation, token))) {
    throw new AppError('INVALID_INVITATION');
  }
  const workspace = await deps.workspace(invitation.workspaceId);
  if (!workspace || workspace.deletesAt || !(await mayStillInvite(deps, invitation))) {
    throw new AppError('INVALID_INVITATION');
  }
  const removed = await deps.removedNamed(invitation.companyId, invitation.email);
  if (isRemovedSince(invitation, removed?.removedAt)) throw new AppError('INVALID_INVITATION');
  return { invitation, workspace };
}

/** Whether the admin who sent the invitation last is one still. */
async function mayStillInvite(
  { accounts }: Deps,
  { invitedBy, companyId, workspaceId }: InvitationRecord,
): Promise<boolean> {
  const inviter = await accounts.user(invitedBy);
  if (!inviter?.active || inviter.companyId !== companyId) return false;
  if (inviter.companyRole === 'company_admin') return true;
  return (await accounts.membership(invitedBy, workspaceId))?.role === 'admin';
}

/** An identity provider that removes a person overrules the invitations of before. */
const isRemovedSince = ({ updatedAt }: InvitationRecord, removedAt: string | undefined): boolean =>
  removedAt !== undefined && removedAt >= updatedAt;

function requirePassword({ password }: Command): string {
  if (password !== undefined) return password;
  throw new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: '/password', code: 'REQUIRED', message: 'is required; choose one that only you know' }],
  });
}

function newUser(command: Command, invitation: InvitationRecord, passwordHash: string, at: Date): UserRecord {
  const { email, companyId } = invitation;
  return {
    ...{ id: command.newUserId, companyId, companyRole: 'member', email, name: command.name ?? email, passwordHash },
    ...(isMailed(invitation) ? {} : { passwordSetBy: invitation.invitedBy }),
    ...{ active: true, createdAt: at.toISOString(), updatedAt: at.toISOString() },
  };
}
