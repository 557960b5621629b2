/** The public API of this domain; everything else is internal. */
export { actOf } from './account-act.ts';
export {
  countMembers,
  createCompany,
  putMember,
  putUser,
  putWorkspace,
  readWorkspace,
  removeMemberItems,
} from './accounts.ts';
export { addressChangeTo, isTrustedAddress, trustedAddress } from './address-change.ts';
export {
  AttributeName,
  Attributes,
  attributeIssues,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTE_VALUES,
  MAX_MEMBER_BYTES,
} from './attributes.ts';
export {
  changeCompanyRole,
  companyNotDeleted,
  ofRecord,
  readCompany,
  renameCompany,
  stillCompanyAdmin,
  transferCompany,
  updateWorkspace,
  type WorkspaceChange,
} from './companies.ts';
export { listedUser, listUsers, listWorkspaces } from './company-lists.ts';
export { mayHaveCredentialsOfOthers, takenOver, withoutCredentialsOfOthers } from './credentials-of-others.ts';
export { directoryChanged, directoryIds, listUser } from './directory.ts';
export {
  companyRecordKey,
  directoryKey,
  emailKey,
  memberKey,
  membershipKey,
  sessionKey,
  userRecordKey,
  workspaceRecordKey,
} from './keys.ts';
export { assertMayExport, mayExport } from './may-export.ts';
export {
  attributesOf,
  type MemberAttributes,
  putMemberAttributes,
  readMemberAttributes,
  removeMemberAttributes,
} from './member-attributes.ts';
export { memberPrincipal } from './member-principal.ts';
export {
  isWantedPerson,
  listMembers,
  memberObject,
  readMembers,
  readPeople,
  sameMembership,
  stillMember,
  toStoredMember,
} from './members.ts';
export {
  type EndedMember,
  type EndedUser,
  endMembershipsBefore,
  hasMembership,
  membershipCleanUps,
  membershipsOf,
  showInMemberships,
} from './memberships.ts';
export type {
  AddressChange,
  CompanyRecord,
  MemberRecord,
  NewMember,
  StoredMember,
  UserRecord,
  WorkspacePerson,
  WorkspaceRecord,
} from './records.ts';
export { isIdentityOf, sameAccount, stillAccount } from './same-account.ts';
export { resetSecondFactor, SECOND_FACTOR } from './second-factor.ts';
export { type ServiceAccount, serviceAccountRepository } from './service-accounts.ts';
export {
  CertifierGroup,
  Comments,
  Company,
  DeliveryDomains,
  EditorsMayUpload,
  SearchByMeaning,
  StoryReview,
  showCompany,
  showWorkspace,
  ViewersMayExport,
  ViewersMayQuery,
  Workspace,
  WorkspaceFailureRecipients,
  WorkspaceTimezone,
} from './show-workspace.ts';
export { readUser, readUserByEmail } from './users.ts';
export { countErasedWorkspace, countNewWorkspace, MAX_WORKSPACES, whyNoWorkspace } from './workspace-count.ts';
