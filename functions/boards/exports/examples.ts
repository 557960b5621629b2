import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import type { Job } from '../../../shared/platform/jobs/record.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const job: Job = {
  id: IDS.dashboardExport,
  kind: 'dashboard_export',
  subjectId: IDS.dashboardExport,
  status: 'queued',
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  attempt: 0,
  progress: null,
  result: null,
  error: null,
  createdAt: '2026-01-05T09:12:00.250Z',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
};
const started: Job = { ...job, status: 'running', attempt: 1, startedAt: '2026-01-05T09:12:00.900Z' };
const finishedAt = '2026-01-05T09:13:10.900Z';

export const examples: ExamplesOf<typeof routes> = {
  exportDashboard: {
    request: { format: 'xlsx', pageId: 'overview', timezone: 'Europe/Berlin' },
    reply: {
      downloadUrl: 'https://data.example.com/results/sales.xlsx?X-Amz-Expires=900',
      expiresAt: '2026-01-05T09:30:00.000Z',
      bytes: 48_213,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
  },
  startDashboardExport: {
    request: { format: 'xlsx', cardIds: ['all-orders'] },
    reply: { ...job, file: null },
  },
  getDashboardExport: {
    reply: {
      ...started,
      status: 'succeeded',
      result: { bytes: 61_204_118, truncated: false, failedCards: 0, warnings: [] },
      finishedAt,
      durationMs: 70_000,
      file: {
        downloadUrl: 'https://data.example.com/results/sales.xlsx?X-Amz-Expires=900',
        expiresAt: '2026-01-05T09:30:00.000Z',
        bytes: 61_204_118,
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    },
  },
  cancelDashboardExport: { reply: { ...started, status: 'cancelled', finishedAt, durationMs: 70_000 } },
  exportReport: {
    request: { format: 'docx', parameters: [{ name: 'regions', value: ['North'] }] },
    reply: {
      downloadUrl: 'https://data.example.com/results/monthly-sales.docx?X-Amz-Expires=900',
      expiresAt: '2026-01-05T09:30:00.000Z',
      bytes: 21_904,
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    },
  },
  exportStory: {
    request: { format: 'pdf', view: 'published' },
    reply: {
      downloadUrl: 'https://data.example.com/results/weekly-review.pdf?X-Amz-Expires=900',
      expiresAt: '2026-01-05T09:30:00.000Z',
      bytes: 35_118,
      contentType: 'application/pdf',
    },
  },
};
