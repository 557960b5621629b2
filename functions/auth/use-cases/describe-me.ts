import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';
import type { Me } from '../schemas.ts';
import { hasSecondFactor } from '../second-factor.ts';
import { publicUser } from './issue-session.ts';

export async function describeMe(deps: { accounts: AuthRepository }, principal: Principal): Promise<Me> {
  const [user, memberships] = await Promise.all([
    deps.accounts.user(principal.userId),
    deps.accounts.memberships(principal.userId),
  ]);
  if (!user) throw new AppError('UNAUTHENTICATED');
  // An API key belongs to one workspace and shows no other.
  const visible =
    principal.kind === 'user'
      ? memberships
      : memberships.filter(({ workspaceId }) => workspaceId === principal.workspaceId);
  return {
    user: publicUser(user),
    language: user.language ?? null,
    timeZone: user.timeZone ?? null,
    mfa: { enabled: hasSecondFactor(user), recoveryCodesLeft: user.recoveryDigests?.size ?? 0 },
    workspaceId: principal.workspaceId,
    role: principal.role,
    workspaces: visible.map(({ workspaceId, workspaceName, role }) => ({ id: workspaceId, name: workspaceName, role })),
    attributes: {},
  };
}
