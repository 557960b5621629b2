import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { publish } from '../../../support/given/shares.ts';
import { givenShopDashboard, openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

describe.runIf(HAS_CHROMIUM)('the menu of a dashboard', () => {
  it('shares it by a link and sends it by email, for those who may', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShopDashboard(api);
    await publish(api, path);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const actions = page.getByRole('button', { name: 'Actions of Dashboard' });
    const choose = async (name: string) => {
      await actions.click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('dialog').waitFor();
    };

    await choose('Share by a link');
    await picture(page, 'share-form');
    expect(await violations(page)).toEqual([]);
    expect(await page.getByLabel('Password', { exact: true }).isVisible()).toBe(false);
    await page.getByLabel('Who can open it').selectOption('password');
    await page.getByLabel('Password', { exact: true }).fill('long enough');
    await page.getByLabel('The link ends').selectOption('30');
    await page.getByRole('button', { name: 'Create the link' }).click();
    const address = await page.getByLabel('Address of the link').inputValue();
    const { items } = (await api.as('owner').get(`/api/shares?contentId=${id}`)).body;
    expect(items).toMatchObject([{ shareType: 'password', allowExport: false, status: 'active' }]);
    expect(Date.parse(items[0].expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect((await fetch(address)).status).toBe(200);
    await picture(page, 'share-form-done');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await choose('Send by email');
    const to = page.getByLabel('To, separated by commas');
    const { email } = await api.password('owner');
    expect(await to.inputValue()).toBe(email);
    await to.fill('no address');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await picture(page, 'subscribe-form');
    expect(await violations(page)).toEqual([]);
    await to.fill(email);
    await page.getByLabel('When').selectOption('0 8 * * 1');
    await page.getByLabel('Attach').selectOption('pdf');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The emails are scheduled.').waitFor();
    const schedules = (await api.as('owner').get(`${path}/schedules`)).body.items;
    expect(schedules).toMatchObject([
      { cron: '0 8 * * 1', format: 'pdf', condition: 'always', recipients: [email], isActive: true },
    ]);

    const reading = await openPage(browser);
    await signedIn(api, reading.page, await api.password('viewer'));
    await reading.page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(reading.page);
    await reading.page.getByRole('button', { name: 'Actions of Dashboard' }).click();
    await reading.page.getByRole('menuitem', { name: 'Refresh' }).waitFor();
    for (const name of ['Share by a link', 'Send by email'])
      expect(await reading.page.getByRole('menuitem', { name }).count()).toBe(0);
    expect([complaints, reading.complaints]).toEqual([[], []]);
  });

  it('prints in light colors from dark mode', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShopDashboard(api);
    await publish(api, path);
    const { page, complaints } = await openPage(browser);
    await page.emulateMedia({ colorScheme: 'dark' });
    // Printing would wait for a person.
    await page.addInitScript(`window.print = () => {
      window.printed = [document.body.className, document.querySelector('#card-bars svg text').getAttribute('fill')];
    }`);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const fill = () => page.locator('#card-bars svg text').first().getAttribute('fill');
    const dark = await fill();
    await page.keyboard.press('Control+p');
    await expect.poll(() => page.evaluate('window.printed')).toEqual(['dark-mode printing', expect.any(String)]);
    expect(await page.evaluate('window.printed[1]')).not.toBe(dark);
    await expect.poll(fill).toBe(dark);
    await page.getByRole('button', { name: 'Actions of Dashboard' }).click();
    await page.evaluate('window.printed = undefined');
    await page.getByRole('menuitem', { name: 'Print' }).click();
    await expect.poll(() => page.evaluate('window.printed')).toEqual(['dark-mode printing', expect.any(String)]);
    expect(complaints).toEqual([]);
  });
});
