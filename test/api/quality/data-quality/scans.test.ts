import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { queuedScan, type ScanConfig } from '../../../../shared/domains/quality/scans/records.ts';
import { readScannedTable, scanRepository } from '../../../../shared/domains/quality/scans/repository.ts';
import { writeCompact } from '../../../../shared/domains/quality/scans/stored-profile.ts';
import { tableKey } from '../../../../shared/domains/quality/table.ts';
import { startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { jobRepository, LEASE_MS } from '../../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, givenTable } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { endedScan, givenScan, sendJobMessage } from '../../../support/given/scan.ts';
import { givenFileSource } from '../../../support/given/upload.ts';

const SCANS = '/api/data-quality/scans';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const orders = (api: Api, rows = 10) =>
  givenDataset(api, {
    name: 'orders',
    sql: `SELECT i AS id, CASE WHEN i % 5 = 0 THEN NULL ELSE 'user' || i || '@example.com' END AS email, i % 3 AS kind FROM range(${rows}) t(i)`,
  });

/** An active scan on which no worker works, because no message was sent for it. */
async function waitingScan(
  api: Api,
  tableName: string,
  { sourceId = 'datasets', config = {} }: { sourceId?: string; config?: ScanConfig } = {},
) {
  const table = { sourceId, schemaName: '', tableName };
  const subjectId = tableKey(table);
  const context = { jobs: jobRepository(api.table), queue: { send: async () => undefined }, now: () => new Date() };
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const id = newId();
  const given = { id, workspaceId: api.workspaceId, ...table, modelId: null, tableId: null, config };
  const scan = queuedScan({ ...given, createdBy: UNKNOWN }, new Date());
  const job = { id, workspaceId: api.workspaceId, kind: 'quality_scan', subjectId, trigger, input: {} } as const;
  return startJob(context, job, 'QUALITY_SCAN_RUNNING', scanRepository(api.table).createItems([scan]));
}

/** The message for a worker that the minute tick sends once the lease of the last one is over. */
const sendWork = (api: Api, jobId: string) => sendJobMessage(api, { op: 'work', workspaceId: api.workspaceId, jobId });

/** Lets earlier scans of the table have found so many rows, each on a day of its own. */
async function givenEarlierDays(api: Api, tableName: string, { days, rowCount }: { days: number; rowCount: number }) {
  const table = { sourceId: 'datasets', schemaName: '', tableName };
  const state = (await readScannedTable(api.table, { workspaceId: api.workspaceId, tableKey: tableKey(table) }))!;
  const { name, s3 } = await dataBucket(api.endpoint);
  const history = Array.from({ length: days }, (_, index) => ({
    date: new Date(Date.now() - (days - index) * 86_400_000).toISOString().slice(0, 10),
    rowCount,
    columns: {},
  }));
  await writeCompact(objectStore(name, s3), state.historyKey, history);
}

describe('a scan of a table', () => {
  it('profiles every column and compares with the scan before', async ({ api }) => {
    await orders(api);
    const editor = api.as('editor');
    const viewer = api.as('viewer');
    expect(await viewer.get('/api/data-quality/profiles/orders')).toMatchObject({
      status: 404,
      body: { code: 'QUALITY_PROFILE_NOT_FOUND' },
    });
    const started = await editor.post(SCANS, { tableName: 'orders', config: { topK: 2 } });
    expect(started).toMatchObject({ status: 200, body: { tableName: 'orders', sourceId: 'datasets', error: null } });
    const first = await endedScan(viewer, started.body.id);
    expect(first).toMatchObject({ status: 'succeeded', columnCount: 3, datasetVersion: 1, isSampled: false });

    const profile = await viewer.get(`${SCANS}/${first.id}/profiles`);
    expect(profile).toMatchObject({
      status: 200,
      body: { scanId: first.id, rowCount: 10, isRestricted: false, driftFromPrevious: null, total: 3, offset: 0 },
    });
    expect(profile.body.columns).toMatchObject([
      { name: 'id', dataType: 'integer', min: 0, max: 9, median: 4.5, uniquePct: 100 },
      { name: 'email', nullCount: 2, inferredSemanticType: { type: 'email', matchPct: 100 } },
      {
        name: 'kind',
        distinctCount: 3,
        topValues: [
          { value: 0, count: 4 },
          { value: 1, count: 3 },
        ],
      },
    ]);

    await orders(api, 20);
    const second = await givenScan(editor, { tableName: 'orders' });
    const latest = await viewer.get('/api/data-quality/profiles/orders?limit=1&offset=2');
    expect(latest.body).toMatchObject({
      scanId: second.id,
      datasetVersion: 2,
      rowCount: 20,
      driftFromPrevious: { rowCountChange: 10, rowCountChangePct: 100, addedColumns: [], removedColumns: [] },
      columns: [{ name: 'kind', driftFromPrevious: { nullPctChange: 0, level: 'none' } }],
      total: 3,
    });
    const list = await viewer.get(`${SCANS}?tableName=orders`);
    expect(list.body.items.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect((await viewer.get(`${SCANS}?tableName=other`)).body.items).toEqual([]);
    const oldest = await viewer.get(`${SCANS}?tableName=orders&status=succeeded&sort=createdAt`);
    expect(oldest.body.items.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    expect((await viewer.get(`${SCANS}?status=failed`)).body).toMatchObject({ items: [], total: 0 });
    for (const path of ['', '/profiles']) {
      const stranger = await api.as('stranger').get(`${SCANS}/${first.id}${path}`);
      expect(stranger).toMatchObject({ status: 404, body: { code: 'QUALITY_SCAN_NOT_FOUND' } });
    }
    const other = await api.as('stranger').get('/api/data-quality/profiles/orders');
    expect(other).toMatchObject({ status: 404, body: { code: 'QUALITY_TABLE_NOT_FOUND' } });
    const gone = await viewer.get(`/api/data-quality/profiles/orders?sourceId=${UNKNOWN}`);
    expect(gone).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
    expect((await api.as('stranger').get(SCANS)).body.items).toEqual([]);
  });

  it('reads the table of a model, and names what does not fit', async ({ api }) => {
    await orders(api);
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'orders');
    const post = (scan: object) => api.as('editor').post(SCANS, { tableName: 'orders', ...scan });
    const issue = async (scan: object, pointer: string) => {
      const reply = await post(scan);
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer, code: 'CONFLICT' }] } });
    };
    await issue({ tableId: table.id }, '/tableId');
    await issue({ modelId: model.id, sourceId: UNKNOWN }, '/sourceId');
    await issue({ modelId: model.id, tableId: table.id, tableName: 'other' }, '/tableName');
    const codes = async (scan: object) => (await post(scan)).body.code;
    expect(await codes({ modelId: UNKNOWN })).toBe('MODEL_NOT_FOUND');
    expect(await codes({ modelId: model.id, tableId: UNKNOWN })).toBe('MODEL_TABLE_NOT_FOUND');
    expect(await codes({ sourceId: UNKNOWN })).toBe('DATA_SOURCE_NOT_FOUND');
    expect(await post({ tableName: 'order' })).toMatchObject({
      status: 404,
      body: {
        code: 'QUALITY_TABLE_NOT_FOUND',
        errors: [{ message: expect.stringContaining('did you mean "orders"') }],
      },
    });
    const scan = await givenScan(api.as('editor'), { tableName: 'orders', modelId: model.id, tableId: table.id });
    expect(scan).toMatchObject({ modelId: model.id, tableId: table.id });
  });

  it('has no profile any more once another dataset has its name', async ({ api }) => {
    const dataset = await orders(api);
    const { id } = await givenScan(api.as('editor'), { tableName: 'orders' });
    expect((await api.as('editor').delete(`/api/datasets/${dataset.id}`)).status).toBe(204);
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    for (const path of [`${SCANS}/${id}/profiles`, '/api/data-quality/profiles/orders']) {
      expect(await api.as('viewer').get(path)).toMatchObject({
        status: 404,
        body: { code: 'QUALITY_PROFILE_NOT_FOUND', detail: expect.stringContaining('not the one that was scanned') },
      });
    }
    await givenScan(api.as('editor'), { tableName: 'orders' });
    expect((await api.as('viewer').get('/api/data-quality/profiles/orders')).body).toMatchObject({ rowCount: 1 });
  });

  it('is one at a time for a table, and never stays without an end', async ({ api }) => {
    await orders(api);
    const job = await waitingScan(api, 'orders');
    const again = await api.as('editor').post(SCANS, { tableName: 'orders' });
    expect(again).toMatchObject({ status: 409, body: { code: 'QUALITY_SCAN_RUNNING' } });
    const all = await api.as('editor').post('/api/data-quality/scan');
    expect(all).toMatchObject({
      status: 200,
      body: { started: [], skipped: [{ tableName: 'orders', reason: 'scan_running' }] },
    });
    const early = await api.as('viewer').get(`${SCANS}/${job.id}/profiles`);
    expect(early).toMatchObject({ status: 404, body: { detail: 'The scan has not finished yet.' } });
    const withStatus = async (status: string, table = 'orders') =>
      (await api.as('viewer').get(`${SCANS}?status=${status}&tableName=${table}`)).body.items;
    expect(await withStatus('queued')).toMatchObject([{ id: job.id, status: 'queued' }]);
    expect(await withStatus('running')).toEqual([]);

    // Three workers have died with it.
    const jobs = jobRepository(api.table);
    let lost = job;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const at = new Date(Date.now() - 3_600_000 + attempt * 2 * LEASE_MS);
      lost = (await jobs.claim(lost, at))!;
      expect(lost.attempt).toBe(attempt);
    }
    expect(await withStatus('running')).toMatchObject([{ id: job.id, status: 'running' }]);
    expect(await withStatus('running', 'other')).toEqual([]);
    expect(await withStatus('queued')).toEqual([]);
    await sendWork(api, job.id);
    expect(await endedScan(api.as('viewer'), job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'WORKER_LOST' },
    });
    expect(await withStatus('failed')).toMatchObject([{ id: job.id }]);
    const failed = await api.as('viewer').get(`${SCANS}/${job.id}/profiles`);
    expect(failed).toMatchObject({ status: 404, body: { code: 'QUALITY_PROFILE_NOT_FOUND' } });
    await givenScan(api.as('editor'), { tableName: 'orders' });
  });

  it('fails with the reason when the table or a column is gone', async ({ api }) => {
    const dataset = await orders(api);
    const editor = api.as('editor');
    const wrong = await editor.post(SCANS, { tableName: 'orders', config: { columns: ['id', 'emails'] } });
    const message = 'is not a column of orders; did you mean "email"?';
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/config/columns/1', message }] } });
    const early = await waitingScan(api, 'orders', { config: { columns: ['emails'] } });
    await sendWork(api, early.id);
    expect(await endedScan(editor, early.id)).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: 'There is no column emails.' },
    });
    const job = await waitingScan(api, 'orders');
    expect((await editor.delete(`/api/datasets/${dataset.id}`)).status).toBe(204);
    await sendWork(api, job.id);
    expect(await endedScan(editor, job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_FOUND', message: 'The dataset orders no longer exists.' },
    });
  });
});

describe('a scan of a file of a data source', () => {
  it('reads the file again each time, and says when its source is gone', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'visits.csv': 'day,visitors\n2026-01-01,5\n2026-01-02,\n' });
    const named = { tableName: 'visits.csv', sourceId };
    const owner = api.as('owner');
    await owner.post(`/api/data-sources/${sourceId}/sync`);
    await vi.waitFor(
      async () => {
        const { body } = await owner.get(`/api/data-sources/${sourceId}/history`);
        expect(body.items[0]).toMatchObject({ status: 'succeeded' });
      },
      { timeout: 60_000, interval: 100 },
    );
    await givenScan(api.as('editor'), named);
    const path = `/api/data-quality/profiles/visits.csv?sourceId=${sourceId}`;
    const { body } = await api.as('editor').get(path);
    expect(body).toMatchObject({
      sourceId,
      datasetVersion: null,
      columns: [
        { name: 'day', dataType: 'date', min: '2026-01-01', max: '2026-01-02' },
        { name: 'visitors', nullCount: 1, mean: 5 },
      ],
    });
    expect((await api.as('viewer').get(path)).body.columns).toMatchObject([
      { name: 'day', distinctCount: 2, min: null, max: null, median: null, topValues: [], histogram: [], patterns: [] },
      { name: 'visitors', nullCount: 1, mean: 5, max: null },
    ]);
    const newest = async (actor: 'editor' | 'viewer') =>
      (await api.as(actor).get('/api/data-quality/report-status?tableNames=visits.csv')).body.freshness;
    expect(await newest('editor')).toMatchObject({ status: 'unknown', lastLoadedAt: '2026-01-02T00:00:00.000Z' });
    expect(await newest('viewer')).toMatchObject({ status: 'unknown', lastLoadedAt: null });
    const { id: orderId } = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    const fresh = async (actor: 'editor' | 'viewer', query = '') =>
      (await api.as(actor).get(`/api/data-quality/freshness${query}`)).body;
    const visits = { sourceId, tableName: 'visits.csv', status: 'unknown', columnName: 'day' };
    expect(await fresh('viewer')).toMatchObject({
      items: [{ tableName: 'orders' }, { ...visits, lastLoadedAt: null }],
      total: 2,
    });
    expect((await fresh('editor', '?offset=1&limit=1')).items).toMatchObject([
      { ...visits, lastLoadedAt: '2026-01-02T00:00:00.000Z' },
    ]);
    expect(await fresh('editor', '?limit=1')).toMatchObject({ items: [{ tableName: 'orders' }], total: 2 });
    expect((await owner.delete(`/api/datasets/${orderId}`)).status).toBe(204);
    const misspelt = async (actor: 'editor' | 'viewer') =>
      (await api.as(actor).get('/api/data-quality/profiles/visit.csv')).body.errors[0].message;
    expect(await misspelt('editor')).toContain('did you mean "visits.csv"');
    expect(await misspelt('viewer')).not.toContain('visits');
    const status = await api.as('viewer').get('/api/data-quality/report-status?tableNames=visit.csv');
    expect(status.bytes.toString()).not.toContain('visits');
    const all = (await api.as('editor').post('/api/data-quality/scan')).body;
    expect(all.started).toMatchObject([{ tableName: 'visits.csv', sourceId }]);
    await endedScan(owner, all.started[0].id);
    const schedules = '/api/data-quality/scan-schedules';
    const schedule = await api.as('editor').post(schedules, { ...named, scheduleCron: '@daily' });
    expect(schedule, JSON.stringify(schedule.body)).toMatchObject({ status: 201, body: named });
    const job = await waitingScan(api, 'visits.csv', { sourceId });
    expect((await owner.delete(`/api/data-sources/${sourceId}`)).status).toBe(204);
    await sendWork(api, job.id);
    expect(await endedScan(owner, job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_FOUND', message: 'The data source of visits.csv no longer exists.' },
    });
    const changed = await api.as('editor').put(`${schedules}/${schedule.body.id}`, { config: { topK: 5 } });
    expect(changed).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
  });
});

describe('a scan of all known tables', () => {
  it('is not started, nor scans listed, when there are too many', async ({ api }) => {
    const total = { pk: `W#${api.workspaceId}#QUALITY-SCAN`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    const viewer = api.as('viewer');
    expect((await viewer.get(`${SCANS}?offset=20000`)).body.code).toBe('OFFSET_TOO_LARGE');
    expect((await viewer.get(`${SCANS}?tableName=orders`)).body.code).toBe('LIST_TOO_LARGE');
    expect((await api.as('editor').post('/api/data-quality/scan')).body.code).toBe('LIST_TOO_LARGE');
    await orders(api);
    await givenScan(api.as('editor'), { tableName: 'orders' });
  });

  it('starts one for each dataset with rows', async ({ api }) => {
    await orders(api);
    await givenDataset(api, { name: 'returns', sql: 'SELECT 1 AS id' });
    const { status, body } = await api.as('editor').post('/api/data-quality/scan');
    expect(status).toBe(200);
    expect(body.started.map(({ tableName }: { tableName: string }) => tableName).sort()).toEqual(['orders', 'returns']);
    for (const { id } of body.started) {
      expect(await endedScan(api.as('viewer'), id)).toMatchObject({ status: 'succeeded' });
    }
  });
});

describe('the summary of anomalies', () => {
  it('compares the newest scan with those of earlier days, and opens an issue', async ({ api }) => {
    await orders(api);
    await givenScan(api.as('editor'), { tableName: 'orders' });
    const viewer = api.as('viewer');
    const first = await viewer.get('/api/data-quality/summary');
    expect(first).toMatchObject({
      status: 200,
      body: {
        counts: { volume: 0, distribution: 0, freshness: 0 },
        tables: [{ tableName: 'orders', comparedDays: 0, freshness: 'unknown', anomalies: [] }],
        total: 1,
      },
    });
    await givenEarlierDays(api, 'orders', { days: 10, rowCount: 1000 });
    await givenScan(api.as('editor'), { tableName: 'orders' });
    const { body } = await viewer.get('/api/data-quality/summary');
    expect(body.counts).toMatchObject({ volume: 1, distribution: 0 });
    expect(body.tables[0]).toMatchObject({
      comparedDays: 10,
      anomalies: [{ kind: 'volume', observed: 10, expected: 1000 }],
    });
    const issues = await viewer.get('/api/data-quality/issues');
    expect(issues.body.items).toMatchObject([
      { issueType: 'volume_anomaly', tableName: 'orders', status: 'open', severity: 'high', columnName: null },
    ]);
    await givenEarlierDays(api, 'orders', { days: 10, rowCount: 10 });
    await givenScan(api.as('editor'), { tableName: 'orders' });
    expect((await viewer.get('/api/data-quality/summary')).body.counts.volume).toBe(0);
    expect((await viewer.get('/api/data-quality/issues')).body.items).toMatchObject([{ status: 'fixed' }]);
    expect((await api.as('stranger').get('/api/data-quality/summary')).body.tables).toEqual([]);
  });
});

describe('the profile of a protected table', () => {
  it('shows figures to those who see all rows, and labelled columns to those with the label', async ({ api }) => {
    await givenProtected(api);
    const scan = await givenScan(api.as('owner'), { tableName: 'people' });
    const all = await givenReader(api, { attributes: { region: ['eu', 'us'], sensitivityLabels: 'private' } });
    const some = await givenReader(api, { role: 'viewer', attributes: { region: ['eu'] } });
    for (const path of [`${SCANS}/${scan.id}/profiles`, '/api/data-quality/profiles/people']) {
      for (const { caller } of [all, some]) {
        const reply = await caller.get(path);
        expect(reply).toMatchObject({ status: 200, body: { isRestricted: true, rowCount: null } });
        expect(reply.bytes.toString()).not.toContain(SECRET_ROW);
        expect(reply.bytes.toString()).not.toContain(SECRET_COLUMN);
      }
      const { columns } = (await some.caller.get(path)).body;
      expect(columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'region', 'name', 'day']);
      expect(columns[0]).toEqual({ name: 'id', dataType: 'integer' });
    }
  });

  it('opens one issue without column and direction for all that is unusual', async ({ api }) => {
    await givenProtected(api);
    await givenScan(api.as('owner'), { tableName: 'people' });
    await givenEarlierDays(api, 'people', { days: 10, rowCount: 1000 });
    await givenScan(api.as('owner'), { tableName: 'people' });
    const issues = async () => (await api.as('viewer').get('/api/data-quality/issues')).body.items;
    expect(await issues()).toMatchObject([
      { title: 'Unusual rows or values in people', status: 'open', columnName: null, message: null },
    ]);
    await givenEarlierDays(api, 'people', { days: 10, rowCount: 5 });
    await givenScan(api.as('owner'), { tableName: 'people' });
    expect(await issues()).toMatchObject([{ status: 'fixed' }]);
  });
});
