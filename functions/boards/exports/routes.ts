import { EXPORT_MEDIA_TYPES, ZIP_MEDIA_TYPE } from '../../../shared/domains/boards/exports/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { DownloadLink } from '../../../shared/platform/http/schemas.ts';
import { DashboardParams, ExportDashboard, ExportReport, ReportParams } from './schemas.ts';

const { csv, ...binary } = EXPORT_MEDIA_TYPES;

const file = {
  status: 200,
  contentTypes: [csv, 'application/json', ...Object.values(binary), ZIP_MEDIA_TYPE],
  body: DownloadLink,
  headers: {
    'X-Truncated': '`true` when a card or block has more rows than the file.',
    'X-Warnings': 'The warnings, separated by commas; absent if there are none.',
    'X-Failed-Cards': 'The number of cards or blocks that the file reports as failed.',
  },
} as const;

export const exportDashboard = defineRoute({
  operationId: 'exportDashboard',
  method: 'POST',
  path: '/api/dashboards/{id}/export',
  summary: 'Export a dashboard to a file',
  description:
    'The file contains the rows and columns that the caller may see. The reply is the file itself if the file is at most 4 MB and the `Accept` header begins with its content type; CSV of one card needs no header. Otherwise the reply is a link to the file, valid for 15 minutes. The file reports cards that fail, and contains the others.',
  permission: 'dashboards:export',
  object: 'dashboard',
  params: DashboardParams,
  body: ExportDashboard,
  success: file,
  errors: [
    'EXPORT_TURNED_OFF',
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'CARD_WITHOUT_ROWS',
    'EXPORT_TOO_SLOW',
  ],
  audit: 'dashboard.exported',
});

export const exportReport = defineRoute({
  operationId: 'exportReport',
  method: 'POST',
  path: '/api/reports/{id}/export',
  summary: 'Export a report to a file',
  description:
    'The file contains the rows and columns that the caller may see, with the values of the parameters. Replies like the export of a dashboard: with the file itself if it is at most 4 MB and `Accept` begins with its content type, otherwise with a link that is valid for 15 minutes. The file reports blocks that fail, and contains the others.',
  permission: 'reports:export',
  object: 'report',
  params: ReportParams,
  body: ExportReport,
  success: file,
  errors: [
    'EXPORT_TURNED_OFF',
    'REPORT_NOT_FOUND',
    'REPORT_BLOCK_NOT_FOUND',
    'REPORT_BLOCK_WITHOUT_ROWS',
    'EXPORT_TOO_SLOW',
  ],
  audit: 'report.exported',
});
