import { describe, expect, vi } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';

describe('API keys', () => {
  it('shows the key once, stores only its digest, and lets it act within its scope', async ({ api }) => {
    const created = await api.as('owner').post('/api/api-keys', { name: 'reporting', scope: 'read' });
    expect(created.status).toBe(201);
    expect(created.body.key).toMatch(/^ak_[a-z0-9]{8}_/);
    expect(created.body.key.startsWith(created.body.prefix)).toBe(true);

    const listed = await api.as('owner').get('/api/api-keys');
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: created.body.id, scope: 'read' }] });
    expect(JSON.stringify(listed.body)).not.toContain(created.body.key);
    expect(JSON.stringify(await api.stored(workspaceKey(api.workspaceId, 'API-KEY', created.body.id)))).not.toContain(
      created.body.key,
    );

    const asKey = api.as({ token: created.body.key });
    expect((await asKey.get('/api/auth/me')).body).toMatchObject({ workspaceId: api.workspaceId, role: 'admin' });
    expect(await asKey.post('/api/api-keys', { name: 'more', scope: 'admin' })).toMatchObject({ status: 403 });
  });

  it('stops working when it is revoked, which another workspace cannot do', async ({ api }) => {
    const { body } = await api.as('owner').post('/api/api-keys', { name: 'short-lived', scope: 'read' });
    expect(await api.as('stranger').delete(`/api/api-keys/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'API_KEY_NOT_FOUND' },
    });
    expect((await api.as({ token: body.key }).get('/api/auth/me')).status).toBe(200);

    expect(await api.as('owner').delete(`/api/api-keys/${body.id}`)).toMatchObject({ status: 204 });
    await vi.waitFor(async () => expect((await api.as({ token: body.key }).get('/api/auth/me')).status).toBe(401), {
      timeout: 60_000,
      interval: 250,
    });
    expect(await api.as('owner').delete(`/api/api-keys/${body.id}`)).toMatchObject({ status: 404 });
    expect((await api.as('owner').get('/api/api-keys')).body).toMatchObject({ total: 0, items: [] });
  });

  it('refuses an expiry in the past and honours one in the future', async ({ api }) => {
    const past = await api
      .as('owner')
      .post('/api/api-keys', { name: 'x', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 400, body: { errors: [{ pointer: '/expiresAt', code: 'IN_THE_PAST' }] } });
    expect((await api.as('owner').get('/api/api-keys')).body.total).toBe(0);

    const soon = new Date(Date.now() + 1000).toISOString();
    const { body } = await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'read', expiresAt: soon });
    await vi.waitFor(async () => expect((await api.as({ token: body.key }).get('/api/auth/me')).status).toBe(401), {
      timeout: 60_000,
      interval: 250,
    });
  });

  it('pages through the keys, newest first', async ({ api }) => {
    for (const name of ['a', 'b', 'c']) await api.as('owner').post('/api/api-keys', { name, scope: 'read' });
    const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map((key) => key.name);
    const first = await api.as('owner').get('/api/api-keys?limit=2');
    expect(names(first)).toEqual(['c', 'b']);
    expect(first.body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(names(await api.as('owner').get('/api/api-keys?limit=2&offset=2'))).toEqual(['a']);
  });
});
