import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import {
  dagOf,
  finishedRun,
  givenFiles,
  givenPipeline,
  load,
  runThatIs,
  sendFiles,
  sql,
  startedRun,
} from '../../pipelines/pipelines/given.ts';

const consoles = useConsoles();
const ONCE = { maxAttempts: 1 };

const extract = (sourceId: string, path: string) => ({
  id: 'read',
  type: 'extract',
  config: { sourceId, object: { path } },
  retry: ONCE,
});

describe.runIf(HAS_CHROMIUM)('a run in the console', () => {
  for (const hand of HANDS) {
    it(`leads from the list to the cause in one click, and repeats it in three more, by ${hand}`, {
      timeout: PATIENT,
    }, async ({ api }) => {
      const sourceId = await givenFiles(api, {});
      const name = `Nightly load by ${hand}`;
      const dag = dagOf(
        extract(sourceId, `${hand}.csv`),
        sql('twice', 'SELECT n * 2 AS n FROM read', ['read']),
        load('keep', 'twice', `doubled by ${hand}`),
      );
      const { id } = await givenPipeline(api, dag, { name });
      const runId = await startedRun(api, id);
      const failed = await runThatIs(api, runId, 'failed');
      const page = await consoles.open(api, { as: 'editor', path: '/runs?status=failed' });
      const clicks = new Clicks(page, hand);
      const cause = page
        .getByRole('row')
        .filter({ hasText: name })
        .getByText('A table, file or endpoint does not exist');
      expect(await cause.getAttribute('title')).toBe(`${failed.error.message} (NOT_FOUND)`);
      await clicks.press(page.getByRole('link', { name, exact: true }));
      const step = page.getByRole('region', { name: 'Step read' });
      await step.getByText(failed.error.message, { exact: true }).waitFor();
      expect(await step.textContent()).toContain('NOT_FOUND: a table, file or endpoint does not exist.');
      expect(await step.textContent()).toContain('What to do: correct the name, or wait for it to appear.');
      clicks.expectAtMost(1);
      await step.getByRole('log').waitFor();
      await page.locator('[data-node=keep]').waitFor();
      await expectGoodInAllForms(page, 'run that failed');

      await sendFiles(api, sourceId, { [`${hand}.csv`]: 'n\n1\n2\n' });
      await clicks.press(page.getByRole('button', { name: 'Retry' }));
      await clicks.press(page.getByRole('menuitem', { name: 'The failed steps' }));
      await page.locator('h1 + .status.succeeded').waitFor();
      clicks.expectAtMost(4);
      const done = await runThatIs(api, runId, 'succeeded');
      expect(await page.locator('.facts').textContent()).toContain(`attempt 2`);
      expect(await page.locator('.facts').textContent()).toContain(`${done.rowsMoved} rows loaded`);
      expect(done.rowsMoved).toBe(2);
    });
  }

  it('shows its steps as a graph, a timeline and a table, as they are stored', { timeout: PATIENT }, async ({
    api,
  }) => {
    const long = `a-step-with-a-name-that-is-as-long-as-names-may-be-${'x'.repeat(12)}`;
    const dag = {
      ...dagOf(
        sql('numbers', 'SELECT * FROM range(1234567) t(n)'),
        sql('part', `SELECT n FROM numbers WHERE n % 3 = {{ forEach.each.item }}`, ['numbers']),
        sql(long, 'SELECT n FROM numbers WHERE n < 0', ['numbers']),
        load('keep', 'part', 'parts'),
      ),
      forEach: [{ id: 'each', items: [0, 1, 2], steps: ['part'] }],
    };
    const { run } = await finishedRun(api, dag);
    expect(run.dependencies).toEqual({ numbers: [], part: ['numbers'], [long]: ['numbers'], keep: ['part'] });
    const page = await consoles.open(api, { as: 'viewer', path: `/runs/${run.id}` });
    await page.locator('[data-node=part]').getByText('3 of 3').waitFor();
    await page.locator('[data-node=numbers]').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Step part' }).waitFor();
    expect(new URL(page.url()).searchParams.get('step')).toBe('part');
    await expectGoodInAllForms(page, 'run as a graph');
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.locator('.bar-of').first().waitFor();
    await expectGoodInAllForms(page, 'run as a timeline');
    await page.getByRole('tab', { name: 'Steps' }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'numbers', exact: true }) });
    const stored = run.steps.find(({ stepId }: { stepId: string }) => stepId === 'numbers');
    expect(stored.rowsOut).toBe(1_234_567);
    expect(await row.textContent()).toContain('1,234,567');
    expect(await page.getByRole('row').count()).toBe(1 + run.steps.length);
    await expectGoodInAllForms(page, 'run as a table');
    // A viewer changes nothing.
    expect(await page.getByRole('button', { name: /Retry|Run again|Cancel/ }).count()).toBe(0);
  });

  it('follows while it goes on, and is cancelled', { timeout: PATIENT }, async ({ api }) => {
    const slow = sql(
      'slow',
      'SELECT count(*) AS n FROM range(1000000) a, range(5000) b WHERE (a.range * b.range) % 7 = 3',
    );
    const { id } = await givenPipeline(api, dagOf(slow));
    const runId = await startedRun(api, id);
    const page = await consoles.open(api, { as: 'editor', path: `/runs/${runId}` });
    await page.locator('[data-node=slow] .status.running').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('h1 + .status.cancelled').waitFor();
    await runThatIs(api, runId, 'cancelled');
  });

  it('is listed by status and start, and says when there is none', { timeout: PATIENT }, async ({ api }) => {
    const { run } = await finishedRun(api, dagOf(sql('a', 'SELECT 1 AS x')));
    const page = await consoles.open(api, { as: 'viewer', path: '/runs' });
    await page.locator(`a[href$="/runs/${run.id}"]`).waitFor();
    await expectGoodInAllForms(page, 'runs');
    await page.getByLabel('Started by').selectOption({ label: 'a backfill' });
    await page.getByText('No run matches').waitFor();
    expect(new URL(page.url()).searchParams.get('trigger')).toBe('backfill');
    await expectGoodInAllForms(page, 'no runs');
  });

  it('of a past day names the day in the time zone of the pipeline', { timeout: PATIENT }, async ({ api }) => {
    const schedule = { cron: '0 5 * * *', timezone: 'Pacific/Auckland', enabled: false };
    const { id } = await givenPipeline(api, dagOf(sql('a', 'SELECT 1 AS x')), { schedule });
    const started = await api
      .as('editor')
      .post(`/api/pipelines/${id}/backfill`, { from: '2026-03-05', to: '2026-03-05' });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const { body } = await api.as('editor').get(`/api/pipelines/${id}/runs`);
    // In UTC, it is the day before.
    expect(body.items[0].logicalDate).toBe('2026-03-04T11:00:00.000Z');
    const page = await consoles.open(api, { as: 'viewer', path: `/runs/${body.items[0].id}` });
    await page.locator('.facts').getByText('for Mar 5, 2026').waitFor();
  });

  it('is not there for a stranger, and says when it cannot be read', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: 'viewer', path: '/runs/00000000-0000-7000-8000-000000000000' });
    await page.getByText('RUN_NOT_FOUND').waitFor();
    await expectGoodInAllForms(page, 'run that does not exist');
  });
});
