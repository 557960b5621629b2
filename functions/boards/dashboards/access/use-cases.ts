import type { NamedDashboard } from '../../../../shared/domains/boards/dashboards/index.ts';
import { type Access, type GrantedObject, objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CursorPageOf } from '../../../../shared/platform/storage/page.ts';
import { isSameAddress } from '../../../../shared/platform/text/email-address.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import type { AccessCandidate, DashboardAccess, GrantDashboardAccess } from './schemas.ts';

const MAX_CANDIDATES = 20;

interface Place {
  workspaceId: string;
  id: string;
}

/** Throws `DASHBOARD_NOT_FOUND`. */
async function grantedDashboard({ dashboards }: DashboardDeps, { workspaceId, id }: Place): Promise<GrantedObject> {
  const record = await dashboards.get(workspaceId, id);
  if (record?.deletedAt !== null) throw new AppError('DASHBOARD_NOT_FOUND');
  const { name } = record;
  const key = dashboards.key(workspaceId, id);
  return { workspaceId, type: 'dashboard', id, name, key, notFound: 'DASHBOARD_NOT_FOUND' };
}

/** Throws `DASHBOARD_NOT_FOUND` and the codes of `Cursors.open`. */
export async function listAccess(
  deps: DashboardDeps,
  query: Place & { limit: number; cursor?: string | undefined },
): Promise<CursorPageOf<DashboardAccess>> {
  const page = await objectAccess(deps, (named) => grantedDashboard(deps, named)).list(query);
  return { ...page, items: page.items.map(showAccess) };
}

/**
 * Throws `NOT_A_MEMBER`, and `ACCESS_EXISTS`. Only members are looked at, so nothing reveals whether others have
 * accounts.
 */
export async function grantAccess(
  deps: DashboardDeps,
  { principal, id, email, permission }: NamedDashboard & GrantDashboardAccess,
): Promise<DashboardAccess> {
  const { workspaceId, userId: by } = principal;
  const object = await grantedDashboard(deps, { workspaceId, id });
  const member = (await deps.members(workspaceId)).find((each) => isSameAddress(each.email, email.trim()));
  if (!member) throw new AppError('NOT_A_MEMBER');
  const grant = { granteeType: 'user', granteeId: member.userId, level: permission, taken: 'ACCESS_EXISTS' } as const;
  return showAccess(await deps.grants.put(object, grant, { by, at: deps.now() }));
}

interface SetCommand extends NamedDashboard {
  granteeType: 'user' | 'group';
  granteeId: string;
  permission: 'viewer' | 'editor';
}

/** Throws `MEMBER_NOT_FOUND` or `GROUP_NOT_FOUND`. */
export async function setAccess(
  deps: DashboardDeps,
  { principal: { workspaceId, userId: by }, id, permission, ...grantee }: SetCommand,
): Promise<DashboardAccess> {
  const object = await grantedDashboard(deps, { workspaceId, id });
  const { granteeType, granteeId } = grantee;
  const grant = { granteeType, granteeId, level: permission };
  return showAccess(await deps.grants.put(object, grant, { by, at: deps.now() }));
}

/** Throws `DASHBOARD_ACCESS_NOT_FOUND`. */
export async function revokeAccess(
  deps: DashboardDeps,
  { principal: { workspaceId, userId: by }, id, accessId: granteeId }: NamedDashboard & { accessId: string },
): Promise<void> {
  const object = await grantedDashboard(deps, { workspaceId, id });
  const act = { by, at: deps.now() };
  for (const granteeType of ['user', 'group'] as const) {
    if (await deps.grants.remove(object, { granteeType, granteeId }, act)) return;
  }
  throw new AppError('DASHBOARD_ACCESS_NOT_FOUND');
}

/** Members with the text in name or email address. */
export async function findCandidates(
  deps: DashboardDeps,
  { principal: { workspaceId }, id, search }: NamedDashboard & { search: string },
): Promise<{ items: AccessCandidate[] }> {
  const object = await grantedDashboard(deps, { workspaceId, id });
  const text = search.toLowerCase();
  const found = (await deps.members(workspaceId))
    .filter(({ name, email }) => [name, email].some((each) => each.toLowerCase().includes(text)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.userId < b.userId ? -1 : 1))
    .slice(0, MAX_CANDIDATES);
  const granted = await deps.grants.granted(
    object,
    found.map(({ userId }) => ({ granteeType: 'user', granteeId: userId })),
  );
  const items = found.map(({ userId, name, email }) => ({ userId, name, email, hasAccess: granted.has(userId) }));
  return { items };
}

function showAccess({ granteeType, granteeId, name, email, level, grantedBy, grantedAt }: Access): DashboardAccess {
  const isUser = granteeType === 'user';
  return {
    id: granteeId,
    granteeType,
    userId: isUser ? granteeId : null,
    groupId: isUser ? null : granteeId,
    name,
    email,
    permission: level as DashboardAccess['permission'],
    grantedBy,
    grantedAt,
  };
}
