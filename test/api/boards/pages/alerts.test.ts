import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { evaluate } from '../../../support/given/alert-work.ts';
import { ALERTS } from '../../../support/given/alerts.ts';
import { givenShopDashboard, OVERFLOW, openPage, PATIENT, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** Pictures for people who look at the page; none in a usual run. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

describe.runIf(HAS_CHROMIUM)('alerts in a browser', () => {
  it('are set from a card with two clicks and a number, and listed with their state', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenShopDashboard(api);
    const { page, complaints, hosts } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const card = page.locator('#card-bars');
    await card.hover();
    await card.locator('.alert-bell').click();
    const threshold = page.getByLabel('Threshold');
    await threshold.waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('number');
    await page.keyboard.type('1');
    await picture(page, 'alert-1400');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set the alert' }).click();
    await page.getByText('The alert is set.').waitFor();
    const [alert] = (await api.as('owner').get(`${ALERTS}?dashboardId=${id}`)).body.items;
    expect(alert).toMatchObject({
      condition: {
        source: { kind: 'card', id: 'bars', dashboardId: id },
        reduce: 'any_row',
        operator: 'gt',
        threshold: 1,
      },
      isRecipient: true,
    });
    await evaluate(api, [alert], 1);
    await page.reload();
    await settled(page);
    await page.getByText('Alerts (1)').click();
    await page.getByText('fired', { exact: true }).waitFor();
    expect(await card.locator('.alert-bell').getAttribute('aria-label')).toMatch(/, 1 set, fired$/);
    await picture(page, 'alerts-1400');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 400, height: 800 });
    await settled(page);
    await card.scrollIntoViewIfNeeded();
    await card.locator('.alert-bell').click();
    await threshold.waitFor();
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    await picture(page, 'alert-400');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
  });
});
