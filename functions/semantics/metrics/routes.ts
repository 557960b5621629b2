import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  CreateMetric,
  Metric,
  MetricDetails,
  MetricListQuery,
  MetricPage,
  MetricParams,
  UpdateMetric,
} from './schemas.ts';

export const listMetrics = defineRoute({
  operationId: 'listMetrics',
  method: 'GET',
  path: '/api/metrics',
  summary: 'List metrics',
  permission: 'metrics:read',
  query: MetricListQuery,
  success: { status: 200, body: MetricPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createMetric = defineRoute({
  operationId: 'createMetric',
  method: 'POST',
  path: '/api/metrics',
  summary: 'Create a metric',
  description: 'The model must be able to answer for it: issues of measures, fields, filters and joins are reported.',
  permission: 'metrics:write',
  body: CreateMetric,
  success: { status: 201, body: Metric, versioned: true },
  errors: ['METRIC_NAME_TAKEN', 'MODEL_NOT_FOUND', 'MEMBER_NOT_FOUND', 'SOURCE_NOT_QUERYABLE'],
  idempotent: true,
  audit: 'metric.created',
});

export const getMetric = defineRoute({
  operationId: 'getMetric',
  method: 'GET',
  path: '/api/metrics/{id}',
  summary: 'Get a metric',
  permission: 'metrics:read',
  object: 'metric',
  params: MetricParams,
  uses: { type: 'metric', param: 'id' },
  success: { status: 200, body: MetricDetails, versioned: true },
  errors: ['METRIC_NOT_FOUND'],
});

export const updateMetric = defineRoute({
  operationId: 'updateMetric',
  method: 'PATCH',
  path: '/api/metrics/{id}',
  summary: 'Update a metric',
  description:
    'Only admins certify. When others change what a certified metric measures, its certification ends. A certification states who certified the metric and when.',
  permission: 'metrics:write',
  grant: grantOn('metric', 'editor'),
  params: MetricParams,
  body: UpdateMetric,
  success: { status: 200, body: Metric, versioned: true },
  errors: [
    'METRIC_NOT_FOUND',
    'METRIC_NAME_TAKEN',
    'MODEL_NOT_FOUND',
    'MEMBER_NOT_FOUND',
    'SOURCE_NOT_QUERYABLE',
    'CERTIFICATION_FULL',
  ],
  audit: ['metric.updated', 'certification.updated'],
});

export const deleteMetric = defineRoute({
  operationId: 'deleteMetric',
  method: 'DELETE',
  path: '/api/metrics/{id}',
  summary: 'Delete a metric',
  description: 'Grants on it end.',
  permission: 'metrics:write',
  params: MetricParams,
  success: { status: 204, versioned: true },
  errors: ['METRIC_NOT_FOUND', 'REFERENCED'],
  audit: 'metric.deleted',
});
