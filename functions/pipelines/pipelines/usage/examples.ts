import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const used = { executionSeconds: 8412.5, rowsMoved: 1_250_000, bytesMoved: 73_400_320, runs: 214 };

export const examples: ExamplesOf<typeof routes> = {
  getPipelineUsage: { reply: { month: '2026-02', ...used } },
  getPipelineUsageBreakdown: {
    reply: {
      month: '2026-02',
      pipelines: [{ pipelineId: IDS.pipeline, name: 'Orders', ...used }],
      sinks: [
        {
          kind: 'dataset',
          id: IDS.orders,
          name: 'orders',
          rowsMoved: used.rowsMoved,
          bytesMoved: used.bytesMoved,
        },
      ],
    },
  },
};
