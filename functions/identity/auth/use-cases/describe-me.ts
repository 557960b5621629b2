import { publicUser } from '../../../../shared/domains/identity/sessions/index.ts';
import type { GroupRecord } from '../../../../shared/domains/tenancy/groups/index.ts';
import {
  type Attributes,
  isTrustedAddress,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { AuthRepository } from '../repository.ts';
import type { Me } from '../schemas.ts';
import { hasSecondFactor } from '../second-factor.ts';

export interface MeDeps {
  accounts: AuthRepository;
  attributesOf(principal: Principal): Promise<Attributes>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  groupsOf(principal: Principal): Promise<Pick<GroupRecord, 'id' | 'name'>[]>;
}

export async function describeMe(deps: MeDeps, principal: Principal): Promise<Me> {
  const [user, memberships, attributes, groups] = await Promise.all([
    deps.accounts.user(principal.userId),
    deps.accounts.memberships(principal.userId),
    deps.attributesOf(principal),
    deps.groupsOf(principal),
  ]);
  if (principal.serviceAccountId !== undefined) {
    return meOfServiceAccount(principal, { attributes, workspace: await deps.workspace(principal.workspaceId) });
  }
  if (!user) throw new AppError('UNAUTHENTICATED');
  // An API key belongs to one workspace and shows no other.
  const visible =
    principal.kind === 'user'
      ? memberships
      : memberships.filter(({ workspaceId }) => workspaceId === principal.workspaceId);
  return {
    user: publicUser(user),
    language: user.language ?? null,
    timezone: user.timeZone ?? null,
    timeZone: user.timeZone ?? null,
    emailConfirmed: isTrustedAddress(user),
    mfa: { enabled: hasSecondFactor(user), recoveryCodesLeft: user.recoveryDigests?.size ?? 0 },
    workspaceId: principal.workspaceId,
    role: principal.role,
    workspaces: visible.map(({ workspaceId, workspaceName, role }) => ({ id: workspaceId, name: workspaceName, role })),
    attributes,
    groups,
  };
}

/** A service account has no email; the address is one that cannot exist (RFC 2606). */
function meOfServiceAccount(
  { userId: id, name, companyId, companyRole, workspaceId, role }: Principal,
  { attributes, workspace }: { attributes: Attributes; workspace: WorkspaceRecord | undefined },
): Me {
  const user = { id, name: name ?? id, email: `${id}@service-account.invalid`, companyId, companyRole };
  return {
    user,
    language: null,
    timezone: null,
    timeZone: null,
    emailConfirmed: true,
    mfa: { enabled: false, recoveryCodesLeft: 0 },
    workspaceId,
    role,
    workspaces: workspace ? [{ id: workspaceId, name: workspace.name, role }] : [],
    attributes,
    groups: [],
  };
}
