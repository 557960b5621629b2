import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { IDS } from '../example-values.ts';
import type * as routes from './routes.ts';

const plan = { licensed: true, planKey: 'team', overageOptIn: false, draft: false };

export const examples: ExamplesOf<typeof routes> = {
  getEntitlements: {
    reply: {
      bi: { tier: 'team' },
      pipelines: { licensed: true },
      warehouse: { licensed: true },
      trialGrants: { warehouse: '2026-03-31' },
      availability: { pipelines: true, warehouse: true },
    },
  },
  getProductUsage: {
    reply: {
      month: '2026-02',
      workspace_id: IDS.workspace,
      products: {
        pipelines: {
          ...plan,
          allowance: { execution_hours: 100, execution_seconds: 360_000 },
          currentPeriod: { execution_seconds: 8_412.5, rows_moved: 1_250_000, bytes_moved: 73_400_320, runs: 214 },
        },
        warehouse: {
          ...plan,
          allowance: { storage_gb: 50, storage_bytes: 53_687_091_200 },
          currentPeriod: { storage_bytes: 2_147_483_648, storage_bytes_current: 1_610_612_736, datasets: 12 },
        },
      },
    },
  },
};
