import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../../shared/platform/http/schemas.ts';
import { TableParams } from '../schemas.ts';
import {
  CreateTransform,
  ReorderTransforms,
  Transform,
  TransformList,
  TransformParams,
  UpdateTransform,
} from './schemas.ts';

const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const listTransforms = defineRoute({
  operationId: 'listTransforms',
  method: 'GET',
  path: '/api/models/{modelId}/tables/{tableId}/transforms',
  summary: 'List transform steps',
  permission: 'models:read',
  params: TableParams,
  success: { status: 200, body: TransformList },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND'],
});

export const createTransform = defineRoute({
  operationId: 'createTransform',
  method: 'POST',
  path: '/api/models/{modelId}/tables/{tableId}/transforms',
  summary: 'Add a transform step',
  description:
    'Adds the step at the end. It is saved only if it fits the columns that it receives. Rejected if it takes away columns that other objects need, unless `force` is set. Row-level security applies before the steps.',
  ...write,
  params: TableParams,
  query: ForceQuery,
  body: CreateTransform,
  success: { status: 200, body: Transform, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_TRANSFORM_INVALID', 'REFERENCED', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const updateTransform = defineRoute({
  operationId: 'updateTransform',
  method: 'PUT',
  path: '/api/models/{modelId}/tables/{tableId}/transforms/{transformId}',
  summary: 'Update a transform step',
  description:
    'The step and those after it must still fit the columns that they receive. Rejected if columns are missing then that other objects need, unless `force` is set.',
  ...write,
  params: TransformParams,
  query: ForceQuery,
  body: UpdateTransform,
  success: { status: 200, body: Transform, versioned: true },
  errors: [
    'MODEL_NOT_FOUND',
    'MODEL_TABLE_NOT_FOUND',
    'MODEL_TRANSFORM_NOT_FOUND',
    'MODEL_TRANSFORM_INVALID',
    'REFERENCED',
  ],
  audit: 'model.updated',
});

export const deleteTransform = defineRoute({
  operationId: 'deleteTransform',
  method: 'DELETE',
  path: '/api/models/{modelId}/tables/{tableId}/transforms/{transformId}',
  summary: 'Delete a transform step',
  description:
    'The steps after it must still fit the columns that they receive. Rejected if columns are missing then that other objects need, unless `force` is set. Replies with the remaining steps.',
  ...write,
  params: TransformParams,
  query: ForceQuery,
  success: { status: 200, body: TransformList },
  errors: [
    'MODEL_NOT_FOUND',
    'MODEL_TABLE_NOT_FOUND',
    'MODEL_TRANSFORM_NOT_FOUND',
    'MODEL_TRANSFORM_INVALID',
    'REFERENCED',
  ],
  audit: 'model.updated',
});

export const reorderTransforms = defineRoute({
  operationId: 'reorderTransforms',
  method: 'POST',
  path: '/api/models/{modelId}/tables/{tableId}/transforms/reorder',
  summary: 'Set the order of transform steps',
  ...write,
  params: TableParams,
  query: ForceQuery,
  body: ReorderTransforms,
  success: { status: 200, body: TransformList },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_TRANSFORM_INVALID', 'REFERENCED'],
  audit: 'model.updated',
});
