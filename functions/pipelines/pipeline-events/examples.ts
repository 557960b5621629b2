import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { IDS } from '../../platform/example-values.ts';
import { failedRun, failedStep } from '../common/example-run.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  streamRunEvents: {
    reply: {
      snapshot: { ...failedRun, steps: [failedStep], dependencies: { keep: [] }, stepsTotal: 1, stepsNextCursor: null },
      'run.status': { runId: IDS.run, status: 'running', attempt: 1, at: '2026-02-03T16:40:05.610Z' },
      'step.status': {
        stepId: 'keep',
        item: null,
        attempt: 1,
        status: 'running',
        skipReason: null,
        error: null,
        nextRetryAt: null,
      },
      'step.progress': { stepId: 'keep', item: null, attempt: 1, percent: 40 },
      'gate.result': { stepId: 'keep', item: null, attempt: 1, ...failedStep.gates[0] },
      heartbeat: { at: '2026-02-03T16:40:15.610Z' },
      reconnect: {},
      end: { status: 'failed' },
    },
  },
};
