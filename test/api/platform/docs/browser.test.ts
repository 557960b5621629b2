import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { violations } from '../../boards/pages/browsing.ts';

/** The viewer takes seconds of processor time, which other tests use too. */
const PATIENT = 240_000;

/** What a page asked for and complained about. */
interface Watched {
  page: Page;
  hosts: Set<string>;
  complaints: string[];
}

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

async function open(
  api: Api,
  path: string,
  options: { width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<Watched> {
  const { width = 1400, colorScheme = 'light' } = options;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(PATIENT / 2);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.addInitScript(REPORT_VIOLATIONS);
  await page.goto(api.endpoint + path);
  return { page, hosts, complaints };
}

/** Scripts for the page, as text: the tests know nothing of its types. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI))`;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';

/** A library in the viewer tries whether it may compile code, and goes on without. */
const TRIED = 'blocked: script-src eval';

describe.runIf(HAS_CHROMIUM)('the documentation in a browser', () => {
  it('shows the reference, calls the API from it, and talks to no other host', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { page, hosts, complaints } = await open(api, '/api/docs#tag/auth/me');
    await page.locator('[id$="tag/auth/me"]').first().waitFor();
    await page
      .getByPlaceholder('Token')
      .first()
      .fill(await api.token('viewer'));
    await page.locator('[id$="tag/auth/me"]').getByRole('button', { name: 'Test Request' }).click();
    const answered = page.waitForResponse((reply) => reply.url().endsWith('/api/auth/me'));
    await page.getByRole('dialog').getByRole('button', { name: 'Send Request' }).click();
    expect((await answered).status()).toBe(200);

    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(complaints.filter((complaint) => complaint !== TRIED)).toEqual([]);
    await page.close();
  });

  it('offers examples for curl, fetch, Python and the clients', { timeout: PATIENT }, async ({ api }) => {
    const { page } = await open(api, '/api/docs#tag/queries/runQuery');
    const operation = page.locator('[id$="tag/queries/runQuery"]').first();
    await operation.getByRole('button', { name: /Curl/ }).click();
    const choices = page.getByRole('option');
    await choices.first().waitFor();
    expect((await choices.allTextContents()).map((choice) => choice.trim()).sort()).toEqual([
      'Curl',
      'Fetch',
      'Python client',
      'Requests',
      'TypeScript client',
    ]);
    await page.close();
  });

  it('finds an operation and a section of a guide from any page', { timeout: PATIENT }, async ({ api }) => {
    const { page, complaints } = await open(api, '/api/docs/guides/sql');
    await page.keyboard.press('/');
    await page.keyboard.type('signature of webhooks');
    await page.locator('dialog.search li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/api\/docs\/guides\/webhooks/);

    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('create a pipeline');
    await page.locator('dialog.search a:has([data-kind=post])').first().click();
    await page.waitForURL(/\/api\/docs#tag\/pipelines\/createPipeline$/);
    await page.getByRole('heading', { name: 'Create a pipeline' }).waitFor();
    expect(complaints.filter((complaint) => complaint !== TRIED)).toEqual([]);
    await page.close();
  });

  it.for(['/api/docs', '/api/docs/guides', '/api/docs/guides/pipelines', '/api/docs/guides/benchmarks'])(
    'fits a window of 400 pixels: %s',
    { timeout: PATIENT },
    async (path, { api }) => {
      const { page } = await open(api, path, { width: 400 });
      if (path === '/api/docs') await page.getByRole('heading', { name: 'First call' }).waitFor();
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      await page.close();
    },
  );

  it.for([
    ['/api/docs#tag/queries/runQuery', 1400, 'light'],
    ['/api/docs#tag/queries/runQuery', 1400, 'dark'],
    ['/api/docs#tag/queries/runQuery', 400, 'dark'],
    ['/api/docs', 400, 'light'],
    ['/api/docs/guides/sql', 400, 'light'],
  ] as const)(
    'can be read by everyone: %s, %s pixels, %s',
    { timeout: PATIENT },
    async ([path, width, colorScheme], { api }) => {
      const { page } = await open(api, path, { width, colorScheme });
      if (path.includes('#')) await page.locator('[id$="tag/queries/runQuery"]').first().waitFor();
      else
        await page
          .getByRole('heading', { name: path === '/api/docs' ? 'First call' : 'SQL' })
          .first()
          .waitFor();
      await expect.poll(() => violations(page), { timeout: PATIENT / 2, interval: 1000 }).toEqual([]);
      await page.close();
    },
  );

  it('follows the system to dark, and keeps what the reader chooses', { timeout: PATIENT }, async ({ api }) => {
    const { page } = await open(api, '/api/docs/guides', { colorScheme: 'dark' });
    const dark = await page.evaluate(BACKGROUND);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    const light = await page.evaluate(BACKGROUND);
    expect(light).not.toBe(dark);
    for (const path of ['/api/docs/guides/sql', '/api/docs']) {
      await page.goto(api.endpoint + path);
      expect(await page.evaluate(BACKGROUND)).toBe(light);
    }
    await page.getByRole('heading', { name: 'First call' }).waitFor();
    expect(await page.evaluate(BACKGROUND)).toBe(light);
    await page.close();
  });
});
