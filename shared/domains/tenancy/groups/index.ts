/** The public API of this domain; everything else is internal. */
export { type BulkMemberships, bulkMemberships } from './change-memberships.ts';
export { type EndedGroup, groupCleanUps } from './end-memberships.ts';
export { groupIdsOf, groupsOf } from './groups-of.ts';
export { groupsOfMany } from './groups-of-many.ts';
export { type GroupMember, type GroupMemberships, groupMemberships } from './memberships.ts';
export type { GroupRecord, Person } from './records.ts';
export { type GroupRepository, groupRepository, stillGroup } from './repository.ts';
