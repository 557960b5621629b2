import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const config = { host: 'db.example.com', port: 5432, database: 'shop', user: 'reader', ssl: true };

const source = {
  id: IDS.database,
  workspaceId: IDS.workspace,
  name: 'Shop database',
  type: 'postgres',
  config,
  schedule: { cron: '0 5 * * *', timezone: 'Europe/Berlin', enabled: true },
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
  revision: 3,
};

const newSource = {
  name: 'Shop database',
  type: 'postgres',
  config: { host: 'db.example.com', database: 'shop', user: 'reader' },
  secrets: { password: 'a password' },
};

/** In a container on the same machine, which has no TLS. */
const localSource = {
  name: 'Shop database',
  type: 'postgres',
  config: { host: '127.0.0.1', port: 5432, database: 'shop', user: 'reader', ssl: false },
  secrets: { password: 'a password' },
};

const job = {
  id: IDS.sync,
  kind: 'source_sync',
  subjectId: IDS.database,
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

const finishedJob = {
  ...job,
  status: 'succeeded',
  attempt: 1,
  result: { syncedAt: '2026-02-03T16:40:06.010Z', schemas: 2, tables: 14, columns: 163 },
  startedAt: '2026-02-03T16:40:05.900Z',
  finishedAt: '2026-02-03T16:40:07.100Z',
  durationMs: 1200,
};

const file = {
  schema: '',
  name: 'sales/2026-01.csv',
  kind: 'file',
  sizeBytes: 67_121_209,
  updatedAt: CHANGED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  listDataSources: { reply: page([source]) },
  createDataSource: { request: newSource, reply: { ...source, schedule: null, revision: 1 } },
  testNewDataSource: { request: localSource, reply: { ok: true, latencyMs: 38, serverVersion: '18.1' } },
  getDataSource: { reply: source },
  updateDataSource: {
    request: { config: { user: 'reporting' }, secrets: { password: 'another password' } },
    reply: { ...source, config: { ...config, user: 'reporting' }, revision: 4 },
  },
  deleteDataSource: {},
  testDataSource: {
    reply: { ok: false, code: 'AUTH_FAILED', message: 'password authentication failed for user "reader"' },
  },
  createUpload: {
    request: { path: 'sales/2026-01.csv', contentType: 'text/csv', size: 13_493_022 },
    reply: {
      kind: 'single',
      method: 'PUT',
      url: 'https://storage.example.com/uploads/sales/2026-01.csv?X-Amz-Signature=2d8bef32',
      headers: { 'content-type': 'text/csv', 'content-length': '13493022' },
      expiresAt: '2026-02-03T16:55:05.000Z',
    },
  },
  completeUpload: {
    request: {
      path: 'sales/2026-01.csv',
      parts: [
        { partNumber: 1, etag: '"3253bb555379674d6c023aa96783d3ea"' },
        { partNumber: 2, etag: '"22570a14c9bbf77109d5776d9347014d"' },
      ],
    },
    reply: file,
  },
  abortUpload: {},
  listSourceSchemas: { reply: { items: [{ name: 'public' }, { name: 'reporting' }] } },
  listSourceTables: {
    reply: {
      items: [{ schema: 'public', name: 'orders', kind: 'table', estimatedRows: 120_000, sizeBytes: 14_680_064 }],
      next: null,
      syncedAt: null,
    },
  },
  listSourceColumns: {
    reply: {
      items: [
        { name: 'id', type: 'integer', sourceType: 'bigint', nullable: false, primaryKey: true },
        { name: 'amount', type: 'decimal(10,2)', sourceType: 'numeric(10,2)', nullable: true, primaryKey: false },
      ],
    },
  },
  syncDataSource: { reply: job },
  setDataSourceSchedule: {
    request: { cron: '0 5 * * *', timezone: 'Europe/Berlin' },
    reply: source,
  },
  listDataSourceHistory: { reply: page([finishedJob]) },
};
