import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const components = {
  completeness: 100,
  validity: 98.5,
  uniqueness: 100,
  consistency: null,
  timeliness: null,
  volume: 100,
};
const score = {
  score: 99.1,
  components,
  tests: 4,
  asOf: CHANGED_AT,
  trend: [
    { date: '2026-02-02', score: 97.4 },
    { date: '2026-02-03', score: 99.1 },
  ],
};
const orders = { sourceId: 'datasets', schemaName: '', tableName: 'orders' };
const freshness = {
  status: 'fresh',
  lastLoadedAt: '2026-02-03T06:00:12.000Z',
  expectedEvery: 86_400,
  staleAt: '2026-02-04T07:00:00.000Z',
  columnName: null,
};

export const examples: ExamplesOf<typeof routes> = {
  getQualityScore: { reply: { ...score, tables: 1, unscored: 0, staleTests: [] } },
  listQualityTableScores: {
    reply: page([
      {
        ...orders,
        score: score.score,
        components,
        tests: 4,
        unscored: 0,
        failing: 1,
        staleTests: [],
        dependents: 2,
        lastRunAt: CHANGED_AT,
      },
    ]),
  },
  getPublishGate: { reply: { minScore: 60, updatedBy: null, updatedAt: null, revision: 1 } },
  updatePublishGate: {
    request: { minScore: 80 },
    reply: { minScore: 80, updatedBy: IDS.user, updatedAt: CHANGED_AT, revision: 2 },
  },
  listQualityFreshness: { reply: page([{ ...orders, ...freshness }]) },
  getQualityReportStatus: {
    reply: {
      ...score,
      unscored: 0,
      freshness,
      issues: { open: 1, worstSeverity: 'high', bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 } },
      tables: [{ ...orders, score: score.score, freshness: 'fresh', openIssues: 1 }],
    },
  },
};
