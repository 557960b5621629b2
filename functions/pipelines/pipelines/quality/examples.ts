import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listGateEvaluations: {
    reply: {
      items: [
        {
          id: '019b2cb1-f0d7-8141-ae29-0684985f2da0',
          runId: IDS.run,
          stepId: 'keep',
          gateId: 'has-id',
          type: 'not_null',
          column: 'id',
          severity: 'high',
          action: 'quarantine',
          status: 'failed',
          evaluatedRows: 3,
          failedRows: 1,
          failedPercent: 33.33,
          removedRows: 1,
          message: '1 of 3 rows fail not_null on id.',
          sample: { columns: ['id', 'gross'], rows: [[null, 14.88]] },
          at: '2026-02-03T16:40:11.950Z',
        },
      ],
    },
  },
  summarizeGates: {
    reply: {
      items: [
        {
          pipelineId: IDS.pipeline,
          name: 'Orders',
          evaluations: 7,
          passed: 6,
          failed: 1,
          warned: 0,
          passRate: 0.8571,
          lastFailedAt: '2026-02-03T16:40:11.950Z',
        },
      ],
    },
  },
};
