import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  IssueListQuery,
  IssueParams,
  IssueSummary,
  QualityIssue,
  QualityIssuePage,
  SetIssueStatus,
} from './schemas.ts';

export const listQualityIssues = defineRoute({
  operationId: 'listQualityIssues',
  method: 'GET',
  path: '/api/data-quality/issues',
  summary: 'List data-quality issues',
  description: 'The issue that was found last comes first.',
  permission: 'quality:read',
  query: IssueListQuery,
  success: { status: 200, body: QualityIssuePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const summarizeQualityIssues = defineRoute({
  operationId: 'summarizeQualityIssues',
  method: 'GET',
  path: '/api/data-quality/issues/summary',
  summary: 'Summarize data-quality issues',
  permission: 'quality:read',
  success: { status: 200, body: IssueSummary },
  errors: ['LIST_TOO_LARGE'],
});

export const getQualityIssue = defineRoute({
  operationId: 'getQualityIssue',
  method: 'GET',
  path: '/api/data-quality/issues/{id}',
  summary: 'Get a data-quality issue',
  permission: 'quality:read',
  params: IssueParams,
  success: { status: 200, body: QualityIssue, versioned: true },
  errors: ['QUALITY_ISSUE_NOT_FOUND'],
});

export const setQualityIssueStatus = defineRoute({
  operationId: 'setQualityIssueStatus',
  method: 'PUT',
  path: '/api/data-quality/issues/{id}/status',
  summary: 'Set the status of a data-quality issue',
  description: 'Any status may follow any other. A run that passes fixes issues that are open or in progress.',
  permission: 'quality:write',
  params: IssueParams,
  body: SetIssueStatus,
  success: { status: 200, body: QualityIssue, versioned: true },
  errors: ['QUALITY_ISSUE_NOT_FOUND', 'MEMBER_NOT_FOUND'],
  audit: 'quality_issue.updated',
});
