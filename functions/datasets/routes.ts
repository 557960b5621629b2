import { Dataset } from '../../shared/domains/datasets/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery } from '../../shared/platform/http/schemas.ts';
import { Job } from '../../shared/platform/jobs/record.ts';
import { Schedule } from '../../shared/platform/schedule/schedule.ts';
import {
  CreatedDataset,
  DatasetPage,
  DatasetPatch,
  DatasetPreview,
  DatasetSchema,
  DatasetStatistics,
  DatasetsQuery,
  DatasetVersions,
  DatasetView,
  JobPage,
  NewDataset,
  PreviewQuery,
  VersionParams,
} from './schemas.ts';

const read = { permission: 'datasets:read', product: 'warehouse', params: IdParams } as const;
const write = { permission: 'datasets:write', product: 'warehouse', params: IdParams } as const;

export const createDataset = defineRoute({
  operationId: 'createDataset',
  method: 'POST',
  path: '/api/datasets',
  summary: 'Create a dataset and start its first import',
  description:
    'The rows come from an uploaded file, a table or a query of a data source, or a query over other datasets. Without a source the dataset is filled by pipelines.',
  permission: 'datasets:write',
  product: 'warehouse',
  body: NewDataset,
  success: { status: 201, body: CreatedDataset, versioned: true },
  errors: ['DATASET_NAME_TAKEN', 'DATA_SOURCE_NOT_FOUND'],
  idempotent: true,
});

export const listDatasets = defineRoute({
  operationId: 'listDatasets',
  method: 'GET',
  path: '/api/datasets',
  summary: 'List datasets, newest first',
  description:
    'By `offset`, or by `cursor`: `nextCursor` leads from page to page, without gaps and repetitions while datasets come and go.',
  permission: 'datasets:read',
  product: 'warehouse',
  query: DatasetsQuery,
  success: { status: 200, body: DatasetPage },
  errors: ['OFFSET_TOO_LARGE', 'CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'],
});

export const getDataset = defineRoute({
  operationId: 'getDataset',
  method: 'GET',
  path: '/api/datasets/{id}',
  summary: 'Read a dataset',
  ...read,
  success: { status: 200, body: DatasetView, versioned: true },
  errors: ['DATASET_NOT_FOUND'],
});

export const updateDataset = defineRoute({
  operationId: 'updateDataset',
  method: 'PATCH',
  path: '/api/datasets/{id}',
  summary: 'Change a dataset',
  description:
    'A refresh under way is not disturbed and ends as it began. Another source or cursor makes the next incremental refresh read everything again.',
  ...write,
  body: DatasetPatch,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND', 'DATASET_NAME_TAKEN', 'DATA_SOURCE_NOT_FOUND'],
});

export const deleteDataset = defineRoute({
  operationId: 'deleteDataset',
  method: 'DELETE',
  path: '/api/datasets/{id}',
  summary: 'Delete a dataset with all its versions',
  description:
    'A refresh under way ends as cancelled. What it stored is not counted any more, and deleted a day later.',
  ...write,
  success: { status: 204, versioned: true },
  errors: ['DATASET_NOT_FOUND', 'DATASET_REFERENCED'],
});

export const refreshDataset = defineRoute({
  operationId: 'refreshDataset',
  method: 'POST',
  path: '/api/datasets/{id}/refresh',
  summary: 'Refresh a dataset from its source',
  ...write,
  success: { status: 202, body: Job },
  errors: ['DATASET_NOT_FOUND', 'DATASET_REFRESHING', 'DATASET_HAS_NO_SOURCE'],
  idempotent: true,
});

export const cancelDatasetRefresh = defineRoute({
  operationId: 'cancelDatasetRefresh',
  method: 'POST',
  path: '/api/datasets/{id}/cancel',
  summary: 'Cancel the refresh under way',
  description: 'One that is being worked on stops within seconds; the dataset stays as it is.',
  ...write,
  success: { status: 202, body: Job },
  errors: ['DATASET_NOT_FOUND', 'DATASET_NOT_REFRESHING'],
});

export const setDatasetSchedule = defineRoute({
  operationId: 'setDatasetSchedule',
  method: 'PUT',
  path: '/api/datasets/{id}/schedule',
  summary: 'Set when a dataset is refreshed',
  description: 'A schedule without `cron` and `everySeconds` is none.',
  ...write,
  body: Schedule,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND'],
});

export const listDatasetHistory = defineRoute({
  operationId: 'listDatasetHistory',
  method: 'GET',
  path: '/api/datasets/{id}/history',
  summary: 'List the refreshes of a dataset, newest first',
  ...read,
  query: ListQuery,
  success: { status: 200, body: JobPage },
  errors: ['DATASET_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getDatasetSchema = defineRoute({
  operationId: 'getDatasetSchema',
  method: 'GET',
  path: '/api/datasets/{id}/schema',
  summary: 'Read the columns of a dataset',
  ...read,
  success: { status: 200, body: DatasetSchema },
  errors: ['DATASET_NOT_FOUND'],
});

export const getDatasetStatistics = defineRoute({
  operationId: 'getDatasetStatistics',
  method: 'GET',
  path: '/api/datasets/{id}/statistics',
  summary: 'Read what the columns of a dataset hold',
  description: 'Nulls, distinct values, bounds, mean and the most frequent values, of the current version.',
  ...read,
  success: { status: 200, body: DatasetStatistics },
  errors: ['DATASET_NOT_FOUND', 'QUERY_TOO_HEAVY'],
});

export const previewDataset = defineRoute({
  operationId: 'previewDataset',
  method: 'GET',
  path: '/api/datasets/{id}/preview',
  summary: 'Read the first rows of a dataset',
  ...read,
  query: PreviewQuery,
  success: { status: 200, body: DatasetPreview },
  errors: ['DATASET_NOT_FOUND', 'RESULT_TOO_LARGE', 'QUERY_TOO_HEAVY'],
});

export const listDatasetVersions = defineRoute({
  operationId: 'listDatasetVersions',
  method: 'GET',
  path: '/api/datasets/{id}/versions',
  summary: 'List the versions of a dataset, newest first',
  ...read,
  success: { status: 200, body: DatasetVersions },
  errors: ['DATASET_NOT_FOUND'],
});

export const restoreDatasetVersion = defineRoute({
  operationId: 'restoreDatasetVersion',
  method: 'POST',
  path: '/api/datasets/{id}/versions/{version}/restore',
  summary: 'Make an earlier version current again',
  description:
    'Adds a version with the same content. An incremental refresh goes on from where that version was read to.',
  ...write,
  params: VersionParams,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND', 'DATASET_VERSION_NOT_FOUND'],
  idempotent: true,
});
