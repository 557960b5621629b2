import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';

const consoles = useConsoles();

const HOSTILE = `<img src="https://evil.example.com/x" onerror="document.title='evil'">`;

async function givenReport(api: Api, more: object = {}) {
  const dataset = await givenDataset(api, {
    name: 'sales',
    sql: `SELECT * FROM (VALUES ('North', 120.5), ('South', 250), ('West', 10)) AS t(region, amount)`,
  });
  const query = {
    source: { kind: 'dataset', id: dataset.id },
    dimensions: [{ column: 'region', label: 'Region' }],
    measures: [{ column: 'amount', aggregation: 'sum', label: 'Revenue' }],
    sort: [{ column: 'Region' }],
  };
  const bindings = [
    { parameter: 'regions', fieldId: 'region' },
    { parameter: 'least', fieldId: 'amount', op: 'gte' },
  ];
  const mark = { type: 'bar' };
  const encoding = { x: { field: 'Region' }, y: { field: 'Revenue' } };
  return posted(api, '/api/reports', {
    name: `Monthly ${HOSTILE}`,
    description: 'For the board',
    parameters: [
      { name: 'regions', label: 'Regions', type: 'text', isList: true },
      { name: 'least', label: 'At least', type: 'number', default: 20, isRequired: true },
    ],
    layout: {
      blocks: [
        { id: 'title', type: 'heading', text: 'Revenue of the month' },
        { id: 'intro', type: 'text', text: `Cancelled orders are **not** in it. ${HOSTILE}` },
        {
          id: 'rows',
          type: 'table',
          title: 'By region',
          chartSpec: { version: 1, query, mark: { type: 'table' } },
          bindings,
        },
        {
          id: 'bars',
          type: 'chart',
          title: 'Bars',
          chartSpec: { version: 1, query, mark, encoding },
          bindings,
          height: 6,
        },
        { id: 'line', type: 'divider' },
      ],
    },
    ...more,
  });
}

const more = async (page: Page, button: string, choice: string) => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name: choice }).click();
};

describe.runIf(HAS_CHROMIUM)('reports in the console', () => {
  it('are listed, read with their parameters, and downloaded', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/dashboards' });
    await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: 'There are no reports yet' }).waitFor();
    await expectGoodInAllForms(page, 'reports empty');
    const { id } = await givenReport(api);
    await page.reload();
    await page.getByRole('link', { name: `Monthly ${HOSTILE}` }).waitFor();
    await expectGoodInAllForms(page, 'reports');
    await page.getByRole('link', { name: `Monthly ${HOSTILE}` }).click();

    const rows = page.locator('#card-rows tbody tr');
    await expect.poll(() => rows.allTextContents()).toEqual(['North120.5', 'South250']);
    await page.locator('#card-bars .picture svg').waitFor();
    expect(await page.locator('#card-bars .picture').textContent()).not.toContain('West');
    expect(await page.locator('.report .text').textContent()).toBe(`Cancelled orders are not in it. ${HOSTILE}`);
    await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
    await expectGoodInAllForms(page, 'report');
    await page.getByLabel('Regions').fill('South, West');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.allTextContents()).toEqual(['South250']);
    await expect.poll(() => page.locator('#card-bars .picture').textContent()).not.toContain('North');
    await page.reload();
    await expect.poll(() => rows.allTextContents()).toEqual(['South250']);
    const [pdf] = await Promise.all([page.waitForEvent('download'), more(page, 'Export', 'Download as PDF')]);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByLabel('At least (required)').fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a value for At least.').first().waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => rows.count()).toBe(2);

    await more(page, 'More actions', 'Publish');
    await page.getByText('The report is published.').waitFor();
    expect((await api.as('owner').get(`/api/reports/${id}`)).body.isPublished).toBe(true);
    await page.getByRole('tab', { name: 'Subscriptions' }).click();
    await page.getByRole('button', { name: 'New subscription' }).click();
    await page.getByLabel('Name').fill('First of the month');
    await page.getByLabel('How often').selectOption('monthly');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^day 1 of the month/).waitFor();
    const { body: schedules } = await api.as('owner').get(`/api/reports/${id}/schedules`);
    expect(schedules.items).toMatchObject([{ name: 'First of the month', format: 'pdf' }]);
    await expectGoodInAllForms(page, 'report subscriptions');

    await more(page, 'More actions', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There are no reports yet' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: `Monthly ${HOSTILE}` }).waitFor();
  });

  it('show viewers what is published, and say what failed', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenReport(api);
    const page = await consoles.open(api, { as: 'viewer', path: `/dashboards/reports/${id}` });
    await page.getByRole('alert').filter({ hasText: 'REPORT_NOT_FOUND' }).waitFor();
    await expectGoodInAllForms(page, 'report missing');
    await api.as('owner').put(`/api/reports/${id}`, { isPublished: true });
    await page.reload();
    await page.locator('#card-rows tbody tr').first().waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    await page.route('**/blocks/rows/data', (route) =>
      route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }),
    );
    await page.reload();
    const failed = page.locator('#card-rows').getByRole('alert');
    await failed.getByText('It failed.').waitFor();
    await page.locator('#card-bars .picture svg').waitFor();
    await page.unroute('**/blocks/rows/data');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#card-rows tbody tr').first().waitFor();
  });
});
