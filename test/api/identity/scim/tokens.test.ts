import { describe, expect } from 'vitest';
import { tokenDigestKey } from '../../../../shared/domains/identity/provisioning/keys.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { it, itWithOwnCompany } from '../../../support/api.ts';
import { givenProvisioner, SCIM } from '../../../support/given/provisioner.ts';
import { SCIM_ROUTES, somePath } from '../../../support/samples.ts';

const TOKENS = '/api/scim/tokens';

describe('SCIM tokens', () => {
  itWithOwnCompany('are shown once, listed with the address of the service, and deleted', async ({ api }) => {
    const { workspaceId } = api;
    const made = await api.as('owner').post(TOKENS, { name: 'Entra', workspaceId });
    expect(made).toMatchObject({
      status: 201,
      body: { workspaceId, name: 'Entra', lastUsedAt: null, baseUrl: `${api.endpoint}${SCIM}` },
    });
    const { token, baseUrl, ...shown } = made.body;
    expect(token).toMatch(/^scim_[a-f0-9]{8}_[\w-]{43}$/);
    expect(token.startsWith(shown.prefix)).toBe(true);
    expect((await api.as('owner').get(TOKENS)).body).toEqual({ items: [shown], total: 1, baseUrl });

    expect((await api.as({ token }).get(`${SCIM}/Users`)).status).toBe(200);
    expect((await api.as('owner').get(TOKENS)).body.items[0].lastUsedAt).toEqual(expect.any(String));
    expect(await api.stored(tokenDigestKey(secretDigest(token)))).not.toHaveProperty('token');

    const removed = await api.as('owner').delete(`${TOKENS}/${shown.id}`);
    expect(removed).toMatchObject({ status: 200, body: { id: shown.id } });
    expect(await api.as('owner').delete(`${TOKENS}/${shown.id}`)).toMatchObject({
      status: 404,
      body: { code: 'SCIM_TOKEN_NOT_FOUND' },
    });
    expect((await api.as('owner').get(TOKENS)).body).toEqual({ items: [], total: 0, baseUrl });
    await expect.poll(async () => (await api.as({ token }).get(`${SCIM}/Users`)).status, { timeout: 60_000 }).toBe(401);
  });

  it('are two for a workspace at most, also when many requests create them at once', async ({ api }) => {
    const token = { name: 'x', workspaceId: api.workspaceId };
    const replies = await Promise.all([1, 2, 3, 4].map(() => api.as('owner').post(TOKENS, token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = replies.find(({ status }) => status === 409)!;
    expect(refused.body.code).toBe('SCIM_TOKEN_LIMIT');
    const { id } = replies.find(({ status }) => status === 201)!.body;
    await api.as('owner').delete(`${TOKENS}/${id}`);
    expect((await api.as('owner').post(TOKENS, token)).status).toBe(201);
  });

  it('belong to a workspace of the company', async ({ api }) => {
    const foreign = (await api.as('stranger').get('/api/workspaces/current')).body.id;
    for (const workspaceId of [foreign, crypto.randomUUID()]) {
      expect(await api.as('owner').post(TOKENS, { name: 'x', workspaceId })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/workspaceId', code: 'WORKSPACE_NOT_FOUND' }] },
      });
    }
    const { id } = await givenProvisioner(api);
    expect((await api.as('stranger').delete(`${TOKENS}/${id}`)).status).toBe(404);
    expect((await api.as('stranger').get(TOKENS)).body.items.map((each: { id: string }) => each.id)).not.toContain(id);
  });

  it('are for company admins', async ({ api }) => {
    const body = { name: 'x', workspaceId: api.workspaceId };
    expect(await api.as('admin').post(TOKENS, body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.as('admin').get(TOKENS)).status).toBe(403);
  });

  it('are given again for a repeated request, and not to another', async ({ api }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { name: 'once', workspaceId: api.workspaceId };
    const made = await api.as('owner').post(TOKENS, body, { headers });
    expect((await api.as('owner').post(TOKENS, body, { headers })).body).toEqual(made.body);
  });
});

describe('the SCIM service', () => {
  const expected = { status: 401, body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' } };

  it('takes no other credential than a SCIM token', async ({ api }) => {
    const key = (await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
    const { token } = await givenProvisioner(api);
    const others = [await api.token('owner'), key, 'nonsense', `${token}x`, `scim_00000000_${'A'.repeat(43)}`];
    for (const route of SCIM_ROUTES) {
      const options = route.body ? { text: '{}' } : {};
      expect(await api.as('anonymous').send(route.method, somePath(route), options)).toMatchObject(expected);
      expect(await api.as({ token: others[0] }).send(route.method, somePath(route), options)).toMatchObject(expected);
    }
    for (const other of others) {
      const reply = await api.as({ token: other }).get(`${SCIM}/Users`);
      expect(reply).toMatchObject(expected);
    }
  });

  it('takes no token of a deleted workspace', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    expect((await api.as('owner').delete(`/api/workspaces/${api.workspaceId}?confirm=Test`)).status).toBe(200);
    await expect.poll(async () => (await caller.get(`${SCIM}/Users`)).status, { timeout: 60_000 }).toBe(401);
  });

  it('takes no SCIM token for the rest of the API', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    for (const path of ['/api/auth/me', '/api/scim/tokens', '/api/groups']) {
      expect((await caller.get(path)).status).toBe(401);
    }
  });
});
