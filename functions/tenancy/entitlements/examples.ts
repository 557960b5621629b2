import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const plan = { licensed: true, planKey: 'team', overageOptIn: false, draft: false };

const licence = {
  id: IDS.licence,
  companyId: IDS.company,
  tier: 'enterprise',
  products: ['pipelines', 'warehouse'],
  notBefore: '2026-01-01T00:00:00.000Z',
  validUntil: '2027-01-01T00:00:00.000Z',
  status: 'active',
  uploadedBy: IDS.user,
  uploadedAt: CREATED_AT,
};

const amounts = { pipelines: { execution_hours: 80 }, warehouse: { storage_gb: null } };
const budgets = { workspaceId: IDS.workspace, ...amounts, updatedBy: IDS.user, updatedAt: CREATED_AT };

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
  getLicence: { reply: licence },
  uploadLicence: { request: { licence: 'eyJhbGciOiJFZERTQSJ9.eyJ0aWVyIjoiLi4uIn0.c2lnbmF0dXJl' }, reply: licence },
  removeLicence: {},
  getBudgets: { reply: budgets },
  setBudgets: { request: amounts, reply: budgets },
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
