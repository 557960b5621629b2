import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, evaluate, feedOf, instant } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

/** The amount of a store that readers of "eu" see until it moves to another region. */
const LOST = 811_111;
const LEFT = 5;

/** The next version of the dataset that says which store is in which region. */
const givenStores = (api: Api, first: string) =>
  givenDataset(api, { name: 'stores', sql: `SELECT * FROM (VALUES (1, '${first}'), (2, 'eu')) t(id, region)` });

/** Sales of stores, of which people see those in their regions, and a condition for each kind of source over them. */
async function givenSales(api: Api) {
  await givenStores(api, 'eu');
  const dataset = await givenDataset(api, {
    name: 'sales',
    sql: `SELECT store, amount::INTEGER AS amount, (CURRENT_DATE - 2)::DATE AS day
      FROM (VALUES (1, ${LOST}), (2, ${LEFT})) t(store, amount)`,
  });
  const model = await givenModel(api);
  const integer = { dataType: 'integer' };
  const stores = await givenTable(api, model.path, 'stores');
  const sales = await givenTable(api, model.path, 'sales');
  await givenField(api, stores.path, 'region');
  await posted(api, `${model.path}/relationships`, {
    ...{ fromTableId: stores.id, fromFieldId: await givenField(api, stores.path, 'id', integer) },
    ...{ toTableId: sales.id, toFieldId: await givenField(api, sales.path, 'store', integer) },
  });
  const amount = await givenField(api, sales.path, 'amount', { fieldType: 'measure', dataType: 'integer' });
  const timeFieldId = await givenField(api, sales.path, 'day', { dataType: 'date' });
  const metric = await givenMetric(api, {
    ...{ name: 'Sales', modelId: model.id, fieldId: amount, aggregation: 'max', timeFieldId, grain: 'year' },
    ...{ direction: 'up_good', timezone: 'UTC' },
  });
  const query = await posted(api, '/api/saved-queries', { name: 'Sales', sql: 'SELECT store, amount FROM sales' });
  const source = { kind: 'dataset', id: dataset.id };
  const shown = { source, measures: [{ column: 'amount', aggregation: 'max', label: 'amount' }] };
  const board = await givenCards(api, [card('sales', chart(shown))]);
  await api.as('editor').post(`${board.path}/publish`, {});
  await givenPolicy(api, model.path, { tableId: sales.id, filterExpression: '[stores.region] IN user.attr("region")' });
  const above = { operator: 'gt', threshold: 1 };
  const field = { kind: 'field', column: 'amount', reduce: 'max', ...above };
  return {
    dataset: { ...field, source },
    'grouped dataset': { ...field, source, by: { column: 'store' } },
    savedQuery: { ...field, source: { kind: 'savedQuery', id: query.id } },
    model: { ...field, source: { kind: 'model', id: model.id }, column: amount },
    card: { ...field, source: { kind: 'card', id: 'sales', dashboardId: board.id } },
    metric: { kind: 'metric', metricId: metric.id, includePartial: true, ...above },
  };
}

describe('An alert over rows whose policy reads another dataset', () => {
  it('hides its values once that dataset has changed, and fires only if its condition was over', async ({ api }) => {
    const sources = await givenSales(api);
    const attributes = { region: ['eu'] };
    const owner = await givenReader(api, { role: 'editor', attributes });
    const viewer = await givenReader(api, { role: 'viewer', attributes });
    const userIds = [owner.userId, viewer.userId];
    const channels = { inApp: { userIds }, email: { userIds } };
    const alerts = [];
    for (const [name, condition] of Object.entries(sources)) {
      alerts.push(await givenAlert(api, { name, condition, channels, scheduleCron: '@daily' }, owner.caller));
    }
    await evaluate(api, alerts, 1);
    const [dataset, grouped] = alerts;
    expect(await feedOf(viewer.caller, dataset)).toEqual([`fire ${LOST}`]);
    expect(await feedOf(viewer.caller, grouped)).toEqual(expect.arrayContaining([`fire 1 ${LOST}`, `fire 2 ${LEFT}`]));
    const before = (await viewer.caller.get(`${dataset!.path}/history`)).body;
    expect(before).toMatchObject({ items: [{ isHidden: false, entries: [{ value: LOST }] }] });
    expect((await viewer.caller.get(grouped!.path)).body).toMatchObject({ isHidden: false, lastValue: LOST });

    await givenStores(api, 'us');
    for (const { caller } of [owner, viewer]) {
      const paths = alerts.flatMap(({ path }) => [path, `${path}/history`]);
      for (const path of [ALERTS, `${ALERTS}/feed?limit=200`, ...paths]) {
        expect(JSON.stringify((await caller.get(path)).body), path).not.toContain(`${LOST}`);
      }
      const now = (await caller.get(grouped!.path)).body;
      expect(now).toMatchObject({ state: 'triggered', lastValue: null, groups: [], isHidden: true });
      const history = (await caller.get(`${dataset!.path}/history`)).body;
      expect(history).toMatchObject({ items: [{ at: instant(1), isHidden: true }] });
      const entry = { group: null, state: 'triggered', edges: ['fire'], value: null };
      expect(history.items[0].entries).toMatchObject([entry]);
      expect(await feedOf(caller, dataset)).toEqual(['fire null']);
      expect(await feedOf(caller, grouped)).toEqual(['fire null', 'fire null']);
    }
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 2);
    const mails = worker.sent.filter(({ to }) => to === viewer.email).map(({ mail }) => JSON.stringify(mail));
    expect(mails.join().replaceAll(',', '')).not.toContain(`${LOST}`);
    expect(mails.join()).toContain('You may no longer see its value');

    await evaluate(api, alerts, 2);
    for (const { path, name } of alerts) {
      const now = (await viewer.caller.get(path)).body;
      expect(now, String(name)).toMatchObject({ state: 'triggered', lastValue: LEFT, isHidden: false });
    }
    expect(await feedOf(viewer.caller, dataset)).toEqual(['fire null']);
    expect((await viewer.caller.get(grouped!.path)).body.groups).toMatchObject([{ group: '2', lastValue: LEFT }]);
  });

  it('shows no one a value that was read while that dataset changed again and again', async ({ api }) => {
    const { dataset: condition } = await givenSales(api);
    const owner = await givenReader(api, { role: 'editor', attributes: { region: ['eu'] } });
    const alert = await givenAlert(api, { condition, scheduleCron: '@daily' }, owner.caller);
    const { deps, counted, evaluateAt } = await alertWorker(api);
    const { query, ...engine } = deps.reading.engine;
    // The answer that the alert was saved with is cached.
    await givenStores(api, 'eu');
    const changing: typeof query = async (...given) => {
      const found = await query(...given);
      await givenStores(api, 'eu');
      return found;
    };
    Object.assign(deps.reading, { engine: { ...engine, query: changing } });
    await evaluateAt([alert], 1);
    expect(counted.queries).toBe(2);
    expect(await feedOf(owner.caller, alert)).toEqual(['fire null']);
    expect((await owner.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', isHidden: true });
    Object.assign(deps.reading, { engine: { ...engine, query } });
    await evaluateAt([alert], 2);
    expect((await owner.caller.get(alert.path)).body).toMatchObject({ lastValue: LOST, isHidden: false });
    expect(await feedOf(owner.caller, alert)).toEqual(['fire null']);
  });
});
