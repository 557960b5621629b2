import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { evaluate } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenReceiver } from '../../../support/given/targets.ts';

const consoles = useConsoles();
const SECRET = 'shared-secret-5b1f';
const UGLY = `<img src=x onerror="document.title='evil'"> ${'an alert with a very long name '.repeat(4)}`.slice(0, 190);

const chooseIn = async (page: Page, label: string, text: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).fill(text);
  await page.getByRole('option', { name: text }).first().click();
};

describe.runIf(HAS_CHROMIUM)('the alerts in the console', () => {
  for (const hand of HANDS) {
    it(`lead from a dataset to an alert that was checked against the past, by ${hand}`, { timeout: PATIENT }, async ({
      api,
    }) => {
      await loadHosts(api, { a: 10 });
      for (const load of [30, 31, 5, 40]) await loadHosts(api, { a: load });
      const page = await consoles.open(api, { as: 'editor', path: '/alerts/new' });
      const clicks = new Clicks(page, hand);
      await clicks.type(page.getByLabel('Dataset', { exact: true }).and(page.locator('input')), 'hosts');
      await page.getByRole('option', { name: 'hosts' }).waitFor();
      if (hand === 'mouse') await clicks.press(page.getByRole('option', { name: 'hosts' }));
      else {
        // The first of what was found is marked.
        await page.getByRole('option', { name: 'hosts', selected: true }).waitFor();
        await clicks.key('Enter');
      }
      const column = page.getByLabel('of the column');
      await column.locator('option', { hasText: 'load' }).waitFor({ state: 'attached' });
      await column.selectOption('load');
      await clicks.type(page.getByLabel('Threshold'), '25');
      await clicks.press(page.getByRole('button', { name: 'Check it against the past' }));
      await page.getByText('It would have fired twice and recovered once in the last 5 evaluations.').waitFor();
      await page.getByRole('img', { name: 'Values from 5 to 40' }).waitFor();
      await page.getByText('Each evaluation').click();
      await expectGoodInAllForms(page, 'alert new');
      await clicks.type(page.getByLabel('Name', { exact: true }), 'Load is high');
      await clicks.press(page.getByRole('button', { name: 'Create the alert' }));
      await page.getByRole('heading', { level: 1, name: 'Load is high' }).waitFor();
      await page.getByText('The largest value of load in hosts is greater than 25').waitFor();
      const { body } = await api.as('editor').get(ALERTS);
      expect(body.items).toMatchObject([
        { name: 'Load is high', onRefresh: true, scheduleCron: null, condition: { column: 'load', threshold: 25 } },
      ]);
      clicks.expectAtMost(6);
    });
  }

  it('show what happened for the rows of the person, and are snoozed, left and evaluated', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const alert = await givenAlert(api, {
      name: UGLY,
      condition: onLoad(queryId, { by: { column: 'host' }, threshold: 15 }),
      channels: { inApp: { userIds: [viewer.userId] } },
    });
    const page = await consoles.open(api, { as: 'editor', path: '/alerts' });
    await page.getByRole('link', { name: UGLY }).waitFor();
    await page.getByText('not evaluated yet').waitFor();
    await expectGoodInAllForms(page, 'alerts');
    await page.getByRole('link', { name: UGLY }).click();
    await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();
    await evaluate(api, [alert], 1);
    await loadHosts(api, { a: 40, b: 20, c: 1 });
    await evaluate(api, [alert], 2);
    await page.reload();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('recovered').first().waitFor();
    const { body: stored } = await api.as('editor').get(`${alert.path}/history`);
    const entries = stored.items.flatMap((item: { entries: object[] }) => item.entries);
    expect(await history.getByRole('row').count()).toBe(1 + entries.length);
    await expectGoodInAllForms(page, 'alert history');
    await page.getByRole('tab', { name: 'Groups 3' }).click();
    const first = page.getByRole('region', { name: 'Groups' }).getByRole('row').nth(1);
    expect(await first.textContent()).toMatch(/^a✕ triggered40/);
    await expectGoodInAllForms(page, 'alert groups');

    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: '4 hours, for everyone' }).click();
    await page.getByText('Snoozed for everyone until').waitFor();
    const { snoozedUntil } = (await api.as('editor').get(alert.path)).body;
    expect(Math.abs(Date.parse(snoozedUntil) - Date.now() - 4 * 3_600_000)).toBeLessThan(120_000);
    await expectGoodInAllForms(page, 'alert snoozed');
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    expect((await api.as('editor').get(alert.path)).body.isRecipient).toBe(true);
    await page.getByRole('button', { name: 'Evaluate now' }).click();
    await expect
      .poll(async () => Date.parse((await api.as('editor').get(alert.path)).body.evaluatedAt) > Date.now() - 60_000)
      .toBe(true);
  });

  it('are changed without a loss between two people, and name each issue at its field', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { definition, fields } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const receiver = await givenReceiver(api);
    const condition = { kind: 'metric', metricId: metric.id, operator: 'lt', threshold: 100 };
    const alert = await givenAlert(api, { name: 'Revenue is low', condition, scheduleCron: '0 6 * * *' });
    const stored = async () => (await api.as('editor').get(alert.path)).body;
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/alerts/${alert.id}?tab=settings` }),
      consoles.open(api, { as: 'editor', path: `/alerts/${alert.id}?tab=settings` }),
    ]);
    const name = (page: Page) => page.getByLabel('Name', { exact: true });
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
    for (const page of [one, other]) await name(page).waitFor();
    await expectGoodInAllForms(one, 'alert settings');
    await name(one).fill('hers');
    await one.getByLabel('Fires if the value').selectOption('between');
    await one.getByLabel('From').fill('10');
    await one.getByLabel('To', { exact: true }).fill('20');
    await save(one);
    await one.getByRole('heading', { level: 1, name: 'hers' }).waitFor();
    expect(await stored()).toMatchObject({ condition: { operator: 'between', threshold: [10, 20] } });
    await name(other).fill('his');
    await save(other);
    const changed = other.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Name', 'Condition']);
    expect((await stored()).name).toBe('hers');
    await expectGoodInAllForms(other, 'alert changed');
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => name(other).inputValue()).toBe('hers');

    await chooseIn(other, 'Add a person or a group', (await api.password('viewer')).email.split('@')[0]!);
    await other.getByRole('checkbox', { name: /by email too/ }).check();
    await other.getByLabel('How often').selectOption('custom');
    await other.getByLabel('Cron expression').fill('* * * * *');
    await save(other);
    await other.getByText('SCHEDULE_TOO_FREQUENT').waitFor();
    await other.getByLabel('Cron expression').fill('0 7 * * *');
    await save(other);
    await expect.poll(async () => (await stored()).scheduleCron).toBe('0 7 * * *');
    const { channels } = await stored();
    expect(channels.email.userIds).toHaveLength(1);
    expect(channels.inApp.userIds).toEqual(channels.email.userIds);

    await other.getByRole('button', { name: 'Add condition' }).click();
    await other.getByLabel('Field of condition 1').selectOption(fields.region);
    await other.getByLabel('Value 1').fill('eu');
    await other.getByLabel('While it lasts, notify again').selectOption('H');
    await other.getByLabel('Number of hours').fill('6');
    await other.getByRole('button', { name: 'Add a channel' }).click();
    await other.getByLabel('Type of channel 1').selectOption('webhook');
    await other.getByLabel('Name of channel 1').fill('Pager');
    const address = other.getByLabel('Address of channel 1');
    await address.fill('https://elsewhere.example/hook');
    await other.getByLabel('Secret of channel 1', { exact: true }).fill(SECRET);
    await save(other);
    await other.getByText('has a host that is not one of the delivery domains').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(other, 'alert channels');
    await address.fill(receiver.url);
    await save(other);
    await expect.poll(() => address.inputValue()).toBe('');
    expect(await address.getAttribute('placeholder')).toContain(new URL(receiver.url).origin);
    expect(await other.getByLabel('Secret of channel 1', { exact: true }).inputValue()).toBe('');
    const sent = await stored();
    expect(sent).toMatchObject({
      condition: { operator: 'between', filters: [{ fieldId: fields.region, op: 'eq', values: ['eu'] }] },
      repeat: { every: 'PT6H' },
      channels: { targets: [{ name: 'Pager', origin: new URL(receiver.url).origin, hasSecret: true }] },
    });
    await other.reload();
    await other.getByLabel('Name of channel 1').fill('Phone');
    await api.as('owner').put(alert.path, { condition: { ...sent.condition, filters: [] }, repeat: 'never' });
    await save(other);
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual([
      ...['Condition', 'Channels', 'Notify again', 'Only rows where'],
    ]);
    await changed.getByText('every 6 hours').waitFor();
    await changed.getByText('sales.region is eu').waitFor();
    await changed.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await stored()).repeat).toEqual({ every: 'PT6H' });
    expect((await stored()).channels.targets).toMatchObject([
      { id: sent.channels.targets[0].id, name: 'Phone', origin: new URL(receiver.url).origin, hasSecret: true },
    ]);
    // An admin shares only their own rows.
    await one.reload();
    const rows = one.getByLabel('Everyone is notified of');
    await rows.waitFor();
    expect(await rows.getByRole('option', { name: 'its owner' }).isDisabled()).toBe(true);
    const admin = (await api.as('owner').get('/api/auth/me')).body.user.id;
    await one.getByLabel('Owner', { exact: true }).selectOption(admin);
    await rows.selectOption('owner');
    await one.getByLabel('Share rows that the recipients may not see').check();
    await expectGoodInAllForms(one, 'alert rows');
    await save(one);
    await one.getByText(/^Everyone is notified of the rows that .* may see\.$/).waitFor();
    expect(await stored()).toMatchObject({ ownerId: admin, runAs: 'owner', shareRows: true });
    await other.reload();
    await other.getByText('Only admins can change this, what the alert is about and whom it notifies.').waitFor();
    // Without the fields, their issues are below the form.
    const message = 'must be true, because the data is protected';
    const refuse = (route: Route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 400,
            json: {
              ...{ type: 'about:blank', title: 'x', status: 400, code: 'VALIDATION_FAILED', requestId: 'r-1' },
              detail: 'The request is not valid.',
              errors: ['/runAs', '/shareRows'].map((pointer) => ({ pointer, code: 'REQUIRED', message })),
            },
          })
        : route.fallback();
    await other.route(`**${alert.path}`, refuse);
    await save(other);
    await expect.poll(() => other.locator('.alert-form .issue-box li', { hasText: message }).count()).toBe(2);
    await other.unroute(`**${alert.path}`, refuse);
    await rows.selectOption('recipients');
    await save(one);
    await expect.poll(async () => (await stored()).runAs).toBe('recipients');
    expect(await stored()).toMatchObject({ ownerId: admin, shareRows: false });
    await other.reload();
    await other.getByText('Everyone is notified of the rows that they may see.').waitFor();
    await other.getByRole('button', { name: 'Pause' }).click();
    await other.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await stored()).toMatchObject({ isActive: false, status: 'paused' });
    await other.getByRole('button', { name: 'Delete the alert' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await other.getByRole('heading', { name: 'There are no alerts yet' }).waitFor();
    await expectGoodInAllForms(other, 'alerts empty');
    expect((await api.as('editor').get(alert.path)).status).toBe(404);
  });

  it('say what failed at each call, leave out what viewers may not do, and are hidden from others', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { name: 'seen', condition: onLoad(queryId) });
    const page = await consoles.open(api, { as: 'editor', path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [path, calls, sign] of [
      ['/alerts', /\/api\/dashboard-alerts\?/, 'seen'],
      [`/alerts/${alert.id}`, new RegExp(`/api/dashboard-alerts/${alert.id}$`), 'Evaluate now'],
      [`/alerts/${alert.id}`, /\/history\?/, 'Nothing has happened yet'],
    ] as const) {
      await page.route(calls, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${path}`);
      const failed = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await failed.waitFor();
      expect(await failed.textContent()).toContain('INTERNAL · request r-1');
      await page.unroute(calls);
      await failed.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
    const viewer = await consoles.open(api, { as: 'viewer', path: '/alerts' });
    await viewer.getByRole('heading', { name: 'There are no alerts yet' }).waitFor();
    await viewer.goto(`${api.endpoint}/api/console/alerts/${alert.id}`);
    await expect.poll(() => viewer.getByRole('alert').textContent()).toContain('ALERT_NOT_FOUND');
    await expectGoodInAllForms(viewer, 'alert that is not there');
    await viewer.goto(`${api.endpoint}/api/console/alerts/new`);
    await viewer.getByRole('button', { name: 'Create the alert' }).waitFor();
    expect(await viewer.getByLabel('Add a person or a group').count()).toBe(0);
  });
});
