import type { StoredRecord } from '../../../platform/storage/stored-record.ts';

/** Groups and their members as stored. */
export interface GroupRecord extends StoredRecord {
  name: string;
  description: string;
  /** The id that an identity provider knows the group by. */
  externalId: string | null;
  createdBy: string;
  updatedBy: string;
  revision: number;
}

export interface GroupMembership {
  groupId: string;
  userId: string;
  addedBy: string;
  addedAt: string;
  /**
   * The membership in the workspace that it was made under. It counts only as long as the person has that one, so that
   * a person who is removed from the workspace leaves every group at once.
   */
  membershipId: string;
}

/** A person as a member of a workspace. */
export interface Person {
  workspaceId: string;
  userId: string;
  membershipId?: string | undefined;
}
