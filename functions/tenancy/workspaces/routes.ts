import { Workspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  AddMember,
  ConfirmQuery,
  CreateWorkspace,
  Member,
  MemberPage,
  MemberParams,
  MembersQuery,
  UpdateMember,
  UpdateWorkspace,
  WorkspaceParams,
} from './schemas.ts';

export const createWorkspace = defineRoute({
  operationId: 'createWorkspace',
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Create a workspace',
  description:
    'For company admins, who become its first admin. To work in it, sign in or refresh with its `workspaceId`.',
  permission: 'company:manage',
  body: CreateWorkspace,
  success: { status: 201, body: Workspace, versioned: true },
  errors: ['COMPANY_DELETED', 'TOO_MANY_WORKSPACES'],
  idempotent: true,
  audit: 'workspace.created',
});

export const getWorkspace = defineRoute({
  operationId: 'getWorkspace',
  method: 'GET',
  path: '/api/workspaces/current',
  summary: 'Get the current workspace',
  permission: 'members:read',
  success: { status: 200, body: Workspace, versioned: true },
});

export const updateWorkspace = defineRoute({
  operationId: 'updateWorkspace',
  method: 'PATCH',
  path: '/api/workspaces/current',
  summary: 'Change the current workspace',
  permission: 'workspace:manage',
  body: UpdateWorkspace,
  success: { status: 200, body: Workspace, versioned: true },
  audit: 'workspace.updated',
});

export const deleteWorkspace = defineRoute({
  operationId: 'deleteWorkspace',
  method: 'DELETE',
  path: '/api/workspaces/{id}',
  summary: 'Delete a workspace',
  description:
    'Access to the workspace ends within seconds, and nothing starts in it any more. It can be restored until `deletesAt`; then everything in it is erased. Repeating the request changes nothing.',
  permission: 'company:manage',
  params: WorkspaceParams,
  query: ConfirmQuery,
  success: { status: 200, body: Workspace, versioned: true },
  errors: ['WORKSPACE_NOT_FOUND', 'NAME_NOT_CONFIRMED'],
  audit: 'workspace.deleted',
});

export const restoreWorkspace = defineRoute({
  operationId: 'restoreWorkspace',
  method: 'POST',
  path: '/api/workspaces/{id}/restore',
  summary: 'Restore a deleted workspace',
  description: 'Schedules continue with their next instant. A workspace that is not deleted stays as it is.',
  permission: 'company:manage',
  params: WorkspaceParams,
  success: { status: 200, body: Workspace, versioned: true },
  errors: ['WORKSPACE_NOT_FOUND', 'COMPANY_DELETED'],
  audit: 'workspace.restored',
});

export const listMembers = defineRoute({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/workspaces/members',
  summary: 'List members',
  permission: 'members:read',
  query: MembersQuery,
  success: { status: 200, body: MemberPage },
});

export const addMember = defineRoute({
  operationId: 'addMember',
  method: 'POST',
  path: '/api/workspaces/members',
  summary: 'Add a member',
  description: 'Adds a person to the workspace, with a new account if the person is new to the company.',
  permission: 'members:manage',
  body: AddMember,
  success: { status: 201, body: Member, versioned: true },
  errors: ['MEMBER_EXISTS', 'EMAIL_TAKEN', 'EMAIL_UNCONFIRMED'],
  idempotent: true,
  audit: 'member.added',
});

export const getMember = defineRoute({
  operationId: 'getMember',
  method: 'GET',
  path: '/api/workspaces/members/{userId}',
  summary: 'Get a member',
  permission: 'members:read',
  params: MemberParams,
  success: { status: 200, body: Member, versioned: true },
  errors: ['MEMBER_NOT_FOUND'],
});

export const changeMember = defineRoute({
  operationId: 'changeMember',
  method: 'PATCH',
  path: '/api/workspaces/members/{userId}',
  summary: "Change a member's role",
  permission: 'members:manage',
  params: MemberParams,
  body: UpdateMember,
  success: { status: 200, body: Member, versioned: true },
  errors: ['MEMBER_NOT_FOUND', 'LAST_ADMIN'],
  audit: 'member.updated',
});

export const removeMember = defineRoute({
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/workspaces/members/{userId}',
  summary: 'Remove a member',
  description:
    'Removes the person from the workspace. The account stays. Keys and sign-ins of the person in this workspace end, also if the person is added again.',
  permission: 'members:manage',
  params: MemberParams,
  success: { status: 204, versioned: true },
  errors: ['MEMBER_NOT_FOUND', 'LAST_ADMIN', 'LAST_COMPANY_ADMIN'],
  audit: 'member.removed',
});

export const resetMemberMfa = defineRoute({
  operationId: 'resetMemberMfa',
  method: 'POST',
  path: '/api/workspaces/members/{userId}/mfa/reset',
  summary: "Turn off a member's second factor",
  description:
    'For company admins, when a member has lost the app and the recovery codes. Ends every sign-in of the member, in all workspaces. Make sure that the request comes from the member.',
  permission: 'company:manage',
  params: MemberParams,
  success: { status: 204 },
  errors: ['MEMBER_NOT_FOUND', 'MFA_NOT_ON', 'OWN_SECOND_FACTOR'],
  audit: 'user.mfa_reset',
});
