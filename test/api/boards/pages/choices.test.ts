import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import { OVERFLOW, openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

describe.runIf(HAS_CHROMIUM)('readers of a page', () => {
  it('choose several values of a filter from a list with a search', { timeout: PATIENT }, async ({ api }) => {
    const sql = `SELECT 'Name ' || lpad(n::VARCHAR, 3, '0') AS name, n AS amount FROM range(1, 251) AS t(n)`;
    const { id: datasetId } = await givenDataset(api, { name: 'goods', sql });
    const query = {
      source: { kind: 'dataset', id: datasetId },
      dimensions: [{ column: 'name', label: 'Name' }],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
    };
    const { id, path } = await givenCards(api, [card('goods', chart(query), { title: 'Goods' })]);
    await posted(api, `${path}/filters`, { fieldId: 'name', filterType: 'multi_select', label: 'Name' });
    await publish(api, path);
    const share = await givenShare(api, id);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    for (const address of [`${api.endpoint}/api/d/${id}`, share.url]) {
      await page.goto(address);
      await settled(page);
      const rows = page.locator('#card-goods tbody tr');
      const choices = page.locator('.choices');
      await choices.locator('summary').click();
      await expect.poll(() => choices.getByRole('checkbox').count()).toBe(100);
      await choices.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => choices.getByRole('checkbox').count()).toBe(200);
      expect(await violations(page)).toEqual([]);
      await picture(page, `choices-${address === share.url ? 'link' : 'member'}`);
      await page.setViewportSize({ width: 400, height: 800 });
      expect(await page.evaluate(OVERFLOW)).toBe(0);
      await picture(page, 'choices-narrow');
      await page.setViewportSize({ width: 1400, height: 900 });
      await choices.getByRole('searchbox').fill('NAME 24');
      await expect.poll(() => choices.getByRole('checkbox').count()).toBe(10);
      await choices.getByLabel('Name 242').check();
      await choices.getByRole('searchbox').fill('007');
      await expect.poll(() => choices.getByRole('checkbox').count()).toBe(1);
      await choices.getByLabel('Name 007').check();
      await expect.poll(() => rows.count()).toBe(2);
      await picture(page, 'choices-chosen');
      await page.keyboard.press('Escape');
      expect(await choices.getAttribute('open')).toBeNull();
      expect(await choices.locator('summary').textContent()).toBe('Name 242, Name 007');
      // The chosen values come first, and the address keeps them.
      await page.reload();
      await settled(page);
      await expect.poll(() => rows.count()).toBe(2);
      await choices.locator('summary').click();
      await expect.poll(() => choices.getByRole('checkbox').count()).toBe(101);
      expect(
        await choices
          .locator('label')
          .allTextContents()
          .then((texts) => texts.slice(0, 3)),
      ).toEqual(['Name 242', 'Name 007', 'Name 001']);
      await choices.getByRole('button', { name: 'Clear' }).click();
      await expect.poll(() => rows.count()).toBeGreaterThan(2);
    }
    expect(complaints).toEqual([]);
  });
});
