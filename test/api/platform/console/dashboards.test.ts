import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { publish } from '../../../support/given/shares.ts';
import { givenShopDashboard, HOSTILE } from '../../boards/pages/browsing.ts';

const consoles = useConsoles();

const LONG = `x${'-very-long-name'.repeat(12)}`;

const more = async (page: Page, button: string, choice: string) => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name: choice }).click();
};
const settled = (page: Page) => expect.poll(() => page.locator('[data-card][aria-busy]').count()).toBe(0);

describe.runIf(HAS_CHROMIUM)('the list of dashboards in the console', () => {
  it('shows what is a draft, published and certified, and changes records', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/dashboards' });
    await page.getByRole('heading', { name: 'There are no dashboards yet' }).waitFor();
    await expectGoodInAllForms(page, 'dashboards empty');

    const sales = await givenDashboard(api, { name: 'Sales <b>of</b> today', description: `About ${LONG}` });
    await posted(api, `${sales.path}/cards`, textCard('a'));
    await publish(api, sales.path);
    await givenDashboard(api, { name: LONG });
    await api.as('owner').put(`/api/catalog/certifications/dashboard/${sales.id}`, { status: 'certified' });
    await page.reload();
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    const row = page.getByRole('row', { name: 'Sales' });
    await expect.poll(() => row.textContent()).toMatch(/Certified.*✓ published/);
    expect(await page.getByRole('row', { name: `${LONG} draft` }).textContent()).toContain('– draft');
    await expectGoodInAllForms(page, 'dashboards');

    await page.getByLabel('Show').selectOption('published');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByRole('heading', { name: 'No dashboard matches' }).waitFor();
    await page.getByRole('searchbox').fill('TODAY');
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);

    await more(page, 'Actions of Sales <b>of</b> today', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('Sales today');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sales today' }).waitFor();
    const stored = async () => (await api.as('owner').get(`/api/dashboards/${sales.id}`)).body;
    expect((await stored()).name).toBe('Sales today');

    await more(page, 'Actions of Sales today', 'Delete');
    await page.getByText('Nothing else uses it.').waitFor();
    await expectGoodInAllForms(page, 'dashboards delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No dashboard matches' }).waitFor();
    expect((await stored()).deletedAt).not.toBeNull();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Sales today' }).waitFor();
    expect((await stored()).deletedAt).toBeNull();

    // Later, its editors restore it at its address.
    await api.as('owner').delete(`/api/dashboards/${sales.id}`);
    await page.goto(`${api.endpoint}/api/console/dashboards/${sales.id}`);
    await page.getByRole('heading', { name: 'This dashboard was deleted' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(async () => (await stored()).deletedAt).toBeNull();
    await page.getByRole('heading', { name: 'This dashboard was deleted' }).waitFor({ state: 'detached' });
  });

  it('has ten thousand, offers viewers nothing that they may not do, and says what failed', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { path } = await givenDashboard(api, { name: 'Seen' });
    await posted(api, `${path}/cards`, textCard('a'));
    await publish(api, path);
    await givenDashboard(api, { name: 'Hidden' });
    const { body: list } = await api.as('owner').get('/api/dashboards?name=Seen&include=viewerMeta');
    const page = await consoles.open(api, { as: 'viewer', path: '/dashboards' });
    await page.getByRole('link', { name: 'Seen' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'New dashboard' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions of Seen' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy link']);
    await page.keyboard.press('Escape');
    for (const width of [390, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const name = page.getByRole('columnheader', { name: 'Name' });
      expect(await name.evaluate(({ clientWidth }) => clientWidth), `${width} px`).toBeGreaterThan(120);
      await page.getByRole('button', { name: 'Actions of Seen' }).waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.route(/\/api\/dashboards\?/, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset') ?? 0)];
      const items = Array.from({ length: Math.min(limit, 10_000 - offset) }, (_, index) => ({
        ...list.items[0],
        id: `id-${offset + index}`,
        name: `dashboard ${offset + index}`,
      }));
      await route.fulfill({ json: { items, total: 10_000, limit, offset } });
    });
    await page.reload();
    await page.getByRole('link', { name: 'dashboard 0', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Dashboards' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 'dashboard 9999', exact: true }).waitFor();
    await expectGoodInAllForms(page, 'dashboards long');

    await page.unroute(/\/api\/dashboards\?/);
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    await page.route(/\/api\/dashboards\?/, (route) =>
      route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }),
    );
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'It failed.' }).waitFor();
    await expectGoodInAllForms(page, 'dashboards failed');
    await page.unroute(/\/api\/dashboards\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Seen' }).waitFor();
  });
});

describe.runIf(HAS_CHROMIUM)('a dashboard in the console', () => {
  it('shows its cards as they are stored, and filters, pages, bookmarks and files', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenShopDashboard(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}` });
    await page.getByRole('heading', { level: 1, name: `Shop ${HOSTILE}` }).waitFor();
    const rows = page.locator('#card-rows tbody tr');
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50', 'South€5.25', '(empty)€1']);
    await page.locator('#card-bars .picture svg').waitFor();
    expect(await page.locator('#card-text').textContent()).toBe(`Note${HOSTILE}`);
    await settled(page);
    await expectGoodInAllForms(page, 'dashboard');

    await page.locator('#card-bars .picture').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('#card-bars .tip').textContent()).toMatch(/Region North.*Revenue €30\.50/);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Filter other cards by North' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(3);

    await page.getByLabel('Region contains').fill('Nor');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50']);

    await more(page, 'Bookmarks', 'Save this view');
    await page.getByRole('textbox', { name: 'Name' }).fill('The north');
    await page.getByLabel('Open the dashboard with it').check();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: kept } = await api.as('owner').get(`/api/dashboards/${id}/bookmarks`);
    expect(kept.items).toMatchObject([{ name: 'The north', isDefault: true, isPersonal: true }]);
    expect(Object.values(kept.items[0].state.filters)).toEqual(['Nor']);
    await page.goto(`${api.endpoint}/api/console/dashboards/${id}`);
    await expect.poll(() => rows.count()).toBe(1);
    await more(page, 'Bookmarks', 'Open without a bookmark');
    await expect.poll(() => rows.count()).toBe(3);

    await settled(page);
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      more(page, 'Actions of Regions', 'Download as CSV'),
    ]);
    expect(await readFile(await sheet.path(), 'utf8')).toContain('North,30.50');
    const [pdf] = await Promise.all([page.waitForEvent('download'), more(page, 'More actions', 'Download as PDF')]);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');

    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The cards are refreshed.').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').nth(1).click();
    await page.locator('#card-later tbody tr').first().waitFor();
    expect(new URL(page.url()).searchParams.get('page')).toBe('more');
  });

  it('shows viewers what is published, and others nothing', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShopDashboard(api);
    const page = await consoles.open(api, { as: 'viewer', path: `/dashboards/${id}` });
    await page.getByRole('alert').filter({ hasText: 'DASHBOARD_NOT_FOUND' }).waitFor();
    await expectGoodInAllForms(page, 'dashboard missing');
    await publish(api, path);
    await page.reload();
    await page.locator('#card-rows tbody tr').first().waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).not.toContain('Delete');
  });
});
