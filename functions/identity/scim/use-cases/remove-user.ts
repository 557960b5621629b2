import {
  isShownActive,
  type ProvisionedUser,
  scimResource,
  type WantedUser,
} from '../../../../shared/domains/identity/provisioning/index.ts';
import type { EndedUser } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { keepManager } from './keep-manager.ts';
import { findUser } from './read-users.ts';
import { type SaveDeps, saveUser } from './save-user.ts';
import { wantedUser } from './user-resource.ts';

export interface RemoveDeps extends SaveDeps {
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
}

/**
 * Removes the user from the company. One write ends every credential; the memberships in all workspaces follow, and a
 * worker completes what is left of them. The last person who can manage the company is deactivated instead, as far as
 * that goes (`keepManager`).
 */
export async function removeUser(deps: RemoveDeps, call: ScimCall): Promise<void> {
  const { companyId, workspaceId } = call.provisioner;
  const ended = await onNewest('STALE_WRITE', async (): Promise<Ended | undefined> => {
    const found = await findUser(deps, call);
    const { isHeld, conditions } = await keepManager(deps.table, found.user);
    if (isHeld) {
      if (isShownActive(found.user)) await saveUser(deps, call, found, inactive(found));
      return undefined;
    }
    const { parts, until } = deps.items.remove(found, deps.now());
    const ended: EndedUser = { kind: 'user', workspaceId, userId: found.user.id, until };
    const { id, name, email, active } = found.user;
    const object = { type: 'user', id, name: email };
    const change = { action: 'user.removed', object, before: { userName: email, name, isActive: active } } as const;
    await deps.usersOf(companyId).write([...parts, ...conditions, { item: deps.cleanUpItem(ended) }], change);
    return ended;
  });
  if (ended) await deps.cleanUpNow(ended);
}

const inactive = (found: ProvisionedUser): WantedUser => wantedUser({ ...scimResource(found), active: false }, false);
