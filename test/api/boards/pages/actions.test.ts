import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { publish } from '../../../support/given/shares.ts';
import { givenShopDashboard, HOSTILE, openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

describe.runIf(HAS_CHROMIUM)('the menus of a dashboard and of its cards', () => {
  it('refresh cards, show one on the whole screen, and download files', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShopDashboard(api);
    await publish(api, path);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);

    const actions = page.getByRole('button', { name: 'Actions of Dashboard' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Refresh' }).waitFor();
    await picture(page, 'actions');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menuitem').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Actions');

    const reads: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/data')) reads.push(request.postDataJSON().maxAgeSeconds);
    });
    await actions.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('The cards are refreshed.').waitFor();
    expect(reads).toEqual([0, 0]);

    await page.getByRole('button', { name: 'Actions of Regions' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
    const file = await downloading;
    expect(await readFile((await file.path())!, 'utf8')).toMatch(/^\uFEFF?Region,Revenue\r?\nNorth,30\.50?/);

    await actions.click();
    const document = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as PDF' }).click();
    expect((await readFile((await (await document).path())!)).subarray(0, 5).toString()).toBe('%PDF-');

    await page.getByRole('button', { name: `Actions of Revenue ${HOSTILE}` }).click();
    await page.getByRole('menuitem', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate('document.fullscreenElement?.id')).toBe('card-bars');
    expect(complaints).toEqual([]);
  });
});
