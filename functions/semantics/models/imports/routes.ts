import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ModelParams } from '../schemas.ts';
import { ImportTables, SyncReport } from './schemas.ts';

const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const importModelTables = defineRoute({
  operationId: 'importModelTables',
  method: 'POST',
  path: '/api/models/{modelId}/import',
  summary: 'Add tables from the source',
  description:
    'Adds the tables that the model does not have yet, with a field for each column, and brings the others up to date. A repeated import changes nothing. Numbers that are amounts become measures.',
  ...write,
  params: ModelParams,
  body: ImportTables,
  optionalBody: true,
  success: { status: 200, body: SyncReport },
  errors: ['MODEL_NOT_FOUND', 'DATA_SOURCE_NOT_SYNCED', 'MODEL_TOO_LARGE'],
  audit: 'model.updated',
});

export const resyncModel = defineRoute({
  operationId: 'resyncModel',
  method: 'POST',
  path: '/api/models/{modelId}/resync',
  summary: 'Resync the tables of a model',
  description:
    'Compares the model with the newest catalog of the data source, or with the datasets. New columns become fields. Nothing is deleted: fields whose column is gone are marked as missing.',
  ...write,
  params: ModelParams,
  success: { status: 200, body: SyncReport },
  errors: ['MODEL_NOT_FOUND', 'DATA_SOURCE_NOT_SYNCED', 'MODEL_TOO_LARGE'],
  audit: 'model.updated',
});
