import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { breakCall } from '../../../support/console/break-call.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { dagOf, givenFiles, givenPipeline, load, runThatIs, sql, startedRun } from '../../pipelines/pipelines/given.ts';

const consoles = useConsoles();

const stored = async (api: Api, id: string) => (await api.as('editor').get(`/api/pipelines/${id}`)).body;
const more = async (page: Page, name: string, button = 'More actions') => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

const UGLY_NAME = `Orders <b>of</b> the shop ${'with a very long name '.repeat(7)}`.trim();

describe.runIf(HAS_CHROMIUM)('the pipelines in the console', () => {
  it('are listed with their latest runs and next start, started, paused and deleted', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/pipelines' });
    await page.getByRole('heading', { name: 'There are no pipelines yet' }).waitFor();
    await expectGoodInAllForms(page, 'pipelines empty');

    const dag = dagOf(sql('a', 'SELECT 1 AS x'), load('b', 'a', 'numbers'));
    const { id } = await givenPipeline(api, dag, {
      name: UGLY_NAME,
      schedule: { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' },
    });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    const broken = await givenPipeline(api, dagOf(sql('a', "SELECT CAST('no' AS INTEGER) AS x")), { name: 'broken' });
    const failed = await startedRun(api, broken.id);
    await runThatIs(api, failed, 'failed');
    await page.reload();
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('broken').waitFor();
    expect(await row(UGLY_NAME).textContent()).toContain('weekdays 06:00 Berlin');
    expect(await row(UGLY_NAME).textContent()).toMatch(/in \d+ (days?|hours?|minutes?)|tomorrow/);
    expect(await row('broken').locator('.latest-runs a').getAttribute('href')).toContain(`/runs/${failed}`);
    await expectGoodInAllForms(page, 'pipelines');

    await more(page, 'Pause', `More actions for ${UGLY_NAME}`);
    await row(UGLY_NAME).getByText('paused').waitFor();
    expect((await stored(api, id)).status).toBe('paused');
    await page.getByLabel('Status').selectOption('paused');
    await expect.poll(() => row('broken').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('status')).toBe('paused');
    await more(page, 'Resume', `More actions for ${UGLY_NAME}`);
    await page.getByRole('heading', { name: 'No pipeline has this status' }).waitFor();
    await page.getByLabel('Status').selectOption('');

    await more(page, 'Delete', 'More actions for broken');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing depends on it.').waitFor();
    await expectGoodInAllForms(page, 'pipeline delete');
    await dialog.getByLabel('Type “broken” to confirm').fill('broken');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => row('broken').count()).toBe(0);
    expect((await api.as('editor').get(`/api/pipelines/${broken.id}`)).status).toBe(404);

    await page.getByRole('button', { name: `Run ${UGLY_NAME} now` }).click();
    await page.locator('h1 + .status.succeeded').waitFor();
    expect((await stored(api, id)).latestRuns).toHaveLength(2);
  });

  it('are listed by the ten thousand', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const first = await stored(api, id);
    const page = await consoles.open(api, { as: 'viewer', path: '/sign-in' });
    await page.route(/\/api\/pipelines\?/, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset') ?? 0)];
      const items = Array.from({ length: Math.min(limit, 10_000 - offset) }, (_, index) => ({
        ...first,
        id: `id-${offset + index}`,
        name: `pipeline ${offset + index}`,
        permission: 'viewer',
      }));
      await route.fulfill({ json: { items, total: 10_000, limit, offset } });
    });
    await page.goto(`${api.endpoint}/api/console/pipelines`);
    await page.getByText('10,000 pipelines').waitFor();
    await page.getByRole('link', { name: 'pipeline 0', exact: true }).focus();
    for (let step = 1; step <= 3; step += 1) await page.keyboard.press('j');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('pipeline 3');
    expect(await page.getByRole('button', { name: /^Run / }).count()).toBe(0);
    await expectGoodInAllForms(page, 'pipelines long');
  });

  it('show their steps, runs and starts, as they are stored', { timeout: PATIENT }, async ({ api }) => {
    const sourceId = await givenFiles(api, { 'orders.csv': 'id,amount\n1,2\n' });
    const dag = {
      ...dagOf(
        { id: 'orders', type: 'extract', config: { sourceId, object: { path: 'orders.csv' } } },
        sql(`a-step-with-a-name-as-long-as-names-may-be-${'x'.repeat(20)}`, `SELECT *\nFROM orders\nWHERE amount > 1`, [
          'orders',
        ]),
        load('keep', 'orders', 'kept orders'),
      ),
      trigger: { kind: 'webhook' },
    };
    const { id } = await givenPipeline(api, dag, { name: UGLY_NAME });
    const runId = await startedRun(api, id);
    await runThatIs(api, runId, 'succeeded');
    const page = await consoles.open(api, { as: 'viewer', path: `/pipelines/${id}` });
    const orders = page.getByRole('region', { name: 'Step orders' });
    await expect.poll(() => orders.getByRole('definition').allTextContents()).toContain('orders.csv');
    await page.locator('[data-node=orders]').focus();
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('region', { name: /^Step a-step-with/ })
      .getByText('WHERE amount > 1')
      .waitFor();
    await page.getByText('2 columns').waitFor();
    expect(new URL(page.url()).searchParams.get('step')).toContain('a-step-with');
    await expectGoodInAllForms(page, 'pipeline');
    await page.getByRole('tab', { name: 'Runs' }).click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('succeeded');
    await expectGoodInAllForms(page, 'pipeline runs');
    await page.getByRole('tab', { name: 'Starts' }).click();
    await page.getByText('It has not started by itself yet').waitFor();
    await expectGoodInAllForms(page, 'pipeline starts of a viewer');
    // A viewer changes nothing, and sees no secret.
    expect(await page.getByRole('button', { name: /Run|Save|More actions|URL/ }).count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Steps', 'Runs', 'Starts']);
  });

  it.for(HANDS)('are run with parameters and all rows by %s', { timeout: PATIENT }, async (hand, { api }) => {
    const sourceId = await givenFiles(api, { 'orders.csv': 'id,amount\n1,2\n2,3\n' });
    const incremental = { mode: 'incremental', incremental: { cursorColumn: 'id' } };
    const dag = {
      ...dagOf(
        { id: 'orders', type: 'extract', config: { sourceId, object: { path: 'orders.csv' }, ...incremental } },
        sql('some', 'SELECT * FROM orders WHERE amount > {{ params.above }}', ['orders']),
        load('keep', 'some', `kept by ${hand}`, { mode: 'merge', mergeKey: ['id'] }),
      ),
      parameters: [{ name: 'above', type: 'number', required: true, description: 'Smaller amounts are left out.' }],
    };
    const { id } = await givenPipeline(api, dag, { name: `by ${hand}` });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}` });
    const { body: source } = await api.as('owner').get(`/api/data-sources/${sourceId}`);
    await page.getByRole('link', { name: source.name, exact: true }).waitFor();
    const clicks = new Clicks(page, hand);
    // A run needs a value, so it is asked for.
    await clicks.press(page.getByRole('button', { name: 'Run now' }));
    const dialog = page.getByRole('dialog');
    await clicks.type(dialog.getByLabel('above'), '2.5');
    await clicks.press(dialog.getByRole('checkbox', { name: 'orders' }));
    if (hand === 'mouse') await expectGoodInAllForms(page, 'pipeline run');
    await clicks.press(dialog.getByRole('button', { name: 'Run', exact: true }));
    await page.locator('h1 + .status.succeeded').waitFor();
    clicks.expectAtMost(4);
    const runId = new URL(page.url()).pathname.split('/').at(-1)!;
    const run = await runThatIs(api, runId, 'succeeded');
    expect(run).toMatchObject({ parameters: { above: 2.5 }, fullRefresh: true, rowsMoved: 1 });
  });

  it('start once if a reply is lost, say so, and start again if that is meant', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), { name: 'Nightly' });
    const runs = async () => (await api.as('editor').get(`/api/pipelines/${id}/runs`)).body.items;
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}?tab=runs` });
    const runNow = page.getByRole('button', { name: 'Run now' });
    const loseReply = async () => {
      const lost = await breakCall(page, 'POST /api/pipelines/*/run', 'loses its reply');
      await runNow.click();
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      lost.mend();
    };
    await loseReply();
    // It is the same wish until there is an answer.
    await runNow.click();
    await page.locator('h1 + .status.succeeded').waitFor();
    expect(await runs()).toMatchObject([{ id: page.url().split('/').at(-1) }]);
    await page.getByText(/^You started this run at .*, but the reply was lost\.$/).waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Start another' }).click();
    await expect.poll(() => page.url()).not.toBe(first);
    await page.locator('h1 + .status.succeeded').waitFor();
    expect(await runs()).toHaveLength(2);

    // Who has seen the run wants another one.
    await page.goto(`${api.endpoint}/api/console/pipelines/${id}?tab=runs`);
    await loseReply();
    const [third] = await runs();
    await page.locator(`td a[href*="/runs/${third.id}"]`).first().click();
    await page.locator('h1 + .status.succeeded').waitFor();
    await page.goBack();
    await runNow.click();
    await page.locator('h1 + .status.succeeded').waitFor();
    expect(await page.getByRole('button', { name: 'Start another' }).count()).toBe(0);
    expect(await runs()).toHaveLength(4);

    // Who has seen only the run of another person does not.
    await page.goto(`${api.endpoint}/api/console/pipelines/${id}?tab=runs`);
    await loseReply();
    const [own] = await runs();
    const other = (await api.as('owner').post(`/api/pipelines/${id}/run`, {})).body;
    await page.locator(`td a[href*="/runs/${other.id}"]`).first().click();
    await page.locator('h1 + .status.succeeded').waitFor();
    await page.goBack();
    await runNow.click();
    await page.waitForURL(`**/runs/${own.id}*`);
    expect(await runs()).toHaveLength(6);
  });

  it('start by schedules, files, other pipelines and URLs, and lose no change of two people', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const sourceId = await givenFiles(api, { 'orders.csv': 'id\n1\n' });
    const other = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), { name: 'upstream' });
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), { name: 'starting' });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}?tab=starts` });
    const late = await consoles.open(api, { as: 'owner', path: `/pipelines/${id}?tab=starts` });
    await late.getByLabel('How often').selectOption('weekdays');
    await page.getByLabel('How often').selectOption('daily');
    await page.getByRole('button', { name: 'Save the schedule' }).click();
    await page.getByText('The schedule is saved.').waitFor();
    const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
    expect((await stored(api, id)).schedule).toMatchObject({ cron: '0 6 * * *', timezone: zone, enabled: true });
    await page.getByText(/^daily 06:00 .*, next/).waitFor();

    await late.getByRole('button', { name: 'Save the schedule' }).click();
    await late.getByText(/is now: daily 06:00 .* Yours: weekdays 06:00/).waitFor();
    await expectGoodInAllForms(late, 'pipeline schedule changed');
    await late.getByRole('button', { name: 'Keep mine' }).click();
    await late.getByText(/^weekdays 06:00 .*, next/).waitFor();
    expect((await stored(api, id)).schedule).toMatchObject({ cron: '0 6 * * 1-5' });

    await page.reload();
    const kind = page.getByLabel('Start the pipeline');
    const save = async () => {
      const before = (await stored(api, id)).revision;
      await page.getByRole('button', { name: 'Save the start' }).click();
      await expect.poll(async () => (await stored(api, id)).revision).toBeGreaterThan(before);
      return (await stored(api, id)).dag.trigger;
    };
    await kind.selectOption('file_arrival');
    await page.getByLabel('Source').selectOption(sourceId);
    await page.getByLabel('Files', { exact: true }).fill('in/**/*.csv');
    await expectGoodInAllForms(page, 'pipeline starts');
    expect(await save()).toEqual({
      kind: 'file_arrival',
      sourceId,
      path: 'in/**/*.csv',
      quietSeconds: 60,
      minFiles: 1,
    });
    await kind.selectOption('pipeline');
    await page.getByLabel('Pipeline', { exact: true }).selectOption({ label: 'upstream' });
    expect(await save()).toEqual({ kind: 'pipeline', pipelineId: other.id, on: 'success' });
    await kind.selectOption('webhook');
    expect(await save()).toEqual({ kind: 'webhook' });
    // The two forms of the page are no two people.
    await page.getByLabel('How often').selectOption('daily');
    await page.getByRole('button', { name: 'Save the schedule' }).click();
    await page.getByText('The schedule is saved.').waitFor();
    await page.getByRole('button', { name: 'Show the URL' }).click();
    const url = await page.getByLabel('URL, which is a secret').inputValue();
    expect((await fetch(url, { method: 'POST' })).status).toBe(201);
    await page.getByRole('button', { name: 'Replace the URL' }).click();
    await expect.poll(() => page.getByLabel('URL, which is a secret').inputValue()).not.toBe(url);
    expect((await fetch(url, { method: 'POST' })).status).not.toBe(201);
    await page.reload();
    await page.getByRole('region', { name: 'Automatic starts' }).getByText('a call of its URL').first().waitFor();
    await expectGoodInAllForms(page, 'pipeline starts with history');
  });

  it('run past days, and keep their settings', { timeout: PATIENT }, async ({ api }) => {
    const day = sql('day', "SELECT CAST(CAST({{ run.logicalDate }} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' AS DATE) AS day");
    const { id } = await givenPipeline(api, dagOf(day, load('keep', 'day', 'past days', { mode: 'append' })), {
      name: 'past',
    });
    const page = await consoles.open(api, { as: 'editor', path: `/pipelines/${id}?tab=backfill` });
    await page.getByText('There are no backfills yet').waitFor();
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2028-01-01');
    await page.getByText('a backfill has at most 366').waitFor();
    expect(await page.getByRole('button', { name: /^Start/ }).isDisabled()).toBe(true);
    await page.getByLabel('Last day').fill('2026-01-03');
    await page.getByText('3 runs, one for each day in the time zone UTC').waitFor();
    await expectGoodInAllForms(page, 'pipeline backfill');
    await page.getByRole('button', { name: 'Start 3 runs' }).click();
    await page.getByText('3 days, Jan 1, 2026 to Jan 3, 2026').waitFor();
    await page.getByText('3 succeeded').waitFor();
    const { body } = await api.as('editor').post('/api/query', { sql: 'SELECT day FROM "past days" ORDER BY day' });
    expect(body.rows).toEqual([['2026-01-01'], ['2026-01-02'], ['2026-01-03']]);
    await expectGoodInAllForms(page, 'pipeline backfilled');
    await page.getByRole('link', { name: 'Jan 1, 2026: succeeded' }).click();
    await page.getByText('for Jan 1, 2026').waitFor();
    await page.goBack();

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('the past');
    // What the page itself changes does not make its form out of date.
    await more(page, 'Pause', 'More actions');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Run now' }).waitFor();
    await page.getByLabel('A start beyond that').selectOption('queue');
    await page.getByLabel('Memory of the steps').selectOption('small');
    await page.getByRole('combobox', { name: 'Add a person' }).fill('own');
    await page.getByRole('listbox').getByRole('option').first().click();
    await expectGoodInAllForms(page, 'pipeline settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'the past' }).waitFor();
    const saved = await stored(api, id);
    expect(saved).toMatchObject({ concurrency: { onOverlap: 'queue' }, compute: { size: 'small' } });
    expect(saved.failureRecipients).toHaveLength(1);
  });

  it('say what failed at each call, and that they do not exist', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), { name: 'there' });
    const page = await consoles.open(api, { as: 'editor', path: '/sign-in' });
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [],
      requestId: 'r',
    };
    for (const [path, calls, sign] of [
      ['/pipelines', /\/api\/pipelines\?/, 'there'],
      [`/pipelines/${id}`, new RegExp(`/api/pipelines/${id}$`), 'SQL'],
      [`/pipelines/${id}?tab=runs`, /\/pipelines\/runs\?/, 'This pipeline has not run yet'],
      [`/pipelines/${id}?tab=starts`, /\/triggers/, 'It has not started by itself yet'],
      [`/pipelines/${id}?tab=backfill`, /\/pipelines\/runs\?/, 'There are no backfills yet'],
    ] as const) {
      await page.route(calls, (route) =>
        route.fulfill({ status: 400, json: { ...problem, detail: `No: ${calls.source}` } }),
      );
      await page.goto(`${api.endpoint}/api/console${path}`);
      const alert = page.getByRole('alert').filter({ hasText: `No: ${calls.source}` });
      await alert.waitFor();
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
    await page.goto(`${api.endpoint}/api/console/pipelines/00000000-0000-7000-8000-000000000000`);
    await page.getByText('PIPELINE_NOT_FOUND').waitFor();
    await expectGoodInAllForms(page, 'pipeline that does not exist');
  });
});
