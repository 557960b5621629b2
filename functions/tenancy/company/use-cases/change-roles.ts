import { isTrustedAddress, type UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { CompanyRole } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CompanyRepository } from '../repository.ts';
import type { CompanyMember } from '../schemas.ts';

interface Deps {
  companies: CompanyRepository;
}

/**
 * Throws `COMPANY_MEMBER_NOT_FOUND`, `COMPANY_MEMBER_INACTIVE`, `EMAIL_UNCONFIRMED`, `PASSWORD_OF_ANOTHER`,
 * `LAST_COMPANY_ADMIN`.
 */
export function changeCompanyMember(
  { companies }: Deps,
  caller: Principal,
  command: { userId: string; companyRole: CompanyRole },
): Promise<CompanyMember> {
  const { userId, companyRole } = command;
  return onNewest('STALE_WRITE', async () => {
    const by = await callingAdmin(companies, caller);
    const user = await find(companies, caller, userId);
    if (user.companyRole === companyRole) return showMember(user);
    const setter = companyRole === 'company_admin' ? await requireEligible(companies, user) : undefined;
    const remaining = companyRole === 'member' ? await companies.anotherManager(user) : undefined;
    if (companyRole === 'member' && !remaining) throw new AppError('LAST_COMPANY_ADMIN');
    await companies.changeRole({ by, user, role: companyRole, remaining, setter });
    return showMember({ ...user, companyRole });
  });
}

/**
 * Handing the company over to oneself changes nothing. A person who cannot sign in yet can take it over only while
 * another admin can. Throws `COMPANY_MEMBER_NOT_FOUND`, `COMPANY_MEMBER_INACTIVE`, `EMAIL_UNCONFIRMED`,
 * `PASSWORD_OF_ANOTHER`, `LAST_COMPANY_ADMIN`.
 */
export function transferCompany(
  { companies }: Deps,
  caller: Principal,
  command: { userId: string },
): Promise<CompanyMember> {
  return onNewest('STALE_WRITE', async () => {
    const from = await callingAdmin(companies, caller);
    const to = await find(companies, caller, command.userId);
    if (to.id !== from.id) {
      const setter = await requireEligible(companies, to);
      const remaining = (await companies.asManager(to)) ?? (await companies.anotherManager(from));
      if (!remaining) throw new AppError('LAST_COMPANY_ADMIN');
      await companies.transfer(from, to, { remaining, setter });
    }
    return showMember({ ...to, companyRole: 'company_admin' });
  });
}

/**
 * Others may have given the address of the meant person to an account of their own, or know its password. Company
 * admins have the role already, so that a password of theirs takes nothing; returns the one who set the password, who
 * must still be one when the role is written.
 */
async function requireEligible(companies: CompanyRepository, user: UserRecord): Promise<UserRecord | undefined> {
  if (!isActive(user)) throw new AppError('COMPANY_MEMBER_INACTIVE');
  if (!isTrustedAddress(user)) throw new AppError('EMAIL_UNCONFIRMED');
  if (user.passwordSetBy === undefined) return undefined;
  const setter = await companies.user(user.passwordSetBy);
  if (setter?.companyId !== user.companyId || setter.companyRole !== 'company_admin' || !isActive(setter)) {
    throw new AppError('PASSWORD_OF_ANOTHER');
  }
  return setter;
}

/**
 * The caller as they are now; the conditions of the write repeat it. Throws `FORBIDDEN` if they are no company admin
 * any more.
 */
async function callingAdmin(companies: CompanyRepository, caller: Principal): Promise<UserRecord> {
  const by = await find(companies, caller, caller.userId);
  if (by.companyRole !== 'company_admin' || !isActive(by)) throw new AppError('FORBIDDEN');
  return by;
}

async function find(companies: CompanyRepository, { companyId }: Principal, userId: string): Promise<UserRecord> {
  const user = await companies.user(userId);
  if (user?.companyId !== companyId) throw new AppError('COMPANY_MEMBER_NOT_FOUND');
  return user;
}

const isActive = ({ active }: UserRecord): boolean => active !== false;

export function showMember(user: UserRecord): CompanyMember {
  const { id: userId, email, name, companyRole, createdAt } = user;
  return { userId, email, name, companyRole, active: isActive(user), createdAt };
}
