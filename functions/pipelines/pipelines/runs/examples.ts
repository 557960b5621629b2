import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS, page } from '../../../platform/example-values.ts';
import { failedRun, failedStep, queuedRun } from '../../common/example-run.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  runPipeline: { request: { parameters: { rate: 7 }, fullRefresh: ['orders'] }, reply: queuedRun },
  listRuns: { reply: page([failedRun]) },
  listAllRuns: {
    reply: { items: [failedRun], nextCursor: null, recordedSince: '2026-01-07T09:12:44.801Z' },
  },
  getRun: {
    reply: { ...failedRun, steps: [failedStep], dependencies: { keep: [] }, stepsTotal: 1, stepsNextCursor: null },
  },
  listStepRuns: { reply: { items: [failedStep], nextCursor: null } },
  cancelRun: { reply: { ...queuedRun, status: 'cancelled', cancelReason: 'user', finishedAt: queuedRun.updatedAt } },
  retryRun: { request: { fromStep: 'keep' }, reply: { ...queuedRun, attempt: 2, executionSeconds: 4.622 } },
  getStepLogs: {
    reply: {
      runId: IDS.run,
      stepId: 'keep',
      attempt: 1,
      item: null,
      lines: [
        { at: '2026-02-03T16:40:10.005Z', level: 'info', message: 'Attempt 1 of load step keep begins.' },
        { at: '2026-02-03T16:40:11.950Z', level: 'error', message: '1 of 3 rows fail not_null on id.' },
      ],
      truncated: false,
      totalBytes: 214,
    },
  },
  getWorkersStatus: {
    reply: {
      state: 'available',
      reason: null,
      queuedRuns: 0,
      oldestQueuedSeconds: null,
      checkedAt: '2026-02-03T16:40:05.250Z',
    },
  },
};
