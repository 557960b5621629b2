import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenLoad } from '../../../support/given/alerts.ts';
import { givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { files, posted } from './given.ts';

const owner = (api: Api) => files(api, 'owner');

/** A file of each kind, with members that have no default, in the only form that a file has. */
const FILES: Record<string, { file: string; changed: [string, string]; path: string }> = {
  group: {
    file: 'name: Finance\ndescription: Who counts\n',
    changed: ['Who counts', 'Who plans'],
    path: '/api/groups',
  },
  theme: {
    file: `name: Night
tokens:
  palette:
    - '#1f77b4'
    - '#ff7f0e'
  fonts:
    body: sans
    heading: serif
  radius: 8
  dark: true
`,
    changed: ['radius: 8', 'radius: 4'],
    path: '/api/themes',
  },
  webhook: {
    file: `name: Failures
kind: generic
url: https://hooks.example.com/failed
events:
  - pipeline.run_failed
enabled: false
`,
    changed: ['pipeline.run_failed', 'pipeline.run_succeeded'],
    path: '/api/webhooks',
  },
  'quality-test': {
    file: `name: Regions are known
testType: not_null
tableName: sales
columnName: region
cron: 0 6 * * *
timezone: Europe/Berlin
severity: high
`,
    changed: ['severity: high', 'severity: low'],
    path: '/api/data-quality/tests',
  },
  pipeline: {
    file: `name: Nightly
status: paused
schedule:
  cron: 0 6 * * 1-5
  timezone: Europe/Berlin
concurrency:
  onOverlap: queue
trigger:
  kind: file_arrival
  source: files
  path: in/*.csv
parameters:
  - name: day
    type: string
    required: true
steps:
  - id: orders
    type: extract
    config:
      object:
        path: orders.csv
      source: files
  - id: clean
    type: transform_sql
    config:
      sql: |-
        SELECT *
        FROM orders
    dependsOn:
      - orders
`,
    changed: ['onOverlap: queue', 'onOverlap: cancel_previous'],
    path: '/api/pipelines',
  },
  metric: {
    file: `name: Revenue
description: What customers pay
model: sales
measure: Revenue
timeField: sales.sold
grain: week
filters:
  - field: sales.region
    op: eq
    values:
      - eu
target:
  value: 1000
  by: '2026-12-31'
`,
    changed: ['grain: week', 'grain: quarter'],
    path: '/api/metrics',
  },
};

Object.assign(FILES, {
  source: {
    file: `name: Shop
type: http
config:
  baseUrl: http://127.0.0.1:8080
  headers:
    accept: application/json
  endpoints:
    - name: orders
      path: /orders?all=1
      records: /data
      pagination:
        kind: page
        parameter: page
schedule:
  cron: 0 5 * * *
  timezone: Europe/Berlin
`,
    changed: ['parameter: page', 'parameter: p'],
    path: '/api/data-sources',
  },
  dataset: {
    file: `name: orders
partitionBy:
  column: day
  by: month
retention:
  versions: 5
`,
    changed: ['versions: 5', 'days: 7'],
    path: '/api/datasets',
  },
  term: {
    file: `name: Annual recurring revenue
definition: |-
  What customers pay in a year.
  Without services.
abbreviation: ARR
synonyms:
  - Yearly revenue
tags:
  - finance
exactMatch:
  - https://terms.example.com/arr
status: in_review
`,
    changed: ['in_review', 'approved'],
    path: '/api/catalog/terms',
  },
  blend: {
    file: `name: Orders with cases
leftTableId: '@model/shop/table/orders'
leftAlias: orders
rightTableId: '@model/desk/table/cases'
rightAlias: cases
keys:
  - left: customer
    right: who
    caseInsensitive: true
`,
    changed: ['caseInsensitive', 'trim'],
    path: '/api/composite-models',
  },
  report: {
    file: `name: Monthly
description: What was sold
isPublished: true
parameters:
  - name: region
    type: text
blocks:
  - id: head
    type: heading
    text: Sales
  - id: note
    type: text
    text: '@@model/sales'
  - id: rows
    chartSpec:
      version: 1
      query:
        source:
          kind: model
          id: '@model/sales'
        dimensions:
          - fieldId: '@model/sales/field/sales.region'
        measures:
          - measureId: '@model/sales/measure/Revenue'
      mark:
        type: bar
      config:
        links:
          - title: Details
            dashboard: details
    bindings:
      - parameter: region
        fieldId: '@model/sales/field/sales.region'
    type: chart
`,
    changed: ['text: Sales', 'text: Sold'],
    path: '/api/reports',
  },
  alert: {
    file: `name: Load
condition:
  kind: field
  source:
    kind: dataset
    id: '@dataset/hosts'
  column: load
  reduce: max
  by:
    column: host
  operator: gt
  threshold: 25
scheduleCron: 0 8 * * 1-5
timezone: Europe/Berlin
repeat:
  every: PT4H
severity: critical
channels:
  email:
    groups:
      - finance
  event: false
`,
    changed: ['threshold: 25', 'threshold: 26'],
    path: '/api/dashboard-alerts',
  },
});

async function givenReferences(api: Api, kind: string): Promise<void> {
  if (kind === 'quality-test' || kind === 'metric' || kind === 'report') await givenSalesModel(api);
  if (kind === 'report') await posted(api, '/api/dashboards', { name: 'Details' });
  if (kind === 'blend') await givenShopAndDesk(api);
  if (kind === 'alert') {
    await givenLoad(api);
    await posted(api, '/api/groups', { name: 'Finance' });
  }
  if (kind === 'pipeline') await posted(api, '/api/data-sources', { name: 'Files', type: 'file' });
}

describe('a file of a kind', () => {
  it.for(Object.entries(FILES))(
    'makes a %s, which gives the same bytes',
    async ([kind, { file, changed, path }], { api }) => {
      await givenReferences(api, kind);
      const { deploy, text, list } = owner(api);
      expect(await deploy(kind, 'one', file, 'dryRun=true')).toMatchObject({ outcome: 'created', dryRun: true });
      expect((await api.as('owner').get(path)).body.total).toBe(0);
      const made = await deploy(kind, 'one', file);
      expect(made).toMatchObject({ kind, outcome: 'created' });
      expect(await text(kind, 'one')).toBe(file);
      expect(await deploy(kind, 'one', file)).toMatchObject({ outcome: 'unchanged', revision: made.revision });

      const next = file.replace(...changed);
      expect(await deploy(kind, 'one', next, 'dryRun=true')).toMatchObject({ outcome: 'changed' });
      expect(await text(kind, 'one')).toBe(file);
      expect(await deploy(kind, 'one', next)).toMatchObject({ outcome: 'changed', id: made.id });
      expect(await text(kind, 'one')).toBe(next);
      const [entry] = (await list(`kind=${kind}`)).items.filter((each: { id: string }) => each.id === made.id);
      expect(entry).toMatchObject({ key: 'one', name: expect.any(String) });
      expect(entry.digest).toBe(entry.applied.digest);

      const { delete: remove } = owner(api);
      expect((await remove(kind, 'one', `digest=${entry.digest}`)).status).toBe(204);
      expect((await api.as('owner').get(`${path}/${made.id}`)).status).toBe(404);
    },
  );

  it('of a model has its tables, and no row-level security', async ({ api }) => {
    const { modelId, definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, grain: 'month' });
    const { deploy, text, read, put } = owner(api);
    const file = await text('model', 'sales');
    expect(file).toContain('alias: sales');
    expect(file).not.toContain('policies');
    expect(await deploy('model', 'sales', file, 'adopt=true')).toMatchObject({ outcome: 'unchanged', id: modelId });

    const copy = file.replace('name: Sales', 'name: Copy');
    expect(await deploy('model', 'copy', copy, 'dryRun=true')).toMatchObject({ outcome: 'created' });
    const made = await deploy('model', 'copy', copy);
    expect(made.outcome).toBe('created');
    expect(await text('model', 'copy')).toBe(copy);
    const renamed = copy.replace('name: Average sale', 'name: Mean sale');
    expect(await deploy('model', 'copy', renamed)).toMatchObject({ outcome: 'changed' });
    expect(await text('model', 'copy')).toBe(renamed);
    // A change of a part is drift, too.
    const path = `/api/models/${made.id}/measures`;
    await posted(api, path, { name: 'Later', expression: 'SUM([sales.amount])' });
    expect(await put('model', 'copy', copy)).toMatchObject({ status: 412, body: { code: 'DEFINITION_DRIFTED' } });
    await posted(api, '/api/data-sources', { name: 'Shop', type: 'file' });
    const digest = (await read('model', 'copy')).body.digest;
    expect(await put('model', 'copy', `source: shop\n${copy}`, `overwrite=${digest}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/source', code: 'IMMUTABLE' }] },
    });
    const broken = copy.replace('SUM([sales.amount])', 'SUM([sales.nothing])');
    expect(await put('model', 'copy', broken, `overwrite=${digest}`)).toMatchObject({
      status: 422,
      body: { code: 'DEFINITION_REJECTED' },
    });

    // A metric names parts of its model, so its file serves every workspace that has the model.
    const revenue = await text('metric', 'revenue');
    expect(revenue).toBe('name: Revenue\nmodel: sales\nmeasure: Revenue\ntimeField: sales.sold\n');
    const moved = revenue.replace('model: sales', 'model: copy').replace('name: Revenue', 'name: Other');
    const other = await deploy('metric', 'other', moved);
    const { body } = await api.as('owner').get(`/api/metrics/${other.id}`);
    expect(body.modelId).toBe(made.id);
    expect(body.measureId).not.toBe((await api.as('owner').get(metric.path)).body.measureId);
    expect(
      (await put('metric', 'none', revenue.replace('measure: Revenue', 'measure: Revenu'))).body.errors,
    ).toMatchObject([
      { pointer: '/measure', code: 'UNKNOWN_PART', message: expect.stringContaining('did you mean "Revenue"') },
    ]);
  });

  it('keeps what is in no file: secrets, people and owners', async ({ api }) => {
    const { deploy } = owner(api);
    const hook = { name: 'Hook', url: 'https://hooks.example.com/', kind: 'generic', events: ['*'] };
    const made = await posted(api, '/api/webhooks', { ...hook, headers: { 'x-key': 'hidden' }, secret: 'a secret' });
    const text = await owner(api).text('webhook', 'hook');
    expect(text).not.toMatch(/hidden|secret|header/);
    await deploy('webhook', 'hook', text, 'adopt=true');
    await deploy('webhook', 'hook', text.replace("'*'", 'pipeline.run_failed'));
    const { body } = await api.as('owner').get(`/api/webhooks/${made.id}`);
    expect(body).toMatchObject({ hasSecret: true, headers: { 'x-key': '******' }, events: ['pipeline.run_failed'] });
  });
});

describe('a file of a dashboard', () => {
  const TOKENS = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };

  async function givenBoard(api: Api) {
    const { modelId, fields, revenue, definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const saved = await posted(api, '/api/saved-queries', { name: 'Regions', sql: 'SELECT region FROM sales' });
    const theme = await posted(api, '/api/themes', { name: 'House', tokens: TOKENS });
    const asked = { dimensions: [{ fieldId: fields.region }], measures: [{ measureId: revenue }] };
    const board = await givenCards(api, [
      card('asked', chart({ source: { kind: 'model', id: modelId }, ...asked })),
      card('rows', chart({ source: { kind: 'savedQuery', id: saved.id } })),
      card('value', chart({ source: { kind: 'metric', id: metric.id }, grain: 'year', limit: 3 })),
      textCard('note', { textContent: '@query/regions' }),
    ]);
    const config = { links: [{ title: 'Again', dashboardId: board.id }] };
    const linked = chart({ source: { kind: 'savedQuery', id: saved.id } }, { mark: { type: 'table' }, config });
    expect((await api.as('owner').post(`${board.path}/cards`, card('linked', linked))).status).toBe(201);
    const look = { name: 'Board', theme: `{"themeId":"${theme.id}"}` };
    expect((await api.as('owner').put(board.path, look)).status).toBe(200);
    const filter = { label: 'Region', fieldId: fields.region, filterType: 'select', linkedCardIds: ['asked'] };
    expect((await api.as('owner').post(`${board.path}/filters`, filter)).status).toBe(201);
    return { board, ids: [board.id, modelId, saved.id, metric.id, theme.id, fields.region, revenue] };
  }

  it('names by keys what it shows, and makes the same dashboard again', async ({ api }) => {
    const { board, ids } = await givenBoard(api);
    const { text, deploy, put, list } = owner(api);
    const file = await text('dashboard', 'board');
    for (const id of ids) expect(file).not.toContain(id);
    for (const symbol of [
      '@model/sales',
      '@model/sales/field/sales.region',
      '@model/sales/measure/Revenue',
      '@query/regions',
      '@metric/revenue',
      '{"themeId":"@theme/house"}',
      '@@query/regions',
      'dashboard: board',
    ])
      expect(file).toContain(symbol);
    expect(await deploy('dashboard', 'board', file, 'adopt=true')).toMatchObject({
      outcome: 'unchanged',
      id: board.id,
    });

    const copy = file.replace('name: Board', 'name: Copy').replace('dashboard: board', 'dashboard: copy');
    expect(await deploy('dashboard', 'copy', copy, 'dryRun=true')).toMatchObject({ outcome: 'created' });
    const made = await deploy('dashboard', 'copy', copy);
    expect(made.outcome).toBe('created');
    expect(await text('dashboard', 'copy')).toBe(copy);
    const cards = (await api.as('owner').get(`/api/dashboards/${made.id}/cards`)).body;
    expect(JSON.stringify(cards)).toContain(ids[1]);
    // A new dashboard can link to itself.
    expect(JSON.stringify(cards)).toContain(made.id);
    expect(JSON.stringify(cards)).toContain('"@query/regions"');

    const wrong = file.replace('name: Board', 'name: Wrong').replace('@query/regions', '@query/none');
    expect((await put('dashboard', 'wrong', wrong)).body.errors).toMatchObject([{ code: 'UNKNOWN_KEY' }]);
    const part = file.replace('name: Board', 'name: Wrong').replace('measure/Revenue', 'measure/Revenu');
    expect((await put('dashboard', 'wrong', part)).body.errors).toMatchObject([
      { code: 'UNKNOWN_PART', message: expect.stringContaining('did you mean "Revenue"') },
    ]);

    // A change of a card on the platform is drift.
    await api.as('owner').post(`/api/dashboards/${made.id}/cards`, textCard('later'));
    const [entry] = (await list('kind=dashboard')).items.filter(({ key }: { key: string }) => key === 'copy');
    expect(entry.digest).not.toBe(entry.applied.digest);
    const reply = await put('dashboard', 'copy', file.replace('name: Board', 'name: Copy 2'));
    expect(reply).toMatchObject({ status: 412, body: { code: 'DEFINITION_DRIFTED', removed: ['cards.later'] } });
    expect((await owner(api).delete('dashboard', 'copy', `digest=${entry.digest}`)).status).toBe(204);
  });
});
