import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { aiScripts } from '../../../support/ai-provider.ts';
import { type Api, it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { chart } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { deployed } from '../../../support/setup/ask.ts';
import {
  expectFit,
  frameOf,
  givenShopDashboard,
  HOSTILE,
  OVERFLOW,
  openPage,
  PATIENT,
  settled,
  violations,
} from './browsing.ts';

const PASSWORD = 'correct horse battery';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const UNKNOWN = `sh_${'A'.repeat(32)}`;

let browser: Browser;
/** A site of a customer, at two origins: 127.0.0.1 and localhost. It records the referrers that browsers send. */
let site: Server;
let served = '';
const referrers: (string | undefined)[] = [];
const siteAt = (host: string) => `http://${host}:${(site.address() as AddressInfo).port}`;

beforeAll(async () => {
  if (!HAS_CHROMIUM) return;
  browser = await launchChromium();
  site = createServer(({ url, headers }, reply) => {
    if (url === '/elsewhere') referrers.push(headers.referer);
    reply.setHeader('content-type', 'text/html').end(url === '/favicon.ico' ? '' : served);
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

async function publish(api: Api, path: string): Promise<void> {
  expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
}

/** Links are made by administrators. */
async function made(api: Api, path: string, body: object): Promise<Record<'id' | 'jti' | 'token' | 'url', string>> {
  const reply = await api.as('owner').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

describe.runIf(HAS_CHROMIUM)('links in a browser', () => {
  it('open a dashboard without a sign-in, with the password if there is one', { timeout: PATIENT }, async ({ api }) => {
    const { id, path, regionId } = await givenShopDashboard(api);
    await posted(api, `${path}/filters`, { fieldId: regionId, filterType: 'select', label: 'Region' });
    const linked = { pageId: 'overview', position: { x: 0, y: 11, w: 24, h: 3 } };
    const target = `${siteAt('127.0.0.1')}/elsewhere`;
    await posted(api, `${path}/cards`, textCard('leaving', { ...linked, textContent: `[Leave](${target})` }));
    await publish(api, path);
    const share = (shareType: string, more: object = {}) =>
      made(api, '/api/shares', { contentType: 'dashboard', contentId: id, shareType, ...more });
    const open = await share('public', { preview: 'picture' });

    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(open.url);
    await page.getByRole('heading', { level: 1, name: `Shop ${HOSTILE}` }).waitFor();
    await settled(page);
    const rows = page.locator('#card-rows tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe(`Shop ${HOSTILE}`);
    // It is for other applications: the browser does not load it.
    expect(await page.locator('meta[property="og:image"]').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    // The list of values comes from the rows of the link.
    await expect
      .poll(() => page.getByLabel('Region', { exact: true }).locator('option').allTextContents())
      .toContain('North');
    await page.getByLabel('Region', { exact: true }).selectOption('North');
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50']);
    await page.locator('#card-bars svg').waitFor();

    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Leave' }).click()]);
    await popup.waitForLoadState();
    expect(referrers).toEqual([undefined]);
    await popup.close();

    await expectFit(page, { recolor: () => page.reload().then(() => settled(page)) });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header.site').isVisible()).toBe(false);
    expect(await page.locator('#card-bars svg').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });

    const locked = await share('password', { password: PASSWORD });
    await page.goto(locked.url);
    await page.getByRole('heading', { name: 'Protected dashboard' }).waitFor();
    expect(await page.content()).not.toContain('Shop');
    await expectFit(page, { recolor: () => page.reload() });
    await page.getByLabel('Password').fill('wrong horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await settled(page);
    await expect.poll(() => rows.count()).toBe(3);
    expect(await page.title()).toBe(`Overview – Shop ${HOSTILE}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').nth(1).click();
    await expect.poll(() => page.locator('#card-later tbody tr').count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('page')).toBe('more');
    const kept = await page.evaluate(
      'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(decodeURIComponent(kept as string)).not.toContain(PASSWORD);

    // A link that has ended says so in place of the cards, and is then a page of its own.
    expect((await api.as('owner').delete(`/api/shares/${locked.id}`)).status).toBe(204);
    await page.getByLabel('Region contains').fill('Nor');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await expectFit(page, { recolor: () => page.reload() });

    expect((await api.as('owner').get('/api/shares')).body.items).toMatchObject([{ id: open.id, viewCount: 1 }]);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(await page.title()).not.toBe('evil');
    await page.close();
  });

  it('show a view in the pages of allowed sites alone', { timeout: PATIENT }, async ({ api }) => {
    const { id, path, regionId } = await givenShopDashboard(api);
    await publish(api, path);
    const token = () =>
      made(api, '/api/embed/tokens', {
        contentType: 'dashboard',
        contentId: id,
        lockedFilters: [{ fieldId: regionId, op: 'eq', values: ['North'] }],
      });
    const [first, second] = [await token(), await token()];
    served = `<!doctype html><html lang="en"><title>Host</title><body>
<script src="${api.endpoint}/api/e/view.js"></script>
<analytics-view token="${first.token}" title="Sales"></analytics-view>
<script>
  const view = document.querySelector('analytics-view');
  view.addEventListener('ready', () => { document.title = 'ready'; });
  view.refreshToken = () => '${second.token}';
</script>`;
    const refused = await api.as('anonymous').get(`/api/e/${first.token}`);
    expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(refused.headers.get('x-frame-options')).toBe('DENY');
    await made(api, '/api/embed/domains', { origin: siteAt('127.0.0.1') });

    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(siteAt('127.0.0.1'));
    await page.locator('analytics-view iframe').waitFor();
    const view = await frameOf(page, '/api/e/');
    await settled(view);
    const rows = view.locator('#card-rows tbody tr');
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50']);
    expect(await page.title()).toBe('ready');
    const height = async () => (await page.locator('analytics-view iframe').boundingBox())!.height;
    const content = () => view.evaluate('Math.ceil(document.body.getBoundingClientRect().height)');
    await expect.poll(async () => (await height()) === (await content())).toBe(true);
    expect(await violations(view)).toEqual([]);
    // The locked filter is not offered, and the header of the page is not part of the view.
    expect(await view.locator('header.site, form.filters').count()).toBe(0);

    await page.setViewportSize({ width: 400, height: 800 });
    expect(await view.evaluate(OVERFLOW)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => view.evaluate('document.body.classList.contains("dark-mode")')).toBe(true);
    expect(await violations(view)).toEqual([]);

    // Messages that are no tokens change nothing. A token that has ended is replaced without loading the view again.
    await page.evaluate(
      `document.querySelector('analytics-view').shadowRoot.querySelector('iframe').contentWindow.postMessage({ type: 'token', token: '<script>' }, '*')`,
    );
    await view.evaluate('window.stays = true');
    expect((await api.as('owner').delete(`/api/embed/tokens/${first.jti}`)).status).toBe(204);
    await page.setViewportSize({ width: 700, height: 800 });
    await expect.poll(() => page.locator('analytics-view').getAttribute('token')).toBe(second.token);
    await expect.poll(() => view.locator('.end').count()).toBe(0);
    await settled(view);
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50']);
    expect(await view.evaluate('window.stays')).toBe(true);
    expect(complaints).toEqual([]);
    expect([...hosts].sort()).toEqual([new URL(api.endpoint).host, new URL(siteAt('127.0.0.1')).host].sort());

    served = served.replace(first.token, second.token);
    await page.goto(siteAt('localhost'));
    await expect.poll(() => complaints.join(' ')).toContain('frame-ancestors');
    expect(await page.title()).toBe('Host');
    await page.close();
  });
});

describe.runIf(HAS_CHROMIUM)('what links offer', () => {
  it('parameters, downloads and questions, if the link allows them', { timeout: PATIENT }, async ({ api }) => {
    const { id, key } = await givenReport(api);
    const allowed = { contentType: 'report', contentId: id, allowExport: true, allowAi: true };
    const { token } = await made(api, '/api/embed/tokens', allowed);
    await made(api, '/api/embed/domains', { origin: siteAt('127.0.0.1') });
    served = `<!doctype html><html lang="en"><title>Host</title><body>
<script src="${api.endpoint}/api/e/view.js"></script><analytics-view token="${token}"></analytics-view>`;
    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(siteAt('127.0.0.1'));
    const view = await frameOf(page, '/api/e/');
    await settled(view);
    await view.getByText('Choose a value for Regions.').waitFor();
    const rows = view.locator('#card-some tbody tr');
    await view.getByLabel('Regions (required)').fill('North, South');
    await view.getByLabel('At least').fill('15');
    await view.getByLabel('At least').blur();
    await expect.poll(() => rows.allTextContents()).toEqual(['South20']);
    const address = new URL(view.url()).searchParams.get('parameters');
    expect(JSON.parse(address!)).toEqual({ regions: ['North', 'South'], least: 15, since: null });
    expect(await violations(view)).toEqual([]);

    const downloading = page.waitForEvent('download');
    await view.getByRole('button', { name: 'Download Some as CSV' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('Some.csv');
    expect(await readFile(await file.path(), 'utf8')).toBe('region,Amount\r\nSouth,20\r\n');

    await view.getByLabel('Your question').fill(`Who is ${key}?`);
    await view.getByRole('button', { name: 'Ask' }).click();
    await view.getByText('<b>Both</b> regions.').waitFor();
    await view.getByText('19 questions are left this hour.').waitFor();
    await expectFit(page, { view });
    expect(complaints).toEqual([]);
    expect([...hosts].sort()).toEqual([new URL(api.endpoint).host, new URL(siteAt('127.0.0.1')).host].sort());

    // A link that allows none of it shows the same report without it, with the values of its address.
    const plain = await made(api, '/api/shares', { contentType: 'report', contentId: id, shareType: 'public' });
    const chosen = encodeURIComponent(JSON.stringify({ regions: ['North'], least: 'no number', __proto__: 1 }));
    await page.goto(`${plain.url}?parameters=${chosen}`);
    await settled(page);
    await expect.poll(() => page.locator('#card-some tbody tr').allTextContents()).toEqual(['North10']);
    expect(await page.locator('.ask, [aria-label^="Download"]').count()).toBe(0);
    await page.getByLabel('Regions (required)').fill('');
    await page.getByLabel('Regions (required)').blur();
    await page.getByText('Choose a value for Regions.').waitFor();
    expect(await violations(page)).toEqual([]);
    // The page reports what its reader does when it is left.
    await page.goto('about:blank');
    const events = async () => (await api.as('owner').get('/api/shares')).body.items[0].events;
    await expect.poll(events).toMatchObject({ filter: 1, error: 0 });
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** A report whose table depends on parameters, and a question that the AI provider answers. */
async function givenReport(api: Api): Promise<{ id: string; key: string }> {
  const dataset = await givenDataset(api, {
    name: 'orders',
    sql: `SELECT * FROM (VALUES ('North', 10, DATE '2026-01-01'), ('South', 20, DATE '2026-02-01')) AS t(region, amount, day)`,
  });
  const query = {
    source: { kind: 'dataset', id: dataset.id },
    dimensions: [{ column: 'region' }],
    measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
  };
  const bindings = [
    { parameter: 'regions', fieldId: 'region' },
    { parameter: 'least', fieldId: 'amount', op: 'gte' },
    { parameter: 'since', fieldId: 'day', op: 'gte' },
  ];
  const blocks = [
    { id: 'text', type: 'text', text: HOSTILE },
    { id: 'some', type: 'table', title: 'Some', chartSpec: chart(query), bindings },
  ];
  const parameters = [
    { name: 'regions', label: 'Regions', type: 'text', isList: true, isRequired: true },
    { name: 'least', label: 'At least', type: 'number' },
    { name: 'since', label: 'Since', type: 'date' },
  ];
  const report = { name: `Orders ${HOSTILE}`, isPublished: true, layout: { blocks }, parameters };
  const { id } = await posted(api, '/api/reports', report);
  const key = `regions-${crypto.randomUUID()}`;
  await aiScripts((await deployed()).aiProvider).put(key, [{ text: '<b>Both</b> regions.' }]);
  return { id, key };
}

describe('the pages of links', () => {
  it('are not cached, listed or framed, and each kind of link has its own', async ({ api }) => {
    const { id, path } = await givenText(api);
    const share = await made(api, '/api/shares', { contentType: 'dashboard', contentId: id, shareType: 'public' });
    const embed = await made(api, '/api/embed/tokens', { contentType: 'dashboard', contentId: id });
    expect(share.url).toBe(`${api.endpoint}/api/s/${share.token}`);
    expect(embed.url).toBe(`${api.endpoint}/api/e/${embed.token}`);

    const page = await api.as('anonymous').get(`/api/s/${share.token}`);
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
    });
    expect(page.headers.get('content-security-policy')).toMatch(/connect-src 'self';.*frame-ancestors 'none'/);
    expect(page.body).not.toContain('<img src="https');

    await made(api, '/api/embed/domains', { origin: 'https://*.example.com' });
    const view = await api.as('anonymous').get(`/api/e/${embed.token}?theme=dark`);
    expect(view.headers.get('content-security-policy')).toContain('frame-ancestors https://*.example.com;');
    expect(view.headers.get('x-frame-options')).toBeNull();
    expect(view.body).toContain('class="embedded dark-mode"');

    const unlocking = { password: 'any' };
    const unlocked = await api.as('anonymous').post(`/api/s/${share.token}`, unlocking);
    expect(unlocked).toMatchObject({ status: 200, body: { title: 'Notes', config: { token: share.token } } });
    for (const address of [
      `/api/s/${embed.token}`,
      `/api/e/${share.token}`,
      `/api/s/${UNKNOWN}`,
      `/api/e/${UNKNOWN}`,
    ]) {
      const missing = await api.as('anonymous').get(address);
      expect(missing, address).toMatchObject({ status: 404, body: { code: 'SHARE_NOT_FOUND' } });
      const shown = await fetch(api.endpoint + address, { headers: BROWSER });
      expect(shown.status).toBe(404);
      expect(await shown.text()).toContain('This link does not work');
    }
    expect((await api.as('anonymous').post(`/api/s/${UNKNOWN}`, unlocking)).status).toBe(404);
    expect((await api.as('owner').delete(path)).status).toBe(204);
    expect((await api.as('anonymous').get(`/api/s/${share.token}`)).status).toBe(404);
  });

  it('limit wrong passwords', async ({ api }) => {
    const { id } = await givenText(api);
    const locked = { contentType: 'dashboard', contentId: id, shareType: 'password', password: PASSWORD };
    const { token } = await made(api, '/api/shares', locked);
    const unlock = (password: string) => api.as('anonymous').post(`/api/s/${token}`, { password });
    const opened = await unlock(PASSWORD);
    const { pass } = opened.body.config;
    expect([opened.status, pass]).toEqual([200, expect.stringMatching(/^lp_/)]);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await unlock(`wrong ${attempt}`)).toMatchObject({ status: 401, body: { code: 'SHARE_PASSWORD' } });
    }
    expect(await unlock(PASSWORD)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_PASSWORDS' } });
    // Those who have opened the page stay: their pass is for this link alone.
    const read = (link: string, password: string) =>
      api.as('anonymous').post(`/api/shares/${link}/content`, { password });
    expect((await read(token, pass)).status).toBe(200);
    const other = await made(api, '/api/shares', locked);
    for (const forged of [pass, pass.replace(/_\d+_/, '_9999999999_'), pass.replace('lp_', 'lp_9')])
      expect(await read(other.token, forged)).toMatchObject({ status: 401, body: { code: 'SHARE_PASSWORD' } });
  });

  it('have a small script for the pages around them', async ({ api }) => {
    const reply = await fetch(`${api.endpoint}/api/e/view.js`);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await reply.arrayBuffer()).byteLength).toBeLessThan(5 * 1024);
    const again = await fetch(`${api.endpoint}/api/e/view.js`, {
      headers: { 'if-none-match': reply.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    expect((await api.as('anonymous').get('/api/e/view.js')).status).toBe(200);
  });
});

async function givenText(api: Api): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/dashboards', { name: 'Notes' });
  const path = `/api/dashboards/${id}`;
  await posted(api, `${path}/cards`, textCard('note', { textContent: HOSTILE }));
  await publish(api, path);
  return { id, path };
}
