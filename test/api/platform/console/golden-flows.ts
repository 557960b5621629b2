import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProtected } from '../../../support/given/protected.ts';
import { publish } from '../../../support/given/shares.ts';
import type { TestDatabase } from '../../../support/postgres-database.ts';
import type { Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, givenEvent, givenWebhook } from '../../events/webhooks/given.ts';
import {
  dagOf,
  givenFiles,
  givenPipeline,
  load,
  runThatIs,
  sendFiles,
  startedRun,
} from '../../pipelines/pipelines/given.ts';

/** What a flow may need beside the platform. */
export interface Surroundings {
  database: TestDatabase;
  receiver: Receiver;
}

/** One step of a flow. Each resolves when its result is shown. */
export interface Step {
  act(page: Page): Promise<unknown>;
  /** After a failure, without typing anything again. Steps without it are repeated by “Try again”. */
  again?(page: Page): Promise<unknown>;
}

export interface Flow {
  name: string;
  as: 'owner' | 'editor';
  uploads?: true;
  /** The calls that change something, in their order. */
  writes: readonly string[];
  /** One that reads. */
  read: string;
  given(api: Api, around: Surroundings): Promise<{ path: string; steps: readonly Step[]; expectOnce(): Promise<void> }>;
}

const ORDERS = ['order_id,placed,region,amount', ...Array.from({ length: 40 }, (_, i) => lineOf(i))].join('\n');

function lineOf(i: number): string {
  const placed = new Date(Date.UTC(2025, 0, 1 + i * 9)).toISOString().slice(0, 10);
  return `${i},${placed},${['North', 'South', 'East'][i % 3]},${(i * 1.25).toFixed(2)}`;
}

const dropped = (page: Page) =>
  page.evaluate(
    `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(ORDERS)}], 'orders.csv', { type: 'text/csv' }));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    })()`,
  );

const itemsOf = async (api: Api, path: string) => (await api.as('owner').get(path)).body.items;

const fileToChart: Flow = {
  name: 'a file to a chart',
  as: 'editor',
  uploads: true,
  writes: [
    'POST /api/data-sources',
    'POST /api/data-sources/*/uploads',
    'POST /api/datasets',
    'POST /api/dashboards',
    'POST /api/dashboards/*/cards',
    'POST /api/dashboards/*/publish',
  ],
  read: 'GET /api/datasets/*/statistics',
  async given(api) {
    const isKept = (page: Page) => page.waitForURL(/\/dashboards\/[\w-]+$/);
    const keep = async (page: Page) => {
      await page.getByRole('button', { name: 'Keep as a dashboard' }).click();
      await isKept(page);
    };
    return {
      path: '',
      steps: [
        {
          async act(page) {
            await page.getByRole('button', { name: 'Choose a file' }).waitFor();
            await dropped(page);
            await page.getByRole('img', { name: 'amount by week' }).waitFor();
          },
        },
        { act: keep, again: keep },
      ],
      async expectOnce() {
        expect(await itemsOf(api, '/api/datasets')).toMatchObject([{ name: 'orders', rowCount: 40 }]);
        expect(await itemsOf(api, '/api/data-sources')).toMatchObject([{ name: 'Files' }]);
        const boards = await itemsOf(api, '/api/dashboards/page');
        expect(boards).toMatchObject([{ name: 'orders', isPublished: true }]);
        const { body } = await api.as('owner').get(`/api/dashboards/${boards[0].id}`);
        const titles: string[] = body.cards.map(({ title }: { title: string }) => title);
        expect(new Set(titles).size).toBe(titles.length);
        expect(titles).toContain('amount by week');
      },
    };
  },
};

const databaseToDataset: Flow = {
  name: 'a database to a table on a schedule',
  as: 'owner',
  writes: ['POST /api/data-sources/test', 'POST /api/data-sources', 'POST /api/datasets'],
  read: 'GET /api/data-sources/*/tables',
  async given(api, { database: { user, password, host, port, database: name } }) {
    const connect = (page: Page) => page.getByRole('button', { name: 'Test and connect' }).click();
    const bringIn = (page: Page) => page.getByRole('button', { name: 'Import 1 table' }).click();
    const orders = (page: Page) => page.getByRole('checkbox', { name: 'Import orders' });
    const isThere = (page: Page) => page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
    return {
      path: '/sources/new',
      steps: [
        {
          async act(page) {
            const address = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}?sslmode=disable`;
            await page.getByRole('textbox', { name: 'Address' }).fill(address);
            await connect(page);
            await orders(page).waitFor();
          },
          async again(page) {
            await connect(page);
            await orders(page).waitFor();
          },
        },
        {
          async act(page) {
            await orders(page).check();
            await page.getByLabel('How often').selectOption('daily');
            await bringIn(page);
            await isThere(page);
          },
          async again(page) {
            await bringIn(page);
            await isThere(page);
          },
        },
      ],
      async expectOnce() {
        expect(await itemsOf(api, '/api/data-sources')).toHaveLength(1);
        expect(await itemsOf(api, '/api/datasets')).toMatchObject([
          { name: 'orders', schedule: { cron: '0 6 * * *' } },
        ]);
      },
    };
  },
};

const statementToCard: Flow = {
  name: 'a statement to a card',
  as: 'editor',
  writes: ['POST /api/query', 'POST /api/saved-queries', 'POST /api/dashboards/*/cards/from-query'],
  read: 'GET /api/dashboards',
  async given(api) {
    await givenDataset(api, { name: 'orders', sql: "SELECT i AS id, 'r' || i % 3 AS region FROM range(30) r(i)" });
    const { body: board } = await api.as('owner').post('/api/dashboards', { name: 'Sales' });
    const statement = 'SELECT region, count(*) AS orders FROM orders GROUP BY region';
    const run = async (page: Page) => {
      await page.getByRole('textbox', { name: 'Statement' }).press('ControlOrMeta+Enter');
      await page.locator('.sql-summary').getByText('3 rows', { exact: true }).waitFor();
    };
    const choose = async (page: Page) => {
      await page.getByRole('button', { name: /^Sales/ }).click();
      await page.getByText('Added to the draft of “Sales”').waitFor();
    };
    return {
      path: '/sql',
      steps: [
        {
          async act(page) {
            await page.getByRole('textbox', { name: 'Statement' }).click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.insertText(statement);
            await run(page);
          },
          again: run,
        },
        {
          async act(page) {
            await page.getByRole('button', { name: 'Add to dashboard' }).click();
            await choose(page);
          },
          again: choose,
        },
      ],
      async expectOnce() {
        const [saved, ...others] = await itemsOf(api, '/api/saved-queries');
        expect(others).toEqual([]);
        expect(saved.sql).toBe(statement);
        const { body } = await api.as('owner').get(`/api/dashboards/${board.id}`);
        expect(body.cards).toMatchObject([{ chartSpec: { query: { source: { id: saved.id } } } }]);
      },
    };
  },
};

const failureToRetry: Flow = {
  name: 'a failed run to its retry',
  as: 'editor',
  writes: ['POST /api/pipelines/runs/*/retry'],
  read: 'GET /api/pipelines/runs/*',
  async given(api) {
    const sourceId = await givenFiles(api, {});
    const extract = { id: 'read', type: 'extract', config: { sourceId, object: { path: 'a.csv' } } };
    const dag = dagOf({ ...extract, retry: { maxAttempts: 1 } }, load('keep', 'read', 'kept'));
    const { id } = await givenPipeline(api, dag, { name: 'Nightly' });
    const runId = await startedRun(api, id);
    await runThatIs(api, runId, 'failed');
    const retry = async (page: Page) => {
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('menuitem', { name: 'The failed steps' }).click();
      await page.locator('h1 + .status.succeeded').waitFor();
    };
    return {
      path: '/runs?status=failed',
      steps: [
        {
          async act(page) {
            await page.getByRole('link', { name: 'Nightly', exact: true }).click();
            await page.getByRole('region', { name: 'Step read' }).getByText('What to do').waitFor();
            await sendFiles(api, sourceId, { 'a.csv': 'n\n1\n2\n' });
          },
        },
        { act: retry, again: retry },
      ],
      async expectOnce() {
        expect(await runThatIs(api, runId, 'succeeded')).toMatchObject({ attempt: 2, rowsMoved: 2 });
      },
    };
  },
};

const failureToReplay: Flow = {
  name: 'a failing receiver to a replay',
  as: 'editor',
  writes: ['PATCH /api/webhooks/*', 'POST /api/webhooks/*/replay'],
  read: 'GET /api/webhooks/*/deliveries',
  async given(api, { receiver }) {
    receiver.answer(410);
    const id = await givenWebhook(api, receiver, { name: 'Operations' });
    await givenEvent(api);
    await deliveriesWhere(api, id, 2, { status: 'failed' });
    await expect.poll(async () => (await api.as('editor').get(`/api/webhooks/${id}`)).body.disabledReason).toBe('gone');
    receiver.answer(200);
    const before = receiver.received.length;
    const replay = async (page: Page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Turn on and replay' }).click();
      await expect.poll(() => page.getByRole('row').getByText('delivered').count()).toBe(2);
    };
    return {
      path: '',
      steps: [
        {
          async act(page) {
            await page.getByRole('link', { name: 'Webhook Operations' }).click();
            await page.getByRole('button', { name: 'Replay failed deliveries' }).click();
            await page.getByRole('dialog').getByText('2 deliveries failed').waitFor();
          },
        },
        { act: replay, again: replay },
      ],
      async expectOnce() {
        await deliveriesWhere(api, id, 2, { status: 'delivered' });
        expect(receiver.received).toHaveLength(before + 2);
      },
    };
  },
};

const dashboardToAudience: Flow = {
  name: 'a dashboard to an audience with its own rows',
  as: 'owner',
  writes: ['POST /api/embed/tokens', 'POST /api/shares'],
  read: 'POST /api/shares/*/content',
  async given(api) {
    const { model, field } = await givenProtected(api);
    const dimensions = [{ fieldId: field.name, label: 'Name' }];
    const query = { source: { kind: 'model', id: model.id }, dimensions };
    const { id, path } = await givenCards(api, [card('people', chart(query), { title: 'People' })]);
    await publish(api, path);
    const create = async (page: Page) => {
      await page.getByRole('button', { name: 'Create and copy the link' }).click();
      await page.getByText('The link is copied.').waitFor();
    };
    return {
      path: `/dashboards/${id}/share`,
      steps: [
        {
          async act(page) {
            await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
            await page.getByRole('radio', { name: 'An audience that sees its own rows' }).check();
            await page.getByRole('textbox', { name: 'Attribute 1', exact: true }).fill('region');
            await page.getByRole('textbox', { name: 'Values of attribute 1' }).fill('eu');
            await page.getByRole('region', { name: 'What a reader sees' }).getByText('Ann').waitFor();
          },
        },
        { act: create, again: create },
      ],
      async expectOnce() {
        expect(await itemsOf(api, `/api/shares?contentId=${id}`)).toMatchObject([
          { shareType: 'rls', rlsContext: { attributes: { region: 'eu' } } },
        ]);
      },
    };
  },
};

/** The flows that people come for, as they go when nothing fails. */
export const FLOWS: readonly Flow[] = [
  fileToChart,
  databaseToDataset,
  statementToCard,
  failureToRetry,
  failureToReplay,
  dashboardToAudience,
];
