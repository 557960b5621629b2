import type { TSchema } from 'typebox';
import type { AuditAction } from '../../../shared/platform/audit/actions.ts';
import type { ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { defineRoute, type Method, type Route } from '../../../shared/platform/http/route.ts';
import { SCIM_TYPE } from './protocol/errors.ts';
import * as shapes from './schemas.ts';

/** Room for a group of 20,000 members. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface Declared {
  operationId: string;
  method: Method;
  path: `/${string}`;
  summary: string;
  description?: string;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  reply?: TSchema;
  errors?: readonly ErrorCode[];
  audit?: readonly AuditAction[];
}

function scimRoute({ path, reply, ...declared }: Declared): Route {
  const status = declared.operationId.startsWith('scimCreate') ? 201 : 200;
  return defineRoute({
    ...declared,
    path: `/api/scim/v2${path}`,
    permission: 'scim',
    success: reply ? { status, contentTypes: [SCIM_TYPE], body: reply } : { status: 204 },
    maxBodyBytes: MAX_BODY_BYTES,
  }) as Route;
}

const MISSING = 'SCIM_RESOURCE_NOT_FOUND';
const PATCH_ERRORS = [
  MISSING,
  'SCIM_INVALID_SYNTAX',
  'SCIM_INVALID_PATH',
  'SCIM_INVALID_FILTER',
  'SCIM_INVALID_VALUE',
  'SCIM_NO_TARGET',
  'SCIM_MUTABILITY',
  'SCIM_UNIQUENESS',
] as const;
const WRITE_ERRORS = ['SCIM_INVALID_VALUE', 'SCIM_UNIQUENESS'] as const;
const LIST_ERRORS = ['SCIM_INVALID_FILTER', 'SCIM_INVALID_VALUE'] as const;

export const scimListUsers = scimRoute({
  operationId: 'scimListUsers',
  method: 'GET',
  path: '/Users',
  summary: 'List provisioned users',
  description:
    'All users of the company, in the order in which they were created. Filters compare `userName`, `externalId`, `emails.value` and `id`.',
  query: shapes.ScimListQuery,
  reply: shapes.ScimUserList,
  errors: LIST_ERRORS,
});

export const scimCreateUser = scimRoute({
  operationId: 'scimCreateUser',
  method: 'POST',
  path: '/Users',
  summary: 'Create a provisioned user',
  description:
    "With the seat of a viewer in the token's workspace, and without a password. A user who was removed comes back under the id of before.",
  body: shapes.ScimUserInput,
  query: shapes.ScimSelectionQuery,
  reply: shapes.ScimUser,
  errors: WRITE_ERRORS,
  audit: ['user.created', 'user.restored'],
});

export const scimGetUser = scimRoute({
  operationId: 'scimGetUser',
  method: 'GET',
  path: '/Users/{id}',
  summary: 'Get a provisioned user',
  params: shapes.ScimUserParams,
  query: shapes.ScimSelectionQuery,
  reply: shapes.ScimUser,
  errors: [MISSING],
});

export const scimReplaceUser = scimRoute({
  operationId: 'scimReplaceUser',
  method: 'PUT',
  path: '/Users/{id}',
  summary: 'Replace a provisioned user',
  description: 'Attributes that the request omits are removed, except for `active`, which stays as it is.',
  params: shapes.ScimUserParams,
  query: shapes.ScimSelectionQuery,
  body: shapes.ScimUserInput,
  reply: shapes.ScimUser,
  errors: [MISSING, ...WRITE_ERRORS],
  audit: ['user.updated', 'user.activated', 'user.deactivated'],
});

export const scimPatchUser = scimRoute({
  operationId: 'scimPatchUser',
  method: 'PATCH',
  path: '/Users/{id}',
  summary: 'Change a provisioned user',
  description: 'With `active: false` every sign-in and API key of the user ends within seconds.',
  params: shapes.ScimUserParams,
  query: shapes.ScimSelectionQuery,
  body: shapes.ScimPatch,
  reply: shapes.ScimUser,
  errors: PATCH_ERRORS,
  audit: ['user.updated', 'user.activated', 'user.deactivated'],
});

export const scimDeleteUser = scimRoute({
  operationId: 'scimDeleteUser',
  method: 'DELETE',
  path: '/Users/{id}',
  summary: 'Remove a provisioned user',
  description:
    'Removes the user from every workspace of the company. Every sign-in and API key ends within seconds; what the user has made stays. The last person who can manage the company is shown as inactive instead, and can sign in again.',
  params: shapes.ScimUserParams,
  errors: [MISSING],
  audit: ['user.removed', 'user.deactivated'],
});

export const scimSearchUsers = scimRoute({
  operationId: 'scimSearchUsers',
  method: 'POST',
  path: '/Users/.search',
  summary: 'Run a search of users',
  body: shapes.ScimSearch,
  reply: shapes.ScimUserList,
  errors: LIST_ERRORS,
});

export const scimListGroups = scimRoute({
  operationId: 'scimListGroups',
  method: 'GET',
  path: '/Groups',
  summary: 'List provisioned groups',
  description:
    "The groups of the token's workspace, in the order in which they were created. Filters compare `displayName`, `externalId`, `id` and `members.value`.",
  query: shapes.ScimListQuery,
  reply: shapes.ScimGroupList,
  errors: LIST_ERRORS,
});

export const scimCreateGroup = scimRoute({
  operationId: 'scimCreateGroup',
  method: 'POST',
  path: '/Groups',
  summary: 'Create a provisioned group',
  description: "A group of the token's workspace. Members who are not in the workspace yet join it as viewers.",
  body: shapes.ScimGroupInput,
  query: shapes.ScimSelectionQuery,
  reply: shapes.ScimGroup,
  errors: WRITE_ERRORS,
  audit: ['group.created', 'group.member_added', 'member.added'],
});

export const scimGetGroup = scimRoute({
  operationId: 'scimGetGroup',
  method: 'GET',
  path: '/Groups/{id}',
  summary: 'Get a provisioned group',
  params: shapes.ScimGroupParams,
  query: shapes.ScimSelectionQuery,
  reply: shapes.ScimGroup,
  errors: [MISSING],
});

export const scimReplaceGroup = scimRoute({
  operationId: 'scimReplaceGroup',
  method: 'PUT',
  path: '/Groups/{id}',
  summary: 'Replace a provisioned group',
  description: 'A group without `members` in the request has none afterwards.',
  params: shapes.ScimGroupParams,
  query: shapes.ScimSelectionQuery,
  body: shapes.ScimGroupInput,
  reply: shapes.ScimGroup,
  errors: [MISSING, ...WRITE_ERRORS],
  audit: ['group.updated', 'group.member_added', 'group.member_removed', 'member.added'],
});

export const scimPatchGroup = scimRoute({
  operationId: 'scimPatchGroup',
  method: 'PATCH',
  path: '/Groups/{id}',
  summary: 'Change a provisioned group',
  description:
    'Everything is checked before anything is written. The reply omits `members` where there are more than 200, unless `attributes` asks for them.',
  params: shapes.ScimGroupParams,
  query: shapes.ScimSelectionQuery,
  body: shapes.ScimPatch,
  reply: shapes.ScimGroup,
  errors: PATCH_ERRORS,
  audit: ['group.updated', 'group.member_added', 'group.member_removed', 'member.added'],
});

export const scimDeleteGroup = scimRoute({
  operationId: 'scimDeleteGroup',
  method: 'DELETE',
  path: '/Groups/{id}',
  summary: 'Delete a provisioned group',
  description: 'Members of the group stay members of the workspace.',
  params: shapes.ScimGroupParams,
  errors: [MISSING],
  audit: ['group.deleted'],
});

export const scimSearchGroups = scimRoute({
  operationId: 'scimSearchGroups',
  method: 'POST',
  path: '/Groups/.search',
  summary: 'Run a search of groups',
  body: shapes.ScimSearch,
  reply: shapes.ScimGroupList,
  errors: LIST_ERRORS,
});

export const scimSearch = scimRoute({
  operationId: 'scimSearch',
  method: 'POST',
  path: '/.search',
  summary: 'Run a search of users and groups',
  body: shapes.ScimSearch,
  reply: shapes.ScimResourceList,
  errors: LIST_ERRORS,
});

export const scimGetConfig = scimRoute({
  operationId: 'scimGetConfig',
  method: 'GET',
  path: '/ServiceProviderConfig',
  summary: 'Get what the SCIM service supports',
  reply: shapes.ScimConfig,
});

export const scimListResourceTypes = scimRoute({
  operationId: 'scimListResourceTypes',
  method: 'GET',
  path: '/ResourceTypes',
  summary: 'List the types of SCIM resources',
  reply: shapes.ScimResourceTypeList,
});

export const scimGetResourceType = scimRoute({
  operationId: 'scimGetResourceType',
  method: 'GET',
  path: '/ResourceTypes/{id}',
  summary: 'Get a type of SCIM resources',
  params: shapes.ScimTypeParams,
  reply: shapes.ScimResourceType,
  errors: [MISSING],
});

export const scimListSchemas = scimRoute({
  operationId: 'scimListSchemas',
  method: 'GET',
  path: '/Schemas',
  summary: 'List the SCIM schemas',
  reply: shapes.ScimSchemaList,
});

export const scimGetSchema = scimRoute({
  operationId: 'scimGetSchema',
  method: 'GET',
  path: '/Schemas/{id}',
  summary: 'Get a SCIM schema',
  params: shapes.ScimSchemaParams,
  reply: shapes.ScimSchema,
  errors: [MISSING],
});
