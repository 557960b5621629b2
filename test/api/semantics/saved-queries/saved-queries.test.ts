import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const NEW = {
  name: 'Orders of a region',
  folder: 'sales/daily',
  sql: 'SELECT id, amount FROM orders WHERE region = $region AND placed >= $since ORDER BY id',
  params: [
    { name: 'region', type: 'string', required: true },
    { name: 'since', type: 'date', default: '2026-01-01' },
  ],
};
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const givenOrders = (api: Api) =>
  givenDataset(api, {
    name: 'orders',
    sql: `SELECT i AS id, (i * 1.5)::DECIMAL(10,2) AS amount, CASE i % 2 WHEN 0 THEN 'eu' ELSE 'us' END AS region,
            DATE '2026-01-01' + i::INTEGER AS placed FROM range(10) r(i)`,
  });

async function given(api: Api, more: object = {}): Promise<string> {
  const reply = await api.as('editor').post('/api/saved-queries', { ...NEW, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

describe('saved queries', () => {
  it('are saved, read, changed, listed by folder and name, and deleted', async ({ api }) => {
    await givenOrders(api);
    const id = await given(api);
    await given(api, { name: 'Another', folder: 'sales' });
    const { body } = await api.as('viewer').get(`/api/saved-queries/${id}`);
    expect(body).toMatchObject({ id, ...NEW, sourceId: null, datasetIds: null, version: 1, revision: 1 });
    const names = async (query: string) => {
      const page = (await api.as('viewer').get(`/api/saved-queries${query}`)).body;
      return [page.total, page.items.map(({ name }: { name: string }) => name)];
    };
    expect(await names('')).toEqual([2, ['Another', 'Orders of a region']]);
    expect(await names('?folder=sales')).toEqual([1, ['Another']]);
    expect(await names('?folder=')).toEqual([0, []]);
    expect(await names('?q=ORDERS')).toEqual([1, ['Orders of a region']]);
    expect((await api.as('viewer').get('/api/saved-queries?offset=10001')).body.code).toBe('OFFSET_TOO_LARGE');
    const renamed = await api.as('editor').patch(`/api/saved-queries/${id}`, { name: 'New', folder: '' });
    expect(renamed.body).toMatchObject({ name: 'New', folder: '', version: 1, revision: 2 });
    const late = await api
      .as('editor')
      .patch(`/api/saved-queries/${id}`, { name: 'Late' }, { headers: { 'if-match': '"1"' } });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const deletion = { headers: { 'if-match': '"1"' } };
    expect(await api.as('editor').delete(`/api/saved-queries/${id}`, deletion)).toMatchObject({ status: 412 });
    expect((await api.as('editor').delete(`/api/saved-queries/${id}`)).status).toBe(204);
    expect(await names('')).toEqual([1, ['Another']]);
  });

  it('leave nothing behind when they are deleted, however many versions they had', async ({ api }) => {
    const id = await given(api, { sql: 'SELECT 1 AS a', params: [] });
    for (let n = 2; n <= 10; n++)
      expect((await api.as('editor').patch(`/api/saved-queries/${id}`, { sql: `SELECT ${n} AS a` })).status).toBe(200);
    const versions = async () => {
      const { pk } = workspaceKey(api.workspaceId, 'SAVED-QUERY-VERSION', '');
      const found = await api.table.db.send(
        new QueryCommand({
          TableName: api.table.name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
        }),
      );
      return found.Count;
    };
    expect(await versions()).toBe(10);
    expect((await api.as('editor').delete(`/api/saved-queries/${id}`)).status).toBe(204);
    expect(await versions()).toBe(0);
    expect(await api.stored({ pk: `W#${api.workspaceId}#SAVED-QUERY-VERSION#${id}`, sk: '#TOTAL' })).toBeUndefined();
  });

  it('cannot need more datasets than fit into one change', async ({ api }) => {
    for (let n = 0; n < 31; n++) await givenDataset(api, { name: `d${n}`, sql: 'SELECT 1 AS id WHERE false' });
    const sql = `SELECT 1 AS a FROM ${Array.from({ length: 31 }, (_, n) => `d${n}`).join(', ')}`;
    expect(await api.as('editor').post('/api/saved-queries', { name: 'wide', sql })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/sql', code: 'TOO_MANY_DATASETS' }] },
    });
  });

  it('keep a version of each content, and any of them can be restored', async ({ api }) => {
    await givenOrders(api);
    const id = await given(api);
    const path = `/api/saved-queries/${id}`;
    const changed = await api.as('editor').patch(path, { sql: 'SELECT count(*) AS n FROM orders', params: [] });
    expect(changed.body).toMatchObject({ version: 2, revision: 2 });
    const { body: versions } = await api.as('viewer').get(`${path}/versions`);
    expect(versions).toMatchObject({
      total: 2,
      items: [
        { version: 2, params: [] },
        { version: 1, sql: NEW.sql },
      ],
    });
    expect((await api.as('viewer').get(`${path}/versions/1`)).body).toMatchObject({ version: 1, sql: NEW.sql });
    const restored = await api.as('editor').post(`${path}/versions/1/restore`);
    expect(restored.body).toMatchObject({ version: 3, sql: NEW.sql, params: NEW.params });
    expect(await api.as('editor').post(`${path}/versions/9/restore`)).toMatchObject({
      status: 404,
      body: { code: 'SAVED_QUERY_VERSION_NOT_FOUND' },
    });
    expect(await api.as('editor').get(`${path}/versions/9`)).toMatchObject({
      status: 404,
      body: { code: 'SAVED_QUERY_VERSION_NOT_FOUND' },
    });
    expect((await api.as('editor').get(`${path}/versions?offset=10001`)).body.code).toBe('OFFSET_TOO_LARGE');
  });

  it('run with values bound by name, cached like any query, in any format', async ({ api }) => {
    await givenOrders(api);
    const path = `/api/saved-queries/${await given(api)}/run`;
    const run = (params: object, more: object = {}) => api.as('viewer').post(path, { params, ...more });
    expect((await run({ region: 'eu', since: '2026-01-07' })).body).toMatchObject({
      rows: [
        [6, '9.00'],
        [8, '12.00'],
      ],
      stats: { cache: 'miss' },
    });
    expect((await run({ region: 'eu', since: '2026-01-07' })).body.stats.cache).toBe('hit');
    expect((await run({ region: 'us' })).body.rowCount).toBe(5);
    expect((await run({ region: `' OR true; --` })).body.rows).toEqual([]);
    const csv = await api
      .as('viewer')
      .post(path, { params: { region: 'eu' }, limit: 1 }, { headers: { accept: 'text/csv' } });
    expect([csv.body, csv.headers.get('x-truncated')]).toEqual(['id,amount\r\n0,0.00\r\n', 'true']);
    expect(await run({ since: '01.02.2026', nope: 1 })).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/params/nope', code: 'UNKNOWN_MEMBER' },
          { pointer: '/params/region', code: 'REQUIRED' },
          { pointer: '/params/since', code: 'WRONG_TYPE' },
        ],
      },
    });
    const pdf = await api
      .as('viewer')
      .post(path, { params: { region: 'eu' } }, { headers: { accept: 'application/pdf' } });
    expect(pdf).toMatchObject({ status: 406, body: { code: 'NOT_ACCEPTABLE' } });
  });

  it('take values of every type exactly', async ({ api }) => {
    const types = ['string', 'integer', 'decimal', 'double', 'boolean', 'date', 'timestamp', 'timestamptz'];
    const id = await given(api, {
      sql: `SELECT ${types.map((type) => `$p_${type} AS "${type}"`).join(', ')}`,
      params: types.map((type) => ({ name: `p_${type}`, type })),
    });
    const run = (params: object) => api.as('viewer').post(`/api/saved-queries/${id}/run`, { params });
    const { body } = await run({
      p_string: '7',
      p_integer: '900719925474099312',
      p_decimal: '-12345678901234567890.125',
      p_double: 0.1,
      p_boolean: false,
      p_date: '2026-02-28',
      p_timestamp: '2026-02-28T10:00:00.123456',
      p_timestamptz: '2026-02-28T10:00:00+02:00',
    });
    expect(body.rows).toEqual([
      [
        '7',
        '900719925474099312',
        '-12345678901234567890.125',
        0.1,
        false,
        '2026-02-28',
        '2026-02-28T10:00:00.123456Z',
        '2026-02-28T08:00:00.000Z',
      ],
    ]);
    expect(body.columns.map(({ type }: { type: string }) => type)).toEqual([
      'string',
      'integer',
      'decimal(23,3)',
      'double',
      'boolean',
      'date',
      'timestamp',
      'timestamptz',
    ]);
    expect((await run({})).body.rows).toEqual([types.map(() => null)]);
  });

  it('are refused with what is wrong with the statement or its parameters', async ({ api }) => {
    await givenOrders(api);
    const save = (more: object) => api.as('editor').post('/api/saved-queries', { ...NEW, params: [], ...more });
    expect(
      await save({ sql: 'SELECT * FROM orders WHERE id = $id', params: [{ name: 'di', type: 'integer' }] }),
    ).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/sql', code: 'UNKNOWN_PARAMETER' },
          { pointer: '/params/0', code: 'UNUSED_PARAMETER' },
        ],
      },
    });
    expect(
      await save({
        params: [
          { name: 'a', type: 'date', default: 'x' },
          { name: 'a', type: 'date' },
        ],
      }),
    ).toMatchObject({
      body: { errors: [{ pointer: '/params/0/default' }, { pointer: '/params/1/name', code: 'DUPLICATE' }] },
    });
    expect(await save({ sql: 'SELECT 1', folder: '/a//b' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/folder' }] },
    });
    const { body: files } = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    const id = await given(api, { sql: 'SELECT 1', params: [] });
    const change = (more: object) => api.as('editor').patch(`/api/saved-queries/${id}`, more);
    for (const [more, code] of [
      [{ sql: 'SELECT * FRM x' }, 'SQL_PARSE'],
      [{ sql: 'DELETE FROM orders' }, 'SQL_NOT_READ_ONLY'],
      [{ sql: 'SELECT * FROM nothing' }, 'SQL_ERROR'],
      [{ sql: 'SELECT 2', datasetIds: [UNKNOWN_ID] }, 'DATASET_NOT_FOUND'],
      [{ sql: 'SELECT 2', sourceId: UNKNOWN_ID }, 'DATA_SOURCE_NOT_FOUND'],
      [{ sql: 'SELECT 2', sourceId: files.id }, 'SOURCE_NOT_QUERYABLE'],
    ] as const) {
      expect((await save(more)).body.code, code).toBe(code);
      expect((await change(more)).body.code, code).toBe(code);
    }
    expect((await api.as('editor').get(`/api/saved-queries/${id}`)).body).toMatchObject({
      sql: 'SELECT 1',
      revision: 1,
    });
  });

  it('report what went wrong while they ran', async ({ api }) => {
    await givenOrders(api);
    const run = async (sql: string, more: object = {}, options: object = {}) => {
      const id = await given(api, { sql, params: [], ...more });
      return (await api.as('viewer').post(`/api/saved-queries/${id}/run`, options)).body.code;
    };
    expect(await run(`SELECT CASE WHEN id > 3 THEN 'x' ELSE '1' END::INTEGER FROM orders`)).toBe('SQL_ERROR');
    expect(await run('SELECT count(*) FROM range(1000000) a, range(1000000) b', {}, { timeoutMs: 200 })).toBe(
      'QUERY_TIMEOUT',
    );
    expect(await run(`SELECT list(repeat('x', 1000) || i) AS a FROM range(100000000) r(i)`)).toBe('QUERY_TOO_HEAVY');
    expect(await run(`SELECT repeat('x', 1000) AS a FROM range(9000)`, {}, { limit: 9000 })).toBe('RESULT_TOO_LARGE');
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
    const dead = await api
      .as('owner')
      .post('/api/data-sources', { name: 'dead', type: 'postgres', config, secrets: { password: 'x' } });
    expect(await run('SELECT 1', { sourceId: dead.body.id })).toBe('DATA_SOURCE_UNREACHABLE');
  });

  it('say what is not there any more', async ({ api }) => {
    const orders = await givenOrders(api);
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
    const { body: database } = await api
      .as('owner')
      .post('/api/data-sources', { name: 'database', type: 'postgres', config, secrets: { password: 'x' } });
    const { body: files } = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    const all = await given(api, { sql: 'SELECT count(*) FROM orders', params: [] });
    const one = await given(api, { sql: 'SELECT count(*) FROM orders', params: [], datasetIds: [orders.id] });
    const live = await given(api, { sql: 'SELECT 1', params: [], sourceId: database.id });
    for (const id of [all, one, live])
      await api.as('editor').patch(`/api/saved-queries/${id}`, { sql: 'SELECT 2', datasetIds: null, sourceId: null });
    expect((await api.as('editor').delete(`/api/datasets/${orders.id}`)).status).toBe(204);
    expect((await api.as('owner').delete(`/api/data-sources/${database.id}`)).status).toBe(204);
    for (const [id, code] of [
      [all, 'SQL_ERROR'],
      [one, 'DATASET_NOT_FOUND'],
      [live, 'DATA_SOURCE_NOT_FOUND'],
    ] as const) {
      expect((await api.as('editor').post(`/api/saved-queries/${id}/versions/1/restore`)).body.code).toBe(code);
    }
    // What was fine when it was saved need not be so for ever: an engine's next version, a source that is another now.
    const store = (change: Record<string, unknown>) =>
      api.table.db.send(
        new UpdateCommand(
          updateOf(api.table, savedQueryRepository(api.table).queries.key(api.workspaceId, all), { set: change }),
        ),
      );
    for (const [change, code] of [
      [{ datasetIds: [orders.id] }, 'DATASET_NOT_FOUND'],
      [{ datasetIds: null, sourceId: database.id }, 'DATA_SOURCE_NOT_FOUND'],
      [{ sourceId: files.id }, 'SOURCE_NOT_QUERYABLE'],
      [{ sourceId: null, sql: 'SELECT * FRM x' }, 'SQL_PARSE'],
      [{ sql: 'DROP TABLE x' }, 'SQL_NOT_READ_ONLY'],
    ] as const) {
      await store(change);
      expect((await api.as('viewer').post(`/api/saved-queries/${all}/run`)).body.code, code).toBe(code);
    }
  });

  it('take simultaneous changes one on top of the other', async ({ api }) => {
    const id = await given(api, { sql: 'SELECT 1', params: [] });
    const path = `/api/saved-queries/${id}`;
    await api.as('editor').patch(path, { sql: 'SELECT 2' });
    const many = (send: (index: number) => Promise<{ status: number; body: { code?: string } }>) =>
      Promise.all(Array.from({ length: 8 }, (_, index) => send(index)));
    for (const replies of [
      await many((index) => api.as('editor').patch(path, { name: `change ${index}` })),
      await many(() => api.as('editor').post(`${path}/versions/1/restore`)),
    ]) {
      expect(replies.map(({ status, body: { code } }) => code ?? status)).toEqual(Array(8).fill(200));
    }
    const { body } = await api.as('viewer').get(`${path}/versions`);
    expect(body.items.map(({ version, sql }: { version: number; sql: string }) => [version, sql])).toEqual([
      [3, 'SELECT 1'],
      [2, 'SELECT 2'],
      [1, 'SELECT 1'],
    ]);
  });

  it('are one for a request that is sent twice', async ({ api }) => {
    const send = (name: string) =>
      api
        .as('editor')
        .post('/api/saved-queries', { name, sql: 'SELECT 1' }, { headers: { 'idempotency-key': 'once' } });
    expect((await send('x')).body.id).toBe((await send('x')).body.id);
    expect(await send('y')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await api.as('viewer').get('/api/saved-queries')).body.total).toBe(1);
  });

  it("are nothing to another workspace's people", async ({ api }) => {
    await givenOrders(api);
    const id = await given(api);
    const stranger = api.as('stranger');
    const path = `/api/saved-queries/${id}`;
    for (const reply of [
      await stranger.get(path),
      await stranger.patch(path, { name: 'mine' }),
      await stranger.delete(path),
      await stranger.post(`${path}/run`, { params: { region: 'eu' } }),
      await stranger.get(`${path}/versions`),
      await stranger.get(`${path}/versions/1`),
      await stranger.post(`${path}/versions/1/restore`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'SAVED_QUERY_NOT_FOUND' } });
    expect((await stranger.get('/api/saved-queries')).body.total).toBe(0);
    expect((await api.as('editor').get(path)).body).toMatchObject({ name: NEW.name, revision: 1 });
  });
});
