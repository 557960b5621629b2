import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };

async function givenQuery(api: Api, name: string): Promise<string> {
  const reply = await api.as('owner').post('/api/saved-queries', { name, sql: 'SELECT n FROM orders' });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

describe('an API key with a list of objects', () => {
  it('reaches those, within its scope, and nothing else', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 7 AS n' });
    const [listed, other] = [await givenQuery(api, 'Listed'), await givenQuery(api, 'Other')];
    const resources = [{ type: 'saved-query', id: listed }];
    const made = await api.as('owner').post('/api/api-keys', { name: 'Portal', scope: 'read', resources });
    expect(made.body).toMatchObject({ resources });
    const key = api.as({ token: made.body.key });
    expect((await key.get(`/api/saved-queries/${listed}`)).status).toBe(200);
    expect((await key.get(`/api/saved-queries/${listed}/versions`)).status).toBe(200);
    expect((await key.post(`/api/saved-queries/${listed}/run`, {})).body.rows).toEqual([[7]]);
    for (const reply of [
      await key.get(`/api/saved-queries/${other}`),
      await key.post(`/api/saved-queries/${other}/run`, {}),
      await key.get('/api/saved-queries'),
      await key.get('/api/auth/me'),
      await key.get(`/api/datasets/${dataset.id}`),
      // The id of another kind of object is no way in.
      await key.get(`/api/datasets/${listed}`),
      // The scope does not allow it, whatever the list says.
      await key.delete(`/api/saved-queries/${listed}`),
      await key.patch(`/api/saved-queries/${listed}`, { name: 'Mine' }),
    ]) {
      expect(reply).toMatchObject(forbidden);
    }
  });

  it('follows changes of its list, and keeps it with a rotation', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 7 AS n' });
    const [one, two] = [await givenQuery(api, 'One'), await givenQuery(api, 'Two')];
    const listOf = (id: string) => [{ type: 'saved-query', id }];
    const { body } = await api.as('owner').post('/api/api-keys', { name: 'k', scope: 'read', resources: listOf(one) });
    const path = `/api/api-keys/${body.id}`;
    const status = async (token: string, id: string) =>
      (await api.as({ token }).get(`/api/saved-queries/${id}`)).status;
    expect(await status(body.key, two)).toBe(403);
    await api.as('owner').patch(path, { resources: listOf(two) });
    const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 250 });
    await eventually(async () => expect(await status(body.key, two)).toBe(200));
    expect(await status(body.key, one)).toBe(403);
    const rotated = (await api.as('owner').post(`${path}/rotate`, { overlapHours: 1 })).body;
    expect(rotated.resources).toEqual(listOf(two));
    expect([await status(rotated.key, one), await status(rotated.key, two)]).toEqual([403, 200]);
    await api.as('owner').patch(path, { resources: null });
    for (const token of [body.key, rotated.key]) {
      await eventually(async () => expect(await status(token, one)).toBe(200));
    }
    for (const resources of [[], [{ type: 'webhook', id: one }], [{ type: 'pipeline' }]]) {
      expect((await api.as('owner').patch(path, { resources })).status).toBe(400);
    }
  });
});
