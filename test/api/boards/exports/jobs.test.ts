import { describe, expect, vi } from 'vitest';
import { queuedJob } from '../../../../shared/platform/jobs/jobs.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProtected, givenReader, SECRET_ROW, setAttributes } from '../../../support/given/protected.ts';
import { call } from '../../../support/http.ts';
import { zipTexts } from '../../../support/read-files.ts';

const ROWS = 20_000;

async function givenNumbers(api: Api, more: Parameters<typeof givenCards>[1] = []) {
  const { id } = await givenDataset(api, { name: 'numbers', sql: `SELECT i AS n FROM range(${ROWS}) r(i)` });
  const query = { source: { kind: 'dataset', id }, dimensions: [{ column: 'n' }], sort: [{ column: 'n' }] };
  return givenCards(api, [card('numbers', chart(query)), ...more]);
}

interface Ended {
  id: string;
  status: string;
  result: { bytes: number } | null;
  file: { downloadUrl: string } | null;
}

const ended = (get: () => Promise<{ status: number; body: Ended }>) =>
  vi.waitFor(
    async () => {
      const { status, body } = await get();
      expect(status, JSON.stringify(body)).toBe(200);
      expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
      return body as Ended;
    },
    { timeout: 60_000, interval: 200 },
  );

/** The reply to the start of a job, and the job once it has ended. */
async function exported(caller: Caller, path: string, body: object) {
  const started = await caller.post(`${path}/export/jobs`, body);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const address = `${path}/export/jobs/${started.body.id}`;
  return { address, started: started.body, job: await ended(() => caller.get(address)) };
}

const fileOf = async ({ file }: Ended) => {
  const reply = await fetch(file!.downloadUrl);
  return { name: reply.headers.get('content-disposition'), bytes: Buffer.from(await reply.arrayBuffer()) };
};

describe('an export of a dashboard as a job', () => {
  it('writes the same file as a request, once for each key', async ({ api }) => {
    const { body, fields } = await givenShopAndDesk(api);
    const blend = await givenBlend(api, body);
    const measures = [{ fieldId: fields.amount, aggregation: 'sum', label: 'Amount' }];
    const query = { source: { kind: 'blend', id: blend.id }, dimensions: [{ fieldId: fields.customer }], measures };
    const { path, id } = await givenNumbers(api, [card('customers', chart(query))]);
    const editor = api.as('editor');

    const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const wanted = { format: 'csv', cardIds: ['numbers'], filters: [{ fieldId: 'n', op: 'lt', values: [19_000] }] };
    const started = await editor.post(`${path}/export/jobs`, wanted, key);
    expect(started).toMatchObject({
      status: 202,
      body: { kind: 'dashboard_export', status: 'queued', result: null, file: null },
    });
    expect((await editor.post(`${path}/export/jobs`, wanted, key)).body.id).toBe(started.body.id);
    const job = await ended(() => editor.get(`${path}/export/jobs/${started.body.id}`));
    expect(job).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      error: null,
      result: { truncated: false, failedCards: 0, warnings: [] },
      file: { contentType: 'text/csv' },
    });
    const { name, bytes } = await fileOf(job);
    const direct = await editor.post(`${path}/export`, wanted, { headers: { accept: 'text/csv' } });
    expect(bytes.toString()).toBe(direct.bytes.toString());
    expect(bytes.toString().trim().split('\r\n')).toHaveLength(19_001);
    expect([name, job]).toMatchObject([
      expect.stringContaining('.csv"'),
      { result: { bytes: bytes.length }, file: { bytes: bytes.length } },
    ]);

    const { items } = (await api.as('owner').get('/api/audit-log?action=dashboard.exported')).body;
    const acts = items.filter(({ after }: { after: { jobId?: string } }) => after.jobId !== undefined);
    expect(acts).toMatchObject([{ object: { type: 'dashboard', id }, after: { format: 'csv', jobId: job.id } }]);

    const book = await exported(editor, path, { format: 'xlsx' });
    expect(book.job).toMatchObject({ status: 'succeeded', result: { failedCards: 0 } });
    const parts = await zipTexts((await fileOf(book.job)).bytes);
    expect(parts['xl/worksheets/sheet1.xml']!.match(/<row>/g)).toHaveLength(ROWS + 1);
    expect(Object.values(parts).join()).toContain('ada');
  });

  it('has the rows of an API key, which ends with the key', async ({ api }) => {
    const { path } = await givenNumbers(api);
    const made = await api.as('owner').post('/api/api-keys', { name: 'Nightly', scope: 'read' });
    const token = made.body.key as string;
    const started = await call(api.endpoint, 'POST', `${path}/export/jobs`, { token, body: { format: 'csv' } });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const address = `${path}/export/jobs/${started.body.id}`;
    const job = await ended(() => call(api.endpoint, 'GET', address, { token }));
    expect(job).toMatchObject({ status: 'succeeded', result: { failedCards: 0 } });
    expect((await fileOf(job)).bytes.toString()).toContain('\r\n19999\r\n');
  });

  it('has the rows of its reader, and no link once the reader may see others', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'id' }, { column: 'name' }],
      sort: [{ column: 'id' }],
    };
    const { path } = await givenCards(api, [card('people', chart(query))]);
    const reader = await givenReader(api, { attributes: { region: 'us' } });
    const { address, job } = await exported(reader.caller, path, { format: 'csv' });
    expect((await fileOf(job)).bytes.toString()).toBe(`id,name\r\n4,${SECRET_ROW}\r\n5,${SECRET_ROW}\r\n`);

    await setAttributes(api, reader.userId, { region: 'eu' });
    await vi.waitFor(
      async () => expect(await reader.caller.get(address)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } }),
      { timeout: 60_000, interval: 200 },
    );
    const again = await exported(reader.caller, path, { format: 'csv' });
    expect((await fileOf(again.job)).bytes.toString()).toBe('id,name\r\n1,Ann\r\n2,Bob\r\n3,Cid\r\n');
  });

  it('is only for the person who started it, who still sees the dashboard', async ({ api }) => {
    const { path } = await givenNumbers(api);
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    const { address } = await exported(api.as('editor'), path, { format: 'csv' });
    const notFound = { status: 404, body: { code: 'JOB_NOT_FOUND' } };
    const noDashboard = { status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } };
    for (const other of ['owner', 'viewer'] as const) expect(await api.as(other).get(address)).toMatchObject(notFound);
    expect(await api.as('owner').post(`${address}/cancel`)).toMatchObject(notFound);
    expect(await api.as('stranger').get(address)).toMatchObject(noDashboard);
    expect(await api.as('stranger').post(`${address}/cancel`)).toMatchObject(noDashboard);
    const elsewhere = await givenCards(api, []);
    const moved = address.replace(path, elsewhere.path);
    expect(await api.as('editor').get(moved)).toMatchObject(notFound);
    expect(await api.as('editor').get(`${path}/export/jobs/${newId()}`)).toMatchObject(notFound);
    expect(await api.as('editor').post(`${address}/cancel`)).toMatchObject({
      status: 202,
      body: { status: 'succeeded' },
    });

    const jobs = `${path}/export/jobs`;
    const start = (body: object, to = jobs) => api.as('editor').post(to, body);
    expect(await start({ format: 'csv', pageId: 'none' })).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_PAGE_NOT_FOUND' },
    });
    expect(await start({ format: 'csv', cardIds: ['none'] })).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_CARD_NOT_FOUND' },
    });
    expect(await start({ format: 'csv' }, `/api/dashboards/${newId()}/export/jobs`)).toMatchObject(noDashboard);
    const none = await exported(api.as('editor'), elsewhere.path, { format: 'csv' });
    expect(none.job).toMatchObject({ status: 'failed', file: null, error: { code: 'CARD_WITHOUT_ROWS' } });

    const viewed = await exported(api.as('viewer'), path, { format: 'csv' });
    const turnedOff = { status: 403, body: { code: 'EXPORT_TURNED_OFF' } };
    await api.as('owner').patch('/api/workspaces/current', { viewersMayExport: false });
    await vi.waitFor(async () => expect(await api.as('viewer').get(viewed.address)).toMatchObject(turnedOff), {
      timeout: 60_000,
      interval: 200,
    });
    expect(await api.as('viewer').post(jobs, { format: 'csv' })).toMatchObject(turnedOff);

    expect((await api.as('owner').delete(path)).status).toBeLessThan(300);
    expect(await api.as('editor').get(address)).toMatchObject(noDashboard);
  });

  it('is one of five at most that wait or run in a workspace, and can be cancelled', async ({ api }) => {
    const { path, id: dashboardId } = await givenNumbers(api);
    const { id: actor } = (await api.as('editor').get('/api/auth/me')).body.user;
    const waiting = Array.from({ length: 5 }, () => {
      const id = newId();
      const trigger = { kind: 'manual', scheduledAt: null, actor } as const;
      const about = { workspaceId: api.workspaceId, kind: 'dashboard_export', subjectId: id } as const;
      return queuedJob({ id, trigger, ...about, input: { dashboardId } }, new Date());
    });
    for (const job of waiting) await jobRepository(api.table).create(job, 'JOB_ACTIVE');
    expect(await api.as('editor').post(`${path}/export/jobs`, { format: 'csv' })).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_EXPORT_JOBS' },
    });
    for (const { id } of waiting) {
      const cancelled = await api.as('editor').post(`${path}/export/jobs/${id}/cancel`);
      expect(cancelled).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    }
    expect(await api.as('editor').get(`${path}/export/jobs/${waiting[0]!.id}`)).toMatchObject({
      body: { status: 'cancelled', file: null },
    });
    expect((await exported(api.as('editor'), path, { format: 'csv' })).job.status).toBe('succeeded');
  });
});
