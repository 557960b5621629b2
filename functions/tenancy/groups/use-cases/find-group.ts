import type { GroupRecord, GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

export async function findGroup(
  deps: { groups: GroupRepository },
  named: { workspaceId: string; id: string },
): Promise<GroupRecord> {
  const group = await deps.groups.get(named.workspaceId, named.id);
  if (!group) throw new AppError('GROUP_NOT_FOUND');
  return group;
}
