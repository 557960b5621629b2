import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { foreignBucket } from '../../../support/given/foreign-bucket.ts';
import { HAS_MARIADB, startMariadb, type TestMariadb } from '../../../support/mariadb.ts';
import { openWebService, sendJson } from '../../../support/web-service.ts';

async function given(api: Api, body: object): Promise<string> {
  const reply = await api.as('owner').post('/api/data-sources', body);
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body.id;
}

/** Replies of a web service that cannot be read as they are, by path. */
const FAULTY_REPLIES: Record<string, (response: ServerResponse) => void> = {
  '/text': (response) => response.end('no json'),
  '/empty': (response) => sendJson(response, { other: [] }),
  '/large': (response) => sendJson(response, [{ a: 'x'.repeat(4 * 1024 * 1024) }]),
  '/none': (response) => sendJson(response, { items: null }),
  '/paged': (response) => sendJson(response, [{ a: 1 }], { link: '</last>; rel="last", </more>; rel="prefetch next"' }),
  '/more': (response) => sendJson(response, [{ a: 2 }], { link: '</more>; rel="nextpage"' }),
  '/away': (response) => sendJson(response, [{ a: 1 }], { link: '<http://127.0.0.2/x>; rel="next"' }),
  '/loop': (response) => sendJson(response, [{ a: 1 }], { link: '</loop>; rel="next"' }),
};
const STATUSES: Record<string, number> = { '/401': 401, '/403': 403, '/404': 404 };

const get = (api: Api, id: string, path: string) => api.as('editor').get(`/api/data-sources/${id}/${path}`);

describe.runIf(HAS_MARIADB)(HAS_MARIADB ? 'a MariaDB source' : 'a MariaDB source (not installed: not tested)', () => {
  let server: TestMariadb;
  beforeAll(async () => {
    server = await startMariadb();
    await server.run('CREATE TABLE orders (id BIGINT PRIMARY KEY, amount DECIMAL(10,2))', 'CREATE TABLE zebra (x INT)');
  });
  afterAll(() => server.stop());

  const mariadb = (secrets: object = { password: server.password }) => ({
    name: 'shop',
    type: 'mysql',
    config: { host: server.host, port: server.port, database: server.database, user: server.user, ssl: false },
    secrets,
  });

  it('is tried and looked into, part by part', async ({ api }) => {
    const tried = await api.as('owner').post('/api/data-sources/test', mariadb());
    expect(tried.body).toMatchObject({ ok: true, serverVersion: expect.stringMatching(/MariaDB/) });
    const wrong = await api.as('owner').post('/api/data-sources/test', mariadb({ password: 'no' }));
    expect(wrong.body).toMatchObject({ ok: false, code: 'AUTH_FAILED' });
    const id = await given(api, mariadb());
    expect((await get(api, id, 'schemas')).body.items).toEqual([{ name: 'shop' }]);
    const first = await get(api, id, 'tables?limit=1');
    expect(first.body).toMatchObject({ items: [{ schema: 'shop', name: 'orders', kind: 'table' }], next: 'orders' });
    expect((await get(api, id, 'tables?limit=1&after=orders')).body).toMatchObject({
      items: [{ name: 'zebra' }],
      next: null,
    });
    expect((await get(api, id, 'columns?table=orders')).body.items).toMatchObject([
      { name: 'id', type: 'integer', primaryKey: true },
      { name: 'amount', type: 'decimal(10,2)' },
    ]);
    expect(await get(api, id, 'columns?table=none')).toMatchObject({ status: 404, body: { code: 'TABLE_NOT_FOUND' } });
  });

  it('changes its password without a pause, and keeps it to itself', async ({ api }) => {
    const id = await given(api, mariadb({ password: 'old' }));
    expect(await get(api, id, 'schemas')).toMatchObject({ status: 422, body: { errors: [{ code: 'AUTH_FAILED' }] } });
    const path = `/api/data-sources/${id}`;
    const before = await api.stored(dataSourceRepository(api.table).key(api.workspaceId, id));
    const changed = await api.as('owner').patch(path, { secrets: { password: server.password } });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2, config: mariadb().config } });
    expect(JSON.stringify(changed.body)).not.toContain(server.password);
    const after = await api.stored(dataSourceRepository(api.table).key(api.workspaceId, id));
    expect(after!.sealedSecrets).not.toBe(before!.sealedSecrets);
    expect((await get(api, id, 'schemas')).status).toBe(200);
  });
});

describe('a change of a data source', () => {
  const postgres = {
    name: 'db',
    type: 'postgres',
    config: { host: '127.0.0.1', port: 5432, database: 'sales', user: 'reader', ssl: false },
    secrets: { password: 'hunter2' },
  };
  const change = (api: Api, id: string, body: object) => api.as('owner').patch(`/api/data-sources/${id}`, body);

  it('replaces the members that it names and no others', async ({ api }) => {
    const id = await given(api, postgres);
    const reply = await change(api, id, { name: 'other', config: { database: 'stock' } });
    expect(reply).toMatchObject({
      status: 200,
      body: { name: 'other', config: { ...postgres.config, database: 'stock' } },
    });
    expect((await api.as('editor').get(`/api/data-sources/${id}`)).body).toEqual(reply.body);
  });

  it('says every issue and changes nothing', async ({ api }) => {
    const id = await given(api, postgres);
    const key = dataSourceRepository(api.table).key(api.workspaceId, id);
    const before = await api.stored(key);
    const secrets = { password: 'x' };
    for (const [body, code, pointer] of [
      [{ config: { port: 0 } }, 'VALIDATION_FAILED', '/config/port'],
      [{ config: { colour: 'red' } }, 'VALIDATION_FAILED', '/config/colour'],
      [{ config: { user: null } }, 'VALIDATION_FAILED', '/config/user'],
      [{ secrets: { password: null } }, 'VALIDATION_FAILED', '/secrets/password'],
      [{ config: { host: 'db.example.com' } }, 'VALIDATION_FAILED', '/secrets'],
      [{ config: { ssl: true } }, 'VALIDATION_FAILED', '/secrets'],
      [{ config: { host: 'db.example.com' }, secrets: {} }, 'VALIDATION_FAILED', '/secrets/password'],
      [{ config: { host: '169.254.169.254' }, secrets }, 'ADDRESS_BLOCKED', '/config/host'],
    ] as const) {
      const reply = await change(api, id, body);
      expect(reply, JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
      expect(reply.body.errors.map((issue: { pointer: string }) => issue.pointer)).toContain(pointer);
    }
    await given(api, { name: 'Taken', type: 'file' });
    expect(await change(api, id, { name: 'taken' })).toMatchObject({
      status: 409,
      body: { code: 'DATA_SOURCE_NAME_TAKEN' },
    });
    expect(await change(api, crypto.randomUUID(), { name: 'x' })).toMatchObject({ status: 404 });
    const stranger = await api.as('stranger').patch(`/api/data-sources/${id}`, { name: 'x' });
    expect(stranger).toMatchObject({ status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } });
    expect(await api.stored(key)).toEqual(before);
  });
});

describe('a bucket as a source', () => {
  async function bucket(api: Api, files: Record<string, string>) {
    const { name: own } = await dataBucket(api.endpoint);
    const { bucket: theirs, endpoint, secrets } = await foreignBucket(files);
    const body = (config: object = {}) => ({
      name: 'bucket',
      type: 's3',
      config: { bucket: theirs, prefix: 'in/', endpoint, ...config },
      secrets,
    });
    return { own, body };
  }

  it('is tried, listed and looked into', async ({ api }) => {
    const { body } = await bucket(api, {
      'in/': '',
      'in/a.csv': 'id,name\n1,x\n2,y\n',
      'in/deep/b.ndjson': '{"n":1}\n',
      'out/c.csv': 'no',
    });
    expect((await api.as('owner').post('/api/data-sources/test', body())).body).toMatchObject({ ok: true });
    const missing = await api.as('owner').post('/api/data-sources/test', body({ bucket: 'there-is-none' }));
    expect(missing.body).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    const id = await given(api, body());
    expect((await get(api, id, 'schemas')).body.items).toEqual([]);
    expect((await get(api, id, 'tables')).body).toMatchObject({
      items: [
        { schema: '', name: 'a.csv', kind: 'file', sizeBytes: 16 },
        { name: 'deep/b.ndjson', kind: 'file' },
      ],
      next: null,
    });
    expect((await get(api, id, 'tables?limit=1')).body).toMatchObject({ items: [{ name: 'a.csv' }], next: 'a.csv' });
    expect((await get(api, id, 'columns?table=a.csv')).body).toEqual({
      items: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
      sample: [
        [1, 'x'],
        [2, 'y'],
      ],
    });
    expect(await get(api, id, 'columns?table=none.csv')).toMatchObject({
      status: 404,
      body: { code: 'TABLE_NOT_FOUND' },
    });
    const { s3, name } = await dataBucket(api.endpoint);
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const left = await s3.send(new ListObjectsV2Command({ Bucket: name, Prefix: 'staging/inspect/' }));
    expect(left.Contents ?? []).toEqual([]);
  });

  it('is looked into by the beginning of a file, whole rows of it', async ({ api }) => {
    const text = `"${'a line of many\n'.repeat(2000)}"`;
    const { body } = await bucket(api, { 'in/long.csv': `id,body\n${`1,${text}\n`.repeat(200)}` });
    const { items } = (await get(api, await given(api, body()), 'columns?table=long.csv')).body;
    expect(items).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'body', type: 'string' },
    ]);
  });

  it('may be a service that never ends its list: that much is not read', async ({ api }) => {
    const service = await openWebService((_url, response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.write('<?xml version="1.0"?><ListBucketResult>');
      const page = `<Contents><Key>${'k'.repeat(1000)}</Key></Contents>`.repeat(100);
      const more = () => {
        while (!response.destroyed && response.write(page));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { body } = await bucket(api, {});
    const id = await given(api, body({ endpoint: service.url }));
    expect(await get(api, id, 'tables')).toMatchObject({
      status: 422,
      body: { code: 'DATA_SOURCE_UNREACHABLE', errors: [{ code: 'RESULT_TOO_LARGE' }] },
    });
  });

  it('is never our own, nor at an address that is closed', async ({ api }) => {
    const { own, body } = await bucket(api, {});
    for (const [config, pointer] of [
      [{ bucket: own }, '/config/bucket'],
      [{ endpoint: 'http://169.254.169.254' }, '/config/endpoint'],
      [{ endpoint: 'file:///etc' }, '/config/endpoint'],
    ] as const) {
      expect(await api.as('owner').post('/api/data-sources', body(config)), pointer).toMatchObject({
        status: 400,
        body: { code: 'ADDRESS_BLOCKED', errors: [{ pointer }] },
      });
    }
  });
});

describe('a web service as a source', () => {
  const web = (url: string, endpoint: object = {}, more: object = {}, secrets: object = {}) => ({
    name: 'service',
    type: 'http',
    config: { baseUrl: url, endpoints: [{ name: 'orders', path: '/orders', ...endpoint }], ...more },
    secrets,
  });

  it('is asked page by page, with its credential, and numbers stay exact', async ({ api }) => {
    const service = await openWebService((url, response) => {
      const after = url.searchParams.get('cursor');
      const items = after ? [{ id: 3, big: 1 }] : [{ id: 1, big: 1 }, { id: 2 }];
      const text = JSON.stringify({ data: { items }, next: after ? null : 'a b' });
      response.end(text.replace('"big":1', '"big":12345678901234567890'));
    });
    const body = web(
      service.url,
      { records: '/data/items', pagination: { kind: 'cursor', parameter: 'cursor', cursor: '/next' } },
      { auth: 'header', authHeader: 'X-Api-Key', headers: { 'X-Tenant': 'acme' } },
      { credential: 'sesame' },
    );
    expect((await api.as('owner').post('/api/data-sources/test', body)).body).toMatchObject({ ok: true });
    const id = await given(api, body);
    expect((await get(api, id, 'tables')).body.items).toEqual([{ schema: '', name: 'orders', kind: 'endpoint' }]);
    const columns = await get(api, id, 'columns?table=orders');
    expect(columns.body.sample.map(([first]: [number]) => first)).toEqual([1, 2, 3]);
    expect(JSON.stringify(columns.body.sample)).toContain('12345678901234567890');
    expect(service.requests.map(({ path }) => path)).toEqual(['/orders', '/orders', '/orders?cursor=a+b']);
    for (const { headers } of service.requests)
      expect(headers).toMatchObject({ 'x-api-key': 'sesame', 'x-tenant': 'acme' });
  });

  it('sends headers that cannot be read back, and none with a credential that can', async ({ api }) => {
    const service = await openWebService((_url, response) => sendJson(response, [{ id: 1 }]));
    const open = web(service.url, {}, { headers: { 'X-Api-Key': 'sesame', Accept: '*/*' } });
    expect(await api.as('owner').post('/api/data-sources', open)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/config/headers/X-Api-Key', code: 'SECRET' }] },
    });
    const secrets = { headers: { 'X-Api-Key': 'sesame' } };
    const reply = await api.as('owner').post('/api/data-sources', web(service.url, {}, {}, secrets));
    expect(reply.status).toBe(201);
    expect(JSON.stringify(reply.body)).not.toContain('sesame');
    expect((await get(api, reply.body.id, 'columns?table=orders')).body.sample).toEqual([[1]]);
    expect(service.requests.at(-1)!.headers).toMatchObject({ 'x-api-key': 'sesame' });
    const moved = { config: { baseUrl: 'http://127.0.0.1:9' } };
    expect(await api.as('owner').patch(`/api/data-sources/${reply.body.id}`, moved)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/secrets' }] },
    });
    const partly = { ...moved, secrets: { credential: 'mine' } };
    expect(await api.as('owner').patch(`/api/data-sources/${reply.body.id}`, partly)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/secrets/headers', code: 'REQUIRED' }] },
    });
    const named = web(service.url, {}, {}, { headers: { 'Content-Length': '1' } });
    expect((await api.as('owner').post('/api/data-sources', named)).body.errors[0].pointer).toBe(
      '/secrets/headers/Content-Length',
    );
  });

  it('says what stands in its way', async ({ api }) => {
    const service = await openWebService(({ pathname }, response) => {
      const reply = FAULTY_REPLIES[pathname];
      if (reply) reply(response);
      else response.writeHead(STATUSES[pathname] ?? 500).end();
    });
    const endpoints = [
      ...Object.keys(STATUSES).map((path) => ({ name: path.slice(1), path })),
      { name: 'text', path: '/text' },
      { name: 'large', path: '/large' },
      { name: 'empty', path: '/empty', records: '/items' },
      { name: 'none', path: '/none', records: '/items' },
      { name: 'paged', path: '/paged', pagination: { kind: 'link' } },
      { name: 'away', path: '/away', pagination: { kind: 'link' } },
      { name: 'loop', path: '/loop', pagination: { kind: 'link' } },
    ];
    const id = await given(api, web(service.url, {}, { endpoints }));
    const code = async (table: string) => {
      const { body } = await get(api, id, `columns?table=${table}`);
      return body.errors?.[0]?.code ?? body.code;
    };
    expect(await code('401')).toBe('AUTH_FAILED');
    expect(await code('403')).toBe('PERMISSION_DENIED');
    expect(await code('404')).toBe('TABLE_NOT_FOUND');
    expect(await code('nowhere')).toBe('TABLE_NOT_FOUND');
    expect(await code('large')).toBe('RESULT_TOO_LARGE');
    for (const table of ['text', 'empty', 'none', 'away', 'loop']) {
      expect(await code(table), table).toBe('FILE_UNREADABLE');
    }
    expect((await get(api, id, 'columns?table=paged')).body.sample).toEqual([[1], [2]]);
  });

  it('may send CSV, which is read as the options of the endpoint say', async ({ api }) => {
    const service = await openWebService((_url, response) => response.end('Sales\n\nNorth;2024,5\nSouth;1.120,25\n'));
    const csv = (options: object) => web(service.url, { format: 'csv', options });
    const id = await given(api, csv({ skipRows: 2, header: false, decimalSeparator: ',' }));
    expect((await get(api, id, 'columns?table=orders')).body.sample).toEqual([
      ['North', 2024.5],
      ['South', 1120.25],
    ]);
    const source = { kind: 'table', sourceId: id, table: 'orders' };
    const { body } = await api.as('editor').post('/api/datasets', { name: 'sales', source });
    expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded', result: { rowCount: 2 } });
    const issuesOf = async (endpoint: object) =>
      (await api.as('owner').post('/api/data-sources', web(service.url, endpoint))).body.errors;
    expect(await issuesOf({ format: 'csv', options: { headerRow: 2, skipRows: 1 } })).toMatchObject([
      { pointer: '/config/endpoints/0/options/skipRows', code: 'NOT_ALLOWED' },
    ]);
    expect(await issuesOf({ options: { decimalSeparator: ',' } })).toMatchObject([
      { pointer: '/config/endpoints/0/options/decimalSeparator', code: 'NOT_ALLOWED' },
    ]);
  });

  it('is refused with every issue of its settings', async ({ api }) => {
    const url = 'http://127.0.0.1:9';
    const issues = async (body: object) => {
      const reply = await api.as('owner').post('/api/data-sources', body);
      expect(reply.status).toBe(400);
      return reply.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await issues(web(url, {}, { auth: 'basic' }))).toEqual(['/secrets/credential', '/config/user']);
    expect(await issues(web(url, { format: 'csv', records: '/a' }))).toEqual(['/config/endpoints/0/records']);
    expect(await issues(web(url, { path: 'orders' }))).toEqual(['/config/endpoints/0/path']);
    expect(await issues(web(url, {}, { headers: { 'Content-Length': '1' } }))).toEqual([
      '/config/headers/Content-Length',
    ]);
    expect(await issues(web(`${url}/?a=b`))).toEqual(['/config/baseUrl']);
    expect(await issues(web('http://10.0.0.1'))).toEqual(['/config/baseUrl']);
    const named = { headers: { 'X-A': 'Bearer {{ secrets.a }}' } };
    expect(await issues(web(url, {}, named, { headers: { 'X-B': '{{secrets.b}}' } }))).toEqual([
      '/config/headers/X-A',
      '/secrets/headers/X-B',
    ]);
  });
});
