import type { UserItems } from '../../../../shared/domains/identity/provisioning/index.ts';
import {
  memberObject,
  readMembers,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { invalidValue } from '../protocol/values.ts';
import type { UserDeps } from './read-users.ts';

export interface SeatDeps extends UserDeps {
  items: UserItems;
  workspaceOf(id: string): Promise<WorkspaceRecord>;
}

/**
 * Returns those who have no seat in the workspace of the token. Throws `SCIM_INVALID_VALUE` unless all are users of the
 * company. Writes nothing.
 */
export async function usersWithoutSeat(
  deps: SeatDeps,
  { provisioner }: ScimCall,
  ids: ReadonlySet<string>,
): Promise<UserRecord[]> {
  const members = await readMembers(deps.table, provisioner.workspaceId, [...ids]);
  const others = [...ids].filter((id) => !members.has(id));
  const found = await deps.usersOf(provisioner.companyId).getMany(others);
  const known = new Set(found.map(({ user }) => user.id));
  const unknown = others.find((id) => !known.has(id));
  if (unknown !== undefined) throw noUser(unknown);
  return found.map(({ user }) => user);
}

/**
 * Gives each user the seat of a viewer. May be repeated. Throws `SCIM_INVALID_VALUE` if one has been removed meanwhile.
 */
export async function giveSeats(deps: SeatDeps, call: ScimCall, users: readonly UserRecord[]): Promise<void> {
  if (users.length === 0) return;
  const workspace = await deps.workspaceOf(call.provisioner.workspaceId);
  for (const { id } of users) await onNewest('STALE_WRITE', () => giveSeat(deps, call, workspace, id));
}

async function giveSeat(deps: SeatDeps, call: ScimCall, workspace: WorkspaceRecord, id: string): Promise<void> {
  const users = deps.usersOf(call.provisioner.companyId);
  const [members, found] = await Promise.all([readMembers(deps.table, workspace.id, [id]), users.get(id)]);
  if (!found) throw noUser(id);
  if (members.has(id)) return;
  const { name, email } = found.user;
  await users.write(deps.items.seatOfExisting(found.user, workspace, deps.now().toISOString()), {
    action: 'member.added',
    object: memberObject({ userId: id, name, email }),
    after: { role: 'viewer' },
  });
}

const noUser = (id: string) => invalidValue(`There is no user with the id ${id.slice(0, 100)}.`);
