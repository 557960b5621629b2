import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { POSITION } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { columnEdges, columnLineage, givenWorld, TABLES, type World } from './world.ts';

/** For each column, what it is made of; a column that only decides about rows stands behind `|`. Written by hand. */
const GOLDEN: Readonly<Record<string, string>> = {
  'order_lines.id': 'orders.id',
  'order_lines.day': 'orders.day',
  'order_lines.doubled': 'orders.amount',
  'order_lines.margin': 'orders.amount orders.cost',
  'order_lines.region': 'customers.region',
  'order_lines.buyer': 'customers.name',
  order_lines: '| customers.id orders.customer orders.note',
  'everything.*': 'products.*',
  'catalogue.*': 'products.* -price',
  'catalogue.loud': 'products.title',
  'ranked.customer': 'orders.customer',
  'ranked.amount': 'orders.amount',
  ranked: '| orders.customer orders.weight',
  'labels.id': 'products.id customers.id',
  'labels.label': 'products.title customers.name',
  'sizes.id': 'orders.id',
  'sizes.size': 'orders.amount orders.note',
  // The condition of a CASE counts as both.
  sizes: '| orders.amount',
  'sold.id': 'products.id',
  'sold.sold': 'orders.amount',
  sold: '| orders.product products.id',
  'by_region.region': 'order_lines.region',
  'by_region.margin': 'order_lines.margin',
  'by_region.last_day': 'order_lines.day',
  by_region: '| order_lines.region',
  'Totals.region': 'customers.region',
  'Totals.total': 'orders.amount',
  Totals: '| customers.region customers.id orders.customer',
  'Raw.*': 'orders.*',
  'Short.*': 'orders.* -note',
  'Above.id': 'products.id',
  'Above.stock': 'products.stock',
  Above: '| products.price',
  'Margins.day': 'order_lines.day',
  'Margins.margin': 'order_lines.margin',
  'Shop.orders.id': 'orders.id',
  'Shop.orders.customer': 'orders.customer',
  'Shop.orders.product': 'orders.product',
  'Shop.orders.day': 'orders.day',
  'Shop.orders.amount': 'orders.amount',
  'Shop.orders.cost': 'orders.cost',
  'Shop.orders.channel': 'orders.channel',
  'Shop.orders.net': 'Shop.orders.amount Shop.orders.cost',
  'Shop.customers.id': 'customers.id',
  'Shop.customers.region': 'customers.region',
  'Shop.customers.segment': 'customers.segment',
  'Shop.products.id': 'products.id',
  'Shop.products.label': 'products.title',
  'Shop.products.tag': 'products.brand products.colour',
  'Shop.Revenue': 'Shop.orders.amount',
  'Shop.Costs': 'Shop.orders.cost',
  'Shop.Profit share': 'Shop.Revenue Shop.Costs',
  'Shop.Orders': 'Shop.orders.id',
  'Shop.Labels': 'Shop.products.label',
  'm:Revenue': 'Shop.Revenue Shop.orders.day',
  'm:Web orders': 'Shop.Orders Shop.orders.day Shop.orders.channel',
  'm:Net': 'Shop.orders.net Shop.orders.day',
  'Board.regions': 'Shop.customers.region Shop.Revenue',
  'Board.web': 'Shop.Orders Shop.orders.channel',
  'Board.tags': 'Shop.products.tag',
  'Board.shares': 'Shop.Profit_share',
  'Board.typed': 'Shop.customers.segment',
  'Board.net': 'm:Net',
  'Board.bars': 'Totals.region Totals.total',
  'Board.raw': 'Raw.*',
  'Board.days': 'orders.day orders.cost',
  'Board.notes': 'orders.coupon',
  'Board.margins': 'by_region.region by_region.margin',
  'Report.costs': 'Shop.Costs',
  'Report.above': 'Above.id Above.stock',
  'Story.card': 'Board.regions',
  'Story.stock': 'products.stock',
  'Story.words': 'm:Web_orders',
  OnMetric: 'm:Revenue',
  OnQuery: 'Totals.total',
  OnCard: 'Board.regions',
  OnDataset: 'customers.vip',
  OnModel: 'Shop.orders.amount Shop.customers.region',
  Mondays: 'm:Revenue',
  Link: 'Board.regions Board.web Board.tags Board.shares Board.typed Board.net Board.bars Board.raw Board.days Board.notes Board.margins',
  'Blend.o.id': 'Shop.orders.id',
  'Blend.o.customer': 'Shop.orders.customer',
  'Blend.o.product': 'Shop.orders.product',
  'Blend.o.day': 'Shop.orders.day',
  'Blend.o.amount': 'Shop.orders.amount',
  'Blend.o.cost': 'Shop.orders.cost',
  'Blend.o.channel': 'Shop.orders.channel',
  'Blend.o.net': 'Shop.orders.net',
  'Blend.p.id': 'Shop.products.id',
  'Blend.p.label': 'Shop.products.label',
  'Blend.p.tag': 'Shop.products.tag',
  Blend: '| Shop.orders.product Shop.products.id',
  'Flow.id': 'orders.id',
  'Flow.heavy': 'orders.weight',
  Flow: '| orders.returned',
  'loaded.id': 'Flow.id',
  'loaded.heavy': 'Flow.heavy',
};

/** The golden set as edges: `orders.* -note` stands for each column of orders but the note. */
function goldenEdges(): Set<string> {
  const edges = Object.entries(GOLDEN).flatMap(([to, text]) => {
    const from = text.split(' ').filter((each) => each !== '|' && !each.startsWith('-'));
    return from.flatMap((each) => {
      const name = each.replace('_share', ' share').replace('_orders', ' orders');
      if (!name.endsWith('.*')) return [`${name} → ${to}`];
      const [table] = name.split('.');
      const columns = Object.keys(TABLES[table === 'Raw' ? 'orders' : table!]!);
      return columns
        .filter((column) => !text.includes(` -${column}`))
        .map((column) => `${table}.${column} → ${to.replace('*', column)}`);
    });
  });
  return new Set(edges);
}

async function edgesDown(caller: Caller, world: World): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [name, columns] of Object.entries(TABLES)) {
    for (const column of Object.keys(columns)) {
      const reply = await columnLineage(caller, world.refs.get(name)!, column, '&direction=down');
      for (const edge of columnEdges(world, reply)) found.add(edge);
    }
  }
  return found;
}

/** One step up from each part of the golden set that has a name of its own. */
async function edgesUp(caller: Caller, world: World): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [to] of Object.entries(GOLDEN).filter(([, from]) => !from.startsWith('|'))) {
    const [, object, column] = /^((?:m:)?[^.]+)\.?(.*)$/.exec(to)!;
    const ref = world.refs.get(object!)!;
    if (column!.includes('*') || ref.type === 'share') continue;
    const part = column === '' ? object!.replace('m:', '') : column!;
    const reply = await columnLineage(caller, ref, part, '&direction=up&depth=1');
    for (const edge of columnEdges(world, reply)) found.add(edge);
  }
  return found;
}

/** A card on a blend shows fields of both sides, and what the fields of measures are made of. */
async function assertBlendedCard(api: Api, world: World): Promise<void> {
  const { board, fields, measures, refs } = world;
  const query = {
    source: { kind: 'blend', id: refs.get('Blend')!.id },
    dimensions: [{ fieldId: fields.label }],
    measures: [{ measureId: measures.share, side: 'left' }],
  };
  await posted(api, `${board.path}/cards`, {
    ...{ id: 'blended', title: 'blended', cardType: 'table', position: POSITION },
    chartSpec: { version: 1, mark: { type: 'table' }, query },
  });
  const editor = api.as('editor');
  const up = await columnLineage(editor, refs.get('Board')!, 'blended', '&direction=up&depth=1');
  expect(columnEdges(world, up).sort()).toEqual([
    'Blend.o.amount → Board.blended',
    'Blend.o.cost → Board.blended',
    'Blend.p.label → Board.blended',
  ]);
  const down = columnEdges(world, await columnLineage(editor, refs.get('orders')!, 'amount', '&direction=down'));
  expect(down).toContain('Blend.o.amount → Board.blended');
  expect(down.filter((edge) => edge.endsWith('→ Board.blended'))).toHaveLength(1);
}

describe('the lineage of columns', () => {
  it('finds the edges that an expert has written down, and no others', { timeout: 400_000 }, async ({ api }) => {
    const world = await givenWorld(api);
    const golden = goldenEdges();
    expect(golden.size).toBeGreaterThanOrEqual(150);
    const down = await edgesDown(api.as('owner'), world);
    expect([...down].filter((edge) => !golden.has(edge))).toEqual([]);
    expect([...golden].filter((edge) => !down.has(edge))).toEqual([]);
    const up = await edgesUp(api.as('owner'), world);
    expect([...up].filter((edge) => !golden.has(edge))).toEqual([]);
    const asked = [...golden].filter((edge) => !/→ (everything|catalogue|Short|Raw)\.|→ Link/.test(edge));
    expect(asked.filter((edge) => !up.has(edge))).toEqual([]);
    await assertBlendedCard(api, world);
  });
});
