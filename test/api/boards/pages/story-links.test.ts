import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { posted } from '../../../support/given/model.ts';
import { givenEmbedToken, givenShare } from '../../../support/given/shares.ts';
import { expectFit, frameOf, HOSTILE, OVERFLOW, openPage, PATIENT, picture, settled, violations } from './browsing.ts';
import { givenLiveBlocks, givenUglyStory } from './ugly-story.ts';

let browser: Browser;
let site: Server;
let served = '';
beforeAll(async () => {
  if (!HAS_CHROMIUM) return;
  browser = await launchChromium();
  site = createServer(({ url }, reply) => {
    reply.setHeader('content-type', 'text/html').end(url === '/favicon.ico' ? '' : served);
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

const SIZES = [
  [1400, 'light'],
  [1400, 'dark'],
  [400, 'light'],
  [400, 'dark'],
] as const;

/** A published story that is hard to show, with a comment that is not for readers of links. */
async function givenShared(api: Api): Promise<string> {
  const { id, path } = await givenUglyStory(api, { live: await givenLiveBlocks(api) });
  await posted(api, '/api/comments', { resourceType: 'story', resourceId: id, content: 'NOT-FOR-LINKS' });
  expect((await api.as('editor').post(`${path}/publish`)).status).toBe(200);
  return id;
}

async function expectStory(view: Page | Awaited<ReturnType<typeof frameOf>>): Promise<void> {
  await settled(view);
  expect(await view.locator('#block-hostile').textContent()).toBe(HOSTILE);
  expect(await view.locator('#block-live-bars svg [data-row]').count()).toBeGreaterThan(0);
  expect(await view.content()).not.toMatch(/NOT-FOR-LINKS|comment-count/);
}

describe.runIf(HAS_CHROMIUM)('a link to a story in a browser', () => {
  it('fits desktop and phone, in light and in dark mode, with a password too', { timeout: PATIENT }, async ({
    api,
  }) => {
    const id = await givenShared(api);
    const { token } = await givenShare(api, id, { contentType: 'story' });
    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(`${api.endpoint}/api/s/${token}`);
    await expectStory(page);
    const current = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current]');
    expect(await current.textContent()).toContain('Summary');
    await page.getByRole('link', { name: 'A small table' }).click();
    await expect.poll(() => current.textContent()).toBe('A small table');
    for (const [width, colorScheme] of SIZES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await settled(page);
      await picture(page, `story-link-${width}-${colorScheme}`, true);
    }
    await expectFit(page, { recolor: () => page.reload().then(() => settled(page)) });
    expect([[...hosts], complaints]).toEqual([[new URL(api.endpoint).host], []]);

    const password = 'correct horse battery';
    const locked = await givenShare(api, id, { contentType: 'story', shareType: 'password', password });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${api.endpoint}/api/s/${locked.token}`);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await expectStory(page);
    expect([await page.evaluate(OVERFLOW), await violations(page), complaints]).toEqual([0, [], []]);
    await page.close();
  });

  it('fits the page of another site, and is as high as its text', { timeout: PATIENT }, async ({ api }) => {
    const id = await givenShared(api);
    const { token } = await givenEmbedToken(api, id, { contentType: 'story' });
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    expect((await api.as('owner').post('/api/embed/domains', { origin: address })).status).toBe(201);
    served = `<!doctype html><html lang="en"><title>Host</title><body>
<script src="${api.endpoint}/api/e/view.js"></script>
<analytics-view token="${token}" title="Weekly"></analytics-view>`;
    const { page, complaints } = await openPage(browser);
    await page.goto(address);
    await page.locator('analytics-view iframe').waitFor();
    const view = await frameOf(page, '/api/e/');
    await expectStory(view);
    for (const [width, colorScheme] of SIZES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const isDark = colorScheme === 'dark';
      await expect.poll(() => view.evaluate('document.body.classList.contains("dark-mode")')).toBe(isDark);
      const height = async () => (await page.locator('analytics-view iframe').boundingBox())!.height;
      const content = () => view.evaluate('Math.ceil(document.body.getBoundingClientRect().height)');
      await expect.poll(async () => (await height()) === (await content())).toBe(true);
      await picture(page, `story-embed-${width}-${colorScheme}`, true);
      expect([await view.evaluate(OVERFLOW), await violations(view)], `${width} ${colorScheme}`).toEqual([0, []]);
    }
    expect(await view.locator('header.site, .contents').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
