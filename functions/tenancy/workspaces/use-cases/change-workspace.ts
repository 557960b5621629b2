import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import type { GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import {
  showWorkspace,
  type Workspace,
  type WorkspaceChange,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { WorkspaceRepository } from '../repository.ts';

interface Deps {
  workspaces: WorkspaceRepository;
  groups: Pick<GroupRepository, 'get'>;
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** How long deleted workspaces can be restored. */
  graceDays: number;
  now(): Date;
}

type Change = Omit<WorkspaceChange, 'failureMail'> & { failureRecipients?: readonly string[]; apiUrl: string };

export async function changeWorkspace(
  deps: Deps,
  id: string,
  { failureRecipients: userIds, apiUrl, ...others }: Change,
): Promise<Workspace> {
  const change: WorkspaceChange = { ...others, ...(userIds && { failureMail: { userIds, apiUrl } }) };
  if (change.timezone) canonicalTimezone(change.timezone);
  if (change.certifierGroupId) await assertGroup(deps, id, change.certifierGroupId);
  return onNewest('STALE_WRITE', async () => {
    const workspace = await deps.workspaces.workspace(id);
    if (!workspace) throw new AppError('UNAUTHENTICATED');
    if (userIds) await assertMembers(deps, workspace, userIds);
    return showWorkspace(await deps.workspaces.update(workspace, change, deps.now()));
  });
}

/** People who have left may stay in the list; only members can be added. */
async function assertMembers(
  { members }: Pick<Deps, 'members'>,
  { id, failureMail }: WorkspaceRecord,
  userIds: readonly string[],
): Promise<void> {
  const found = await members(id, userIds);
  const errors = userIds.flatMap((userId, index) =>
    found.has(userId) || failureMail?.userIds.includes(userId)
      ? []
      : [{ pointer: `/failureRecipients/${index}`, code: 'NOT_FOUND', message: 'is no member of the workspace' }],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

async function assertGroup({ groups }: Pick<Deps, 'groups'>, workspaceId: string, groupId: string): Promise<void> {
  if (await groups.get(workspaceId, groupId)) return;
  const message = 'is no group of the workspace';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/certifierGroupId', code: 'NOT_FOUND', message }] });
}

/** Throws `WORKSPACE_NOT_FOUND`, `NAME_NOT_CONFIRMED`. */
export function deleteWorkspace(
  deps: Deps,
  caller: Principal,
  command: { id: string; confirm: string },
): Promise<Workspace> {
  return onNewest('STALE_WRITE', async () => {
    const workspace = await find(deps, caller, command.id);
    if (workspace.name !== command.confirm) throw new AppError('NAME_NOT_CONFIRMED');
    const at = deps.now();
    const deletesAt = new Date(at.getTime() + deps.graceDays * DAY_MS).toISOString();
    return showWorkspace(await deps.workspaces.delete(workspace, { at, deletesAt }));
  });
}

/** Throws `WORKSPACE_NOT_FOUND`, also once the workspace is being erased, and `COMPANY_DELETED`. */
export async function restoreWorkspace(deps: Deps, caller: Principal, id: string): Promise<Workspace> {
  const workspace = await find(deps, caller, id);
  await deps.workspaces.restore(workspace, deps.now());
  const current = await find(deps, caller, id);
  if (current.deletesAt) throw new AppError('WORKSPACE_NOT_FOUND');
  return showWorkspace(current);
}

async function find({ workspaces }: Deps, { companyId }: Principal, id: string): Promise<WorkspaceRecord> {
  const workspace = await workspaces.workspace(id);
  if (workspace?.companyId !== companyId) throw new AppError('WORKSPACE_NOT_FOUND');
  return workspace;
}
