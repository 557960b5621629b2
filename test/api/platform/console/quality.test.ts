import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenTest, QUALITY } from '../../../support/given/quality.ts';
import { givenScan } from '../../../support/given/scan.ts';

const consoles = useConsoles();
const UGLY = `<img src=x onerror="document.title='evil'"> ${'a test with a very long name '.repeat(4)}`.trim();

const givenPeople = (api: Api) =>
  givenDataset(api, {
    name: 'people',
    sql: "SELECT range AS id, CASE WHEN range < 3 THEN NULL ELSE range * 10 END AS pay, '<b>' || range || '</b>' AS note FROM range(10)",
  });
const issuesOf = async (api: Api) => (await api.as('editor').get(`${QUALITY}/issues`)).body.items;

describe.runIf(HAS_CHROMIUM)('data quality in the console', () => {
  for (const hand of HANDS) {
    it(`leads from a new test to its failing rows and its issue, by ${hand}`, { timeout: PATIENT }, async ({ api }) => {
      await givenPeople(api);
      const page = await consoles.open(api, { as: 'editor', path: '/quality/new' });
      const clicks = new Clicks(page, hand);
      const table = page.getByRole('combobox', { name: 'Table', exact: true });
      await clicks.type(table, 'people');
      await page.getByRole('option', { name: 'people' }).waitFor();
      if (hand === 'mouse') await clicks.press(page.getByRole('option', { name: 'people' }));
      else {
        // The first of what was found is marked.
        await page.getByRole('option', { name: 'people', selected: true }).waitFor();
        await clicks.key('Enter');
      }
      const column = page.getByLabel('Column', { exact: true });
      await column.locator('option', { hasText: 'pay' }).waitFor({ state: 'attached' });
      await column.selectOption('pay');
      await clicks.type(page.getByLabel('Name', { exact: true }), 'Everyone is paid');
      await expectGoodInAllForms(page, 'test new');
      await clicks.press(page.getByRole('button', { name: 'Create the test' }));
      await page.getByRole('heading', { name: 'The test has not run yet' }).waitFor();
      await clicks.press(page.getByRole('button', { name: 'Run now' }));
      await page.getByRole('heading', { name: 'Some of the 3 failing rows' }).waitFor();
      clicks.expectAtMost(5);
      const [issue] = await issuesOf(api);
      expect(issue).toMatchObject({
        title: 'Everyone is paid',
        status: 'open',
        tableName: 'people',
        columnName: 'pay',
      });
      const grid = page.getByRole('region', { name: 'Failing rows' });
      expect(await grid.getByRole('row').count()).toBe(4);
      await expectGoodInAllForms(page, 'test results');
      if (hand === 'keyboard') return;

      await page.getByRole('button', { name: 'Store all as a dataset' }).click();
      await page.getByRole('link', { name: '3 rows stored as a dataset' }).waitFor();
      await page.goto(`${api.endpoint}/api/console/quality`);
      await page.getByRole('link', { name: 'Everyone is paid' }).click();
      await page.getByText('test failed in').waitFor();
      await page.getByRole('button', { name: 'Ignore' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ignore' });
      await dialog.getByLabel('Note').fill(UGLY);
      await expectGoodInAllForms(page, 'issue dialog');
      await dialog.getByRole('button', { name: 'Ignore' }).click();
      await page.locator('.decisions').getByText(UGLY).waitFor();
      const [ignored] = await issuesOf(api);
      expect(ignored).toMatchObject({ status: 'ignored', resolutionNote: UGLY });
      expect(Math.abs(Date.parse(ignored.ignoreUntil) - Date.now() - 7 * 86_400_000)).toBeLessThan(120_000);
      await expectGoodInAllForms(page, 'issue');
      await page.getByRole('button', { name: 'Work on it' }).click();
      // Another person was faster.
      await api.as('owner').put(`${QUALITY}/issues/${ignored.id}/status`, { status: 'open' });
      await page.getByRole('dialog').getByRole('button', { name: 'Work on it' }).click();
      await page.getByRole('dialog').getByText('has changed the issue in the meantime').waitFor();
      expect((await issuesOf(api))[0].status).toBe('open');
    });
  }

  it('shows results over time, scores and issues as they are stored', { timeout: PATIENT }, async ({ api }) => {
    await givenPeople(api);
    const table = { tableName: 'people' };
    const failing = await givenTest(api, {
      ...{ testType: 'not_null', name: UGLY, columnName: 'pay', severity: 'critical' },
      ...table,
    });
    await givenTest(api, { testType: 'row_count', config: { min: 1 }, cron: '0 6 * * 1-5', ...table });
    const { body: failed } = await api.as('editor').post(`${failing.path}/run`);
    await givenDataset(api, { name: 'people', sql: "SELECT 1 AS id, 10 AS pay, 'x' AS note" });
    await api.as('editor').post(`${failing.path}/run`);
    const page = await consoles.open(api, { as: 'editor', path: `/quality/tests/${failing.id}` });
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('passed').waitFor();
    expect(await results.getByRole('row').nth(2).textContent()).toContain(failed.message);
    await page.getByRole('img', { name: 'Share of rows that pass: 70% to 100%' }).waitFor();
    await expectGoodInAllForms(page, 'test over time');

    await page.goto(`${api.endpoint}/api/console/quality`);
    await page.getByRole('heading', { name: 'There are no open issues' }).waitFor();
    await expectGoodInAllForms(page, 'quality without open issues');
    await page.getByLabel('Status').selectOption('fixed');
    await page.getByRole('link', { name: UGLY }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('fixed');
    await expectGoodInAllForms(page, 'quality issues');
    await page.getByRole('tab', { name: 'Tables' }).click();
    const { body: scores } = await api.as('editor').get(`${QUALITY}/score/tables`);
    const row = page.getByRole('region', { name: 'Tables' }).getByRole('row').nth(1);
    await row.waitFor();
    expect(await row.textContent()).toContain(`people${Math.round(scores.items[0].score)}`);
    await expectGoodInAllForms(page, 'quality tables');
    await page.getByRole('link', { name: 'people' }).click();
    await page.getByText('weekdays 06:00 UTC').waitFor();
    expect(await page.getByRole('region', { name: 'Tests' }).getByRole('row').count()).toBe(3);
    await expectGoodInAllForms(page, 'quality tests');
  });

  it('offers suggestions as a queue, and loses no change of two people', { timeout: PATIENT }, async ({ api }) => {
    await givenDataset(api, {
      name: 'orders',
      sql: "SELECT i AS id, 'u' || i || '@example.com' AS email FROM range(2000) t(i)",
    });
    await givenScan(api.as('editor'), { tableName: 'orders' });
    const page = await consoles.open(api, { as: 'editor', path: '/quality?tab=suggestions' });
    const queue = page.getByRole('article');
    await queue.first().waitFor();
    const pending = async () => (await api.as('editor').get(`${QUALITY}/suggestions?status=pending`)).body;
    const { items, total } = await pending();
    expect(await queue.count()).toBe(total);
    await page.getByRole('tab', { name: `Suggestions ${total}` }).waitFor();
    await expectGoodInAllForms(page, 'quality suggestions');
    await page.getByRole('button', { name: `Dismiss ${items[0].name}`, exact: true }).click();
    await expect.poll(() => queue.count()).toBe(total - 1);
    await page.getByRole('button', { name: `Accept ${items[1].name}`, exact: true }).click();
    await expect.poll(() => queue.count()).toBe(total - 2);
    expect((await pending()).total).toBe(total - 2);
    const { body: tests } = await api.as('editor').get(`${QUALITY}/tests`);
    expect(tests.items).toMatchObject([{ name: items[1].name, testType: items[1].testType }]);

    const { id } = await givenTest(api, {
      testType: 'not_null',
      columnName: 'email',
      tableName: 'orders',
      name: 'first',
    });
    const stored = async () => (await api.as('editor').get(`${QUALITY}/tests/${id}`)).body;
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/quality/tests/${id}?tab=settings` }),
      consoles.open(api, { as: 'editor', path: `/quality/tests/${id}?tab=settings` }),
    ]);
    const save = (each: Page) => each.getByRole('button', { name: 'Save', exact: true }).click();
    for (const each of [one, other]) await each.getByLabel('Name', { exact: true }).waitFor();
    await one.getByLabel('Name', { exact: true }).fill('hers');
    await one.getByLabel('Type', { exact: true }).selectOption('value_range');
    await one.getByLabel('Column', { exact: true }).selectOption('id');
    await one.getByText('More settings').click();
    await one.getByLabel('Max', { exact: true }).fill('5');
    await save(one);
    await one.getByRole('heading', { level: 1, name: 'hers' }).waitFor();
    expect(await stored()).toMatchObject({ testType: 'value_range', columnName: 'id', config: { max: 5 } });
    await other.getByLabel('Name', { exact: true }).fill('his');
    await save(other);
    const changed = other.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Name', 'Type', 'Column', 'Settings']);
    await expectGoodInAllForms(other, 'test changed');
    await changed.getByRole('button', { name: 'Keep mine' }).click();
    await other.getByRole('heading', { level: 1, name: 'his' }).waitFor();
    expect(await stored()).toMatchObject({ testType: 'not_null', columnName: 'email', name: 'his' });
    await other.getByLabel('Column', { exact: true }).selectOption('id');
    await other.getByLabel('Type', { exact: true }).selectOption('regex');
    await other.getByLabel('Pattern').fill('^a');
    await save(other);
    await other
      .getByRole('alert')
      .getByText(/^[A-Z_]+ · request/)
      .waitFor();
    await other.getByRole('button', { name: 'Delete the test' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await other.getByRole('link', { name: items[1].name }).waitFor();
    expect((await api.as('editor').get(`${QUALITY}/tests/${id}`)).status).toBe(404);
  });

  it('schedules scans of tables, and loses no change of two people', { timeout: PATIENT }, async ({ api }) => {
    await givenPeople(api);
    const page = await consoles.open(api, { as: 'editor', path: '/quality?tab=scans' });
    await page.getByRole('heading', { name: 'There are no scheduled scans yet' }).waitFor();
    await page.getByRole('link', { name: 'Schedule scans' }).click();
    const table = page.getByRole('combobox', { name: 'Table', exact: true });
    const choose = async (name: string) => {
      await table.fill(name);
      await page.getByRole('option', { name }).click();
    };
    await choose('shop.nothing');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('The workspace has no such dataset').waitFor();
    expect(await table.getAttribute('aria-invalid')).toBe('true');
    await choose('people');
    await page.getByLabel('How often').selectOption('custom');
    await page.getByLabel('Cron expression').fill('every 900 seconds');
    await page.getByText('More settings').first().click();
    await page.getByRole('button', { name: 'Add column' }).click();
    const column = page.getByLabel('Column 1', { exact: true });
    await column.locator('option', { hasText: 'pay' }).waitFor({ state: 'attached' });
    await column.selectOption('pay');
    await page.getByLabel('Frequent values').fill('5');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    const expression = page.getByLabel('Cron expression');
    await expect.poll(() => expression.getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'scans new');
    await page.getByLabel('How often').selectOption('weekdays');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByRole('link', { name: 'people' }).waitFor();
    const schedules = async () => (await api.as('viewer').get(`${QUALITY}/scan-schedules`)).body.items;
    const [{ id, timezone }] = await schedules();
    expect(await schedules()).toMatchObject([
      { tableName: 'people', cron: '0 6 * * 1-5', scheduleEnabled: true, config: { columns: ['pay'], topK: 5 } },
    ]);
    await page.getByText(`weekdays 06:00 ${timezone.split('/').at(-1).replaceAll('_', ' ')}`).waitFor();
    await expectGoodInAllForms(page, 'scans');

    await page.getByRole('link', { name: 'people' }).click();
    const save = (each: Page) => each.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Active').waitFor();
    await api.as('owner').put(`${QUALITY}/scan-schedules/${id}`, { cron: '0 5 * * *', config: { topK: 9 } });
    await page.getByLabel('Active').uncheck();
    await save(page);
    const changed = page.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Schedule', 'Settings', 'Active']);
    await expectGoodInAllForms(page, 'scans changed');
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => page.getByLabel('Frequent values').inputValue()).toBe('9');
    await page.getByLabel('Active').uncheck();
    await save(page);
    await page.getByText('The schedule is saved.').waitFor();
    expect(await schedules()).toMatchObject([{ cron: '0 5 * * *', config: { topK: 9 }, scheduleEnabled: false }]);
    await page.getByRole('button', { name: 'Delete the schedule' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'There are no scheduled scans yet' }).waitFor();
    expect(await schedules()).toEqual([]);
  });

  it('shows what the gate of publishing keeps back, and lets admins set it', { timeout: PATIENT }, async ({ api }) => {
    await givenPeople(api);
    const { path } = await givenTest(api, {
      ...{ testType: 'not_null', columnName: 'pay', tableName: 'people', severity: 'critical' },
    });
    await api.as('editor').post(`${path}/run`);
    const page = await consoles.open(api, { path: '/quality?tab=publishing' });
    const below = page.getByRole('region', { name: 'Tables below the score' }).getByRole('row').nth(1);
    await below.waitFor();
    const { body: scores } = await api.as('viewer').get(`${QUALITY}/score/tables`);
    expect(scores.items[0].score).toBeLessThan(60);
    expect(await below.textContent()).toBe(`people${Math.floor(scores.items[0].score)}1 of 1`);
    await page.getByText('This is the default.').waitFor();
    await expectGoodInAllForms(page, 'publishing');
    const field = page.getByLabel('Lowest score');
    await field.fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'No table prevents publishing' }).waitFor();
    const gate = async () => (await api.as('viewer').get(`${QUALITY}/publish-gate`)).body;
    expect(await gate()).toMatchObject({ minScore: 20, revision: 2 });
    await api.as('owner').put(`${QUALITY}/publish-gate`, { minScore: 80 });
    await field.fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.getByText('80').waitFor();
    await changed.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('The gate is off').waitFor();
    expect((await gate()).minScore).toBe(0);
    const editor = await consoles.open(api, { as: 'editor', path: '/quality?tab=publishing' });
    await editor.getByText('The gate is off').waitFor();
    expect(await editor.getByLabel('Lowest score').count()).toBe(0);
  });

  it('says what failed at each call, and leaves out what viewers may not do', { timeout: PATIENT }, async ({ api }) => {
    await givenPeople(api);
    const { id, path } = await givenTest(api, { testType: 'not_null', columnName: 'pay', tableName: 'people' });
    await api.as('editor').post(`${path}/run`);
    const [issue] = await issuesOf(api);
    const page = await consoles.open(api, { as: 'viewer', path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [address, calls, sign] of [
      ['/quality', /\/issues\?/, 'not_null'],
      ['/quality?tab=tables', /\/score\/tables\?/, 'people'],
      ['/quality?tab=tests', /\/tests\?/, 'not_null'],
      ['/quality?tab=scans', /\/scan-schedules\?/, 'There are no scheduled scans yet'],
      ['/quality?tab=publishing', /\/publish-gate$/, 'cannot be published'],
      ['/quality?tab=suggestions', /\/suggestions\?/, 'There are no suggestions'],
      [`/quality/tests/${id}`, new RegExp(`${path}$`), 'Results'],
      [`/quality/issues/${issue.id}`, /\/data-quality\/issues\/[^?]+$/, 'There are no decisions yet.'],
      [`/quality/tests/${id}`, /\/runs\?/, 'failed'],
    ] as const) {
      await page.route(calls, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${address}`);
      const alert = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await alert.waitFor();
      expect(await alert.textContent()).toContain('INTERNAL · request r-1');
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
    expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Settings' }).count()).toBe(0);
    await page.goto(`${api.endpoint}/api/console/quality`);
    await page.getByRole('link', { name: 'not_null' }).click();
    await page.getByText('There are no decisions yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Ignore' }).count()).toBe(0);
    await expectGoodInAllForms(page, 'issue of a viewer');
    await page.goto(`${api.endpoint}/api/console/quality/new`);
    await page.getByRole('heading', { name: '“New test” is for editors and admins' }).waitFor();
    await page.goto(`${api.endpoint}/api/console/quality/issues/00000000-0000-7000-8000-000000000000`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('QUALITY_ISSUE_NOT_FOUND');
    const theirs = await api.as('stranger').post('/api/datasets', { name: 'theirs' });
    await page.goto(`${api.endpoint}/api/console/quality/tests/${theirs.body.id}`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('QUALITY_TEST_NOT_FOUND');
  });
});
