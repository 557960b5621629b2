import type { Api } from './api.ts';

const TEXT = `### What this shows
Departures in the **sample of flights**, by month and by the state of the airport. Delays are in minutes, and negative ones are early departures.

- Choose a *State* above: every card follows.
- Point at a bar, or focus a chart and use the arrow keys.`;

const FLIGHTS = { column: 'origin', aggregation: 'count', label: 'Flights' };
const DELAY = { column: 'delay', aggregation: 'avg', label: 'Mean delay' };
const MONTH = { column: 'date', grain: 'month', label: 'Month' };
const DAY = { column: 'date', grain: 'day', label: 'Day' };
const STATE = { column: 'origin_state', label: 'State' };
const CITY = { column: 'origin_city', label: 'City' };
const BY_FLIGHTS = [{ column: 'Flights', direction: 'desc' }];
/** The files end in the first hours of July. */
const WHOLE_MONTHS = [{ column: 'date', op: 'lt', values: ['2001-07-01'] }];
const numbers = (y: number, more: object) => ({ y, h: 4, ...more });

/** Makes and publishes a dashboard over the dataset, and returns its id. */
export async function makeDashboard(
  api: Api,
  { datasetId, name }: { datasetId: string; name: string },
): Promise<string> {
  const source = { kind: 'dataset', id: datasetId };
  const { id } = await api.post<{ id: string }>('/api/dashboards', {
    name,
    description: 'Departures and delays in the United States, early 2001.',
  });
  const path = `/api/dashboards/${id}`;
  for (const page of ['Overview', 'Cities']) await api.post(`${path}/pages`, { id: page.toLowerCase(), name: page });
  const chart = (card: { id: string; title: string; pageId: string; position: object }, query: object, look: object) =>
    api.post(`${path}/cards`, {
      cardType: 'chart',
      ...card,
      chartSpec: { version: 1, query: { source, filters: WHOLE_MONTHS, ...query }, ...look },
    });
  const onOverview = { pageId: 'overview' };

  await chart(
    { id: 'flights', title: 'Flights', ...onOverview, position: numbers(0, { x: 0, w: 6 }) },
    { dimensions: [MONTH], measures: [FLIGHTS] },
    { mark: { type: 'kpi' } },
  );
  await chart(
    { id: 'delay', title: 'Mean delay', ...onOverview, position: numbers(0, { x: 6, w: 6 }) },
    { dimensions: [MONTH], measures: [DELAY] },
    { mark: { type: 'kpi', direction: 'down_good' }, encoding: { text: { field: 'Mean delay', format: '.1f' } } },
  );
  await api.post(`${path}/cards`, {
    id: 'about',
    cardType: 'text',
    textContent: TEXT,
    ...onOverview,
    position: numbers(0, { x: 12, w: 12 }),
  });
  await chart(
    { id: 'days', title: 'Flights by day', ...onOverview, position: { x: 0, y: 4, w: 14, h: 8 } },
    { dimensions: [DAY], measures: [FLIGHTS] },
    { mark: { type: 'line' }, encoding: { x: { field: 'Day', title: null }, y: { field: 'Flights' } } },
  );
  await chart(
    { id: 'states', title: 'States with the most flights', ...onOverview, position: { x: 14, y: 4, w: 10, h: 8 } },
    { dimensions: [STATE], measures: [FLIGHTS], sort: BY_FLIGHTS, limit: 8 },
    {
      mark: { type: 'bar' },
      encoding: { y: { field: 'State', title: null, sort: '-x' }, x: { field: 'Flights', title: null } },
    },
  );
  await chart(
    { id: 'late', title: 'Where flights are late', ...onOverview, position: { x: 0, y: 12, w: 24, h: 8 } },
    { dimensions: [STATE, CITY], measures: [FLIGHTS, DELAY], sort: BY_FLIGHTS, limit: 50 },
    {
      mark: {
        type: 'table',
        columns: [
          { field: 'State' },
          { field: 'City' },
          { field: 'Flights', format: ',.0f', showBar: true },
          { field: 'Mean delay', format: '.1f', showColor: true },
        ],
      },
    },
  );
  await chart(
    { id: 'cities', title: 'Flights and delay of cities', pageId: 'cities', position: { x: 0, y: 0, w: 24, h: 10 } },
    { dimensions: [CITY], measures: [FLIGHTS, DELAY], sort: BY_FLIGHTS, limit: 60 },
    {
      mark: { type: 'point', filled: true },
      encoding: { x: { field: 'Flights' }, y: { field: 'Mean delay' }, tooltip: [{ field: 'City' }] },
    },
  );
  for (const filter of [
    { fieldId: 'origin_state', filterType: 'select', label: 'State' },
    { fieldId: 'date', filterType: 'date_range', label: 'Day' },
  ]) {
    await api.post(`${path}/filters`, filter);
  }
  await api.post(`${path}/publish`, { changeNote: 'The first version' });
  return id;
}
