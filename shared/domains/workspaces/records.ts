import type { CompanyRole, Role } from '../../platform/auth/permissions.ts';

/** Records of companies, people and workspaces, as stored. Several groups and workers read them. */
export interface UserRecord {
  id: string;
  companyId: string;
  companyRole: CompanyRole;
  email: string;
  name: string;
  /** scrypt text, see `shared/platform/auth/password.ts`; absent for someone who signs in elsewhere. */
  passwordHash?: string;
  active: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface WorkspaceRecord {
  id: string;
  companyId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export interface MemberRecord {
  workspaceId: string;
  userId: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: string;
  revision: number;
}
