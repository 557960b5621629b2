import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';

const consoles = useConsoles();

const REFUSED = {
  status: 403,
  json: {
    type: 'about:blank',
    title: 'x',
    status: 403,
    code: 'FORBIDDEN',
    detail: 'No.',
    errors: [],
    requestId: 'r-1',
  },
};

const LONG = `orders_${'with_a_very_long_name_'.repeat(4)}`;
const givenTerm = (api: Api, name: string, body: object = {}) =>
  posted(api, '/api/catalog/terms', { name, definition: `What ${name} means.`, ...body });

describe.runIf(HAS_CHROMIUM)('the catalog in the console', () => {
  it('lists everything, by kind, tag, owner and certification', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/catalog' });
    await page.getByRole('heading', { name: 'There is nothing in the catalog yet' }).waitFor();
    await expectGoodInAllForms(page, 'catalog empty');
    const orders = await givenDataset(api, { name: LONG, sql: 'SELECT 1 AS id, 2.5 AS amount' });
    await givenDataset(api, { name: 'customers', sql: 'SELECT 1 AS id' });
    await posted(api, '/api/saved-queries', { name: 'Top <b>orders</b>', sql: `SELECT amount FROM "${LONG}"` });
    await givenTerm(api, 'Revenue', { tags: ['finance'] });
    await api.as('owner').put(`/api/catalog/assets/dataset/${orders.id}/catalog`, { tags: ['finance', 'month end'] });
    await api.as('owner').put(`/api/catalog/certifications/dataset/${orders.id}`, { status: 'certified' });
    await page.reload();
    const rows = page.locator('tbody tr:not(.spacer)');
    await expect.poll(() => rows.count()).toBe(4);
    await expectGoodInAllForms(page, 'catalog');
    for (const [facet, choice, count] of [
      ['Kind', 'Dataset', 2],
      ['Tag', 'month end (1)', 1],
      ['Certification', 'certified', 1],
    ] as const) {
      await page.getByLabel(facet, { exact: true }).selectOption({ label: choice });
      await expect.poll(() => rows.count()).toBe(count);
    }
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });

  it('shows a card for each object: what it is, its lineage by column, and what its removal breaks', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const orders = await givenDataset(api, { name: LONG, sql: 'SELECT 1 AS id, 2.5 AS amount' });
    await posted(api, '/api/saved-queries', { name: 'Top <b>orders</b>', sql: `SELECT amount FROM "${LONG}"` });
    const term = await givenTerm(api, 'Revenue');
    await api.as('editor').put(`/api/catalog/terms/${term.id}/links/dataset/${orders.id}`, { role: 'measuredBy' });
    const page = await consoles.open(api, { path: `/catalog/dataset/${orders.id}` });
    await page.getByRole('link', { name: 'Revenue' }).waitFor();
    await page.getByRole('button', { name: 'Describe' }).click();
    await page.getByLabel('Tags').fill('Finance, KPI');
    await page.getByRole('checkbox', { name: 'editor' }).check();
    await expectGoodInAllForms(page, 'catalog describe');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'kpi' }).waitFor();
    const stored = async () => (await api.as('owner').get(`/api/catalog/assets/dataset/${orders.id}`)).body;
    expect(await stored()).toMatchObject({ tags: ['finance', 'kpi'] });
    await page.getByRole('button', { name: 'Certify' }).click();
    await page.getByLabel('State').selectOption('deprecated');
    await page.getByLabel('Why it should not be used').fill('It ends in <June>.');
    await expectGoodInAllForms(page, 'catalog certify');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Deprecated: It ends in <June>.').waitFor();
    expect(await stored()).toMatchObject({ deprecation: { reason: 'It ends in <June>.' } });
    await expectGoodInAllForms(page, 'catalog card');

    await page.getByRole('tab', { name: 'Lineage' }).click();
    const nodes = page.getByRole('region', { name: 'Graph' }).locator('[data-node]');
    await expect.poll(() => nodes.count()).toBe(2);
    await expectGoodInAllForms(page, 'catalog lineage');
    await page.getByLabel('Of', { exact: true }).selectOption({ label: 'id' });
    await page.getByRole('heading', { name: 'Nothing is connected to it' }).waitFor();
    await page.getByLabel('Of', { exact: true }).selectOption({ label: 'amount' });
    await expect.poll(() => nodes.count()).toBe(2);
    await page.getByRole('tab', { name: 'If it were removed' }).click();
    await page.getByText('Query: would fail').waitFor();
    await expectGoodInAllForms(page, 'catalog impact');

    const viewer = await consoles.open(api, { as: 'viewer', path: `/catalog/dataset/${orders.id}` });
    await viewer.getByRole('tab', { name: 'Lineage' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Describe' }).count()).toBe(0);
    expect(await viewer.getByRole('button', { name: 'Certify' }).count()).toBe(0);
    const theirs = await api.as('stranger').post('/api/datasets', { name: 'theirs' });
    await viewer.goto(`${api.endpoint}/api/console/catalog/dataset/${theirs.body.id}`);
    await viewer.getByRole('alert').waitFor();
    expect(await viewer.getByRole('main').textContent()).not.toContain('theirs');
  });

  for (const hand of HANDS) {
    it(`has terms that are written, related and linked, by ${hand}`, { timeout: PATIENT }, async ({ api }) => {
      const page = await consoles.open(api, {
        path: '/catalog/terms',
        before: async (opened) => {
          if (hand === 'mouse') await opened.route('**/api/workspaces/members?*', (route) => route.fulfill(REFUSED));
        },
      });
      await page.getByRole('heading', { name: 'There are no terms yet' }).waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'terms empty');
      const other = await givenTerm(api, 'Income');
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('main').getByRole('link', { name: 'New term' }));
      await clicks.type(page.getByLabel('Name'), 'Recurring revenue');
      await clicks.type(page.getByLabel('Definition'), 'What comes again, <each> year.');
      await clicks.type(page.getByLabel('Synonyms'), 'Subscriptions, Renewals');
      if (hand === 'mouse') {
        const owners = page.getByRole('group', { name: 'Owners' });
        await owners.getByText('The choices could not be read.').waitFor();
        await expectGoodInAllForms(page, 'term new');
        // What is entered is not lost without a question.
        await page.getByRole('link', { name: 'Home' }).click();
        const question = page.getByRole('dialog', { name: 'Leave without saving?' });
        await question.getByRole('button', { name: 'Cancel' }).click();
        expect(await page.getByLabel('Name').inputValue()).toBe('Recurring revenue');
        // Nor by the history of the browser: who stays is where they were, and may go later.
        for (let steps = 0; steps < 2; steps += 1) {
          await page.evaluate('history.back()');
          await question.getByRole('button', { name: 'Cancel' }).click();
          await question.waitFor({ state: 'detached' });
          await page.waitForURL('**/api/console/catalog/terms/new');
          expect(await page.getByLabel('Name').inputValue()).toBe('Recurring revenue');
        }
      }
      await clicks.press(page.getByRole('button', { name: 'Create' }));
      await page.getByRole('heading', { level: 1, name: 'Recurring revenue' }).waitFor();
      clicks.expectAtMost(5);
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const stored = async () => (await api.as('owner').get(`/api/catalog/terms/${id}`)).body;
      expect(await stored()).toMatchObject({ synonyms: ['Subscriptions', 'Renewals'], status: 'draft' });
      await clicks.type(page.getByRole('combobox', { name: 'Other term' }), 'Inc');
      await page.getByRole('option', { name: 'Income', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await clicks.press(page.getByRole('button', { name: 'Relate' }));
      await page.getByRole('link', { name: 'Income' }).waitFor();
      expect(await stored()).toMatchObject({ relations: { broader: [{ id: other.id }] } });
      if (hand === 'keyboard') return;
      await expectGoodInAllForms(page, 'term');
      await page.goto(`${api.endpoint}/api/console/catalog/terms?view=tree`);
      await page.locator('.term-tree .term-tree').getByRole('link', { name: 'Recurring revenue' }).waitFor();
      await expectGoodInAllForms(page, 'terms tree');
      await page.locator('.term-tree .term-tree').getByRole('link', { name: 'Recurring revenue' }).click();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Abbreviation').fill('RR');
      await page.evaluate('history.back()');
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await page.locator('.term-tree .term-tree').waitFor();
      expect(page.url()).toMatch(/\/catalog\/terms\?view=tree$/);
      // Nothing is left to be asked about.
      await page.evaluate('history.forward()');
      await page.getByRole('heading', { level: 1, name: 'Recurring revenue' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect((await stored()).abbreviation).toBeNull();
    });
  }

  it('reads a CSV of terms after showing what it changes, and says where it is wrong', { timeout: PATIENT }, async ({
    api,
  }) => {
    await givenTerm(api, 'Revenue');
    const page = await consoles.open(api, { path: '/catalog/terms' });
    await page.getByRole('link', { name: 'Revenue' }).waitFor();
    const bring = (csv: string) =>
      page
        .getByLabel('CSV file of terms')
        .setInputFiles({ name: 'glossary.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await bring('name,definition,status\nRevenue,Other words.,wrong\n');
    await page.getByRole('dialog').getByText('Nothing was changed.').waitFor();
    await expectGoodInAllForms(page, 'terms import failed');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await bring('name,definition,broader\nRevenue,Other words.,\nRecurring revenue,"Each, year.",Revenue\n');
    await page.getByText('1 term created, 1 updated.').waitFor();
    const { body: before } = await api.as('owner').get('/api/catalog/terms');
    expect(before.total).toBe(1);
    await expectGoodInAllForms(page, 'terms import');
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('link', { name: 'Recurring revenue' }).waitFor();
    await expectGoodInAllForms(page, 'terms');
  });

  it('turns changes of approved terms by editors into proposals, and loses none of two people', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { body: term } = await api
      .as('owner')
      .post('/api/catalog/terms', { name: 'Revenue', definition: 'Gross.', status: 'approved' });
    const path = `/api/catalog/terms/${term.id}`;
    const editor = await consoles.open(api, { as: 'editor', path: `/catalog/terms/${term.id}` });
    await editor.getByRole('button', { name: 'Edit', exact: true }).click();
    await editor.getByLabel('Definition').fill('Net.');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('Your change is proposed.').waitFor();
    expect((await api.as('owner').get(path)).body.definition).toBe('Gross.');
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/catalog/terms/${term.id}` }),
      consoles.open(api, { path: `/catalog/terms/${term.id}` }),
    ]);
    await one.getByRole('heading', { name: 'Proposed changes' }).waitFor();
    await expectGoodInAllForms(one, 'term proposal');
    await other.getByRole('button', { name: 'Edit', exact: true }).click();
    await one.getByRole('button', { name: 'Accept' }).click();
    // The proposal shows the new definition too.
    await one.locator('.definition', { hasText: 'Net.' }).waitFor();
    expect((await api.as('owner').get(path)).body.definition).toBe('Net.');
    await other.getByLabel('Abbreviation').fill('R');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Another person has changed this in the meantime.').waitFor();
    await expectGoodInAllForms(other, 'term changed');
    await other.getByRole('button', { name: 'Take theirs' }).click();
    await other.getByLabel('Abbreviation').fill('R');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('heading', { level: 1, name: 'Revenue', exact: true }).waitFor();
    expect((await api.as('owner').get(path)).body).toMatchObject({ definition: 'Net.', abbreviation: 'R' });

    await other.getByRole('button', { name: 'More actions' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByRole('heading', { level: 1, name: 'Revenue' }).waitFor();
    expect((await api.as('owner').get(path)).status).toBe(200);
  });

  it('says what failed, and goes on when it works again', { timeout: PATIENT }, async ({ api }) => {
    const orders = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    const term = await givenTerm(api, 'Revenue');
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [address, calls, sign] of [
      ['/catalog', /\/catalog\/assets\?/, '2 objects'],
      [`/catalog/dataset/${orders.id}`, /\/catalog\/assets\/dataset\//, 'Last 30 days'],
      [`/catalog/dataset/${orders.id}?tab=lineage`, /\/lineage\//, 'Nothing is connected to it'],
      [`/catalog/dataset/${orders.id}?tab=impact`, /\/impact\//, 'Nothing would break'],
      ['/catalog/terms', /\/catalog\/terms\?/, '1 term'],
      ['/catalog/terms?view=tree', /\/catalog\/export/, 'Revenue'],
      [`/catalog/terms/${term.id}`, new RegExp(`/api/catalog/terms/${term.id}$`), 'Related terms'],
      [`/catalog/terms/${term.id}`, /\/links\?/, 'No object is linked to it.'],
    ] as const) {
      await page.route(calls, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${address}`);
      const alert = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await alert.first().waitFor();
      if (address === '/catalog') await expectGoodInAllForms(page, 'catalog failed');
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
  });
});

describe.runIf(HAS_CHROMIUM)('the search in the console', () => {
  it('leads from the palette to all results, by kind and with where they match', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api, { path: '/search' });
    await page.getByRole('heading', { name: 'Search names and descriptions' }).waitFor();
    await expectGoodInAllForms(page, 'search empty');
    const orders = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.5 AS amount' });
    await posted(api, '/api/saved-queries', {
      name: 'Top <b>orders</b>',
      sql: 'SELECT 1 AS a',
      description: `${'What is bought. '.repeat(20)} The largest orders of the month.`,
    });
    await givenTerm(api, 'Order value', { definition: 'The mean of all orders.' });
    await api.as('owner').put(`/api/catalog/assets/dataset/${orders.id}/catalog`, { tags: ['month end'] });
    const results = page.locator('.results li');
    const q = page.getByRole('searchbox', { name: 'Search the workspace' });
    // Search finds what has changed within five seconds.
    await expect
      .poll(
        async () => {
          await page.goto(`${api.endpoint}/api/console/search?q=orders`);
          await page.locator('.search').waitFor();
          return results.count();
        },
        { timeout: PATIENT / 4, interval: 1000 },
      )
      .toBe(3);
    const { body } = await api.as('owner').get('/api/search?q=orders');
    expect(await results.locator('strong').allTextContents()).toEqual(
      body.items.map(({ name }: { name: string }) => name),
    );
    await page.getByText('matches the name').first().waitFor();
    expect(await page.locator('mark').first().textContent()).toMatch(/orders?/i);
    await expectGoodInAllForms(page, 'search');
    await page.getByRole('button', { name: /^Query 1/ }).click();
    await expect.poll(() => results.count()).toBe(1);
    await page.reload();
    await expect.poll(() => results.count()).toBe(1);
    await q.fill('orders tag:"month end"');
    await expect.poll(() => results.locator('strong').allTextContents()).toEqual(['orders']);
    await q.fill('ordres');
    await page.getByRole('button', { name: 'orders', exact: true }).waitFor();
    await q.fill('"nothing has this"');
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await expectGoodInAllForms(page, 'search nothing');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search for objects, screens and commands' }).fill('orders');
    await page.getByRole('option', { name: /^All results for “orders”/ }).click();
    await expect.poll(() => results.count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('q')).toBe('orders');
    await page.route(/\/api\/search\?/, (route) =>
      route.fulfill({
        status: 500,
        json: {
          type: 'about:blank',
          title: 'x',
          status: 500,
          code: 'INTERNAL',
          detail: 'It failed.',
          errors: [],
          requestId: 'r-1',
        },
      }),
    );
    await page.goto(`${api.endpoint}/api/console/search?q=orders`);
    await page.getByRole('alert').filter({ hasText: 'It failed.' }).waitFor();
    await expectGoodInAllForms(page, 'search failed');
    await page.unroute(/\/api\/search\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => results.count()).toBe(3);
  });
});
