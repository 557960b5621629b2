import type { EndedGroup, GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { findGroup } from './find-group.ts';

/** The group is gone at once; a large one has memberships left that the worker removes. */
export async function deleteGroup(
  deps: {
    groups: GroupRepository;
    cleanUpItem(ended: Ended): TransactItem;
    cleanUpNow(ended: Ended): Promise<void>;
  },
  command: { workspaceId: string; id: string },
): Promise<void> {
  const ended: EndedGroup = { kind: 'group', workspaceId: command.workspaceId, groupId: command.id };
  await onNewest('STALE_WRITE', async () =>
    deps.groups.remove(await findGroup(deps, command), [deps.cleanUpItem(ended)]),
  );
  await deps.cleanUpNow(ended);
}
