import type { CompanyRole, Role } from '../../../platform/auth/permissions.ts';

/** Users, workspaces and members as stored. */
export interface UserRecord {
  id: string;
  companyId: string;
  companyRole: CompanyRole;
  email: string;
  name: string;
  /**
   * An Argon2id hash (`shared/platform/auth/password.ts`); absent for users of an identity
   * provider.
   */
  passwordHash?: string;
  /**
   * The admin who typed the password for the user, or could have; absent once the owner of the mailbox has chosen one.
   * A person who knew the password may have changed it.
   */
  passwordSetBy?: string;
  /** Present if the password that an admin typed was changed, by a person who knew it. */
  hasOwnPassword?: true;
  /** Present while the address is one that others have given to the account. */
  addressChange?: AddressChange;
  /** BCP 47, such as `de-CH`; absent until chosen. */
  language?: string;
  /** IANA, such as `Europe/Zurich`; absent until chosen. */
  timeZone?: string;
  /**
   * Sign-ins of another epoch have ended, but for the kept one. A change of the password begins a new epoch, so that
   * one write ends them all, also those that another request is creating with the old password.
   */
  signInEpoch?: string;
  keptSessionId?: string;
  /** The encrypted secret of the user's authenticator app; present while the second factor is on. */
  sealedTotp?: string;
  /** The 30-second step of the last accepted code: each code works once. */
  totpStep?: number;
  /** The encrypted secret of an app that is being set up. */
  sealedPendingTotp?: string;
  /** When that secret expires. */
  pendingTotpUntil?: string;
  /** Digests of the recovery codes that are left. */
  recoveryDigests?: Set<string>;
  /** The number of passkeys; absent while there was none. */
  passkeys?: number;
  active: boolean;
  /**
   * When an identity provider deactivated the last person who can manage the company. Every sign-in and key has ended,
   * but the account can sign in again, so that the company is not locked out; the identity provider sees it as
   * inactive.
   */
  heldAt?: string;
  /** API keys that the user made before have ended for good; set when the user is deactivated. */
  credentialsEndedAt?: string;
  /**
   * Passkeys and identities of identity providers from until then have ended for good; set when an identity provider
   * removes the user, because the account may come back for another person, and when its person takes it over from
   * those who may know the password.
   */
  identitiesEndedAt?: string;
  /**
   * When an identity provider removed the user from the company. The account waits in case that the person comes back.
   */
  removedAt?: string;
  createdAt: string;
  updatedAt: string;
  /** Counts changes of the profile; absent while there were none. */
  revision?: number;
}

/**
 * A change of an account's address by others, such as an identity provider that renames a person. What is sent to the
 * new address could give the account away, so it is trusted for nothing until the person has confirmed it: in a
 * sign-in, or from the address before.
 */
export interface AddressChange {
  /** The last address that the person had confirmed or proven. */
  from: string;
  /** Whether its mailbox had proven to be the person's. */
  isFromProven: boolean;
  /**
   * Whether the person has confirmed the present address. That proves who has the account, not who has the mailbox: the
   * first mail that is answered from there, or the first single sign-on with the address, proves that, and ends the
   * change.
   */
  isConfirmed: boolean;
}

export interface WorkspaceRecord {
  id: string;
  companyId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
  /** Domains whose addresses may get dashboards by email without being members; none if absent. */
  deliveryDomains?: readonly string[];
  /** IANA; UTC if absent. */
  timezone?: string | null;
  /** Whether viewers may get dashboards as files; they may if absent. */
  viewersMayExport?: boolean;
  /** Who may write comments; everyone who sees an object if absent. */
  comments?: 'everyone' | 'editors' | 'off';
  /** Whether stories need an approved review to be published; they do not if absent. */
  storyReview?: 'off' | 'advise' | 'require';
  /** The group whose members certify objects and organize the catalog, besides admins; none if absent. */
  certifierGroupId?: string | null;
  /** Whether names and descriptions may go to the embedding model, for searches by meaning; they may not if absent. */
  searchByMeaning?: boolean;
  /** The users to notify of failed runs of pipelines that name nobody, and the address of the API for their mails. */
  failureMail?: { userIds: readonly string[]; apiUrl: string };
  /** Whether viewers may run SQL; they may not if absent. */
  viewersMayQuery?: boolean;
  /** Whether editors may upload files; they may if absent. */
  editorsMayUpload?: boolean;
  /** When everything is erased; present while the workspace is deleted and can be restored. */
  deletesAt?: string;
}

export interface CompanyRecord {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
  /** When everything is erased; present while the company is deleted and can be restored. */
  deletesAt?: string;
  /** How many workspaces it has, with those that are not erased yet. */
  workspaceCount: number;
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
  /** Another one each time that the person joins. */
  membershipId: string;
}

/** A member whose account may be deactivated: the membership stays, and none of its rights may be used. */
export interface WorkspacePerson extends StoredMember {
  isActive: boolean;
}

/** A new membership. */
export interface NewMember extends MemberRecord {
  /**
   * Another one each time that a person is added: credentials belong to the membership that they were made under.
   * Memberships from before there were ids have none, like the credentials made under them.
   */
  membershipId: string;
}
