import { isWantedPerson, showWorkspace, type Workspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { bySort, isFound } from '../../../../shared/platform/storage/list-request.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import type { CompanyRepository } from '../repository.ts';
import type { CompanyMember, CompanyMembersQuery, WorkspacesQuery } from '../schemas.ts';
import { showMember } from './change-roles.ts';

interface Deps {
  companies: CompanyRepository;
}

const isFiltered = (filters: object) => Object.keys(filters).length > 0;

/** The oldest first unless sorted. Filters and other orders read all workspaces of the company. */
export async function listWorkspaces(
  { companies }: Deps,
  caller: Principal,
  { limit, offset, ...filters }: WorkspacesQuery,
): Promise<PageOf<Workspace>> {
  const page = { limit, offset };
  if (!isFiltered(filters)) {
    const { items, total } = await companies.workspaces(caller, page);
    return { items: items.map(showWorkspace), total, ...page };
  }
  const { items } = await companies.workspaces(caller);
  const wanted = items.filter(
    ({ name }) => (filters.name === undefined || name === filters.name) && isFound(filters.search, [name]),
  );
  if (filters.sort) wanted.sort(bySort(filters.sort, ({ id }) => id));
  return pageOf(wanted, page, showWorkspace);
}

/** The oldest accounts first unless sorted. Filters and other orders read all people of the company. */
export async function listPeople(
  { companies }: Deps,
  caller: Principal,
  { limit, offset, ...filters }: CompanyMembersQuery,
): Promise<PageOf<CompanyMember>> {
  const page = { limit, offset };
  if (!isFiltered(filters)) {
    const { items, total } = await companies.users(caller, page);
    return { items: items.map(showMember), total, ...page };
  }
  const { companyRole, active, sort, ...person } = filters;
  const all = (await companies.users(caller)).items.map(showMember);
  const wanted = all.filter(
    (each) =>
      (companyRole === undefined || each.companyRole === companyRole) &&
      (active === undefined || each.active === active) &&
      isWantedPerson(each, person),
  );
  if (sort) wanted.sort(bySort(sort, ({ userId }) => userId));
  return pageOf(wanted, page, (each) => each);
}
