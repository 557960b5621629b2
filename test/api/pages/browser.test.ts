import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../support/chromium.ts';
import { givenDashboard, textCard } from '../../support/given/dashboard.ts';
import { posted } from '../../support/given/model.ts';
import { givenShop } from '../../support/given/shop.ts';

/** Charts take seconds of processor time, which other tests use too. */
const PATIENT = 240_000;
const HOSTILE = `</script><img src="https://evil.example.com/x" onerror="document.title='evil'">`;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
const VIOLATIONS = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;
const REPORT_BLOCKED = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI))`;

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** Two pages: a chart, a table and a text on the first, a card that fails on the second. */
async function givenShopDashboard(api: Api): Promise<{ id: string; modelId: string }> {
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
  return { id, modelId };
}

async function openPage(): Promise<{ page: Page; hosts: Set<string>; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: 'light' });
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

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** All cards have their rows or say why not. */
const settled = (page: Page) =>
  page.locator('#status', { hasText: 'All cards are loaded.' }).waitFor({ state: 'attached' });

async function violations(page: Page): Promise<unknown> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  return page.evaluate(VIOLATIONS);
}

describe.runIf(HAS_CHROMIUM)('dashboards in a browser', () => {
  it('can be read after a sign-in, filtered, and switched', { timeout: PATIENT }, async ({ api }) => {
    const { id, modelId } = await givenShopDashboard(api);
    const { page, hosts, complaints } = await openPage();
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await page.getByLabel('Email').waitFor();
    expect(await violations(page)).toEqual([]);
    await signIn(page, await api.password('owner'));

    // The sign-in is to the workspace that the person joined first; the dashboard is in another one.
    await page.getByRole('heading', { name: 'There is no such dashboard' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.evaluate(
      `fetch('/api/d/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify({ workspaceId: api.workspaceId })}' })`,
    );
    await page.reload();
    await page.getByRole('heading', { level: 1, name: `Shop ${HOSTILE}` }).waitFor();
    await settled(page);
    const table = page.locator('#card-rows table');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(3);
    expect(await page.locator('#card-rows .age').textContent()).toMatch(/^As of /);
    expect(await violations(page)).toEqual([]);

    // The chart is one stop of the keyboard, and the arrow keys read its values.
    await page.locator('#card-bars .picture').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('#card-bars .tip').textContent()).toMatch(/Region North.*Revenue 30.5/);
    await page.locator('#card-bars .show-data').click();
    await expect.poll(() => page.locator('#card-bars tbody tr').count()).toBe(3);

    await page.getByLabel('Region contains').fill('Nor');
    await page.keyboard.press('Enter');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('filters')).toContain('Nor');
    await page.reload();
    await settled(page);
    await expect.poll(() => table.locator('tbody tr').allTextContents()).toEqual(['North30.5']);

    await api.as('owner').delete(`/api/models/${modelId}`);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').nth(1).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filters')).toContain('Nor');
    expect(await page.getByRole('alert').textContent()).toContain('This card cannot be shown');
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    expect(complaints).toEqual([]);
    await page.goto(`${api.endpoint}/api/sign-in?next=${encodeURIComponent('https://evil.example.com/api/d/')}`);
    await signIn(page, await api.password('owner'));
    // An address elsewhere is not continued with.
    await page.waitForURL(`${api.endpoint}/api/docs`);

    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(await page.title()).not.toBe('evil');
    await page.close();
  });

  it('fit a phone, follow the system to dark, and print', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenShopDashboard(api);
    const { page, complaints } = await openPage();
    const owner = await api.password('owner');
    const begun = await api.as('anonymous').post('/api/auth/login', { ...owner, workspaceId: api.workspaceId });
    await page.goto(`${api.endpoint}/api/sign-in?next=/api/d/${id}`);
    await page.getByLabel('Email').waitFor();
    const opening = JSON.stringify({ refreshToken: begun.body.refreshToken });
    await page.evaluate(
      `fetch('/api/d/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${opening}' })`,
    );
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    const [bars, rows] = await Promise.all(['bars', 'rows'].map((card) => page.locator(`#card-${card}`).boundingBox()));
    expect(rows!.y).toBeGreaterThanOrEqual(bars!.y + bars!.height);
    expect(rows!.x).toBe(bars!.x);
    expect(await violations(page)).toEqual([]);

    const light = await page.evaluate(BACKGROUND);
    const label = page.locator('#card-bars svg text').first();
    const ink = await label.getAttribute('fill');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await settled(page);
    expect(await page.evaluate(BACKGROUND)).not.toBe(light);
    expect(await label.getAttribute('fill')).not.toBe(ink);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    await expect.poll(() => label.getAttribute('fill')).toBe(ink);

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
    expect(await page.locator('#card-bars svg').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
