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

  it('names all scripts of its screen and none of another, so that they load side by side', async ({ api }) => {
    const text = async (address: string): Promise<string> => (await api.as('anonymous').get(address)).body;
    const nameOf = (address: string) => /([\w-]+)\.[0-9a-f]{12}\.js$/.exec(address)![1]!;
    const first = ['console'];
    for (const [path, own, style] of [
      ['', ['home'], 'home'],
      ['/sign-in', ['sign-in'], undefined],
      ['/runs/1', ['run', 'graph-layout'], 'runs'],
      ['/sql', ['sql', 'editor-view'], 'sql'],
      ['/pipelines/new', ['editor', 'graph-layout'], 'pipelines'],
      ['/nowhere', [], undefined],
      ['/constructor', [], undefined],
    ] as const) {
      const body = await text(`/api/console${path}`);
      const named = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, address]) => address!);
      const names = named.map(nameOf);
      // What several screens share may have any name.
      expect(names.filter((name) => name !== 'chunk')).toEqual(
        [...first, ...own].filter((name) => names.includes(name)),
      );
      expect(names, path).toEqual(expect.arrayContaining([...first, ...own]));
      expect(new Set(named).size).toBe(named.length);
      const imported = new Set<string>();
      for (const address of named) {
        const script = await text(address);
        for (const [, file] of script.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
          // Nothing is found out only when a script is there.
          expect(named, `${path}: ${address}`).toContain(`/api/console/assets/${file}`);
          imported.add(nameOf(file!));
        }
      }
      for (const name of names.filter((each) => each === 'chunk')) expect(imported).toContain(name);
      const styled = /<link rel="preload" as="style" href="([^"]+)">/.exec(body)?.[1];
      if (style === undefined) expect(styled).toBeUndefined();
      else expect(styled).toMatch(new RegExp(`/${style}\\.[A-Z0-9]{8}\\.css$`));
      const early = /<script src="([^"]+\/early\.[0-9a-f]{12}\.js)"><\/script>/.exec(body)![1]!;
      // Otherwise a dark page would flash white.
      expect(await text(early)).toContain('dark-mode');
      // Before the others, because the requests that it sends take longest.
      expect(body.indexOf('/early.')).toBeLessThan(body.indexOf('modulepreload'));
    }
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
