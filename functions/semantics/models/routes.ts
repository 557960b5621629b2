import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { CreateModel, Model, ModelDetails, ModelIdParams, ModelListQuery, ModelPage, UpdateModel } from './schemas.ts';

export const listModels = defineRoute({
  operationId: 'listModels',
  method: 'GET',
  path: '/api/models',
  summary: 'List models',
  permission: 'models:read',
  query: ModelListQuery,
  success: { status: 200, body: ModelPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createModel = defineRoute({
  operationId: 'createModel',
  method: 'POST',
  path: '/api/models',
  summary: 'Create a model',
  permission: 'models:write',
  body: CreateModel,
  success: { status: 201, body: Model, versioned: true },
  errors: ['MODEL_NAME_TAKEN', 'DATA_SOURCE_NOT_FOUND', 'SOURCE_NOT_QUERYABLE'],
  idempotent: true,
  audit: 'model.created',
});

export const getModel = defineRoute({
  operationId: 'getModel',
  method: 'GET',
  path: '/api/models/{id}',
  summary: 'Get a model',
  permission: 'models:read',
  params: ModelIdParams,
  uses: { type: 'model', param: 'id' },
  success: { status: 200, body: ModelDetails, versioned: true },
  errors: ['MODEL_NOT_FOUND'],
});

export const updateModel = defineRoute({
  operationId: 'updateModel',
  method: 'PUT',
  path: '/api/models/{id}',
  summary: 'Update a model',
  description:
    'Changes the record of the model. Its revision does not count changes of tables and other parts. A certification states who certified the model and when.',
  permission: 'models:write',
  grant: grantOn('model', 'editor'),
  params: ModelIdParams,
  body: UpdateModel,
  success: { status: 200, body: Model, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_NAME_TAKEN', 'CERTIFICATION_FULL'],
  audit: ['model.updated', 'certification.updated'],
});

export const deleteModel = defineRoute({
  operationId: 'deleteModel',
  method: 'DELETE',
  path: '/api/models/{id}',
  summary: 'Delete a model',
  description: 'Deletes all of its parts and versions. Grants on it end. A model that metrics ask cannot be deleted.',
  permission: 'models:write',
  params: ModelIdParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'REFERENCED'],
  audit: 'model.deleted',
});
