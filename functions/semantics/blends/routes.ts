import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  BlendDetails,
  BlendListQuery,
  BlendPage,
  BlendParams,
  BlendRows,
  DeletedBlend,
  ExecuteBlend,
  SaveBlend,
  SavedBlend,
} from './schemas.ts';

const KEY_ERRORS = ['BLEND_KEY_TYPE', 'BLEND_KEY_TIMEZONE', 'QUESTION_UNANSWERABLE', 'SOURCE_NOT_QUERYABLE'] as const;

export const listBlends = defineRoute({
  operationId: 'listBlends',
  method: 'GET',
  path: '/api/composite-models',
  summary: 'List blends',
  permission: 'blends:read',
  query: BlendListQuery,
  success: { status: 200, body: BlendPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createBlend = defineRoute({
  operationId: 'createBlend',
  method: 'POST',
  path: '/api/composite-models',
  summary: 'Create a blend',
  description:
    'The tables may be of different models and sources. The types of their keys must be comparable: nothing is converted unless `as` says so. `check` describes how well the rows match.',
  permission: 'blends:write',
  body: SaveBlend,
  success: { status: 201, body: SavedBlend, versioned: true },
  errors: ['BLEND_NAME_TAKEN', ...KEY_ERRORS],
  idempotent: true,
  audit: 'blend.created',
});

export const getBlend = defineRoute({
  operationId: 'getBlend',
  method: 'GET',
  path: '/api/composite-models/{id}',
  summary: 'Get a blend',
  permission: 'blends:read',
  params: BlendParams,
  success: { status: 200, body: BlendDetails, versioned: true },
  errors: ['BLEND_NOT_FOUND'],
});

export const replaceBlend = defineRoute({
  operationId: 'replaceBlend',
  method: 'PUT',
  path: '/api/composite-models/{id}',
  summary: 'Replace a blend',
  permission: 'blends:write',
  grant: grantOn('blend', 'editor'),
  params: BlendParams,
  body: SaveBlend,
  success: { status: 200, body: SavedBlend, versioned: true },
  errors: ['BLEND_NOT_FOUND', 'BLEND_NAME_TAKEN', ...KEY_ERRORS],
  audit: 'blend.updated',
});

export const deleteBlend = defineRoute({
  operationId: 'deleteBlend',
  method: 'DELETE',
  path: '/api/composite-models/{id}',
  summary: 'Delete a blend',
  description:
    'Grants on it end. A blend that a dashboard, report, story or alert uses is not deleted; `referencedBy` lists those that the caller may see.',
  permission: 'blends:write',
  params: BlendParams,
  success: { status: 200, body: DeletedBlend, versioned: true },
  errors: ['BLEND_NOT_FOUND', 'REFERENCED'],
  audit: 'blend.deleted',
});

export const executeBlend = defineRoute({
  operationId: 'executeBlend',
  method: 'POST',
  path: '/api/composite-models/{id}/execute',
  summary: 'Run a blend',
  description:
    'Each side is read with the rights of the caller to its rows and columns, then both are joined. Keys without a value match nothing unless `matchNulls` is set, and keys that do not convert never match. `warnings` explains what may be wrong with the rows, and `stats` has the numbers.',
  permission: 'blends:read',
  params: BlendParams,
  body: ExecuteBlend,
  success: { status: 200, body: BlendRows },
  errors: [
    'BLEND_NOT_FOUND',
    'BLEND_STALE',
    'BLEND_SIDE_FAILED',
    'BLEND_SIDE_TIMEOUT',
    'BLEND_TOO_LARGE',
    'QUESTION_UNANSWERABLE',
    'QUERY_TIMEOUT',
    'RESULT_TOO_LARGE',
  ],
});
