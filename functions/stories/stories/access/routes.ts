import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CursorQuery } from '../../../../shared/platform/http/schemas.ts';
import { StoryParams } from '../schemas.ts';
import {
  AccessCheckQuery,
  GrantStoryAccess,
  SetStoryAccess,
  StoryAccess,
  StoryAccessCheck,
  StoryAccessIdParams,
  StoryAccessPage,
  StoryCandidates,
  StoryCandidatesQuery,
  StoryGranteeParams,
} from './schemas.ts';

const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const listStoryAccess = defineRoute({
  operationId: 'listStoryAccess',
  method: 'GET',
  path: '/api/stories/{id}/access',
  summary: 'List access to a story',
  description: 'Lists the members and groups with a grant. Access that comes from a role is not listed.',
  ...edit,
  params: StoryParams,
  query: CursorQuery,
  success: { status: 200, body: StoryAccessPage },
  errors: ['STORY_NOT_FOUND', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const grantStoryAccess = defineRoute({
  operationId: 'grantStoryAccess',
  method: 'POST',
  path: '/api/stories/{id}/access',
  summary: 'Grant access to a story',
  description:
    'Grants access to a member by email address. The reply for a person without an account is the same as for a person who is not a member.',
  ...edit,
  params: StoryParams,
  body: GrantStoryAccess,
  success: { status: 201, body: StoryAccess },
  errors: ['STORY_NOT_FOUND', 'NOT_A_MEMBER', 'ACCESS_EXISTS'],
  idempotent: true,
  audit: 'access.granted',
});

export const setStoryAccess = defineRoute({
  operationId: 'setStoryAccess',
  method: 'PUT',
  path: '/api/stories/{id}/access/{granteeType}/{granteeId}',
  summary: 'Set access to a story',
  description: 'Grants a permission to a member or a group, or changes the granted permission.',
  ...edit,
  params: StoryGranteeParams,
  body: SetStoryAccess,
  success: { status: 200, body: StoryAccess },
  errors: ['STORY_NOT_FOUND', 'MEMBER_NOT_FOUND', 'GROUP_NOT_FOUND'],
  audit: 'access.granted',
});

export const revokeStoryAccess = defineRoute({
  operationId: 'revokeStoryAccess',
  method: 'DELETE',
  path: '/api/stories/{id}/access/{accessId}',
  summary: 'Revoke access to a story',
  ...edit,
  params: StoryAccessIdParams,
  success: { status: 204 },
  errors: ['STORY_NOT_FOUND', 'STORY_ACCESS_NOT_FOUND'],
  audit: 'access.revoked',
});

export const findStoryCandidates = defineRoute({
  operationId: 'findStoryCandidates',
  method: 'GET',
  path: '/api/stories/{id}/access/candidates',
  summary: 'Search members to share a story with',
  permission: 'stories:read',
  params: StoryParams,
  query: StoryCandidatesQuery,
  success: { status: 200, body: StoryCandidates },
  errors: ['STORY_NOT_FOUND'],
});

export const checkStoryAccess = defineRoute({
  operationId: 'checkStoryAccess',
  method: 'GET',
  path: '/api/stories/{id}/access-check',
  summary: 'Preview what a member would see',
  ...edit,
  params: StoryParams,
  query: AccessCheckQuery,
  success: { status: 200, body: StoryAccessCheck },
  errors: ['STORY_NOT_FOUND', 'NOT_A_MEMBER'],
});
