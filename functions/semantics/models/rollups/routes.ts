import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ModelParams, NamedPartsQuery } from '../schemas.ts';
import { CreateRollup, Rollup, RollupPage, RollupParams, UpdateRollup } from './schemas.ts';

const read = { permission: 'models:read' } as const;
const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const listRollups = defineRoute({
  operationId: 'listRollups',
  method: 'GET',
  path: '/api/models/{modelId}/rollups',
  summary: 'List rollups',
  ...read,
  params: ModelParams,
  query: NamedPartsQuery,
  success: { status: 200, body: RollupPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const createRollup = defineRoute({
  operationId: 'createRollup',
  method: 'POST',
  path: '/api/models/{modelId}/rollups',
  summary: 'Create a rollup',
  description:
    'Questions to the model that fit it are answered from the stored aggregates from now on. The first question after a change of the data computes them.',
  ...write,
  params: ModelParams,
  body: CreateRollup,
  success: { status: 201, body: Rollup, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_ROLLUP_NAME_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const updateRollup = defineRoute({
  operationId: 'updateRollup',
  method: 'PUT',
  path: '/api/models/{modelId}/rollups/{rollupId}',
  summary: 'Update a rollup',
  ...write,
  params: RollupParams,
  body: UpdateRollup,
  success: { status: 200, body: Rollup, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_ROLLUP_NOT_FOUND', 'MODEL_ROLLUP_NAME_TAKEN'],
  audit: 'model.updated',
});

export const deleteRollup = defineRoute({
  operationId: 'deleteRollup',
  method: 'DELETE',
  path: '/api/models/{modelId}/rollups/{rollupId}',
  summary: 'Delete a rollup',
  ...write,
  params: RollupParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_ROLLUP_NOT_FOUND'],
  audit: 'model.updated',
});
