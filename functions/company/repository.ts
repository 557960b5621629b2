import { deleteCompany, restoreCompany } from '../../shared/domains/deletions/index.ts';
import {
  type CompanyRecord,
  changeCompanyRole,
  listEarlier,
  listUsers,
  listWorkspaces,
  readCompany,
  readUser,
  renameCompany,
  transferCompany,
  type UserRecord,
  type WorkspaceRecord,
} from '../../shared/domains/workspaces/index.ts';
import type { CompanyRole } from '../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../shared/platform/auth/principal.ts';
import { AppError } from '../../shared/platform/errors/app-error.ts';
import type { Table } from '../../shared/platform/storage/table.ts';

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
  /** `remaining` must still be an active admin. Throws `STALE_WRITE` if either has changed. */
  changeRole(user: UserRecord, role: CompanyRole, remaining: UserRecord | undefined): Promise<void>;
  /** Throws `STALE_WRITE` if either has changed. */
  transfer(from: UserRecord, to: UserRecord): Promise<void>;
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
    changeRole: (user, role, remaining) => changeCompanyRole(table, user, role, remaining),
    transfer: (from, to) => transferCompany(table, from, to),
  };
}
