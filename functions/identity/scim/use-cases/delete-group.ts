import type { EndedGroup } from '../../../../shared/domains/tenancy/groups/index.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { findGroup, type GroupDeps } from './read-groups.ts';

/** The group is gone at once; a large one has memberships left that the worker removes. */
export async function deleteGroup(
  deps: GroupDeps & { cleanUpItem(ended: Ended): TransactItem; cleanUpNow(ended: Ended): Promise<void> },
  call: ScimCall,
): Promise<void> {
  const { workspaceId } = call.provisioner;
  const ended: EndedGroup = { kind: 'group', workspaceId, groupId: call.params.id! };
  await onNewest('STALE_WRITE', async () => deps.groups.remove(await findGroup(deps, call), [deps.cleanUpItem(ended)]));
  await deps.cleanUpNow(ended);
}
