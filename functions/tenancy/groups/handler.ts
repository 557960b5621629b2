import { grantCleanUps } from '../../../shared/domains/tenancy/grants/index.ts';
import { groupCleanUps, groupMemberships, groupRepository } from '../../../shared/domains/tenancy/groups/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as routes from './routes.ts';
import { deleteGroup } from './use-cases/delete-group.ts';
import { findGroup } from './use-cases/find-group.ts';
import { listGroupMembers, showMember } from './use-cases/list-group-members.ts';
import { createGroup, updateGroup } from './use-cases/save-group.ts';

const group = openGroup('groups');
const { table, now, log } = group;
const deps = {
  groups: groupRepository(table),
  memberships: groupMemberships(table),
  cursors: group.cursors,
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps, ...groupCleanUps], ended, (error) =>
      log.warn('what a group left behind is still to be removed', error),
    ),
  now,
};

export const handler = endpointGroup(
  [
    bind(routes.createGroup, ({ principal: { workspaceId, userId }, body, newId }) =>
      createGroup(deps, { id: newId, workspaceId, userId, group: body }),
    ),
    bind(routes.listGroups, ({ principal: { workspaceId }, query }) => deps.groups.list(workspaceId, query)),
    bind(routes.getGroup, ({ principal: { workspaceId }, params: { id } }) => findGroup(deps, { workspaceId, id })),
    bind(routes.updateGroup, ({ principal: { workspaceId, userId }, params: { id }, body }) =>
      updateGroup(deps, { workspaceId, id, userId, change: body }),
    ),
    bind(routes.deleteGroup, ({ principal: { workspaceId }, params: { id } }) =>
      deleteGroup(deps, { workspaceId, id }),
    ),
    bind(routes.listGroupMembers, ({ principal: { workspaceId }, params: { id }, query }) =>
      listGroupMembers(deps, { workspaceId, id, ...query }),
    ),
    bind(routes.addGroupMember, async ({ principal: { workspaceId, userId: by }, params: { id, userId } }) => {
      const { id: groupId, name: groupName } = await findGroup(deps, { workspaceId, id });
      return showMember(await deps.memberships.add({ workspaceId, groupId, groupName }, { userId, by, at: now() }));
    }),
    bind(routes.removeGroupMember, async ({ principal: { workspaceId }, params: { id, userId } }) => {
      const { id: groupId, name: groupName } = await findGroup(deps, { workspaceId, id });
      await deps.memberships.remove({ workspaceId, groupId, groupName }, userId);
    }),
  ],
  showingDefinitions(group, 'group'),
);
