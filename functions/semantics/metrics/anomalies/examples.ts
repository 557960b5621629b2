import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const anomaly = {
  id: IDS.anomaly,
  metricId: IDS.metric,
  date: '2026-01-30',
  grain: 'day',
  from: '2026-01-29T23:00:00.000Z',
  to: '2026-01-30T23:00:00.000Z',
  value: '18250.00',
  expected: 8100,
  expectedLow: 5300,
  expectedHigh: 10_900,
  direction: 'above',
  score: 12.69,
  detectedAt: '2026-01-31T05:00:40.120Z',
  status: 'open',
  statusBy: null,
  statusAt: null,
};

export const examples: ExamplesOf<typeof routes> = {
  listDetectedAnomalies: { reply: { items: [anomaly], isHidden: false } },
  reviewAnomaly: {
    request: { status: 'confirmed' },
    reply: { ...anomaly, status: 'confirmed', statusBy: IDS.user, statusAt: CHANGED_AT },
  },
};
