import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { files } from '../definitions/given.ts';
import { program } from '../definitions/project.ts';

const FIXTURES = join(import.meta.dirname, '../../../../clients/cli/test/translate/fixtures');

const ORDERS = `SELECT id::INTEGER AS order_id, customer::INTEGER AS customer_id, status, day::DATE AS ordered_at,
  total::DECIMAL(12,2) AS order_total, total::DECIMAL(12,2) AS amount, tax::DECIMAL(12,2) AS tax_paid
  FROM (VALUES (1, 1, 'placed', '2026-01-10', 80, 8), (2, 1, 'shipped', '2026-01-20', 20, 2),
    (3, 2, 'completed', '2026-02-03', 60, 6), (4, 2, 'returned', '2026-02-04', 5, 1)) AS o(id, customer, status, day, total, tax)`;
const CUSTOMERS = `SELECT id::INTEGER AS customer_id, kind, 'Ulm' AS city, 'south' AS region,
  '2025-12-01T10:00:00Z'::TIMESTAMPTZ AS first_ordered_at, 1.5::DOUBLE AS lifetime_spend
  FROM (VALUES (1, 'new'), (2, 'returning')) AS c(id, kind)`;

/** The tables of the fixtures, and the command line beside a folder for what it makes. */
async function givenShop(api: Api) {
  await givenDataset(api, { name: 'orders', sql: ORDERS });
  await givenDataset(api, { name: 'customers', sql: CUSTOMERS });
  const folder = mkdtempSync(join(tmpdir(), 'analytics-translate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(FIXTURES, join(folder, 'in'), { recursive: true });
  const run = await program(api, await api.token('editor'));
  const analytics = (...args: string[]) => run({ folder }, args);
  return {
    folder,
    analytics,
    async translate(tool: string, ...more: string[]) {
      const ended = await analytics('translate', tool, `in/${tool}`, '--out', `out/${tool}`, '--json', ...more);
      expect(ended.err).toBe('');
      expect(ended.code).toBe(0);
      return JSON.parse(ended.out) as { files: string[]; notes: { file: string; line: number; kind: string }[] };
    },
    /** Every file is accepted by the platform, and is the object as it is then. */
    async deploy(tool: string) {
      const ended = await analytics('deploy', '--dir', `out/${tool}`, '--yes');
      expect(ended, ended.err + ended.out).toMatchObject({ code: 0 });
      const again = await analytics('diff', '--dir', `out/${tool}`);
      expect(again, again.err + again.out).toMatchObject({ code: 0 });
    },
  };
}

const places = (notes: readonly { file: string; line: number }[]) => notes.map(({ file, line }) => `${file}:${line}`);

/** The values of measures of the model over all rows. */
async function valuesOf(api: Api, name: string, wanted: readonly string[]): Promise<Record<string, unknown>> {
  const as = api.as('editor');
  const { body: models } = await as.get(`/api/models?search=${name}`);
  const path = `/api/models/${models.items[0].id}`;
  const { body } = await as.get(`${path}/measures?limit=100`);
  const measures = (body.items as { id: string; name: string }[]).filter((measure) => wanted.includes(measure.name));
  const values = measures.map(async (measure) => {
    const reply = await as.post(`${path}/query`, { measures: [{ measureId: measure.id }] });
    expect(reply.status, `${measure.name}: ${JSON.stringify(reply.body)}`).toBe(200);
    return [measure.name, reply.body.rows[0][0]];
  });
  return Object.fromEntries(await Promise.all(values));
}

async function expectValues(api: Api, name: string, expected: Record<string, unknown>): Promise<void> {
  expect(await valuesOf(api, name, Object.keys(expected))).toEqual(expected);
}

describe('a project of dbt', () => {
  it('becomes a model, metrics and tests that the platform accepts, and lists the rest', async ({ api }) => {
    const { translate, deploy } = await givenShop(api);
    const { files: made, notes } = await translate('dbt');
    expect(made).toContain('models/bakery.yaml');
    expect(made.filter((file) => file.startsWith('metrics/'))).toHaveLength(12);
    expect(made.filter((file) => file.startsWith('quality/'))).toHaveLength(7);
    expect(notes.every(({ kind }) => kind === 'unmapped')).toBe(true);
    expect(places(notes)).toEqual(expect.arrayContaining(['tests/no_negative_totals.sql:1']));
    await deploy('dbt');
    await expectValues(api, 'bakery', {
      Revenue: '165.00',
      Orders: 4,
      'Large orders': 2,
      'Net revenue': '148.00',
      'Share of large orders': 0.5,
      Customers: 2,
      'Lifetime spend': 1.5,
    });
    const { body } = await api.as('editor').get('/api/metrics?search=growth');
    const growth = await api.as('editor').get(`/api/metrics/${body.items[0].id}/series?from=2026-01-01&to=2026-02-28`);
    expect(growth.body, JSON.stringify(growth.body)).toMatchObject({ points: [{}, { value: -0.35 }] });
  });
});

describe('a project of Lightdash', () => {
  it('becomes a model with the same measures, and metrics', async ({ api }) => {
    const { translate, deploy } = await givenShop(api);
    const { files: made } = await translate('lightdash');
    expect(made).toContain('metrics/orders-total-amount.yaml');
    await deploy('lightdash');
    await expectValues(api, 'bakery', {
      'Total amount': 165,
      'Completed amount': 60,
      Orders: 4,
      'Amount of new customers': 100,
    });
  });
});

describe('a project of Cube', () => {
  it('becomes a model with the same measures and joins', async ({ api }) => {
    const { translate, deploy, folder } = await givenShop(api);
    // A file for the templates of Cube is not YAML.
    const generated =
      '{% set tables = ["a"] %}\ncubes:\n  {%- for name in tables %}\n  - name: {{ name }}\n  {%- endfor %}\n';
    writeFileSync(join(folder, 'in/cube/model/cubes/generated.yml'), generated);
    const { files: made, notes } = await translate('cube', '--name', 'Shop');
    expect(made).toEqual(['models/shop.yaml', 'models/orders-view.yaml']);
    expect(places(notes)).toEqual(expect.arrayContaining(['model/cubes/generated.yml:1', 'model/views/orders.yml:15']));
    await deploy('cube');
    await expectValues(api, 'Shop', {
      'orders count': 4,
      'customers count': 2,
      'Total amount': 165,
      completed_total: null,
      per_customer: 82.5,
    });
    // The view has the same numbers under its own names.
    await expectValues(api, 'Orders and customers', { 'Total amount': 165, customers_count: 2 });
    const { body: models } = await api.as('editor').get('/api/models?search=Orders and customers');
    const path = `/api/models/${models.items[0].id}`;
    const { body: fields } = await api.as('editor').get(`${path}/fields?limit=100`);
    const idOf = (name: string) => fields.items.find((field: { name: string }) => field.name === name).id;
    const { body: measures } = await api.as('editor').get(`${path}/measures?limit=100`);
    const total = measures.items.find(({ name }: { name: string }) => name === 'Total amount').id;
    const answer = await api.as('editor').post(`${path}/query`, {
      dimensions: [{ fieldId: idOf('customers_city') }],
      measures: [{ measureId: total }],
      filters: [{ fieldId: idOf('completed'), op: 'eq', values: [true] }],
    });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ rows: [['Ulm', 60]] });
  });
});

describe('a collection of Metabase', () => {
  it('becomes saved queries with the same rows, and a dashboard of them', async ({ api }) => {
    const { translate, deploy } = await givenShop(api);
    const { files: made, notes } = await translate('metabase');
    expect(made).toEqual([
      'queries/orders.yaml',
      'queries/orders-by-status.yaml',
      'queries/revenue-by-month.yaml',
      'queries/revenue-by-status.yaml',
      'dashboards/overview.yaml',
    ]);
    expect(notes.filter(({ kind }) => kind === 'check')).toMatchObject([
      { file: 'collections/main/sales/orders_by_status.yaml', line: 1 },
    ]);
    await deploy('metabase');
    const as = api.as('editor');
    const { body } = await as.get('/api/saved-queries?search=month');
    const rows = await as.post(`/api/saved-queries/${body.items[0].id}/run`, {});
    expect(rows.body.rows).toEqual([['2026-01-01T00:00:00.000Z', '100.00']]);
    const { body: boards } = await as.get('/api/dashboards?search=Overview');
    const { body: card } = await as.post(`/api/dashboards/${boards.items[0].id}/cards/card-2/data`, {});
    expect(card, JSON.stringify(card)).toMatchObject({ rows: [[4]] });
    const { body: board } = await as.get(`/api/dashboards/${boards.items[0].id}`);
    expect(board.filters).toMatchObject([
      { label: 'Status', fieldId: 'status', defaultValue: '["completed","placed"]', linkedCardIds: ['card-6'] },
      { label: 'Least amount', fieldId: 'min_amount', filterType: 'select', linkedCardIds: ['card-4'] },
    ]);
    const rowsOf = async (id: string, fieldId: string, values: unknown[]) => {
      const asked = { filters: [{ fieldId, op: 'in', values }] };
      const reply = await as.post(`/api/dashboards/${boards.items[0].id}/cards/${id}/data`, asked);
      expect(reply.body, JSON.stringify(reply.body)).toMatchObject({ ignoredFilters: [] });
      return reply.body.rows;
    };
    expect(await rowsOf('card-6', 'status', ['completed'])).toEqual([['completed', '60.00']]);
    expect(await rowsOf('card-4', 'min_amount', [70])).toEqual([['placed', 1]]);
  });
});

describe('the guide for those who come from Airflow or Dagster', () => {
  it('has a pipeline that the platform accepts', async ({ api }) => {
    const guide = readFileSync(join(import.meta.dirname, '../../../../docs/coming-from-airflow-dagster.md'), 'utf8');
    const [, yaml] = /```yaml pipelines\/nightly\.yaml\n([\s\S]*?)```/.exec(guide)!;
    const { deploy, put, text } = files(api);
    expect(await put('pipeline', 'nightly', yaml!, 'dryRun=true')).toMatchObject({
      status: 200,
      body: { outcome: 'created', isAllowed: true },
    });
    expect(await deploy('pipeline', 'nightly', yaml!)).toMatchObject({ outcome: 'created' });
    expect(await text('pipeline', 'nightly')).toContain('name: Nightly orders');
  });
});

describe('the command', () => {
  it('overwrites nothing unless that is wanted, and says what is wrong', async ({ api }) => {
    const { analytics, translate, folder } = await givenShop(api);
    await translate('cube');
    const again = await analytics('translate', 'cube', 'in/cube', '--out', 'out/cube');
    expect(again).toMatchObject({
      code: 6,
      err: expect.stringMatching(/These files already exist: .*models\/cube\.yaml/),
    });
    await translate('cube', '--overwrite');
    mkdirSync(join(folder, 'empty'));
    for (const [args, message] of [
      [['looker', 'in/cube'], 'Choose one of dbt, lightdash, cube, metabase.'],
      [['dbt', 'in/none'], 'There is no folder in/none.'],
      [['dbt', 'empty'], 'empty has no file dbt_project.yml with a name.'],
      [['metabase', 'empty'], 'empty has no files exported by Metabase.'],
      [['dbt', 'in/dbt', '--types', 'in/none.json'], 'There is no file in/none.json.'],
    ] as const) {
      const ended = await analytics('translate', ...args, '--out', 'out/other');
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
  });
});
