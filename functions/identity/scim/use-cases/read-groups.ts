import {
  type BulkMemberships,
  type GroupMemberships,
  type GroupRecord,
  type GroupRepository,
  groupIdsOf,
} from '../../../../shared/domains/tenancy/groups/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { jsonBytes, MAX_PAGE_BYTES } from '../../../../shared/platform/storage/page.ts';
import { GROUP_TYPE } from '../protocol/attributes.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { notFound } from '../protocol/errors.ts';
import { parseFilter } from '../protocol/filter.ts';
import { type ListQuery, listReply, readSelection } from '../protocol/list.ts';
import { type Selection, selecting } from '../protocol/selection.ts';
import { isId, type Members } from '../protocol/values.ts';
import { searchOf } from './find-resources.ts';
import { showGroup, showMembers } from './group-resource.ts';
import type { UserDeps } from './read-users.ts';

export interface GroupDeps extends UserDeps {
  groups: GroupRepository;
  memberships: GroupMemberships;
  bulk: BulkMemberships;
}

const PLACES = ['displayName', 'externalId', 'id', 'members.value'];
/** A reply to a change leaves out the members of larger groups, so that its cost does not depend on their number. */
const MAX_MEMBERS_OF_CHANGE = 200;

export async function findGroup(deps: GroupDeps, { provisioner, params }: ScimCall): Promise<GroupRecord> {
  const group = await deps.groups.get(provisioner.workspaceId, params.id!);
  if (!group) throw notFound('group', params.id!);
  return group;
}

export async function getGroup(deps: GroupDeps, call: ScimCall): Promise<Members> {
  return (await showGroups(deps, call, [await findGroup(deps, call)], readSelection(call.query)))[0]!;
}

/** The reply to a change. */
export async function replyWithGroup(deps: GroupDeps, call: ScimCall, group: GroupRecord): Promise<Members> {
  const selection = readSelection(call.query);
  const { workspaceId, id: groupId } = group;
  const isLarge = (await deps.memberships.count({ workspaceId, groupId })) > MAX_MEMBERS_OF_CHANGE;
  const isNamed = selection.attributes !== undefined;
  return (
    await showGroups(deps, call, [group], isLarge && !isNamed ? { excludedAttributes: 'members' } : selection)
  )[0]!;
}

export async function listGroups(deps: GroupDeps, call: ScimCall, query: ListQuery): Promise<Members> {
  const { groups, total } = await groupsOfPage(deps, call, query);
  return listReply(await showGroups(deps, call, groups, query), total, query.startIndex);
}

/** The groups of one page and the number of all groups that match. */
export async function groupsOfPage(
  deps: GroupDeps,
  call: ScimCall,
  { filter, startIndex, count }: Pick<ListQuery, 'filter' | 'startIndex' | 'count'>,
): Promise<{ groups: GroupRecord[]; total: number }> {
  const offset = startIndex - 1;
  if (filter !== undefined) {
    const found = await groupsMatching(deps, call, filter);
    return { groups: found.slice(offset, offset + count), total: found.length };
  }
  const { workspaceId } = call.provisioner;
  const { total } = await deps.groups.list(workspaceId, { limit: 1, offset: 0 });
  if (count === 0 || offset >= total) return { groups: [], total };
  const page = await deps.groups.list(workspaceId, { limit: count, offset, sort: 'createdAt' });
  return { groups: page.items, total: page.total };
}

async function groupsMatching(deps: GroupDeps, { provisioner }: ScimCall, filter: string): Promise<GroupRecord[]> {
  const { workspaceId } = provisioner;
  const { keys, matches } = searchOf(parseFilter(filter), GROUP_TYPE, PLACES);
  const member = keys.get('members.value');
  const idsOfMember = member === undefined ? undefined : await groupIdsOfUser(deps, workspaceId, member);
  const groups = await candidates(deps, workspaceId, keys, idsOfMember);
  return groups
    .filter((group) => {
      const members = idsOfMember?.includes(group.id) ? [{ value: member }] : [];
      return matches({ id: group.id, displayName: group.name, externalId: group.externalId ?? undefined, members });
    })
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || (a.id < b.id ? -1 : 1));
}

async function groupIdsOfUser({ table }: GroupDeps, workspaceId: string, userId: string): Promise<string[]> {
  const person = isId(userId) ? (await readMembers(table, workspaceId, [userId])).get(userId) : undefined;
  return person ? groupIdsOf(table, person) : [];
}

async function candidates(
  { groups }: GroupDeps,
  workspaceId: string,
  keys: ReadonlyMap<string, string>,
  idsOfMember: readonly string[] | undefined,
): Promise<GroupRecord[]> {
  const [id, name, externalId] = [keys.get('id'), keys.get('displayName'), keys.get('externalId')];
  const present = (group: GroupRecord | undefined) => (group ? [group] : []);
  if (id !== undefined) return isId(id) ? present(await groups.get(workspaceId, id)) : [];
  if (name !== undefined) return present(await groups.findNamed(workspaceId, name));
  if (externalId !== undefined) return present(await groups.findExternal(workspaceId, externalId));
  return groups.getMany(workspaceId, idsOfMember ?? []);
}

/** A page ends earlier if it would be too large; its `itemsPerPage` says where the next one starts. */
export async function showGroups(
  deps: GroupDeps,
  { baseUrl }: ScimCall,
  groups: readonly GroupRecord[],
  selection: Selection,
): Promise<Members[]> {
  const select = selecting(GROUP_TYPE, selection);
  const shown: Members[] = [];
  let bytes = 0;
  // One after the other: the members of a hundred large groups would not fit into memory, or one reply, together.
  for (const group of groups) {
    const members = select.includes('members') ? await showMembers(deps, group, baseUrl) : [];
    const resource = select(showGroup(group, members, baseUrl));
    bytes += jsonBytes(resource);
    if (bytes > MAX_PAGE_BYTES && shown.length > 0) break;
    shown.push(resource);
  }
  return shown;
}
