import { defineRoute } from '../../shared/platform/http/route.ts';
import { ListQuery } from '../../shared/platform/http/schemas.ts';
import { Member, MemberChange, MemberPage, MemberParams, NewMember, NewWorkspace, Workspace } from './schemas.ts';

export const createWorkspace = defineRoute({
  operationId: 'createWorkspace',
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Create a workspace of the company',
  description: 'For company admins, who become its first admin. Sign in again, or refresh, naming it to work in it.',
  permission: 'members:manage',
  body: NewWorkspace,
  success: { status: 201, body: Workspace, versioned: true },
  idempotent: true,
});

export const getWorkspace = defineRoute({
  operationId: 'getWorkspace',
  method: 'GET',
  path: '/api/workspaces/current',
  summary: 'Read the workspace of the caller',
  permission: 'members:read',
  success: { status: 200, body: Workspace, versioned: true },
});

export const listMembers = defineRoute({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/workspaces/members',
  summary: 'List the members of the workspace',
  permission: 'members:read',
  query: ListQuery,
  success: { status: 200, body: MemberPage },
});

export const addMember = defineRoute({
  operationId: 'addMember',
  method: 'POST',
  path: '/api/workspaces/members',
  summary: 'Add a member to the workspace',
  permission: 'members:manage',
  body: NewMember,
  success: { status: 201, body: Member, versioned: true },
  errors: ['MEMBER_EXISTS', 'EMAIL_TAKEN'],
  idempotent: true,
});

export const changeMember = defineRoute({
  operationId: 'changeMember',
  method: 'PATCH',
  path: '/api/workspaces/members/{userId}',
  summary: 'Change the role of a member',
  permission: 'members:manage',
  params: MemberParams,
  body: MemberChange,
  success: { status: 200, body: Member, versioned: true },
  errors: ['MEMBER_NOT_FOUND', 'LAST_ADMIN'],
});

export const removeMember = defineRoute({
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/workspaces/members/{userId}',
  summary: 'Remove a member from the workspace',
  permission: 'members:manage',
  params: MemberParams,
  success: { status: 204, versioned: true },
  errors: ['MEMBER_NOT_FOUND', 'LAST_ADMIN'],
});
