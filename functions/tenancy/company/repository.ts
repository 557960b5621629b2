import {
  anotherManager,
  type CompanyManager,
  hasSignIn,
  stillManager,
} from '../../../shared/domains/identity/identity-providers/index.ts';
import {
  type CompanyRecord,
  changeCompanyRole,
  listEarlier,
  listUsers,
  listWorkspaces,
  membershipsOf,
  readCompany,
  readUser,
  renameCompany,
  stillCompanyAdmin,
  transferCompany,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { deleteCompany, restoreCompany } from '../../../shared/domains/upkeep/deletions/index.ts';
import type { CompanyRole } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

interface List<T> {
  items: T[];
  total: number;
}

interface Range {
  limit: number;
  offset: number;
}

export interface CompanyRepository {
  company(id: string): Promise<CompanyRecord>;
  /** Throws `STALE_WRITE` if the company has changed. */
  rename(company: CompanyRecord, name: string, at: Date): Promise<CompanyRecord>;
  /** Throws `STALE_WRITE` if the company has changed. */
  delete(caller: Principal, company: CompanyRecord, terms: { at: Date; deletesAt: string }): Promise<CompanyRecord>;
  /** Returns false if the company is being erased. */
  restore(company: CompanyRecord, at: Date): Promise<boolean>;
  workspaces(caller: Principal, page?: Range): Promise<List<WorkspaceRecord>>;
  users(caller: Principal, page?: Range): Promise<List<UserRecord>>;
  user(id: string): Promise<UserRecord | undefined>;
  /** A company admin who can take the place of the user. */
  anotherManager(user: UserRecord): Promise<CompanyManager | undefined>;
  /** Whether the user has something to sign in with, and a workspace to sign in to. */
  asManager(user: UserRecord): Promise<CompanyManager | undefined>;
  /** For the admin `by`, who must still be one, like `remaining`. Throws `STALE_WRITE` if any of them has changed. */
  changeRole(change: {
    by: UserRecord;
    user: UserRecord;
    role: CompanyRole;
    remaining: CompanyManager | undefined;
  }): Promise<void>;
  /** Throws `STALE_WRITE` if any of them has changed. */
  transfer(from: UserRecord, to: UserRecord, remaining: CompanyManager | undefined): Promise<void>;
}

export function companyRepository(table: Table): CompanyRepository {
  const company = async (id: string) => {
    const found = await readCompany(table, id);
    if (!found) throw new AppError('UNAUTHENTICATED');
    return found;
  };
  /** The lists of a company from before there were lists are completed first. */
  const listed = async ({ companyId, userId }: Principal) => {
    await listEarlier(table, await company(companyId), userId);
    return companyId;
  };
  return {
    company,
    rename: (record, name, at) => renameCompany(table, record, name, at),
    delete: async (caller, record, terms) => {
      await listed(caller);
      return deleteCompany(table, record, terms);
    },
    restore: (record, at) => restoreCompany(table, record, at),
    workspaces: async (caller, page) => listWorkspaces(table, await listed(caller), page),
    users: async (caller, page) => listUsers(table, await listed(caller), page),
    user: (id) => readUser(table, id),
    anotherManager: (user) => anotherManager(table, user),
    async asManager(user) {
      const [membership] = (await hasSignIn(table, user)) ? await membershipsOf(table, user.id) : [];
      return membership && { user, workspaceId: membership.workspaceId };
    },
    changeRole({ by, user, role, remaining }) {
      const isOther = by.id !== user.id && by.id !== remaining?.user.id;
      return changeCompanyRole(table, user, role, [
        ...(remaining ? stillManager(table, remaining) : []),
        ...(isOther ? [stillCompanyAdmin(table, by)] : []),
      ]);
    },
    transfer: (from, to, remaining) =>
      transferCompany(table, from, to, remaining && remaining.user.id !== to.id ? stillManager(table, remaining) : []),
  };
}
