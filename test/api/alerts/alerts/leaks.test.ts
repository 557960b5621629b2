import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertPlaces, numbersIn, type WatchedAlert } from '../../../support/given/alert-places.ts';
import { evaluate, firedEvents } from '../../../support/given/alert-work.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

/** What each region has, in no other number of a reply. */
const AMOUNTS: Readonly<Record<string, number>> = { eu: 811_111, us: 822_222, fr: 833_333 };
const CLASSES = [['eu'], ['us'], ['fr'], ['eu', 'us'], ['us', 'fr'], ['eu', 'us', 'fr'], ['none'], null] as const;

/** A protected dataset, and a condition for each kind of source over it. */
async function givenSources(api: Api) {
  const rows = Object.entries(AMOUNTS).map(([region, amount]) => `('${region}', ${amount}, CURRENT_DATE - 2)`);
  const dataset = await givenDataset(api, {
    name: 'sales',
    sql: `SELECT region, amount::INTEGER AS amount, day::DATE AS day FROM (VALUES ${rows.join(', ')}) t(region, amount, day)`,
  });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'sales');
  await givenField(api, table.path, 'region');
  const amount = await givenField(api, table.path, 'amount', { fieldType: 'measure', dataType: 'integer' });
  const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
  const metric = await givenMetric(api, {
    ...{ name: 'Sales', modelId: model.id, fieldId: amount, aggregation: 'max', timeFieldId, grain: 'year' },
    ...{ direction: 'up_good', timezone: 'UTC' },
  });
  const query = await posted(api, '/api/saved-queries', { name: 'Sales', sql: 'SELECT region, amount FROM sales' });
  const source = { kind: 'dataset', id: dataset.id };
  const shown = { source, measures: [{ column: 'amount', aggregation: 'max', label: 'amount' }] };
  const board = await givenCards(api, [card('sales', chart(shown))]);
  await api.as('editor').post(`${board.path}/publish`, {});
  await givenPolicy(api, model.path, { tableId: table.id });
  const above = { operator: 'gt', threshold: 1 };
  const field = { kind: 'field', column: 'amount', reduce: 'max', ...above };
  return {
    dataset: { ...field, source },
    'grouped dataset': { ...field, source, by: { column: 'region' } },
    savedQuery: { ...field, source: { kind: 'savedQuery', id: query.id } },
    model: { ...field, source: { kind: 'model', id: model.id }, column: amount },
    card: { ...field, source: { kind: 'card', id: 'sales', dashboardId: board.id } },
    metric: { kind: 'metric', metricId: metric.id, includePartial: true, ...above },
  };
}

/** The places that show an amount of a region that is not the reader's. */
function foreignIn(places: ReadonlyMap<string, unknown>, { regions }: { regions: readonly string[] }): string[] {
  const foreign = Object.entries(AMOUNTS).filter(([region]) => !regions.includes(region));
  return numbersIn(places, Object.fromEntries(foreign));
}

describe('Alerts over protected rows', () => {
  it('show no reader a value or state of another one, wherever they look', async ({ api }) => {
    const sources = await givenSources(api);
    const readers = await Promise.all(CLASSES.map((regions) => givenReaderOf(api, regions)));
    const userIds = readers.map(({ userId }) => userId);
    const owner = await givenReader(api, { role: 'editor', attributes: { region: ['eu'] } });
    const alerts: WatchedAlert[] = [];
    for (const [name, condition] of Object.entries(sources)) {
      const channels = { inApp: { userIds }, email: { userIds }, event: true };
      const alert = await givenAlert(api, { name, condition, channels, scheduleCron: '@daily' }, owner.caller);
      alerts.push({ id: alert.id, name, path: alert.path, condition });
      await evaluate(api, [alert], 1);
    }
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 2);
    for (const reader of readers) {
      const places = await alertPlaces(reader, alerts, worker.sent);
      expect(foreignIn(places, reader)).toEqual([]);
      const own = reader.regions.flatMap((region) => AMOUNTS[region] ?? []);
      const states = alerts.map(({ name }) => (places.get(`get ${name}`) as { state?: string }).state === 'triggered');
      expect(states, reader.regions.join()).toEqual(alerts.map(() => own.length > 0));
      const values = alerts
        .filter(({ name }) => name !== 'grouped dataset')
        .map(({ name }) => (places.get(`get ${name}`) as { lastValue?: number | null }).lastValue ?? null);
      expect(new Set(values), reader.regions.join()).toEqual(new Set([own.length > 0 ? Math.max(...own) : null]));
    }
    const events = await firedEvents(api);
    expect(events.length).toBeGreaterThanOrEqual(alerts.length);
    expect(events.map(({ value }) => value).filter((value) => value !== null)).toEqual([]);
    expect(foreignIn(new Map([['events', events]]), { regions: [] })).toEqual([]);
    expect(JSON.stringify(events)).not.toContain('group=');
  });
});

async function givenReaderOf(api: Api, regions: readonly string[] | null) {
  const attributes = regions ? { attributes: { region: [...regions] } } : {};
  return { regions: regions ?? [], ...(await givenReader(api, { role: 'viewer', ...attributes })) };
}
