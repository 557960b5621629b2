import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { pagePolicy } from '../../../shared/platform/pages/page-policy.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SITE = join(ROOT, 'functions/platform/console/site');
const ORIGIN = 'http://gallery.localhost';

/** The files of a page with every primitive of the console. */
async function galleryFiles(): Promise<Record<string, { contentType: string; body: string | Buffer }>> {
  const { outputFiles } = await build({
    entryPoints: { gallery: join(import.meta.dirname, 'gallery/gallery.tsx'), console: join(SITE, 'console.css') },
    outdir: '/',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['browser'],
    write: false,
  });
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))!.text;
  const page = `<!doctype html><html lang="en"><head><title>Gallery</title><link rel="stylesheet" href="/console.css"></head>
<body><div id="app"></div><script type="application/json" id="config">{"icons":"/icons.svg"}</script>
<script type="module" src="/gallery.js"></script></body></html>`;
  return {
    '/': { contentType: 'text/html', body: page },
    '/gallery.js': { contentType: 'text/javascript', body: textOf('gallery.js') },
    '/console.css': { contentType: 'text/css', body: textOf('console.css') },
    '/icons.svg': { contentType: 'image/svg+xml', body: readFileSync(join(SITE, 'icons.svg')) },
  };
}

/** Opens parts of the gallery under the policy of the console. `expectQuiet` fails if one of them has complained. */
export async function openGallery(browser: Browser) {
  const files = await galleryFiles();
  const complaints: string[] = [];
  return {
    async open(part: string): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.route(`${ORIGIN}/**`, (route) => {
        const file = files[new URL(route.request().url()).pathname];
        const policy = pagePolicy('none', { trustedTypes: ["'none'"] });
        return file
          ? route.fulfill({ ...file, headers: { 'content-security-policy': policy } })
          : route.fulfill({ status: 404 });
      });
      await page.goto(`${ORIGIN}/#${part}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    expectQuiet: () => expect(complaints).toEqual([]),
  };
}
