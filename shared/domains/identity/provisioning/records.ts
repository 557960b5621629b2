import type { UserRecord } from '../../tenancy/workspaces/index.ts';

/** A credential of an identity provider, which provisions the people of a company and the groups of one workspace. */
export interface ScimToken {
  id: string;
  companyId: string;
  workspaceId: string;
  name: string;
  /** The start of the value, to recognize it by. */
  prefix: string;
  digest: string;
  createdBy: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Who provisions: a token with its scope. */
export type Provisioner = Pick<ScimToken, 'id' | 'name' | 'companyId' | 'workspaceId'>;

/** What the identity provider has sent of a user, and where to find the user by it. */
export interface Profile {
  /** By attribute names of SCIM, without `userName`, which is the user's. */
  resource: Record<string, unknown>;
  externalId: string | null;
  /** Contact addresses, folded; also the keys of the items that lead to the user. */
  contacts: string[];
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** A user of the company. Only those whom an identity provider has written have a profile. */
export interface ProvisionedUser {
  user: UserRecord;
  profile: Profile | undefined;
}

/** A user as an identity provider wants it. */
export interface WantedUser {
  userName: string;
  name: string;
  isActive: boolean;
  externalId: string | null;
  contacts: readonly string[];
  resource: Record<string, unknown>;
}
