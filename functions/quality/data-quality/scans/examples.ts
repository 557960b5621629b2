import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const queued = {
  id: IDS.qualityScan,
  workspaceId: IDS.workspace,
  sourceId: 'datasets',
  schemaName: '',
  tableName: 'orders',
  modelId: null,
  tableId: null,
  config: { topK: 10 },
  status: 'queued' as const,
  progressPct: null,
  datasetVersion: null,
  columnCount: null,
  isSampled: null,
  error: null,
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  finishedAt: null,
};

const FINISHED_AT = '2026-01-12T08:15:33.420Z';

const finished = {
  ...queued,
  status: 'succeeded' as const,
  datasetVersion: 4,
  columnCount: 1,
  isSampled: false,
  updatedAt: FINISHED_AT,
  finishedAt: FINISHED_AT,
};

const profile = {
  scanId: IDS.qualityScan,
  sourceId: 'datasets',
  schemaName: '',
  tableName: 'orders',
  datasetVersion: 4,
  scannedAt: FINISHED_AT,
  rowCount: 4,
  sampledRows: null,
  isRestricted: false,
  driftFromPrevious: {
    rowCountChange: 1,
    rowCountChangePct: 33.333333333333336,
    addedColumns: [],
    removedColumns: [],
    changedTypes: [],
  },
  columns: [
    {
      name: 'status',
      dataType: 'string',
      rowCount: 4,
      nullCount: 1,
      nullPct: 25,
      distinctCount: 2,
      isDistinctExact: true,
      uniquePct: 66.66666666666667,
      nonFiniteCount: 0,
      min: 'paid',
      max: 'sent',
      mean: null,
      stddev: null,
      p5: null,
      p25: null,
      median: null,
      p75: null,
      p95: null,
      zeroCount: null,
      negativeCount: null,
      blankCount: 0,
      minLength: 4,
      maxLength: 4,
      topValues: [
        { value: 'paid', count: 2, pct: 66.66666666666667 },
        { value: 'sent', count: 1, pct: 33.333333333333336 },
      ],
      histogram: [],
      patterns: [{ pattern: 'a', count: 3, pct: 100 }],
      inferredSemanticType: null,
      isSampled: false,
      driftFromPrevious: { nullPctChange: 25, meanChangePct: null, psi: 0.04, level: 'none' as const },
    },
  ],
  total: 1,
  limit: 50,
  offset: 0,
};

export const examples: ExamplesOf<typeof routes> = {
  listQualityScans: { reply: page([finished]) },
  startQualityScan: { request: { tableName: 'orders', config: { topK: 10 } }, reply: queued },
  scanKnownTables: { reply: { started: [queued], skipped: [{ tableName: 'returns', reason: 'no_rows' }] } },
  getQualityScan: { reply: finished },
  getScanProfiles: { reply: profile },
  getTableProfiles: { reply: profile },
  getAnomalySummary: {
    reply: {
      asOf: '2026-01-12T09:00:00.000Z',
      counts: { volume: 1, distribution: 0, freshness: 0 },
      tables: [
        {
          sourceId: 'datasets',
          schemaName: '',
          tableName: 'orders',
          scanId: IDS.qualityScan,
          scannedAt: FINISHED_AT,
          comparedDays: 62,
          freshness: 'fresh' as const,
          anomalies: [
            {
              kind: 'volume' as const,
              columnName: null,
              season: 'day_of_week' as const,
              observed: 4,
              expected: 9_870,
              expectedLow: 8_640,
              expectedHigh: 11_100,
              score: -28.1,
            },
          ],
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    },
  },
};
