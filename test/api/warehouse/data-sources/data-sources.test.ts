import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { uploadKey } from '../../../../shared/domains/warehouse/sources/record.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { requestDigest } from '../../../support/request-digest.ts';

const postgres = (config: object = {}, extra: object = {}) => ({
  name: 'database',
  type: 'postgres',
  config: { host: '127.0.0.1', port: 5432, database: 'sales', user: 'reader', ssl: false, ...config },
  secrets: { password: 'hunter2' },
  ...extra,
});

async function total(api: Api): Promise<number> {
  return (await api.as('editor').get('/api/data-sources')).body.total;
}

/** A pipeline that extracts from the source. */
async function givenPipeline(api: Api, name: string, sourceId: string): Promise<string> {
  const steps = [{ id: 'read', type: 'extract', config: { sourceId, object: { path: 'orders.csv' } } }];
  const reply = await api.as('editor').post('/api/pipelines', { name, dag: { version: 1, steps } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

describe('data sources', () => {
  it('are created, read and listed without their secrets', async ({ api }) => {
    const owner = api.as('owner');
    const created = await owner.post('/api/data-sources', postgres());
    expect(created).toMatchObject({
      status: 201,
      body: { workspaceId: api.workspaceId, name: 'database', type: 'postgres', config: { user: 'reader' } },
    });
    await givenFileSource(api);
    const { id } = created.body;
    expect((await api.as('editor').get(`/api/data-sources/${id}`)).body).toEqual(created.body);
    const listed = await api.as('editor').get('/api/data-sources?limit=1&offset=1');
    expect(listed.body).toEqual({ items: [created.body], total: 2, limit: 1, offset: 1 });
    const stored = await api.stored(dataSourceRepository(api.table).key(api.workspaceId, id));
    expect(stored).toMatchObject({ name: 'database', sealedSecrets: expect.stringMatching(/^v1\./) });
    for (const shown of [created.body, listed.body, stored]) expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(JSON.stringify(created.body)).not.toContain('sealed');
  });

  it('fill in what a connection leaves out', async ({ api }) => {
    const { port: _port, ssl: _ssl, ...config } = postgres().config;
    const reply = await api.as('owner').post('/api/data-sources', { ...postgres(), config });
    expect(reply.body.config).toEqual({ ...config, port: 5432, ssl: true });
  });

  it('have names of their own, whatever the case', async ({ api }) => {
    await givenFileSource(api, {}, 'Sales');
    const again = await api.as('owner').post('/api/data-sources', { name: 'sales', type: 'file' });
    expect(again).toMatchObject({ status: 409, body: { code: 'DATA_SOURCE_NAME_TAKEN' } });
    expect(await total(api)).toBe(1);
  });

  it('refuse members and kinds that they do not know, each at its place', async ({ api }) => {
    const owner = api.as('owner');
    const post = (body: object) => owner.post('/api/data-sources', body);
    for (const [body, pointer] of [
      [postgres({ sslmode: 'off' }), '/config/sslmode'],
      [postgres({ port: 0 }), '/config/port'],
      [postgres({}, { secrets: undefined }), '/secrets'],
      [postgres({}, { secrets: { password: 'x', token: 'y' } }), '/secrets/token'],
      [{ name: 'x', type: 'oracle' }, '/type'],
      [{ name: ' ', type: 'file' }, '/name'],
      [{ name: 'x', type: 'file', config: { folder: '/' } }, '/config/folder'],
    ] as const) {
      const reply = await post(body);
      expect(reply, pointer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(
        reply.body.errors.map((issue: { pointer: string }) => issue.pointer),
        pointer,
      ).toContain(pointer);
    }
    expect(await total(api)).toBe(0);
  });

  it('refuse addresses that must not be reached, saved or not', async ({ api }) => {
    for (const host of [
      '169.254.169.254',
      '10.0.0.1',
      '192.168.1.1',
      '0x0a000001',
      '167772161',
      '[fd00:ec2::254]',
      '::ffff:10.0.0.1',
      'metadata.google.internal',
      'instance-data',
      'db.local',
      'user@127.0.0.1',
      '127.0.0.1:5432',
      'a host',
    ]) {
      for (const path of ['/api/data-sources', '/api/data-sources/test']) {
        const reply = await api.as('owner').post(path, postgres({ host }));
        expect(reply, `${path} ${host}`).toMatchObject({
          status: 400,
          body: { code: 'ADDRESS_BLOCKED', errors: [{ pointer: '/config/host' }] },
        });
      }
    }
    expect(await total(api)).toBe(0);
  });

  it('are created once per idempotency key', async ({ api }) => {
    const owner = api.as('owner');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { name: 'once', type: 'file' };
    const first = await owner.post('/api/data-sources', body, { headers });
    const second = await owner.post('/api/data-sources', body, { headers });
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await owner.post('/api/data-sources', { ...body, name: 'other' }, { headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await total(api)).toBe(1);
  });

  it('make a repetition wait while the first request is still at work', async ({ api }) => {
    const key = crypto.randomUUID();
    const body = { name: 'slow', type: 'file' };
    const userId = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const claim = {
      ...workspaceKey(api.workspaceId, 'IDEMPOTENCY', `${userId}#createDataSource#${key}`),
      digest: await requestDigest(api.endpoint, { path: '/api/data-sources', text: JSON.stringify(body) }),
      newId: newId(),
      leaseUntil: Date.now() + 30_000,
      expiresAt: Math.floor(Date.now() / 1000) + 3600,
    };
    const store = (Item: object) => api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
    const send = () => api.as('owner').post('/api/data-sources', body, { headers: { 'idempotency-key': key } });
    await store(claim);
    const waiting = await send();
    expect(waiting).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await total(api)).toBe(0);

    await store({ ...claim, leaseUntil: Date.now() - 1 });
    expect(await send()).toMatchObject({ status: 201, body: { id: claim.newId } });
  });

  it('are deleted, and their name is free again', async ({ api }) => {
    const id = await givenFileSource(api, {}, 'Sales');
    const owner = api.as('owner');
    expect((await owner.delete(`/api/data-sources/${id}`)).status).toBe(204);
    expect(await owner.delete(`/api/data-sources/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
    expect(await api.stored(dataSourceRepository(api.table).key(api.workspaceId, id))).toBeUndefined();
    await givenFileSource(api, {}, 'Sales');
    expect(await total(api)).toBe(1);
  });

  it('stay while a pipeline reads from them, and name it', async ({ api }) => {
    const id = await givenFileSource(api);
    const other = await givenFileSource(api, {}, 'other');
    const readers = [await givenPipeline(api, 'nightly', id), await givenPipeline(api, 'hourly', id)];
    await givenPipeline(api, 'unrelated', other);
    const reply = await api.as('owner').delete(`/api/data-sources/${id}`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
    expect(reply.body.referencedBy).toHaveLength(2);
    expect(reply.body.referencedBy).toEqual(
      expect.arrayContaining([
        { type: 'pipeline', id: readers[0], name: 'nightly' },
        { type: 'pipeline', id: readers[1], name: 'hourly' },
      ]),
    );
    expect((await api.as('editor').get(`/api/data-sources/${id}`)).status).toBe(200);
  });

  it('stay while a dataset is a copy of what they hold, and take their uploads along when they go', async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'x\n1\n', 'deep/b.csv': 'y\n2\n' });
    const owner = api.as('owner');
    const source = { kind: 'file', sourceId: id, path: 'a.csv' };
    const dataset = await owner.post('/api/datasets', { name: 'copy', source });
    expect(dataset.status, JSON.stringify(dataset.body)).toBe(201);
    const refused = await owner.delete(`/api/data-sources/${id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'dataset', id: dataset.body.id, name: 'copy' }] },
    });
    const { affected } = (await owner.get(refused.body.impact)).body;
    expect(affected).toMatchObject([{ type: 'dataset', id: dataset.body.id, effect: 'outdated' }]);
    const { name, s3 } = await dataBucket(api.endpoint);
    const store = objectStore(name, s3);
    const uploads = () => store.list(uploadKey(api.workspaceId, id, ''));
    expect(await uploads()).toHaveLength(2);

    const other = await givenFileSource(api, { 'a.csv': 'x\n1\n' }, 'other');
    expect((await owner.delete(`/api/data-sources/${other}`)).status).toBe(204);
    expect(await store.list(uploadKey(api.workspaceId, other, ''))).toEqual([]);
    expect(await uploads()).toHaveLength(2);
  });

  it("are another workspace's business in no way", async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'x\n1\n' });
    const stranger = api.as('stranger');
    const replies = [
      await stranger.get(`/api/data-sources/${id}`),
      await stranger.delete(`/api/data-sources/${id}`),
      await stranger.post(`/api/data-sources/${id}/test`),
      await stranger.post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size: 1 }),
      await stranger.get(`/api/data-sources/${id}/schemas`),
      await stranger.get(`/api/data-sources/${id}/tables`),
      await stranger.get(`/api/data-sources/${id}/columns?table=a.csv`),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
      expect(reply.body.detail).toBe('The workspace has no such data source. List them with GET /api/data-sources.');
    }
    expect((await stranger.get('/api/data-sources')).body.items).toEqual([]);
    const tables = await api.as('editor').get(`/api/data-sources/${id}/tables`);
    expect(tables.body.items).toMatchObject([{ name: 'a.csv', sizeBytes: 4 }]);
  });
});
