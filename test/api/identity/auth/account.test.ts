import { describe, expect, vi } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';

const SOON = { timeout: 60_000, interval: 250 };
const NEW_PASSWORD = 'another long password';

async function signedIn(api: Api, options: { headers?: Record<string, string> } = {}, password?: string) {
  const credentials = await api.password('editor');
  const reply = await api
    .as('anonymous')
    .post(
      '/api/auth/login',
      { ...credentials, ...(password ? { password } : {}), workspaceId: api.workspaceId },
      options,
    );
  return { status: reply.status, ...reply.body, caller: api.as({ token: reply.body.accessToken }) };
}

const refreshed = async (api: Api, refreshToken: string) =>
  (await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status;
const ended = (caller: ReturnType<Api['as']>) =>
  vi.waitFor(async () => expect((await caller.get('/api/auth/me')).status).toBe(401), SOON);

describe('the sign-ins of a user', () => {
  it('are listed, newest first, without those of others', async ({ api }) => {
    const first = await signedIn(api, { headers: { 'user-agent': `Browser ${'x'.repeat(400)}` } });
    const second = await signedIn(api);
    await signedIn(api);
    await api.token('viewer');
    const { status, body } = await second.caller.get('/api/auth/sessions');
    expect(status).toBe(200);
    expect(body.items.length).toBe(body.total);
    const [third, middle, oldest] = body.items;
    expect([third.isCurrent, middle.isCurrent, oldest.isCurrent]).toEqual([false, true, false]);
    expect(oldest).toMatchObject({ workspaceId: api.workspaceId, sourceIp: '127.0.0.1' });
    expect(oldest.userAgent).toMatch(/^Browser x+$/);
    expect(oldest.userAgent).toHaveLength(300);
    expect(JSON.stringify(body)).not.toContain('igest');
    expect(first.status).toBe(200);
  });

  it('end one by one, and a user ends only their own', async ({ api }) => {
    const lost = await signedIn(api);
    const { caller } = await signedIn(api);
    const [, id] = (await caller.get('/api/auth/sessions')).body.items.map((item: { id: string }) => item.id);
    for (const other of ['viewer', 'stranger'] as const) {
      expect(await api.as(other).delete(`/api/auth/sessions/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'SESSION_NOT_FOUND' },
      });
    }
    expect((await caller.delete(`/api/auth/sessions/${id}`)).status).toBe(204);
    expect((await caller.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
    expect(await refreshed(api, lost.refreshToken)).toBe(401);
    await ended(lost.caller);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
  });

  it('all end but the one that asks for it, and later ones work', async ({ api }) => {
    const others = [await signedIn(api), await signedIn(api)];
    const { caller, refreshToken } = await signedIn(api);
    expect((await caller.delete('/api/auth/sessions')).status).toBe(204);
    for (const other of others) {
      expect(await refreshed(api, other.refreshToken)).toBe(401);
      await ended(other.caller);
    }
    expect((await caller.get('/api/auth/sessions')).body).toMatchObject({ total: 1, items: [{ isCurrent: true }] });
    expect(await refreshed(api, refreshToken)).toBe(200);
    const later = await signedIn(api);
    expect((await later.caller.get('/api/auth/me')).status).toBe(200);
    expect((await later.caller.get('/api/auth/sessions')).body.total).toBe(2);
  });

  it('cannot keep themselves after they have ended, while their authentication is still cached', async ({ api }) => {
    const { password } = await api.password('editor');
    const thief = await signedIn(api);
    const owner = await signedIn(api);
    // Cached for seconds.
    expect((await thief.caller.get('/api/auth/me')).status).toBe(200);
    const change = { currentPassword: password, newPassword: NEW_PASSWORD };
    expect((await owner.caller.post('/api/auth/password', change)).status).toBe(204);
    const attack = await thief.caller.delete('/api/auth/sessions');
    expect(attack).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect((await owner.caller.get('/api/auth/me')).status).toBe(200);
    expect(await refreshed(api, thief.refreshToken)).toBe(401);
    expect(await refreshed(api, owner.refreshToken)).toBe(200);
  });

  it('cannot be managed with an API key', async ({ api }) => {
    const { body } = await api.as('owner').post('/api/api-keys', { name: 'key', scope: 'admin' });
    const key = api.as({ token: body.key });
    for (const reply of [
      await key.get('/api/auth/sessions'),
      await key.delete('/api/auth/sessions'),
      await key.delete(`/api/auth/sessions/${api.workspaceId}`),
      await key.patch('/api/auth/me', { name: 'Key' }),
      await key.post('/api/auth/password', { currentPassword: 'x', newPassword: NEW_PASSWORD }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });
});

describe('a change of the password', () => {
  it('ends every other sign-in and the old password', async ({ api }) => {
    const { password } = await api.password('editor');
    const other = await signedIn(api);
    const { caller, refreshToken } = await signedIn(api);
    const change = { currentPassword: password, newPassword: NEW_PASSWORD };
    expect((await caller.post('/api/auth/password', change)).status).toBe(204);
    expect(await refreshed(api, other.refreshToken)).toBe(401);
    await ended(other.caller);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    expect(await refreshed(api, refreshToken)).toBe(200);
    expect((await signedIn(api)).status).toBe(401);
    expect((await signedIn(api, {}, NEW_PASSWORD)).status).toBe(200);
  });

  it('needs the current password and a new one that is long enough and another', async ({ api }) => {
    const { password } = await api.password('editor');
    const { caller } = await signedIn(api);
    const send = (currentPassword: string, newPassword: string) =>
      caller.post('/api/auth/password', { currentPassword, newPassword });
    expect(await send('not the password', NEW_PASSWORD)).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await send(password, 'short')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/newPassword' }] },
    });
    expect(await send(password, password)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/newPassword', code: 'SAME' }] },
    });
    expect((await signedIn(api)).status).toBe(200);
  });

  it('is limited like sign-ins, against a stolen access token', async ({ api }) => {
    const { caller } = await signedIn(api);
    const guess = () =>
      caller.post('/api/auth/password', { currentPassword: 'guess', newPassword: NEW_PASSWORD }, { from: '127.0.9.1' });
    const replies = [];
    for (let tries = 0; tries < 11; tries += 1) replies.push((await guess()).status);
    expect(replies.filter((status) => status === 403)).toHaveLength(10);
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  });

  it('is made by one of two simultaneous requests', async ({ api }) => {
    const { password } = await api.password('editor');
    const [one, two] = [await signedIn(api), await signedIn(api)];
    const replies = await Promise.all(
      [one, two].map(({ caller }, number) =>
        caller.post('/api/auth/password', { currentPassword: password, newPassword: `${NEW_PASSWORD} ${number}` }),
      ),
    );
    const winner = replies.findIndex(({ status }) => status === 204);
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await signedIn(api, {}, `${NEW_PASSWORD} ${winner}`)).status).toBe(200);
    const loser = winner === 0 ? two : one;
    await ended(loser.caller);
  });
});

describe('the profile', () => {
  it('has a name, a language and a time zone, which change one by one', async ({ api }) => {
    const { caller, user } = await signedIn(api);
    expect((await caller.get('/api/auth/me')).body).toMatchObject({ language: null, timeZone: null });
    const changed = await caller.patch('/api/auth/me', { name: 'Ada Lovelace', language: 'DE-ch' });
    expect(changed).toMatchObject({
      status: 200,
      body: { user: { name: 'Ada Lovelace' }, language: 'de-CH', timeZone: null },
    });
    await caller.patch('/api/auth/me', { timeZone: 'Europe/Zurich' });
    expect((await caller.get('/api/auth/me')).body).toMatchObject({ language: 'de-CH', timeZone: 'Europe/Zurich' });
    const cleared = await caller.patch('/api/auth/me', { language: null, timeZone: null });
    expect(cleared.body).toMatchObject({ user: { name: 'Ada Lovelace' }, language: null, timeZone: null });
    expect(await api.stored(userRecordKey(user.id))).not.toHaveProperty('language');
    const members = (await caller.get('/api/workspaces/members')).body.items as { userId: string; name: string }[];
    expect(members.find(({ userId }) => userId === user.id)?.name).toBe('Ada Lovelace');
  });

  it('rejects what is no language, no time zone and no name', async ({ api }) => {
    const { caller } = await signedIn(api);
    for (const [change, pointer] of [
      [{ language: 'de_CH' }, '/language'],
      [{ timeZone: 'Mars/Olympus' }, '/timeZone'],
      [{ timeZone: '+01:00' }, '/timeZone'],
      [{ name: ' ' }, '/name'],
      [{ nickname: 'Ada' }, '/nickname'],
    ] as const) {
      expect(await caller.patch('/api/auth/me', change)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    }
  });

  it('ends with one name everywhere when several change it at once', async ({ api }) => {
    const { caller, user } = await signedIn(api);
    const names = ['Ada', 'Grace', 'Hedy', 'Mary'];
    const replies = await Promise.all(names.map((name) => caller.patch('/api/auth/me', { name })));
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { name } = (await caller.get('/api/auth/me')).body.user;
    const members = (await caller.get('/api/workspaces/members')).body.items as { userId: string; name: string }[];
    expect(members.find(({ userId }) => userId === user.id)?.name).toBe(name);
  });
});
