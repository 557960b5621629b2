import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, vi } from 'vitest';
import { queuedJob } from '../../../../shared/platform/jobs/jobs.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_COLUMN,
  SECRET_ROW,
} from '../../../support/given/protected.ts';
import { allowDomains, givenSchedule } from '../../../support/given/schedules.ts';
import { chartBlock, doc, paragraph, texts } from '../../../support/given/stories.ts';
import { unzipped } from '../../../support/unzip.ts';

const PATH = '/api/workspaces/current/exports';
const secretOf = (name: string) => `${name}-${crypto.randomUUID()}`;
const HIDDEN_TEXT = 'HIDDEN-TEXT-of-us';
type Named = { id: string; name: string };

/** Content of most kinds, and every secret that was given for it. */
async function givenContent(api: Api) {
  const names = ['token', 'header', 'path', 'signing', 'password', 'targetPath', 'targetHeader', 'targetSecret'];
  const secrets = names.map(secretOf);
  const [token, header, path, signing, password, targetPath, targetHeader, targetSecret] = secrets;
  const owner = api.as('owner');
  const created = async (to: string, body: object) => {
    const reply = await owner.post(to, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body;
  };
  expect((await owner.put('/api/secrets/CRM_TOKEN', { value: token })).status).toBe(200);
  await created('/api/data-sources', {
    name: 'CRM',
    type: 'postgres',
    config: { host: 'db.example.com', port: 5432, database: 'crm', user: 'reader' },
    secrets: { password },
  });
  await created('/api/webhooks', {
    name: 'Chat',
    url: `https://hooks.example.com/${path}`,
    kind: 'generic',
    events: ['*'],
    headers: { 'X-Auth': header },
    secret: signing,
  });
  const key = await created('/api/api-keys', { name: 'Key', scope: 'read' });
  await givenDataset(api, { name: 'orders', sql: 'SELECT i AS id, i * 2 AS amount FROM range(1000) r(i)' });
  const { dataset } = await givenProtected(api);
  await posted(api, '/api/saved-queries', { name: 'All orders', sql: 'SELECT * FROM orders' });
  const dashboard = await givenDashboard(api, { name: 'Trade' });
  await posted(api, `${dashboard.path}/cards`, textCard('note'));
  await allowDomains(api, ['hooks.example.com']);
  const url = `https://hooks.example.com/${targetPath}`;
  await givenSchedule(api, dashboard.path, {
    targets: [{ type: 'webhook', url, secret: targetSecret, headers: { 'X-Auth': targetHeader } }],
  });
  const report = await posted(api, '/api/reports', { name: 'Monthly' });
  const group = await created('/api/groups', { name: 'Sellers' });
  const author = (await givenReader(api, { attributes: { region: 'us' } })).caller;
  const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }] };
  const kept = doc(paragraph('b', HIDDEN_TEXT), chartBlock('names', query));
  const written = { title: 'Weekly', sections: [{ content: texts(['a', 'Open to all.']) }, { content: kept }] };
  const story = (await author.post('/api/stories', written)).body;
  const hide = `/api/stories/${story.id}/sections/${story.sections[1].id}/visibility`;
  expect((await author.put(hide, { visibility: 'data_access' })).status).toBe(200);
  await posted(api, '/api/stories', { title: 'Deleted' }).then(({ id }) => owner.delete(`/api/stories/${id}`));
  await api.joinAll();
  return { secrets: [...secrets, key.key as string, HIDDEN_TEXT], dashboard, report, group, story };
}

async function ended(api: Api, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await api.as('owner').get(`${PATH}/${id}`);
      expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
      return body;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function archiveOf(api: Api, id: string): Promise<Map<string, Buffer>> {
  const link = await api.as('owner').get(`${PATH}/${id}/file`);
  expect(link).toMatchObject({ status: 200, body: { contentType: 'application/zip' } });
  const file = await fetch(link.body.downloadUrl);
  expect(file.headers.get('content-disposition')).toContain('Test.zip');
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.length).toBe(link.body.bytes);
  return unzipped(bytes);
}

describe('an export of a workspace', () => {
  it('has everything that the API lists, no secret, and no row that its admin may not see', async ({ api }) => {
    const given = await givenContent(api);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const started = await api.as('owner').post(PATH, {}, { headers });
    expect(started).toMatchObject({
      status: 202,
      body: { kind: 'workspace_export', status: 'queued', subjectId: api.workspaceId },
    });
    const { id } = started.body;
    const job = await ended(api, id);
    expect(job).toMatchObject({ status: 'succeeded', error: null, result: { leftOut: 1 } });
    expect((await api.as('owner').post(PATH, {}, { headers })).body.id).toBe(id);

    const archive = await archiveOf(api, id);
    expect(archive.size).toBe(job.result.files);
    const json = (path: string) => JSON.parse(archive.get(path)!.toString());
    const listed = { 'data-sources': 'data-sources', datasets: 'datasets', webhooks: 'webhooks', reports: 'reports' };
    const lists = { ...listed, 'saved-queries': 'saved-queries', groups: 'groups', dashboards: 'dashboards' };
    for (const [file, path] of Object.entries({ ...lists, members: 'workspaces/members', secrets: 'secrets' })) {
      const { items } = (await api.as('owner').get(`/api/${path}?limit=100`)).body;
      const nameOf = ({ name }: Named) => name;
      expect(json(`definitions/${file}.json`).map(nameOf).sort(), file).toEqual(items.map(nameOf).sort());
      expect(items.length, file).toBeGreaterThan(0);
    }
    const [dashboard] = json('definitions/dashboards.json');
    expect(dashboard).toMatchObject({
      id: given.dashboard.id,
      cards: [{ id: 'note', textContent: 'The text of note' }],
    });
    const [open, hidden] = given.story.sections as { id: string; content: object }[];
    expect(json('definitions/stories.json')).toMatchObject([
      {
        ...{ id: given.story.id, title: 'Weekly', publishedVersion: null },
        sections: [
          { id: open!.id, content: open!.content, visibility: 'everyone' },
          { id: hidden!.id, title: null, content: null, visibility: 'data_access', hidden: { reason: 'DATA_ACCESS' } },
        ],
      },
    ]);
    expect(json('definitions/story-schedules.json')).toEqual([]);
    const [source] = json('definitions/data-sources.json');
    const { secrets: _secrets, ...shown } = (await api.as('owner').get(`/api/data-sources/${source.id}`)).body;
    expect(shown).toMatchObject(source);
    expect(json('definitions/webhooks.json')[0]).toMatchObject({ origin: 'https://hooks.example.com' });
    const [{ targets }] = json('definitions/dashboard-schedules.json');
    const named = { name: 'hooks.example.com', origin: 'https://hooks.example.com', headerNames: ['X-Auth'] };
    expect(targets).toEqual([{ id: expect.any(String), type: 'webhook', ...named }]);
    expect(archive.get('models/Staff of people.yaml')!.toString()).toContain('user.attr("region")');

    const part = archive.get('datasets/orders/part-00001.parquet')!;
    const rows = await parquetReadObjects({
      file: new Uint8Array(part).buffer,
      compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
    });
    expect([rows.length, Number(rows[999]!.amount)]).toEqual([1000, 1998]);
    const log = archive
      .get('audit-log.ndjson')!
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(log.find(({ action }) => action === 'workspace.exported')).toMatchObject({ after: { exportId: id } });

    const manifest = json('manifest.json');
    expect(manifest).toMatchObject({ formatVersion: 1, workspace: { id: api.workspaceId, name: 'Test' } });
    expect(manifest.leftOut).toMatchObject([{ kind: 'dataset', name: 'people' }]);
    expect([...archive.keys()].filter((path) => path.startsWith('datasets/people'))).toEqual([]);
    expect(manifest.files.map(({ path }: { path: string }) => path)).toEqual(
      [...archive.keys()].filter((path) => path !== 'manifest.json'),
    );
    expect(manifest.files).toContainEqual({ path: 'datasets/orders/part-00001.parquet', records: 1000 });
    const text = [...archive].map(([path, bytes]) => `${path}\n${bytes.toString('latin1')}`).join('\n');
    for (const secret of [...given.secrets, SECRET_ROW, SECRET_COLUMN]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"(sealed\w*|\w*[dD]igest|\w*Hash|membershipId|pk|sk)":/);

    const acts = (await api.as('owner').get('/api/audit-log?action=workspace.export_downloaded')).body.items;
    expect(acts).toMatchObject([{ after: { exportId: id } }]);
    const other = await api.as('admin').get(`${PATH}/${id}/file`);
    expect(other).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/file`])
      expect(await api.as('stranger').get(path)).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
    expect((await api.as('editor').get(`${PATH}/${id}`)).status).toBe(403);
    expect((await api.as('editor').post(PATH, {})).status).toBe(403);

    // A policy that hides rows of the archive comes later.
    const model = await givenModel(api);
    const { id: tableId, path } = await givenTable(api, model.path, 'orders');
    await givenField(api, path, 'id', { dataType: 'integer' });
    await givenPolicy(api, model.path, { tableId, filterExpression: '[id] = 1' });
    const late = await api.as('owner').get(`${PATH}/${id}/file`);
    expect(late).toMatchObject({ status: 403, body: { detail: expect.stringContaining('Start another one') } });
    expect(job.result).not.toHaveProperty('rights');

    const brief = await api.as('owner').post(PATH, { datasetRows: false });
    expect(await ended(api, brief.body.id)).toMatchObject({ status: 'succeeded', result: { leftOut: 0 } });
    const paths = [...(await archiveOf(api, brief.body.id)).keys()];
    expect(paths.filter((path) => path.startsWith('datasets/'))).toEqual([]);
    expect(paths).toContain('definitions/datasets.json');
  });

  it('is one at a time, has a file once it has succeeded, and can be cancelled', async ({ api }) => {
    const { id: actor } = (await api.as('owner').get('/api/auth/me')).body.user;
    const { workspaceId } = api;
    const waiting = queuedJob(
      {
        id: newId(),
        workspaceId,
        kind: 'workspace_export',
        subjectId: workspaceId,
        trigger: { kind: 'manual', scheduledAt: null, actor },
        input: {},
      },
      new Date(),
    );
    await jobRepository(api.table).create(waiting, 'JOB_ACTIVE');
    expect(await api.as('owner').post(PATH, {})).toMatchObject({ status: 409, body: { code: 'JOB_ACTIVE' } });
    expect(await api.as('owner').get(`${PATH}/${waiting.id}/file`)).toMatchObject({
      status: 409,
      body: { code: 'WORKSPACE_EXPORT_NOT_READY', detail: 'The export is queued.' },
    });
    const cancel = () => api.as('owner').post(`${PATH}/${waiting.id}/cancel`);
    expect(await cancel()).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    expect(await cancel()).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    const unknown = await api.as('owner').post(`${PATH}/${newId()}/cancel`);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
    const started = await api.as('owner').post(PATH, { datasetRows: false });
    expect(await ended(api, started.body.id)).toMatchObject({ status: 'succeeded' });
  });
});
