import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

const consoles = useConsoles();

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres(['-c', 'wal_level=logical', '-c', 'max_replication_slots=6']);
  await server.run(`CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT NOT NULL);
    INSERT INTO orders SELECT i, 'pen' FROM generate_series(1, 1234) i;
    CREATE TABLE people (id BIGINT PRIMARY KEY);
    CREATE TABLE notes (text TEXT)`);
});
afterAll(() => server?.stop());

const PATH = '/api/pipelines/cdc-streams';

async function givenSource(api: Api, name = 'shop database'): Promise<string> {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const reply = await api
    .as('owner')
    .post('/api/data-sources', { name, type: 'postgres', config, secrets: { password } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  await api.as('owner').post(`/api/data-sources/${reply.body.id}/sync`);
  return reply.body.id;
}

const stored = async (api: Api, id: string) => (await api.as('viewer').get(`${PATH}/${id}`)).body;

describe.runIf(HAS_CHROMIUM)('the streams in the console', () => {
  it.for(HANDS)(
    'are made by a form, paused, resynced and deleted by %s',
    { timeout: PATIENT },
    async (hand, { api }) => {
      const page = await consoles.open(api, { as: 'editor', path: '/streams' });
      await page.getByRole('heading', { name: 'There are no streams yet' }).waitFor();
      if (hand === 'mouse') {
        await expectGoodInAllForms(page, 'streams empty');
        await page.goto(`${api.endpoint}/api/console/streams/new`);
        await page.getByRole('heading', { name: 'There is no Postgres source yet' }).waitFor();
        await expectGoodInAllForms(page, 'stream without a source');
      }
      const sourceId = await givenSource(api);
      await page.goto(`${api.endpoint}/api/console/streams`);
      const clicks = new Clicks(page, hand);
      const adding = page.getByRole('combobox', { name: 'Add a table' });
      await clicks.press(page.getByRole('link', { name: 'New stream' }).first());
      clicks.count += 1;
      await page.getByLabel('Source').selectOption(sourceId);
      const name = `by_${hand}`;
      await clicks.type(page.getByRole('textbox', { name: 'Name' }), name);
      await clicks.type(adding, 'note');
      await page.getByRole('option', { name: 'public.notes', selected: true }).waitFor();
      await clicks.key('Enter');
      await page.getByRole('button', { name: 'Remove public.notes' }).waitFor();
      await clicks.press(page.getByRole('button', { name: 'Create the stream' }));
      // What the source lacks is said at the table, with the SQL that mends it.
      await page.getByRole('group', { name: 'Tables' }).getByText('REPLICA IDENTITY FULL').first().waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'stream refused');
      await clicks.press(page.getByRole('button', { name: 'Remove public.notes' }));
      await clicks.type(adding, 'orders');
      await page.getByRole('option', { name: 'public.orders', selected: true }).waitFor();
      await clicks.key('Enter');
      await page.getByRole('button', { name: 'Remove public.orders' }).waitFor();
      await clicks.press(page.getByRole('button', { name: 'Create the stream' }));
      await page.getByRole('heading', { level: 1, name }).waitFor();
      clicks.expectAtMost(10);
      await page.locator('h1 + .status.succeeded').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      const stream = await stored(api, id);
      expect(stream).toMatchObject({ sourceId, streamId: name, capture: 'polling', tables: [{ rows: 1_234 }] });
      const row = page.getByRole('region', { name: 'Tables' }).getByRole('row').nth(1);
      await expect
        .poll(() => row.textContent())
        .toContain('public.ordersstreaming1,234'.replace('streaming', '✓ streaming'));
      await page.getByText(stream.slotName).waitFor();
      await page.getByText(/behind the source/).waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'stream');

      await clicks.press(page.getByRole('button', { name: 'Pause' }));
      await page.getByText('While the stream is paused, the source keeps its log for it.').waitFor();
      expect(await stored(api, id)).toMatchObject({ enabled: false, status: 'paused' });
      await clicks.press(page.getByRole('button', { name: 'Resume' }));
      await page.locator('h1 + .status.succeeded').waitFor();
      await clicks.press(page.getByRole('button', { name: 'Resync public.orders' }));
      await page.getByRole('dialog').getByText('A new snapshot of the table is taken.').waitFor();
      if (hand === 'mouse') await expectGoodInAllForms(page, 'stream resync');
      await clicks.press(page.getByRole('dialog').getByRole('button', { name: 'Resync', exact: true }));
      // The rows of the second snapshot are captured, too.
      await expect.poll(async () => (await stored(api, id)).tables[0].rows, { timeout: 60_000 }).toBe(2_468);

      await clicks.press(page.getByRole('button', { name: 'More actions' }));
      await clicks.press(page.getByRole('menuitem', { name: 'Delete' }));
      await page.getByRole('dialog').getByText('Nothing reads it.').waitFor();
      await clicks.type(page.getByRole('dialog').getByRole('textbox'), name);
      await clicks.press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
      await expect
        .poll(async () => (await api.as('viewer').get(`${PATH}/${id}`)).status, { timeout: 90_000 })
        .toBe(404);
    },
  );

  it('say what has stopped, why, and what to do; viewers only look', { timeout: PATIENT }, async ({ api }) => {
    const sourceId = await givenSource(api, `database ${'with a very long name '.repeat(6)}`);
    const made = await api
      .as('editor')
      .post(PATH, { sourceId, streamId: 'broken', tables: ['public.orders', 'people'] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body;
    await expect.poll(async () => (await stored(api, id)).status, { timeout: 90_000 }).toBe('streaming');
    const stream = await stored(api, id);
    const error = { code: 'SLOT_LOST', message: 'The replication slot is gone.' };
    const altered = { code: 'SCHEMA_MISMATCH', message: 'The column "id" of public.people was renamed.' };
    const broken = {
      ...stream,
      status: 'error',
      error,
      lagSeconds: 123_456,
      retainedWalBytes: 9_876_543_210,
      tables: [stream.tables[0], { ...stream.tables[1], status: 'error', error: altered, rows: 9_007_199_254_740_991 }],
    };
    const page = await consoles.open(api, { as: 'editor', path: '/sign-in' });
    await page.route(`**${PATH}/${id}`, (route) => route.fulfill({ json: broken }));
    await page.route(`**${PATH}?*`, (route) =>
      route.fulfill({ json: { items: [broken], total: 1, limit: 100, offset: 0 } }),
    );
    await page.goto(`${api.endpoint}/api/console/streams`);
    await page.getByRole('link', { name: 'broken' }).waitFor();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('34 h 17 min');
    await expectGoodInAllForms(page, 'streams');
    await page.getByRole('link', { name: 'broken' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'SLOT_LOST' });
    await alert.getByText('it takes new snapshots with a new slot').waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: 'SCHEMA_MISMATCH' })
      .getByText('Correct it, and resync the table.')
      .waitFor();
    await expectGoodInAllForms(page, 'stream that has stopped');
    await alert.getByRole('button', { name: 'Resync the stream' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resync', exact: true }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(async () => (await stored(api, id)).slotName, { timeout: 90_000 }).toBe(stream.slotName);

    await page.unroute(`**${PATH}/${id}`);
    await page.goto(`${api.endpoint}/api/console/streams/${id}?tab=settings`);
    await page.getByRole('button', { name: 'Remove public.people' }).click();
    await page.getByLabel('On WAL limit').selectOption('pause');
    await expectGoodInAllForms(page, 'stream settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await stored(api, id)).toMatchObject({ onWalLimit: 'pause', tables: [{ name: 'public.orders' }] });

    const viewer = await consoles.open(api, { as: 'viewer', path: `/streams/${id}` });
    await viewer.getByText('public.orders').first().waitFor();
    expect(await viewer.getByRole('button', { name: /Pause|Resume|Resync|More actions/ }).count()).toBe(0);
    expect(await viewer.getByRole('tab').allTextContents()).toEqual(['Tables']);
    await viewer.goto(`${api.endpoint}/api/console/streams`);
    await viewer.getByRole('link', { name: 'broken' }).waitFor();
    expect(await viewer.getByRole('link', { name: 'New stream' }).count()).toBe(0);
    await api.as('editor').delete(`${PATH}/${id}`);
  });

  it('say what failed at each call, and that they do not exist', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/sign-in' });
    const problem = { type: 'about:blank', title: 'x', status: 400, code: 'BROKEN', errors: [], requestId: 'r' };
    await page.route(`**${PATH}?*`, (route) =>
      route.fulfill({ status: 400, json: { ...problem, detail: 'No list.' } }),
    );
    await page.goto(`${api.endpoint}/api/console/streams`);
    const alert = page.getByRole('alert').filter({ hasText: 'No list.' });
    await alert.waitFor();
    await page.unroute(`**${PATH}?*`);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There are no streams yet').waitFor();
    await page.goto(`${api.endpoint}/api/console/streams/00000000-0000-7000-8000-000000000000`);
    await page.getByText('CDC_STREAM_NOT_FOUND').waitFor();
    await expectGoodInAllForms(page, 'stream that does not exist');
  });
});
