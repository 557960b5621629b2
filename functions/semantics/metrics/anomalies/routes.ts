import { DetectedAnomaly } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MetricParams } from '../schemas.ts';
import { AnomalyParams, DetectedAnomalies, DetectedAnomaliesQuery, ReviewAnomaly } from './schemas.ts';

export const listDetectedAnomalies = defineRoute({
  operationId: 'listDetectedAnomalies',
  method: 'GET',
  path: '/api/metrics/{id}/detected-anomalies',
  summary: 'List detected anomalies',
  description: 'A certified metric with `anomalyChecks` is checked once for each period.',
  permission: 'metrics:read',
  object: 'metric',
  params: MetricParams,
  query: DetectedAnomaliesQuery,
  success: { status: 200, body: DetectedAnomalies },
  errors: ['METRIC_NOT_FOUND'],
});

export const reviewAnomaly = defineRoute({
  operationId: 'reviewAnomaly',
  method: 'PATCH',
  path: '/api/metrics/{id}/detected-anomalies/{anomalyId}',
  summary: 'Update a detected anomaly',
  description: 'Confirms or dismisses it.',
  permission: 'metrics:write',
  grant: grantOn('metric', 'editor'),
  params: AnomalyParams,
  body: ReviewAnomaly,
  success: { status: 200, body: DetectedAnomaly },
  errors: ['METRIC_NOT_FOUND', 'METRIC_ANOMALY_NOT_FOUND'],
  audit: 'metric.anomaly_reviewed',
});
