import type { ObjectType } from './object-kinds.ts';

export const GRANTEE_TYPES = ['user', 'group'] as const;

export interface Grantee {
  granteeType: (typeof GRANTEE_TYPES)[number];
  granteeId: string;
}

export interface ObjectRef {
  workspaceId: string;
  type: ObjectType;
  id: string;
}

/** A grant as stored: below its object, and below its grantee. */
export interface StoredGrant extends Grantee {
  /** Another one with each change, which tells two changes apart. */
  id: string;
  objectType: ObjectType;
  objectId: string;
  level: string;
  grantedBy: string;
  grantedAt: string;
  /** The membership of a user, without which the grant does not count; absent for a group. */
  membershipId?: string;
}

/** A grant with the name of its grantee, and the email address of a user. */
export interface Access extends Grantee {
  name: string;
  email: string | null;
  level: string;
  grantedBy: string;
  grantedAt: string;
}
