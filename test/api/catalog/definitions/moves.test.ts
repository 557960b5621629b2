import { describe, expect } from 'vitest';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { files, posted } from './given.ts';

const text = (name: string, sql = 'SELECT 1 AS a') => `name: ${name}\nsql: ${sql}\n`;
const move = (api: Api, place: string, to: string, as: Parameters<Api['as']>[0] = 'editor', more: object = {}) =>
  api.as(as).post(`/api/definitions/${place}/move`, { to, ...more });

describe('POST /api/definitions/{kind}/{key}/move', () => {
  it('gives the object another key, keeps it and what was deployed, and frees the old key', async ({ api }) => {
    const { deploy, read, list } = files(api);
    const made = await deploy('query', 'orders', text('Orders'));
    const managedBy = { project: 'shop', path: 'queries/all.yaml', commit: 'abc' };
    const reply = await move(api, 'query/orders', 'all', 'editor', { managedBy });
    expect(reply).toMatchObject({ status: 200, body: { kind: 'query', key: 'all', id: made.id } });
    // A repeated request finds it done.
    expect(await move(api, 'query/orders', 'all')).toMatchObject({ status: 200, body: reply.body });
    expect((await read('query', 'orders')).status).toBe(404);
    expect((await read('query', 'all')).body).toMatchObject({ id: made.id, base: text('Orders'), managedBy });
    expect((await list()).items).toMatchObject([{ key: 'all', id: made.id, digest: made.digest }]);
    expect(await deploy('query', 'all', text('Orders'))).toMatchObject({ outcome: 'unchanged', id: made.id });
    expect(await deploy('query', 'all', text('Orders 2'))).toMatchObject({ outcome: 'changed', id: made.id });

    const other = await deploy('query', 'orders', text('Another'));
    expect(other.outcome).toBe('created');
    expect(other.id).not.toBe(made.id);
    expect(await move(api, 'query/orders', 'all')).toMatchObject({
      status: 409,
      body: { code: 'DEFINITION_KEY_TAKEN' },
    });
    // Back to a key that it had, and once more.
    expect((await files(api).delete('query', 'orders')).status).toBe(204);
    expect((await move(api, 'query/all', 'orders')).status).toBe(200);
    expect((await move(api, 'query/orders', 'all')).status).toBe(200);
    expect(await deploy('query', 'all', text('Orders 2'))).toMatchObject({ outcome: 'unchanged', id: made.id });
    expect((await list()).items).toHaveLength(1);
    expect((await files(api).delete('query', 'all')).status).toBe(204);
    expect((await move(api, 'query/orders', 'all')).status).toBe(404);
  });

  it('changes nothing of what refers to the object, whose next file names the new key', async ({ api }) => {
    await givenSalesModel(api);
    const { deploy, text: read, list } = files(api, 'owner');
    await deploy('model', 'sales', await read('model', 'sales'), 'adopt=true');
    const revenue = 'name: Revenue\nmodel: sales\nmeasure: Revenue\ntimeField: sales.sold\n';
    const metric = await deploy('metric', 'revenue', revenue);
    expect((await move(api, 'model/sales', 'shop', 'owner')).status).toBe(200);
    expect(await read('metric', 'revenue')).toBe(revenue.replace('model: sales', 'model: shop'));
    const [entry] = (await list('kind=metric')).items;
    expect(entry.digest).toBe(entry.applied.digest);
    // With a change of its own, which is no conflict with the other key.
    const next = revenue.replace('model: sales', 'model: shop').replace('name: Revenue', 'name: Sales');
    expect(await deploy('metric', 'revenue', next)).toMatchObject({ outcome: 'changed', id: metric.id });
  });

  it('refuses what is not managed, managed elsewhere, or named like another object', async ({ api }) => {
    const { deploy } = files(api);
    await posted(api, '/api/saved-queries', { name: 'By hand', sql: 'SELECT 1 AS a' });
    await posted(api, '/api/saved-queries', { name: 'Named', sql: 'SELECT 1 AS a' });
    await deploy('query', 'orders', text('Orders'));
    const codes = async (place: string, to: string, more = {}) =>
      (await move(api, place, to, 'editor', more)).body.code;
    expect(await codes('query/by-hand', 'other')).toBe('DEFINITION_UNMANAGED');
    expect(await codes('query/nothing', 'other')).toBe('DEFINITION_NOT_FOUND');
    expect(await codes('query/orders', 'named')).toBe('DEFINITION_KEY_TAKEN');
    const managedBy = { project: 'desk', path: 'q.yaml' };
    expect(await codes('query/orders', 'other', { managedBy })).toBe('DEFINITION_MANAGED_ELSEWHERE');
    expect(await codes('query/orders', 'Not a key')).toBe('VALIDATION_FAILED');
    expect((await move(api, 'query/orders', 'orders')).status).toBe(200);
  });

  it('is for those who may change the object', async ({ api }) => {
    const { deploy, read } = files(api);
    await deploy('query', 'orders', text('Orders'));
    expect(await move(api, 'query/orders', 'mine', 'viewer')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await move(api, 'query/orders', 'mine', 'stranger')).toMatchObject({
      status: 404,
      body: { code: 'DEFINITION_NOT_FOUND' },
    });
    expect((await read('query', 'orders')).status).toBe(200);
  });

  it('leaves one key when several are asked for at the same time', async ({ api }) => {
    const { deploy, list } = files(api);
    const { id } = await deploy('query', 'orders', text('Orders'));
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((to) => move(api, 'query/orders', to)));
    const done = replies.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    for (const { status } of replies) expect([200, 404]).toContain(status);
    expect((await list()).items).toMatchObject([{ id, key: done[0]!.body.key }]);
  });

  it('reports an object that its own operation would not store as it is', async ({ api }) => {
    const { deploy } = files(api);
    const { id } = await deploy('query', 'orders', text('Orders'));
    // As of a time before folders had a limit.
    const { queries } = savedQueryRepository(api.table);
    const stored = (await queries.get(api.workspaceId, id))!;
    const updatedAt = new Date(Date.parse(stored.updatedAt) + 1).toISOString();
    await queries.replace(stored, { ...stored, folder: 'a'.repeat(5000), updatedAt });
    expect(await move(api, 'query/orders', 'all')).toMatchObject({
      status: 422,
      body: { code: 'DEFINITION_REJECTED', rejectedAs: 'VALIDATION_FAILED' },
    });
  });
});
