import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import { expectFit, openPage, PATIENT, picture, settled, signedIn } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

const SALES = `SELECT ['North', 'South', 'East'][1 + i % 3] AS region, 'City ' || (i % 5) AS city,
  DATE '2026-01-15' + INTERVAL (i % 4) MONTH AS placed, i % 17 AS customer, (i * 7919) % 5000 AS amount
  FROM range(0, 240) r(i)`;

describe.runIf(HAS_CHROMIUM)('tables with totals in a browser', () => {
  it('have groups of columns, subtotals below their rows and the total last', { timeout: PATIENT }, async ({ api }) => {
    const { id: datasetId } = await givenDataset(api, { name: 'sales', sql: SALES });
    const query = {
      source: { kind: 'dataset', id: datasetId },
      dimensions: [
        { column: 'region', label: 'Region' },
        { column: 'city', label: 'City' },
        { column: 'placed', grain: 'month', label: 'Month' },
      ],
      measures: [
        { column: 'customer', aggregation: 'count_distinct', label: 'Customers' },
        { column: 'amount', aggregation: 'sum', label: 'Amount' },
      ],
      totals: 'all',
    };
    const months = { columns: ['Month'] };
    const one = { ...query, dimensions: query.dimensions.slice(1), measures: query.measures.slice(1), pivot: months };
    const place = (x: number, y: number, w: number, h: number) => ({ position: { x, y, w, h } });
    const { id, path } = await givenCards(api, [
      card('groups', chart({ ...query, pivot: months }), { title: 'By month', ...place(0, 0, 24, 10) }),
      card('one', chart({ ...one, totals: 'grand' }), { title: 'Amount by city', ...place(0, 10, 12, 8) }),
      card('flat', chart({ ...query, dimensions: query.dimensions.slice(0, 2) }), {
        title: 'Subtotals',
        ...place(12, 10, 12, 8),
      }),
    ]);
    await publish(api, path);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const headings = (cardId: string) => page.locator(`#card-${cardId} th`).allTextContents();
    const total = ['Customers', 'Amount'];
    expect(await headings('groups')).toEqual([
      ...['Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026', 'Total'],
      ...['Region', 'City', ...total, ...total, ...total, ...total, ...total],
    ]);
    expect(await headings('one')).toEqual(['City', 'Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026', 'Total']);

    const firsts = (cardId: string) => page.locator(`#card-${cardId} tr.total td:first-child`).allTextContents();
    expect(await firsts('groups')).toEqual(['East', 'North', 'South', 'Total']);
    expect(await firsts('flat')).toEqual(['East', 'North', 'South', 'Total']);
    const rows = page.locator('#card-flat tbody tr');
    expect(await rows.count()).toBe(15 + 3 + 1);
    // Customers buy in many cities.
    expect(await rows.last().locator('td').allTextContents()).toEqual(['Total', '', '17', expect.any(String)]);
    expect(await page.locator('#card-flat tr.total button').count()).toBe(0);

    const heading = page.locator('#card-flat').getByRole('columnheader', { name: 'Amount' });
    await heading.getByRole('button').press('Enter');
    expect([await firsts('flat'), await rows.count()]).toEqual([['Total'], 16]);
    await heading.getByRole('button').press('Enter');
    await heading.getByRole('button').press('Enter');
    expect(await rows.count()).toBe(19);

    await picture(page, 'totals-1400', true);
    await page.setViewportSize({ width: 400, height: 800 });
    await picture(page, 'totals-400', true);
    await expectFit(page, { recolor: () => page.reload().then(() => settled(page)) });
    expect(complaints).toEqual([]);

    const { url } = await givenShare(api, id);
    const opened = await openPage(browser);
    await opened.page.goto(url);
    await opened.page.locator('#card-flat tr.total').first().waitFor();
    expect(await opened.page.locator('#card-flat tr.total td:first-child').allTextContents()).toEqual([
      ...['East', 'North', 'South', 'Total'],
    ]);
    expect(opened.complaints).toEqual([]);
  });
});
