import { describe, expect, vi } from 'vitest';
import { memberKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { type Api, it } from '../../../support/api.ts';

/** Rights are looked up at most every five seconds. */
const SOON = { timeout: 60_000, interval: 250 };

async function newcomer(api: Api, role: string) {
  const person = { email: `new-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
  const { userId } = (await api.as('owner').post('/api/workspaces/members', { ...person, role })).body;
  const { accessToken } = (await api.as('anonymous').post('/api/auth/login', person)).body;
  return { userId, path: `/api/workspaces/members/${userId}`, token: accessToken };
}

async function keyOf(api: Api, actor: Parameters<Api['as']>[0], scope: string): Promise<string> {
  return (await api.as(actor).post('/api/api-keys', { name: 'key', scope })).body.key;
}

describe('rights', () => {
  it('cannot be raised by those who hold them', async ({ api }) => {
    for (const role of ['viewer', 'editor']) {
      const { userId, path, token } = await newcomer(api, role);
      const self = api.as({ token });
      for (const reply of [
        await self.patch(path, { role: 'admin' }),
        await self.post('/api/workspaces/members', { email: 'friend@example.com', role: 'admin' }),
        await self.post('/api/api-keys', { name: 'x', scope: 'admin' }),
        await self.post('/api/workspaces', { name: 'Mine' }),
      ]) {
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
      expect(await api.stored(memberKey(api.workspaceId, userId))).toMatchObject({ role });
    }
  });

  it('of a company are not rights of an admin of a workspace, and no key makes keys', async ({ api }) => {
    const admin = await newcomer(api, 'admin');
    expect(await api.as(admin).post('/api/workspaces', { name: 'Mine' })).toMatchObject({ status: 403 });
    const key = { token: await keyOf(api, admin, 'admin') };
    expect(await api.as(key).post('/api/api-keys', { name: 'x', scope: 'read' })).toMatchObject({ status: 403 });
    expect(await api.as(key).get('/api/api-keys')).toMatchObject({ status: 403 });
  });

  it('of a key do not reach the people of a workspace, who could make keys', async ({ api }) => {
    const key = { token: await keyOf(api, 'owner', 'admin') };
    const viewer = await newcomer(api, 'viewer');
    const person = { email: `new-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
    for (const reply of [
      await api.as(key).post('/api/workspaces/members', { ...person, role: 'admin' }),
      await api.as(key).post('/api/workspaces/members', { ...person, role: 'viewer' }),
      await api.as(key).patch(viewer.path, { role: 'admin' }),
      await api.as(key).delete(viewer.path),
      await api.as(key).post('/api/workspaces', { name: 'Mine' }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    expect((await api.as('anonymous').post('/api/auth/login', person)).status).toBe(401);
    expect(await api.stored(memberKey(api.workspaceId, viewer.userId))).toMatchObject({ role: 'viewer' });
    expect((await api.as(key).get('/api/workspaces/members')).status).toBe(200);
  });

  it('of a key end where those of its maker end now', async ({ api }) => {
    const admin = await newcomer(api, 'admin');
    const key = { token: await keyOf(api, admin, 'admin') };
    expect((await api.as(key).get('/api/data-sources')).status).toBe(200);
    await api.as('owner').patch(admin.path, { role: 'viewer' });
    await vi.waitFor(async () => expect((await api.as(key).get('/api/data-sources')).status).toBe(403), SOON);
    expect((await api.as(key).get('/api/webhooks')).status).toBe(200);
    expect((await api.as(admin).patch(admin.path, { role: 'admin' })).status).toBe(403);

    expect((await api.as('owner').delete(admin.path)).status).toBe(204);
    await vi.waitFor(async () => expect((await api.as(key).get('/api/webhooks')).status).toBe(401), SOON);
    await vi.waitFor(async () => expect((await api.as(admin).get('/api/webhooks')).status).toBe(401), SOON);
  });

  it('never leave a workspace without an admin, even under simultaneous requests', async ({ api }) => {
    const admin = await newcomer(api, 'admin');
    const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const mine = `/api/workspaces/members/${me}`;
    const replies = await Promise.all([
      api.as('owner').delete(mine),
      api.as(admin).delete(admin.path),
      api.as('owner').patch(mine, { role: 'viewer' }),
      api.as(admin).patch(admin.path, { role: 'viewer' }),
    ]);
    const stored = await Promise.all([me, admin.userId].map((id) => api.stored(memberKey(api.workspaceId, id))));
    const left = stored.filter((member) => member?.role === 'admin');
    expect(left, JSON.stringify(replies.map(({ body }) => body.code))).toHaveLength(1);
    expect(replies.some(({ body }) => body.code === 'LAST_ADMIN')).toBe(true);
  });

  it('of one refresh token go to one of many that use it at once', async ({ api }) => {
    const { body } = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        api.as('anonymous').post('/api/auth/refresh', { refreshToken: body.refreshToken }),
      ),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const reply of won) {
      const again = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: reply.body.refreshToken });
      expect(again).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
    }
  });

  it('to a first reply belong to its sender: idempotency keys are not shared', async ({ api }) => {
    const headers = { 'idempotency-key': 'the same for all' };
    const webhook = { name: 'x', url: 'https://example.com/', kind: 'generic', events: [] };
    const send = (actor: Parameters<Api['as']>[0], body: object = webhook) =>
      api.as(actor).post('/api/webhooks', body, { headers });
    const first = await send('owner');
    const repeated = await send('owner');
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.headers.get('etag')).toBe('"1"');
    const ids = [first, await send('editor'), await send('stranger')].map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(3);
    expect(await send('owner', { ...webhook, name: 'y' })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const key = { token: await keyOf(api, 'owner', 'read/write') };
    expect((await send(key)).body.id).not.toBe(first.body.id);
    const elsewhere = await api.as('owner').post('/api/data-sources', { name: 'x', type: 'file' }, { headers });
    expect(elsewhere.status).toBe(201);
    expect((await send({ token: await keyOf(api, 'owner', 'read') })).status).toBe(403);
  });

  it('take names with any visible character, and give them back as they were', async ({ api }) => {
    const bodies = (name: string) =>
      [
        ['/api/api-keys', { name, scope: 'read' }],
        ['/api/data-sources', { name, type: 'file' }],
        ['/api/webhooks', { name, url: 'https://example.com/', kind: 'generic', events: [] }],
        ['/api/workspaces', { name }],
      ] as const;
    for (const name of ['__proto__', '𝒳'.repeat(100), '\ufdfa'.repeat(200), 'Größe – 表 👩‍💻', 'no\u00a0break']) {
      for (const [path, body] of bodies(name)) {
        expect(await api.as('owner').post(path, body), path).toMatchObject({ status: 201, body: { name } });
      }
    }
    for (const name of ['a\u0000b', '\ud800', 'x\udc00y', 'x\r\ny', 'a\tb', '\u007f', '\u009b31m', ' ', '\u2028']) {
      for (const [path, body] of bodies(name)) {
        const reply = await api.as('owner').post(path, body);
        expect(reply, `${path} ${JSON.stringify(name)}`).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/name' }] },
        });
      }
    }
  });
});
