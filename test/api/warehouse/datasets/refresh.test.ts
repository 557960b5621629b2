import { describe, expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { readStorageUsage } from '../../../../shared/domains/warehouse/datasets/storage-usage.ts';
import { startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenFileSource, uploadFile } from '../../../support/given/upload.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

async function imported(api: Api, more: object = {}, csv = 'id,day\n1,2026-01-01\n2,2026-01-02\n') {
  const sourceId = await givenFileSource(api, { 'a.csv': csv });
  const source = { kind: 'file', sourceId, path: 'a.csv' };
  const { body } = await api.as('editor').post('/api/datasets', { name: 'rows', source, ...more });
  expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded' });
  return { id: body.id as string, sourceId };
}

const refresh = (api: Api, id: string, key?: string) =>
  api.as('editor').post(`/api/datasets/${id}/refresh`, undefined, key ? { headers: { 'idempotency-key': key } } : {});
const ids = async (api: Api, id: string) =>
  (await api.as('viewer').get(`/api/datasets/${id}/preview?limit=200`)).body.rows
    .map(([first]: number[]) => first)
    .sort();

/** A refresh without a worker: no message was sent for it. */
async function waiting(api: Api, datasetId: string) {
  const context = { jobs: jobRepository(api.table), queue: { send: async () => undefined }, now: () => new Date() };
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = {
    id: newId(),
    workspaceId: api.workspaceId,
    kind: 'dataset_refresh',
    subjectId: datasetId,
    trigger,
    input: {},
  } as const;
  return startJob(context, job, 'DATASET_REFRESHING');
}

describe('POST /api/datasets/{id}/refresh', () => {
  it('replaces the content, and the history lists each', async ({ api }) => {
    const { id, sourceId } = await imported(api);
    await uploadFile(api, sourceId, 'a.csv', 'id,day\n7,2026-01-01\n');
    const reply = await refresh(api, id);
    expect(reply).toMatchObject({ status: 202, body: { status: 'queued', subjectId: id } });
    expect(await endedRefresh(api, id)).toMatchObject({
      id: reply.body.id,
      status: 'succeeded',
      result: { version: 2 },
    });
    expect(await ids(api, id)).toEqual([7]);
    const history = (await api.as('viewer').get(`/api/datasets/${id}/history`)).body;
    expect(history).toMatchObject({
      total: 2,
      items: [
        { result: { version: 2, rowsLoaded: 1 }, durationMs: expect.any(Number) },
        { result: { version: 1, rowsLoaded: 2 }, trigger: { kind: 'manual', actor: expect.any(String) } },
      ],
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}/history?status=succeeded&limit=1`)).body).toMatchObject({
      total: 2,
      items: [history.items[0]],
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}/history?status=failed`)).body.items).toEqual([]);
    expect(await api.as('viewer').get(`/api/datasets/${id}/history?offset=10001`)).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
  });

  it('adds what is new since the last one, each row once', async ({ api }) => {
    const { id, sourceId } = await imported(api, { mode: 'incremental', incremental: { cursorColumn: 'day' } });
    await uploadFile(api, sourceId, 'a.csv', 'id,day\n1,2026-01-01\n2,2026-01-02\n3,2026-01-02\n4,2026-01-03\n');
    await refresh(api, id);
    expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded', result: { rowsLoaded: 2, rowCount: 4 } });
    await refresh(api, id);
    expect(await endedRefresh(api, id)).toMatchObject({ result: { rowsLoaded: 0, rowCount: 4 } });
    expect(await ids(api, id)).toEqual([1, 2, 3, 4]);
  });

  it('merges by key, and after a restore reads again what came later', async ({ api }) => {
    const csv = 'id,day,v\n1,2026-01-01,a\n2,2026-01-02,a\n';
    const incremental = { cursorColumn: 'day', mergeKey: ['id'] };
    const { id, sourceId } = await imported(api, { mode: 'incremental', incremental }, csv);
    await uploadFile(api, sourceId, 'a.csv', `${csv}1,2026-01-05,b\n3,2026-01-05,b\n`);
    await refresh(api, id);
    const merged = [
      [1, '2026-01-05', 'b'],
      [2, '2026-01-02', 'a'],
      [3, '2026-01-05', 'b'],
    ];
    const rows = async () =>
      (await api.as('editor').post('/api/query', { sql: 'SELECT * FROM rows ORDER BY id' })).body.rows;
    expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded', result: { rowCount: 3 } });
    expect(await rows()).toEqual(merged);
    await api.as('editor').post(`/api/datasets/${id}/versions/1/restore`);
    expect(await rows()).toHaveLength(2);
    await refresh(api, id);
    await endedRefresh(api, id);
    expect(await rows()).toEqual(merged);
  });

  it('keeps the old version when the rows do not fit any more', async ({ api }) => {
    const { id, sourceId } = await imported(api, { mode: 'incremental', incremental: { cursorColumn: 'day' } });
    await uploadFile(api, sourceId, 'a.csv', 'id,day\nx,2026-01-05\n');
    await refresh(api, id);
    expect(await endedRefresh(api, id)).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('id') },
    });
    expect(await ids(api, id)).toEqual([1, 2]);
  });

  it('is refused while another is under way, and starts one however often it is repeated', async ({ api }) => {
    const { id } = await imported(api);
    const job = await waiting(api, id);
    expect(await refresh(api, id)).toMatchObject({ status: 409, body: { code: 'DATASET_REFRESHING' } });
    expect(await api.as('editor').post(`/api/datasets/${id}/cancel`)).toMatchObject({
      status: 202,
      body: { id: job.id, status: 'cancelled' },
    });
    const key = crypto.randomUUID();
    const [first, second] = [await refresh(api, id, key), await refresh(api, id, key)];
    expect(second.body).toEqual(first.body);
    await endedRefresh(api, id);
    const other = await givenDataset(api, { name: 'other', sql: 'SELECT 1 AS a' });
    expect(await refresh(api, other.id, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await api.as('viewer').get(`/api/datasets/${id}/history`)).body.total).toBe(3);
  });

  it('lets one of many at once through, which commits once', async ({ api }) => {
    const { id } = await imported(api);
    const replies = await Promise.all(Array.from({ length: 5 }, () => refresh(api, id)));
    const accepted = replies.filter(({ status }) => status === 202);
    await endedRefresh(api, id);
    const { body } = await api.as('viewer').get(`/api/datasets/${id}/history`);
    expect(body.total).toBe(1 + accepted.length);
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body.version).toBe(1 + accepted.length);
    expect(replies.filter(({ status }) => status !== 202).every(({ body }) => body.code === 'DATASET_REFRESHING')).toBe(
      true,
    );
  });

  it('goes on while the dataset is renamed', async ({ api }) => {
    const { id } = await imported(api);
    await refresh(api, id);
    const renamed = await api.as('editor').patch(`/api/datasets/${id}`, { name: 'renamed' });
    expect(renamed.status).toBe(200);
    expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded' });
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body).toMatchObject({ name: 'renamed', version: 2 });
  });
});

describe('POST /api/datasets/{id}/cancel', () => {
  it('has nothing to cancel without a refresh', async ({ api }) => {
    const { id } = await imported(api);
    expect(await api.as('editor').post(`/api/datasets/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'DATASET_NOT_REFRESHING' },
    });
  });
});

describe('DELETE /api/datasets/{id}', () => {
  it('ends the refresh under way and frees what was stored', async ({ api }) => {
    const { id } = await imported(api);
    expect((await readStorageUsage(api.table, api.workspaceId))!.bytes).toBeGreaterThan(0);
    const job = await waiting(api, id);
    expect((await api.as('editor').delete(`/api/datasets/${id}`)).status).toBe(204);
    expect(await jobRepository(api.table).get(api.workspaceId, job.id)).toMatchObject({ status: 'cancelled' });
    expect(await api.stored(datasetRepository(api.table).key(api.workspaceId, id))).toBeUndefined();
    expect((await readStorageUsage(api.table, api.workspaceId))!.bytes).toBe(0);
    expect((await api.as('owner').get('/api/usage/products')).body.products.warehouse.currentPeriod).toMatchObject({
      storage_bytes_current: 0,
      datasets: 0,
    });
  });

  it('while its import runs leaves no dataset behind', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': 'a\n1\n' });
    const source = { kind: 'file', sourceId, path: 'a.csv' };
    const { body } = await api.as('editor').post('/api/datasets', { name: 'brief', source });
    expect((await api.as('editor').delete(`/api/datasets/${body.id}`)).status).toBe(204);
    const jobs = jobRepository(api.table);
    await expect
      .poll(async () => (await jobs.get(api.workspaceId, body.job.id))?.status, { timeout: 90_000 })
      .toMatch(/cancelled|succeeded/);
    expect(await api.as('viewer').get(`/api/datasets/${body.id}`)).toMatchObject({ status: 404 });
    expect((await readStorageUsage(api.table, api.workspaceId))?.bytes ?? 0).toBe(0);
  });

  it('is refused while pipelines or datasets use it, and names them', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'base', sql: 'SELECT 1 AS a' });
    const reader = await api
      .as('editor')
      .post('/api/datasets', { name: 'reader', source: { kind: 'datasets', sql: 'SELECT * FROM base' } });
    const steps = [
      { id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } },
      {
        id: 'b',
        type: 'load',
        dependsOn: ['a'],
        config: { target: { kind: 'dataset', name: 'Base' }, mode: 'append' },
      },
    ];
    const pipeline = await api.as('editor').post('/api/pipelines', { name: 'p', dag: { version: 1, steps } });
    const reply = await api.as('editor').delete(`/api/datasets/${id}`);
    expect(reply).toMatchObject({
      status: 409,
      body: {
        code: 'REFERENCED',
        referencedBy: [
          { type: 'pipeline', id: pipeline.body.id },
          { type: 'dataset', id: reader.body.id },
        ],
      },
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).status).toBe(200);
    await endedRefresh(api, reader.body.id);
  });
});

describe('versions', () => {
  it('are listed with where they come from, and restored as a new one with the same files', async ({ api }) => {
    const { id, sourceId } = await imported(api);
    await uploadFile(api, sourceId, 'a.csv', 'id,day\n9,2026-01-01\n');
    await refresh(api, id);
    await endedRefresh(api, id);
    const stored = (await readStorageUsage(api.table, api.workspaceId))!.bytes;
    const list = (await api.as('viewer').get(`/api/datasets/${id}/versions`)).body;
    expect(list).toMatchObject({
      storedBytes: stored,
      items: [
        { version: 2, isCurrent: true, rowCount: 1, origin: { kind: 'refresh' }, expiresAt: null },
        { version: 1, isCurrent: false, rowCount: 2, origin: { kind: 'refresh' } },
      ],
    });
    const key = crypto.randomUUID();
    const restore = (version: number, path = id) =>
      api
        .as('editor')
        .post(`/api/datasets/${path}/versions/${version}/restore`, undefined, { headers: { 'idempotency-key': key } });
    const restored = await restore(1);
    expect(restored).toMatchObject({ status: 200, body: { version: 3, rowCount: 2 } });
    expect((await restore(1)).body).toEqual(restored.body);
    expect(await restore(2)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await ids(api, id)).toEqual([1, 2]);
    expect((await api.as('viewer').get(`/api/datasets/${id}/versions`)).body.items[0]).toMatchObject({
      version: 3,
      origin: { kind: 'restore', version: 1 },
    });
    expect((await readStorageUsage(api.table, api.workspaceId))!.bytes).toBe(stored);
    expect(await api.as('editor').post(`/api/datasets/${id}/versions/99/restore`)).toMatchObject({
      status: 404,
      body: { code: 'DATASET_VERSION_NOT_FOUND' },
    });
  });
});

describe('a dataset that is not there, or a stranger’s', () => {
  it('answers every operation alike', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'ours', sql: 'SELECT 1 AS a' });
    const operations: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'theirs' }],
      ['DELETE', ''],
      ['POST', '/refresh'],
      ['POST', '/cancel'],
      ['PUT', '/schedule', {}],
      ['GET', '/history'],
      ['GET', '/schema'],
      ['GET', '/preview'],
      ['GET', '/statistics'],
      ['GET', '/versions'],
      ['POST', '/versions/1/restore'],
    ];
    for (const [method, path, body] of operations) {
      const options = body ? { text: JSON.stringify(body) } : {};
      const theirs = await api.as('stranger').send(method, `/api/datasets/${id}${path}`, options);
      const none = await api.as('owner').send(method, `/api/datasets/${UNKNOWN_ID}${path}`, options);
      expect(theirs, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'DATASET_NOT_FOUND' } });
      expect(none.body.detail).toBe(theirs.body.detail);
    }
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body).toMatchObject({ name: 'ours', version: 1 });
  });
});
