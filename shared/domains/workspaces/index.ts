/** The public API of this domain; everything else is internal. */
export { actOf } from './account-act.ts';
export {
  countMembers,
  createCompany,
  listUser,
  putMember,
  putUser,
  putWorkspace,
  readWorkspace,
  removeMemberItems,
} from './accounts.ts';
export { Attributes, attributeIssues } from './attributes.ts';
export { directoryKey, emailKey, memberKey, membershipKey, sessionKey, userRecordKey } from './keys.ts';
export {
  attributesOf,
  type MemberAttributes,
  putMemberAttributes,
  readMemberAttributes,
  removeMemberAttributes,
} from './member-attributes.ts';
export { memberObject, readMembers, sameMembership, stillMember, toStoredMember } from './members.ts';
export { endMembershipsBefore, membershipsOf, showInMemberships } from './memberships.ts';
export type { MemberRecord, NewMember, StoredMember, UserRecord, WorkspaceRecord } from './records.ts';
export { resetSecondFactor, SECOND_FACTOR } from './second-factor.ts';
export { type ServiceAccount, serviceAccountRepository } from './service-accounts.ts';
export { readUser, readUserByEmail } from './users.ts';
