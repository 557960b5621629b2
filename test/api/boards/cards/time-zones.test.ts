import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, issuesOf, posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

/** Around midnight, the ends of years and the days on which clocks change, as sources write them. */
const MOMENTS = [
  '2025-12-31 23:30:00-08:00',
  '2026-01-01 00:30:00+05:30',
  '2026-01-01 00:30:00+00:00',
  '2026-03-29 00:59:59+00:00',
  '2026-03-29 01:00:00+00:00',
  '2026-03-29 22:30:00+00:00',
  '2026-10-25 00:30:00+00:00',
  '2026-10-25 01:30:00+00:00',
  '2026-10-25 23:30:00+00:00',
  '2026-11-01 05:30:00-04:00',
];
const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'];

/** The day of a moment in a zone, by the time zones of JavaScript. */
const dayIn = (moment: string, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(moment.replace(' ', 'T')));

const daysIn = (zone: string): [string, number][] => {
  const counts = new Map<string, number>();
  for (const moment of MOMENTS) counts.set(dayIn(moment, zone), (counts.get(dayIn(moment, zone)) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
};

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
  const rows = MOMENTS.map((moment) => `('${moment}', '${moment.slice(0, 10)}')`);
  // A session zone far from UTC shows whether anything reads times as the server would print them.
  await server.run(`
    ALTER DATABASE postgres SET timezone = 'Pacific/Kiritimati';
    CREATE TABLE moments (moment timestamptz, written date);
    INSERT INTO moments VALUES ${rows.join(',')};`);
});
afterAll(() => server.drop());

async function overDatabase(api: Api) {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name: 'database', type: 'postgres', config, secrets: { password } };
  const { path, id } = await givenModel(api, {
    name: 'Moments',
    sourceId: (await api.as('owner').post('/api/data-sources', source)).body.id,
  });
  const { id: tableId } = await posted(api, `${path}/tables`, {
    ...{ sourceSchema: 'public', sourceTable: 'moments', alias: 'moments' },
  });
  const at = await givenField(api, `${path}/tables/${tableId}`, 'moment', { dataType: 'datetime' });
  const written = await givenField(api, `${path}/tables/${tableId}`, 'written', { dataType: 'date' });
  return { source: { kind: 'model', id }, at: { fieldId: at }, written: { fieldId: written } };
}

async function overDataset(api: Api) {
  const rows = MOMENTS.map((moment) => `(TIMESTAMPTZ '${moment}', DATE '${moment.slice(0, 10)}')`);
  const { id } = await givenDataset(api, {
    name: 'moments',
    sql: `SELECT * FROM (VALUES ${rows.join(',')}) t(moment, written)`,
  });
  return { source: { kind: 'dataset', id }, at: { column: 'moment' }, written: { column: 'written' } };
}

describe.each([
  ['a dataset', overDataset],
  ['a database', overDatabase],
] as const)('the days of a card over %s', (_of, given) => {
  it('are those of the time zone of the reader, on screen, in a file and where they filter', async ({ api }) => {
    const { source, at, written } = await given(api);
    const count = { ...written, aggregation: 'count', label: 'n' };
    const sort = [{ column: 'day' }];
    const byDay = { source, dimensions: [{ ...at, grain: 'day', label: 'day' }], measures: [count], sort };
    const all = { source, dimensions: [{ ...at, label: 'at' }], measures: [count] };
    const { path, read } = await givenCards(api, [card('days', chart(byDay)), card('all', chart(all))]);
    for (const timezone of ZONES) {
      const expected = daysIn(timezone);
      expect((await read('days', { timezone })).rows, timezone).toEqual(expected);
      const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['days'], timezone });
      const [, ...lines] = file.bytes.toString().trim().split('\r\n');
      expect(lines, timezone).toEqual(expected.map(([day, n]) => `${day},${n}`));
      for (const [day, n] of expected) {
        const selected = await read('all', { timezone, selection: { cardId: 'days', values: { day } } });
        const sum = selected.rows.reduce((total: number, row: [string, number]) => total + row[1], 0);
        expect(sum, `${timezone} ${day}`).toBe(n);
      }
    }
    expect((await read('days')).rows).toEqual(daysIn('UTC'));
  });

  it('without a time of day are the same in every time zone', async ({ api }) => {
    const { source, at, written } = await given(api);
    const query = {
      source,
      dimensions: [{ ...written, label: 'day' }],
      measures: [{ ...at, aggregation: 'count', label: 'n' }],
      sort: [{ column: 'day' }],
    };
    const byDay = { ...query, dimensions: [{ ...written, grain: 'day', label: 'day' }] };
    const { path, read } = await givenCards(api, [
      card('days', chart(query)),
      card('periods', chart(byDay, { mark: { type: 'bar' }, encoding: { x: { field: 'day' }, y: { field: 'n' } } })),
    ]);
    const days = [...new Set(MOMENTS.map((moment) => moment.slice(0, 10)))].sort();
    for (const timezone of ZONES) {
      for (const id of ['days', 'periods'])
        expect(
          (await read(id, { timezone })).rows.map(([day]: [string]) => day),
          `${id} ${timezone}`,
        ).toEqual(days);
      const drawn = await api.as('editor').post(`${path}/cards/periods/image`, { timezone });
      const labels = [...drawn.bytes.toString().matchAll(/aria-label="day: ([^;"]+);/g)].map(([, day]) => day!);
      expect(labels.map(isoDay).sort(), timezone).toEqual(days);
    }
  });
});

describe('the time zone of a card', () => {
  it('is that of the request, otherwise of the dashboard, of the workspace, or UTC', async ({ api }) => {
    const { source, at, written } = await overDataset(api);
    const count = { ...written, aggregation: 'count', label: 'n' };
    const days = {
      source,
      dimensions: [{ ...at, grain: 'day', label: 'day' }],
      measures: [count],
      sort: [{ column: 'day' }],
    };
    const { id, path, read } = await givenCards(api, [
      card('days', chart(days)),
      card('all', chart({ source, dimensions: [{ ...at, label: 'at' }] })),
    ]);
    const seen = async (body: object = {}) => {
      const { timezone, rows } = await read('days', body);
      expect(rows, timezone).toEqual(daysIn(timezone));
      return timezone;
    };
    const exported = async (body: object = {}) => {
      const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['all'], ...body });
      return /^at \((.*)\)/.exec(file.bytes.toString())?.[1];
    };
    expect([await seen(), await exported()]).toEqual(['UTC', 'UTC']);
    const workspace = (timezone: string | null) => api.as('owner').patch('/api/workspaces/current', { timezone });
    expect(await workspace('Asia/Kolkata')).toMatchObject({ status: 200, body: { timezone: 'Asia/Kolkata' } });
    // Each function of the platform reads the workspace anew after some seconds.
    const isIndian = async (zone: Promise<string | undefined>) =>
      expect(await zone).toMatch(/^Asia\/(Kolkata|Calcutta)$/);
    const soon = { timeout: 90_000, interval: 500 };
    await vi.waitFor(() => isIndian(seen()), soon);
    await vi.waitFor(() => isIndian(exported()), soon);
    const dashboard = (timezone: string | null) => api.as('editor').put(path, { timezone });
    expect(await dashboard('Europe/Berlin')).toMatchObject({ status: 200, body: { timezone: 'Europe/Berlin' } });
    expect([await seen(), await exported()]).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    const timezone = 'America/Los_Angeles';
    expect([await seen({ timezone }), await exported({ timezone })]).toEqual([timezone, timezone]);

    await publish(api, path);
    const { reader, token } = await givenShare(api, id);
    const shared = async (body: object = {}) => (await reader.post('card-data', { cardId: 'days', ...body })).body;
    expect(await shared()).toMatchObject({ timezone: 'Europe/Berlin', rows: daysIn('Europe/Berlin') });
    expect(await shared({ timezone })).toMatchObject({ timezone, rows: daysIn(timezone) });
    expect(issuesOf(await reader.post('card-data', { cardId: 'days', timezone: 'Mars/Base' }))).toEqual([
      '/timezone UNKNOWN_TIMEZONE',
    ]);
    const page = await api.as('anonymous').get(`/api/s/${token}`);
    expect(page.bytes.toString()).toContain('"timezone":"Europe/Berlin"');

    for (const reply of [await workspace('Mars/Base'), await dashboard('Mars/Base')])
      expect(issuesOf(reply)).toEqual(['/timezone UNKNOWN_TIMEZONE']);
    expect((await api.as('editor').get(`${path}/file`)).body).toContain('timezone: Europe/Berlin');
    const copy = await api.as('editor').post(`${path}/duplicate`);
    expect(copy.body).toMatchObject({ timezone: 'Europe/Berlin' });
    const state = { timezone: 'Asia/Tokyo' };
    const bookmark = await api.as('editor').post(`${path}/bookmarks`, { name: 'Tokyo', state });
    expect(bookmark).toMatchObject({ status: 201, body: { state } });
    await dashboard(null);
    expect(await seen()).toMatch(/^Asia\//);
    expect((await shared()).timezone, 'as published').toBe('Europe/Berlin');
  });
});

/** The day that a label such as `Mar 29, 2026` names. */
const isoDay = (label: string) => new Date(`${label} UTC`).toISOString().slice(0, 10);
