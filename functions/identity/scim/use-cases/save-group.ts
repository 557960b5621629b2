import type { GroupRecord } from '../../../../shared/domains/tenancy/groups/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { GROUP_TYPE } from '../protocol/attributes.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { uniqueness } from '../protocol/errors.ts';
import { readOperations } from '../protocol/operations.ts';
import { patched } from '../protocol/patch.ts';
import { invalidValue, type Members } from '../protocol/values.ts';
import { giveSeats, type SeatDeps, usersWithoutSeat } from './group-seats.ts';
import { type MemberChange, separateMembers } from './member-changes.ts';
import { findGroup, type GroupDeps, replyWithGroup } from './read-groups.ts';

export type SaveGroupDeps = GroupDeps & SeatDeps;

/** Items that a change of the group itself may need beside those of its members, in one transaction. */
const ROOM = 8;
const MAX_NAME = 200;
const MAX_EXTERNAL_ID = 200;

/**
 * Everything is checked first; the group comes before the seats, so that a rejected request gives no seats. If the
 * request dies after the group was created, its repetition is rejected as not unique; identity providers then find the
 * group by its name and send the members to it.
 */
export async function createGroup(deps: SaveGroupDeps, call: ScimCall): Promise<Members> {
  const { workspaceId, id: by } = call.provisioner;
  const { rest, change } = separateMembers([{ op: 'add', value: call.body }]);
  const wanted = wantedGroup(patched({}, rest, GROUP_TYPE));
  const newcomers = await usersWithoutSeat(deps, call, change.add);
  const at = deps.now().toISOString();
  const record = { id: call.newId, workspaceId, ...wanted, description: '', createdBy: by, updatedBy: by };
  const group = await unique(() => deps.groups.create({ ...record, createdAt: at, updatedAt: at, revision: 1 }));
  await giveSeats(deps, call, newcomers);
  await changeMembers(deps, call, group, change);
  return replyWithGroup(deps, call, group);
}

/** The group is as in the request: without members if it lists none. */
export function replaceGroup(deps: SaveGroupDeps, call: ScimCall): Promise<Members> {
  const { rest, change } = separateMembers([{ op: 'add', value: call.body }]);
  const resource = patched({}, rest, GROUP_TYPE);
  return save(deps, call, () => resource, { ...change, isReplaced: true });
}

export function patchGroup(deps: SaveGroupDeps, call: ScimCall): Promise<Members> {
  const { rest, change } = separateMembers(readOperations(call.body));
  return save(deps, call, (stored) => patched(stored, rest, GROUP_TYPE), change);
}

/**
 * Everything is checked before anything is written. A change that fits into one transaction is all or nothing. A larger
 * one is written in several, each of which can be repeated: if the request dies in between, it was not answered, and
 * its repetition writes the rest.
 */
async function save(
  deps: SaveGroupDeps,
  call: ScimCall,
  apply: (stored: Members) => Members,
  change: MemberChange,
): Promise<Members> {
  const seen = await findGroup(deps, call);
  await assertUnique(deps, seen, wantedGroup(apply(resourceOf(seen))));
  await giveSeats(deps, call, await usersWithoutSeat(deps, call, change.add));
  const group = await onNewest('STALE_WRITE', async () => {
    const current = await findGroup(deps, call);
    const wanted = wantedGroup(apply(resourceOf(current)));
    const isChanged = wanted.name !== current.name || wanted.externalId !== current.externalId;
    const batches = await batchesOf(deps, call, current, change);
    if (!isChanged) {
      for (const batch of batches) await deps.bulk.write(batch);
      return current;
    }
    const stamps = { updatedBy: call.provisioner.id, updatedAt: later(current.updatedAt, deps.now()) };
    const [first, ...others] = batches;
    const next = await unique(() => deps.groups.replace(current, { ...current, ...wanted, ...stamps }, first));
    for (const batch of others) await deps.bulk.write(batch);
    return next;
  });
  return replyWithGroup(deps, call, group);
}

const resourceOf = ({ name, externalId }: GroupRecord): Members => ({
  displayName: name,
  ...(externalId === null ? {} : { externalId }),
});

type Wanted = Pick<GroupRecord, 'name' | 'externalId'>;

function wantedGroup(resource: Members): Wanted {
  const { displayName, externalId = null } = resource as { displayName?: string; externalId?: string };
  const name = displayName?.replaceAll(/\p{Cc}+/gu, ' ').trim();
  if (!name) throw invalidValue('displayName is required.');
  if (name.length > MAX_NAME) throw invalidValue(`displayName is longer than ${MAX_NAME} characters.`);
  if (externalId !== null && externalId.length > MAX_EXTERNAL_ID)
    throw invalidValue(`externalId is longer than ${MAX_EXTERNAL_ID} characters.`);
  return { name, externalId };
}

/** The write checks it again; this check comes before the seats. */
async function assertUnique(
  { groups }: SaveGroupDeps,
  { id, workspaceId }: GroupRecord,
  { name, externalId }: Wanted,
): Promise<void> {
  const [named, external] = await Promise.all([
    groups.findNamed(workspaceId, name),
    externalId === null ? undefined : groups.findExternal(workspaceId, externalId),
  ]);
  if (named && named.id !== id) throw nameTaken();
  if (external && external.id !== id) throw externalIdTaken();
}

const nameTaken = (cause?: unknown) => uniqueness('Another group has this displayName.', cause);
const externalIdTaken = (cause?: unknown) => uniqueness('Another group has this externalId.', cause);

async function unique<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'GROUP_NAME_TAKEN') throw nameTaken(error);
    if (code === 'GROUP_EXTERNAL_ID_TAKEN') throw externalIdTaken(error);
    throw error;
  }
}

async function changeMembers(
  deps: SaveGroupDeps,
  call: ScimCall,
  group: GroupRecord,
  change: MemberChange,
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    for (const batch of await batchesOf(deps, call, group, change)) await deps.bulk.write(batch);
  });
}

async function batchesOf(
  deps: SaveGroupDeps,
  call: ScimCall,
  { workspaceId, id: groupId, name: groupName }: GroupRecord,
  { isReplaced, add, remove }: MemberChange,
) {
  const group = { workspaceId, groupId, groupName };
  const others = isReplaced ? (await deps.bulk.stored(group)).filter(({ userId }) => !add.has(userId)) : [];
  const members = await readMembers(deps.table, workspaceId, [...add]);
  const removed = isReplaced ? others.map(({ userId }) => userId) : [...remove];
  const change = { add: [...members.values()], remove: removed, by: call.provisioner.id, at: deps.now() };
  return deps.bulk.batches(group, change, ROOM);
}
