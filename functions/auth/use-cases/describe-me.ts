import type { GroupRecord } from '../../../shared/domains/groups/index.ts';
import { publicUser } from '../../../shared/domains/sessions/index.ts';
import type { Attributes } from '../../../shared/domains/workspaces/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';
import type { Me } from '../schemas.ts';
import { hasSecondFactor } from '../second-factor.ts';

export interface MeDeps {
  accounts: AuthRepository;
  attributesOf(principal: Principal): Promise<Attributes>;
  groupsOf(principal: Principal): Promise<Pick<GroupRecord, 'id' | 'name'>[]>;
}

export async function describeMe(deps: MeDeps, principal: Principal): Promise<Me> {
  const [user, memberships, attributes, groups] = await Promise.all([
    deps.accounts.user(principal.userId),
    deps.accounts.memberships(principal.userId),
    deps.attributesOf(principal),
    deps.groupsOf(principal),
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
    attributes,
    groups,
  };
}
