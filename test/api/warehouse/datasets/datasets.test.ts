import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { manifestKey, readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

describe('datasets', () => {
  it('are listed newest first, with their size and columns', async ({ api }) => {
    for (const name of ['first', 'second', 'third']) await givenDataset(api, { name, sql: 'SELECT 1 AS a' });
    const viewer = api.as('viewer');
    const list = await viewer.get('/api/datasets?limit=2');
    expect(list.body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(list.body.items.map(({ name }: { name: string }) => name)).toEqual(['third', 'second']);
    expect((await viewer.get('/api/datasets?limit=2&offset=2')).body.items).toMatchObject([
      { name: 'first', version: 1, rowCount: 1, columns: [{ name: 'a', type: 'integer' }] },
    ]);
  });

  it('show their newest version', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS a' });
    await givenDataset(api, { name: 'orders', sql: `SELECT 'x' AS b, 1.5::DECIMAL(4,2) AS c FROM range(3)` });
    const viewer = api.as('viewer');
    const columns = [
      { name: 'b', type: 'string' },
      { name: 'c', type: 'decimal(4,2)' },
    ];
    const read = await viewer.get(`/api/datasets/${id}`);
    expect(read.body).toMatchObject({ id, workspaceId: api.workspaceId, version: 2, rowCount: 3, columns });
    const { lastRefresh, key, managedBy, ...record } = read.body;
    expect([lastRefresh, key, managedBy]).toEqual([null, null, null]);
    expect(await api.stored(datasetRepository(api.table).key(api.workspaceId, id))).toMatchObject(record);
    expect((await viewer.get(`/api/datasets/${id}/schema`)).body).toEqual({
      version: 2,
      columns: columns.map((column) => ({ ...column, nullable: null })),
    });
    expect((await viewer.get(`/api/datasets/${id}/preview`)).body).toEqual({
      version: 2,
      columns,
      rows: [
        ['x', '1.50'],
        ['x', '1.50'],
        ['x', '1.50'],
      ],
      rowCount: 3,
      truncated: false,
    });
  });

  it('preview as many rows as asked for', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'many', sql: 'SELECT i FROM range(500) r(i)' });
    const preview = (query: string) => api.as('viewer').get(`/api/datasets/${id}/preview${query}`);
    expect((await preview('')).body).toMatchObject({ rowCount: 50, truncated: true });
    expect((await preview('?limit=3')).body).toMatchObject({ rows: [[0], [1], [2]], truncated: true });
    for (const limit of ['0', '201', 'all']) {
      expect(await preview(`?limit=${limit}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('are searched by name and sorted by size, those without rows last', async ({ api }) => {
    await givenDataset(api, { name: 'Orders of shops', sql: 'SELECT 1 AS a FROM range(9)' });
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS a FROM range(100)' });
    await givenDataset(api, { name: 'people', sql: 'SELECT 1 AS a FROM range(20)' });
    await api.as('owner').post('/api/datasets', { name: 'new orders' });
    const names = async (query: string) =>
      (await api.as('viewer').get(`/api/datasets?${query}`)).body.items.map(({ name }: { name: string }) => name);
    expect(await names('search=ORDER&sort=-rowCount')).toEqual(['orders', 'Orders of shops', 'new orders']);
    expect(await names('search=order&sort=rowCount')).toEqual(['new orders', 'Orders of shops', 'orders']);
    expect((await names('sort=-loadedAt')).at(-1)).toBe('new orders');
    expect((await names('sort=loadedAt')).at(-1)).toBe('new orders');
    expect((await names('sort=-sizeBytes')).at(-1)).toBe('new orders');
    expect((await api.as('viewer').get('/api/datasets?search=none')).body).toMatchObject({ items: [], total: 0 });
    const { body: page } = await api.as('viewer').get('/api/datasets?limit=1');
    const besides = await api.as('viewer').get(`/api/datasets?search=a&cursor=${page.nextCursor}`);
    expect([besides.status, besides.body.errors]).toMatchObject([400, [{ pointer: '/query/search' }]]);
  });

  it('without rows, or without a load yet, preview as empty', async ({ api }) => {
    const empty = await givenDataset(api, { name: 'empty', sql: 'SELECT 1 AS a WHERE false' });
    const columns = [{ name: 'a', type: 'integer' }];
    expect((await api.as('viewer').get(`/api/datasets/${empty.id}/preview`)).body).toEqual({
      version: 1,
      columns,
      rows: [],
      rowCount: 0,
      truncated: false,
    });
    const fresh = { ...empty, id: newId(), name: 'fresh', version: 0, columns: [], loadedAt: null };
    await datasetRepository(api.table).create(fresh);
    expect((await api.as('viewer').get(`/api/datasets/${fresh.id}/preview`)).body).toEqual({
      version: 0,
      columns: [],
      rows: [],
      rowCount: 0,
      truncated: false,
    });
  });

  it('whose rows are too large for a reply say so', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'large', sql: `SELECT repeat('x', 100000) AS a FROM range(100)` });
    expect(await api.as('viewer').get(`/api/datasets/${id}/preview`)).toMatchObject({
      status: 422,
      body: { code: 'RESULT_TOO_LARGE' },
    });
    expect((await api.as('viewer').get(`/api/datasets/${id}/preview?limit=5`)).body.rowCount).toBe(5);
  });

  it('say of each column what it holds, worked out once for a version', async ({ api }) => {
    const sql = "SELECT i % 3 AS k, CASE WHEN i > 7 THEN NULL ELSE 'n' || i END AS t, [i] AS l FROM range(10) r(i)";
    const { id } = await givenDataset(api, { name: 'described', sql });
    const statistics = () => api.as('viewer').get(`/api/datasets/${id}/statistics`);
    const first = (await statistics()).body;
    expect(first).toMatchObject({ version: 1, rowCount: 10, truncated: false });
    expect(first.columns).toMatchObject([
      {
        name: 'k',
        type: 'integer',
        nulls: 0,
        distinct: { count: 3, isExact: true },
        min: '0',
        max: '2',
        mean: 0.9,
        topValues: [
          { value: '0', count: 4 },
          { value: '1', count: 3 },
          { value: '2', count: 3 },
        ],
      },
      { name: 't', nulls: 2, distinct: { count: 8 }, min: 'n0', max: 'n7', mean: null },
      { name: 'l', type: 'list(integer)', min: null, max: null, distinct: { count: 10 }, topValues: [] },
    ]);
    expect((await statistics()).body).toEqual(first);
    await givenDataset(api, { name: 'described', sql: "SELECT 'it''s' AS \"o'k\"" });
    expect((await statistics()).body).toMatchObject({
      version: 2,
      columns: [{ name: "o'k", topValues: [{ value: "it's" }] }],
    });
  });

  it('beyond what the engine has room for cannot be described, but previewed from their first files', async ({
    api,
  }) => {
    const { id } = await givenDataset(api, { name: 'huge', sql: ['SELECT 1 AS a FROM range(60)', 'SELECT 2 AS a'] });
    const grow = async (index: number) => {
      const { name, s3 } = await dataBucket(api.endpoint);
      const at = { workspaceId: api.workspaceId, id, version: 1 };
      const { files } = (await readManifest(api.table, objectStore(name, s3), at))!;
      files[index]!.sizeBytes = 50 * 1024 ** 3;
      await api.table.db.send(
        new UpdateCommand({
          TableName: api.table.name,
          Key: manifestKey(api.workspaceId, id, 1),
          UpdateExpression: 'SET files = :files',
          ExpressionAttributeValues: { ':files': files },
        }),
      );
    };
    const viewer = api.as('viewer');
    const tooHeavy = { status: 422, body: { code: 'QUERY_TOO_HEAVY' } };
    await grow(1);
    expect((await viewer.get(`/api/datasets/${id}/preview`)).body).toMatchObject({ rowCount: 50, truncated: true });
    expect(await viewer.get(`/api/datasets/${id}/statistics`)).toMatchObject(tooHeavy);
    await grow(0);
    expect(await viewer.get(`/api/datasets/${id}/preview`)).toMatchObject(tooHeavy);
  });

  it("are another workspace's business in no way", async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'ours', sql: 'SELECT 1 AS a' });
    const stranger = api.as('stranger');
    for (const path of [`/api/datasets/${id}`, `/api/datasets/${id}/schema`, `/api/datasets/${id}/preview`]) {
      const reply = await stranger.get(path);
      const never = await stranger.get(path.replace(id, '00000000-0000-7000-8000-000000000000'));
      expect(reply).toMatchObject({ status: 404, body: { code: 'DATASET_NOT_FOUND' } });
      expect(reply.body.detail).toBe(never.body.detail);
    }
    expect((await stranger.get('/api/datasets')).body.items).toEqual([]);
  });
});
