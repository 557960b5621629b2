import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import type { Job } from '../../../../shared/platform/jobs/record.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const job: Job = {
  id: IDS.workspaceExport,
  kind: 'workspace_export',
  subjectId: IDS.workspace,
  status: 'queued',
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  attempt: 0,
  progress: null,
  result: null,
  error: null,
  createdAt: '2026-02-03T16:40:05.250Z',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
};
const started: Job = { ...job, status: 'running', attempt: 1, startedAt: '2026-02-03T16:40:05.900Z' };

export const examples: ExamplesOf<typeof routes> = {
  startWorkspaceExport: { request: { datasetRows: true }, reply: job },
  getWorkspaceExport: { reply: { ...started, progress: { bytes: 41_943_040, percent: 62 } } },
  getWorkspaceExportFile: {
    reply: {
      downloadUrl: 'https://data.example.com/results/workspace.zip?X-Amz-Expires=900',
      expiresAt: '2026-02-03T16:57:11.000Z',
      bytes: 67_214_880,
      contentType: 'application/zip',
    },
  },
  cancelWorkspaceExport: { reply: { ...started, status: 'cancelled', finishedAt: '2026-02-03T16:40:08.000Z' } },
};
