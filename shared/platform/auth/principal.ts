import type { CompanyRole, KeyScope, Role } from './permissions.ts';

/** Who is calling, after authentication. The workspace comes from here and from nowhere else. */
export interface Principal {
  kind: 'user' | 'apiKey';
  /** The user, or for an API key the user who made it. */
  userId: string;
  companyId: string;
  companyRole: CompanyRole;
  workspaceId: string;
  role: Role;
  /** Null for a signed-in user. */
  scope: KeyScope | null;
  /** The sign-in (refresh family) of a user, the key's id of an API key. */
  credentialId: string;
  /** The membership that the credential was made under; absent where the membership has no id. */
  membershipId?: string | undefined;
}
