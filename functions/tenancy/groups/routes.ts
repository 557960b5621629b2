import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CursorQuery, NamedListQuery } from '../../../shared/platform/http/schemas.ts';
import {
  CreateGroup,
  Group,
  GroupMember,
  GroupMemberPage,
  GroupMemberParams,
  GroupPage,
  GroupParams,
  UpdateGroup,
} from './schemas.ts';

export const createGroup = defineRoute({
  operationId: 'createGroup',
  method: 'POST',
  path: '/api/groups',
  summary: 'Create a group',
  permission: 'groups:manage',
  body: CreateGroup,
  success: { status: 201, body: Group, versioned: true },
  errors: ['GROUP_NAME_TAKEN', 'GROUP_EXTERNAL_ID_TAKEN'],
  idempotent: true,
  audit: 'group.created',
});

export const listGroups = defineRoute({
  operationId: 'listGroups',
  method: 'GET',
  path: '/api/groups',
  summary: 'List groups',
  permission: 'groups:read',
  query: NamedListQuery,
  success: { status: 200, body: GroupPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getGroup = defineRoute({
  operationId: 'getGroup',
  method: 'GET',
  path: '/api/groups/{id}',
  summary: 'Get a group',
  permission: 'groups:read',
  params: GroupParams,
  success: { status: 200, body: Group, versioned: true },
  errors: ['GROUP_NOT_FOUND'],
});

export const updateGroup = defineRoute({
  operationId: 'updateGroup',
  method: 'PATCH',
  path: '/api/groups/{id}',
  summary: 'Update a group',
  description: 'Changes of its members are not changes of the group, and leave its revision as it is.',
  permission: 'groups:manage',
  params: GroupParams,
  body: UpdateGroup,
  success: { status: 200, body: Group, versioned: true },
  errors: ['GROUP_NOT_FOUND', 'GROUP_NAME_TAKEN', 'GROUP_EXTERNAL_ID_TAKEN'],
  audit: 'group.updated',
});

export const deleteGroup = defineRoute({
  operationId: 'deleteGroup',
  method: 'DELETE',
  path: '/api/groups/{id}',
  summary: 'Delete a group',
  description: 'Members of the group stay members of the workspace. Rights through the group end immediately.',
  permission: 'groups:manage',
  params: GroupParams,
  success: { status: 204, versioned: true },
  errors: ['GROUP_NOT_FOUND'],
  audit: 'group.deleted',
});

export const listGroupMembers = defineRoute({
  operationId: 'listGroupMembers',
  method: 'GET',
  path: '/api/groups/{id}/members',
  summary: 'List the members of a group',
  permission: 'groups:read',
  params: GroupParams,
  query: CursorQuery,
  success: { status: 200, body: GroupMemberPage },
  errors: ['GROUP_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const addGroupMember = defineRoute({
  operationId: 'addGroupMember',
  method: 'PUT',
  path: '/api/groups/{id}/members/{userId}',
  summary: 'Add a member to a group',
  description: 'Adding a member again changes nothing.',
  permission: 'groups:manage',
  params: GroupMemberParams,
  success: { status: 200, body: GroupMember },
  errors: ['GROUP_NOT_FOUND', 'MEMBER_NOT_FOUND'],
  audit: 'group.member_added',
});

export const removeGroupMember = defineRoute({
  operationId: 'removeGroupMember',
  method: 'DELETE',
  path: '/api/groups/{id}/members/{userId}',
  summary: 'Remove a member from a group',
  description: 'Removing a person who is not in the group changes nothing.',
  permission: 'groups:manage',
  params: GroupMemberParams,
  success: { status: 204 },
  errors: ['GROUP_NOT_FOUND'],
  audit: 'group.member_removed',
});
