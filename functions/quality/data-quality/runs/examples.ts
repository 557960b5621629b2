import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const run = {
  id: IDS.qualityRun,
  testId: IDS.qualityTest,
  status: 'failed',
  evaluatedRows: 1200,
  failedRows: 18,
  passRate: 0.985,
  message: '18 of 1200 rows fail value_range on amount.',
  sql: 'SELECT * FROM input WHERE "amount" IS NOT NULL AND ("amount" < $1 OR "amount" > $2)',
  ranIn: 'engine',
  trigger: 'manual',
  datasetVersion: 7,
  startedAt: CREATED_AT,
  ms: 42,
  sample: { columns: ['id', 'amount'], rows: [[17, '-4.50']] },
};

const job = {
  id: IDS.qualityJob,
  kind: 'quality_run',
  subjectId: 'all',
  status: 'queued',
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  attempt: 0,
  progress: null,
  result: null,
  error: null,
  createdAt: CREATED_AT,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
};

export const examples: ExamplesOf<typeof routes> = {
  runQualityTest: { reply: run },
  listQualityTestRuns: { reply: { items: [run] } },
  storeFailingRows: { request: { limit: 1000 }, reply: { ...job, subjectId: IDS.qualityTest } },
  runAllQualityTests: { reply: job },
  getQualityJob: {
    reply: {
      ...job,
      status: 'succeeded',
      attempt: 1,
      progress: { percent: 100 },
      result: { tables: 2, tests: 5, passed: 4, failed: 1 },
      startedAt: '2026-01-12T08:15:31.000Z',
      finishedAt: '2026-01-12T08:15:33.000Z',
      durationMs: 2000,
    },
  },
};
