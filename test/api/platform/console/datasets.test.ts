import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { type Api, it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenFileSource } from '../../../support/given/upload.ts';

const consoles = useConsoles();

const UGLY = `SELECT i AS id, CASE WHEN i % 3 = 0 THEN NULL WHEN i = 1 THEN '' ELSE repeat('a long text ', i) END AS "a column with a very long name, and an \u00fcmlaut",
  (i * 1234567.891)::decimal(38, 9) AS amount, i / 7.0 AS part, DATE '2026-01-01' + i::integer AS placed,
  [i, NULL] AS list, {'a': i, 'b': '<script>'} AS nested, 9007199254740993 + i AS large,
  TIMESTAMP '2001-01-01 00:05:00' + INTERVAL (i * 500) MILLISECOND AS "at", TIMESTAMPTZ '2001-01-01 00:05:00+02' AS instant,
  -2.2250738585072014e-308 / (i + 1) AS tiny FROM range(500) r(i)`;

/** Numbers and times that do not fit into their cells. */
const CUT_VALUES = `[...document.querySelectorAll('.grid td')]
  .filter((cell) => cell.matches('.number') || /^\\d{4}-\\d\\d/.test(cell.textContent))
  .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;

/** A dataset that is imported from a file, once its import has ended. */
async function givenImported(api: Api, name: string): Promise<string> {
  const sourceId = await givenFileSource(
    api,
    { 'orders.csv': 'id,amount\n1,12.5\n2,99\n3,7.25\n' },
    `files of ${name}`,
  );
  const { body } = await api
    .as('owner')
    .post('/api/datasets', { name, source: { kind: 'file', sourceId, path: 'orders.csv' } });
  await expect
    .poll(async () => (await api.as('owner').get(`/api/datasets/${body.id}`)).body.version, { timeout: 60_000 })
    .toBe(1);
  return body.id;
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const more = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name }).click();
};

describe.runIf(HAS_CHROMIUM)('the datasets in the console', () => {
  it('are listed with their rows and sizes, sorted and searched', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/datasets' });
    await page.getByRole('heading', { name: 'There are no datasets yet' }).waitFor();
    await expectGoodInAllForms(page, 'datasets empty');

    await givenDataset(api, { name: 'orders of the shop', sql: 'SELECT i AS id FROM range(1234567) r(i)' });
    await givenDataset(api, { name: `x${'-very-long-name'.repeat(12)}`, sql: 'SELECT 1 AS a WHERE false' });
    const few = await givenDataset(api, { name: 'few <b>rows</b>', sql: 'SELECT i AS id FROM range(3) r(i)' });
    await api.as('owner').put(`/api/catalog/certifications/dataset/${few.id}`, { status: 'certified' });
    await page.reload();
    const rows = page.locator('tbody tr:not(.spacer)');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Rows' }).click();
    await expect.poll(() => rows.first().textContent()).toContain('orders of the shop1,234,567');
    expect(await page.getByRole('columnheader', { name: 'Rows' }).getAttribute('aria-sort')).toBe('descending');
    await expect.poll(() => rows.nth(1).textContent()).toContain('Certified');
    await expectGoodInAllForms(page, 'datasets');

    await page.getByRole('searchbox', { name: 'Search datasets' }).fill('SHOP');
    await expect.poll(() => rows.count()).toBe(1);
    // What is shown is in the address.
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByRole('heading', { name: 'No dataset has this text in its name' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('link', { name: 'few <b>rows</b>' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'few <b>rows</b>' }).waitFor();
  });

  it('are listed by the ten thousand, of which those in sight are read and drawn', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenDataset(api, { name: 'first', sql: 'SELECT 1 AS a' });
    const { body: first } = await api.as('owner').get(`/api/datasets/${id}`);
    const page = await consoles.open(api, { path: '/sign-in' });
    const asked: number[] = [];
    await page.route(/\/api\/datasets\?/, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset') ?? 0)];
      asked.push(offset);
      const items = Array.from({ length: Math.min(limit, 10_000 - offset) }, (_, index) => ({
        ...first,
        id: `id-${offset + index}`,
        name: `dataset ${offset + index}`,
      }));
      await route.fulfill({ json: { items, total: 10_000, limit, offset, nextCursor: null } });
    });
    await page.goto(`${api.endpoint}/api/console/datasets`);
    await page.getByRole('link', { name: 'dataset 0', exact: true }).waitFor();
    const list = page.getByRole('region', { name: 'Datasets' });
    expect(await list.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    expect(await list.getByRole('link').count()).toBeLessThan(80);
    await list.focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 'dataset 9999', exact: true }).waitFor();
    // Of a hundred pages, those at the start and at the end, and some that scrolling passes.
    expect(new Set(asked).size).toBeLessThan(40);
    await expectGoodInAllForms(page, 'datasets long');
  });

  it('show their rows, profile, refreshes and versions as they are stored', { timeout: PATIENT }, async ({ api }) => {
    await givenDataset(api, { name: 'ugly', sql: 'SELECT 1 AS id' });
    const { id } = await givenDataset(api, { name: 'ugly', sql: UGLY });
    const page = await consoles.open(api, { path: `/datasets/${id}` });
    const { body: stored } = await api.as('owner').get(`/api/datasets/${id}/preview?limit=200`);
    const cell = (row: number, column: number) =>
      page.locator(`tr[aria-rowindex="${row + 2}"] td[aria-colindex="${column + 1}"]`);
    await page.getByText('500 rows · 11 columns').waitFor();
    for (const [row, column] of [
      [2, 0],
      [2, 1],
      [2, 2],
      [2, 3],
      [2, 4],
      [0, 1],
    ] as const) {
      const value = stored.rows[row][column];
      await expect.poll(() => cell(row, column).textContent()).toBe(value === null ? 'null' : String(value));
    }
    expect(await cell(1, 1).textContent()).toBe('empty text');
    for (const [row, column, value, shown] of [
      [0, 8, '2001-01-01T00:05:00.000Z', '2001-01-01 00:05'],
      [2, 8, '2001-01-01T00:05:01.000Z', '2001-01-01 00:05:01'],
      [3, 8, '2001-01-01T00:05:01.500Z', '2001-01-01 00:05:01.5'],
      [0, 9, '2000-12-31T22:05:00.000Z', '2000-12-31 22:05 UTC'],
    ] as const) {
      expect(stored.rows[row][column]).toBe(value);
      expect(await cell(row, column).textContent()).toBe(shown);
      expect(await cell(row, column).getAttribute('title')).toBe(value);
    }
    expect(await page.getByTitle('at: timestamp without a time zone').count()).toBe(1);
    expect(await page.evaluate(CUT_VALUES)).toEqual([]);
    await expectGoodInAllForms(page, 'dataset rows');
    const grid = page.getByRole('region', { name: 'Rows' });
    await grid.focus();
    await page.keyboard.press('End');
    await expect.poll(() => cell(199, 0).textContent()).toBe(String(stored.rows[199][0]));

    await tab(page, 'Columns');
    const { body: statistics } = await api.as('owner').get(`/api/datasets/${id}/statistics`);
    const amount = page.getByRole('row', { name: 'amount' });
    await expect.poll(() => amount.textContent()).toContain(statistics.columns[2].max);
    expect(await page.getByRole('row', { name: 'a column with' }).textContent()).toContain('33.4%');
    const instant = page.getByRole('row', { name: 'instant' });
    expect(statistics.columns[9].min).toBe('2000-12-31 22:05:00+00');
    expect(await instant.textContent()).toContain('2000-12-31 22:05 UTC');
    await expectGoodInAllForms(page, 'dataset columns');

    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'There are no refreshes yet' }).waitFor();
    await expectGoodInAllForms(page, 'dataset without refreshes');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').waitFor();
    await expectGoodInAllForms(page, 'dataset restore');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('restored from version 1').waitFor();
    expect(await datasetRepository(api.table).get(api.workspaceId, id)).toMatchObject({ version: 3, rowCount: 1 });
    await expectGoodInAllForms(page, 'dataset versions');
  });

  it('are refreshed, scheduled in words, renamed and deleted', { timeout: PATIENT }, async ({ api }) => {
    const id = await givenImported(api, 'orders');
    const stored = () => datasetRepository(api.table).get(api.workspaceId, id);
    const page = await consoles.open(api, { as: 'editor', path: `/datasets/${id}?tab=refreshes` });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => page.locator('tbody tr', { hasText: 'succeeded' }).count()).toBe(2);
    await expect.poll(async () => (await stored())?.version).toBe(2);
    await expectGoodInAllForms(page, 'dataset refreshes');

    const [file] = await Promise.all([page.waitForEvent('download'), more(page, 'Download as CSV')]);
    expect(file.suggestedFilename()).toBe('orders.csv');
    expect(await readFile(await file.path(), 'utf8')).toBe('id,amount\r\n1,12.5\r\n2,99.0\r\n3,7.25\r\n');

    await more(page, 'Schedule');
    await page.getByLabel('How often').selectOption('weekdays');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await expectGoodInAllForms(page, 'dataset schedule');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('weekdays 06:00 Berlin').waitFor();
    expect(await stored()).toMatchObject({ schedule: { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' } });

    await more(page, 'Tags');
    await page.getByRole('textbox', { name: 'Tags' }).fill('finance, monthly');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('monthly', { exact: true }).waitFor();

    await more(page, 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('orders of today');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'orders of today' }).waitFor();

    await tab(page, 'Used by');
    await page.getByText('Nothing uses it yet.').waitFor();
    const { body: query } = await api
      .as('owner')
      .post('/api/saved-queries', { name: 'A query over it', sql: 'SELECT * FROM "orders of today"' });
    await page.reload();
    await page.getByText('A query over it').first().waitFor();
    await expectGoodInAllForms(page, 'dataset used by');
    await more(page, 'Delete');
    await page.getByRole('dialog').getByText('A query over it').waitFor();
    await expectGoodInAllForms(page, 'dataset delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('alert')
      .getByText(/^REFERENCED/)
      .waitFor();
    expect(await stored()).toBeDefined();
    await page.keyboard.press('Escape');
    await api.as('owner').delete(`/api/saved-queries/${query.id}`);
    await more(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There are no datasets yet' }).waitFor();
    expect(await stored()).toBeUndefined();
  });

  it('lose no change of two people', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'shared', sql: 'SELECT 1 AS a' });
    const stored = () => datasetRepository(api.table).get(api.workspaceId, id);
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/datasets/${id}` }),
      consoles.open(api, { as: 'editor', path: `/datasets/${id}` }),
    ]);
    for (const page of [one, other]) await more(page, 'Rename');
    await one.getByRole('textbox', { name: 'Name' }).fill('hers');
    await one.keyboard.press('Enter');
    await one.getByRole('heading', { level: 1, name: 'hers' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('his');
    await other.keyboard.press('Enter');
    await other.getByText('It is now called “hers”; your name for it is “his”.').waitFor();
    expect((await stored())?.name).toBe('hers');
    await expectGoodInAllForms(other, 'dataset changed');
    await other.getByRole('button', { name: 'Take theirs' }).click();
    await other.getByRole('heading', { level: 1, name: 'hers' }).waitFor();

    for (const page of [one, other]) await more(page, 'Rename');
    await one.getByRole('textbox', { name: 'Name' }).fill('again hers');
    await one.keyboard.press('Enter');
    await one.getByRole('heading', { level: 1, name: 'again hers' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('now his');
    await other.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Keep mine' }).click();
    await other.getByRole('heading', { level: 1, name: 'now his' }).waitFor();
    expect((await stored())?.name).toBe('now his');
  });

  it('say what failed, and go on when it works again', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'fine', sql: 'SELECT 1 AS a' });
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [path, address, calls, sign] of [
      ['/datasets', /\/api\/datasets\?/, '/datasets', 'fine'],
      [`/datasets/${id}`, new RegExp(`/api/datasets/${id}$`), '/datasets/', '1 row'],
      [`/datasets/${id}`, /\/preview/, '/preview', '1 row'],
      [`/datasets/${id}?tab=columns`, /\/statistics/, '/statistics', 'Most frequent'],
      [`/datasets/${id}?tab=refreshes`, /\/history/, '/history', 'There are no refreshes yet'],
      [`/datasets/${id}?tab=versions`, /\/versions/, '/versions', 'further notice'],
      [`/datasets/${id}?tab=used-by`, /\/lineage/, '/lineage', 'Nothing uses it yet.'],
    ] as const) {
      await page.route(address, (route) =>
        route.fulfill({ status: 500, json: { ...problem, detail: `It failed: ${calls}` } }),
      );
      await page.goto(`${api.endpoint}/api/console${path}`);
      const alert = page.getByRole('alert').filter({ hasText: `It failed: ${calls}` });
      await alert.waitFor();
      expect(await alert.textContent()).toContain('INTERNAL · request r-1');
      if (path === '/datasets') await expectGoodInAllForms(page, 'datasets failed');
      await page.unroute(address);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
  });

  it('are shown to viewers without what they may not do, and to no other workspace', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenDataset(api, { name: 'seen', sql: 'SELECT 1 AS a' });
    const page = await consoles.open(api, { as: 'viewer', path: `/datasets/${id}` });
    await page.getByRole('heading', { level: 1, name: 'seen' }).waitFor();
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Datasets' }).count()).toBe(0);
    await page.goto(`${api.endpoint}/api/console/datasets`);
    await page.getByRole('heading', { name: '“Datasets” is for editors and admins' }).waitFor();
    await expectGoodInAllForms(page, 'datasets forbidden');
    const theirs = await api.as('stranger').post('/api/datasets', { name: 'theirs' });
    await page.goto(`${api.endpoint}/api/console/datasets/${theirs.body.id}`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('DATASET_NOT_FOUND');
  });
});
