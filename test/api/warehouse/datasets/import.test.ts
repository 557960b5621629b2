import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenFileSource, uploadFile } from '../../../support/given/upload.ts';

const CSV = 'id,amount\n1,10\n2,20\n';
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const create = (api: Api, body: object, key?: string) =>
  api.as('editor').post('/api/datasets', body, key ? { headers: { 'idempotency-key': key } } : {});
const fileOf = (sourceId: string, path = 'a.csv') => ({ kind: 'file', sourceId, path });
const preview = async (api: Api, id: string) =>
  (await api.as('viewer').get(`/api/datasets/${id}/preview?limit=200`)).body.rows;

describe('POST /api/datasets', () => {
  it('creates a dataset and imports its file', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const reply = await create(api, { name: 'orders', source: fileOf(sourceId) });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        name: 'orders',
        version: 0,
        mode: 'full',
        source: { kind: 'file', path: 'a.csv' },
        retention: { versions: 3, days: 1 },
        lastRefresh: null,
        job: { kind: 'dataset_refresh', status: 'queued', trigger: { kind: 'manual' } },
      },
    });
    const { id, job } = reply.body;
    expect(await endedRefresh(api, id)).toMatchObject({
      status: 'succeeded',
      result: { version: 1, rowsLoaded: 2, rowCount: 2 },
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body).toMatchObject({
      version: 1,
      rowCount: 2,
      lastRefresh: { status: 'succeeded', error: null, jobId: job.id },
    });
    expect(await preview(api, id)).toEqual([
      [1, 10],
      [2, 20],
    ]);
    expect((await api.as('viewer').get(`/api/datasets/${id}/schema`)).body.columns).toEqual([
      { name: 'id', type: 'integer', nullable: false },
      { name: 'amount', type: 'integer', nullable: false },
    ]);
  });

  it('leaves rows of the wrong length out where that is wanted, and says how many', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': 'id,amount\n1,10\n2\n3,30,x\n4,40\n' });
    const strict = await create(api, { name: 'strict', source: fileOf(sourceId) });
    expect(await endedRefresh(api, strict.body.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(/^Line 3: expected 2 values, found 1\. .*raggedRows/),
      },
    });
    const options = { raggedRows: 'skip' };
    const { body } = await create(api, { name: 'skipping', source: { ...fileOf(sourceId), options } });
    expect(await endedRefresh(api, body.id)).toMatchObject({
      status: 'succeeded',
      result: { rowsLoaded: 2, rowsRejected: 2, firstRejectedLine: 3 },
    });
    expect(await preview(api, body.id)).toEqual([
      [1, 10],
      [4, 40],
    ]);
  });

  it('reads a CSV file as its options say, at each refresh', async ({ api }) => {
    const csv = (price: string) => `Sales of January\n\nzip;price;day\n01234;${price};1.2.2026\n-;+2;2.2.2026\n`;
    const sourceId = await givenFileSource(api, { 'a.csv': csv('1,5') });
    const plain = await create(api, { name: 'plain', source: fileOf(sourceId) });
    expect(await endedRefresh(api, plain.body.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'FILE_UNREADABLE',
        message: expect.stringContaining('Row 3 looks like the header; set headerRow: 3.'),
      },
    });
    const options = {
      headerRow: 3,
      decimalSeparator: ',',
      dateFormat: '%d.%m.%Y',
      nullValues: ['-'],
      types: { zip: 'string', price: 'decimal(8,2)' },
    };
    const { body } = await create(api, { name: 'sales', source: { ...fileOf(sourceId), options } });
    expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded' });
    expect(await preview(api, body.id)).toEqual([
      ['01234', '1.50', '2026-02-01'],
      [null, '2.00', '2026-02-02'],
    ]);
    expect((await api.as('viewer').get(`/api/datasets/${body.id}`)).body.source.options).toEqual(options);

    await uploadFile(api, sourceId, 'a.csv', csv('3,75'));
    await api.as('editor').post(`/api/datasets/${body.id}/refresh`);
    expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded' });
    expect((await preview(api, body.id))[0]).toEqual(['01234', '3.75', '2026-02-01']);

    await uploadFile(api, sourceId, 'a.csv', csv('3,755'));
    await api.as('editor').post(`/api/datasets/${body.id}/refresh`);
    expect(await endedRefresh(api, body.id)).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: 'Column "price" has "3,755", which is not a decimal(8,2).' },
    });
  });

  it('rejects options that contradict each other', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const options = { headerRow: 3, skipRows: 2, dateFormat: 'DD.MM.YYYY' };
    expect(await create(api, { name: 'x', source: { ...fileOf(sourceId), options } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/source/options/skipRows' }, { pointer: '/source/options/dateFormat' }] },
    });
  });

  it('makes a dataset of others by SQL, split by a date', async ({ api }) => {
    await givenDataset(api, {
      name: 'days',
      sql: "SELECT DATE '2026-01-01' + i::INT AS day, i AS n FROM range(60) r(i)",
    });
    const { body } = await create(api, {
      name: 'sums',
      source: { kind: 'datasets', sql: 'SELECT day, n * 2 AS twice FROM days' },
      partitionBy: { column: 'day', by: 'month' },
    });
    expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded', result: { rowCount: 60 } });
    const sql = "SELECT count(*), sum(twice)::BIGINT FROM sums WHERE day >= DATE '2026-02-01'";
    expect((await api.as('editor').post('/api/query', { sql })).body.rows).toEqual([[29, 2610]]);

    // A query for March needs nothing of February, not even that it is there.
    const version = await api.stored(workspaceKey(api.workspaceId, `DATASET#${body.id}`, 'V#00000001'));
    const files = version!.files as { key: string; partition: string; sizeBytes: number }[];
    const february = files.find(({ partition }) => partition.startsWith('2026-02'))!;
    const bucket = await dataBucket(api.endpoint);
    await bucket.s3.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: february.key }));
    const march = "SELECT count(*) AS n, max(twice) AS most FROM sums WHERE day BETWEEN '2026-03-01' AND '2026-03-31'";
    const reply = await api.as('editor').post('/api/query', { sql: march });
    expect(reply.body).toMatchObject({ rows: [[1, 118]] });
    const allBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(reply.body.stats.bytes).toBe(allBytes - february.sizeBytes);
  });

  it('without a source waits for pipelines, and cannot be refreshed', async ({ api }) => {
    const { body } = await create(api, { name: 'by pipelines' });
    expect(body).toMatchObject({ source: null, job: null, version: 0 });
    expect(await api.as('editor').post(`/api/datasets/${body.id}/refresh`)).toMatchObject({
      status: 409,
      body: { code: 'DATASET_HAS_NO_SOURCE' },
    });
  });

  it('creates one dataset for a repeated request, and none for another request under its key', async ({ api }) => {
    const key = crypto.randomUUID();
    const first = await create(api, { name: 'once' }, key);
    expect((await create(api, { name: 'once' }, key)).body).toEqual(first.body);
    expect(await create(api, { name: 'other' }, key)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await api.as('viewer').get('/api/datasets')).body.total).toBe(1);
  });

  it('refuses a name that is taken, and a source that is not there or another workspace’s', async ({ api }) => {
    await create(api, { name: 'taken' });
    expect(await create(api, { name: 'TAKEN' })).toMatchObject({ status: 409, body: { code: 'DATASET_NAME_TAKEN' } });
    const theirs = await api.as('stranger').post('/api/data-sources', { name: crypto.randomUUID(), type: 'file' });
    for (const sourceId of [UNKNOWN_ID, theirs.body.id]) {
      expect(await create(api, { name: 'x', source: fileOf(sourceId) })).toMatchObject({
        status: 404,
        body: { code: 'DATA_SOURCE_NOT_FOUND', errors: [{ pointer: '/source/sourceId' }] },
      });
    }
    expect((await api.as('viewer').get('/api/datasets')).body.total).toBe(1);
  });

  it('names every issue of the settings with its place, and stores nothing', async ({ api }) => {
    const sourceId = await givenFileSource(api);
    const issues = async (body: object) => {
      const reply = await create(api, { name: 'x', ...body });
      expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      return reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    };
    expect(
      await issues({
        source: { kind: 'table', sourceId, table: 't' },
        mode: 'incremental',
        schedule: { cron: 'never', timezone: 'UTC' },
      }),
    ).toEqual(['/schedule/cron CRON_INVALID', '/incremental REQUIRED', '/source/kind NOT_ALLOWED']);
    expect(await issues({ schedule: { everySeconds: 60 } })).toEqual(['/schedule NOT_ALLOWED']);
    expect(await issues({ source: fileOf(sourceId), incremental: { cursorColumn: 'a' } })).toEqual([
      '/incremental NOT_ALLOWED',
    ]);
    const sql = (text: string) => issues({ source: { kind: 'datasets', sql: text } });
    expect(await sql('DELETE FROM x')).toEqual(['/source/sql SQL_NOT_READ_ONLY']);
    expect(await sql('SELECT FROM WHERE')).toEqual(['/source/sql SQL_PARSE']);
    const qualified = await create(api, { name: 'x', source: { kind: 'datasets', sql: 'SELECT * FROM shop.orders' } });
    expect(qualified.body.errors).toMatchObject([
      { pointer: '/source/sql', message: expect.stringMatching(/^The table shop\.orders .* set sourceId\.$/) },
    ]);
    expect(await issues({ source: { kind: 'nothing' } })).toHaveLength(1);
    expect(await issues({ source: { ...fileOf(sourceId), secret: 1 } })).toEqual(['/source/secret UNKNOWN_MEMBER']);
    expect((await api.as('viewer').get('/api/datasets')).body.total).toBe(0);
  });

  it('keeps its source from being deleted', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const { body } = await create(api, { name: 'reader', source: fileOf(sourceId) });
    expect(await api.as('owner').delete(`/api/data-sources/${sourceId}`)).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'dataset', id: body.id, name: 'reader' }] },
    });
    await endedRefresh(api, body.id);
  });

  it('says why an import failed, and keeps the version before', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const { body } = await create(api, { name: 'gone', source: fileOf(sourceId, 'absent.csv') });
    expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    expect((await api.as('viewer').get(`/api/datasets/${body.id}`)).body).toMatchObject({
      version: 0,
      lastRefresh: { status: 'failed', error: { code: 'NOT_FOUND' } },
    });
    expect((await api.as('viewer').get('/api/datasets')).body.items[0].lastRefresh.status).toBe('failed');
  });
});

describe('PATCH /api/datasets/{id}', () => {
  it('changes settings and leaves the content alone', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const { id, version } = await givenDataset(api, { name: 'old', sql: 'SELECT 1 AS a' });
    const change = {
      name: 'new',
      source: fileOf(sourceId),
      schedule: { cron: '0 6 * * *' },
      retention: { versions: 5, days: 0 },
    };
    const reply = await api.as('editor').patch(`/api/datasets/${id}`, change);
    expect(reply).toMatchObject({
      status: 200,
      body: { ...change, version, schedule: { cron: '0 6 * * *', timezone: 'UTC', enabled: true } },
    });
    const stored = await api.stored(datasetRepository(api.table).key(api.workspaceId, id));
    expect(stored).toMatchObject({ name: 'new', version, due: expect.stringContaining('job-schedule#') });
    expect(await preview(api, id)).toEqual([[1]]);
  });

  it('refuses a taken name, a missing source and invalid settings', async ({ api }) => {
    await givenDataset(api, { name: 'one', sql: 'SELECT 1 AS a' });
    const { id } = await givenDataset(api, { name: 'two', sql: 'SELECT 1 AS a' });
    const patch = (body: object) => api.as('editor').patch(`/api/datasets/${id}`, body);
    expect(await patch({ name: 'One' })).toMatchObject({ status: 409, body: { code: 'DATASET_NAME_TAKEN' } });
    expect(await patch({ source: fileOf(UNKNOWN_ID) })).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
    expect(await patch({ source: { kind: 'datasets', sql: 'SELECT * FROM two' } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/source/sql', code: 'SELF_REFERENCE' }] },
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}`)).body).toMatchObject({ name: 'two', source: null });
  });
});

describe('PUT /api/datasets/{id}/schedule', () => {
  it('sets, and ends, when a dataset is refreshed', async ({ api }) => {
    const sourceId = await givenFileSource(api, { 'a.csv': CSV });
    const { body } = await create(api, { name: 'planned', source: fileOf(sourceId) });
    await endedRefresh(api, body.id);
    const put = (schedule: object) => api.as('editor').put(`/api/datasets/${body.id}/schedule`, schedule);
    expect((await put({ everySeconds: 3600 })).body.schedule).toEqual({
      everySeconds: 3600,
      timezone: 'UTC',
      enabled: true,
    });
    expect(await put({ cron: 'x' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/cron' }] } });
    expect((await put({ enabled: false })).body.schedule).toEqual({
      everySeconds: 3600,
      timezone: 'UTC',
      enabled: false,
    });
    expect((await put({})).body.schedule).toBeNull();
    expect(await put({ enabled: true })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/cron' }] } });
    const stored = await api.stored(datasetRepository(api.table).key(api.workspaceId, body.id));
    expect(stored).not.toHaveProperty('dueAt');
  });
});
