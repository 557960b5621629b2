import { randomBytes } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { it } from '../../../support/api.ts';

describe('sessions', () => {
  it('answers the same to a wrong password and to an unknown email', async ({ api }) => {
    const { email } = await api.password('editor');
    const wrong = await api.as('anonymous').post('/api/auth/login', { email, password: 'not the password' });
    const unknown = await api.as('anonymous').post('/api/auth/login', { email: 'nobody@example.com', password: 'x' });
    for (const reply of [wrong, unknown]) {
      expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    }
    expect(wrong.body.detail).toBe(unknown.body.detail);
  });

  it('signs in to the named workspace and describes the caller', async ({ api }) => {
    const { email, password } = await api.password('viewer');
    const signedIn = await api
      .as('anonymous')
      .post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
    expect(signedIn.status).toBe(200);
    const me = await api.as({ token: signedIn.body.accessToken }).get('/api/auth/me');
    expect(me.body).toMatchObject({
      user: { email, companyRole: 'member' },
      role: 'viewer',
      workspaceId: api.workspaceId,
    });
    expect(me.body.workspaces.map((workspace: { id: string }) => workspace.id)).toContain(api.workspaceId);

    const elsewhere = { email, password, workspaceId: '00000000-0000-7000-8000-000000000000' };
    expect(await api.as('anonymous').post('/api/auth/login', elsewhere)).toMatchObject({ status: 401 });
  });

  it('takes a refresh token once; a second use ends the whole sign-in', async ({ api }) => {
    const first = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    const second = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: first.body.refreshToken });
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).not.toBe(first.body.refreshToken);

    const reused = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: first.body.refreshToken });
    expect(reused).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
    const newest = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: second.body.refreshToken });
    expect(newest.status).toBe(401);
    await vi.waitFor(
      async () => expect((await api.as({ token: second.body.accessToken }).get('/api/auth/me')).status).toBe(401),
      { timeout: 60_000, interval: 250 },
    );
  });

  it('goes on when another invents a refresh token with the ids of the sign-in', async ({ api }) => {
    const { body } = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    const [, user, session] = /^rt_(.{36})_(.{36})_/.exec(body.refreshToken)!;
    const half = () => randomBytes(32).toString('base64url');
    for (const secret of [half(), `${half()}_${half()}`]) {
      const reply = await api
        .as('anonymous')
        .post('/api/auth/refresh', { refreshToken: `rt_${user}_${session}_${secret}` });
      expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
    }
    const next = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: body.refreshToken });
    expect(next.status).toBe(200);
    expect((await api.as({ token: next.body.accessToken }).get('/api/auth/me')).status).toBe(200);
  });

  it('goes on in another workspace of the person, and in none of others', async ({ api }) => {
    const refresh = (refreshToken: string, workspaceId: string) =>
      api.as('anonymous').post('/api/auth/refresh', { refreshToken, workspaceId });
    const { body: home } = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    expect(home.workspaceId).not.toBe(api.workspaceId);
    const moved = await refresh(home.refreshToken, api.workspaceId);
    expect(moved).toMatchObject({ status: 200, body: { workspaceId: api.workspaceId } });
    const me = await api.as({ token: moved.body.accessToken }).get('/api/auth/me');
    expect(me.body).toMatchObject({ workspaceId: api.workspaceId, role: 'viewer' });

    const foreign = (await api.as('stranger').get('/api/workspaces/current')).body.id;
    expect(await refresh(moved.body.refreshToken, foreign)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_REFRESH_TOKEN' },
    });
    const back = await refresh(moved.body.refreshToken, home.workspaceId);
    expect(back).toMatchObject({ status: 200, body: { workspaceId: home.workspaceId } });
  });

  it('lets one of two simultaneous refreshes win at the most', async ({ api }) => {
    const { body } = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    const replies = await Promise.all(
      [1, 2, 3].map(() => api.as('anonymous').post('/api/auth/refresh', { refreshToken: body.refreshToken })),
    );
    expect(replies.filter((reply) => reply.status === 200).length).toBeLessThanOrEqual(1);
  });

  it('ends with logout, for the access token too', async ({ api }) => {
    const { body } = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    expect((await api.as({ token: body.accessToken }).post('/api/auth/logout')).status).toBe(204);
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(401);
    await vi.waitFor(
      async () => expect((await api.as({ token: body.accessToken }).get('/api/auth/me')).status).toBe(401),
      { timeout: 60_000, interval: 250 },
    );
  });
});
