import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

const consoles = useConsoles();

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.run(`
    CREATE TABLE orders (id BIGINT PRIMARY KEY, amount NUMERIC(10,2) NOT NULL, note TEXT);
    INSERT INTO orders SELECT i, i * 1.5, NULL FROM generate_series(1, 300) i;
    CREATE TABLE people (id INTEGER, name TEXT); INSERT INTO people VALUES (1, 'Ada');
    CREATE SCHEMA many;
    DO $$ BEGIN FOR i IN 1..450 LOOP EXECUTE format('CREATE TABLE many.%I (a int)', 'part ' || i); END LOOP; END $$`);
});
afterAll(() => database?.drop());

const address = () => {
  const { user, password, host, port, database: name } = database;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}?sslmode=disable`;
};

const body = (name = 'shop') => {
  const { user, password, host, port, database: own } = database;
  return { name, type: 'postgres', config: { host, port, database: own, user, ssl: false }, secrets: { password } };
};

const givenPostgres = async (api: Api): Promise<string> =>
  (await api.as('owner').post('/api/data-sources', body())).body.id;

describe.runIf(HAS_CHROMIUM)('the sources in the console', () => {
  it.for(HANDS)(
    'lead from Postgres to a table on a schedule in nine clicks by %s',
    { timeout: PATIENT },
    async (hand, { api }) => {
      const page = await consoles.open(api);
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('link', { name: 'Connect a database' }));
      await page.getByRole('heading', { name: 'Connect a source' }).waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'source new');
      await clicks.type(page.getByRole('textbox', { name: 'Address' }), address());
      expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe(database.host);
      if (hand === 'mouse') await expectGoodInAllForms(page, 'source filled in');
      await clicks.press(page.getByRole('button', { name: 'Test and connect' }));
      await clicks.press(page.getByRole('checkbox', { name: 'Import orders' }));
      await clicks.press(page.getByRole('checkbox', { name: 'Import people' }));
      clicks.count += 1;
      await page.getByLabel('How often').selectOption('daily');
      if (hand === 'mouse') await expectGoodInAllForms(page, 'source tables picked');
      await clicks.press(page.getByRole('button', { name: 'Import 2 tables' }));
      await page.getByRole('link', { name: 'orders', exact: true }).waitFor();
      clicks.expectAtMost(9);
      const stored = () => datasetRepository(api.table).find(api.workspaceId, 'orders');
      await expect.poll(async () => (await stored())?.rowCount, { timeout: 60_000 }).toBe(300);
      const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
      expect(await stored()).toMatchObject({ schedule: { cron: '0 6 * * *', timezone: zone } });
    },
  );

  it('are tested before they are saved, with each issue at its field', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/sources/new' });
    const text = page.getByRole('textbox', { name: 'Address' });
    await text.fill('this is nothing');
    await page.getByText('This is not the address of a source.').waitFor();
    await text.fill(address().replace(/:[^:@]+@/, ':wrong@'));
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await page.getByRole('alert').getByText('The connection failed').waitFor();
    expect((await api.as('owner').get('/api/data-sources')).body.total).toBe(0);
    await page.getByRole('textbox', { name: 'Host' }).fill('no host');
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Host' }).getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'source refused');
    for (const type of ['MySQL or MariaDB', 'S3 bucket', 'Web service']) {
      await page.getByRole('radio', { name: type }).check();
      await page.getByRole('button', { name: 'Test and connect' }).waitFor();
      await expectGoodInAllForms(page, `source new ${type}`);
    }
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await page.getByRole('group', { name: 'Endpoint 2' }).count()).toBe(1);
  });

  it('are listed by type with their last sync, and show what they contain', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/sources' });
    await page.getByRole('heading', { name: 'There is no source yet' }).waitFor();
    await expectGoodInAllForms(page, 'sources empty');
    const id = await givenPostgres(api);
    await givenFileSource(api, { 'a/b/orders.csv': 'id\n1\n' }, `files ${'with a very long name '.repeat(6)}`);
    await page.reload();
    await page.getByRole('link', { name: 'shop' }).waitFor();
    await expect.poll(() => page.getByText('never').count()).toBe(2);
    await expectGoodInAllForms(page, 'sources');
    await page.getByLabel('Type').selectOption('file');
    await page.getByText('1 source', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'shop' }).count()).toBe(0);

    await page.goto(`${api.endpoint}/api/console/sources/${id}`);
    await page.getByRole('button', { name: 'Show the columns of orders' }).click();
    await page.getByRole('dialog').getByText('primary key').waitFor();
    await expectGoodInAllForms(page, 'source columns');
    await page.keyboard.press('Escape');
    await page.getByLabel('Schema').selectOption('many');
    await page.getByText('200 tables so far; scroll for more').waitFor();
    const list = page.getByRole('region', { name: 'tables' });
    await list.focus();
    await page.keyboard.press('End');
    await page.getByText('400 tables so far; scroll for more').waitFor();
    await page.getByRole('searchbox').fill('part 44');
    await page.getByText('11 tables', { exact: true }).waitFor();
    expect(await list.getByText('part 449', { exact: true }).count()).toBe(1);
    await expectGoodInAllForms(page, 'source tables');
    await page.getByRole('searchbox').fill('nothing');
    await page.getByRole('heading', { name: 'No table begins with “nothing”' }).waitFor();

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Read the catalog now' }).click();
    await page.getByText('452 tables or files').waitFor();
    await expectGoodInAllForms(page, 'source history');
  });

  it('take files, and lose no change of two people', { timeout: PATIENT }, async ({ api }) => {
    const files = await givenFileSource(api);
    const page = await consoles.open(api, { path: `/sources/${files}`, uploads: true });
    await page.getByRole('heading', { name: 'There is no file here' }).waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload files' }).click(),
    ]);
    // The second one fails: what was sent before is not sent again.
    let sends = 0;
    const fails = (route: Route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      sends += 1;
      return sends === 1 ? route.fallback() : route.abort('connectionreset');
    };
    await page.route('**/*', fails);
    await chooser.setFiles([
      { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('x\n1\n2\n') },
      { name: 'b.json', mimeType: 'application/json', buffer: Buffer.from('[]') },
    ]);
    await page.getByRole('alert').getByText('1 file not uploaded yet.').waitFor();
    await expectGoodInAllForms(page, 'source upload failed');
    await page.unroute('**/*', fails);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('2 files', { exact: true }).waitFor();
    expect((await api.as('owner').get(`/api/data-sources/${files}/tables`)).body.items).toHaveLength(2);
    await expectGoodInAllForms(page, 'source files');
    await page.getByRole('checkbox', { name: /a\.csv$/ }).check();
    await page.getByRole('button', { name: 'Import 1 file' }).click();
    await page.getByRole('heading', { level: 1, name: 'a', exact: true }).waitFor();

    const id = await givenPostgres(api);
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/sources/${id}?tab=settings` }),
      consoles.open(api, { path: `/sources/${id}?tab=settings` }),
    ]);
    for (const each of [one, other]) await each.getByRole('textbox', { name: 'Name' }).waitFor();
    await one.getByRole('textbox', { name: 'Name' }).fill('hers');
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await one.getByRole('heading', { level: 1, name: 'hers' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('his');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('It is now called “hers”').waitFor();
    await expectGoodInAllForms(other, 'source changed');
    expect((await api.as('owner').get(`/api/data-sources/${id}`)).body.name).toBe('hers');
    await other.getByRole('button', { name: 'Keep mine' }).click();
    await other.getByRole('heading', { level: 1, name: 'his' }).waitFor();
    // A password that is not typed again is kept.
    expect((await api.as('owner').post(`/api/data-sources/${id}/test`)).body.ok).toBe(true);
    await other.getByRole('button', { name: 'Delete the source' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await other.getByRole('heading', { name: 'Files & sources' }).waitFor();
    expect((await api.as('owner').get(`/api/data-sources/${id}`)).status).toBe(404);
  });

  it('say what failed at each call, and are read-only for editors', { timeout: PATIENT }, async ({ api }) => {
    const id = await givenPostgres(api);
    const page = await consoles.open(api, { path: '/sign-in' });
    const problem = {
      type: 'about:blank',
      title: 'x',
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [],
      requestId: 'r-1',
    };
    for (const [path, calls, sign] of [
      ['/sources', /\/api\/data-sources\?/, 'shop'],
      [`/sources/${id}`, new RegExp(`/api/data-sources/${id}$`), 'orders'],
      [`/sources/${id}`, /\/schemas$/, 'orders'],
      [`/sources/${id}`, /\/tables\?/, 'orders'],
      [`/sources/${id}?tab=history`, /\/history/, 'The catalog has not been read yet'],
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
    await expectGoodInAllForms(page, 'source without history');
    const editor = await consoles.open(api, { as: 'editor', path: `/sources/${id}` });
    await editor.getByRole('checkbox', { name: 'Import orders' }).waitFor();
    expect(await editor.getByRole('tab', { name: 'Settings' }).count()).toBe(0);
    await editor.goto(`${api.endpoint}/api/console/sources/new`);
    await editor.getByRole('heading', { name: '“Connect a source” is for admins' }).waitFor();
  });
});
