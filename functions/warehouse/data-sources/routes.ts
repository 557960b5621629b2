import { defineRoute } from '../../../shared/platform/http/route.ts';
import { Job, JobsQuery } from '../../../shared/platform/jobs/record.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';
import {
  AbortQuery,
  ColumnList,
  ColumnQuery,
  CompleteUpload,
  CreateDataSource,
  CreateUpload,
  DataSource,
  DataSourcePage,
  DataSourceParams,
  DataSourcesQuery,
  SchemaList,
  SourceTable,
  SyncPage,
  TableList,
  TableQuery,
  TestResult,
  UpdateDataSource,
  Upload,
  UploadParams,
} from './schemas.ts';

export const listDataSources = defineRoute({
  operationId: 'listDataSources',
  method: 'GET',
  path: '/api/data-sources',
  summary: 'List data sources',
  permission: 'data-sources:read',
  query: DataSourcesQuery,
  success: { status: 200, body: DataSourcePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createDataSource = defineRoute({
  operationId: 'createDataSource',
  method: 'POST',
  path: '/api/data-sources',
  summary: 'Create a data source',
  description:
    'Files are uploaded to a `file` source; `postgres`, `mysql`, `s3` and `http` sources are reached over the network. Their address is checked now and on every connection. Only admins create them; editors create `file` sources if `editorsMayUpload` of the workspace is on.',
  permission: 'data-sources:upload',
  body: CreateDataSource,
  success: { status: 201, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NAME_TAKEN', 'ADDRESS_BLOCKED'],
  idempotent: true,
  audit: 'data_source.created',
});

export const testNewDataSource = defineRoute({
  operationId: 'testNewDataSource',
  method: 'POST',
  path: '/api/data-sources/test',
  summary: 'Test a connection',
  description: 'Tries settings without saving them.',
  permission: 'data-sources:manage',
  body: CreateDataSource,
  success: { status: 200, body: TestResult },
  errors: ['ADDRESS_BLOCKED'],
});

export const getDataSource = defineRoute({
  operationId: 'getDataSource',
  method: 'GET',
  path: '/api/data-sources/{id}',
  summary: 'Get a data source',
  permission: 'data-sources:read',
  object: 'data-source',
  params: DataSourceParams,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND'],
});

export const updateDataSource = defineRoute({
  operationId: 'updateDataSource',
  method: 'PATCH',
  path: '/api/data-sources/{id}',
  summary: 'Update a data source',
  description:
    'Changes its name, settings or secrets; its type stays. Work in progress continues with the earlier ones, new connections use the new ones.',
  permission: 'data-sources:manage',
  params: DataSourceParams,
  body: UpdateDataSource,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_NAME_TAKEN', 'ADDRESS_BLOCKED'],
  audit: 'data_source.updated',
});

export const deleteDataSource = defineRoute({
  operationId: 'deleteDataSource',
  method: 'DELETE',
  path: '/api/data-sources/{id}',
  summary: 'Delete a data source',
  description:
    'Rejected while a pipeline, a dataset or a saved query refers to it; the reply lists them. Its uploads and its catalog are deleted as well; a sync in progress ends as cancelled.',
  permission: 'data-sources:manage',
  object: 'data-source',
  params: DataSourceParams,
  success: { status: 204, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND', 'REFERENCED'],
  audit: 'data_source.deleted',
});

export const testDataSource = defineRoute({
  operationId: 'testDataSource',
  method: 'POST',
  path: '/api/data-sources/{id}/test',
  summary: "Test a data source's connection",
  permission: 'data-sources:manage',
  object: 'data-source',
  params: DataSourceParams,
  success: { status: 200, body: TestResult },
  errors: ['DATA_SOURCE_NOT_FOUND'],
});

export const createUpload = defineRoute({
  operationId: 'createUpload',
  method: 'POST',
  path: '/api/data-sources/{id}/uploads',
  summary: 'Start an upload',
  description:
    'The file itself goes directly to storage: with one PUT to the returned URL or, above 64 MiB, with one PUT for each part; then complete the upload. The same path again replaces the file.',
  permission: 'data-sources:upload',
  object: 'data-source',
  params: DataSourceParams,
  body: CreateUpload,
  success: { status: 201, body: Upload },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED'],
  idempotent: true,
  audit: 'data_source.upload_created',
});

export const completeUpload = defineRoute({
  operationId: 'completeUpload',
  method: 'POST',
  path: '/api/data-sources/{id}/uploads/{uploadId}/complete',
  summary: 'Complete an upload',
  description:
    'Joins the uploaded parts. The file appears as a whole. Completing it again with the same parts changes nothing.',
  permission: 'data-sources:upload',
  object: 'data-source',
  params: UploadParams,
  body: CompleteUpload,
  success: { status: 200, body: SourceTable },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED', 'UPLOAD_NOT_FOUND', 'UPLOAD_PARTS_INVALID'],
  idempotent: true,
});

export const abortUpload = defineRoute({
  operationId: 'abortUpload',
  method: 'DELETE',
  path: '/api/data-sources/{id}/uploads/{uploadId}',
  summary: 'Abort an upload',
  description: 'Removes the uploaded parts. Without it they are removed after two days.',
  permission: 'data-sources:upload',
  object: 'data-source',
  params: UploadParams,
  query: AbortQuery,
  success: { status: 204 },
  errors: ['DATA_SOURCE_NOT_FOUND', 'UPLOAD_NOT_SUPPORTED', 'UPLOAD_NOT_FOUND'],
});

export const listSourceSchemas = defineRoute({
  operationId: 'listSourceSchemas',
  method: 'GET',
  path: '/api/data-sources/{id}/schemas',
  summary: 'List schemas',
  permission: 'data-sources:read',
  object: 'data-source',
  params: DataSourceParams,
  success: { status: 200, body: SchemaList },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_UNREACHABLE'],
});

export const listSourceTables = defineRoute({
  operationId: 'listSourceTables',
  method: 'GET',
  path: '/api/data-sources/{id}/tables',
  summary: 'List tables or files',
  description: 'The tables of one schema, or the files, by name, in pages.',
  permission: 'data-sources:read',
  object: 'data-source',
  params: DataSourceParams,
  query: TableQuery,
  success: { status: 200, body: TableList },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_UNREACHABLE', 'DATA_SOURCE_NOT_SYNCED'],
});

export const listSourceColumns = defineRoute({
  operationId: 'listSourceColumns',
  method: 'GET',
  path: '/api/data-sources/{id}/columns',
  summary: 'List columns',
  description: 'The columns of a table or a file; for a file with its first rows.',
  permission: 'data-sources:read',
  object: 'data-source',
  params: DataSourceParams,
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
  summary: 'Sync a data source',
  description:
    'A job reads schemas, tables and columns, or the list of files, and replaces the stored catalog. It keeps the settings that it has started with.',
  permission: 'data-sources:manage',
  object: 'data-source',
  params: DataSourceParams,
  success: { status: 202, body: Job },
  errors: ['DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_SYNCING'],
  idempotent: true,
});

export const setDataSourceSchedule = defineRoute({
  operationId: 'setDataSourceSchedule',
  method: 'PUT',
  path: '/api/data-sources/{id}/schedule',
  summary: "Set a data source's sync schedule",
  description:
    '`{}` removes it. Without `cron` and `everySeconds` the other members change the current schedule: `{"enabled": false}` switches it off and keeps it.',
  permission: 'data-sources:manage',
  object: 'data-source',
  params: DataSourceParams,
  body: Schedule,
  success: { status: 200, body: DataSource, versioned: true },
  errors: ['DATA_SOURCE_NOT_FOUND'],
  audit: 'data_source.updated',
});

export const listDataSourceHistory = defineRoute({
  operationId: 'listDataSourceHistory',
  method: 'GET',
  path: '/api/data-sources/{id}/history',
  summary: 'List syncs',
  description: 'The syncs of a data source, newest first.',
  permission: 'data-sources:read',
  object: 'data-source',
  params: DataSourceParams,
  query: JobsQuery,
  success: { status: 200, body: SyncPage },
  errors: ['DATA_SOURCE_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});
