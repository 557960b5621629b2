import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS, type Hand } from '../../../support/console/clicks.ts';
import {
  expectGood,
  expectGoodInAllForms,
  HAS_CHROMIUM,
  PATIENT,
  useConsoles,
} from '../../../support/console/open-console.ts';

const consoles = useConsoles();

const ORDERS = [
  'order_id,placed,region,amount',
  ...Array.from({ length: 400 }, (_, i) => {
    const placed = new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10);
    return `${i},${placed},${['North', 'South', 'East'][i % 3]},${(i * 1.25).toFixed(2)}`;
  }),
].join('\n');

/** Drops a file on the page, as a person drags it from a folder. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    })()`,
  );

/** The first chart, for at most two clicks. With the keyboard, a file is chosen instead of dropped. */
async function toFirstChart(page: Page, hand: Hand, clicks: Clicks): Promise<void> {
  const choose = page.getByRole('button', { name: 'Choose a file' });
  await choose.waitFor();
  if (hand === 'mouse') {
    clicks.count += 1;
    await drop(page, 'orders.csv', ORDERS);
  } else {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), clicks.press(choose)]);
    await chooser.setFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(ORDERS) });
  }
  await page.locator('.picture svg path').first().waitFor({ state: 'attached' });
}

const datasetsOf = async (api: Api) => (await api.as('owner').get('/api/datasets')).body.items;

describe.runIf(HAS_CHROMIUM)('a file that is dropped on the home page', () => {
  it.for(HANDS)('is a chart after two clicks by %s, without our words', { timeout: PATIENT }, async (hand, { api }) => {
    const page = await consoles.open(api, { as: 'editor', uploads: true });
    await page.getByText('All is well').waitFor();
    if (hand === 'mouse') await expectGoodInAllForms(page, 'home drop');
    const clicks = new Clicks(page, hand);
    await toFirstChart(page, hand, clicks);
    clicks.expectAtMost(2);
    expect(await page.locator('section.drop').textContent()).not.toMatch(/dataset|source|model|import/i);
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    await page.getByText('400 rows, 4 columns').waitFor();
    const [dataset] = await datasetsOf(api);
    expect(dataset).toMatchObject({ name: 'orders', rowCount: 400 });
    await page.getByRole('img', { name: 'amount by week' }).waitFor();
    expect(await page.locator('.picture').textContent()).toMatch(/Apr|2025/);
    if (hand === 'mouse') await expectGoodInAllForms(page, 'home first chart');
    await clicks.press(page.getByRole('button', { name: 'amount by region' }));
    await page.getByRole('img', { name: 'amount by region' }).waitFor();
    await expect.poll(() => page.locator('.picture').textContent()).toContain('North');
    await expectGood(page, 'home second chart');
    // On a dashboard for two more than the first chart.
    clicks.count -= 1;
    await clicks.press(page.getByRole('button', { name: 'Keep as a dashboard' }));
    await page.waitForURL(/\/dashboards\/[\w-]+$/);
    clicks.expectAtMost(4);
    const { body: dashboards } = await api.as('owner').get('/api/dashboards/page');
    expect(dashboards.items).toMatchObject([{ name: 'orders' }]);
  });

  it('is in one click if it is a sample, and keeps what was there under its name', { timeout: PATIENT }, async ({
    api,
  }) => {
    await api.as('owner').post('/api/datasets', { name: 'Coffee shop' });
    const page = await consoles.open(api, { uploads: true });
    const clicks = new Clicks(page, 'keyboard');
    await clicks.press(page.getByRole('button', { name: 'Try it with sample data' }));
    await page.getByRole('img', { name: 'revenue by month' }).waitFor();
    clicks.expectAtMost(1);
    const items: { name: string; rowCount: number }[] = await datasetsOf(api);
    expect(new Map(items.map(({ name, rowCount }) => [name, rowCount]))).toEqual(
      new Map([
        ['Coffee shop', 0],
        ['Coffee shop 2', 2700],
      ]),
    );
    await page.getByRole('button', { name: 'Another file' }).click();
    // The same file again never replaces the rows of the first one.
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await page.getByRole('heading', { name: 'Coffee shop 3' }).waitFor();
    const { body: sources } = await api.as('owner').get('/api/data-sources');
    expect(sources.items).toMatchObject([{ name: 'Files', type: 'file' }]);
  });

  it('says why it cannot be read, and leaves nothing behind', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { uploads: true });
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    await drop(page, 'broken.parquet', 'PAR1 this is no Parquet');
    const alert = page.getByRole('alert').filter({ hasText: 'broken.parquet could not be shown.' });
    await alert.waitFor();
    await expectGoodInAllForms(page, 'home drop failed');
    await expect.poll(() => datasetsOf(api)).toEqual([]);
    await drop(page, 'one.csv', 'name,count\nonly,1\n');
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
    await page.getByText('1 row, 2 columns').waitFor();
    expect((await datasetRepository(api.table).find(api.workspaceId, 'one'))?.rowCount).toBe(1);
  });

  it('can be tried again after any call of the flow has failed', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { uploads: true });
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [],
      requestId: 'r-1',
    };
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    const faults = [
      /\/api\/data-sources\?/,
      /\/api\/data-sources$/,
      /\/uploads$/,
      /\/api\/datasets$/,
      /\/api\/datasets\/[\w-]+$/,
      /\/statistics$/,
      /\/charts\/suggest$/,
    ];
    let isFirst = true;
    for (const address of faults) {
      await page.route(address, (route) =>
        route.fulfill({ status: 400, json: { ...problem, detail: `It failed at ${address.source}` } }),
      );
      if (isFirst) await drop(page, 'orders.csv', ORDERS);
      else await page.getByRole('button', { name: 'Try again' }).click();
      isFirst = false;
      await page.getByText(`It failed at ${address.source}`).waitFor();
      await page.unroute(address);
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: 'amount by week' }).waitFor();
  });

  it('is no choice for viewers, nor for editors once an admin has turned it off', { timeout: PATIENT }, async ({
    api,
  }) => {
    await api.as('owner').patch('/api/workspaces/current', { editorsMayUpload: false });
    for (const person of ['viewer', 'editor'] as const) {
      const page = await consoles.open(api, { as: person });
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('button', { name: 'Choose a file' }).count(), person).toBe(0);
    }
  });
});
