import { Dataset } from '../../shared/datasets/record.ts';
import { defineRoute } from '../../shared/http/route.ts';
import { IdParams, ListQuery } from '../../shared/http/schemas.ts';
import { DatasetPage, DatasetPreview, DatasetSchema, PreviewQuery } from './schemas.ts';

export const listDatasets = defineRoute({
  operationId: 'listDatasets',
  method: 'GET',
  path: '/api/datasets',
  summary: 'List datasets',
  permission: 'datasets:read',
  product: 'warehouse',
  query: ListQuery,
  success: { status: 200, body: DatasetPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const getDataset = defineRoute({
  operationId: 'getDataset',
  method: 'GET',
  path: '/api/datasets/{id}',
  summary: 'Read a dataset',
  permission: 'datasets:read',
  product: 'warehouse',
  params: IdParams,
  success: { status: 200, body: Dataset, versioned: true },
  errors: ['DATASET_NOT_FOUND'],
});

export const getDatasetSchema = defineRoute({
  operationId: 'getDatasetSchema',
  method: 'GET',
  path: '/api/datasets/{id}/schema',
  summary: 'Read the columns of a dataset',
  permission: 'datasets:read',
  product: 'warehouse',
  params: IdParams,
  success: { status: 200, body: DatasetSchema },
  errors: ['DATASET_NOT_FOUND'],
});

export const previewDataset = defineRoute({
  operationId: 'previewDataset',
  method: 'GET',
  path: '/api/datasets/{id}/preview',
  summary: 'Read the first rows of a dataset',
  permission: 'datasets:read',
  product: 'warehouse',
  params: IdParams,
  query: PreviewQuery,
  success: { status: 200, body: DatasetPreview },
  errors: ['DATASET_NOT_FOUND', 'RESULT_TOO_LARGE'],
});
