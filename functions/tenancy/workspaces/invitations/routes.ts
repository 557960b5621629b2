import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CreateInvitation, Invitation, InvitationPage, InvitationParams, InvitationsQuery } from './schemas.ts';

export const createInvitation = defineRoute({
  operationId: 'createInvitation',
  method: 'POST',
  path: '/api/workspaces/invitations',
  summary: 'Create an invitation',
  description:
    'Sends an email with a link that is valid for 7 days. The person chooses a password, or joins with the account that the company has given them. In a deployment without email, pass on the `token` in the reply.',
  permission: 'members:manage',
  body: CreateInvitation,
  success: { status: 201, body: Invitation, versioned: true },
  errors: ['INVITATION_EXISTS', 'MEMBER_EXISTS', 'GROUP_NOT_FOUND', 'TOO_MANY_INVITATIONS'],
  idempotent: true,
  audit: 'invitation.created',
});

export const listInvitations = defineRoute({
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/workspaces/invitations',
  summary: 'List invitations',
  description: 'Invitations that were neither accepted nor deleted, including expired ones, newest first.',
  permission: 'members:manage',
  query: InvitationsQuery,
  success: { status: 200, body: InvitationPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getInvitation = defineRoute({
  operationId: 'getInvitation',
  method: 'GET',
  path: '/api/workspaces/invitations/{id}',
  summary: 'Get an invitation',
  permission: 'members:manage',
  params: InvitationParams,
  success: { status: 200, body: Invitation, versioned: true },
  errors: ['INVITATION_NOT_FOUND'],
});

export const resendInvitation = defineRoute({
  operationId: 'resendInvitation',
  method: 'POST',
  path: '/api/workspaces/invitations/{id}/resend',
  summary: 'Send an invitation again',
  description: 'Sends another email with a link that is valid for 7 days. The earlier link stops working.',
  permission: 'members:manage',
  params: InvitationParams,
  success: { status: 200, body: Invitation, versioned: true },
  errors: ['INVITATION_NOT_FOUND', 'TOO_MANY_INVITATIONS'],
  idempotent: true,
  audit: 'invitation.sent_again',
});

export const deleteInvitation = defineRoute({
  operationId: 'deleteInvitation',
  method: 'DELETE',
  path: '/api/workspaces/invitations/{id}',
  summary: 'Delete an invitation',
  description: 'The link of the invitation stops working immediately.',
  permission: 'members:manage',
  params: InvitationParams,
  success: { status: 204, versioned: true },
  errors: ['INVITATION_NOT_FOUND'],
  audit: 'invitation.deleted',
});
