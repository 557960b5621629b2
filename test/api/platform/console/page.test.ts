import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';

const PATHS = ['/api/console', '/api/console/runs', '/api/console/runs/1', '/api/console/runs/1/log?tab=%2F&x=1'];

/** Addresses in elements that load something. */
const loaded = (html: string): string[] =>
  [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, address]) => address!);

describe('the page of the console', () => {
  it('is the same at every address, with a policy that admits its own files and the uploads alone', async ({ api }) => {
    for (const path of PATHS) {
      const { status, body, headers } = await api.as('anonymous').get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
      const policy = headers.get('content-security-policy')!.split('; ');
      const nonce = /"nonce":"([\w-]+)"/.exec(body)![1];
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self'",
        expect.stringMatching(/^connect-src 'self' http:\/\/127\.0\.0\.1:\d+$/),
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
      for (const address of loaded(body)) expect(address).toMatch(/^\/api\/console\/assets\//);
      expect(body).not.toMatch(/<script(?![^>]*(?: src=| type="application\/json"))/);
    }
    const nonces = await Promise.all(
      PATHS.map(async (path) => (await api.as('anonymous').get(path)).body.match(/"nonce":"([\w-]+)"/)![1]),
    );
    expect(new Set(nonces).size).toBe(PATHS.length);
  });

  it('names the files of its screen, so that they load with the first ones', async ({ api }) => {
    const { body } = await api.as('anonymous').get('/api/console/sign-in');
    expect(body).toMatch(/<link rel="modulepreload" href="\/api\/console\/assets\/sign-in\.[A-Z0-9]{8}\.js">/);
    expect((await api.as('anonymous').get('/api/console/constructor')).status).toBe(200);
  });

  it('has files that browsers keep, and says when one is gone', async ({ api }) => {
    const { body } = await api.as('anonymous').get('/api/console');
    const addresses = [...new Set(loaded(body))];
    expect(addresses.length).toBeGreaterThan(4);
    for (const address of addresses) {
      const { status, headers } = await api.as('anonymous').get(address);
      expect([address, status, headers.get('cache-control')]).toEqual([
        address,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    const gone = await api.as('anonymous').get('/api/console/assets/console.AAAAAAAA.js');
    expect([gone.status, gone.body.code]).toEqual([404, 'PAGE_NOT_FOUND']);
    const odd = await api.as('anonymous').get('/api/console/assets/..%2Ffiles.json');
    expect([odd.status, odd.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('refuses addresses that no screen has', async ({ api }) => {
    const long = 'x'.repeat(201);
    for (const path of [`/${long}`, `/runs/${long}`, `/runs/1/${long}`, '/Runs', '/runs/%3Cb%3E', '/runs/1/a%20b']) {
      const { status, body } = await api.as('anonymous').get(`/api/console${path}`);
      expect([path, status, body.code]).toEqual([path, 400, 'VALIDATION_FAILED']);
    }
    const query = await api.as('anonymous').get(`/api/console?filter=${'x'.repeat(9001)}`);
    expect([query.status, query.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});
