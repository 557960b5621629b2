import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';

const consoles = useConsoles();

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const LONG = `customers_${'with_a_very_long_name_'.repeat(4)}`;

/** Customers and their orders. */
async function givenShop(api: Api) {
  await givenDataset(api, { name: LONG, sql: "SELECT 1 AS id, 'eu' AS region UNION ALL SELECT 2, 'us'" });
  await givenDataset(api, {
    name: 'orders',
    sql: "SELECT i AS id, i % 2 + 1 AS customer, i * 2.5 AS amount, CASE i % 2 WHEN 0 THEN 'eu' ELSE 'us' END AS region FROM range(10) r(i)",
  });
  const { id, path } = await givenModel(api, { name: 'Shop', description: 'What <b>people</b> buy' });
  const customers = await givenTable(api, path, LONG, 'customers');
  const orders = await givenTable(api, path, 'orders');
  const fields = {
    id: await givenField(api, customers.path, 'id', { dataType: 'integer' }),
    customer: await givenField(api, orders.path, 'customer', { dataType: 'integer' }),
    region: await givenField(api, orders.path, 'region'),
    amount: await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' }),
  };
  const ends = { fromTableId: customers.id, fromFieldId: fields.id, toTableId: orders.id, toFieldId: fields.customer };
  return { id, path, customers, orders, fields, ends };
}

describe.runIf(HAS_CHROMIUM)('the models in the console', () => {
  it('are made from datasets, and listed', { timeout: PATIENT }, async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.5 AS amount' });
    const page = await consoles.open(api, { as: 'editor', path: '/models' });
    await page.getByRole('heading', { name: 'There are no models yet' }).waitFor();
    await expectGoodInAllForms(page, 'models empty');
    await page.getByRole('main').getByRole('link', { name: 'New model' }).click();
    await page.getByLabel('Name').fill('Sales');
    await expectGoodInAllForms(page, 'model new');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('checkbox', { name: 'orders' }).check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'amount' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect((await api.as('owner').get(`/api/models/${id}/fields`)).body.items).toMatchObject([
      { name: 'id' },
      { name: 'amount' },
    ]);
    await givenModel(api, { name: LONG });
    await page.goto(`${api.endpoint}/api/console/models`);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await expectGoodInAllForms(page, 'models');
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByRole('heading', { name: 'No model matches' }).waitFor();
  });

  for (const hand of HANDS) {
    it(`compute measures that are checked while they are written, by ${hand}`, { timeout: PATIENT }, async ({
      api,
    }) => {
      const { id, path } = await givenShop(api);
      const page = await consoles.open(api, { as: 'editor', path: `/models/${id}?tab=measures` });
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('button', { name: 'New measure' }));
      await clicks.type(page.getByLabel('Name'), 'Revenue');
      const expression = page.getByLabel('Expression');
      await clicks.type(expression, 'SUM([orders.amout])');
      const place = page.getByRole('button', { name: 'Line 1, column 5' });
      await place.waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'model measure with an error');
      await clicks.press(place);
      const selected = () =>
        expression.evaluate((field) => {
          const { value, selectionStart, selectionEnd } = field as HTMLTextAreaElement;
          return value.slice(selectionStart, selectionEnd);
        });
      expect(await selected()).toContain('orders.amout');
      await clicks.type(expression, 'SUM([orders.amount])');
      await page.getByText('Valid: the result is of type').waitFor();
      await clicks.press(page.getByRole('button', { name: 'Create' }));
      await page.getByRole('row', { name: /Revenue/ }).waitFor();
      clicks.expectAtMost(6);
      expect((await api.as('owner').get(`${path}/measures`)).body.items).toMatchObject([
        { name: 'Revenue', expression: 'SUM([orders.amount])' },
      ]);
    });
  }

  it('show tables, relationships, hierarchies, lineage and versions', { timeout: PATIENT }, async ({ api }) => {
    const { id, path, ends } = await givenShop(api);
    const page = await consoles.open(api, { as: 'editor', path: `/models/${id}` });
    await page.getByLabel('Table', { exact: true }).selectOption({ label: 'orders' });
    await page.getByRole('button', { name: 'amount' }).waitFor();
    await expectGoodInAllForms(page, 'model tables');
    await page.getByRole('button', { name: 'region' }).click();
    await page.getByLabel('Description').fill('Where it went');
    await expectGoodInAllForms(page, 'model field');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Where it went' }).waitFor();

    await tab(page, 'Relationships');
    await page.getByRole('heading', { name: 'The tables are not joined yet' }).waitFor();
    await page.getByRole('button', { name: 'New relationship' }).click();
    await page.getByLabel('From').selectOption({ label: 'customers.id' });
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'orders.customer' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'customers.id' }).waitFor();
    expect((await api.as('owner').get(`${path}/relationships`)).body.items).toMatchObject([
      { ...ends, cardinality: '1:N' },
    ]);
    expect(await page.locator('.graph svg path').count()).toBe(1);
    expect(await page.locator('.graph svg text').allTextContents()).toEqual(['1', 'N']);
    await expectGoodInAllForms(page, 'model relationships');

    await tab(page, 'Hierarchies');
    await page.getByRole('button', { name: 'New hierarchy' }).click();
    await page.getByLabel('Name').fill('Place');
    await page.getByLabel('Level 1', { exact: true }).selectOption({ label: 'orders.region' });
    await page.getByLabel('Level 2', { exact: true }).selectOption({ label: 'orders.customer' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell', { name: 'region › customer' }).waitFor();
    await expectGoodInAllForms(page, 'model hierarchies');

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('version 1', { exact: true }).waitFor();
    const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    await api.as('editor').post(`${path}/publish`, {});
    await tab(page, 'Versions');
    await page.reload();
    await page.getByRole('row', { name: /^Version 2 .*\+1 1/ }).waitFor();
    await expectGoodInAllForms(page, 'model versions');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await expectGoodInAllForms(page, 'model restore');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The model has changed since the latest version.').waitFor();
    expect((await api.as('owner').get(`${path}/measures/${revenue.id}`)).status).toBe(404);

    await tab(page, 'Lineage');
    await page.locator('[data-node]', { hasText: 'orders' }).waitFor();
    await expectGoodInAllForms(page, 'model lineage');
  });

  it('are edited as a file, with errors at their lines and nothing lost', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShop(api);
    await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const page = await consoles.open(api, { as: 'editor', path: `/models/${id}?tab=file` });
    const field = page.getByRole('textbox', { name: 'Shop as YAML' });
    await field.waitFor();
    const write = async (text: string) => {
      await field.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    };
    const { text: file } = await rawFile(api, path);
    expect(await field.locator('.cm-line').first().textContent()).toBe(file.split('\n')[0]);
    await write(file.replace('SUM([orders.amount])', 'SUM([orders.amout])'));
    await page.getByRole('button', { name: 'Check' }).click();
    const line = file.split('\n').findIndex((each) => each.includes('SUM([orders.amount])')) + 1;
    const place = page.getByRole('button', { name: new RegExp(`^Line ${line}, column \\d+$`) });
    await place.waitFor();
    await place.click();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Shop as YAML');
    await expectGoodInAllForms(page, 'model file with errors');
    await write(file.replace('SUM([orders.amount])', 'MAX([orders.amount])'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Measures: changed Revenue (expression)').waitFor();

    // Another person saves a part of the model meanwhile.
    await posted(api, `${path}/measures`, { name: 'Theirs', expression: 'COUNT([orders.customer])' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this in the meantime.').waitFor();
    await page.locator('.their-file', { hasText: 'Theirs' }).waitFor();
    expect((await rawFile(api, path)).text).toContain('SUM([orders.amount])');
    await expectGoodInAllForms(page, 'model file changed');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await write((await rawFile(api, path)).text.replace('SUM([orders.amount])', 'MAX([orders.amount])'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The file is saved.').waitFor();
    const saved = (await rawFile(api, path)).text;
    expect(saved).toContain('MAX([orders.amount])');
    expect(saved).toContain('Theirs');
  });

  it('have parameters, a fiscal calendar and rollups, and lose no change of two people', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id, path, fields } = await givenShop(api);
    await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const page = await consoles.open(api, { as: 'editor', path: `/models/${id}?tab=parameters` });
    const stored = async () => (await api.as('owner').get(path)).body;
    const changed = page.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await page.getByRole('button', { name: 'New parameter' }).click();
    await page.getByLabel('Name').fill('rate');
    await page.getByLabel('Type').selectOption('decimal');
    await page.getByLabel('Default').fill('1.5');
    await page.getByLabel('Choices').fill('1\n2');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => page.getByLabel('Default').getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'model parameter');
    await page.getByLabel('Choices').fill('1\n1.5\n2');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: 'rate decimal number 1.5 1, 1.5, 2' }).waitFor();
    expect((await stored()).parameters).toEqual([
      { name: 'rate', dataType: 'decimal', default: 1.5, allowedValues: [1, 1.5, 2] },
    ]);
    await expectGoodInAllForms(page, 'model parameters');
    await page.getByRole('button', { name: 'rate', exact: true }).click();
    await page.getByLabel('Description').fill('Of the tax');
    // What another person changes elsewhere in the model is no conflict, but what they change of the parameter is.
    await api.as('owner').put(path, { description: 'Changed' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored()).parameters[0].description).toBe('Of the tax');
    await page.getByRole('form', { name: 'parameter rate' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'rate', exact: true }).click();
    await page.getByLabel('Description').fill('Of the customs');
    const [rate] = (await stored()).parameters;
    await api.as('owner').put(path, { parameters: [{ ...rate, default: 2 }] });
    await page.getByRole('button', { name: 'Save' }).click();
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Default', 'Description']);
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There are no parameters yet' }).waitFor();
    expect((await stored()).parameters).toEqual([]);

    await tab(page, 'Calendar');
    await page.getByText('Fiscal years are calendar years.').waitFor();
    await page.getByLabel('The year begins in').selectOption({ label: 'February' });
    await page.getByLabel('The year is named after').selectOption('start');
    await page.getByLabel('Years of whole weeks').check();
    await page.getByLabel('A week begins on').selectOption('sunday');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The calendar is saved.').waitFor();
    expect((await stored()).calendar).toEqual({
      firstMonth: 2,
      yearName: 'start',
      weeks: { pattern: '4-4-5', firstDay: 'sunday', yearStart: 'nearest' },
    });
    await expectGoodInAllForms(page, 'model calendar');
    await api.as('owner').put(path, { calendar: { firstMonth: 4 } });
    await page.getByLabel('Weeks in the periods').selectOption('4-5-4');
    await page.getByRole('button', { name: 'Save' }).click();
    await changed.getByText('April').waitFor();
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByText('Fiscal years begin on the first of April.').waitFor();

    await tab(page, 'Rollups');
    await page.getByRole('button', { name: 'New rollup' }).click();
    await page.getByLabel('Name').fill('By region');
    await page.getByLabel('Measure 1', { exact: true }).selectOption({ label: 'Revenue' });
    await page.getByRole('button', { name: 'Add measure' }).click();
    await page.getByLabel('Measure 2', { exact: true }).selectOption({ label: 'none: a field is aggregated' });
    await page.getByLabel('Field of measure 2').selectOption(fields.customer);
    await page.getByLabel('Aggregation 2').selectOption('');
    await page.getByRole('button', { name: 'Add dimension' }).click();
    await page.getByLabel('Dimension 1').selectOption(fields.region);
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => page.getByLabel('Aggregation 2').getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'model rollup');
    await page.getByLabel('Aggregation 2').selectOption('count');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: 'By region Revenue, count of orders.customer orders.region' }).waitFor();
    const [rollup] = (await api.as('owner').get(`${path}/rollups`)).body.items;
    expect(rollup).toMatchObject({
      name: 'By region',
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: expect.any(String) }, { fieldId: fields.customer, aggregation: 'count' }],
    });
    await page.getByRole('button', { name: 'By region', exact: true }).click();
    await api.as('owner').put(`${path}/rollups/${rollup.id}`, { measures: [rollup.measures[0]] });
    await page.getByLabel('Name').fill('Regions');
    await page.getByRole('button', { name: 'Save' }).click();
    await changed.getByText('Revenue', { exact: true }).waitFor();
    await changed.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('row', { name: /^Regions Revenue, count/ }).waitFor();
    await page.getByRole('button', { name: 'Regions', exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There are no rollups yet' }).waitFor();
  });

  it('change the rows of tables by steps, with errors at their fields', { timeout: PATIENT }, async ({ api }) => {
    const { id, orders } = await givenShop(api);
    const page = await consoles.open(api, {
      as: 'editor',
      path: `/models/${id}?tab=steps&table=${orders.id}`,
    });
    const stored = async () => (await api.as('owner').get(`${orders.path}/transforms`)).body.items;
    await page.getByRole('button', { name: 'New step' }).click();
    await page.getByLabel('Column', { exact: true }).fill('amoun');
    await page.getByLabel('Comparison').selectOption('gte');
    await page.getByLabel('Value', { exact: true }).fill('10');
    await page.getByLabel('Label', { exact: true }).fill('Only <large> orders');
    await page.getByRole('button', { name: 'Create' }).click();
    const column = page.getByLabel('Column', { exact: true });
    await expect.poll(() => column.getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'model step');
    await column.fill('amount');
    await page.getByLabel('Value', { exact: true }).fill('10');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: '1. Only <large> orders', exact: true }).waitFor();
    const conditions = [{ column: 'amount', op: 'gte', value: 10 }];
    expect(await stored()).toMatchObject([{ type: 'filter_rows', config: { conditions }, isEnabled: true }]);
    await page.getByRole('button', { name: 'New step' }).click();
    await page.getByLabel('What it does').selectOption('add_column');
    await page.getByLabel('Name', { exact: true }).fill('double');
    await page.getByLabel('Expression').fill('[amount] * 2');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: '2. Add a column', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions of 2. Add a column' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await page.getByRole('button', { name: '1. Add a column', exact: true }).waitFor();
    expect((await stored()).map(({ type }: { type: string }) => type)).toEqual(['add_column', 'filter_rows']);
    await page.getByRole('button', { name: 'Show rows' }).click();
    const rows = page.getByRole('region', { name: 'Rows after the steps' });
    await rows.getByRole('columnheader', { name: 'double' }).waitFor();
    // Of the amounts 0 to 22.5, those from 10 on.
    expect(await rows.getByRole('row').count()).toBe(1 + 6);
    await expectGoodInAllForms(page, 'model steps');

    // Another person has changed the step meanwhile.
    await page.getByRole('button', { name: '2. Only <large> orders', exact: true }).click();
    const [, filter] = await stored();
    await api.as('owner').put(`${orders.path}/transforms/${filter.id}`, { label: 'Hers' });
    await page.getByLabel('Value', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const changed = page.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Settings', 'Label']);
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await stored()).length).toBe(1);
  });

  it('limit rows by policies, and show what a person sees', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShop(api);
    await api.joinAll();
    const page = await consoles.open(api, { path: `/models/${id}?tab=policies` });
    await page.getByRole('heading', { name: 'Everyone sees all rows' }).waitFor();
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Name').fill('Only Europe');
    await page.getByLabel('Table').selectOption({ label: 'orders' });
    await page.getByLabel('Rows that are shown').fill('[orders.region] = "eu');
    await page.getByLabel('Add').selectOption({ label: 'role viewer' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.expression-field .issue').waitFor();
    await expectGoodInAllForms(page, 'model policy with an error');
    await page.getByLabel('Rows that are shown').fill('[orders.region] = "eu"');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell', { name: 'role viewer' }).waitFor();
    expect((await api.as('owner').get(`${path}/rls`)).body.items).toMatchObject([
      { name: 'Only Europe', filterExpression: '[orders.region] = "eu"', appliesTo: [{ type: 'role', id: 'viewer' }] },
    ]);
    await page.getByLabel('Person').selectOption({ label: 'viewer (viewer)' });
    await page.getByRole('heading', { name: 'orders: some rows (5)' }).waitFor();
    await expectGoodInAllForms(page, 'model see as');
    await page.getByLabel('Person').selectOption({ label: 'editor (editor)' });
    await page.getByRole('heading', { name: 'orders: no rows (0)' }).waitFor();

    const editor = await consoles.open(api, { as: 'editor', path: `/models/${id}?tab=policies` });
    await editor.getByRole('tab', { name: 'Tables' }).waitFor();
    expect(await editor.getByRole('tab', { name: 'Row policies' }).count()).toBe(0);
  });

  it('lose no change of two people to one part', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenShop(api);
    const measure = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const address = `/models/${id}?tab=measures&part=${measure.id}`;
    const [one, other] = await Promise.all([
      consoles.open(api, { path: address }),
      consoles.open(api, { as: 'editor', path: address }),
    ]);
    await other.getByLabel('Name').fill('His');
    await one.getByLabel('Expression').fill('AVG([orders.amount])');
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByRole('row', { name: /AVG/ }).waitFor();
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Another person has changed this in the meantime.').waitFor();
    await other.locator('.changed', { hasText: 'AVG([orders.amount])' }).waitFor();
    await expectGoodInAllForms(other, 'model measure changed');
    await other.getByRole('button', { name: 'Take theirs' }).click();
    await other.getByLabel('Name').fill('His');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('row', { name: /His/ }).waitFor();
    expect((await api.as('owner').get(`${path}/measures/${measure.id}`)).body).toMatchObject({
      name: 'His',
      expression: 'AVG([orders.amount])',
    });
  });

  it('say what failed and what prevents a change, and show viewers only what they may do', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { id, path, orders, fields } = await givenShop(api);
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [address, calls, sign] of [
      ['/models', /\/api\/models\?/, '1 model'],
      [`/models/${id}`, new RegExp(`/api/models/${id}$`), 'Relationships'],
      [`/models/${id}`, /\/tables\?/, 'Used as'],
      [`/models/${id}?tab=relationships`, /\/relationships/, 'The tables are not joined yet'],
      [`/models/${id}?tab=measures`, /\/measures/, 'There are no measures yet'],
      [`/models/${id}?tab=hierarchies`, /\/hierarchies/, 'There are no hierarchies yet'],
      [`/models/${id}?tab=steps`, /\/transforms/, 'The rows are used as they are'],
      [`/models/${id}?tab=rollups`, /\/rollups/, 'There are no rollups yet'],
      [`/models/${id}?tab=policies`, /\/rls/, 'Everyone sees all rows'],
      [`/models/${id}?tab=versions`, /\/versions/, 'There are no versions yet'],
      [`/models/${id}?tab=file`, /\/file/, 'Parts that the file does not have'],
    ] as const) {
      await page.route(calls, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${address}`);
      const alert = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await alert.waitFor();
      if (address === '/models') await expectGoodInAllForms(page, 'models failed');
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }

    // A field that a measure uses leaves the measure broken, which stands against publishing.
    await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    await api.as('owner').delete(`${orders.path}/fields/${fields.amount}?force=true`);
    await page.goto(`${api.endpoint}/api/console/models/${id}?tab=measures`);
    await page.getByRole('row', { name: /broken/ }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText('1 issue would break what is published:').waitFor();
    await expectGoodInAllForms(page, 'model publish gate');
    await page.getByLabel('Why publish anyway?').fill('It is mended tomorrow.');
    await page.getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByText('version 1', { exact: true }).waitFor();

    const viewer = await consoles.open(api, { as: 'viewer', path: `/models/${id}` });
    await viewer.getByText('Used as').waitFor();
    for (const name of ['Publish', 'New field', 'More actions']) {
      expect(await viewer.getByRole('button', { name }).count()).toBe(0);
    }
    await viewer.goto(`${api.endpoint}/api/console/models`);
    await viewer.getByRole('heading', { name: '“Models” is for editors and admins' }).waitFor();
    await expectGoodInAllForms(viewer, 'models forbidden');
    const theirs = await api.as('stranger').post('/api/models', { name: 'Theirs', sourceId: 'datasets' });
    await page.goto(`${api.endpoint}/api/console/models/${theirs.body.id}`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('MODEL_NOT_FOUND');
  });
});

async function rawFile(api: Api, path: string): Promise<{ text: string }> {
  const { body } = await api.as('editor').get(`${path}/file`);
  return { text: body };
}
