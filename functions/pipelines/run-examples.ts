import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { IDS, page } from '../example-values.ts';
import type * as routes from './run-routes.ts';

const queued = {
  id: IDS.run,
  workspaceId: IDS.workspace,
  pipelineId: IDS.pipeline,
  pipelineName: 'Orders',
  status: 'queued',
  attempt: 1,
  trigger: { kind: 'manual', scheduledAt: null, upstreamRunId: null, actor: IDS.user },
  parameters: { rate: 7 },
  dagVersion: 1,
  dagHash: 'de60294ab666e4ed704db7b835f4eb77501da4b27135887111b334823b73d0ac',
  logicalDate: '2026-02-03T16:40:05.250Z',
  intervalStart: null,
  intervalEnd: null,
  backfillId: null,
  queuePosition: null,
  waitingFor: null,
  createdAt: '2026-02-03T16:40:05.250Z',
  startedAt: null,
  finishedAt: null,
  updatedAt: '2026-02-03T16:40:05.250Z',
  durationMs: null,
  executionSeconds: 0,
  rowsMoved: 0,
  bytesMoved: 0,
  error: null,
  cancelReason: null,
};

const failed = {
  ...queued,
  status: 'failed',
  startedAt: '2026-02-03T16:40:05.610Z',
  finishedAt: '2026-02-03T16:40:12.110Z',
  updatedAt: '2026-02-03T16:40:12.110Z',
  durationMs: 6500,
  executionSeconds: 4.622,
  error: { code: 'GATE_FAILED', message: '1 of 3 rows fail not_null on id.', stepId: 'keep' },
};

const step = {
  id: '019b2cb1-f0c4-8c79-826b-844ecc994dfe',
  runId: IDS.run,
  stepId: 'keep',
  type: 'load',
  item: null,
  itemIndex: null,
  status: 'failed',
  attempt: 1,
  maxAttempts: 3,
  nextRetryAt: null,
  skipReason: null,
  startedAt: '2026-02-03T16:40:10.005Z',
  finishedAt: '2026-02-03T16:40:11.950Z',
  rowsIn: 3,
  rowsOut: null,
  bytesOut: null,
  ports: null,
  watermark: null,
  gates: [
    {
      gateId: 'has-id',
      type: 'not_null',
      column: 'id',
      severity: 'high',
      action: 'fail',
      status: 'failed',
      evaluatedRows: 3,
      failedRows: 1,
      failedPercent: 33.33,
      removedRows: 0,
      message: '1 of 3 rows fail not_null on id.',
    },
  ],
  schemaChanges: [{ column: 'grade', change: 'added', from: null, to: 'string' }],
  error: { code: 'GATE_FAILED', message: '1 of 3 rows fail not_null on id.' },
  deliveryGuarantee: 'effectively_once',
};

export const examples: ExamplesOf<typeof routes> = {
  runPipeline: { request: { parameters: { rate: 7 } }, reply: queued },
  listRuns: { reply: page([failed]) },
  getRun: { reply: { ...failed, steps: [step], stepsTotal: 1, stepsNextCursor: null } },
  listStepRuns: { reply: { items: [step], nextCursor: null } },
  cancelRun: { reply: { ...queued, status: 'cancelled', cancelReason: 'user', finishedAt: queued.updatedAt } },
  retryRun: { reply: { ...queued, attempt: 2, executionSeconds: 4.622 } },
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

/** A run that was just created, as the operations that start one reply with it. */
export const queuedRun = queued;
