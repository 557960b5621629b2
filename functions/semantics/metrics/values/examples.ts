import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { TARGET } from '../examples.ts';
import type * as routes from './routes.ts';

const result = {
  metricId: IDS.metric,
  timezone: 'Europe/Berlin',
  type: 'decimal',
  format: { kind: 'currency', currency: 'EUR', decimals: 0 },
  dataAsOf: CHANGED_AT,
  cache: 'miss',
};

const january = {
  from: '2025-12-31T23:00:00.000Z',
  to: '2026-01-31T23:00:00.000Z',
  through: '2026-01-03T16:40:00.000Z',
  isComplete: false,
};
const february = {
  from: '2026-01-31T23:00:00.000Z',
  to: '2026-02-28T23:00:00.000Z',
  through: '2026-02-03T16:40:00.000Z',
  isComplete: false,
};

const total = { current: '30000.00', previous: '24000.00', change: '6000.00', changePct: 25 };

export const examples: ExamplesOf<typeof routes> = {
  getMetricValue: {
    reply: {
      ...result,
      value: '30000.00',
      period: february,
      comparison: { value: '24000.00', period: january, change: '6000.00', changePct: 25 },
      target: {
        ...TARGET,
        actual: '30000.00',
        progress: 0.12,
        pace: { elapsed: 0.0962, expected: 24_050, status: 'ahead' },
      },
      direction: 'up_good',
      asOf: '2026-02-03T16:40:00.000Z',
    },
  },
  getMetricSeries: {
    reply: {
      ...result,
      grain: 'month',
      fill: 'null',
      points: [
        { date: '2026-01-01', from: january.from, to: january.to, value: '248000.00', isComplete: true },
        { date: '2026-02-01', from: february.from, to: february.to, value: '30000.00', isComplete: false },
      ],
    },
  },
  getMetricDrivers: {
    reply: {
      ...result,
      by: IDS.customerKey,
      additive: 'full',
      total,
      period: february,
      comparedWith: january,
      items: [
        {
          value: 'eu',
          current: '21000.00',
          previous: '14000.00',
          change: '7000.00',
          changePct: 50,
          contribution: '7000.00',
          contributionPct: 29.17,
        },
      ],
      rest: {
        current: '9000.00',
        previous: '10000.00',
        change: '-1000.00',
        changePct: -10,
        contribution: '-1000.00',
        contributionPct: -4.17,
      },
      restCount: 3,
      truncated: false,
      asOf: '2026-02-03T16:40:00.000Z',
    },
  },
  getMetricAnomalies: {
    reply: {
      ...result,
      grain: 'day',
      season: 'day_of_week',
      threshold: 3.5,
      checkedCount: 29,
      uncheckedCount: 0,
      items: [
        {
          date: '2026-01-30',
          from: '2026-01-29T23:00:00.000Z',
          to: '2026-01-30T23:00:00.000Z',
          value: '18250.00',
          expected: 8100,
          expectedLow: 5300,
          expectedHigh: 10_900,
          direction: 'above',
          score: 12.69,
        },
      ],
    },
  },
};
