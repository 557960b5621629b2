import { Dataset } from '../../../shared/domains/warehouse/datasets/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../shared/platform/http/schemas.ts';
import { Job, JobsQuery } from '../../../shared/platform/jobs/record.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';
import {
  CreateDataset,
  CreatedDataset,
  DatasetPage,
  DatasetParams,
  DatasetPreview,
  DatasetSchema,
  DatasetStatistics,
  DatasetsQuery,
  DatasetVersions,
  DatasetView,
  JobPage,
  PreviewQuery,
  UpdateDataset,
  VersionParams,
} from './schemas.ts';

const read = { permission: 'datasets:read', product: 'warehouse', params: DatasetParams } as const;
const write = { permission: 'datasets:write', product: 'warehouse', params: DatasetParams } as const;

export const createDataset = defineRoute({
  operationId: 'createDataset',
  method: 'POST',
  path: '/api/datasets',
  summary: 'Create a dataset',
  description:
    'Starts the first import. The rows come from a file, a table or a query of a data source, or from a query over other datasets. Without a source, pipelines load the dataset.',
  permission: 'datasets:write',
  product: 'warehouse',
  body: CreateDataset,
  success: { status: 201, body: CreatedDataset, versioned: true },
  errors: ['DATASET_NAME_TAKEN', 'DATA_SOURCE_NOT_FOUND', 'RLS_COPY'],
  idempotent: true,
  audit: 'dataset.created',
});

export const listDatasets = defineRoute({
  operationId: 'listDatasets',
  method: 'GET',
  path: '/api/datasets',
  summary: 'List datasets',
  description:
    'Newest first. Pages follow each other by `offset`, or by `cursor` without gaps and repetitions while datasets are created and deleted.',
  permission: 'datasets:read',
  product: 'warehouse',
  query: DatasetsQuery,
  success: { status: 200, body: DatasetPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const getDataset = defineRoute({
  operationId: 'getDataset',
  method: 'GET',
  path: '/api/datasets/{id}',
  summary: 'Get a dataset',
  ...read,
  object: 'dataset',
  uses: { type: 'dataset', param: 'id' },
  success: { status: 200, body: DatasetView, versioned: true },
  errors: ['DATASET_NOT_FOUND'],
});

export const updateDataset = defineRoute({
  operationId: 'updateDataset',
  method: 'PATCH',
  path: '/api/datasets/{id}',
  summary: 'Update a dataset',
  description:
    'A refresh in progress is not affected. After a change of the source or the cursor column the next incremental refresh reads everything again. A query over datasets without columns that are in use is rejected, unless `force` is set.',
  ...write,
  query: ForceQuery,
  body: UpdateDataset,
  success: { status: 200, body: Dataset, versioned: true },
  errors: [
    'DATASET_NOT_FOUND',
    'DATASET_NAME_TAKEN',
    'DATASET_PROTECTED',
    'DATA_SOURCE_NOT_FOUND',
    'RLS_COPY',
    'REFERENCED',
  ],
  audit: 'dataset.updated',
});

export const deleteDataset = defineRoute({
  operationId: 'deleteDataset',
  method: 'DELETE',
  path: '/api/datasets/{id}',
  summary: 'Delete a dataset',
  description: 'Deletes all its versions. A refresh in progress ends as cancelled.',
  ...write,
  object: 'dataset',
  success: { status: 204, versioned: true },
  errors: ['DATASET_NOT_FOUND', 'REFERENCED'],
  audit: 'dataset.deleted',
});

export const refreshDataset = defineRoute({
  operationId: 'refreshDataset',
  method: 'POST',
  path: '/api/datasets/{id}/refresh',
  summary: 'Refresh a dataset',
  description: 'A job reads the source and adds a version.',
  ...write,
  object: 'dataset',
  success: { status: 202, body: Job },
  errors: ['DATASET_NOT_FOUND', 'DATASET_REFRESHING', 'DATASET_HAS_NO_SOURCE'],
  idempotent: true,
});

export const cancelDatasetRefresh = defineRoute({
  operationId: 'cancelDatasetRefresh',
  method: 'POST',
  path: '/api/datasets/{id}/cancel',
  summary: 'Cancel a refresh',
  description: 'A running refresh stops within seconds; the dataset stays as it is.',
  ...write,
  object: 'dataset',
  success: { status: 202, body: Job },
  errors: ['DATASET_NOT_FOUND', 'DATASET_NOT_REFRESHING'],
});

export const setDatasetSchedule = defineRoute({
  operationId: 'setDatasetSchedule',
  method: 'PUT',
  path: '/api/datasets/{id}/schedule',
  summary: "Set a dataset's refresh schedule",
  description:
    '`{}` removes it. Without `cron` and `everySeconds` the other members change the current schedule: `{"enabled": false}` switches it off and keeps it.',
  ...write,
  object: 'dataset',
  body: Schedule,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND'],
  audit: 'dataset.updated',
});

export const listDatasetHistory = defineRoute({
  operationId: 'listDatasetHistory',
  method: 'GET',
  path: '/api/datasets/{id}/history',
  summary: 'List refreshes',
  description: 'The refreshes of a dataset, newest first.',
  ...read,
  object: 'dataset',
  query: JobsQuery,
  success: { status: 200, body: JobPage },
  errors: ['DATASET_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getDatasetSchema = defineRoute({
  operationId: 'getDatasetSchema',
  method: 'GET',
  path: '/api/datasets/{id}/schema',
  summary: "Get a dataset's columns",
  ...read,
  object: 'dataset',
  success: { status: 200, body: DatasetSchema },
  errors: ['DATASET_NOT_FOUND'],
});

export const getDatasetStatistics = defineRoute({
  operationId: 'getDatasetStatistics',
  method: 'GET',
  path: '/api/datasets/{id}/statistics',
  summary: "Get a dataset's statistics",
  description:
    'Nulls, distinct values, bounds, means and the most frequent values of each column of the current version.',
  ...read,
  object: 'dataset',
  success: { status: 200, body: DatasetStatistics },
  errors: ['DATASET_NOT_FOUND', 'RLS_ERROR', 'QUERY_TOO_HEAVY'],
});

export const previewDataset = defineRoute({
  operationId: 'previewDataset',
  method: 'GET',
  path: '/api/datasets/{id}/preview',
  summary: 'Preview a dataset',
  description: 'The first rows of the current version.',
  ...read,
  object: 'dataset',
  query: PreviewQuery,
  success: { status: 200, body: DatasetPreview },
  errors: ['DATASET_NOT_FOUND', 'RLS_ERROR', 'RESULT_TOO_LARGE', 'QUERY_TOO_HEAVY'],
});

export const listDatasetVersions = defineRoute({
  operationId: 'listDatasetVersions',
  method: 'GET',
  path: '/api/datasets/{id}/versions',
  summary: 'List dataset versions',
  description: 'Newest first.',
  ...read,
  object: 'dataset',
  success: { status: 200, body: DatasetVersions },
  errors: ['DATASET_NOT_FOUND'],
});

export const restoreDatasetVersion = defineRoute({
  operationId: 'restoreDatasetVersion',
  method: 'POST',
  path: '/api/datasets/{id}/versions/{version}/restore',
  summary: 'Restore a dataset version',
  description:
    'Adds a version with the same content. The next incremental refresh continues from where that version had read its source. A version without columns that are in use is rejected, unless `force` is set.',
  ...write,
  object: 'dataset',
  params: VersionParams,
  query: ForceQuery,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND', 'DATASET_VERSION_NOT_FOUND', 'REFERENCED'],
  idempotent: true,
  audit: 'dataset.restored',
});
