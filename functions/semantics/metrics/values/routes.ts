import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MetricParams } from '../schemas.ts';
import {
  AnomaliesQuery,
  DriversQuery,
  MetricAnomalies,
  MetricDrivers,
  MetricSeries,
  MetricValue,
  SeriesQuery,
  ValueQuery,
} from './schemas.ts';

/** The statements are made by the platform for sources that can be queried; what is left can happen to any of them. */
const ERRORS = [
  'METRIC_NOT_FOUND',
  'METRIC_STALE',
  'DATA_SOURCE_UNREACHABLE',
  'SQL_ERROR',
  'RLS_ERROR',
  'QUERY_TIMEOUT',
  'QUERY_TOO_HEAVY',
  'SERVICE_BUSY',
] as const;

const asked = { permission: 'metrics:read', object: 'metric', params: MetricParams } as const;

export const getMetricValue = defineRoute({
  operationId: 'getMetricValue',
  method: 'GET',
  path: '/api/metrics/{id}/value',
  summary: 'Get the value of a metric',
  description:
    'For the period around a moment, beside an earlier period and the target; from the rows that the caller may see.',
  ...asked,
  query: ValueQuery,
  uses: { type: 'metric', param: 'id', isQuery: true },
  success: { status: 200, body: MetricValue },
  errors: [...ERRORS],
});

export const getMetricSeries = defineRoute({
  operationId: 'getMetricSeries',
  method: 'GET',
  path: '/api/metrics/{id}/series',
  summary: 'Get the values of a metric over time',
  description: 'One value for each period, also for periods without rows.',
  ...asked,
  query: SeriesQuery,
  success: { status: 200, body: MetricSeries },
  errors: [...ERRORS],
});

export const getMetricDrivers = defineRoute({
  operationId: 'getMetricDrivers',
  method: 'GET',
  path: '/api/metrics/{id}/drivers',
  summary: 'Get what moved a metric',
  description: 'Compares two periods for each value of a dimension, and shows how much of the change belongs to it.',
  ...asked,
  query: DriversQuery,
  success: { status: 200, body: MetricDrivers },
  errors: [...ERRORS, 'QUESTION_UNANSWERABLE', 'RESULT_TOO_LARGE'],
});

export const getMetricAnomalies = defineRoute({
  operationId: 'getMetricAnomalies',
  method: 'GET',
  path: '/api/metrics/{id}/anomalies',
  summary: 'Get the unusual values of a metric',
  description:
    'Checks each complete period against earlier ones of its season, by median and median absolute deviation. The checked value and earlier unusual ones are no part of the baseline.',
  ...asked,
  query: AnomaliesQuery,
  success: { status: 200, body: MetricAnomalies },
  errors: [...ERRORS],
});
