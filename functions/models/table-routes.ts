import { grantOn } from '../../shared/domains/grants/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import {
  AddTable,
  CreateField,
  FieldPage,
  FieldParams,
  ModelField,
  ModelParams,
  ModelTable,
  PartsQuery,
  TablePage,
  TableParams,
  TablesQuery,
  UpdateField,
  UpdateTable,
} from './schemas.ts';

const read = { permission: 'models:read' } as const;
const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const listModelTables = defineRoute({
  operationId: 'listModelTables',
  method: 'GET',
  path: '/api/models/{modelId}/tables',
  summary: 'List the tables of a model',
  description: 'By alias.',
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
    'A table may be added several times under different aliases, to join it in several roles. It need not exist: `missing` says whether the source has it, as far as it is known.',
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
    'Expressions follow a new alias by themselves. A table with row-level security policies cannot be pointed at another source table.',
  ...write,
  params: TableParams,
  body: UpdateTable,
  success: { status: 200, body: ModelTable, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_ALIAS_TAKEN', 'MODEL_TABLE_PROTECTED'],
  audit: 'model.updated',
});

export const removeModelTable = defineRoute({
  operationId: 'removeModelTable',
  method: 'DELETE',
  path: '/api/models/{modelId}/tables/{tableId}',
  summary: 'Remove a table from a model',
  description:
    'With its fields, transform steps, relationships and hierarchies. Expressions that use its fields become stale. A table with row-level security policies cannot be removed.',
  ...write,
  params: TableParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_TABLE_PROTECTED'],
  audit: 'model.updated',
});

export const listModelFields = defineRoute({
  operationId: 'listModelFields',
  method: 'GET',
  path: '/api/models/{modelId}/fields',
  summary: 'List the fields of a model',
  description: 'The visible fields of all tables, by alias of the table and then by ordinal.',
  ...read,
  params: ModelParams,
  query: PartsQuery,
  success: { status: 200, body: FieldPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const listTableFields = defineRoute({
  operationId: 'listTableFields',
  method: 'GET',
  path: '/api/models/{modelId}/tables/{tableId}/fields',
  summary: 'List the fields of a table',
  description: 'By ordinal, also hidden ones.',
  ...read,
  params: TableParams,
  query: PartsQuery,
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
  description: 'Expressions follow a new name by themselves.',
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
    'Relationships and levels of hierarchies that use it go with it, and a hierarchy with fewer than two levels left. Expressions that use it become stale.',
  ...write,
  params: FieldParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND', 'MODEL_FIELD_NOT_FOUND'],
  audit: 'model.updated',
});
