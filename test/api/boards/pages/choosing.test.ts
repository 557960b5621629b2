import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { publish } from '../../../support/given/shares.ts';
import { expectFit, openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

const SALES = `SELECT day::DATE AS day, region, amount FROM (VALUES ('2026-01-05', 'North & <b>', 10), ('2026-01-20', 'South', 20),
  ('2026-02-07', 'North & <b>', 30), ('2026-05-08', 'South', 40), ('2026-05-09', 'East', 5)) AS t(day, region, amount)`;

describe.runIf(HAS_CHROMIUM)('readers of a dashboard', () => {
  it('hide series, choose periods, and follow the links of marks', { timeout: PATIENT }, async ({ api }) => {
    const { id: datasetId } = await givenDataset(api, { name: 'sales', sql: SALES });
    const details = await givenDashboard(api, { name: 'Details' });
    const filter = await posted(api, `${details.path}/filters`, { fieldId: 'region', filterType: 'multi_select' });
    const period = await posted(api, `${details.path}/filters`, { fieldId: 'day', filterType: 'date_range' });
    const source = { kind: 'dataset', id: datasetId };
    const rows = { source, dimensions: [{ column: 'region' }], measures: [{ column: 'amount', aggregation: 'sum' }] };
    await posted(api, `${details.path}/cards`, card('rows', chart(rows), { title: 'Rows' }));
    await publish(api, details.path);

    const query = {
      source,
      dimensions: [
        { column: 'day', grain: 'month' },
        { column: 'region', label: 'Region' },
      ],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
    };
    const look = {
      mark: { type: 'bar' },
      encoding: { x: { field: 'day (month)' }, y: { field: 'Amount' }, color: { field: 'Region' } },
      config: {
        links: [
          { title: 'Open in CRM', url: 'https://crm.example.com/regions/{Region}?from={day (month)}' },
          { title: 'Details', dashboardId: details.id, filters: { [filter.id]: 'Region', [period.id]: 'day (month)' } },
        ],
      },
    };
    const { id, path } = await givenCards(api, [
      card('bars', chart(query, look), { title: 'Sales', position: { x: 0, y: 0, w: 24, h: 10 } }),
    ]);
    for (const url of ['javascript:alert(1)', 'https://{Region}.example.com/', 'https://a@{Region}', 'ftp://a/b']) {
      const wrong = chart(query, { ...look, config: { links: [{ title: 'Wrong', url }] } });
      const refused = await api.as('editor').post(`${path}/cards`, card('wrong', wrong));
      expect([refused.status, issuesOf(refused)], url).toEqual([
        400,
        ['/chartSpec/config/links/0/url pattern'].map((each) => expect.stringMatching(new RegExp(each, 'i'))),
      ]);
    }
    await publish(api, path);
    const { page, complaints, hosts } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);

    // The legend.
    const marks = () => page.locator('#card-bars svg [data-row]').count();
    expect(await marks()).toBe(5);
    const south = page.getByRole('button', { name: 'South', exact: true });
    await south.focus();
    await page.keyboard.press('Enter');
    await expect.poll(marks).toBe(3);
    expect(await south.getAttribute('aria-pressed')).toBe('false');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('South');
    await picture(page, 'hidden-series');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'North & <b>', exact: true }).click();
    await expect.poll(marks).toBe(1);
    // The last one stays.
    await page.getByRole('button', { name: 'East', exact: true }).click();
    await south.click();
    await expect.poll(marks).toBe(3);

    // The periods.
    const periods = page.getByRole('combobox', { name: 'Periods of Sales' });
    expect(await periods.inputValue()).toBe('month');
    await periods.focus();
    await periods.selectOption('quarter');
    await expect.poll(() => page.locator('#card-bars svg [data-row][aria-label*="day (quarter): "]').count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('drill')).toContain('"grain":"quarter"');
    // Quarters have the same regions, so the hidden one stays hidden; focus stays too.
    expect(await page.getByRole('button', { name: 'North & <b>', exact: true }).getAttribute('aria-pressed')).toBe(
      'false',
    );
    expect(await page.evaluate('document.activeElement.className')).toBe('grain');
    await page.goBack();
    await expect.poll(() => periods.inputValue()).toBe('month');

    // The links.
    await page.getByRole('button', { name: 'North & <b>', exact: true }).click();
    await expect.poll(marks).toBe(5);
    await page.locator('#card-bars svg [data-row="2"]').click();
    const crm = page.getByRole('menuitem', { name: 'Open in CRM' });
    expect(await crm.getAttribute('href')).toBe(
      'https://crm.example.com/regions/North%20%26%20%3Cb%3E?from=2026-02-01',
    );
    expect([await crm.getAttribute('target'), await crm.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    await picture(page, 'links-of-marks');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('End');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Details');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await settled(page);
    const given = JSON.parse(new URL(page.url()).searchParams.get('filters')!);
    expect(given).toEqual({ [filter.id]: 'North & <b>', [period.id]: { from: '2026-02-01', to: '2026-02-28' } });
    expect(await page.locator('#card-rows tbody tr').allTextContents()).toEqual(['North & <b>30']);

    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    await expectFit(page, { recolor: () => page.reload().then(() => settled(page)) });
    expect([complaints, [...hosts]]).toEqual([[], [new URL(api.endpoint).host]]);
  });
});
