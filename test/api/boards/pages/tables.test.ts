import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { publish } from '../../../support/given/shares.ts';
import { openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

const ROWS = `SELECT i::INTEGER AS n, 'Name ' || i AS name, (i % 7) - 3 AS change,
  CASE WHEN i = 1 THEN 'javascript:document.title=1' WHEN i % 2 = 0 THEN 'https://example.com/' || i END AS address
  FROM range(1, 1201) r(i)`;

describe.runIf(HAS_CHROMIUM)('tables in a browser', () => {
  it('are sorted by a heading, read page by page, and have links, icons and colors', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id: datasetId } = await givenDataset(api, { name: 'many', sql: ROWS });
    const query = {
      source: { kind: 'dataset', id: datasetId },
      dimensions: ['n', 'name', 'change', 'address'].map((column) => ({ column, label: column })),
      sort: [{ column: 'n', direction: 'asc' }],
      limit: 2000,
    };
    const columns = [
      { field: 'name', link: { field: 'address' }, width: 120, wrap: false },
      { field: 'n' },
      {
        field: 'change',
        rules: [
          { op: 'lt', value: 0, color: '#b93322', icon: 'down' },
          { op: 'gte', value: 3, color: '#19794a' },
        ],
      },
    ];
    const { id, path } = await givenCards(api, [
      card('rows', chart(query, { mark: { type: 'table', columns } }), { title: 'Rows' }),
    ]);
    await publish(api, path);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const firsts = async () =>
      (await page.locator('#card-rows tbody tr td:nth-child(2)').allTextContents()).slice(0, 2);
    const range = page.locator('#card-rows .pager [role=status]');
    expect([await firsts(), await range.textContent()]).toEqual([['1', '2'], '1–500 of 1,200']);

    await page.getByRole('button', { name: 'Next' }).click();
    expect([await firsts(), await range.textContent()]).toEqual([['501', '502'], '501–1,000 of 1,200']);
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    expect(await range.textContent()).toBe('1,001–1,200 of 1,200');
    await page.getByRole('button', { name: 'Next' }).press('Enter');
    expect(await range.textContent()).toBe('1,001–1,200 of 1,200');

    const heading = page.getByRole('columnheader', { name: 'n', exact: true });
    await heading.getByRole('button').press('Enter');
    expect([await heading.getAttribute('aria-sort'), await firsts()]).toEqual(['ascending', ['1', '2']]);
    await heading.getByRole('button').press('Enter');
    expect([await heading.getAttribute('aria-sort'), await firsts()]).toEqual(['descending', ['1,200', '1,199']]);
    expect(await page.locator('#card-rows tbody tr').first().getAttribute('data-row')).toBe('1199');
    await heading.getByRole('button').press('Enter');
    expect([await heading.getAttribute('aria-sort'), await firsts()]).toEqual([null, ['1', '2']]);

    const cells = (row: number) => page.locator(`#card-rows tr[data-row="${row}"] td`);
    // An address that would run code is no link.
    expect(await cells(0).first().locator('a').count()).toBe(0);
    const link = cells(1).first().locator('a');
    expect(await link.getAttribute('href')).toBe('https://example.com/2');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await cells(0).nth(2).textContent()).toBe('▼−2');
    expect(await cells(5).nth(2).getAttribute('style')).toContain('--fill: #19794a');

    await page.locator('#card-rows tbody button.row').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show the rows' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await picture(page, 'tables');
  });
});
