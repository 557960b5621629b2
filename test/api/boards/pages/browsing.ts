import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShop } from '../../../support/given/shop.ts';

/** Charts take seconds of processor time, which other tests use too. */
export const PATIENT = 240_000;
export const HOSTILE = `</script><img src="https://evil.example.com/x" onerror="document.title='evil'">`;
export const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
export const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
const VIOLATIONS = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;
const REPORT_BLOCKED = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI))`;

/** Two pages: a chart, a table and a text on the first, a card that fails on the second. */
export async function givenShopDashboard(
  api: Api,
): Promise<{ id: string; path: string; modelId: string; regionId: string; nameId: string }> {
  const { id: modelId, fields, revenue } = await givenShop(api);
  const { id, path } = await givenDashboard(api, { name: `Shop ${HOSTILE}` });
  await posted(api, `${path}/pages`, { id: 'overview', name: 'Overview' });
  await posted(api, `${path}/pages`, { id: 'more', name: `More ${HOSTILE}` });
  const query = {
    source: { kind: 'model', id: modelId },
    dimensions: [{ fieldId: fields.region, label: 'Region' }],
    measures: [{ measureId: revenue }],
    sort: [{ column: 'Revenue', direction: 'desc' }],
  };
  const card = (cardId: string, title: string, look: object, more: object) =>
    posted(api, `${path}/cards`, {
      id: cardId,
      cardType: 'chart',
      title,
      chartSpec: { version: 1, query, ...look },
      ...more,
    });
  await card(
    'bars',
    `Revenue ${HOSTILE}`,
    { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Revenue' } } },
    { pageId: 'overview', position: { x: 0, y: 0, w: 12, h: 8 } },
  );
  await card(
    'rows',
    'Regions',
    { mark: { type: 'table', columns: [{ field: 'Region' }, { field: 'Revenue', showBar: true }] } },
    { pageId: 'overview', position: { x: 12, y: 0, w: 12, h: 8 } },
  );
  await posted(
    api,
    `${path}/cards`,
    textCard('text', {
      pageId: 'overview',
      textContent: `### Note\n${HOSTILE}`,
      position: { x: 0, y: 8, w: 24, h: 3 },
    }),
  );
  await card('later', 'Later', { mark: { type: 'table' } }, { pageId: 'more', position: { x: 0, y: 0, w: 24, h: 6 } });
  await posted(api, `${path}/filters`, { fieldId: fields.region, filterType: 'text', label: 'Region contains' });
  return { id, path, modelId, regionId: fields.region, nameId: fields.name };
}

/** Stores a sign-in of the person to this workspace in the cookie of the browser. */
export async function signedIn(api: Api, page: Page, person?: { email: string; password: string }): Promise<void> {
  const { email, password } = person ?? (await api.password('owner'));
  const begun = await api.as('anonymous').post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
  await page.goto(`${api.endpoint}/api/sign-in`);
  await page.getByLabel('Email').waitFor();
  const opening = JSON.stringify({ refreshToken: begun.body.refreshToken });
  await page.evaluate(
    `fetch('/api/d/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${opening}' })`,
  );
}

/** The cookie of a browser that is signed in. */
export async function cookieOf(
  api: Api,
  person: 'owner' | 'editor' | 'viewer' | { email: string; password: string },
): Promise<string> {
  const { email, password } = typeof person === 'string' ? await api.password(person) : person;
  const begun = await api.as('anonymous').post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
  const opened = await api.as('anonymous').post('/api/d/session', { refreshToken: begun.body.refreshToken });
  expect(opened.status).toBe(200);
  expect(opened.body).not.toHaveProperty('refreshToken');
  const [cookie = '', ...attributes] = opened.headers.get('set-cookie')!.split('; ');
  expect(attributes).toEqual(['Path=/api/d', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']);
  // The token that a script has seen has been exchanged.
  expect(cookie).not.toContain(begun.body.refreshToken);
  return cookie;
}

/** What a browser gets that opens the address. */
export const openAs = (api: Api, path: string, cookie?: string) =>
  fetch(api.endpoint + path, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...(cookie === undefined ? {} : { cookie }) },
  });

export async function openPage(
  browser: Browser,
  more: { timezoneId?: string } = {},
): Promise<{ page: Page; hosts: Set<string>; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light', ...more });
  page.setDefaultTimeout(PATIENT / 4);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser reports a reply that is an error as such; the page asks whether it is signed in.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text());
  });
  await page.addInitScript(REPORT_BLOCKED);
  return { page, hosts, complaints };
}

/** All cards have their rows or say why not. */
export const settled = (page: Page | Frame) =>
  page.locator('#status', { hasText: 'All cards are loaded.' }).waitFor({ state: 'attached' });

export async function violations(page: Page | Frame): Promise<unknown> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  return page.evaluate(VIOLATIONS);
}

/** The frame of the page at an address of the platform. */
export async function frameOf(page: Page, path: string): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes(path));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find()!;
}

/** Pictures for people who look at the page; none in a usual run. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
}

interface Fitting {
  /** The frame to look at; by default, the page itself. */
  view?: Page | Frame;
  /** Follows each change of the color scheme: pages that are not embedded choose their colors when they are loaded. */
  recolor?: () => Promise<unknown>;
}

/** The page fits and has no violation on desktop and phone, in light and in dark mode. */
export async function expectFit(page: Page, { view = page, recolor = async () => {} }: Fitting = {}): Promise<void> {
  const backgrounds = new Set<unknown>();
  for (const colorScheme of ['light', 'dark'] as const) {
    if (!(await page.evaluate(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches`))) {
      await page.emulateMedia({ colorScheme });
      await recolor();
    }
    for (const width of [1400, 400]) {
      await page.setViewportSize({ width, height: 800 });
      expect([await view.evaluate(OVERFLOW), await violations(view)], `${colorScheme}, ${width} px`).toEqual([0, []]);
    }
    backgrounds.add(await view.evaluate(BACKGROUND));
  }
  expect(backgrounds.size).toBe(2);
}
