import type { CompanyRole, KeyScope, Role } from './permissions.ts';

/** The authenticated caller. The workspace of a request comes from here only. */
export interface Principal {
  kind: 'user' | 'apiKey';
  /** The user; for an API key, the user who created it. */
  userId: string;
  companyId: string;
  companyRole: CompanyRole;
  workspaceId: string;
  role: Role;
  /** Null for a signed-in user. */
  scope: KeyScope | null;
  /** The id of the sign-in (refresh token family), or of the API key. */
  credentialId: string;
  /** Present while the workspace is deleted and can be restored: the caller may do nothing else there. */
  isSuspended?: true;
  /** The membership that the credential was made under; absent where the membership has no id. */
  membershipId?: string | undefined;
}
