import { type Key, sortKeyOf, uniqueKey, workspaceKey } from '../../../platform/storage/keys.ts';

export { groupOfUserKey } from '../../../platform/storage/keys.ts';

/** The members of a group: its own partition, so that a change costs the same in every size of group. */
export const groupMemberKey = (workspaceId: string, groupId: string, userId: string): Key =>
  workspaceKey(workspaceId, `GROUP#${groupId}`, `MEMBER#${userId}`);

/** The number of members. It exists as long as the group, so that a change of it also proves that the group exists. */
export const memberTotalKey = (workspaceId: string, groupId: string): Key =>
  workspaceKey(workspaceId, `GROUP#${groupId}`, '#TOTAL');

/** Makes an external id unique. Unlike names, external ids differ by case. */
export const externalIdKey = (workspaceId: string, externalId: string): Key => ({
  pk: uniqueKey(`${workspaceId}#GROUP-EXTERNAL-ID`, '').pk,
  sk: sortKeyOf(externalId),
});
