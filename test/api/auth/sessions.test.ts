import { describe, expect, vi } from 'vitest';
import { it } from '../../support/api.ts';

describe('sessions', () => {
  it('answers the same to a wrong password and to an unknown email', async ({ api }) => {
    const { email } = await api.password('editor');
    const wrong = await api.as('nobody').post('/api/auth/login', { email, password: 'not the password' });
    const unknown = await api.as('nobody').post('/api/auth/login', { email: 'nobody@example.com', password: 'x' });
    for (const reply of [wrong, unknown]) {
      expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    }
    expect(wrong.body.detail).toBe(unknown.body.detail);
  });

  it('signs in to the named workspace and says who one is', async ({ api }) => {
    const { email, password } = await api.password('viewer');
    const signedIn = await api.as('nobody').post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
    expect(signedIn.status).toBe(200);
    const me = await api.as({ token: signedIn.body.accessToken }).get('/api/auth/me');
    expect(me.body).toMatchObject({
      user: { email, companyRole: 'member' },
      role: 'viewer',
      workspaceId: api.workspaceId,
    });
    expect(me.body.workspaces.map((workspace: { id: string }) => workspace.id)).toContain(api.workspaceId);

    const elsewhere = { email, password, workspaceId: '00000000-0000-7000-8000-000000000000' };
    expect(await api.as('nobody').post('/api/auth/login', elsewhere)).toMatchObject({ status: 401 });
  });

  it('takes a refresh token once; a second use ends the whole sign-in', async ({ api }) => {
    const first = await api.as('nobody').post('/api/auth/login', await api.password('viewer'));
    const second = await api.as('nobody').post('/api/auth/refresh', { refreshToken: first.body.refreshToken });
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).not.toBe(first.body.refreshToken);

    const reused = await api.as('nobody').post('/api/auth/refresh', { refreshToken: first.body.refreshToken });
    expect(reused).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
    const newest = await api.as('nobody').post('/api/auth/refresh', { refreshToken: second.body.refreshToken });
    expect(newest.status).toBe(401);
    await vi.waitFor(
      async () => expect((await api.as({ token: second.body.accessToken }).get('/api/auth/me')).status).toBe(401),
      { timeout: 10_000, interval: 250 },
    );
  });

  it('lets one of two simultaneous refreshes win at the most', async ({ api }) => {
    const { body } = await api.as('nobody').post('/api/auth/login', await api.password('viewer'));
    const replies = await Promise.all(
      [1, 2, 3].map(() => api.as('nobody').post('/api/auth/refresh', { refreshToken: body.refreshToken })),
    );
    expect(replies.filter((reply) => reply.status === 200).length).toBeLessThanOrEqual(1);
  });

  it('ends with logout, for the access token too', async ({ api }) => {
    const { body } = await api.as('nobody').post('/api/auth/login', await api.password('viewer'));
    expect((await api.as({ token: body.accessToken }).post('/api/auth/logout')).status).toBe(204);
    expect((await api.as('nobody').post('/api/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(401);
    await vi.waitFor(
      async () => expect((await api.as({ token: body.accessToken }).get('/api/auth/me')).status).toBe(401),
      { timeout: 10_000, interval: 250 },
    );
  });

  it('counts guesses that are made all at once, and is not misled about the address', async ({ api }) => {
    const email = `guess-${crypto.randomUUID()}@example.com`;
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        api
          .as('nobody')
          .post(
            '/api/auth/login',
            { email, password: 'guess' },
            { headers: { 'x-forwarded-for': `203.0.113.${index}` } },
          ),
      ),
    );
    // A window may end between two of them: then each has ten.
    expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(20);
    expect(replies.some(({ status }) => status === 429)).toBe(true);
    const { email: mine, password } = await api.password('editor');
    for (let turn = 0; turn < 12; turn += 1) {
      expect((await api.as('nobody').post('/api/auth/login', { email: mine, password })).status).toBe(200);
    }
  });

  it('locks an account for the address from which ten sign-ins failed', async ({ api }) => {
    const email = `guess-${crypto.randomUUID()}@example.com`;
    const guess = () => api.as('nobody').post('/api/auth/login', { email, password: 'guess' });
    const replies = [];
    for (let attempt = 0; attempt < 11; attempt += 1) replies.push(await guess());
    // A window may end between two guesses; the eleventh of one window is refused at the latest in the next round.
    while (replies.at(-1)?.status !== 429 && replies.length < 25) replies.push(await guess());
    expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(replies.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.as('nobody').post('/api/auth/login', await api.password('viewer'))).status).toBe(200);
  });
});
