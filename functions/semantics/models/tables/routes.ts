import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../../shared/platform/http/schemas.ts';
import {
  AddTable,
  CreateField,
  FieldPage,
  FieldParams,
  ModelField,
  ModelParams,
  ModelTable,
  NamedPartsQuery,
  TablePage,
  TableParams,
  TablesQuery,
  UpdateField,
  UpdateTable,
} from '../schemas.ts';

const read = { permission: 'models:read' } as const;
const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const listModelTables = defineRoute({
  operationId: 'listModelTables',
  method: 'GET',
  path: '/api/models/{modelId}/tables',
  summary: 'List the tables of a model',
  description: 'Sorted by alias.',
  ...read,
  params: ModelParams,
  query: TablesQuery,
  success: { status: 200, body: TablePage },
  errors: ['MODEL_NOT_FOUND'],
});

export const addModelTable = defineRoute({
  operationId: 'addModelTable',
  method: 'POST',
  path: '/api/models/{modelId}/tables',
  summary: 'Add a table to a model',
  description:
    'A table may be added several times under different aliases, to join it in several roles. The source need not have it: `missing` reports whether it does, as far as it is known.',
  ...write,
  params: ModelParams,
  body: AddTable,
  success: { status: 201, body: ModelTable, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_ALIAS_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const getModelTable = defineRoute({
  operationId: 'getModelTable',
  method: 'GET',
  path: '/api/models/{modelId}/tables/{tableId}',
  summary: 'Get a table of a model',
  ...read,
  params: TableParams,
  success: { status: 200, body: ModelTable, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND'],
});

export const updateModelTable = defineRoute({
  operationId: 'updateModelTable',
  method: 'PUT',
  path: '/api/models/{modelId}/tables/{tableId}',
  summary: 'Update a table of a model',
  description:
    'Expressions that use the table follow a new alias. A table with row-level security policies cannot be pointed at another source table. One without columns that other objects need is rejected, unless `force` is set.',
  ...write,
  params: TableParams,
  query: ForceQuery,
  body: UpdateTable,
  success: { status: 200, body: ModelTable, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_ALIAS_TAKEN', 'MODEL_TABLE_PROTECTED', 'REFERENCED'],
  audit: 'model.updated',
});

export const removeModelTable = defineRoute({
  operationId: 'removeModelTable',
  method: 'DELETE',
  path: '/api/models/{modelId}/tables/{tableId}',
  summary: 'Remove a table from a model',
  description:
    'Also removes its fields, transform steps, relationships, hierarchies and its parts of rollups. Expressions that use its fields become stale. Rejected if that breaks metrics, cards, alerts or other objects, unless `force` is set. A table with row-level security policies, or one that a blend joins, cannot be removed.',
  ...write,
  params: TableParams,
  query: ForceQuery,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_TABLE_PROTECTED', 'REFERENCED'],
  audit: 'model.updated',
});

export const listModelFields = defineRoute({
  operationId: 'listModelFields',
  method: 'GET',
  path: '/api/models/{modelId}/fields',
  summary: 'List the fields of a model',
  description: 'The visible fields of all tables, sorted by alias of the table and then by ordinal.',
  ...read,
  params: ModelParams,
  query: NamedPartsQuery,
  success: { status: 200, body: FieldPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const listTableFields = defineRoute({
  operationId: 'listTableFields',
  method: 'GET',
  path: '/api/models/{modelId}/tables/{tableId}/fields',
  summary: 'List the fields of a table',
  description: 'Sorted by ordinal, including hidden ones.',
  ...read,
  params: TableParams,
  query: NamedPartsQuery,
  success: { status: 200, body: FieldPage },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND'],
});

export const createModelField = defineRoute({
  operationId: 'createModelField',
  method: 'POST',
  path: '/api/models/{modelId}/tables/{tableId}/fields',
  summary: 'Create a field',
  ...write,
  params: TableParams,
  body: CreateField,
  success: { status: 201, body: ModelField, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_FIELD_NAME_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const updateModelField = defineRoute({
  operationId: 'updateModelField',
  method: 'PUT',
  path: '/api/models/{modelId}/tables/{tableId}/fields/{fieldId}',
  summary: 'Update a field',
  description: 'Expressions that use the field follow a new name.',
  ...write,
  params: FieldParams,
  body: UpdateField,
  success: { status: 200, body: ModelField, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_FIELD_NOT_FOUND', 'MODEL_FIELD_NAME_TAKEN'],
  audit: 'model.updated',
});

export const deleteModelField = defineRoute({
  operationId: 'deleteModelField',
  method: 'DELETE',
  path: '/api/models/{modelId}/tables/{tableId}/fields/{fieldId}',
  summary: 'Delete a field',
  description:
    'Also deletes the relationships and the levels of hierarchies that use it, and a hierarchy that is left with fewer than two levels. Rollups lose the field, and one without a measure is deleted. Expressions that use it become stale. Rejected if that breaks metrics, cards, alerts or other objects, unless `force` is set.',
  ...write,
  params: FieldParams,
  query: ForceQuery,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_FIELD_NOT_FOUND', 'REFERENCED'],
  audit: 'model.updated',
});
