import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertPlaces, numbersIn, type WatchedAlert } from '../../../support/given/alert-places.ts';
import { evaluate, feedOf, firedEvents, instant } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { givenBlend } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { type GivenReader, givenPolicy, givenReader, setAttributes } from '../../../support/given/protected.ts';
import { givenReceiver } from '../../../support/given/targets.ts';

const REGIONS = ['eu', 'us', 'fr'] as const;
type Region = (typeof REGIONS)[number];
/** What each region has on each side, in no other number of a reply. */
const AMOUNTS = {
  sales: { eu: 811_111, us: 822_222, fr: 833_333 },
  costs: { eu: 711_111, us: 722_222, fr: 733_333 },
} as const;
type SideName = keyof typeof AMOUNTS;
const SIDES: readonly SideName[] = ['sales', 'costs'];

/** The next version of the dataset that says which store is in which region: at first, store 1 in the first one. */
const givenStores = (api: Api, side: SideName, regions: readonly string[] = REGIONS) =>
  givenDataset(api, {
    name: `${side}_stores`,
    sql: `SELECT * FROM (VALUES ${regions.map((region, at) => `(${at + 1}, '${region}')`).join(', ')}) t(id, region)`,
  });

/** Amounts of stores, of which people see those in the regions of their attribute called like the side. */
async function givenSide(api: Api, side: SideName) {
  await givenStores(api, side);
  const rows = REGIONS.map((region, at) => `(${at + 1}, ${AMOUNTS[side][region]})`);
  await givenDataset(api, {
    name: side,
    sql: `SELECT store, amount::INTEGER AS amount FROM (VALUES ${rows.join(', ')}) t(store, amount)`,
  });
  const model = await givenModel(api, { name: `Model of ${side}` });
  const integer = { dataType: 'integer' };
  const stores = await givenTable(api, model.path, `${side}_stores`);
  const table = await givenTable(api, model.path, side);
  await givenField(api, stores.path, 'region');
  const store = await givenField(api, table.path, 'store', integer);
  await posted(api, `${model.path}/relationships`, {
    ...{ fromTableId: stores.id, fromFieldId: await givenField(api, stores.path, 'id', integer) },
    ...{ toTableId: table.id, toFieldId: store },
  });
  const amount = await givenField(api, table.path, 'amount', { fieldType: 'measure', dataType: 'integer' });
  const protect = () =>
    givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: `[${side}_stores.region] IN user.attr("${side}")`,
    });
  return { id: table.id, store, amount, protect };
}

/** A blend of sales with the costs of the same stores, and conditions on both sides of it. */
async function givenBlended(api: Api) {
  const [sales, costs] = [await givenSide(api, 'sales'), await givenSide(api, 'costs')];
  const blend = await givenBlend(api, {
    name: 'Sales with costs',
    ...{ leftTableId: sales.id, leftAlias: 'sales', rightTableId: costs.id, rightAlias: 'costs' },
    keys: [{ left: 'store', right: 'store' }],
  });
  const source = { kind: 'blend', id: blend.id };
  const largest = ({ amount }: { amount: string }) => ({ fieldId: amount, aggregation: 'max', label: 'Largest' });
  const shown = chart({ source, measures: [largest(costs)], joinType: 'full' });
  const board = await givenCards(api, [card('costs', shown)]);
  await api.as('editor').post(`${board.path}/publish`, {});
  const field = { kind: 'field', column: 'Largest', reduce: 'max', operator: 'gt', threshold: 1 };
  const asked = (query: object) => ({ ...field, source: { ...source, query } });
  const conditions = {
    sales: { ...field, source, column: sales.amount },
    costs: asked({ measures: [largest(costs)], joinType: 'full' }),
    matched: asked({ measures: [largest(costs)], joinType: 'inner' }),
    grouped: {
      ...asked({ dimensions: [{ fieldId: sales.store, label: 'Store' }], measures: [largest(sales)] }),
      by: { column: 'Store' },
    },
    card: { ...field, source: { kind: 'card', id: 'costs', dashboardId: board.id } },
  };
  return { sales, costs, conditions };
}
type Name = keyof Awaited<ReturnType<typeof givenBlended>>['conditions'];

/** The regions that a class of readers sees of each side. */
type Seen = Readonly<Record<SideName, readonly Region[]>>;
const CLASSES: readonly Seen[] = [
  { sales: ['eu'], costs: ['eu'] },
  { sales: ['eu'], costs: ['us'] },
  { sales: ['us'], costs: [] },
  { sales: [], costs: ['fr'] },
  { sales: ['eu', 'us'], costs: ['us', 'fr'] },
  { sales: ['eu', 'us', 'fr'], costs: ['eu'] },
  { sales: ['eu', 'us', 'fr'], costs: ['eu', 'us', 'fr'] },
  { sales: [], costs: [] },
];

const largestOf = (side: SideName, regions: readonly Region[]): number | null =>
  regions.length === 0 ? null : Math.max(...regions.map((region) => AMOUNTS[side][region]));

/** The value of each condition for a class. */
const valuesFor = ({ sales, costs }: Seen): Readonly<Record<Name, number | null>> => ({
  sales: largestOf('sales', sales),
  costs: largestOf('costs', costs),
  matched: largestOf(
    'costs',
    costs.filter((region) => sales.includes(region)),
  ),
  // That of the first store, if several have fired.
  grouped: sales[0] ? AMOUNTS.sales[sales[0]] : null,
  card: largestOf('costs', costs),
});

/** The amounts of either side that a class must not see. */
const foreignTo = (seen: Seen): Record<string, number> =>
  Object.fromEntries(
    SIDES.flatMap((side) =>
      REGIONS.filter((region) => !seen[side].includes(region)).map((region) => [
        `${side} of ${region}`,
        AMOUNTS[side][region],
      ]),
    ),
  );

async function givenReaderOf(api: Api, { sales, costs }: Seen, role = 'viewer'): Promise<GivenReader> {
  return givenReader(api, { role, attributes: { sales: [...sales], costs: [...costs] } });
}

/** An alert for each condition, which notifies these people. */
async function givenAlerts(
  api: Api,
  conditions: object,
  { owner, userIds }: { owner: GivenReader; userIds: string[] },
): Promise<WatchedAlert[]> {
  const alerts: WatchedAlert[] = [];
  for (const [name, condition] of Object.entries(conditions)) {
    const channels = { inApp: { userIds }, email: { userIds }, event: true };
    const { id, path } = await givenAlert(api, { name, condition, channels, scheduleCron: '@daily' }, owner.caller);
    alerts.push({ id, name, path, condition });
  }
  return alerts;
}

describe('An alert on a blend', () => {
  it('shows no reader a value or state of either side that is not theirs, wherever they look', async ({ api }) => {
    const { sales, costs, conditions } = await givenBlended(api);
    for (const side of [sales, costs]) await side.protect();
    const readers = [];
    for (const seen of CLASSES) readers.push({ seen, ...(await givenReaderOf(api, seen)) });
    const owner = await givenReaderOf(api, CLASSES[1]!, 'editor');
    const alerts = await givenAlerts(api, conditions, { owner, userIds: readers.map(({ userId }) => userId) });
    await evaluate(api, alerts, 1);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 2);
    for (const reader of readers) {
      const named = JSON.stringify(reader.seen);
      const places = await alertPlaces(reader, alerts, worker.sent);
      expect(numbersIn(places, foreignTo(reader.seen)), named).toEqual([]);
      const values = valuesFor(reader.seen);
      for (const { name } of alerts) {
        const value = values[name as Name];
        const { state, lastValue = null } = places.get(`get ${name}`) as { state?: string; lastValue?: number | null };
        expect([lastValue, state === 'triggered'], `${name}, ${named}`).toEqual([value, value !== null]);
      }
    }
    const events = await firedEvents(api);
    expect(events.length).toBeGreaterThanOrEqual(4);
    expect(numbersIn(new Map([['events', events]]), foreignTo({ sales: [], costs: [] }))).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('group=');
  });

  it('sends nothing to targets if either side is protected', async ({ api }) => {
    const { sales, costs, conditions } = await givenBlended(api);
    const hook = await givenReceiver(api);
    const channels = { targets: [{ type: 'webhook', url: hook.url }] };
    const given = (name: string) => api.as('editor').post(ALERTS, { name, condition: conditions.sales, channels });
    expect((await given('open')).status).toBe(201);
    // The condition shows nothing of the costs, but which sales have matches depends on them.
    for (const side of [costs, sales]) {
      await side.protect();
      const reply = await given(`protected ${side.id}`);
      expect(reply).toMatchObject({ status: 400, body: { code: 'ALERT_TARGET_PROTECTED' } });
      expect(issuesOf(reply)).toEqual(['/channels/targets/0 TARGET_PROTECTED']);
    }
  });

  for (const side of SIDES)
    it(`hides its values once the policy of its ${side} reads other rows, and does not fire again`, async ({ api }) => {
      const { sales, costs, conditions } = await givenBlended(api);
      for (const each of [sales, costs]) await each.protect();
      const seen: Seen = { sales: ['eu', 'us'], costs: ['eu', 'us'] };
      const owner = await givenReaderOf(api, seen, 'editor');
      const viewer = await givenReaderOf(api, seen);
      const alerts = await givenAlerts(api, conditions, { owner, userIds: [owner.userId, viewer.userId] });
      await evaluate(api, alerts, 1);
      const before = valuesFor(seen);
      for (const { path, name } of alerts)
        expect((await viewer.caller.get(path)).body, name).toMatchObject({ lastValue: before[name as Name] });

      // Store 2 moves to a region of which they see nothing.
      await givenStores(api, side, ['eu', 'fr', 'fr']);
      const lost = { lost: AMOUNTS[side].us };
      for (const { caller } of [owner, viewer]) {
        const places = await alertPlaces({ caller, email: viewer.email }, alerts, []);
        expect(numbersIn(places, lost)).toEqual([]);
        for (const { name } of alerts)
          expect(places.get(`get ${name}`), name).toMatchObject({
            ...{ state: 'triggered', lastValue: null, isHidden: true },
            ...(name === 'grouped' && { groups: [] }),
          });
      }
      const clock = clockOf(api);
      const worker = mailWorker(clock);
      await passMinutes(api, clock, worker, 2);
      expect(worker.sent.length).toBeGreaterThan(0);
      expect(numbersIn(new Map([['mails', worker.sent]]), lost)).toEqual([]);

      const notified = (await feedOf(viewer.caller)).length;
      await evaluate(api, alerts, 2);
      const after = valuesFor({ ...seen, [side]: ['eu'] });
      for (const { path, name } of alerts)
        expect((await viewer.caller.get(path)).body, name).toMatchObject({
          ...{ state: 'triggered', lastValue: after[name as Name], isHidden: false },
        });
      const news = (await feedOf(viewer.caller)).slice(notified);
      expect(news.filter((text) => text.startsWith('fire'))).toEqual([]);
    });

  for (const side of SIDES)
    it(`shows a reader who loses rows of its ${side} no earlier value`, async ({ api }) => {
      const { sales, costs, conditions } = await givenBlended(api);
      for (const each of [sales, costs]) await each.protect();
      const seen: Seen = { sales: ['eu', 'us'], costs: ['eu', 'us'] };
      const owner = await givenReaderOf(api, seen, 'editor');
      const viewer = await givenReaderOf(api, seen);
      const alerts = await givenAlerts(api, conditions, { owner, userIds: [viewer.userId] });
      await evaluate(api, alerts, 1);
      expect(await feedOf(viewer.caller, alerts[0])).toEqual([`fire ${AMOUNTS.sales.us}`]);

      await setAttributes(api, viewer.userId, { sales: ['eu', 'us'], costs: ['eu', 'us'], [side]: ['eu'] });
      const lost = Object.fromEntries(SIDES.map((each) => [each, AMOUNTS[each].us]));
      const hidden = (place: string) => !place.includes('preview');
      const places = await alertPlaces(viewer, alerts, []);
      // Values of the other side belong to the same class, which the reader is no longer of.
      expect(numbersIn(places, lost).filter(hidden)).toEqual([]);
      expect(numbersIn(places, { [side]: AMOUNTS[side].us })).toEqual([]);
      await evaluate(api, alerts, 2);
      const after = valuesFor({ ...seen, [side]: ['eu'] });
      for (const { path, name } of alerts)
        expect((await viewer.caller.get(path)).body, name).toMatchObject({ lastValue: after[name as Name] });
      const history = (await viewer.caller.get(`${alerts[0]!.path}/history`)).body.items;
      expect(history).toMatchObject([{ at: instant(2) }]);
      // Those who still see the rows keep the values.
      expect((await owner.caller.get(alerts[0]!.path)).body).toMatchObject({ lastValue: AMOUNTS.sales.us });
    });
});
