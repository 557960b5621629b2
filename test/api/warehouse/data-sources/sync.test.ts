import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { catalogueObjects, readCataloguePointer } from '../../../../shared/domains/warehouse/sources/catalogue.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { idFrom, newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it, LOCAL } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenFileSource, uploadFile } from '../../../support/given/upload.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const at = (id: string, rest = '') => `/api/data-sources/${id}${rest}`;
const history = async (api: Api, id: string) => (await api.as('editor').get(at(id, '/history'))).body;

/** The newest sync, once it is over. */
async function ended(api: Api, id: string) {
  const newest = async () => (await history(api, id)).items[0];
  await expect.poll(async () => (await newest())?.status, { timeout: 60_000 }).toMatch(/succeeded|failed|cancelled/);
  return newest();
}

async function synced(api: Api, id: string) {
  const reply = await api.as('owner').post(at(id, '/sync'));
  expect(reply).toMatchObject({ status: 202, body: { kind: 'source_sync', subjectId: id, status: 'queued' } });
  return ended(api, id);
}

/** A sync without a worker: no message was sent for it. */
function waiting(api: Api, sourceId: string) {
  const context = { jobs: jobRepository(api.table), queue: { send: async () => undefined }, now: () => new Date() };
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const { workspaceId } = api;
  const job = { id: newId(), workspaceId, kind: 'source_sync', subjectId: sourceId, trigger, input: {} } as const;
  return startJob(context, job, 'DATA_SOURCE_SYNCING');
}

async function catalogues(api: Api, sourceId: string): Promise<string[]> {
  const { name, s3 } = await dataBucket(api.endpoint);
  const found = await objectStore(name, s3).list(catalogueObjects({ workspaceId: api.workspaceId, sourceId }));
  return found.map(({ key }) => key);
}

/** What the minute tick sends when an instant is due. */
async function sendDue(api: Api, subjectId: string, scheduledAt: string): Promise<void> {
  const sqs = new SQSClient({ endpoint: api.endpoint, ...LOCAL });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => /jobs/i.test(url) && !/dead/i.test(url))!;
  const message = { op: 'due', workspaceId: api.workspaceId, kind: 'source_sync', subjectId, scheduledAt };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
}

describe('POST /api/data-sources/{id}/sync', () => {
  it('keeps the list of files, which is replaced by the next sync', async ({ api }) => {
    const id = await givenFileSource(api, { 'b.csv': 'a\n1\n', 'a.csv': 'a\n1\n' });
    const editor = api.as('editor');
    expect(await editor.get(at(id, '/tables?from=catalogue'))).toMatchObject({
      status: 409,
      body: { code: 'DATA_SOURCE_NOT_SYNCED' },
    });
    expect(await editor.get(at(id, '/columns?from=catalogue&table=a.csv'))).toMatchObject({
      status: 409,
      body: { code: 'DATA_SOURCE_NOT_SYNCED' },
    });
    expect((await editor.get(at(id, '/tables'))).body.syncedAt).toBeNull();

    expect(await synced(api, id)).toMatchObject({ status: 'succeeded', result: { schemas: 0, tables: 2, columns: 0 } });
    await uploadFile(api, id, 'c.csv', 'a\n1\n');
    const live = (await editor.get(at(id, '/tables'))).body;
    const kept = (await editor.get(at(id, '/tables?from=catalogue'))).body;
    expect(kept).toEqual({ ...live, items: live.items.slice(0, 2) });
    expect(kept.syncedAt).toEqual(expect.any(String));
    const first = (await editor.get(at(id, '/tables?from=catalogue&limit=1'))).body;
    expect(first).toMatchObject({ items: [{ name: 'a.csv' }], next: 'a.csv' });
    expect((await editor.get(at(id, '/tables?from=catalogue&limit=1&after=a.csv'))).body).toMatchObject({
      items: [{ name: 'b.csv' }],
      next: null,
    });
    expect(await editor.get(at(id, '/columns?from=catalogue&table=a.csv'))).toMatchObject({
      status: 404,
      body: { code: 'TABLE_NOT_FOUND' },
    });

    expect(await synced(api, id)).toMatchObject({ result: { tables: 3 } });
    const later = (await editor.get(at(id, '/tables?from=catalogue'))).body;
    expect(later.items).toHaveLength(3);
    expect(Date.parse(later.syncedAt)).toBeGreaterThan(Date.parse(kept.syncedAt));
    expect(await history(api, id)).toMatchObject({ total: 2, items: [{ result: { tables: 3 } }, {}] });
    expect((await editor.get(at(id, '/history?status=succeeded'))).body.total).toBe(2);
    expect((await editor.get(at(id, '/history?status=cancelled'))).body.items).toEqual([]);
    expect(await editor.get(at(id, '/history?offset=10001'))).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
  });

  it('is refused while another is under way, and starts one however often it is repeated', async ({ api }) => {
    const id = await givenFileSource(api);
    const job = await waiting(api, id);
    expect(await api.as('owner').post(at(id, '/sync'))).toMatchObject({
      status: 409,
      body: { code: 'DATA_SOURCE_SYNCING' },
    });
    await jobRepository(api.table).end(job, { status: 'cancelled' }, new Date());
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = (source: string) => api.as('owner').post(at(source, '/sync'), undefined, { headers });
    const [first, second] = [await send(id), await send(id)];
    expect(second.body).toEqual(first.body);
    await ended(api, id);
    expect((await history(api, id)).total).toBe(2);
    const other = await givenFileSource(api, {}, 'other');
    expect(await send(other)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('lets one of many at once through', async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'a\n1\n' });
    const replies = await Promise.all(Array.from({ length: 5 }, () => api.as('owner').post(at(id, '/sync'))));
    const accepted = replies.filter(({ status }) => status === 202).length;
    expect(accepted).toBeGreaterThan(0);
    for (const { status, body } of replies) if (status !== 202) expect(body.code).toBe('DATA_SOURCE_SYNCING');
    await ended(api, id);
    expect((await history(api, id)).total).toBe(accepted);
  });

  it('goes on while the source is renamed, and ends as cancelled when it is deleted', async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'a\n1\n' });
    expect((await api.as('owner').post(at(id, '/sync'))).status).toBe(202);
    expect((await api.as('owner').patch(at(id), { name: 'renamed' })).status).toBe(200);
    expect(await ended(api, id)).toMatchObject({ status: 'succeeded' });
    expect(await catalogues(api, id)).toHaveLength(1);

    const job = await waiting(api, id);
    expect((await api.as('owner').delete(at(id))).status).toBe(204);
    expect(await jobRepository(api.table).get(api.workspaceId, job.id)).toMatchObject({ status: 'cancelled' });
    expect(await catalogues(api, id)).toEqual([]);
    const place = { workspaceId: api.workspaceId, sourceId: id };
    expect(await readCataloguePointer(api.table, place)).toBeUndefined();
  });

  it('leaves nothing behind of a source that is deleted meanwhile', async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'a\n1\n' });
    const { body: job } = await api.as('owner').post(at(id, '/sync'));
    expect((await api.as('owner').delete(at(id))).status).toBe(204);
    const jobs = jobRepository(api.table);
    await expect
      .poll(async () => (await jobs.get(api.workspaceId, job.id))?.status, { timeout: 90_000 })
      .toMatch(/cancelled|succeeded/);
    const place = { workspaceId: api.workspaceId, sourceId: id };
    expect(await readCataloguePointer(api.table, place)).toBeUndefined();
    expect(await api.as('editor').get(at(id, '/history'))).toMatchObject({ status: 404 });
  });
});

describe('a sync of a database', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
    await server.run(`CREATE SCHEMA archive; CREATE TABLE archive.old (a int PRIMARY KEY, b text);
      CREATE TABLE orders (id bigint PRIMARY KEY, amount numeric(10,2) NOT NULL);
      CREATE TABLE customers (id int, name varchar(20)); CREATE VIEW rich AS SELECT * FROM customers`);
  });
  afterAll(() => server.stop());
  const source = (more: object = {}) => ({
    name: 'database',
    type: 'postgres',
    config: { host: server.host, port: server.port, database: server.database, user: server.user, ssl: false, ...more },
    secrets: { password: server.password },
  });

  it('keeps schemas, tables and columns as they were, whatever becomes of the server', async ({ api }) => {
    const { id } = (await api.as('owner').post('/api/data-sources', source())).body;
    expect(await synced(api, id)).toMatchObject({
      status: 'succeeded',
      progress: null,
      result: { schemas: 2, tables: 4, columns: 8 },
    });
    const editor = api.as('editor');
    const paths = [
      '/tables?',
      '/tables?schema=archive&',
      '/columns?table=orders&',
      '/columns?schema=archive&table=old&',
    ];
    for (const path of paths) {
      const [live, kept] = [await editor.get(at(id, path)), await editor.get(at(id, `${path}from=catalogue`))];
      expect(kept, path).toMatchObject({ status: 200, body: live.body });
    }
    await server.run('ALTER TABLE archive.old RENAME TO older');
    expect((await editor.get(at(id, '/tables?schema=archive&from=catalogue'))).body.items).toMatchObject([
      { name: 'old' },
    ]);
    expect(await editor.get(at(id, '/columns?schema=archive&table=older&from=catalogue'))).toMatchObject({
      status: 404,
      body: { code: 'TABLE_NOT_FOUND' },
    });
    await synced(api, id);
    expect((await editor.get(at(id, '/tables?schema=archive&from=catalogue'))).body.items).toMatchObject([
      { name: 'older' },
    ]);
  });

  it('gives pipelines the columns of tables, until the next sync', async ({ api }) => {
    const { id } = (await api.as('owner').post('/api/data-sources', source())).body;
    await server.run('CREATE TABLE visits (id int, visited_at timestamptz)');
    const dag = {
      version: 1,
      steps: [
        {
          id: 'visits',
          type: 'extract',
          config: { sourceId: id, object: { table: 'visits' }, filter: 'visitd_at < now() AND ctid IS NOT NULL' },
        },
        { id: 'calc', type: 'transform_sql', dependsOn: ['visits'], config: { sql: 'SELECT page FROM visits' } },
      ],
    };
    const pipeline = (await api.as('editor').post('/api/pipelines', { name: 'unsynced', dag })).body;
    expect(pipeline.id).toBeDefined();
    const issues = async () =>
      (await api.as('editor').post(`/api/pipelines/${pipeline.id}/validate`, { dag })).body.issues;
    await synced(api, id);
    const { syncedAt } = (await api.as('editor').get(at(id, '/tables?from=catalogue'))).body;
    const asOf = `Tables are known as of ${syncedAt}; sync the data source if they have changed since.`;
    expect(await issues()).toMatchObject([
      { path: '/dag/steps/0/config/filter', message: `Unknown column "visitd_at"; did you mean "visited_at"? ${asOf}` },
      { path: '/dag/steps/1/config/sql', message: `Unknown column "page". ${asOf}` },
    ]);
    expect(await api.as('editor').post('/api/pipelines', { name: 'refused', dag })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ code: 'COLUMN_UNKNOWN' }, { code: 'COLUMN_UNKNOWN' }] },
    });
    await server.run('ALTER TABLE visits RENAME visited_at TO visitd_at; ALTER TABLE visits ADD page text');
    await synced(api, id);
    expect(await issues()).toEqual([]);
    await server.run('DROP TABLE visits');
  });

  it('that fails reports why and leaves the catalogue; a scheduled one is announced, once', async ({ api }) => {
    const { id } = (await api.as('owner').post('/api/data-sources', source())).body;
    await synced(api, id);
    const kept = (await api.as('editor').get(at(id, '/tables?from=catalogue'))).body;
    await api.as('owner').patch(at(id), { secrets: { password: 'wrong' } });
    const failed = await synced(api, id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'AUTH_FAILED' } });
    expect((await api.as('editor').get(at(id, '/tables?from=catalogue'))).body).toEqual(kept);
    const outbox = (jobId: string) =>
      api.stored(workspaceKey(api.workspaceId, 'OUTBOX', idFrom('source.sync_failed', jobId)));
    expect(await outbox(failed.id)).toBeUndefined();

    const put = await api.as('owner').put(at(id, '/schedule'), { everySeconds: 86_400 });
    expect(put.status).toBe(200);
    const scheduledAt = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000).toISOString();
    await sendDue(api, id, scheduledAt);
    await sendDue(api, id, scheduledAt);
    await expect.poll(async () => (await history(api, id)).total, { timeout: 90_000 }).toBe(3);
    const job = await ended(api, id);
    expect(job).toMatchObject({ status: 'failed', trigger: { kind: 'schedule', scheduledAt, actor: null } });
    expect(await outbox(job.id)).toMatchObject({
      event: 'source.sync_failed',
      data: { sourceId: id, sourceName: 'database', datasetId: null, jobId: job.id, error: { code: 'AUTH_FAILED' } },
    });
    expect((await history(api, id)).total).toBe(3);
  });
});

describe('PUT /api/data-sources/{id}/schedule', () => {
  it('plans syncs, and an empty one takes the plan back', async ({ api }) => {
    const id = await givenFileSource(api);
    const put = (schedule: object, headers = {}) => api.as('owner').put(at(id, '/schedule'), schedule, { headers });
    const stored = () => api.stored(dataSourceRepository(api.table).key(api.workspaceId, id));
    expect(await put({ cron: '0 6 * * *' })).toMatchObject({
      status: 200,
      body: { schedule: { cron: '0 6 * * *', timezone: 'UTC', enabled: true }, revision: 2 },
    });
    expect(await stored()).toMatchObject({ due: expect.stringContaining('job-schedule#'), dueAt: expect.any(String) });
    expect(await put({}, { 'if-match': '"1"' })).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await api.as('owner').patch(at(id), { name: 'renamed' })).body.schedule).toMatchObject({
      cron: '0 6 * * *',
    });
    const off = { cron: '0 6 * * *', timezone: 'UTC', enabled: false };
    expect((await put({ enabled: false })).body.schedule).toEqual(off);
    expect(await stored()).not.toHaveProperty('dueAt');
    expect((await put({ enabled: true })).body.schedule).toEqual({ ...off, enabled: true });
    expect((await put({ everySeconds: 60, enabled: false })).body.schedule).toMatchObject({ enabled: false });
    expect((await put({})).body.schedule).toBeNull();
    expect((await api.as('editor').get(at(id))).body.schedule).toBeNull();
    for (const [schedule, pointer] of [
      [{ cron: 'never' }, '/cron'],
      [{ cron: '0 6 * * *', timezone: 'Mars' }, '/timezone'],
      [{ everySeconds: 1 }, '/everySeconds'],
      [{ timezone: 'Europe/Berlin' }, '/cron'],
    ] as const) {
      expect(await put(schedule), pointer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    }
  });
});

describe('syncs', () => {
  it('are for admins to start and plan, for editors to look at, and unknown to strangers', async ({ api }) => {
    const id = await givenFileSource(api);
    for (const [method, path, body, least] of [
      ['POST', '/sync', undefined, 'admin'],
      ['PUT', '/schedule', {}, 'admin'],
      ['GET', '/history', undefined, 'editor'],
    ] as const) {
      const send = (actor: 'viewer' | 'editor' | 'stranger' | 'anonymous', source = id) =>
        api.as(actor).send(method, at(source, path), body ? { text: JSON.stringify(body) } : {});
      expect(await send('anonymous'), path).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      expect(await send('viewer'), path).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect((await send('editor')).status, path).toBe(least === 'editor' ? 200 : 403);
      expect(await send('stranger'), path).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
      expect(await send('stranger', UNKNOWN_ID), path).toMatchObject({ status: 404 });
    }
    expect((await history(api, id)).total).toBe(0);
  });
});
