import { expect } from 'vitest';
import type { Api, Caller } from '../../../support/api.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { cardBlock, chartBlock, doc, givenStory } from '../../../support/given/stories.ts';

export interface Ref {
  type: string;
  id: string;
}
export interface LineageReply {
  nodes: (Ref & { name: string; distance: number; isComplete: boolean; columns: { id: string; name: string }[] })[];
  edges: { from: Ref; to: Ref; columns: { from: string | null; to: string | null }[]; via?: string }[];
  isTruncated: boolean;
}

/** The columns of the datasets that everything else is made of, as expressions over one row. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: {
    id: '1',
    customer: '1',
    product: '1',
    day: "DATE '2026-01-05'",
    amount: '10.50::DECIMAL(9,2)',
    cost: '4::DECIMAL(9,2)',
    note: "'x'",
    channel: "'web'",
    coupon: "'c'",
    weight: '2.5',
    returned: 'false',
    city: "'Rome'",
    tax: '0.2',
  },
  customers: {
    id: '1',
    name: "'Ada'",
    region: "'North'",
    segment: "'b2b'",
    joined: "DATE '2025-01-01'",
    vip: '1',
    email: "'a@b.c'",
    phone: "'1'",
  },
  products: {
    id: '1',
    title: "'Lamp'",
    price: '20::DECIMAL(9,2)',
    category: "'home'",
    brand: "'b'",
    stock: '5',
    colour: "'red'",
    size: "'xl'",
    maker: "'m'",
  },
};

/** A dataset, or its next version, without some of the columns. */
export const givenTableOf = (api: Api, name: string, without: string | null = null) => {
  const columns = Object.entries(TABLES[name]!).filter(([column]) => column !== without);
  return givenDataset(api, { name, sql: `SELECT ${columns.map(([column, sql]) => `${sql} AS ${column}`).join(', ')}` });
};

export const DERIVED: Readonly<Record<string, string>> = {
  order_lines: `SELECT o.id, o.day, o.amount * 2 AS doubled, o.amount - o.cost AS margin, c.region, c.name AS buyer
    FROM orders o JOIN customers c ON c.id = o.customer WHERE o.note IS NOT NULL`,
  everything: 'SELECT * FROM products',
  catalogue: 'SELECT * EXCLUDE (price), upper(title) AS loud FROM products',
  ranked: `WITH t AS (SELECT customer, amount, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY weight DESC) AS place FROM orders)
    SELECT customer, amount FROM t WHERE place = 1`,
  labels: 'SELECT id, title AS label FROM products UNION ALL SELECT id, name FROM customers',
  sizes: "SELECT id, CASE WHEN amount > 10 THEN note ELSE 'small' END AS size FROM orders",
  sold: 'SELECT p.id, (SELECT SUM(o.amount) FROM orders o WHERE o.product = p.id) AS sold FROM products p',
};
export const SECOND: Readonly<Record<string, string>> = {
  by_region:
    'SELECT region, SUM(margin) AS margin, COUNT(*) AS lines, MAX(day) AS last_day FROM order_lines GROUP BY region',
};

const QUERIES: Readonly<Record<string, string>> = {
  Totals:
    'SELECT region, SUM(amount) AS total FROM orders JOIN customers ON customers.id = orders.customer GROUP BY ALL',
  Raw: 'SELECT * FROM orders',
  Short: 'SELECT * EXCLUDE (note) FROM orders',
  Above: 'SELECT id, stock + 0 AS stock FROM products WHERE price > $least',
  Margins: 'SELECT day, margin FROM order_lines',
  Count: 'SELECT COUNT(*) AS n FROM customers',
};

/** A workspace with an object of each kind, of which many depend on single columns. */
export async function givenWorld(api: Api) {
  const editor = api.as('editor');
  const refs = new Map<string, Ref>();
  const put = (name: string, type: string, { id }: { id: string }) => refs.set(name, { type, id });
  for (const name of Object.keys(TABLES)) put(name, 'dataset', await givenTableOf(api, name));
  for (const group of [DERIVED, SECOND]) {
    await Promise.all(
      Object.entries(group).map(async ([name, sql]) => {
        const { id } = await posted(api, '/api/datasets', { name, source: { kind: 'datasets', sql } });
        put(name, 'dataset', { id });
        expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded' });
      }),
    );
  }
  for (const [name, sql] of Object.entries(QUERIES)) {
    const params = sql.includes('$least') ? [{ name: 'least', type: 'integer', default: 1 }] : [];
    put(name, 'saved-query', await posted(api, '/api/saved-queries', { name, sql, params }));
  }

  const { id: modelId, path } = await givenModel(api, { name: 'Shop' });
  put('Shop', 'model', { id: modelId });
  const orders = await givenTable(api, path, 'orders');
  const customers = await givenTable(api, path, 'customers');
  const products = await givenTable(api, path, 'products');
  for (const step of [
    { type: 'rename_column', config: { from: 'title', to: 'label' } },
    { type: 'add_column', config: { name: 'tag', expression: 'CONCAT([brand], [colour])' } },
  ])
    expect((await editor.post(`${products.path}/transforms`, step)).status).toBe(200);
  const field = (table: { path: string }, name: string, dataType = 'string', more: object = {}) =>
    givenField(api, table.path, name, { dataType, sourceColumn: name, ...more });
  const number = { fieldType: 'measure', aggregation: 'sum' };
  const fields = {
    id: await field(orders, 'id', 'integer'),
    customer: await field(orders, 'customer', 'integer'),
    product: await field(orders, 'product', 'integer'),
    day: await field(orders, 'day', 'date'),
    amount: await field(orders, 'amount', 'decimal', number),
    cost: await field(orders, 'cost', 'decimal', number),
    channel: await field(orders, 'channel'),
    net: await givenField(api, orders.path, 'net', {
      fieldType: 'calculated',
      dataType: 'decimal',
      expression: '[amount] - [cost]',
    }),
    customerId: await field(customers, 'id', 'integer'),
    region: await field(customers, 'region'),
    segment: await field(customers, 'segment'),
    productId: await field(products, 'id', 'integer'),
    label: await field(products, 'label'),
    tag: await field(products, 'tag'),
  };
  await posted(api, `${path}/relationships`, {
    ...{ fromTableId: customers.id, fromFieldId: fields.customerId },
    ...{ toTableId: orders.id, toFieldId: fields.customer, cardinality: '1:N' },
  });
  const measure = async (name: string, expression: string) =>
    (await posted(api, `${path}/measures`, { name, expression })).id;
  const measures = {
    revenue: await measure('Revenue', 'SUM([orders.amount])'),
    costs: await measure('Costs', 'SUM([orders.cost])'),
    share: await measure('Profit share', '({Revenue} - {Costs}) / {Revenue}'),
    orders: await measure('Orders', 'COUNT([orders.id])'),
    labels: await measure('Labels', 'COUNT_DISTINCT([products.label])'),
  };
  const timed = { modelId, timeFieldId: fields.day };
  const metrics = {
    revenue: await givenMetric(api, { name: 'Revenue', ...timed, measureId: measures.revenue }),
    web: await givenMetric(api, {
      ...{ name: 'Web orders', ...timed, measureId: measures.orders },
      filters: [{ fieldId: fields.channel, op: 'eq', values: ['web'] }],
    }),
    net: await givenMetric(api, { name: 'Net', ...timed, fieldId: fields.net, aggregation: 'sum' }),
  };
  put('m:Revenue', 'metric', metrics.revenue);
  put('m:Web orders', 'metric', metrics.web);
  put('m:Net', 'metric', metrics.net);

  const board = await givenDashboard(api, { name: 'Board' });
  put('Board', 'dashboard', board);
  const spec = (query: object, more: object = { mark: { type: 'table' } }) => ({
    chartSpec: { version: 1, query, ...more },
  });
  const model = { kind: 'model', id: modelId };
  const saved = (name: string) => ({ kind: 'savedQuery', id: refs.get(name)!.id });
  const dataset = (name: string) => ({ kind: 'dataset', id: refs.get(name)!.id });
  const cards: Readonly<Record<string, object>> = {
    regions: spec({
      source: model,
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: measures.revenue }],
    }),
    web: spec({
      source: model,
      measures: [{ measureId: measures.orders }],
      filters: [{ fieldId: fields.channel, op: 'eq', values: ['web'] }],
    }),
    tags: spec({ source: model, dimensions: [{ fieldId: fields.tag }] }),
    shares: spec({ source: model, measures: [{ measureId: measures.share }] }),
    typed: spec({ source: model, dimensions: [{ expression: 'UPPER([customers.segment])', label: 'S' }] }),
    net: spec({ source: { kind: 'metric', id: metrics.net.id } }),
    bars: spec(
      { source: saved('Totals') },
      { mark: { type: 'bar' }, encoding: { x: { field: 'region' }, y: { field: 'total' } } },
    ),
    raw: { savedQueryId: refs.get('Raw')!.id },
    days: spec({
      source: dataset('orders'),
      dimensions: [{ column: 'day' }],
      measures: [{ column: 'cost', aggregation: 'sum' }],
    }),
    notes: spec({ source: dataset('orders'), measures: [{ expression: 'COUNT_DISTINCT([coupon])', label: 'N' }] }),
    margins: spec({
      source: dataset('by_region'),
      dimensions: [{ column: 'region' }],
      measures: [{ column: 'margin', aggregation: 'sum' }],
    }),
  };
  for (const [id, card] of Object.entries(cards))
    await posted(api, `${board.path}/cards`, { id, title: id, cardType: 'table', position: POSITION, ...card });
  expect((await editor.post(`${board.path}/publish`, {})).status).toBe(200);

  const report = await posted(api, '/api/reports', {
    name: 'Report',
    layout: {
      blocks: [
        { id: 'costs', type: 'table', ...spec({ source: model, measures: [{ measureId: measures.costs }] }) },
        { id: 'above', type: 'table', ...spec({ source: saved('Above') }) },
      ],
    },
  });
  put('Report', 'report', report);
  const story = await givenStory(
    api,
    doc(
      cardBlock('card', board.id, 'regions'),
      chartBlock('stock', { source: dataset('products'), dimensions: [{ column: 'stock' }] }),
      {
        type: 'paragraph',
        attrs: { id: 'words' },
        content: [
          { type: 'value', attrs: { id: 'v', source: { metricId: metrics.web.id }, written: '1' } },
          { type: 'text', text: ' orders' },
        ],
      },
    ),
  );
  put('Story', 'story', story);
  const limit = { operator: 'gt', threshold: 1 };
  const alerts: Readonly<Record<string, object>> = {
    OnMetric: { kind: 'metric', metricId: metrics.revenue.id, ...limit },
    OnQuery: { kind: 'field', source: saved('Totals'), column: 'total', reduce: 'max', ...limit },
    OnCard: {
      ...{ kind: 'field', source: { kind: 'card', id: 'regions', dashboardId: board.id } },
      ...{ column: 'Revenue', reduce: 'max', ...limit },
    },
    OnDataset: { kind: 'field', source: dataset('customers'), column: 'vip', reduce: 'count', ...limit },
    OnModel: {
      ...{ kind: 'field', source: model, column: fields.amount, reduce: 'max', by: { column: fields.region } },
      ...limit,
    },
  };
  for (const [name, condition] of Object.entries(alerts))
    put(name, 'alert', await givenAlert(api, { name, condition }));
  const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const digest = await api.as('owner').post('/api/metrics/digests', {
    ...{ name: 'Mondays', metricIds: [metrics.revenue.id], cron: '@weekly', recipientIds: [me] },
  });
  expect(digest.status, JSON.stringify(digest.body)).toBe(201);
  put('Mondays', 'metric-digest', digest.body);
  const share = await api.as('owner').post('/api/shares', {
    ...{ contentType: 'dashboard', contentId: board.id, shareType: 'public' },
  });
  expect(share.status, JSON.stringify(share.body)).toBe(201);
  put('Link', 'share', share.body);
  const blend = await posted(api, '/api/composite-models', {
    ...{ name: 'Blend', leftTableId: orders.id, leftAlias: 'o', rightTableId: products.id, rightAlias: 'p' },
    keys: [{ left: 'product', right: 'id' }],
  });
  put('Blend', 'blend', blend);

  await givenDataset(api, { name: 'loaded', sql: 'SELECT 1 AS id, 2.5 AS heavy' });
  const loaded = (await editor.get('/api/datasets?limit=100')).body.items.find(
    ({ name }: { name: string }) => name === 'loaded',
  );
  put('loaded', 'dataset', loaded);
  const pipeline = await posted(api, '/api/pipelines', {
    name: 'Flow',
    dag: {
      version: 1,
      steps: [
        { id: 'read', type: 'extract', config: { object: { dataset: 'orders' } } },
        {
          ...{ id: 'calc', type: 'transform_sql', dependsOn: ['read'] },
          config: { sql: 'SELECT id, weight * 2 AS heavy FROM read WHERE NOT returned' },
        },
        {
          ...{ id: 'save', type: 'load', dependsOn: ['calc'] },
          config: { target: { kind: 'dataset', name: 'loaded' }, mode: 'overwrite' },
        },
      ],
    },
  });
  put('Flow', 'pipeline', pipeline);
  const parts = { cards: Object.keys(cards), reports: ['costs', 'above'], story: ['card', 'stock', 'words'] };
  return {
    refs,
    parts,
    fields,
    measures,
    metrics,
    board,
    report,
    story,
    modelPath: path,
    tables: { orders, customers, products },
    alerts,
  };
}

export type World = Awaited<ReturnType<typeof givenWorld>>;

export async function columnLineage(caller: Caller, { type, id }: Ref, column: string, query = '') {
  const reply = await caller.get(`/api/catalog/lineage/${type}/${id}?column=${encodeURIComponent(column)}${query}`);
  expect(reply.status, `${column}: ${JSON.stringify(reply.body)}`).toBe(200);
  return reply.body as LineageReply;
}

/** The edges between columns, each as `object.column → object.column`. */
export function columnEdges(world: World, { nodes, edges }: LineageReply): string[] {
  const names = new Map([...world.refs].map(([name, { type, id }]) => [`${type} ${id}`, name]));
  const nameOf = ({ type, id }: Ref, column: string | null) => {
    const node = nodes.find((each) => each.type === type && each.id === id);
    expect(node, `${type} ${id}`).toBeDefined();
    const object = names.get(`${type} ${id}`) ?? `${type} ${node!.name}`;
    if (column === null) return object;
    return `${object}.${node!.columns.find((each) => each.id === column)?.name ?? column}`;
  };
  return edges.flatMap(({ from, to, columns }) =>
    columns.map((pair) => `${nameOf(from, pair.from)} → ${nameOf(to, pair.to)}`),
  );
}
