import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';

const consoles = useConsoles();

const ORDERS = `SELECT i AS id, CASE i % 3 WHEN 0 THEN 'North' WHEN 1 THEN 'South' ELSE 'A region with a very long name' END AS region,
  (i * 1.25)::decimal(10, 2) AS amount, DATE '2025-01-01' + i::integer AS placed FROM range(500) r(i)`;

async function givenShop(api: Api) {
  await givenDataset(api, { name: 'orders', sql: ORDERS });
  const { id, path } = await givenModel(api, { name: 'Shop' });
  const orders = await givenTable(api, path, 'orders');
  const region = await givenField(api, orders.path, 'region');
  const placed = await givenField(api, orders.path, 'placed', { dataType: 'date' });
  await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal', aggregation: 'sum' });
  await givenField(api, orders.path, 'secret', { sourceColumn: 'id', dataType: 'integer', isHidden: true });
  const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
  return { id, path, orders, region, placed, revenue: revenue.id };
}

const choose = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Measures and fields' }).getByRole('button', { name }).click();
const cell = (page: Page, row: number, column: number) =>
  page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]`);

describe.runIf(HAS_CHROMIUM)('explore in the console', () => {
  it('answers by chart and table what is picked of a model, and keeps it in the address', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/explore' });
    await page.getByRole('heading', { name: 'There are no models yet' }).waitFor();
    await expectGoodInAllForms(page, 'explore empty');
    const { id, region, placed, revenue } = await givenShop(api);
    await page.reload();
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    await expectGoodInAllForms(page, 'explore models');
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('heading', { name: 'Choose what to see' }).waitFor();
    expect(await page.getByText('secret').count()).toBe(0);
    await expectGoodInAllForms(page, 'explore first');

    await choose(page, 'Revenue');
    await choose(page, 'region');
    await page.locator('.picture svg path').first().waitFor({ state: 'attached' });
    expect(await page.locator('.picture').textContent()).toContain('North');
    await expectGoodInAllForms(page, 'explore chart');
    await page.getByRole('tab', { name: 'Table' }).click();
    const asked = {
      dimensions: [{ fieldId: region }],
      measures: [{ measureId: revenue }],
      sort: [{ column: 'Revenue', direction: 'desc' }],
    };
    const { body: answer } = await api.as('editor').post(`/api/models/${id}/query`, asked);
    for (const [row, values] of answer.rows.entries()) {
      for (const [column, value] of values.entries()) {
        await expect.poll(() => cell(page, row, column).textContent()).toBe(String(value));
      }
    }

    // A filter by values that the model offers.
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByText('Not used until it has a value.').waitFor();
    await page.getByRole('combobox', { name: 'Values of filter 1' }).fill('th');
    await page.getByRole('option', { name: 'South' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await expectGoodInAllForms(page, 'explore filter');
    await page.getByRole('button', { name: 'Remove filter 1' }).click();

    await choose(page, 'region');
    await choose(page, 'placed');
    await page.getByLabel('Compare with').selectOption('a year earlier');
    await page.getByRole('columnheader', { name: 'Revenue, a year earlier' }).waitFor();
    const { body: compared } = await api.as('editor').post(`/api/models/${id}/query`, {
      dimensions: [{ fieldId: placed, grain: 'month', label: 'month' }],
      measures: [{ measureId: revenue }, { expression: 'PRIOR({Revenue}, "year")', label: 'before' }],
      sort: [{ column: 'month', direction: 'asc' }],
    });
    await expect.poll(() => cell(page, 13, 2).textContent()).toBe(String(compared.rows[13][2]));
    await expect.poll(() => cell(page, 0, 2).textContent()).toBe('null');
    await expectGoodInAllForms(page, 'explore compared');
    await page.reload();
    await expect.poll(() => cell(page, 13, 1).textContent()).toBe(String(compared.rows[13][1]));

    await cell(page, 0, 1).click();
    await page.getByRole('button', { name: 'See the rows behind' }).click();
    await page.getByRole('dialog').getByText('31 rows').waitFor();
    await expectGoodInAllForms(page, 'explore rows behind');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'SQL' }).click();
    await page.locator('.explore-sql pre').waitFor();
    await expectGoodInAllForms(page, 'explore sql');

    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator('.picture svg path').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Add to dashboard' }).click();
    await page.getByRole('button', { name: /^New dashboard/ }).click();
    await page.getByText('Added to the draft of “Revenue by placed (month)”').waitFor();
    const { body: boards } = await api.as('owner').get('/api/dashboards/page');
    const { body: board } = await api.as('owner').get(`/api/dashboards/${boards.items[0].id}`);
    expect(board.cards).toMatchObject([{ chartSpec: { query: { source: { kind: 'model', id } } } }]);
    const data = await api.as('owner').post(`/api/dashboards/${board.id}/cards/${board.cards[0].id}/data`, {});
    expect(data.body.rows[13]).toEqual(compared.rows[13]);
  });

  it('is for viewers too, with their rows, without SQL; says to admins what they see', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id, path, orders } = await givenShop(api);
    const policy = {
      name: 'North only',
      tableId: orders.id,
      filterExpression: "[orders.region] = 'North'",
      appliesTo: [{ type: 'everyone' }],
    };
    expect(await api.as('owner').post(`${path}/rls`, policy)).toMatchObject({ status: 201 });
    const viewer = await consoles.open(api, { as: 'viewer', path: `/explore/${id}?view=table` });
    await choose(viewer, 'Revenue');
    await choose(viewer, 'region');
    await viewer.getByText('1 row', { exact: true }).waitFor();
    await expect.poll(() => cell(viewer, 0, 0).textContent()).toBe('North');
    expect(await viewer.getByRole('tab', { name: 'SQL' }).count()).toBe(0);
    expect(await viewer.getByRole('button', { name: 'Add to dashboard' }).count()).toBe(0);
    await expectGoodInAllForms(viewer, 'explore viewer');
    const admin = await consoles.open(api, { path: `/explore/${id}` });
    await choose(admin, 'Revenue');
    await admin.getByText('You see 167 rows of orders, which is protected.').waitFor();
    const { body: theirs } = await api.as('stranger').post('/api/models', { name: 'theirs', sourceId: 'datasets' });
    await admin.goto(`${api.endpoint}/api/console/explore/${theirs.id}`);
    await expect.poll(() => admin.getByRole('alert').textContent()).toContain('MODEL_NOT_FOUND');
  });

  it('says what failed, and goes on when it works again', { timeout: PATIENT }, async ({ api }) => {
    const { id, region, revenue } = await givenShop(api);
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    const q = encodeURIComponent(
      JSON.stringify({ dimensions: [{ fieldId: region }], measures: [{ measureId: revenue }] }),
    );
    for (const [path, address, sign] of [
      ['/explore', /\/api\/models\?/, 'Shop'],
      [`/explore/${id}`, /\/measures\?/, 'Choose what to see'],
      [`/explore/${id}?q=${q}`, /\/query$/, '3 rows'],
      [`/explore/${id}?q=${q}`, /\/charts\/suggest$/, 'Bar'],
      [`/explore/${id}?q=${q}&view=sql`, /\/compile$/, 'Copy SQL'],
    ] as const) {
      await page.route(address, (route) =>
        route.fulfill({ status: 500, json: { ...problem, detail: `It failed: ${address.source}` } }),
      );
      await page.goto(`${api.endpoint}/api/console${path}`);
      const alert = page.getByRole('alert').filter({ hasText: `It failed: ${address.source}` });
      await alert.waitFor();
      if (path === '/explore') await expectGoodInAllForms(page, 'explore failed');
      await page.unroute(address);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
  });
});
