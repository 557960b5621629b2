import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
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

  it.for(HANDS)('are made of texts, charts and cards, by %s', { timeout: PATIENT }, async (hand, { api }) => {
    const sales = await givenDataset(api, {
      name: 'sales',
      sql: `SELECT * FROM (VALUES ('North', 120.5), ('South', 250)) AS t(region, amount)`,
    });
    const page = await consoles.open(api, { as: 'editor', path: '/dashboards/reports' });
    const clicks = new Clicks(page, hand);
    const isGood = async (name: string) => hand === 'mouse' && (await expectGoodInAllForms(page, name));
    await clicks.press(page.getByRole('link', { name: 'New report' }));
    const name = page.getByLabel('Name', { exact: true });
    await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await clicks.type(name, 'Week');
    await clicks.key('Enter');
    await page.getByRole('heading', { name: 'This report has no blocks yet' }).waitFor();
    await isGood('report editor empty');
    const blocks = page.getByRole('region', { name: 'Blocks' });
    const add = async (choice: string) => {
      await clicks.press(blocks.getByRole('button', { name: 'Add block' }));
      await clicks.press(page.getByRole('menuitem', { name: choice, exact: true }));
    };
    const focused = () =>
      page.evaluate('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.title');
    await add('Heading');
    await expect.poll(focused).toBe('Heading');
    await page.keyboard.insertText('Sales');
    await add('Chart, table or number');
    await clicks.press(page.getByRole('button', { name: 'sales', exact: true }));
    await blocks.getByRole('listitem').nth(1).waitFor();
    await expect.poll(focused).toBe('Title');
    await add('Text');
    await expect.poll(focused).toBe('Text');
    await page.keyboard.insertText('Without **returns**.');
    await clicks.press(page.getByRole('button', { name: /^Move Without .* up$/ }));
    await expect.poll(focused).toMatch(/^Move Without .* up$/);
    await page.keyboard.press('Control+s');
    await page.getByText('The report is saved.').waitFor();
    await page.getByText('All changes are saved.').waitFor();
    const [{ id }] = (await api.as('owner').get('/api/reports')).body.items;
    const stored = async () => (await api.as('owner').get(`/api/reports/${id}`)).body;
    expect(await stored()).toMatchObject({
      name: 'Week',
      layout: {
        blocks: [
          { type: 'heading', text: 'Sales' },
          { type: 'text', text: 'Without **returns**.' },
          { title: 'sales', chartSpec: { query: { source: { kind: 'dataset', id: sales.id } } } },
        ],
      },
    });
    if (hand === 'keyboard') return;

    // What a parameter changes in a chart.
    await page.getByRole('button', { name: 'Add a parameter' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('least');
    await page.getByLabel('What readers see').fill('At least');
    await page.getByLabel('Type').selectOption('number');
    await page.getByLabel('Default').fill('200');
    await page.getByRole('button', { name: /^Change the chart/ }).click();
    await blocks.locator('.preview svg').waitFor();
    await page.getByLabel('“At least” changes').selectOption({ label: 'rows by amount' });
    await page.getByLabel('“At least” keeps rows whose value').selectOption('gte');
    await page.getByLabel('Shown as').selectOption('table');
    await expect.poll(() => blocks.getByRole('listitem').nth(2).locator('header').textContent()).toContain('Table');
    await expectGoodInAllForms(page, 'report editor');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes are saved.').waitFor();
    await page.getByRole('tab', { name: 'Report' }).click();
    await expect.poll(() => page.locator('.report tbody tr').count()).toBe(1);
    expect(await page.locator('.report tbody tr').textContent()).toContain('South');

    // Issues are at their fields; another person is faster; what was typed stays while other parts are looked at.
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add below Sales', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Link to an image' }).click();
    const address = page.getByLabel('Address of the image');
    await address.fill('http://example.com/a.png');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await address.fill('https://example.com/a.png');
    await api.as('owner').put(`/api/reports/${id}`, { description: 'Of another person' });
    await page.getByRole('tab', { name: 'People' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Home' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await expect.poll(() => address.inputValue()).toBe('https://example.com/a.png');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Another person has changed this in the meantime.').waitFor();
    expect((await stored()).layout.blocks).toHaveLength(3);
    await expectGoodInAllForms(page, 'report editor conflict');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('All changes are saved.').waitFor();
    expect(await stored()).toMatchObject({ description: '', layout: { blocks: [{}, { type: 'image' }, {}, {}] } });
    await page.getByRole('button', { name: 'Remove Link to an image' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await address.waitFor();

    // A copy of a card.
    const query = { source: { kind: 'dataset', id: sales.id }, measures: [{ column: 'amount', aggregation: 'sum' }] };
    await givenCards(api, [
      card('total', chart(query, { mark: { type: 'kpi' } }), { title: 'Total', cardType: 'kpi' }),
    ]);
    await blocks.getByRole('button', { name: 'Add block' }).click();
    await page.getByRole('menuitem', { name: 'Copy of a dashboard card' }).click();
    await page.getByRole('combobox', { name: 'Dashboard', exact: true }).fill('Cards');
    await page.locator('[role=option]').first().click();
    await page.getByLabel('Card', { exact: true }).selectOption({ label: 'Total' });
    await page.getByRole('button', { name: 'Insert' }).click();
    await blocks.getByRole('listitem').nth(4).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await stored()).layout.blocks[4])
      .toMatchObject({ type: 'kpi', title: 'Total', height: 4 });
    await page.getByText('All changes are saved.').waitFor();
    await page.locator('textarea').and(page.getByLabel('Description')).fill('Not saved');
    await page.getByRole('link', { name: 'Home' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect((await stored()).description).toBe('');
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
