import { EXPORT_MEDIA_TYPES, ZIP_MEDIA_TYPE } from '../../../shared/domains/boards/exports/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import { DownloadLink } from '../../../shared/platform/http/schemas.ts';
import { Job } from '../../../shared/platform/jobs/record.ts';
import {
  DashboardExportJob,
  DashboardParams,
  ExportDashboard,
  ExportJobParams,
  ExportReport,
  ExportStory,
  ReportParams,
  StartDashboardExport,
  StoryParams,
} from './schemas.ts';

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

export const startDashboardExport = defineRoute({
  operationId: 'startDashboardExport',
  method: 'POST',
  path: '/api/dashboards/{id}/export/jobs',
  summary: 'Start an export of a dashboard',
  description:
    'For files that take longer to write than a request may: up to 13 minutes. The file contains the rows and columns that the caller may see when the job reads them. A workspace has at most five such jobs at a time.',
  permission: 'dashboards:export',
  object: 'dashboard',
  params: DashboardParams,
  body: StartDashboardExport,
  success: { status: 202, body: DashboardExportJob },
  errors: [
    'EXPORT_TURNED_OFF',
    'DASHBOARD_NOT_FOUND',
    'DASHBOARD_PAGE_NOT_FOUND',
    'DASHBOARD_CARD_NOT_FOUND',
    'TOO_MANY_EXPORT_JOBS',
  ],
  idempotent: true,
  audit: 'dashboard.exported',
});

export const getDashboardExport = defineRoute({
  operationId: 'getDashboardExport',
  method: 'GET',
  path: '/api/dashboards/{id}/export/jobs/{jobId}',
  summary: 'Get an export of a dashboard',
  description:
    'The job, and a link to its file once it has succeeded. Only for the person who started it; 403 if this person may no longer see what the file contains. It can be read for a day.',
  permission: 'dashboards:export',
  object: 'dashboard',
  params: ExportJobParams,
  success: { status: 200, body: DashboardExportJob },
  errors: ['EXPORT_TURNED_OFF', 'DASHBOARD_NOT_FOUND', 'JOB_NOT_FOUND'],
});

export const cancelDashboardExport = defineRoute({
  operationId: 'cancelDashboardExport',
  method: 'POST',
  path: '/api/dashboards/{id}/export/jobs/{jobId}/cancel',
  summary: 'Cancel an export of a dashboard',
  description: 'A running export stops within seconds. One that has ended does not change.',
  permission: 'dashboards:export',
  object: 'dashboard',
  params: ExportJobParams,
  success: { status: 202, body: Job },
  errors: ['DASHBOARD_NOT_FOUND', 'JOB_NOT_FOUND'],
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
