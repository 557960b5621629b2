import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import type * as routes from './routes.ts';

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
