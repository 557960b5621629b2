import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ScimCall } from '../protocol/chain.ts';
import { type ListQuery, listReply, readListQuery } from '../protocol/list.ts';
import type { Members } from '../protocol/values.ts';
import { type GroupDeps, groupsOfPage, listGroups, showGroups } from './read-groups.ts';
import { idsOfPage, listUsers, usersAt } from './read-users.ts';

/** Parameters of a search come in the body instead of the query (RFC 7644, section 3.4.3). */
export const searchQuery = ({ body }: ScimCall): ListQuery =>
  readListQuery(Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])));

export const searchUsers = (deps: GroupDeps, call: ScimCall): Promise<Members> =>
  listUsers(deps, call, searchQuery(call));

export const searchGroups = (deps: GroupDeps, call: ScimCall): Promise<Members> =>
  listGroups(deps, call, searchQuery(call));

/** Resources of all types: users first. A type that the filter cannot be applied to has no match. */
export async function searchAll(deps: GroupDeps, call: ScimCall): Promise<Members> {
  const query = searchQuery(call);
  const { startIndex, count } = query;
  const users = await orUnsupported(idsOfPage(deps, call, query));
  const shown = 'unsupported' in users ? { ids: [], total: 0 } : users;
  // Groups continue the list after the last user.
  const page = { ...query, startIndex: Math.max(1, startIndex - shown.total), count: count - shown.ids.length };
  const groups = await orUnsupported(groupsOfPage(deps, call, page));
  if ('unsupported' in users && 'unsupported' in groups) throw users.unsupported;
  const found = 'unsupported' in groups ? { groups: [], total: 0 } : groups;
  const resources = [
    ...(await usersAt(deps, call, shown.ids, query)),
    ...(await showGroups(deps, call, found.groups, query)),
  ];
  return listReply(resources, shown.total + found.total, startIndex);
}

async function orUnsupported<T extends object>(search: Promise<T>): Promise<T | { unsupported: AppError }> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SCIM_INVALID_FILTER') return { unsupported: error };
    throw error;
  }
}
