/** What the rest of the platform may use of this domain; everything else is its own business. */
export { countMembers, createCompany, putMember, putUser, putWorkspace, readWorkspace } from './accounts.ts';
export { emailKey, memberKey, membershipKey, sessionKey, userRecordKey } from './keys.ts';
export type { MemberRecord, NewMember, UserRecord, WorkspaceRecord } from './records.ts';
