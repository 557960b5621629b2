import { describe, expect } from 'vitest';
import { uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';

const create = (api: Api, body: object) => api.as('owner').post('/api/groups', body);

async function given(api: Api, body: object = {}): Promise<string> {
  const reply = await create(api, { name: 'Finance', ...body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
}

describe('groups', () => {
  it('are created, read, changed, listed and deleted', async ({ api }) => {
    const id = await given(api, { description: 'Closes the books' });
    const stored = await api.as('viewer').get(`/api/groups/${id}`);
    expect(stored).toMatchObject({
      status: 200,
      body: { id, workspaceId: api.workspaceId, name: 'Finance', description: 'Closes the books', externalId: null },
    });
    const changed = await api.as('owner').patch(`/api/groups/${id}`, { name: 'Accounting', externalId: 'okta-1' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Accounting', externalId: 'okta-1', revision: 2 } });
    expect((await api.as('viewer').get('/api/groups?name=Accounting')).body).toMatchObject({
      total: 1,
      items: [{ id }],
    });
    expect((await api.as('owner').delete(`/api/groups/${id}`)).status).toBe(204);
    for (const reply of [
      await api.as('owner').get(`/api/groups/${id}`),
      await api.as('owner').patch(`/api/groups/${id}`, { name: 'x' }),
      await api.as('owner').delete(`/api/groups/${id}`),
      await api.as('owner').get(`/api/groups/${id}/members`),
      await api.as('owner').put(`/api/groups/${id}/members/${id}`),
      await api.as('owner').delete(`/api/groups/${id}/members/${id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    }
    expect((await api.as('viewer').get('/api/groups')).body.total).toBe(0);
  });

  it('have a name of their own, whatever its case, which a deletion or a new name frees', async ({ api }) => {
    const id = await given(api);
    const other = await given(api, { name: 'Sales' });
    const taken = { status: 409, body: { code: 'GROUP_NAME_TAKEN' } };
    expect(await create(api, { name: 'FINANCE' })).toMatchObject(taken);
    expect(await api.as('owner').patch(`/api/groups/${other}`, { name: 'finance' })).toMatchObject(taken);
    expect((await api.as('owner').patch(`/api/groups/${id}`, { name: 'finance' })).body.name).toBe('finance');
    await api.as('owner').patch(`/api/groups/${id}`, { name: 'Books' });
    expect((await api.as('owner').patch(`/api/groups/${other}`, { name: 'Finance' })).status).toBe(200);
    await api.as('owner').delete(`/api/groups/${other}`);
    expect((await create(api, { name: 'Finance' })).status).toBe(201);
    expect((await api.as('stranger').post('/api/groups', { name: 'Finance' })).status).toBe(201);
  });

  it('have an external id of their own, which differs by case', async ({ api }) => {
    const id = await given(api, { externalId: '00gAbc' });
    const taken = { status: 409, body: { code: 'GROUP_EXTERNAL_ID_TAKEN' } };
    expect(await create(api, { name: 'Other', externalId: '00gAbc' })).toMatchObject(taken);
    const other = await given(api, { name: 'Other', externalId: '00gabc' });
    expect(await api.as('owner').patch(`/api/groups/${other}`, { externalId: '00gAbc' })).toMatchObject(taken);
    expect((await api.as('viewer').get(`/api/groups/${other}`)).body).toMatchObject({
      externalId: '00gabc',
      revision: 1,
    });

    await api.as('owner').patch(`/api/groups/${id}`, { externalId: null });
    expect((await api.as('owner').patch(`/api/groups/${other}`, { externalId: '00gAbc' })).status).toBe(200);
    await api.as('owner').delete(`/api/groups/${other}`);
    expect((await api.as('owner').patch(`/api/groups/${id}`, { externalId: '00gAbc' })).status).toBe(200);
    // A request that is rejected claims nothing.
    expect(await create(api, { name: 'Finance', externalId: 'free' })).toMatchObject({
      status: 409,
      body: { code: 'GROUP_NAME_TAKEN' },
    });
    expect(
      await api.stored({ pk: uniqueKey(`${api.workspaceId}#GROUP-EXTERNAL-ID`, '').pk, sk: 'free' }),
    ).toBeUndefined();
  });

  it('of one name are created once by many simultaneous requests', async ({ api }) => {
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => create(api, { name: 'Once', externalId: 'once' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await api.as('viewer').get('/api/groups')).body.total).toBe(1);
  });

  it('are managed by admins only, and are invisible to another workspace', async ({ api }) => {
    const id = await given(api);
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    for (const actor of ['viewer', 'editor'] as const) {
      for (const reply of [
        await api.as(actor).post('/api/groups', { name: 'Mine' }),
        await api.as(actor).patch(`/api/groups/${id}`, { name: 'Mine' }),
        await api.as(actor).delete(`/api/groups/${id}`),
        await api.as(actor).put(`/api/groups/${id}/members/${me}`),
        await api.as(actor).delete(`/api/groups/${id}/members/${me}`),
      ]) {
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
      expect((await api.as(actor).get(`/api/groups/${id}`)).status).toBe(200);
      expect((await api.as(actor).get(`/api/groups/${id}/members`)).status).toBe(200);
    }
    for (const reply of [
      await api.as('stranger').get(`/api/groups/${id}`),
      await api.as('stranger').get(`/api/groups/${id}/members`),
      await api.as('stranger').put(`/api/groups/${id}/members/${me}`),
      await api.as('stranger').delete(`/api/groups/${id}/members/${me}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    }
    expect((await api.as('stranger').get('/api/groups')).body.total).toBe(0);
  });
});
