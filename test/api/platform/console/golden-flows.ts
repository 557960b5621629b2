import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProtected } from '../../../support/given/protected.ts';
import { publish } from '../../../support/given/shares.ts';
import type { TestDatabase } from '../../../support/postgres-database.ts';
import type { Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, EVENT, givenEvent, givenWebhook } from '../../events/webhooks/given.ts';
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

/** One step of a flow. It resolves once its result is shown. */
export interface Step {
  act(page: Page): Promise<unknown>;
  /** Presses the button of the step once more. Without it, the page has to offer “Try again”. */
  again?(page: Page): Promise<unknown>;
}

interface Begun {
  path: string;
  steps: readonly Step[];
  /** Whether everything that the flow makes is stored once. */
  expectOnce(): Promise<void>;
}

export interface Flow {
  name: string;
  as: 'owner' | 'editor';
  /** The calls that change something. */
  writes: readonly string[];
  /** The calls that read what the flow needs. */
  reads: readonly string[];
  /** The calls that may fail without a message, and why. */
  silent: Readonly<Record<string, string>>;
  given(api: Api, around: Surroundings): Promise<Begun>;
}

const itemsOf = async (api: Api, path: string) => (await api.as('owner').get(path)).body.items;

/** What dashboards and the previews of their links show in another way, or not at all, if it cannot be read. */
const BESIDE_BOARDS = {
  'GET /api/themes': 'has the colors of the board; without them, it has those of the platform',
  'GET /api/dashboards/*/bookmarks': 'lists views that a person may open instead',
  'GET /api/catalog/terms?status&names': 'explains names where they stand',
};

/** What the start page says needs attention: one part of the page, which any of them makes fail. */
const ATTENTION = [
  'GET /api/pipelines/runs?status&from',
  'GET /api/data-quality/issues?status',
  'GET /api/webhooks',
  'GET /api/data-sources',
];

const ORDERS = ['order_id,placed,region,amount', ...Array.from({ length: 40 }, (_, i) => lineOf(i))].join('\n');

function lineOf(i: number): string {
  const placed = new Date(Date.UTC(2025, 0, 1 + i * 9)).toISOString().slice(0, 10);
  return `${i},${placed},${['North', 'South', 'East'][i % 3]},${(i * 1.25).toFixed(2)}`;
}

const dropOrders = (page: Page) =>
  page.evaluate(
    `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(ORDERS)}], 'orders.csv', { type: 'text/csv' }));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    })()`,
  );

const fileToChart: Flow = {
  name: 'a file to a chart',
  as: 'editor',
  writes: [
    'POST /api/data-sources',
    'POST /api/data-sources/*/uploads',
    'PUT the file',
    'POST /api/datasets',
    'POST /api/dashboards',
    'POST /api/dashboards/*/cards',
    'POST /api/dashboards/*/publish',
  ],
  reads: [
    'GET /api/workspaces/current',
    ...ATTENTION,
    'GET /api/dashboards/page',
    'GET /api/data-sources?name&type',
    'GET /api/datasets/*',
    'GET /api/datasets/*/statistics',
    'POST /api/charts/suggest',
    'GET /api/dashboards/*?include',
    'POST /api/dashboards/*/cards/*/data',
  ],
  silent: BESIDE_BOARDS,
  async given(api) {
    return {
      path: '',
      steps: [
        {
          async act(page) {
            await page.getByRole('button', { name: 'Choose a file' }).waitFor();
            await dropOrders(page);
            await page.getByRole('img', { name: 'amount by week' }).waitFor();
          },
        },
        {
          async act(page) {
            await page.getByRole('button', { name: 'Keep as a dashboard' }).click();
            await page.getByRole('heading', { name: 'amount by week' }).waitFor();
          },
          again: (page) => page.getByRole('button', { name: 'Keep as a dashboard' }).click(),
        },
      ],
      async expectOnce() {
        expect(await itemsOf(api, '/api/datasets')).toMatchObject([{ name: 'orders', rowCount: 40 }]);
        expect(await itemsOf(api, '/api/data-sources')).toMatchObject([{ name: 'Files' }]);
        const boards = await itemsOf(api, '/api/dashboards/page');
        expect(boards).toMatchObject([{ name: 'orders', isPublished: true }]);
        const { body } = await api.as('owner').get(`/api/dashboards/${boards[0].id}`);
        const titles = body.cards.map(({ title }: { title: string }) => title);
        expect(titles).toEqual(['amount by week', 'amount by region', 'amount in total']);
      },
    };
  },
};

const databaseToDataset: Flow = {
  name: 'a database to a table on a schedule',
  as: 'owner',
  writes: ['POST /api/data-sources', 'POST /api/datasets'],
  reads: [
    'POST /api/data-sources/test',
    'GET /api/data-sources/*',
    'GET /api/data-sources/*/schemas',
    'GET /api/data-sources/*/tables?schema',
    'GET /api/datasets/*',
    'GET /api/datasets/*/preview',
  ],
  silent: { 'GET /api/catalog/assets/dataset/*': 'has marks of the dataset, such as whether it is certified' },
  async given(api, { database: { user, password, host, port, database: name } }) {
    return {
      path: '/sources/new',
      steps: [
        {
          async act(page) {
            const address = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}?sslmode=disable`;
            await page.getByRole('textbox', { name: 'Address' }).fill(address);
            await page.getByRole('button', { name: 'Test and connect' }).click();
            await page.getByRole('checkbox', { name: 'Import orders' }).waitFor();
          },
          again: (page) => page.getByRole('button', { name: 'Test and connect' }).click(),
        },
        {
          async act(page) {
            await page.getByRole('checkbox', { name: 'Import orders' }).check();
            await page.getByLabel('How often').selectOption('daily');
            await page.getByRole('button', { name: 'Import 1 table' }).click();
            await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
          },
          again: (page) => page.getByRole('button', { name: 'Import 1 table' }).click(),
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
  writes: ['POST /api/saved-queries', 'POST /api/dashboards/*/cards/from-query'],
  reads: ['GET /api/datasets', 'GET /api/data-sources', 'POST /api/query', 'GET /api/dashboards'],
  silent: {
    'POST /api/query/validate': 'underlines issues while a person types',
  },
  async given(api) {
    await givenDataset(api, { name: 'orders', sql: "SELECT i AS id, 'r' || i % 3 AS region FROM range(30) r(i)" });
    const { body: board } = await api.as('owner').post('/api/dashboards', { name: 'Sales' });
    const statement = 'SELECT region, count(*) AS orders FROM orders GROUP BY region';
    return {
      path: '/sql',
      steps: [
        {
          async act(page) {
            await page.getByRole('textbox', { name: 'Statement' }).click();
            await page.keyboard.press('ControlOrMeta+A');
            await page.keyboard.insertText(statement);
            await page.keyboard.press('ControlOrMeta+Enter');
            await page.locator('.sql-summary').getByText('3 rows', { exact: true }).waitFor();
          },
        },
        {
          async act(page) {
            await page.getByRole('button', { name: 'Add to dashboard' }).click();
            await page.getByRole('button', { name: /^Sales/ }).click();
            await page.getByText('Added to the draft of “Sales”').waitFor();
          },
          again: (page) => page.getByRole('button', { name: /^Sales/ }).click(),
        },
      ],
      async expectOnce() {
        const saved = await itemsOf(api, '/api/saved-queries');
        expect(saved).toMatchObject([{ sql: statement }]);
        const { body } = await api.as('owner').get(`/api/dashboards/${board.id}`);
        expect(body.cards).toMatchObject([{ chartSpec: { query: { source: { id: saved[0].id } } } }]);
      },
    };
  },
};

const failureToRetry: Flow = {
  name: 'a failed run to its cause and a retry',
  as: 'editor',
  writes: ['POST /api/pipelines/runs/*/retry'],
  reads: [
    'GET /api/pipelines/runs?status',
    'GET /api/pipelines/runs/*',
    'GET /api/pipelines/runs/*/steps/read/logs?attempt',
  ],
  silent: {
    'GET /api/pipelines/*/runs?status': 'says how long runs usually take',
    'GET /api/pipelines/runs/*/events': 'shows changes immediately; without it, the run is read every 15 seconds',
  },
  async given(api) {
    const sourceId = await givenFiles(api, {});
    const extract = { id: 'read', type: 'extract', config: { sourceId, object: { path: 'a.csv' } } };
    const dag = dagOf({ ...extract, retry: { maxAttempts: 1 } }, load('keep', 'read', 'kept'));
    const { id } = await givenPipeline(api, dag, { name: 'Nightly' });
    const runId = await startedRun(api, id);
    const { error } = await runThatIs(api, runId, 'failed');
    const retry = async (page: Page) => {
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('menuitem', { name: 'The failed steps' }).click();
    };
    return {
      path: '/runs?status=failed',
      steps: [
        {
          async act(page) {
            await page.getByRole('link', { name: 'Nightly', exact: true }).click();
            const step = page.getByRole('region', { name: 'Step read' });
            await step.getByText(error.message, { exact: true }).waitFor();
            await step.getByRole('log').waitFor();
            await sendFiles(api, sourceId, { 'a.csv': 'n\n1\n2\n' });
          },
        },
        {
          async act(page) {
            await retry(page);
            await page.locator('h1 + .status.succeeded').waitFor();
          },
          again: retry,
        },
      ],
      async expectOnce() {
        expect(await runThatIs(api, runId, 'succeeded')).toMatchObject({ attempt: 2, rowsMoved: 2 });
        expect(await itemsOf(api, '/api/pipelines/runs')).toHaveLength(1);
      },
    };
  },
};

const failureToReplay: Flow = {
  name: 'a failing webhook to a replay',
  as: 'editor',
  writes: ['PATCH /api/webhooks/*', 'POST /api/webhooks/*/replay'],
  reads: [
    ...ATTENTION,
    'GET /api/webhooks/*',
    'GET /api/webhooks/*/deliveries',
    'GET /api/webhooks/*/deliveries?status',
  ],
  silent: {
    'GET /api/dashboards/page': 'shows other objects on Home, where the flow begins',
    'GET /api/workspaces/current': 'says on Home whether files may be dropped there',
  },
  async given(api, { receiver }) {
    receiver.answer(410);
    const id = await givenWebhook(api, receiver, { name: 'Operations' });
    await givenEvent(api);
    // That it is turned off is an event too.
    await deliveriesWhere(api, id, 2, { status: 'failed' });
    await expect.poll(async () => (await api.as('editor').get(`/api/webhooks/${id}`)).body.disabledReason).toBe('gone');
    receiver.answer(200);
    const before = receiver.received.length;
    return {
      path: '',
      steps: [
        {
          async act(page) {
            await page.getByRole('link', { name: 'Webhook Operations' }).click();
            await page.getByRole('row', { name: EVENT }).first().waitFor();
            await page.getByRole('button', { name: 'Replay failed deliveries' }).click();
            await page.getByRole('dialog').getByText('2 deliveries failed').waitFor();
          },
        },
        {
          async act(page) {
            await page.getByRole('dialog').getByRole('button', { name: 'Turn on and replay' }).click();
            await expect.poll(() => page.getByRole('row', { name: EVENT }).getByText('delivered').count()).toBe(2);
          },
          // It may be on by now.
          again: (page) =>
            page
              .getByRole('dialog')
              .getByRole('button', { name: /^(Turn on and replay|Replay)$/ })
              .click(),
        },
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
  writes: ['POST /api/shares'],
  reads: [
    'GET /api/dashboards/*?include',
    'POST /api/dashboards/*/cards/*/data',
    'GET /api/shares?contentType&contentId',
    'POST /api/embed/tokens',
    'POST /api/shares/*/content',
    'POST /api/shares/*/card-data',
  ],
  silent: {
    ...BESIDE_BOARDS,
    'GET /api/workspaces/current': 'has the time zone of cards; without it, their times are in UTC',
    'DELETE /api/embed/tokens/*': 'ends the preview, whose token ends by itself after five minutes',
  },
  async given(api) {
    const { model, field } = await givenProtected(api);
    const dimensions = [{ fieldId: field.name, label: 'Name' }];
    const query = { source: { kind: 'model', id: model.id }, dimensions };
    const { id, path } = await givenCards(api, [card('people', chart(query), { title: 'People' })]);
    await publish(api, path);
    return {
      path: `/dashboards/${id}`,
      steps: [
        {
          async act(page) {
            await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
            await page.getByRole('heading', { name: 'People' }).waitFor();
            await page.getByRole('link', { name: 'Share', exact: true }).click();
            await page.getByText('There are no links yet.').waitFor();
            await page.getByRole('radio', { name: 'An audience that sees its own rows' }).check();
            await page.getByRole('textbox', { name: 'Attribute 1', exact: true }).fill('region');
            await page.getByRole('textbox', { name: 'Values of attribute 1' }).fill('eu');
            await page.getByRole('region', { name: 'What a reader sees' }).getByText('Ann').waitFor();
          },
        },
        {
          async act(page) {
            await page.getByLabel('Expires').selectOption('7');
            await page.getByRole('button', { name: 'Create and copy the link' }).click();
            await page.getByText('The link is copied.').waitFor();
            await page.getByRole('row', { name: /region: eu/ }).waitFor();
          },
          again: (page) => page.getByRole('button', { name: 'Create and copy the link' }).click(),
        },
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
