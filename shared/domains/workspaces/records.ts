import type { CompanyRole, Role } from '../../platform/auth/permissions.ts';

/** Users, workspaces and members as stored. */
export interface UserRecord {
  id: string;
  companyId: string;
  companyRole: CompanyRole;
  email: string;
  name: string;
  /** A scrypt hash (`shared/platform/auth/password.ts`); absent for users of an identity provider. */
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
