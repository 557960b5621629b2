import type { Ended } from '../../../shared/domains/access-clean-up/index.ts';
import type { UserItems } from '../../../shared/domains/provisioning/index.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { findUser, type UserDeps } from './read-users.ts';

export interface RemoveDeps extends UserDeps {
  items: UserItems;
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
}

/**
 * Removes the user from the company, the last admin too: an identity provider repeats a rejected request for ever. One
 * write ends every credential; the memberships in all workspaces follow, and a worker completes what is left of them.
 */
export async function removeUser(deps: RemoveDeps, call: ScimCall): Promise<void> {
  const { companyId, workspaceId } = call.provisioner;
  const ended = await onNewest('STALE_WRITE', async (): Promise<Ended> => {
    const found = await findUser(deps, call);
    const { parts, until } = deps.items.remove(found, deps.now());
    const ended: Ended = { kind: 'user', workspaceId, userId: found.user.id, until };
    const { id, name, email, active } = found.user;
    const object = { type: 'user', id, name: email };
    const change = { action: 'user.removed', object, before: { userName: email, name, isActive: active } } as const;
    await deps.usersOf(companyId).write([...parts, { item: deps.cleanUpItem(ended) }], change);
    return ended;
  });
  await deps.cleanUpNow(ended);
}
