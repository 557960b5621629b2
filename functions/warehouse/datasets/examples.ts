import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'placed', type: 'date' },
  { name: 'amount', type: 'decimal(10,2)' },
];

const dataset = {
  id: IDS.orders,
  workspaceId: IDS.workspace,
  name: 'orders',
  version: 3,
  columns,
  rowCount: 1200,
  sizeBytes: 18_432,
  loadedAt: CHANGED_AT,
  source: { kind: 'table', sourceId: IDS.database, schema: 'public', table: 'orders' },
  mode: 'incremental',
  incremental: { cursorColumn: 'placed', mergeKey: ['id'] },
  schedule: { everySeconds: 3600, timezone: 'UTC', enabled: true },
  partitionBy: { column: 'placed', by: 'month' },
  retention: { versions: 3, days: 1 },
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
  revision: 5,
};

const changedValues = [{ column: 'amount', nulls: 1, rounded: 0, examples: [{ row: 7, value: 'NaN' }] }];

const view = {
  ...dataset,
  lastRefresh: { status: 'succeeded', at: CHANGED_AT, error: null, jobId: IDS.refresh, version: 3, changedValues },
};

const job = {
  id: IDS.refresh,
  kind: 'dataset_refresh',
  subjectId: IDS.orders,
  status: 'queued',
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  attempt: 0,
  progress: null,
  result: null,
  error: null,
  createdAt: '2026-02-03T16:40:03.100Z',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
};

const finishedJob = {
  ...job,
  status: 'succeeded',
  attempt: 1,
  result: { version: 3, rowsLoaded: 40, bytesLoaded: 2310, rowCount: 1200, changedValues },
  startedAt: '2026-02-03T16:40:03.400Z',
  finishedAt: CHANGED_AT,
  durationMs: 1850,
};

const settings = {
  source: dataset.source,
  mode: 'incremental',
  incremental: dataset.incremental,
  schedule: { everySeconds: 3600 },
  partitionBy: dataset.partitionBy,
};

export const examples: ExamplesOf<typeof routes> = {
  createDataset: {
    request: { name: 'orders', ...settings },
    reply: {
      ...dataset,
      version: 0,
      columns: [],
      rowCount: 0,
      sizeBytes: 0,
      loadedAt: null,
      updatedAt: CREATED_AT,
      revision: 1,
      lastRefresh: null,
      job,
    },
  },
  listDatasets: { reply: { ...page([view]), nextCursor: null } },
  getDataset: { reply: view },
  updateDataset: {
    request: { name: 'orders', retention: { versions: 10 } },
    reply: { ...dataset, retention: { versions: 10, days: 1 }, revision: 6 },
  },
  deleteDataset: {},
  refreshDataset: { reply: job },
  cancelDatasetRefresh: { reply: { ...job, status: 'cancelled', finishedAt: '2026-02-03T16:40:04.000Z' } },
  setDatasetSchedule: { request: { everySeconds: 3600 }, reply: dataset },
  listDatasetHistory: { reply: page([finishedJob]) },
  getDatasetSchema: { reply: { version: 3, columns: columns.map((column) => ({ ...column, nullable: false })) } },
  getDatasetStatistics: {
    reply: {
      version: 3,
      rowCount: 1200,
      columns: [
        {
          name: 'amount',
          type: 'decimal(10,2)',
          nulls: 4,
          distinct: { count: 861, isExact: true },
          min: '0.50',
          max: '1500.00',
          mean: 96.41,
          topValues: [{ value: '19.90', count: 37 }],
        },
      ],
      truncated: false,
    },
  },
  previewDataset: {
    reply: {
      version: 3,
      columns,
      rows: [
        [1, '2026-01-05', '12.50'],
        [2, '2026-01-20', '990.00'],
      ],
      rowCount: 2,
      truncated: true,
    },
  },
  listDatasetVersions: {
    reply: {
      items: [
        {
          version: 3,
          isCurrent: true,
          columns,
          rowCount: 1200,
          sizeBytes: 18_432,
          mode: 'merge',
          origin: { kind: 'refresh', jobId: IDS.refresh },
          createdAt: CHANGED_AT,
          expiresAt: null,
        },
      ],
      storedBytes: 24_576,
    },
  },
  restoreDatasetVersion: { reply: { ...dataset, version: 4, rowCount: 1160, sizeBytes: 17_920, revision: 6 } },
};
