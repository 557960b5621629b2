import { EXPORT_MEDIA_TYPES, ZIP_MEDIA_TYPE } from '../../shared/domains/exports/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { DownloadLink } from '../../shared/platform/http/schemas.ts';
import { DashboardParams, ExportDashboard } from './schemas.ts';

const { csv, ...binary } = EXPORT_MEDIA_TYPES;

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
  success: {
    status: 200,
    contentTypes: [csv, 'application/json', ...Object.values(binary), ZIP_MEDIA_TYPE],
    body: DownloadLink,
    headers: {
      'X-Truncated': '`true` when a card has more rows than the file.',
      'X-Warnings': 'The warnings, separated by commas; absent if there are none.',
      'X-Failed-Cards': 'The number of cards that the file reports as failed.',
    },
  },
  errors: [
    'EXPORT_TURNED_OFF',
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'CARD_WITHOUT_ROWS',
  ],
  audit: 'dashboard.exported',
});
