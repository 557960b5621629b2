import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { ALERTS } from '../../../support/given/alerts.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenMember } from '../../../support/given/member.ts';
import { DERIVED, givenTableOf, givenWorld, type Ref, SECOND, TABLES, type World } from './world.ts';

interface Affected extends Ref {
  name: string;
  effect: string;
  columns: { id: string; name: string }[];
}

/** Where a removal can be observed by using the object. */
const PROBED = ['saved-query', 'metric', 'dashboard', 'report', 'story', 'alert', 'blend', 'pipeline', 'dataset'];

async function impactOf(api: Api, { type, id }: Ref, column?: string): Promise<Affected[]> {
  const query = column === undefined ? '' : `?column=${encodeURIComponent(column)}`;
  const reply = await api.as('owner').get(`/api/catalog/impact/${type}/${id}${query}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.affected;
}

const nameIn = (world: World, { type, id }: Ref) =>
  [...world.refs].find(([, ref]) => ref.type === type && ref.id === id)![0];

/** What the impact says about objects that can be used, in words that `observed` also uses. */
function foretold(world: World, affected: readonly Affected[]): string[] {
  return affected
    .filter(({ type }) => PROBED.includes(type))
    .flatMap(({ effect, columns, ...ref }) => {
      const name = nameIn(world, ref);
      if (effect === 'outdated') return ref.type === 'dataset' ? [`${name} is not refreshed`] : [];
      if (effect === 'loses_columns') return columns.map((each) => `${name} has no ${each.name.toLowerCase()}`);
      return columns.length > 0 ? columns.map(({ id }) => `${name} ${id} ${effect}`) : [`${name} ${effect}`];
    })
    .sort();
}

type State = Map<string, 'works' | 'fails' | string[]>;

/** What works now, found out by using it. */
async function observe(api: Api, world: World): Promise<State> {
  const state: State = new Map();
  const { token } = await givenMember(api, 'editor');
  const editor = api.as({ token });
  const idOf = (name: string) => world.refs.get(name)!.id;
  const use = async (name: string, path: string, body: object = {}) => {
    const reply = await editor.post(path, body);
    state.set(name, reply.status === 200 ? 'works' : 'fails');
    return reply;
  };
  const { cards, reports, story } = world.parts;
  await Promise.all([
    ...['Totals', 'Raw', 'Short', 'Above', 'Margins', 'Count'].map(async (name) => {
      const { status, body } = await use(name, `/api/saved-queries/${idOf(name)}/run`);
      if (status === 200)
        state.set(
          name,
          body.columns.map((column: { name: string }) => column.name.toLowerCase()),
        );
    }),
    ...['m:Revenue', 'm:Web orders', 'm:Net'].map(async (name) => {
      const { status } = await editor.get(`/api/metrics/${idOf(name)}/value?asOf=2026-01-31`);
      state.set(name, status === 200 ? 'works' : 'fails');
    }),
    ...cards.map((id) => use(`Board ${id}`, `/api/dashboards/${idOf('Board')}/cards/${id}/data`)),
    ...reports.map((id) => use(`Report ${id}`, `/api/reports/${idOf('Report')}/blocks/${id}/data`)),
    ...story
      .filter((id) => id !== 'words')
      .map((id) => use(`Story ${id}`, `/api/stories/${idOf('Story')}/blocks/${id}/data`)),
    editor.get(`/api/stories/${idOf('Story')}`).then(({ body }) => {
      const [{ reason }] = body.sections[0].values;
      state.set('Story words', reason === null ? 'works' : 'fails');
    }),
    ...Object.entries(world.alerts).map(([name, condition]) => use(name, `${ALERTS}/preview`, { condition, last: 1 })),
    use('Blend', `/api/composite-models/${idOf('Blend')}/execute`, { leftColumns: ['product'], rightColumns: [] }),
    editor.post(`/api/pipelines/${idOf('Flow')}/validate`).then(({ body }) => {
      state.set('Flow', body.valid ? 'works' : 'fails');
    }),
  ]);
  return state;
}

/** Refreshes what is derived from the table. The names of those that fail, and the columns of all. */
async function refreshed(api: Api, world: World, table: string): Promise<{ failed: string[]; columns: State }> {
  const failed: string[] = [];
  const isOf = (sql: string) => new RegExp(`\\b${table}\\b`).test(sql);
  const first = Object.keys(DERIVED).filter((name) => isOf(DERIVED[name]!));
  for (const group of [first, first.includes('order_lines') ? Object.keys(SECOND) : []]) {
    await Promise.all(
      group.map(async (name) => {
        const { id } = world.refs.get(name)!;
        expect((await api.as('editor').post(`/api/datasets/${id}/refresh`)).status).toBe(202);
        if ((await endedRefresh(api, id)).status !== 'succeeded') failed.push(name);
      }),
    );
  }
  const { items } = (await api.as('editor').get('/api/datasets?limit=100')).body;
  const columns = items
    .filter(({ name }: { name: string }) => !(name in TABLES))
    .map((each: { name: string; columns: { name: string }[] }) => [each.name, each.columns.map(({ name }) => name)]);
  return { failed, columns: new Map(columns) };
}

function changesBetween(before: State, after: State): string[] {
  return [...before].flatMap(([name, was]) => {
    const is = after.get(name)!;
    if (was === 'fails' || was === is) return [];
    if (is === 'fails') return [`${name} breaks`];
    return (was as string[]).filter((column) => !is.includes(column)).map((column) => `${name} has no ${column}`);
  });
}

const REMOVED = Object.entries(TABLES).flatMap(([table, columns]) =>
  Object.keys(columns).map((column) => [table, column]),
);

describe('the impact of a removal', () => {
  it('is what really happens when the column is removed, for each of thirty columns', { timeout: 900_000 }, async ({
    api,
  }) => {
    const world = await givenWorld(api);
    const resync = async () => expect((await api.as('editor').post(`${world.modelPath}/resync`)).status).toBe(200);
    await resync();
    expect(REMOVED.length).toBeGreaterThanOrEqual(30);
    const before = await observe(api, world);
    expect([...before].filter(([, state]) => state === 'fails')).toEqual([]);
    const { columns } = await refreshed(api, world, 'orders');
    let effects = 0;
    for (const [table, column] of REMOVED as [string, string][]) {
      const said = foretold(world, await impactOf(api, world.refs.get(table)!, column));
      await givenTableOf(api, table, column);
      const then = await refreshed(api, world, table);
      await resync();
      const observed = changesBetween(before, await observe(api, world));
      const derived = changesBetween(columns, then.columns);
      const stale = then.failed.map((name) => `${name} is not refreshed`);
      // What is made of a dataset or pipeline that fails is not updated either, though nothing of its own fails.
      const passive = [
        ...(stale.includes('order_lines is not refreshed') ? ['by_region is not refreshed'] : []),
        ...(observed.includes('Flow breaks') ? ['loaded is not refreshed'] : []),
      ];
      expect.soft(said, `${table}.${column}`).toEqual([...observed, ...derived, ...stale, ...passive].sort());
      effects += said.length;
      await givenTableOf(api, table);
      await refreshed(api, world, table);
      await resync();
    }
    expect(effects).toBeGreaterThan(60);
  });

  it('names what uses a field or measure, down to cards and alerts', async ({ api }) => {
    const world = await givenWorld(api);
    const shop = world.refs.get('Shop')!;
    const net = await impactOf(api, shop, world.fields.net);
    expect(foretold(world, net)).toEqual(['Board net breaks', 'm:Net breaks']);
    expect(net.find(({ type }) => type === 'share')).toMatchObject({ effect: 'breaks' });
    const cost = await impactOf(api, shop, 'orders.cost');
    const model = cost.find(({ type }) => type === 'model')!;
    expect(model.columns.map(({ name }) => name).sort()).toEqual(['Costs', 'Profit share', 'orders.net']);
    const revenue = await impactOf(api, shop, 'Revenue');
    expect(foretold(world, revenue)).toEqual(
      [
        'Board regions breaks',
        'Board shares breaks',
        'OnCard breaks',
        'OnMetric breaks',
        'Story card breaks',
        'm:Revenue breaks',
      ].sort(),
    );
    const board = await impactOf(api, world.refs.get('Board')!, 'regions');
    expect(foretold(world, board)).toEqual(['OnCard breaks', 'Story card breaks']);
    const query = await impactOf(api, world.refs.get('Totals')!);
    expect(foretold(world, query)).toEqual(['Board bars breaks', 'OnQuery breaks']);
    const dataset = await impactOf(api, world.refs.get('customers')!);
    expect(foretold(world, dataset)).toEqual(
      expect.arrayContaining(['Count breaks', 'OnDataset breaks', 'order_lines is not refreshed']),
    );
    expect(await impactOf(api, world.refs.get('Link')!)).toEqual([]);
    // The removal is only imagined.
    expect((await api.as('owner').get(`${world.modelPath}/measures`)).status).toBe(200);
    expect((await api.as('editor').get(`/api/metrics/${world.metrics.revenue.id}/value?asOf=2026-01-31`)).status).toBe(
      200,
    );
  });

  it('keeps quiet about what the caller may not see', async ({ api }) => {
    const world = await givenWorld(api);
    const viewer = api.as('viewer');
    const hidden = ['Report', 'Story', 'Link'].map((name) => world.refs.get(name)!);
    const orders = world.refs.get('orders')!;
    for (const column of Object.keys(TABLES.orders!)) {
      const reply = await viewer.get(`/api/catalog/impact/dataset/${orders.id}?column=${column}`);
      expect(reply.status).toBe(200);
      for (const { id } of hidden) expect(JSON.stringify(reply.body)).not.toContain(id);
      const seen = await viewer.get(`/api/catalog/lineage/dataset/${orders.id}?column=${column}`);
      for (const { id } of hidden) expect(JSON.stringify(seen.body)).not.toContain(id);
    }
    for (const { type, id } of hidden)
      expect(await viewer.get(`/api/catalog/impact/${type}/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'LINEAGE_OBJECT_NOT_FOUND' },
      });
    const missing = { status: 404, body: { code: 'LINEAGE_COLUMN_NOT_FOUND' } };
    expect(await viewer.get(`/api/catalog/impact/dataset/${orders.id}?column=nope`)).toMatchObject(missing);
    expect(await viewer.get(`/api/catalog/lineage/dataset/${orders.id}?column=nope`)).toMatchObject(missing);
    expect((await api.as('stranger').get(`/api/catalog/impact/dataset/${orders.id}?column=id`)).status).toBe(404);
  });
});
