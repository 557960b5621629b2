import type { CompanyRole, KeyScope, Role, Switch } from './permissions.ts';

/** An object that a key may be limited to. */
export interface ObjectReference {
  type: string;
  id: string;
}

/** A share link or an embed token, whose readers are not members: what they see follows from the link alone. */
export interface LinkReading {
  type: 'share' | 'embed';
  attributes: Readonly<Record<string, string | readonly string[]>>;
}

/** The authenticated caller. The workspace of a request comes from here only. */
export interface Principal {
  kind: 'user' | 'apiKey';
  /** The user; for an API key, the user who created it, or its service account. */
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
  /** The time zone of the workspace; absent if it has none. */
  timezone?: string | undefined;
  /** The switches that are on for the caller. */
  switches?: readonly Switch[] | undefined;
  /** The membership that the credential was made under; absent for service accounts and the readers of links. */
  membershipId?: string | undefined;
  /** The service account that the API key belongs to, which is then the `userId` too. */
  serviceAccountId?: string | undefined;
  /** The only objects that the API key reaches; absent for all. */
  resources?: readonly ObjectReference[] | undefined;
  /** Present for the readers of a link, who have no role, and only these attributes. */
  link?: LinkReading | undefined;
  /** The person's name, or that of the API key, as it is now. */
  name?: string | undefined;
  /** The email of the person; for an API key, of the one who created it, unless it belongs to a service account. */
  email?: string | undefined;
}
