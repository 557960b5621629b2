import { PublishGate } from '../../../../shared/domains/quality/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  FreshnessQuery,
  ReportStatus,
  ReportStatusQuery,
  TableFreshnessPage,
  TableScorePage,
  TableScoreQuery,
  UpdatePublishGate,
  WorkspaceScore,
} from './schemas.ts';

export const getQualityScore = defineRoute({
  operationId: 'getQualityScore',
  method: 'GET',
  path: '/api/data-quality/score',
  summary: 'Get the quality score of the workspace',
  description:
    'The mean of the tables; those that others depend on weigh more. A table without a score does not count, and one with a failing critical test has at most 59.',
  permission: 'quality:read',
  success: { status: 200, body: WorkspaceScore },
  errors: ['LIST_TOO_LARGE'],
});

export const listQualityTableScores = defineRoute({
  operationId: 'listQualityTableScores',
  method: 'GET',
  path: '/api/data-quality/score/tables',
  summary: 'List quality scores of tables',
  description: 'Sorted by the names of the tables, or by their scores; tables without a score are last.',
  permission: 'quality:read',
  query: TableScoreQuery,
  success: { status: 200, body: TableScorePage },
  errors: ['LIST_TOO_LARGE'],
});

export const listQualityFreshness = defineRoute({
  operationId: 'listQualityFreshness',
  method: 'GET',
  path: '/api/data-quality/freshness',
  summary: 'List the freshness of tables',
  description:
    'Datasets by name, and then the scanned tables of data sources. Rows are stale when a load of the schedule, or of the usual rhythm, is overdue.',
  permission: 'quality:read',
  query: FreshnessQuery,
  success: { status: 200, body: TableFreshnessPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getQualityReportStatus = defineRoute({
  operationId: 'getQualityReportStatus',
  method: 'GET',
  path: '/api/data-quality/report-status',
  summary: 'Get the quality status of tables',
  description:
    'Returns the data for a quality badge on a report or dashboard. Requires one of `tableNames`, `modelId` and `reportId`.',
  permission: 'quality:read',
  query: ReportStatusQuery,
  success: { status: 200, body: ReportStatus },
  errors: ['QUALITY_TABLE_NOT_FOUND', 'MODEL_NOT_FOUND', 'DASHBOARD_NOT_FOUND', 'LIST_TOO_LARGE'],
});

export const getPublishGate = defineRoute({
  operationId: 'getPublishGate',
  method: 'GET',
  path: '/api/data-quality/publish-gate',
  summary: 'Get the quality gate of publishing',
  permission: 'quality:read',
  success: { status: 200, body: PublishGate, versioned: true },
});

export const updatePublishGate = defineRoute({
  operationId: 'updatePublishGate',
  method: 'PUT',
  path: '/api/data-quality/publish-gate',
  summary: 'Update the quality gate of publishing',
  description: 'Content that is already published stays published.',
  permission: 'quality:configure',
  body: UpdatePublishGate,
  success: { status: 200, body: PublishGate, versioned: true },
  audit: 'quality_publish_gate.updated',
});
