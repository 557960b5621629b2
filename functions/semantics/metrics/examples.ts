import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const TARGET = { value: 250_000, by: '2026-02-28' };

const definition = {
  name: 'Revenue',
  description: 'What customers paid, without cancelled orders',
  modelId: IDS.model,
  measureId: IDS.measure,
  timeFieldId: IDS.modelField,
  grain: 'month',
  timezone: 'Europe/Berlin',
  filters: [{ fieldId: IDS.customerKey, op: 'not_null', values: [] }],
  direction: 'up_good',
  target: TARGET,
  format: { kind: 'currency', currency: 'EUR', decimals: 0 },
};

const metric = {
  id: IDS.metric,
  workspaceId: IDS.workspace,
  ...definition,
  fieldId: null,
  aggregation: null,
  anomalyChecks: { delayHours: 6, threshold: 3.5 },
  ownerId: IDS.user,
  isCertified: false,
  certifiedBy: null,
  certifiedAt: null,
  deprecation: null,
  permission: 'editor',
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listMetrics: { reply: page([metric]) },
  createMetric: { request: definition, reply: metric },
  getMetric: {
    reply: {
      ...metric,
      stale: false,
      diagnostics: [],
      sweep: {
        status: 'ok',
        checkedUntil: '2026-01-31T23:00:00.000Z',
        checkedAt: CHANGED_AT,
        nextAt: '2026-03-01T05:00:00.000Z',
        error: null,
      },
      whereUsed: `/api/catalog/lineage/metric/${IDS.metric}?direction=down`,
    },
  },
  updateMetric: {
    request: { isCertified: true, certifiedBy: 'Finance' },
    reply: {
      ...metric,
      isCertified: true,
      certifiedBy: 'Finance',
      certifiedAt: CHANGED_AT,
      updatedAt: CHANGED_AT,
      revision: 2,
    },
  },
  deleteMetric: {},
};
