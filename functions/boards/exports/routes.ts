import { EXPORT_MEDIA_TYPES, ZIP_MEDIA_TYPE } from '../../../shared/domains/boards/exports/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { DownloadLink } from '../../../shared/platform/http/schemas.ts';
import { DashboardParams, ExportDashboard, ExportReport, ExportStory, ReportParams, StoryParams } from './schemas.ts';

const { csv, ...binary } = EXPORT_MEDIA_TYPES;
const { pdf, docx } = EXPORT_MEDIA_TYPES;

const link = {
  status: 200,
  body: DownloadLink,
  headers: {
    'X-Truncated': '`true` when a card or block has more rows than the file.',
    'X-Warnings': 'The warnings, separated by commas; absent if there are none.',
    'X-Failed-Cards': 'The number of cards or blocks that the file reports as failed.',
  },
} as const;
const file = {
  ...link,
  contentTypes: [csv, 'application/json', ...Object.values(binary), ZIP_MEDIA_TYPE],
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

export const exportStory = defineRoute({
  operationId: 'exportStory',
  method: 'POST',
  path: '/api/stories/{id}/export',
  summary: 'Export a story to a file',
  description:
    'The file contains the text with its live blocks and values as the page of the story shows them to the caller: with the rows and columns that the caller may see, without the sections that are hidden from the caller, and without comments. Replies like the export of a dashboard: with the file itself if it is at most 4 MB and `Accept` begins with its content type, otherwise with a link that is valid for 15 minutes. The file reports blocks that fail, and contains the others.',
  permission: 'stories:export',
  object: 'story',
  params: StoryParams,
  body: ExportStory,
  success: { ...link, contentTypes: [pdf, 'application/json', docx] },
  errors: ['EXPORT_TURNED_OFF', 'STORY_NOT_FOUND', 'EXPORT_TOO_SLOW'],
  audit: 'story.exported',
});
