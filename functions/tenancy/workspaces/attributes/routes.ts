import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MemberAttributes, MemberParams, SetMemberAttributes } from '../schemas.ts';

export const getMemberAttributes = defineRoute({
  operationId: 'getMemberAttributes',
  method: 'GET',
  path: '/api/workspaces/members/{userId}/attributes',
  summary: 'Get the attributes of a member',
  description: 'Members see their own in `GET /auth/me`.',
  permission: 'members:manage',
  params: MemberParams,
  success: { status: 200, body: MemberAttributes, versioned: true },
  errors: ['MEMBER_NOT_FOUND'],
});

export const setMemberAttributes = defineRoute({
  operationId: 'setMemberAttributes',
  method: 'PUT',
  path: '/api/workspaces/members/{userId}/attributes',
  summary: 'Set the attributes of a member',
  description:
    'Replaces all attributes. They end with the membership: a person who is added again has none until they are set.',
  permission: 'members:manage',
  params: MemberParams,
  body: SetMemberAttributes,
  success: { status: 200, body: MemberAttributes, versioned: true },
  errors: ['MEMBER_NOT_FOUND'],
  audit: 'member.attributes_updated',
});
