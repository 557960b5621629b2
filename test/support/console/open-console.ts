import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import type { Api } from '../api.ts';
import { HAS_CHROMIUM, launchChromium } from '../chromium.ts';

export { HAS_CHROMIUM };

/** Pages take seconds of processor time, which other tests use too. */
export const PATIENT = 240_000;

type Person = 'owner' | 'editor' | 'viewer';

interface Opening {
  /** Who is signed in; `null` for a browser without a sign-in. */
  as?: Person | null;
  /** Below the console, such as `/runs?status=failed`. */
  path?: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
  /** Runs before the page is loaded, such as to change replies. */
  before?: (page: Page) => Promise<unknown>;
  /** Whether the page may send files to the storage of the platform, which has an address of its own. */
  uploads?: boolean;
}

export interface Consoles {
  /** Opens a page of the console in a browser of its own. The test fails if the page complains. */
  open(api: Api, opening?: Opening): Promise<Page>;
}

const REPORT_BLOCKED = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI))`;

/**
 * Opens consoles in one browser for all tests of the file, each signed in by its cookie. After each test the pages are
 * closed, and the test fails if one of them has reported an error or a violation of its policy, or has asked another
 * host.
 */
export function useConsoles(): Consoles {
  let browser: Promise<Browser> | undefined;
  const opened: { context: BrowserContext; page: Page; complaints: string[] }[] = [];
  afterEach(async () => {
    const all = opened.splice(0);
    await Promise.all(all.map(({ context }) => context.close()));
    expect(all.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  afterAll(async () => (await browser)?.close());
  return {
    async open(api, { as: person = 'owner', path = '', width = 1280, colorScheme = 'light', before, uploads } = {}) {
      browser ??= launchChromium();
      // Colors on the way from one to another have no contrast to check.
      const look = { colorScheme, reducedMotion: 'reduce' } as const;
      const context = await (await browser).newContext({ viewport: { width, height: 800 }, ...look });
      if (person) await context.addCookies([await cookieOf(api, person)]);
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENT / 4);
      const complaints: string[] = [];
      opened.push({ context, page, complaints });
      const host = new URL(api.endpoint).host;
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('request', (request) => {
        const url = new URL(request.url());
        const isUpload = uploads === true && request.method() === 'PUT' && url.hostname === '127.0.0.1';
        if (url.host !== host && !isUpload && url.protocol !== 'data:') complaints.push(`asked ${url.host}`);
      });
      page.on('console', (message) => {
        // The browser reports each reply that is an error; what the page makes of it is what tests look at.
        const isReply = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isReply) complaints.push(message.text());
      });
      await page.addInitScript(REPORT_BLOCKED);
      await before?.(page);
      await page.goto(`${api.endpoint}/api/console${path}`);
      return page;
    },
  };
}

/** Signs a person in by the page that asks for it, and waits for the console. */
export async function signInTo(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
}

/** The cookie of a browser that is signed in to the workspace. */
async function cookieOf(api: Api, person: Person) {
  const { email, password } = await api.password(person);
  const anonymous = api.as('anonymous');
  const { body } = await anonymous.post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
  const reply = await anonymous.post('/api/d/session', { refreshToken: body.refreshToken });
  const [name = '', value = ''] = reply.headers.get('set-cookie')!.split(';')[0]!.split('=');
  return { name, value, domain: new URL(api.endpoint).hostname, path: '/api/d', httpOnly: true };
}

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Rules whose verdict depends on colors. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** What axe finds, without what takes time and is not reported: lists of what is right, style sheets read once more. */
const violations = (rules?: readonly string[]) =>
  `axe.run(document, ${JSON.stringify({
    ...{ resultTypes: ['violations'], reporter: 'no-passes', preload: false, selectors: false },
    ...(rules && { runOnly: rules }),
  })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/**
 * The page fits into its window and has no violation of accessibility, as it stands: of all rules, or of those that
 * are given.
 */
export async function expectGood(page: Page, form = '', rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  // Some parts are drawn anew a moment after the window has another size.
  await expect.poll(() => page.evaluate(OVERFLOW), { message: `${form} scrolls sideways` }).toBe(0);
  expect(await page.evaluate(violations(rules)), form).toEqual([]);
}

/** `expectGood` on a desktop in light and in dark mode, and on a dark phone. With PICTURES, writes pictures too. */
export async function expectGoodInAllForms(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width, rules] of [
    ['light', 1280],
    // The other rules have looked at the same elements.
    ['dark', 1280, OF_COLORS],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const form = `${name}, ${colorScheme}, ${width} px`;
    if (process.env.PICTURES) {
      await page.screenshot({ path: `${process.env.PICTURES}/${form.replaceAll(/[^\w-]+/g, '-')}.png` });
    }
    await expectGood(page, form, rules);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}
