import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const sql =
  'SELECT customer, sum(amount) AS total FROM orders WHERE placed >= $since GROUP BY customer ORDER BY total DESC';
const statement = { sql, params: { since: '2026-01-01' } };

const columns = [
  { name: 'customer', type: 'string' },
  { name: 'total', type: 'decimal(38,2)' },
];
const rows = [
  ['Grace', '990.00'],
  ['Ada', '19.75'],
];

const job = {
  id: IDS.queryJob,
  kind: 'query',
  subjectId: IDS.queryJob,
  status: 'queued',
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  attempt: 0,
  progress: null,
  result: null,
  error: null,
  createdAt: '2026-02-03T16:40:05.250Z',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
};

export const examples: ExamplesOf<typeof routes> = {
  runQuery: {
    request: { ...statement, limit: 100, timezone: 'Europe/Berlin' },
    reply: {
      queryId: IDS.query,
      columns,
      rows,
      rowCount: 2,
      truncated: false,
      warnings: [],
      asOf: CHANGED_AT,
      stats: { ms: 44, bytes: 18_432, cache: 'miss' },
    },
  },
  validateQuery: {
    request: { sql: 'SELECT customer, sum(amount) AS total\nFROM order GROUP BY customer' },
    reply: {
      valid: false,
      errors: [
        {
          pointer: '/sql',
          code: 'SQL_PARSE',
          message: 'syntax error at or near "order"',
          position: { line: 2, column: 6, offset: 43 },
        },
      ],
      columns: [],
      tables: [],
      parameters: [],
    },
  },
  startQueryJob: { request: { ...statement, limit: 500_000, timeoutMs: 600_000 }, reply: job },
  getQueryJob: {
    reply: {
      ...job,
      status: 'running',
      attempt: 1,
      progress: { rows: 120_000 },
      startedAt: '2026-02-03T16:40:05.900Z',
    },
  },
  getQueryJobResult: {
    reply: { columns, rows, rowCount: 2, truncated: false, warnings: [], asOf: CHANGED_AT, nextCursor: null },
  },
  cancelQueryJob: { reply: { ...job, status: 'cancelled', finishedAt: '2026-02-03T16:40:06.000Z' } },
};
