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

/** A member as stored. */
export interface StoredMember extends MemberRecord {
  /** Absent where the membership is from before there were ids. */
  membershipId?: string | undefined;
}

/** A new membership. */
export interface NewMember extends MemberRecord {
  /**
   * Another one each time that a person is added: credentials belong to the membership that they were made under. Memberships
   * from before there were ids have none, like the credentials made under them.
   */
  membershipId: string;
}
