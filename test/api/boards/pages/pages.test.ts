import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { cookieOf, openAs } from './browsing.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';

describe('the page of a dashboard', () => {
  it('shows what the person sees: the draft to editors, the published version to viewers', async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'Sales <b>"1"</b>' });
    const hostile = `</script><img src=x onerror=alert(1)>`;
    await posted(api, `${path}/cards`, textCard('a', { title: hostile, textContent: `${hostile} **first**` }));
    await posted(api, `${path}/filters`, { fieldId: hostile, filterType: 'text', label: hostile });
    const [editor, viewer] = [await cookieOf(api, 'editor'), await cookieOf(api, 'viewer')];
    const missing = await openAs(api, `/api/d/${id}`, viewer);
    expect(missing.status).toBe(404);

    const draft = await (await openAs(api, `/api/d/${id}`, editor)).text();
    expect(draft).toContain('class="draft"');
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    await posted(api, `${path}/cards`, textCard('b', { title: 'Later' }));

    const reply = await openAs(api, `/api/d/${id}`, viewer);
    const page = await reply.text();
    expect(reply.status).toBe(200);
    expect(page).toContain('<h1>Sales &lt;b&gt;&quot;1&quot;&lt;/b&gt;</h1>');
    expect(page).toContain('<strong>first</strong>');
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('class="draft"');
    expect(page).not.toContain('Later');
    expect(await (await openAs(api, `/api/d/${id}`, editor)).text()).toContain('Later');
  });

  it('runs and loads only files of the platform, and is not cached', async ({ api }) => {
    const { id } = await givenDashboard(api);
    const cookie = await cookieOf(api, 'editor');
    const reply = await api.as('anonymous').get(`/api/d/${id}`, { headers: { cookie } });
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; img-src 'self'; connect-src 'self';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    const page: string = reply.body;
    expect(page.match(/https?:\/\/[^"'\s<]+/g)).toBeNull();
    const assets = [...page.matchAll(/(?:src|href)="(\/api\/d\/assets\/[^"]+)"/g)].map(([, address]) => address!);
    expect(assets.length).toBeGreaterThanOrEqual(4);
    for (const address of assets) {
      const file = await api.as('anonymous').get(address);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toContain('immutable');
    }
    const gone = await api.as('anonymous').get('/api/d/assets/page.0123456789ab.css');
    expect(gone).toMatchObject({ status: 404, body: { code: 'PAGE_NOT_FOUND' } });
  });

  it('is the same 404 for what does not exist and for what the person may not see', async ({ api }) => {
    const own = await givenDashboard(api);
    const { id: foreign } = (await api.as('stranger').post('/api/dashboards', { name: 'Foreign' })).body;
    const viewer = await cookieOf(api, 'viewer');
    const pages = await Promise.all(
      [own.id, foreign, UNKNOWN].map(async (id) => {
        const reply = await openAs(api, `/api/d/${id}`, viewer);
        expect(reply.status).toBe(404);
        expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
        return (await reply.text()).replaceAll(/Request [\w-]+/g, '');
      }),
    );
    expect(pages[0]).toContain('There is no such dashboard');
    expect(new Set(pages).size).toBe(1);
    const program = await api.as('anonymous').get(`/api/d/${UNKNOWN}`, { headers: { cookie: viewer } });
    expect(program).toMatchObject({ status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } });
  });

  it('asks browsers to sign in, and returns 401 to programs', async ({ api }) => {
    const { id } = await givenDashboard(api);
    for (const cookie of [undefined, 'analytics-session=rt_nothing']) {
      const reply = await openAs(api, `/api/d/${id}`, cookie);
      expect(reply.status).toBe(401);
      expect(await reply.text()).toContain('<h1>Sign in</h1>');
    }
    const program = await api.as('anonymous').get(`/api/d/${id}`);
    expect(program).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    const invalid = await openAs(api, `/api/d/${id}?colour=red`, undefined);
    expect(invalid.status).toBe(400);
    expect(await invalid.text()).toContain('This address is not valid');
    expect((await api.as('anonymous').get('/api/sign-in?next=/api/d/x')).status).toBe(200);
  });
});

describe('the sign-in of a browser', () => {
  const session = (api: Api, method: 'POST' | 'DELETE', headers: Record<string, string>) =>
    api.as('anonymous').send(method, '/api/d/session', { headers, ...(method === 'POST' && { text: '{}' }) });

  it('gives access tokens to several pages at once, and ends for all of them', async ({ api }) => {
    const cookie = await cookieOf(api, 'viewer');
    const replies = await Promise.all([1, 2, 3].map(() => session(api, 'POST', { cookie })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const me = await api.as({ token: replies[0]!.body.accessToken }).get('/api/auth/me');
    expect(me.body.workspaceId).toBe(api.workspaceId);

    const ended = await session(api, 'DELETE', { cookie });
    expect(ended.body).toEqual({ signedOut: true });
    expect(ended.headers.get('set-cookie')).toContain('analytics-session=; Path=/api/d; Max-Age=0');
    const after = await session(api, 'POST', { cookie });
    expect(after).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
    expect((await session(api, 'DELETE', { cookie })).body).toEqual({ signedOut: false });
    expect((await openAs(api, `/api/d/${UNKNOWN}`, cookie)).status).toBe(401);
  });

  it('is not for other sites, and not for the operations of the API', async ({ api }) => {
    const cookie = await cookieOf(api, 'viewer');
    const foreignHeaders: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example.com' },
    ];
    for (const foreign of foreignHeaders) {
      for (const method of ['POST', 'DELETE'] as const) {
        const reply = await session(api, method, { cookie, ...foreign });
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
    }
    const api401 = await fetch(`${api.endpoint}/api/dashboards`, { headers: { cookie } });
    expect(api401.status).toBe(401);
    expect((await session(api, 'POST', { cookie })).status).toBe(200);
  });

  it('takes no token into the cookie that was not issued for it', async ({ api }) => {
    const { id } = await givenDashboard(api);
    const { email, password } = await api.password('editor');
    const login = { email, password, workspaceId: api.workspaceId };
    const { refreshToken } = (await api.as('anonymous').post('/api/auth/login', login)).body;
    const planted = `analytics-session=${refreshToken}`;
    const refused = { status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } };
    expect(await session(api, 'POST', { cookie: planted })).toMatchObject(refused);
    expect((await session(api, 'DELETE', { cookie: planted })).body).toEqual({ signedOut: false });
    expect((await openAs(api, `/api/d/${id}`, planted)).status).toBe(401);
    const next = await api.as('anonymous').post('/api/auth/refresh', { refreshToken });
    expect(next.status).toBe(200);

    const cookie = await cookieOf(api, 'editor');
    const token = decodeURIComponent(cookie.split('=')[1]!);
    const taken = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: token });
    expect(taken.status).toBe(200);
    const { refreshToken: outside } = taken.body;
    expect(await session(api, 'POST', { cookie: `analytics-session=${outside}` })).toMatchObject(refused);
    expect(await session(api, 'POST', { cookie })).toMatchObject(refused);
    expect(await api.as('anonymous').post('/api/auth/refresh', { refreshToken: outside })).toMatchObject(refused);
  });

  it('ends with the membership', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    const cookie = await cookieOf(api, 'viewer');
    expect((await openAs(api, `/api/d/${id}`, cookie)).status).toBe(200);
    const userId = (await session(api, 'POST', { cookie })).body.user.id;
    expect((await api.as('owner').delete(`/api/workspaces/members/${userId}`)).status).toBe(204);
    expect((await openAs(api, `/api/d/${id}`, cookie)).status).toBe(401);
    expect((await session(api, 'POST', { cookie })).status).toBe(401);
  });
});
