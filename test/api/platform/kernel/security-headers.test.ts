import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { call } from '../../../support/http.ts';

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
};

describe('security headers', () => {
  it('are on every reply: results, problems, redirects and preflights', async ({ api }) => {
    const token = await api.token('owner');
    for (const [method, path, status] of [
      ['GET', '/api/auth/me', 200],
      ['POST', '/api/auth/login', 400],
      ['GET', '/api/', 302],
      ['OPTIONS', '/api/auth/me', 204],
      ['GET', '/api/openapi.json', 200],
      ['GET', '/api/docs', 200],
      ['GET', '/api/pipelines/nothing/at-all', 404],
      ['GET', `/api/pipelines/runs/${crypto.randomUUID()}/events`, 404],
    ] as const) {
      const reply = await call(api.endpoint, method, path, { token });
      expect(reply.status, `${method} ${path}`).toBe(status);
      expect(Object.fromEntries(reply.headers), `${method} ${path}`).toMatchObject(EVERYWHERE);
      expect(reply.headers.get('content-security-policy'), `${method} ${path}`).toContain("frame-ancestors 'none'");
    }
  });

  it('are on replies of the gateway', async ({ api }) => {
    const reply = await call(api.endpoint, 'GET', '/api/nothing');
    expect(reply.status).toBe(404);
    expect(Object.fromEntries(reply.headers)).toMatchObject(EVERYWHERE);
  });

  it('let replies load nothing, and the pages of the documentation what they need', async ({ api }) => {
    const policy = async (path: string) =>
      (await call(api.endpoint, 'GET', path, { token: await api.token('owner') })).headers.get(
        'content-security-policy',
      );
    expect(await policy('/api/auth/me')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(await policy('/api/docs/guides')).toContain("script-src 'self'");
  });
});
