import type { UserRecord } from '../../../shared/domains/workspaces/index.ts';
import type { CompanyRole } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { CompanyRepository } from '../repository.ts';
import type { CompanyMember } from '../schemas.ts';

interface Deps {
  companies: CompanyRepository;
}

/** Throws `COMPANY_MEMBER_NOT_FOUND`, `COMPANY_MEMBER_INACTIVE`, `LAST_COMPANY_ADMIN`. */
export function changeCompanyMember(
  { companies }: Deps,
  caller: Principal,
  command: { userId: string; companyRole: CompanyRole },
): Promise<CompanyMember> {
  const { userId, companyRole } = command;
  return onNewest('STALE_WRITE', async () => {
    const user = await find(companies, caller, userId);
    if (user.companyRole === companyRole) return shownMember(user);
    if (companyRole === 'company_admin' && !isActive(user)) throw new AppError('COMPANY_MEMBER_INACTIVE');
    const remaining = companyRole === 'member' ? await anotherAdmin(companies, caller, user) : undefined;
    await companies.changeRole(user, companyRole, remaining);
    return shownMember({ ...user, companyRole });
  });
}

/** Handing the company over to oneself changes nothing. Throws `COMPANY_MEMBER_NOT_FOUND`, `COMPANY_MEMBER_INACTIVE`. */
export function transferCompany(
  { companies }: Deps,
  caller: Principal,
  command: { userId: string },
): Promise<CompanyMember> {
  return onNewest('STALE_WRITE', async () => {
    const from = await find(companies, caller, caller.userId);
    const to = await find(companies, caller, command.userId);
    if (!isActive(to)) throw new AppError('COMPANY_MEMBER_INACTIVE');
    if (to.id !== from.id) await companies.transfer(from, to);
    return shownMember({ ...to, companyRole: 'company_admin' });
  });
}

/** The condition of the write repeats that this person is an active admin. */
async function anotherAdmin(companies: CompanyRepository, caller: Principal, user: UserRecord): Promise<UserRecord> {
  const { items } = await companies.users(caller);
  const another = items.find((each) => each.id !== user.id && each.companyRole === 'company_admin' && isActive(each));
  if (!another) throw new AppError('LAST_COMPANY_ADMIN');
  return another;
}

async function find(companies: CompanyRepository, { companyId }: Principal, userId: string): Promise<UserRecord> {
  const user = await companies.user(userId);
  if (user?.companyId !== companyId) throw new AppError('COMPANY_MEMBER_NOT_FOUND');
  return user;
}

const isActive = ({ active }: UserRecord): boolean => active !== false;

export function shownMember(user: UserRecord): CompanyMember {
  const { id: userId, email, name, companyRole, createdAt } = user;
  return { userId, email, name, companyRole, active: isActive(user), createdAt };
}
