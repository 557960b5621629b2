import { BlockData } from '../../../shared/domains/boards/reports/index.ts';
import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  BlockParams,
  CreateReport,
  ReadBlock,
  Report,
  ReportListQuery,
  ReportParams,
  ReportSummaryPage,
  RestoreReport,
  UpdateReport,
} from './schemas.ts';

const write = { permission: 'reports:write', grant: grantOn('report', 'editor') } as const;

export const listReports = defineRoute({
  operationId: 'listReports',
  method: 'GET',
  path: '/api/reports',
  summary: 'List reports',
  description:
    'Editors and admins see all reports, viewers those that are published or granted to them, and their own.',
  permission: 'reports:read',
  query: ReportListQuery,
  success: { status: 200, body: ReportSummaryPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createReport = defineRoute({
  operationId: 'createReport',
  method: 'POST',
  path: '/api/reports',
  summary: 'Create a report',
  description:
    'The charts of its blocks are not run: a block whose query does not fit its source replies with an error when it is read.',
  permission: 'reports:write',
  body: CreateReport,
  success: { status: 201, body: Report, versioned: true },
  errors: ['REPORT_NAME_TAKEN'],
  idempotent: true,
  audit: 'report.created',
});

export const getReport = defineRoute({
  operationId: 'getReport',
  method: 'GET',
  path: '/api/reports/{id}',
  summary: 'Get a report',
  permission: 'reports:read',
  object: 'report',
  params: ReportParams,
  uses: { type: 'report', param: 'id' },
  success: { status: 200, body: Report, versioned: true },
  errors: ['REPORT_NOT_FOUND'],
});

export const updateReport = defineRoute({
  operationId: 'updateReport',
  method: 'PUT',
  path: '/api/reports/{id}',
  summary: 'Update a report',
  description: 'Changes the members that are sent.',
  ...write,
  params: ReportParams,
  body: UpdateReport,
  success: { status: 200, body: Report, versioned: true },
  errors: ['REPORT_NOT_FOUND', 'REPORT_NAME_TAKEN'],
  audit: 'report.updated',
});

export const deleteReport = defineRoute({
  operationId: 'deleteReport',
  method: 'DELETE',
  path: '/api/reports/{id}',
  summary: 'Delete a report',
  description: 'The report can be restored for 30 days. Its name becomes available again.',
  permission: 'reports:write',
  params: ReportParams,
  success: { status: 204, versioned: true },
  errors: ['REPORT_NOT_FOUND'],
  audit: 'report.deleted',
});

export const restoreReport = defineRoute({
  operationId: 'restoreReport',
  method: 'POST',
  path: '/api/reports/{id}/restore',
  summary: 'Restore a deleted report',
  description: 'Restoring a report that is not deleted changes nothing.',
  permission: 'reports:write',
  params: ReportParams,
  body: RestoreReport,
  optionalBody: true,
  success: { status: 200, body: Report, versioned: true },
  errors: ['REPORT_NOT_FOUND', 'REPORT_NAME_TAKEN'],
  audit: 'report.restored',
});

export const readReportBlock = defineRoute({
  operationId: 'readReportBlock',
  method: 'POST',
  path: '/api/reports/{id}/blocks/{blockId}/data',
  summary: 'Read the rows of a block',
  description:
    'Runs the query of the block for the caller: with the rows and columns that the caller may see, with the values of its parameters, and with the filters whose fields its source has.',
  permission: 'reports:read',
  object: 'report',
  params: BlockParams,
  body: ReadBlock,
  optionalBody: true,
  success: { status: 200, body: BlockData },
  errors: ['REPORT_NOT_FOUND', 'REPORT_BLOCK_NOT_FOUND', 'REPORT_BLOCK_WITHOUT_ROWS', 'REPORT_BLOCK_UNREADABLE'],
});
