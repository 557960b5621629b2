import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery } from '../../shared/platform/http/schemas.ts';
import { Job } from '../../shared/platform/jobs/record.ts';
import { Schedule } from '../../shared/platform/schedule/schedule.ts';
import {
  AbortQuery,
  ColumnList,
  ColumnQuery,
  CompletedUpload,
  DataSource,
  DataSourceChange,
  DataSourcePage,
  NewDataSource,
  NewUpload,
  SchemaList,
  SourceTable,
  SyncPage,
  TableList,
  TableQuery,
  TestResult,
  Upload,
  UploadParams,
} from './schemas.ts';

export const listDataSources = defineRoute({
  operationId: 'listDataSources',
  method: 'GET',
  path: '/api/data-sources',
  summary: 'List data sources',
  permission: 'data-sources:read',
  query: ListQuery,
  success: { status: 200, body: DataSourcePage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const createDataSource = defineRoute({
  operationId: 'createDataSource',
  method: 'POST',
  path: '/api/data-sources',
  summary: 'Create a data source',
  description:
    'A `file` source holds files that are uploaded to it; `postgres`, `mysql`, `s3` and `http` are reached over the network. The address is checked here and again whenever it is dialled.',
  permission: 'data-sources:manage',
  body: NewDataSource,
  success: { status: 201, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NAME_TAKEN', 'ADDRESS_BLOCKED'],
  idempotent: true,
});

export const testNewDataSource = defineRoute({
  operationId: 'testNewDataSource',
  method: 'POST',
  path: '/api/data-sources/test',
  summary: 'Try a connection without saving it',
  permission: 'data-sources:manage',
  body: NewDataSource,
  success: { status: 200, body: TestResult },
  errors: ['ADDRESS_BLOCKED'],
});

export const getDataSource = defineRoute({
  operationId: 'getDataSource',
  method: 'GET',
  path: '/api/data-sources/{id}',
  summary: 'Read a data source',
  permission: 'data-sources:read',
  params: IdParams,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND'],
});

export const updateDataSource = defineRoute({
  operationId: 'updateDataSource',
  method: 'PATCH',
  path: '/api/data-sources/{id}',
  summary: 'Change the name, the settings or the secrets of a data source',
  description:
    'Its type stays. Work that runs goes on with what it began with; new connections use the new settings and secrets.',
  permission: 'data-sources:manage',
  params: IdParams,
  body: DataSourceChange,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_NAME_TAKEN', 'ADDRESS_BLOCKED'],
});

export const deleteDataSource = defineRoute({
  operationId: 'deleteDataSource',
  method: 'DELETE',
  path: '/api/data-sources/{id}',
  summary: 'Delete a data source',
  description:
    'Refused while a pipeline, a dataset or a saved query refers to it; the reply names them. Its uploads and its catalogue go with it; a sync under way ends as cancelled.',
  permission: 'data-sources:manage',
  params: IdParams,
  success: { status: 204, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_REFERENCED'],
});

export const testDataSource = defineRoute({
  operationId: 'testDataSource',
  method: 'POST',
  path: '/api/data-sources/{id}/test',
  summary: 'Try the connection of a data source',
  permission: 'data-sources:manage',
  params: IdParams,
  success: { status: 200, body: TestResult },
  errors: ['DATA_SOURCE_NOT_FOUND'],
});

export const createUpload = defineRoute({
  operationId: 'createUpload',
  method: 'POST',
  path: '/api/data-sources/{id}/uploads',
  summary: 'Ask for a place to upload a file to',
  description:
    'The file then goes straight to storage: with one PUT to the returned URL or, above 64 MiB, with one PUT for each part, after which the upload is completed. The same path again replaces the file.',
  permission: 'data-sources:manage',
  params: IdParams,
  body: NewUpload,
  success: { status: 201, body: Upload },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED'],
  idempotent: true,
});

export const completeUpload = defineRoute({
  operationId: 'completeUpload',
  method: 'POST',
  path: '/api/data-sources/{id}/uploads/{uploadId}/complete',
  summary: 'Put the parts of an upload together',
  description: 'The file is there from then on, all at once. Completing again with the same parts changes nothing.',
  permission: 'data-sources:manage',
  params: UploadParams,
  body: CompletedUpload,
  success: { status: 200, body: SourceTable },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED', 'UPLOAD_NOT_FOUND', 'UPLOAD_PARTS_INVALID'],
  idempotent: true,
});

export const abortUpload = defineRoute({
  operationId: 'abortUpload',
  method: 'DELETE',
  path: '/api/data-sources/{id}/uploads/{uploadId}',
  summary: 'Give an upload in parts up',
  description: 'Its parts are removed. Those of an upload that is never completed go after two days.',
  permission: 'data-sources:manage',
  params: UploadParams,
  query: AbortQuery,
  success: { status: 204 },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED', 'UPLOAD_NOT_FOUND'],
});

export const listSourceSchemas = defineRoute({
  operationId: 'listSourceSchemas',
  method: 'GET',
  path: '/api/data-sources/{id}/schemas',
  summary: 'List the schemas of a data source',
  permission: 'data-sources:read',
  params: IdParams,
  success: { status: 200, body: SchemaList },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_UNREACHABLE'],
});

export const listSourceTables = defineRoute({
  operationId: 'listSourceTables',
  method: 'GET',
  path: '/api/data-sources/{id}/tables',
  summary: 'List the tables, or the files, of a data source',
  description:
    'The tables of one schema (`public`, or the database of the connection, when it is not named) or the files, by name, a part at a time. `syncedAt` tells when the catalogue was read.',
  permission: 'data-sources:read',
  params: IdParams,
  query: TableQuery,
  success: { status: 200, body: TableList },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_UNREACHABLE', 'DATA_SOURCE_NOT_SYNCED'],
});

export const listSourceColumns = defineRoute({
  operationId: 'listSourceColumns',
  method: 'GET',
  path: '/api/data-sources/{id}/columns',
  summary: 'List the columns of a table or a file',
  permission: 'data-sources:read',
  params: IdParams,
  query: ColumnQuery,
  success: { status: 200, body: ColumnList },
  errors: [
    'DATA_SOURCE_NOT_FOUND',
    'DATA_SOURCE_UNREACHABLE',
    'DATA_SOURCE_NOT_SYNCED',
    'TABLE_NOT_FOUND',
    'FILE_NOT_FOUND',
    'FILE_UNREADABLE',
  ],
});

export const syncDataSource = defineRoute({
  operationId: 'syncDataSource',
  method: 'POST',
  path: '/api/data-sources/{id}/sync',
  summary: 'Read the catalogue of a data source',
  description:
    'A job reads schemas, tables and columns, or the list of files, and keeps them in place of what was read before. It goes on with the settings that it began with.',
  permission: 'data-sources:manage',
  params: IdParams,
  success: { status: 202, body: Job },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_SYNCING'],
  idempotent: true,
});

export const setDataSourceSchedule = defineRoute({
  operationId: 'setDataSourceSchedule',
  method: 'PUT',
  path: '/api/data-sources/{id}/schedule',
  summary: 'Set when the catalogue of a data source is read',
  description: 'A schedule without `cron` and `everySeconds` is none.',
  permission: 'data-sources:manage',
  params: IdParams,
  body: Schedule,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND'],
});

export const listDataSourceHistory = defineRoute({
  operationId: 'listDataSourceHistory',
  method: 'GET',
  path: '/api/data-sources/{id}/history',
  summary: 'List the syncs of a data source, newest first',
  permission: 'data-sources:read',
  params: IdParams,
  query: ListQuery,
  success: { status: 200, body: SyncPage },
  errors: ['DATA_SOURCE_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});
