import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { expectFit, openPage, PATIENT, picture, signedIn } from './browsing.ts';

const SOON = { timeout: 60_000, interval: 500 };

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

describe.runIf(HAS_CHROMIUM)('the search of pages in a browser', () => {
  it('opens with the slash key, and leads to dashboards, cards and stories without a mouse', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'Tamarin sales' });
    await posted(api, `${path}/cards`, textCard('note', { title: 'Tamarin notes' }));
    await givenDashboard(api, { name: 'Tamarin <b>costs</b>' });
    const story = (await api.as('owner').post('/api/stories', { title: 'Tamarin story' })).body.id;
    await api.as('owner').post('/api/reports', { name: 'Tamarin report' });
    await expect.poll(async () => (await api.as('owner').get('/api/search?q=tamarin')).body.total, SOON).toBe(5);
    const { page, complaints, hosts } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    const button = page.getByRole('button', { name: 'Search' });
    const box = page.getByRole('combobox', { name: 'Search dashboards, cards and stories' });
    const options = page.getByRole('option');
    const type = async () => {
      await button.waitFor();
      await page.keyboard.press('/');
      await expect.poll(() => page.evaluate('document.activeElement.role'), SOON).toBe('combobox');
      expect(await box.inputValue()).toBe('');
      await page.keyboard.type('tamar');
      await expect.poll(() => options.count(), SOON).toBe(4);
    };
    await type();
    expect((await options.allTextContents()).sort()).toEqual([
      'CardTamarin notesin Tamarin sales',
      'DashboardTamarin <b>costs</b>',
      'DashboardTamarin sales',
      'StoryTamarin story',
    ]);
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('status').filter({ hasText: '4 results' }).count()).toBe(1);
    await picture(page, 'search-1400-light');
    await expectFit(page, {
      recolor: async () => {
        await page.reload();
        await type();
      },
    });
    await picture(page, 'search-400-dark');
    await page.setViewportSize({ width: 1400, height: 900 });

    const active = () =>
      page.evaluate(
        `document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent`,
      );
    const first = await active();
    await page.keyboard.press('ArrowUp');
    expect(await active()).not.toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe(first);
    await box.fill('tamarin story');
    await expect.poll(() => options.count(), SOON).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/api/d/stories/${story}`);
    await page.getByRole('button', { name: 'Search' }).waitFor();

    await page.keyboard.press('Control+k');
    await box.fill('tamarin notes');
    await expect.poll(() => options.count(), SOON).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/api/d/${id}#card-note`);
    await page.keyboard.press('/');
    await box.fill('zebrafinch');
    await page.getByText('Nothing found for “zebrafinch”.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => box.isVisible(), SOON).toBe(false);
    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('is not on share links', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'Tamarin in public' });
    await posted(api, `${path}/cards`, textCard('note'));
    expect((await api.as('owner').post(`${path}/publish`, {})).status).toBe(200);
    const share = { contentType: 'dashboard', contentId: id, shareType: 'public' };
    const { url } = (await api.as('owner').post('/api/shares', share)).body;
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.getByText('The text of note').waitFor();
    await page.keyboard.press('/');
    expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
    expect(await page.locator('dialog.search').count()).toBe(0);
    await page.close();
  });
});
