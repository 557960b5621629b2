import type { SsoDomains } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { isTrustedAddress, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import type { Role } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { showMember, type WorkspaceRepository } from '../repository.ts';
import type { Member } from '../schemas.ts';
import { getWorkspace } from './get-workspace.ts';

interface Command {
  newUserId: string;
  email: string;
  name?: string;
  role: Role;
  password?: string;
}

interface Deps {
  workspaces: WorkspaceRepository;
  domains: SsoDomains;
  passwords: Passwords;
  newId: () => string;
  now: () => Date;
}

/**
 * A person with an account, or a proven mail domain, of another company cannot be added. Everything else about the
 * request is checked first, and the reply takes as long, so that a request that would add no one says nothing about
 * addresses elsewhere.
 */
export async function addMember(deps: Deps, principal: Principal, command: Command): Promise<Member> {
  const { workspaces } = deps;
  const workspace = await getWorkspace(deps, principal.workspaceId);
  const named = await workspaces.userByEmail(command.email);
  const known = named?.companyId === principal.companyId ? named : undefined;
  if (known?.id === command.newUserId) {
    // An earlier try of this request created the account, and with it the member.
    const added = await workspaces.member(workspace.id, known.id);
    if (added) return showMember(added);
  }
  // Others may have given the address of the meant person to an account of their own.
  if (known && !isTrustedAddress(known)) throw new AppError('EMAIL_UNCONFIRMED');
  const at = deps.now().toISOString();
  const user = known ?? (await newUser(deps, principal, command, at));
  if (named && !known) throw new AppError('EMAIL_TAKEN');
  const member: Member = {
    workspaceId: workspace.id,
    userId: user.id,
    email: user.email,
    name: user.name,
    role: command.role,
    joinedAt: at,
    revision: 1,
  };
  // Not of the request, which may be repeated under its key after the person was removed again.
  const membershipId = deps.newId();
  await workspaces.addMember({ ...member, membershipId }, workspace.name, known ? undefined : user);
  return member;
}

async function newUser(
  deps: Pick<Deps, 'domains' | 'passwords'>,
  principal: Principal,
  command: Command,
  at: string,
): Promise<UserRecord> {
  if (!command.password) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/password', code: 'REQUIRED', message: 'is required for a person without an account' }],
    });
  }
  const passwordHash = await deps.passwords.hash(command.password);
  await deps.domains.requireClaimable(principal.companyId, command.email);
  return {
    id: command.newUserId,
    companyId: principal.companyId,
    companyRole: 'member',
    email: command.email,
    name: command.name ?? command.email,
    passwordHash,
    passwordSetBy: principal.userId,
    active: true,
    createdAt: at,
    updatedAt: at,
  };
}
