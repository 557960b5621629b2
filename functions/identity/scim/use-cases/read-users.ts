import {
  type ProvisionedUser,
  type ProvisionedUsers,
  scimResource,
} from '../../../../shared/domains/identity/provisioning/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { USER_TYPE } from '../protocol/attributes.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { notFound } from '../protocol/errors.ts';
import { type Filter, parseFilter } from '../protocol/filter.ts';
import { type ListQuery, listReply, readSelection } from '../protocol/list.ts';
import { type Select, type Selection, selecting } from '../protocol/selection.ts';
import { isId, type Members } from '../protocol/values.ts';
import { searchOf } from './find-resources.ts';
import { groupsOfUsers, showUser } from './user-resource.ts';

export interface UserDeps {
  table: Table;
  usersOf(companyId: string): ProvisionedUsers;
  now(): Date;
}

const PLACES = ['userName', 'externalId', 'emails.value', 'id'];

export async function findUser(deps: UserDeps, { provisioner, params }: ScimCall): Promise<ProvisionedUser> {
  const found = await deps.usersOf(provisioner.companyId).get(params.id!);
  if (!found) throw notFound('user', params.id!);
  return found;
}

export async function getUser(deps: UserDeps, call: ScimCall): Promise<Members> {
  return replyWith(deps, call, await findUser(deps, call));
}

/** The resource of a user, with the attributes that the request asks for. */
export async function replyWith(deps: UserDeps, call: ScimCall, user: ProvisionedUser): Promise<Members> {
  return (await showUsers(deps, call, [user], readSelection(call.query)))[0]!;
}

/** What the query asks for of a user. */
export const selectionOf = ({ query }: ScimCall): Select => selecting(USER_TYPE, readSelection(query));

export async function listUsers(deps: UserDeps, call: ScimCall, query: ListQuery): Promise<Members> {
  const { ids, total } = await idsOfPage(deps, call, query);
  return listReply(await usersAt(deps, call, ids, query), total, query.startIndex);
}

/** The ids of one page and the number of all users that match. */
export async function idsOfPage(
  deps: UserDeps,
  { provisioner }: ScimCall,
  { filter, startIndex, count }: Pick<ListQuery, 'filter' | 'startIndex' | 'count'>,
): Promise<{ ids: readonly string[]; total: number }> {
  const users = deps.usersOf(provisioner.companyId);
  const ids: readonly string[] =
    filter === undefined ? await users.ids() : await idsMatching(users, parseFilter(filter));
  return { ids: ids.slice(startIndex - 1, startIndex - 1 + count), total: ids.length };
}

async function idsMatching(users: ProvisionedUsers, filter: Filter): Promise<string[]> {
  const { keys, matches } = searchOf(filter, USER_TYPE, PLACES);
  const candidates = await users.getMany(await candidateIds(users, keys));
  return candidates
    .filter((each) => matches({ ...scimResource(each), id: each.user.id }))
    .sort((a, b) => a.user.createdAt.localeCompare(b.user.createdAt) || (a.user.id < b.user.id ? -1 : 1))
    .map(({ user }) => user.id);
}

/** By the narrowest comparison; the others are checked with the users at hand. */
async function candidateIds(users: ProvisionedUsers, keys: ReadonlyMap<string, string>): Promise<string[]> {
  const [id, userName, externalId] = [keys.get('id'), keys.get('userName'), keys.get('externalId')];
  if (id !== undefined) return isId(id) ? [id] : [];
  if (userName !== undefined) return present(await users.idNamed(userName));
  if (externalId !== undefined) return present(await users.idOfExternal(externalId));
  return users.idsWithContact(keys.get('emails.value')!);
}

const present = (id: string | undefined): string[] => (id === undefined ? [] : [id]);

export async function usersAt(
  deps: UserDeps,
  call: ScimCall,
  ids: readonly string[],
  selection: Selection,
): Promise<Members[]> {
  return showUsers(deps, call, await deps.usersOf(call.provisioner.companyId).getMany(ids), selection);
}

async function showUsers(
  deps: UserDeps,
  { provisioner, baseUrl }: ScimCall,
  users: readonly ProvisionedUser[],
  selection: Selection,
): Promise<Members[]> {
  const select: Select = selecting(USER_TYPE, selection);
  const ids = users.map(({ user }) => user.id);
  const groups = select.includes('groups')
    ? await groupsOfUsers(deps.table, provisioner.workspaceId, ids, baseUrl)
    : new Map<string, Members[]>();
  return users.map((each) => select(showUser(each, groups.get(each.user.id) ?? [], baseUrl)));
}
