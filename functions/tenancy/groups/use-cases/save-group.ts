import type { GroupRecord, GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CreateGroup, UpdateGroup } from '../schemas.ts';
import { findGroup } from './find-group.ts';

interface Deps {
  groups: GroupRepository;
  now: () => Date;
}

export function createGroup(
  deps: Deps,
  command: { id: string; workspaceId: string; userId: string; group: CreateGroup },
): Promise<GroupRecord> {
  const { id, workspaceId, userId, group } = command;
  const { name, description, externalId = null } = group;
  const at = deps.now().toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at };
  return deps.groups.create({ id, workspaceId, name, description, externalId, ...stamps, revision: 1 });
}

export function updateGroup(
  deps: Deps,
  command: { id: string; workspaceId: string; userId: string; change: UpdateGroup },
): Promise<GroupRecord> {
  return onNewest('STALE_WRITE', async () => {
    const group = await findGroup(deps, command);
    return deps.groups.replace(group, {
      ...group,
      ...command.change,
      updatedBy: command.userId,
      updatedAt: later(group.updatedAt, deps.now()),
    });
  });
}
