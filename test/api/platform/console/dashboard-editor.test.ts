import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { publish } from '../../../support/given/shares.ts';

const consoles = useConsoles();

const SALES = `SELECT i AS id, 'region ' || (i % 4) AS region, (i * 3.5)::decimal(9, 2) AS amount,
  DATE '2026-01-01' + (i % 200)::integer AS placed FROM range(400) r(i)`;

const stored = async (api: Api, id: string) => (await api.as('owner').get(`/api/dashboards/${id}`)).body;
const cardOf = async (api: Api, id: string, cardId: string) =>
  (await stored(api, id)).cards.find((card: { id: string }) => card.id === cardId);
const isSaved = (page: Page) => page.getByText('All changes are saved').waitFor();
const card = (page: Page, id: string) => page.locator(`#card-${id}`);

/** Two text cards beside each other. */
async function givenTwoCards(api: Api) {
  const made = await givenDashboard(api, { name: `Board ${crypto.randomUUID().slice(0, 8)}` });
  await posted(api, `${made.path}/cards`, textCard('a', { title: 'Alpha', position: { x: 0, y: 0, w: 12, h: 4 } }));
  await posted(api, `${made.path}/cards`, textCard('b', { title: 'Beta', position: { x: 12, y: 0, w: 12, h: 4 } }));
  return made;
}

describe.runIf(HAS_CHROMIUM)('the editor of dashboards', () => {
  for (const hand of HANDS) {
    it(`makes a chart of a dataset on a new dashboard, by ${hand}`, { timeout: PATIENT }, async ({ api }) => {
      await givenDataset(api, { name: 'sales of the shop', sql: SALES });
      const page = await consoles.open(api, { as: 'editor', path: '/dashboards' });
      const clicks = new Clicks(page, hand);
      await page.getByRole('heading', { name: 'There are no dashboards yet' }).waitFor();
      await clicks.press(page.getByRole('link', { name: 'New dashboard' }));
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await clicks.type(page.getByRole('textbox', { name: 'Name' }), 'Shop');
      await clicks.key('Enter');
      await page.getByRole('heading', { name: 'This page has no cards yet' }).waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'editor empty');
      await clicks.press(page.getByRole('button', { name: 'Add card' }));
      await clicks.press(page.getByRole('menuitem', { name: 'Chart, table or number' }));
      await clicks.press(page.getByRole('button', { name: 'sales of the shop' }));
      clicks.expectAtMost(6);
      const grid = page.locator('.edit-board');
      await grid.locator('.picture svg').waitFor();
      await isSaved(page);
      const [{ id }] = (await api.as('owner').get('/api/dashboards')).body.items;
      const made = (await stored(api, id)).cards;
      expect(made).toMatchObject([{ title: 'sales of the shop', cardType: 'chart', position: { x: 0, y: 0 } }]);
      expect(made[0].chartSpec.query).toMatchObject({
        dimensions: [{ column: 'placed', grain: 'month' }],
        measures: [{ column: 'amount', aggregation: 'sum' }],
      });
      if (hand === 'mouse') await expectGoodInAllForms(page, 'editor chart');
    });
  }

  it('changes a chart by its form and its text, and shows what is wrong before it is saved', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { id, path } = await givenDashboard(api, { name: 'Charts' });
    await posted(api, `${path}/cards`, {
      id: 'chart',
      cardType: 'chart',
      title: 'By region',
      position: { x: 0, y: 0, w: 12, h: 8 },
      chartSpec: {
        version: 1,
        query: {
          source: { kind: 'dataset', id: dataset.id },
          dimensions: [{ column: 'region', label: 'region' }],
          measures: [{ column: 'amount', aggregation: 'sum', label: 'amount' }],
        },
        mark: { type: 'bar' },
        encoding: { x: { field: 'region' }, y: { field: 'amount', format: '.1f' } },
      },
    });
    const page = await consoles.open(api, { as: 'editor', path: `/dashboards/${id}/edit` });
    const spec = async () => (await cardOf(api, id, 'chart')).chartSpec;
    await page.getByRole('button', { name: 'Settings of By region' }).click();
    const panel = page.getByRole('complementary', { name: 'Settings of By region' });
    await panel.getByRole('img', { name: 'Preview' }).waitFor();
    await panel.getByLabel('Shown as').selectOption('table');
    await expect.poll(async () => (await spec()).mark).toEqual({ type: 'table' });
    await panel.getByLabel('Computed of number 1').selectOption('avg');
    await expect.poll(async () => (await spec()).query.measures[0].aggregation).toBe('avg');
    await panel.getByLabel('Shown as').selectOption('line');
    await panel.getByLabel('Group 1', { exact: true }).selectOption('placed');
    await expect
      .poll(async () => (await spec()).query.dimensions)
      .toMatchObject([{ column: 'placed', grain: 'month' }]);
    expect((await spec()).encoding.x).toEqual({ field: 'placed' });
    await isSaved(page);

    // A chart that cannot be drawn is not saved.
    await panel.getByText('As text').click();
    const text = panel.getByLabel('Chart as JSON');
    const good = await spec();
    await text.fill(
      JSON.stringify({ ...good, query: { ...good.query, measures: [{ column: 'nowhere', aggregation: 'sum' }] } }),
    );
    await panel.getByRole('button', { name: 'Apply' }).click();
    await panel.getByRole('alert').first().waitFor();
    await expect.poll(() => panel.getByRole('alert').first().textContent()).toContain('easure 1, column');
    expect(await spec()).toEqual(good);
    await text.fill('{ no JSON');
    await panel.getByRole('button', { name: 'Apply' }).click();
    await panel.getByText(/This is not valid JSON/).waitFor();
    await text.fill(JSON.stringify({ ...good, config: { showLabels: true } }));
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await spec()).config).toEqual({ showLabels: true });

    await panel.getByRole('button', { name: 'Suggest charts' }).click();
    await panel.locator('.suggested .button').first().waitFor();
    await expectGoodInAllForms(page, 'editor suggestions');
    await isSaved(page);
    for (let left = 50; left > 0 && (await page.getByRole('button', { name: /^Undo: / }).isEnabled()); left -= 1) {
      const before = await page.getByRole('button', { name: /^Redo: / }).count();
      await page.getByRole('button', { name: /^Undo: / }).click();
      if (before === 0) await page.getByRole('button', { name: /^Redo: / }).waitFor();
      if ((await page.getByRole('button', { name: /^Undo: / }).count()) === 0) break;
    }
    await isSaved(page);
    await expect.poll(async () => (await spec()).mark).toEqual({ type: 'bar' });
    expect((await spec()).encoding.y).toEqual({ field: 'amount', format: '.1f' });
  });

  it('moves and resizes cards by keys and speaks each step, in one batch that can be undone', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { id } = await givenTwoCards(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    const batches: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/cards/batch')) batches.push(request.postDataJSON());
    });
    const spoken = page.locator('.edit-board [aria-live]');
    await card(page, 'a').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => spoken.textContent()).toBe('Alpha, grabbed. column 1, row 1, 12 wide, 4 high');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => spoken.textContent()).toBe('Alpha, column 1, row 2, 11 wide, 4 high');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => spoken.textContent()).toContain('The grid ends here.');
    await expectGoodInAllForms(page, 'editor grabbed');
    await page.keyboard.press('Escape');
    await expect.poll(() => spoken.textContent()).toBe('Alpha, returned. column 1, row 1, 12 wide, 4 high');
    expect(batches).toEqual([]);

    // What it would cover moves down, and both are saved together.
    await page.keyboard.press('Enter');
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await isSaved(page);
    await expect.poll(() => batches.length).toBe(1);
    expect((await cardOf(api, id, 'a')).position).toEqual({ x: 12, y: 0, w: 12, h: 4 });
    expect((await cardOf(api, id, 'b')).position).toEqual({ x: 12, y: 4, w: 12, h: 4 });
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await cardOf(api, id, 'b')).position.y).toBe(0);
    expect((await cardOf(api, id, 'a')).position.x).toBe(0);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(async () => (await cardOf(api, id, 'a')).position.x).toBe(12);

    await card(page, 'b').focus();
    await page.keyboard.press('Delete');
    await expect.poll(async () => (await stored(api, id)).cards.length).toBe(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(async () => (await cardOf(api, id, 'b'))?.textContent).toBe('The text of b');
  });

  it('drags and resizes cards by the pointer', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenTwoCards(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    const box = (await card(page, 'a').locator('h2').boundingBox())!;
    const grid = (await page.locator('.edit-board .grid').boundingBox())!;
    const column = (grid.width + 16) / 24;
    await page.mouse.move(box.x + 20, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 20 + 3 * column, box.y + 8 + 4 * 48 + 5, { steps: 6 });
    await page.locator('.edit-board .shadow').waitFor();
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/editor-dragged.png` });
    await page.mouse.up();
    await expect.poll(async () => (await cardOf(api, id, 'a')).position).toEqual({ x: 3, y: 4, w: 12, h: 4 });
    expect((await cardOf(api, id, 'b')).position).toEqual({ x: 12, y: 0, w: 12, h: 4 });
    const frame = (await card(page, 'b').boundingBox())!;
    await page.mouse.move(frame.x + frame.width - 6, frame.y + frame.height - 6);
    await page.mouse.down();
    await page.mouse.move(frame.x + frame.width - 6 - 4 * column, frame.y + frame.height - 6 - 48, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => (await cardOf(api, id, 'b')).position).toEqual({ x: 12, y: 0, w: 8, h: 3 });
    // Escape returns a card that is being dragged.
    const moved = (await card(page, 'a').locator('h2').boundingBox())!;
    await page.mouse.move(moved.x + 20, moved.y + 8);
    await page.mouse.down();
    await page.mouse.move(moved.x + 20 - 2 * column, moved.y + 8, { steps: 4 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await isSaved(page);
    expect((await cardOf(api, id, 'a')).position.x).toBe(3);
  });

  it('loses nothing of two editors: one card is decided on, the other ones are saved', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenTwoCards(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    await page.getByRole('button', { name: 'Settings of Alpha' }).click();
    await page.getByLabel('Title').waitFor();
    await api.as('editor').put(`/api/dashboards/${id}/cards/a`, { title: 'Hers' });
    await page.getByLabel('Title').fill('Mine');
    const box = card(page, 'a').getByRole('alert');
    await box.getByText('yours: Mine · theirs: Hers').waitFor();
    expect((await cardOf(api, id, 'a')).title).toBe('Hers');
    await expectGoodInAllForms(page, 'editor conflict');
    // Other cards are saved in the meantime.
    await page.getByRole('button', { name: 'Settings of Beta' }).click();
    await page.getByLabel('Title').fill('Beta 2');
    await expect.poll(async () => (await cardOf(api, id, 'b')).title).toBe('Beta 2');
    await box.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await cardOf(api, id, 'a')).title).toBe('Mine');

    await api.as('editor').put(`/api/dashboards/${id}/cards/a`, { title: 'Hers again' });
    await page.getByRole('button', { name: 'Settings of Mine' }).click();
    await page.getByLabel('Title').fill('Lost');
    await box.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('heading', { name: 'Hers again' }).waitFor();
    await isSaved(page);
    expect((await cardOf(api, id, 'a')).title).toBe('Hers again');

    // A card that another person has deleted comes back if it is kept.
    await api.as('editor').delete(`/api/dashboards/${id}/cards/a`);
    await page.getByLabel('Title').fill('Still here');
    await box.getByText('Another person has deleted this card.').waitFor();
    await box.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await cardOf(api, id, 'a'))?.title).toBe('Still here');
  });

  it('keeps changes that cannot be saved, and saves them again', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenTwoCards(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    const problem = { type: 'about:blank', title: 'x', status: 409, code: 'STALE_WRITE', errors: [], requestId: 'r-1' };
    await page.route('**/cards/batch', (route) =>
      route.fulfill({ status: 409, json: { ...problem, detail: 'It failed.' } }),
    );
    await page.getByRole('button', { name: 'Settings of Alpha' }).click();
    await page.getByLabel('Title').fill('Kept');
    await page.getByRole('alert').filter({ hasText: 'not saved: It failed.' }).waitFor();
    await expectGoodInAllForms(page, 'editor unsaved');
    await page.unroute('**/cards/batch');
    await page.getByRole('button', { name: 'Save again' }).click();
    await expect.poll(async () => (await cardOf(api, id, 'a')).title).toBe('Kept');
  });

  it('has pages and filters, which are undone in their order', { timeout: PATIENT }, async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: SALES });
    const { id, path } = await givenTwoCards(api);
    const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'region' }] };
    const chartSpec = { version: 1, query, mark: { type: 'table' } };
    const position = { x: 0, y: 4, w: 12, h: 4 };
    await posted(api, `${path}/cards`, { id: 'c', cardType: 'table', title: 'Regions', position, chartSpec });
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    await page.getByRole('button', { name: 'Add page' }).click();
    await page.getByRole('heading', { name: 'This page has no cards yet' }).waitFor();
    const names = async () => (await stored(api, id)).pages.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Page 1', 'Page 2']);
    await page.getByRole('button', { name: 'Actions of the page Page 2' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Details');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['Page 1', 'Details']);
    await page.getByRole('link', { name: 'Page 1' }).click();
    await page.getByRole('button', { name: 'Settings of Beta' }).click();
    await page.getByLabel('Page', { exact: true }).selectOption('Details');
    await expect.poll(async () => (await cardOf(api, id, 'b')).position).toEqual({ x: 0, y: 0, w: 12, h: 4 });
    await page.getByRole('link', { name: 'Details' }).click();
    await card(page, 'b').waitFor();
    await expectGoodInAllForms(page, 'editor pages');
    await page.getByRole('button', { name: 'Actions of the page Details' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(names).toEqual(['Page 1']);
    expect(await cardOf(api, id, 'b')).toBeUndefined();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(names).toEqual(['Page 1', 'Details']);
    await expect.poll(async () => (await cardOf(api, id, 'b'))?.pageId).toBe((await stored(api, id)).pages[1].id);

    await page.getByRole('tab', { name: 'Filters' }).click();
    await page.getByRole('heading', { name: 'There are no filters yet' }).waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Field').selectOption('region');
    await page.getByLabel('Default').fill('region 1, region 2');
    await page.getByLabel('Regions').check();
    await expectGoodInAllForms(page, 'editor filter');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Delete region', exact: true }).waitFor();
    const filters = async () => (await stored(api, id)).filters;
    expect(await filters()).toMatchObject([
      { fieldId: 'region', label: 'region', defaultValue: '["region 1","region 2"]', linkedCardIds: ['c'] },
    ]);
    // A filter without its last card is gone, and comes back with the card.
    await page.getByRole('tab', { name: 'Cards' }).click();
    await page.getByRole('button', { name: 'Delete Regions' }).click();
    await expect.poll(filters).toEqual([]);
    await page.getByRole('button', { name: /^Undo: Delete Regions/ }).click();
    await expect.poll(filters).toMatchObject([{ fieldId: 'region', linkedCardIds: ['c'] }]);
    await page.getByRole('tab', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Delete region', exact: true }).click();
    await expect.poll(filters).toEqual([]);
    await page.getByRole('button', { name: /^Undo: Delete the filter/ }).click();
    await expect.poll(filters).toMatchObject([{ fieldId: 'region' }]);
    await expectGoodInAllForms(page, 'editor filters');
  });

  it('publishes with the reasons of its gates, restores versions, and is a file', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id, path } = await givenTwoCards(api);
    await publish(api, path);
    const page = await consoles.open(api, { path: `/dashboards/${id}/edit` });
    await page.getByRole('button', { name: 'Add card' }).click();
    await page.getByRole('menuitem', { name: 'Chart, table or number' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByLabel('What has changed').fill('An empty card');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await dialog.getByRole('button', { name: 'Untitled card' }).waitFor();
    await expectGoodInAllForms(page, 'editor gates');
    expect((await stored(api, id)).publishedVersion).toBe(1);
    await dialog.getByLabel('Publish anyway').check();
    await dialog.getByLabel('Why').fill('A test');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 2 is published.').waitFor();

    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('published anyway: A test').waitFor();
    await expectGoodInAllForms(page, 'editor versions');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The draft is version 1.').waitFor();
    expect((await stored(api, id)).cards.length).toBe(2);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(async () => (await stored(api, id)).cards.length).toBe(3);

    await page.getByRole('tab', { name: 'File' }).click();
    const file = page.getByRole('textbox', { name: 'The dashboard as YAML' });
    const write = async (text: string) => {
      await file.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    };
    const read = async (): Promise<string> => (await api.as('owner').get(`/api/dashboards/${id}/file`)).body;
    await file.getByText('textContent: The text of a').waitFor();
    const yaml = await read();
    await write(yaml.replace('cardType: text', 'cardType: nonsense'));
    await page.getByRole('button', { name: 'Check' }).click();
    const line = yaml.split('\n').findIndex((each) => each.includes('cardType: text')) + 1;
    await page.getByRole('button', { name: `Line ${line}`, exact: true }).click();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('The dashboard as YAML');
    await expect.poll(() => page.evaluate('String(getSelection())')).toContain('nonsense');
    await expectGoodInAllForms(page, 'editor file');
    await write(yaml.replace('The text of a', 'Another text'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Saving it means: 1 card changed.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The file is saved.').waitFor();
    expect((await cardOf(api, id, 'a')).textContent).toBe('Another text');
    // Another person was faster.
    await file.getByText('textContent: Another text').waitFor();
    await api.as('editor').put(`/api/dashboards/${id}/cards/b`, { title: 'Hers' });
    await write((await read()).replace('Another text', 'Too late'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Read it again, without my changes' }).waitFor();
    expect((await cardOf(api, id, 'a')).textContent).toBe('Another text');
  });

  it('is for those who may change the dashboard', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenTwoCards(api);
    await publish(api, path);
    const page = await consoles.open(api, { as: 'viewer', path: `/dashboards/${id}/edit` });
    await page.getByRole('heading', { name: /^You cannot edit Board/ }).waitFor();
    await expectGoodInAllForms(page, 'editor forbidden');
    const { email } = await api.password('viewer');
    await api.as('owner').post(`${path}/access`, { email, permission: 'editor' });
    await page.reload();
    await page.getByRole('button', { name: 'Add card' }).waitFor();
  });
});
