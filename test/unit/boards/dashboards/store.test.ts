import { beforeAll, expect, it } from 'vitest';
import {
  bookmarkRepository,
  type CardRecord,
  contentOf,
  type DashboardRecord,
  dashboardPlaceOf,
  dashboardRepository,
  dashboardStore,
  dashboardVersions,
  endDashboard,
  newStamps,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const act = { by: 'ada', at: new Date('2026-01-01T00:00:00Z') };
const record: DashboardRecord = {
  id: 'd1',
  workspaceId: 'w1',
  name: 'Sales',
  description: '',
  ownerId: 'ada',
  stage: 'draft',
  isPublished: false,
  published: null,
  hasOwnChanges: true,
  deletedAt: null,
  deletedBy: null,
  ...newStamps(act),
};
const card = (id: string, more: Partial<CardRecord> = {}): CardRecord => ({
  id,
  cardType: 'text',
  title: '',
  description: '',
  position: { x: 0, y: 0, w: 4, h: 4 },
  chartSpec: null,
  savedQueryId: null,
  textContent: id,
  imageUrl: null,
  value: null,
  pageId: null,
  ...newStamps(act),
  ...more,
});

const local = useLocalTable();
let table: Table;
beforeAll(() => {
  table = local.open();
});

let dashboards = 0;

async function givenState(cards: CardRecord[] = []) {
  const own = { ...record, id: `d${++dashboards}`, name: `Sales ${dashboards}` };
  const place = dashboardPlaceOf(own);
  const store = dashboardStore(table);
  const parts = { pages: [], cards, filters: [] };
  await store.prepareGeneration(place, 'g1', parts, {
    Put: { TableName: table.name, Item: { pk: 'clean-up', sk: 'x' } },
  });
  const items = store.newItems(
    place,
    { layout: null, theme: null, filterState: null, timezone: null },
    contentOf(parts, { generation: 'g1' }, act),
  );
  await dashboardRepository(table).create(own, items);
  return { place, store, read: async () => (await store.read(place))! };
}

it('an edit of one card and another edit of another card keep each other', async () => {
  const { store, read } = await givenState([card('a'), card('b')]);
  const seen = await read();
  const titled = (id: string) =>
    seen.cards.map((each) => (each.id === id ? { ...each, title: `new ${id}`, updatedAt: `2026-${id}` } : each));
  const { pages, filters } = seen;
  await store.commit(seen, { pages, filters, cards: titled('a') }, act);
  await store.commit(seen, { pages, filters, cards: titled('b') }, act);
  const after = await read();
  expect(after.cards.map(({ title }) => title)).toEqual(['new a', 'new b']);
  expect(after.content.edits).toBe(2);
  await expect(store.commit(seen, { pages, filters, cards: titled('a') }, act)).rejects.toMatchObject({
    code: 'STALE_WRITE',
  });
});

it('two changes of the list of cards do not lose each other', async () => {
  const { store, read } = await givenState([card('a')]);
  const seen = await read();
  const { pages, filters, cards } = seen;
  await store.commit(seen, { pages, filters, cards: [...cards, card('b')] }, act);
  await expect(store.commit(seen, { pages, filters, cards: [...cards, card('c')] }, act)).rejects.toMatchObject({
    code: 'STALE_WRITE',
  });
  expect((await read()).cards.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('an edit with more removals than a transaction holds leaves nothing behind', async () => {
  const { place, store, read } = await givenState(Array.from({ length: 200 }, (_, index) => card(`c${index}`)));
  const seen = await read();
  await store.commit(seen, { pages: [], filters: [], cards: [] }, act);
  const after = await read();
  expect(after.cards).toEqual([]);
  expect(after.content.bytes).toBe(0);
  const items = await Array.fromAsync(itemsBelow(table, { pk: `W#w1#DASHBOARD#${place.dashboardId}`, sk: '' }));
  expect(items.map(({ sk }) => sk)).toEqual(['BODY', 'CONTENT', 'META']);
});

it('a dashboard is purged 30 days after it was deleted, with all that belongs to it', async () => {
  const { place, store } = await givenState([card('a')]);
  const { workspaceId, dashboardId } = place;
  const dashboards = dashboardRepository(table);
  const end = () => endDashboard(table, place, () => false);
  const keys = async () =>
    (
      await Promise.all(
        ['DASHBOARD', 'DASHBOARD-VERSION', 'DASHBOARD-BOOKMARK'].map((area) =>
          Array.fromAsync(itemsBelow(table, { pk: `W#${workspaceId}#${area}#${dashboardId}`, sk: '' })),
        ),
      )
    ).flat().length;
  const bookmark = { name: 'Mine', state: {}, isDefault: true, isPersonal: true, dashboardId, ...newStamps(act) };
  await bookmarkRepository(table).create(workspaceId, { ...bookmark, id: 'b1' }, undefined);
  const state = (await store.read(place))!;
  const version = { version: 1, name: 'Sales', publishedBy: 'ada', publishedAt: record.createdAt };
  const details = { changeNote: null, overrideReason: null, counts: { pages: 0, cards: 1, filters: 0 } };
  const gate = { passed: true, overridden: false, reasons: [] };
  await transact(table, dashboardVersions(table).items(state, { ...version, ...details, gate }));
  const all = await keys();

  expect(await end(), 'it is not deleted').toBe(true);
  const deleted = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
  const change = async (deletedAt: string) => {
    const before = (await dashboards.get(workspaceId, dashboardId))!;
    const updatedAt = later(before.updatedAt, new Date());
    await dashboards.replace(before, { ...before, deletedAt, updatedAt }, 'STALE_WRITE');
  };
  await change(deleted(29));
  expect(await end(), 'it can still be restored').toBe(false);
  expect(await keys()).toBe(all);
  await change(deleted(31));
  expect(await end()).toBe(true);
  expect(await keys()).toBe(0);
  expect(await bookmarkRepository(table).find(workspaceId, 'b1', 'ada')).toBeUndefined();
  expect(await dashboards.list(workspaceId, { limit: 50, offset: 0, name: 'Sales' })).toMatchObject({ items: [] });
  expect(await end(), 'again').toBe(true);
});
