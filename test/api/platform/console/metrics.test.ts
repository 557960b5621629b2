import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';

const consoles = useConsoles();

const AS_OF = '2024-03-28';
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const LONG = `Revenue ${'of a very long name '.repeat(8)}<b>`.slice(0, 200);

describe.runIf(HAS_CHROMIUM)('the metrics in the console', () => {
  for (const hand of HANDS) {
    it(`are defined by a form and show their value, by ${hand}`, { timeout: PATIENT }, async ({ api }) => {
      const { modelId, revenue, fields, table } = await givenSalesModel(api);
      // With one field of time left, it is chosen already.
      if (hand === 'mouse') await api.as('owner').delete(`${table.path}/fields/${fields.day}`);
      const page = await consoles.open(api, { as: 'editor', path: '/metrics' });
      await page.getByRole('heading', { name: 'There are no metrics yet' }).waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'metrics empty');
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('main').getByRole('link', { name: 'New metric' }));
      // Choices of a select are made with the keyboard by both hands.
      await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Sales' });
      await page.getByLabel('Measure').selectOption({ label: 'Revenue' });
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Revenue');
      const time = page.getByLabel('Time', { exact: true });
      if (hand === 'keyboard') await time.selectOption({ label: 'sales.sold' });
      await expect.poll(() => time.inputValue()).toBe(fields.sold);
      await page.getByLabel('Time zone').selectOption('UTC');
      await clicks.type(page.getByLabel('Value to reach'), '1000');
      if (hand === 'mouse') await expectGoodInAllForms(page, 'metric new');
      // The end of the target is missing: the browser says so, and nothing is saved.
      await clicks.press(page.getByRole('button', { name: 'Create' }));
      await page.getByLabel('By', { exact: true }).fill('2024-12-31');
      await clicks.press(page.getByRole('button', { name: 'Create' }));
      await page.getByRole('heading', { level: 1, name: 'Revenue' }).waitFor();
      clicks.expectAtMost(5);
      const id = new URL(page.url()).pathname.split('/').at(-1);
      expect((await api.as('owner').get(`/api/metrics/${id}`)).body).toMatchObject({
        name: 'Revenue',
        modelId,
        measureId: revenue,
        timeFieldId: fields.sold,
        grain: 'month',
        timezone: 'UTC',
        target: { value: 1000, by: '2024-12-31' },
      });
      await page.getByLabel('As of').fill(AS_OF);
      await page.getByRole('heading', { name: 'March 2024, so far' }).waitFor();
      const { body } = await api.as('owner').get(`/api/metrics/${id}/value?asOf=${AS_OF}`);
      expect(await page.locator('.metric-value').first().textContent()).toContain(String(Number(body.value)));
      expect(new URL(page.url()).searchParams.get('asOf')).toBe(AS_OF);
      // The last of the values over time is the same.
      const series = (await api.as('owner').get(`/api/metrics/${id}/series?asOf=${AS_OF}`)).body.points;
      expect(series.at(-1).value).toBe(body.value);
      await page.getByText('Values', { exact: true }).click();
      const newest = page.getByRole('row', { name: /March 2024/ });
      await expect.poll(() => newest.textContent()).toContain(String(Number(body.value)));
      await page.getByRole('link', { name: 'New alert' }).click();
      await expect
        .poll(() => page.getByLabel('Metric', { exact: true }).and(page.locator('input')).inputValue())
        .toBe('Revenue');
    });
  }

  it('are listed with latest values and trends, searched and filtered', { timeout: PATIENT }, async ({ api }) => {
    const { definition, average, modelId, fields } = await givenSalesModel(api);
    await givenMetric(api, { ...definition, format: { kind: 'currency', currency: 'EUR' } });
    const mean = await givenMetric(api, { ...definition, name: LONG, measureId: average, description: 'An average' });
    const count = { modelId, fieldId: fields.sold, aggregation: 'count', timeFieldId: fields.sold, grain: 'year' };
    const certified = await givenMetric(api, { name: 'Sales count', ...count, timezone: 'UTC' });
    await api.as('owner').patch(certified.path, { isCertified: true, certifiedBy: 'Finance' });
    const values = (name: string) => page.getByRole('row', { name });
    const page = await consoles.open(api, { path: '/sign-in' });
    // The rows are of 2024, which the newest periods have left behind.
    await page.route(/\/api\/metrics\/[^/]+\/(value|series)/, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set(url.pathname.endsWith('/series') ? 'to' : 'asOf', AS_OF);
      return route.continue({ url: String(url) });
    });
    await page.goto(`${api.endpoint}/api/console/metrics`);
    await values('Revenue').first().waitFor();
    const { body } = await api.as('owner').get(`/api/metrics/${certified.id}/value?asOf=${AS_OF}`);
    await expect.poll(() => values('Sales count').textContent()).toContain(String(body.value));
    await expect.poll(() => values('Sales count').textContent()).toContain('Certified');
    await expect.poll(() => page.getByRole('img', { name: /^Revenue, the last 12 months: from/ }).count()).toBe(1);
    // A number that is too long is rounded, and its tip has all digits.
    const { value: exact } = (await api.as('owner').get(`${mean.path}/value?asOf=${AS_OF}`)).body;
    const shown = page.locator('tbody tr', { hasText: LONG }).locator('.latest span[title]');
    await expect.poll(() => shown.textContent()).toBe(Number(exact).toPrecision(3));
    expect(await shown.getAttribute('title')).toContain(String(exact).slice(0, 9));
    await expectGoodInAllForms(page, 'metrics');

    await page.getByLabel('Certification').selectOption('certified');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search metrics' }).fill('nothing has this');
    await page.getByRole('heading', { name: 'No metric matches' }).waitFor();
    await expectGoodInAllForms(page, 'metrics none');
  });

  it('show their value, series, target, drivers, definition and lineage as they are', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { definition, fields, modelId } = await givenSalesModel(api);
    const filters = [{ fieldId: fields.region, op: 'ne', values: ['<script>'] }];
    const { id } = await givenMetric(api, {
      ...definition,
      name: LONG,
      description: 'What customers pay,\nbefore taxes.',
      filters,
      format: { kind: 'currency', currency: 'EUR', decimals: 2 },
      target: { value: 1_234_567_891, from: '2024-01-01', by: '2024-12-31' },
    });
    const page = await consoles.open(api, { path: `/metrics/${id}?asOf=${AS_OF}` });
    await page.getByRole('heading', { name: 'March 2024, so far' }).waitFor();
    const { body: value } = await api.as('owner').get(`/api/metrics/${id}/value?asOf=${AS_OF}`);
    const euro = (amount: string) => `€${Number(amount).toFixed(2)}`;
    expect(await page.locator('.metric-value').first().textContent()).toContain(euro(value.value));
    await page.getByText(euro(value.comparison.value)).waitFor();
    await page.getByText(/Behind the target: €/).waitFor();
    const { body: series } = await api.as('owner').get(`/api/metrics/${id}/series?to=${AS_OF}`);
    await page.getByText('Values', { exact: true }).click();
    for (const [month, at] of [
      ['January 2024', -3],
      ['February 2024', -2],
    ] as const) {
      const row = page.getByRole('row', { name: month });
      expect(await row.textContent()).toContain(euro(series.points.at(at).value));
    }
    await expectGoodInAllForms(page, 'metric value');

    await page.getByLabel('Compared with').selectOption('year');
    await page.getByText('There is no value for last year to compare with.').waitFor();
    await page.getByLabel('Compared with').selectOption('');

    await tab(page, 'What moved it');
    await page.getByLabel('By', { exact: true }).selectOption({ label: 'sales.region' });
    const { body: drivers } = await api
      .as('owner')
      .get(`/api/metrics/${id}/drivers?by=${fields.region}&asOf=${AS_OF}&limit=20`);
    const us = drivers.items.find((item: { value: string }) => item.value === 'us');
    await expect.poll(() => page.getByRole('row', { name: /^us/ }).textContent()).toContain(euro(us.current));
    await page.getByRole('row', { name: /^no value/ }).waitFor();
    await expectGoodInAllForms(page, 'metric drivers');

    await tab(page, 'Definition');
    await page.getByText('SUM([sales.amount])').waitFor();
    await page.getByText('sales.region is not <script>').waitFor();
    await expectGoodInAllForms(page, 'metric definition');

    await tab(page, 'Lineage');
    await page.locator('[data-node]', { hasText: 'sales' }).first().waitFor();
    expect(await page.getByRole('region', { name: 'Graph' }).locator('[data-node]').count()).toBe(3);
    await expectGoodInAllForms(page, 'metric lineage');

    await tab(page, 'Comments');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Why so <low>?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.said', { hasText: 'Why so <low>?' }).waitFor();
    expect((await api.as('owner').get(`/api/comments/metric/${id}`)).body.total).toBe(1);
    await expectGoodInAllForms(page, 'metric comments');
    expect(modelId).toBeTruthy();
  });

  it('are sent as digests, whose changes by two people are not lost', { timeout: PATIENT }, async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const page = await consoles.open(api, { as: 'editor', path: '/metrics' });
    await page.getByRole('link', { name: 'Digests' }).click();
    await page.getByRole('heading', { name: 'There are no digests yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New digest' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Monday <numbers>');
    await page.getByRole('button', { name: 'Create the digest' }).click();
    await page.getByRole('group', { name: 'Metrics' }).locator('.issue').waitFor();
    await page.getByRole('combobox', { name: 'Add a metric' }).fill('Reven');
    await page.getByRole('option', { name: 'Revenue' }).click();
    await page.getByRole('button', { name: 'Remove Revenue' }).waitFor();
    await expectGoodInAllForms(page, 'digest new');
    await page.getByRole('button', { name: 'Create the digest' }).click();
    await page.getByRole('heading', { level: 1, name: 'Monday <numbers>' }).waitFor();
    const stored = async () => (await api.as('viewer').get('/api/metrics/digests')).body.items;
    const me = (await api.as('editor').get('/api/auth/me')).body.user.id;
    const [digest] = await stored();
    expect(digest).toMatchObject({
      ...{ name: 'Monday <numbers>', metricIds: [metric.id], recipientIds: [me], cron: '0 8 * * 1', isActive: true },
    });
    await page.getByRole('link', { name: 'Revenue' }).waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('started by hand').click();
    await page
      .locator('.delivery-runs li li')
      .filter({ hasText: /: (queued|sent)/ })
      .waitFor();
    await expectGoodInAllForms(page, 'digest');

    await tab(page, 'Settings');
    await page.getByLabel('Name', { exact: true }).fill('His');
    await api.as('owner').patch(`/api/metrics/digests/${digest.id}`, { name: 'Hers', cron: '0 9 * * 1' });
    await page.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Name', 'Schedule']);
    await changed.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('heading', { level: 1, name: 'His' }).waitFor();
    expect(await stored()).toMatchObject([{ name: 'His', cron: '0 8 * * 1' }]);
    const viewer = await consoles.open(api, { as: 'viewer', path: '/metrics/digests' });
    await viewer.getByRole('link', { name: 'His' }).waitFor();
    await expectGoodInAllForms(viewer, 'digests');
    expect(await viewer.getByRole('link', { name: 'New digest' }).count()).toBe(0);
    await viewer.getByRole('link', { name: 'His' }).click();
    await viewer.getByRole('tab', { name: 'What is sent' }).waitFor();
    for (const name of ['Settings', 'Send now']) {
      expect(await viewer.getByRole('tab', { name }).or(viewer.getByRole('button', { name })).count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Delete the digest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'There are no digests yet' }).waitFor();
    expect(await stored()).toEqual([]);
  });

  it('lose no change of two people, and go away only when nothing uses them', { timeout: PATIENT }, async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, definition);
    const stored = async () => (await api.as('owner').get(path)).body;
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/metrics/${id}` }),
      consoles.open(api, { as: 'editor', path: `/metrics/${id}` }),
    ]);
    for (const page of [one, other]) await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await one.getByLabel('Name').fill('Hers');
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByRole('heading', { level: 1, name: 'Hers', exact: true }).waitFor();
    await other.getByLabel('Description').fill('his words');
    await other.getByRole('button', { name: 'Add condition' }).click();
    await other.getByLabel('Field of condition 1').selectOption({ label: 'sales.amount' });
    await other.getByLabel('Comparison 1').selectOption('is more than');
    await other.getByLabel('Value 1').fill('10');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Another person has changed this in the meantime.').waitFor();
    await other
      .getByText('Theirs: “Hers”')
      .or(other.locator('.changed dd', { hasText: 'Hers' }))
      .first()
      .waitFor();
    expect(await stored()).toMatchObject({ name: 'Hers', description: '' });
    await expectGoodInAllForms(other, 'metric changed');
    await other.getByRole('button', { name: 'Keep mine' }).click();
    await other.getByRole('heading', { level: 1, name: 'Revenue', exact: true }).waitFor();
    expect(await stored()).toMatchObject({
      name: 'Revenue',
      description: 'his words',
      filters: [{ op: 'gt', values: [10] }],
    });

    await other.getByRole('button', { name: 'Edit', exact: true }).click();
    await other.getByLabel('Name').fill('');
    await other.getByLabel('Name').fill('Taken');
    await givenMetric(api, { ...definition, name: 'Taken' });
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText(/METRIC_NAME_TAKEN/).waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.getByRole('button', { name: 'More actions' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await expectGoodInAllForms(other, 'metric delete');
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByRole('link', { name: 'Taken' }).waitFor();
    expect((await api.as('owner').get(path)).status).toBe(404);
  });

  it('say what failed, and go on when it works again', { timeout: PATIENT }, async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { id } = await givenMetric(api, definition);
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [path, address, sign] of [
      ['/metrics', /\/api\/metrics\?/, '1 metric'],
      ['/metrics/digests', /\/api\/metrics\/digests\?/, 'There are no digests yet'],
      [`/metrics/${id}`, new RegExp(`/api/metrics/${id}$`), 'What moved it'],
      [`/metrics/${id}?asOf=${AS_OF}`, /\/value\?/, 'March 2024, so far'],
      [`/metrics/${id}?asOf=${AS_OF}`, /\/series/, 'Values'],
      [`/metrics/${id}?tab=lineage`, /\/lineage/, 'Made from'],
      [`/metrics/${id}?tab=comments`, /\/api\/comments/, 'There are no comments yet.'],
    ] as const) {
      await page.route(address, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${path}`);
      const alert = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await alert.waitFor();
      expect(await alert.textContent()).toContain('INTERNAL · request r-1');
      if (path === '/metrics') await expectGoodInAllForms(page, 'metrics failed');
      await page.unroute(address);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
  });

  it('are changed by those who may, and shown to no other workspace', { timeout: PATIENT }, async ({ api }) => {
    const { definition, path: model, revenue } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, definition);
    const page = await consoles.open(api, { as: 'viewer', path: '/metrics' });
    await page.getByRole('link', { name: 'Revenue' }).waitFor();
    expect(await page.getByRole('link', { name: 'New metric' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Revenue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Revenue' }).waitFor();
    await page.getByRole('tab', { name: 'Definition' }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.goto(`${api.endpoint}/api/console/metrics/new`);
    await page.getByRole('heading', { name: '“New metric” is for editors and admins' }).waitFor();
    await expectGoodInAllForms(page, 'metric forbidden');

    // A person with the grant may change it, whatever the role.
    const { body: me } = await api.as('viewer').get('/api/auth/me');
    expect((await api.as('owner').put(`${path}/access/user/${me.user.id}`, { level: 'editor' })).status).toBe(200);
    await page.goto(`${api.endpoint}/api/console/metrics/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);

    // What the model can no longer answer says so.
    await api.as('owner').put(`${model}/measures/${revenue}`, { expression: 'MAX([sales.region])' });
    await page.reload();
    await page.getByText('The model can no longer answer for this metric.').waitFor();
    await page.getByRole('heading', { name: 'There are no values' }).waitFor();
    await expectGoodInAllForms(page, 'metric broken');

    const theirs = await consoles.open(api, { path: '/sign-in' });
    await theirs.goto(`${api.endpoint}/api/console/metrics/00000000-0000-7000-8000-000000000000`);
    await expect.poll(() => theirs.getByRole('alert').textContent()).toContain('METRIC_NOT_FOUND');
  });
});
