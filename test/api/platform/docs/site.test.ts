import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect } from 'vitest';
import { SEARCH_OPTIONS } from '../../../../functions/platform/docs/site/search-options.ts';
import { type Api, it } from '../../../support/api.ts';
import { call } from '../../../support/http.ts';
import { ALL_ROUTES } from '../../../support/samples.ts';

const GUIDES = readdirSync(join(import.meta.dirname, '../../../../docs'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => name.replace('.md', ''));
const PAGES = ['/api/docs', '/api/docs/guides', ...GUIDES.map((slug) => `/api/docs/guides/${slug}`)];

/** A Lambda function cannot answer more. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

const read = (api: Api, path: string) => api.as('anonymous').get(path);

/** Values of an attribute in a page. */
const valuesOf = (attribute: string, html: string): string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]+)"`, 'g'))].map(([, value]) => value!);

describe('the documentation site', () => {
  it('is where the address of the platform leads to', async ({ api }) => {
    const start = await call(api.endpoint, 'GET', '/');
    expect([start.status, start.headers.get('location')]).toEqual([302, '/api/']);
    for (const path of ['/api', '/api/']) {
      const root = await read(api, path);
      expect([root.status, root.headers.get('location')]).toEqual([302, '/api/docs']);
    }
  });

  it('allows its pages nothing but their own origin, and no page to frame them', async ({ api }) => {
    for (const path of PAGES) {
      const { headers } = await read(api, path);
      const policy = new Map(
        headers
          .get('content-security-policy')!
          .split('; ')
          .map((rule) => [rule.split(' ')[0], rule]),
      );
      expect(policy.get('default-src')).toBe("default-src 'none'");
      expect(policy.get('script-src')).toBe("script-src 'self'");
      expect(policy.get('connect-src')).toBe("connect-src 'self'");
      expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'");
      expect([...policy.values()].join(' ')).not.toMatch(/\/\/|\*|unsafe-eval/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  it('loads nothing from another host, and no script that stands in a page', async ({ api }) => {
    for (const path of PAGES) {
      const { body } = await read(api, path);
      const loaded = [...valuesOf('src', body), ...valuesOf('data-index', body)];
      for (const [link] of body.matchAll(/<link [^>]+>/g)) loaded.push(...valuesOf('href', link));
      expect(loaded.length).toBeGreaterThan(4);
      for (const address of loaded) expect(address).toMatch(/^\/api\/docs\/assets\//);
      expect(body).not.toMatch(/<script(?![^>]* src=)/);
      expect(body).not.toMatch(/<style| style="| on\w+="/);
    }
  });

  it('serves every file of its pages with its type, to be kept for good', async ({ api }) => {
    const { body } = await read(api, '/api/docs');
    const guide = await read(api, '/api/docs/guides');
    const files = new Set([body, guide.body].flatMap((page) => page.match(/\/api\/docs\/assets\/[\w.-]+/g)));
    const endings = new Set([...files].map((file: string) => file.split('.').at(-1)));
    expect(endings).toEqual(new Set(['css', 'js', 'json', 'svg']));
    for (const file of files) {
      const { status, headers, bytes } = await read(api, file);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-encoding')).toBe(bytes.length < 1024 ? null : 'gzip');
      expect(JSON.stringify(bytes.toString()).length).toBeLessThan(MAX_ANSWER_BYTES);
    }
  });

  it('sends a page again only after it has changed', async ({ api }) => {
    for (const path of ['/api/docs', '/api/docs/guides', '/api/openapi.json']) {
      const { headers } = await read(api, path);
      expect(headers.get('cache-control')).toBe('no-cache');
      const etag = headers.get('etag')!;
      const known = await call(api.endpoint, 'GET', path, { headers: { 'if-none-match': `"other", W/${etag}` } });
      expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, etag]);
      const other = await call(api.endpoint, 'GET', path, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
    }
  });

  it('answers 404 for what it does not have, with the nearest guide', async ({ api }) => {
    const missing = await read(api, '/api/docs/guides/pipeline');
    expect(missing).toMatchObject({ status: 404, body: { code: 'PAGE_NOT_FOUND' } });
    expect(missing.body.detail).toBe('There is no guide "pipeline"; did you mean "pipelines"?');
    expect(await read(api, '/api/docs/assets/page.0123456789ab.js')).toMatchObject({
      status: 404,
      body: { code: 'PAGE_NOT_FOUND' },
    });
    for (const path of ['/api/docs/guides/..%2Fguides', '/api/docs/assets/..%2Fopenapi.json']) {
      expect(await read(api, path)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('has no link in its pages that leads nowhere', async ({ api }) => {
    const { body: document } = await read(api, '/api/openapi.json');
    const pages = new Map<string, string>();
    for (const path of PAGES) pages.set(path, (await read(api, path)).body);
    const anchors = new Set(
      ALL_ROUTES.map(({ operationId }) => operationId).concat(
        [...document.info.description.matchAll(/^## (.+)$/gm)].map(([, title]) =>
          title.toLowerCase().replaceAll(' ', '-'),
        ),
      ),
    );
    const introduction = [...document.info.description.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href as string);
    const links = [...pages]
      .flatMap(([page, body]) => valuesOf('href', body).map((href) => [page, href] as const))
      .concat(introduction.map((href) => ['/api/docs', href] as const));
    expect(links.length).toBeGreaterThan(300);
    const broken = links.filter(([page, href]) => {
      const { origin, pathname, hash } = new URL(href, `http://here${page}`);
      if (origin !== 'http://here') return !href.startsWith('https://');
      if (pathname.startsWith('/api/docs/assets/') || pathname === '/api/openapi.json') return false;
      if (!pages.has(pathname)) return true;
      if (hash === '' || pages.get(pathname)!.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) return false;
      return pathname !== '/api/docs' || !anchors.has(hash.split('/').at(-1)!);
    });
    expect(broken).toEqual([]);
  });

  it('finds sections of guides, operations and the introduction', async ({ api }) => {
    const { body } = await read(api, '/api/docs');
    const [address] = valuesOf('data-index', body);
    const index = MiniSearch.loadJSON((await read(api, address!)).bytes.toString(), SEARCH_OPTIONS);
    const found = (query: string) => index.search(query).map(({ href }) => href as string);
    expect(found('create a pipeline').slice(0, 3)).toContain('/api/docs#tag/pipelines/createPipeline');
    expect(found('/api/query')).toContain('/api/docs#tag/queries/runQuery');
    expect(found('idempotency key')).toContain('/api/docs#description/idempotency');
    expect(found('signature')).toContainEqual(expect.stringMatching(/^\/api\/docs\/guides\/webhooks#/));
    const text = JSON.stringify(index);
    const missing = ALL_ROUTES.filter(({ operationId }) => !text.includes(`/${operationId}"`));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });
});
