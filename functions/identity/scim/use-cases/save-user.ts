import type { MailQueue } from '../../../../shared/domains/delivery/mails/index.ts';
import type { AddressNotices } from '../../../../shared/domains/identity/address-changes/index.ts';
import type { SsoDomains } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { type ScimMapping, scimAttributes } from '../../../../shared/domains/identity/mapped-attributes/index.ts';
import {
  isSameName,
  isShownActive,
  type ProvisionedUser,
  scimResource,
  type UserItems,
  type WantedUser,
} from '../../../../shared/domains/identity/provisioning/index.ts';
import {
  type Attributes,
  readMembers,
  showInMemberships,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { changedMembers } from '../../../../shared/platform/audit/changes.ts';
import type { AuditedChange } from '../../../../shared/platform/audit/entry.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { USER_TYPE } from '../protocol/attributes.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { uniqueness } from '../protocol/errors.ts';
import { readOperations } from '../protocol/operations.ts';
import { patched, readResource } from '../protocol/patch.ts';
import type { Members } from '../protocol/values.ts';
import { keepManager } from './keep-manager.ts';
import { findUser, replyWith, selectionOf, type UserDeps } from './read-users.ts';
import { requirePlainName, showUser, wantedUser } from './user-resource.ts';

export interface SaveDeps extends UserDeps {
  items: UserItems;
  /** The attributes that the company takes from users. */
  mappingsOf(companyId: string): Promise<readonly ScimMapping[]>;
  notices: AddressNotices;
  mails: MailQueue;
  domains: SsoDomains;
  workspaceOf(id: string): Promise<WorkspaceRecord>;
  /** Completes the removal of a user: the old memberships must be gone before a new one begins. */
  endMemberships(removed: UserRecord): Promise<void>;
}

/**
 * Creates an account with the seat of a viewer in the workspace of the token. A user who was removed comes back under
 * the id of before. Of two requests at once one creates the user; the other gets the same error as if it had come
 * later.
 */
export async function createUser(deps: SaveDeps, call: ScimCall): Promise<Members> {
  const { companyId, workspaceId } = call.provisioner;
  const wanted = wantedUser(readResource(call.body, USER_TYPE), true);
  requirePlainName(wanted.userName);
  const resource = { active: true, ...wanted.resource };
  const users = deps.usersOf(companyId);
  const mappings = await deps.mappingsOf(companyId);
  const created = await onNewest('STALE_WRITE', async () => {
    const [{ id, removed: earlier }, workspace] = await Promise.all([
      users.holdersOf(wanted.userName),
      deps.workspaceOf(workspaceId),
      requireClaimable(deps, companyId, wanted.userName),
    ]);
    if (id !== undefined) throw uniqueness('Another user has this userName.');
    const removed = earlier && isSameName(earlier.email, wanted.userName) ? earlier : undefined;
    if (removed) await deps.endMemberships(removed);
    const user = removed ?? newUser(call, wanted, deps.now());
    const next = { ...wanted, resource };
    const { parts, written } = removed
      ? deps.items.restore(user, next, workspace, deps.now())
      : deps.items.create(user, next, workspace);
    await users.write(parts, logged(removed ? 'restored' : 'created', user.id, undefined, withMapped(mappings, next)));
    return written;
  });
  // A new seat is in no group yet, so nothing has to be read for the reply.
  return selectionOf(call)(showUser(created, [], call.baseUrl));
}

/** A domain that another company has proven gives the same error as a taken name. */
const requireClaimable = (deps: SaveDeps, companyId: string, userName: string): Promise<void> =>
  deps.domains.requireClaimable(companyId, userName).catch((cause) => {
    throw isTaken(cause) ? uniqueness('Another user has this userName.', cause) : cause;
  });

const isTaken = (error: unknown): boolean => error instanceof AppError && error.code === 'EMAIL_TAKEN';

/** Without a password: the person signs in by the identity provider, or sets one by mail. */
function newUser({ newId: id, provisioner }: ScimCall, wanted: WantedUser, now: Date): UserRecord {
  const at = now.toISOString();
  return {
    id,
    companyId: provisioner.companyId,
    companyRole: 'member',
    email: wanted.userName,
    name: wanted.name,
    active: wanted.isActive,
    createdAt: at,
    updatedAt: at,
  };
}

/** Everything that the request omits is removed, but for `active`, which stays as it is. */
export function replaceUser(deps: SaveDeps, call: ScimCall): Promise<Members> {
  const resource = readResource(call.body, USER_TYPE);
  return change(deps, call, (stored) => ('active' in stored ? { active: stored.active, ...resource } : resource));
}

/** All operations or none. */
export function patchUser(deps: SaveDeps, call: ScimCall): Promise<Members> {
  const operations = readOperations(call.body);
  return change(deps, call, (stored) => patched(stored, operations, USER_TYPE));
}

async function change(deps: SaveDeps, call: ScimCall, apply: (stored: Members) => Members): Promise<Members> {
  const { companyId } = call.provisioner;
  const users = deps.usersOf(companyId);
  const changed = await onNewest('STALE_WRITE', async () => {
    const current = await findUser(deps, call);
    const stored = scimResource(current);
    const next = apply(stored);
    const isActive = isShownActive(current.user);
    const wanted = wantedUser(next, isActive);
    if (wanted.userName !== current.user.email) requirePlainName(wanted.userName);
    // An account that was held may end with a repeated request, once another person can manage the company.
    const mayEnd = current.user.heldAt !== undefined && !wanted.isActive;
    if (!isSame(stored, next) || wanted.isActive !== isActive || mayEnd) await saveUser(deps, call, current, wanted);
    return (await users.get(current.user.id)) ?? current;
  });
  // Also when nothing has changed: an earlier try of this request may have died before.
  await showInMemberships(deps.table, changed.user.id);
  await announce(deps, changed.user.id);
  return replyWith(deps, call, changed);
}

/** Has the mails sent that tell the person of a changed address. */
async function announce({ notices, mails }: SaveDeps, userId: string): Promise<void> {
  if (!mails) return;
  for (const { id: noticeId } of await notices.unsent(userId)) {
    await mails.send({ kind: 'addressChange', workspaceId: 'address-changes', userId, noticeId });
  }
}

const isSame = (one: Members, other: Members): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (members: Members): [string, unknown][] =>
  Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));

/** A user who becomes active again has a seat again, if an admin has removed it meanwhile. Throws `STALE_WRITE`. */
export async function saveUser(
  deps: SaveDeps,
  call: ScimCall,
  current: ProvisionedUser,
  wanted: WantedUser,
): Promise<void> {
  const { companyId, workspaceId } = call.provisioner;
  const { user } = current;
  if (wanted.userName !== user.email) await requireClaimable(deps, companyId, wanted.userName);
  const now = deps.now();
  const isActive = isShownActive(user);
  const isBack = wanted.isActive && !isActive;
  const { isHeld, conditions } = wanted.isActive
    ? { isHeld: false, conditions: [] }
    : await keepManager(deps.table, user);
  const hasSeat = !isBack || (await readMembers(deps.table, workspaceId, [user.id])).has(user.id);
  const shown = { ...user, email: wanted.userName, name: wanted.name };
  const verb = isBack ? 'activated' : isActive && !wanted.isActive ? 'deactivated' : 'updated';
  const before = wantedUser(scimResource(current), isActive);
  const parts = [
    ...deps.items.change(current, wanted, now, { isHeld }),
    ...conditions,
    ...(deps.mails ? deps.notices.items(user, wanted.userName, now).map((item) => ({ item })) : []),
    ...(hasSeat ? [] : deps.items.seat(shown, await deps.workspaceOf(workspaceId), now.toISOString())),
  ];
  const mappings = await deps.mappingsOf(companyId);
  const [was, is] = [before, wanted].map((each) => withMapped(mappings, each));
  const entry = logged(verb, user.id, was, is!);
  await deps.usersOf(companyId).write(parts, isHeld ? { ...entry, after: { ...entry.after, isHeld } } : entry);
}

/** A user with the attributes that the company takes from the resource. */
type LoggedUser = WantedUser & { attributes?: Attributes };

function withMapped(mappings: readonly ScimMapping[], wanted: WantedUser): LoggedUser {
  const { resource, userName, externalId } = wanted;
  const attributes = scimAttributes(mappings, {
    ...resource,
    userName,
    ...(externalId === null ? {} : { externalId }),
  });
  return Object.keys(attributes).length > 0 ? { ...wanted, attributes } : wanted;
}

/** The entry of the audit log. */
function logged(
  verb: 'created' | 'restored' | 'updated' | 'activated' | 'deactivated',
  id: string,
  before: LoggedUser | undefined,
  after: LoggedUser,
): AuditedChange {
  return {
    action: `user.${verb}`,
    object: { type: 'user', id, name: after.userName },
    ...changedMembers<LoggedUser>(
      {
        ...{ userName: 'shown', name: 'shown', isActive: 'shown', externalId: 'shown', contacts: 'shown' },
        attributes: 'shown',
      },
      before,
      after,
    ),
  };
}
