import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

/** One step of each type: the orders of a file, priced and graded, the large ones kept in a dataset. */
const dag = {
  version: 1,
  parameters: [{ name: 'rate', type: 'number', default: 19, required: false }],
  steps: [
    {
      id: 'orders',
      type: 'extract',
      config: { sourceId: IDS.files, object: { path: 'sales/2026-01.csv', options: { header: true } } },
    },
    {
      id: 'priced',
      type: 'transform_sql',
      dependsOn: ['orders'],
      config: {
        ops: [
          { op: 'filter', condition: 'amount IS NOT NULL' },
          { op: 'derive', column: 'gross', expression: 'round(amount * (100 + {{ params.rate }}) / 100.0, 2)' },
        ],
      },
    },
    {
      id: 'graded',
      type: 'transform_code',
      dependsOn: ['priced'],
      config: {
        code: "function transform(rows) {\n  return rows.map((row) => ({ ...row, grade: Number(row.gross) >= 100 ? 'A' : 'B' }));\n}",
        outputSchema: [
          { name: 'id', type: 'integer' },
          { name: 'gross', type: 'double' },
          { name: 'grade', type: 'string' },
        ],
      },
    },
    {
      id: 'by-grade',
      type: 'route',
      dependsOn: ['graded'],
      config: { routes: [{ port: 'large', condition: "grade = 'A'" }] },
    },
    {
      id: 'keep',
      type: 'load',
      dependsOn: ['by-grade'],
      fromPorts: { 'by-grade': 'large' },
      config: {
        target: { kind: 'dataset', name: 'large_orders' },
        mode: 'merge',
        mergeKey: ['id'],
        gates: [{ id: 'has-id', type: 'not_null', column: 'id', action: 'fail' }],
      },
    },
  ],
};

const latestRun = {
  id: IDS.run,
  status: 'succeeded',
  trigger: { kind: 'schedule', scheduledAt: '2026-02-03T01:30:00.000Z', upstreamRunId: null, actor: null },
  startedAt: '2026-02-03T01:30:02.110Z',
  finishedAt: '2026-02-03T01:30:11.480Z',
};

const pipeline = {
  id: IDS.pipeline,
  workspaceId: IDS.workspace,
  name: 'Orders',
  status: 'active',
  dag,
  dagVersion: 1,
  dagHash: 'de60294ab666e4ed704db7b835f4eb77501da4b27135887111b334823b73d0ac',
  schedule: { cron: '30 2 * * *', timezone: 'Europe/Berlin', enabled: true, nextRunAt: '2026-02-04T01:30:00.000Z' },
  concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' },
  compute: null,
  failureRecipients: [IDS.user],
  latestRun,
  latestRuns: [latestRun],
  activeRuns: 0,
  queuedRuns: 0,
  permission: 'editor',
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listPipelines: { reply: page([pipeline]) },
  createPipeline: {
    request: { name: 'Orders', dag, schedule: { cron: '30 2 * * *', timezone: 'Europe/Berlin' } },
    reply: { ...pipeline, latestRun: null, latestRuns: [] },
  },
  getPipeline: { reply: pipeline },
  updatePipeline: {
    request: { concurrency: { maxConcurrentRuns: 2, onOverlap: 'queue' }, compute: { size: 'medium' } },
    reply: {
      ...pipeline,
      concurrency: { maxConcurrentRuns: 2, onOverlap: 'queue' },
      compute: { size: 'medium' },
      updatedAt: CHANGED_AT,
      revision: 2,
    },
  },
  deletePipeline: {},
  setPipelineSchedule: {
    request: { enabled: false },
    reply: { ...pipeline, schedule: { ...pipeline.schedule, enabled: false, nextRunAt: null }, revision: 2 },
  },
  validatePipeline: {
    request: { dag: { version: 1, steps: [{ id: 'keep', type: 'load', config: { mode: 'upsert' } }] } },
    reply: {
      valid: false,
      issues: [
        {
          path: '/dag/steps/0/config/mode',
          code: 'ENUM',
          severity: 'error',
          message: 'must be one of "append", "overwrite", "merge"',
        },
        { path: '/dag/steps/0/config/target', code: 'REQUIRED', severity: 'error', message: 'is required' },
      ],
    },
  },
};
