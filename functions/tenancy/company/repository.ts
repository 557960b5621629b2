import {
  anotherManager,
  type CompanyManager,
  hasSignIn,
  stillManager,
} from '../../../shared/domains/identity/identity-providers/index.ts';
import {
  type CompanyRecord,
  changeCompanyRole,
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
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';

interface List<T> {
  items: T[];
  total: number;
}

interface Range {
  limit: number;
  offset: number;
}

/** Company admins on whom a change of roles depends. */
interface OtherAdmins {
  /** Who keeps the company manageable. */
  remaining: CompanyManager | undefined;
  /** Who typed the password of the new admin. */
  setter: UserRecord | undefined;
}

export interface CompanyRepository {
  company(id: string): Promise<CompanyRecord>;
  /** Throws `STALE_WRITE` if the company has changed. */
  rename(company: CompanyRecord, name: string, at: Date): Promise<CompanyRecord>;
  /** Throws `STALE_WRITE` if the company has changed. */
  delete(company: CompanyRecord, terms: { at: Date; deletesAt: string }): Promise<CompanyRecord>;
  /** Returns false if the company is being erased. */
  restore(company: CompanyRecord, at: Date): Promise<boolean>;
  workspaces(caller: Principal, page?: Range): Promise<List<WorkspaceRecord>>;
  users(caller: Principal, page?: Range): Promise<List<UserRecord>>;
  user(id: string): Promise<UserRecord | undefined>;
  /** A company admin who can take the place of the user. */
  anotherManager(user: UserRecord): Promise<CompanyManager | undefined>;
  /** Whether the user has something to sign in with, and a workspace to sign in to. */
  asManager(user: UserRecord): Promise<CompanyManager | undefined>;
  /** For the admin `by`, who must still be one, like the others. Throws `STALE_WRITE` if any of them has changed. */
  changeRole(change: { by: UserRecord; user: UserRecord; role: CompanyRole } & OtherAdmins): Promise<void>;
  /** Throws `STALE_WRITE` if any of them has changed. */
  transfer(from: UserRecord, to: UserRecord, others: OtherAdmins): Promise<void>;
}

export function companyRepository(table: Table): CompanyRepository {
  const company = async (id: string) => {
    const found = await readCompany(table, id);
    if (!found) throw new AppError('UNAUTHENTICATED');
    return found;
  };
  return {
    company,
    rename: (record, name, at) => renameCompany(table, record, name, at),
    delete: (record, terms) => deleteCompany(table, record, terms),
    restore: (record, at) => restoreCompany(table, record, at),
    workspaces: ({ companyId }, page) => listWorkspaces(table, companyId, page),
    users: ({ companyId }, page) => listUsers(table, companyId, page),
    user: (id) => readUser(table, id),
    anotherManager: (user) => anotherManager(table, user),
    async asManager(user) {
      const [membership] = (await hasSignIn(table, user)) ? await membershipsOf(table, user.id) : [];
      return membership && { user, workspaceId: membership.workspaceId };
    },
    changeRole: ({ by, user, role, ...others }) =>
      changeCompanyRole(table, user, role, stillAdmins(table, [user], { ...others, by })),
    transfer: (from, to, others) => transferCompany(table, from, to, stillAdmins(table, [from, to], others)),
  };
}

/** A transaction has one item for each record: those of the changed people have conditions of their own. */
function stillAdmins(
  table: Table,
  changed: readonly UserRecord[],
  { remaining, setter, by }: OtherAdmins & { by?: UserRecord },
): TransactItem[] {
  const isChanged = ({ id }: UserRecord) => changed.some((user) => user.id === id);
  const kept = remaining && !isChanged(remaining.user) ? remaining : undefined;
  const others = new Map([by, setter].flatMap((user) => (user ? [[user.id, user] as const] : [])));
  return [
    ...(kept ? stillManager(table, kept) : []),
    ...[...others.values()]
      .filter((user) => !isChanged(user) && user.id !== kept?.user.id)
      .map((user) => stillCompanyAdmin(table, user)),
  ];
}
