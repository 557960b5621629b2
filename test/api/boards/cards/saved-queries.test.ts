import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenShare, publish } from '../../../support/given/shares.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

/** A column name and a value that would end a text, an identifier, a comment and a parameter. */
const HOSTILE_NAME = `we"ird'; DROP TABLE x --$1`;
const HOSTILE_VALUE = `o'Hara\\"; $1 -- /*`;

const ORDERS = `SELECT id, region, amount, day, "${HOSTILE_NAME.replaceAll('"', '""')}" FROM (VALUES
  (1, 'eu', 10.5, DATE '2026-01-05', '${HOSTILE_VALUE.replaceAll("'", "''")}'), (2, 'eu', 4, DATE '2026-01-20', 'b'),
  (3, 'us', 7, DATE '2026-02-01', 'b'), (4, NULL, 2, DATE '2026-02-11', NULL))
  AS t(id, region, amount, day, "${HOSTILE_NAME.replaceAll('"', '""')}")`;

const saved = (api: Api, sql: string, params: object[] = [], more: object = {}): Promise<{ id: string }> =>
  posted(api, '/api/saved-queries', { name: `Query ${crypto.randomUUID()}`, sql, params, ...more });
const of = (id: string, more: object = {}) => chart({ source: { kind: 'savedQuery', id }, ...more });
const ids = (rows: unknown[][]) => rows.map(([id]) => id);
const filter = (fieldId: string, op: string, ...values: unknown[]) => ({ filters: [{ fieldId, op, values }] });

describe('a card of a saved query', () => {
  it('takes the filters of its dashboard by the names of its columns', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const all = await saved(api, `SELECT * FROM orders ORDER BY id DESC; -- "newest" first`);
    const { path, read } = await givenCards(api, [
      card('all', of(all.id)),
      { ...textCard('plain', { cardType: 'table', textContent: undefined }), savedQueryId: all.id },
    ]);
    const read1 = async (wanted: object) => ids((await read('all', wanted)).rows);
    expect(await read1({})).toEqual([4, 3, 2, 1]);
    expect(await read1(filter('region', 'eq', 'eu'))).toEqual([2, 1]);
    expect(await read1(filter('region', 'ne', 'eu'))).toEqual([4, 3]);
    expect(await read1(filter('region', 'is_null'))).toEqual([4]);
    expect(await read1(filter('amount', 'between', 4, 8))).toEqual([3, 2]);
    expect(await read1(filter('day', 'gte', '2026-02-01'))).toEqual([4, 3]);
    expect(await read1(filter(HOSTILE_NAME, 'eq', HOSTILE_VALUE))).toEqual([1]);
    expect(await read1(filter(HOSTILE_NAME, 'contains', `'`))).toEqual([1]);
    expect(await read1(filter('region', 'eq', `eu' OR 'a' = 'a`))).toEqual([]);
    expect(await read('plain', filter('region', 'in', 'us', 'eu'))).toMatchObject({ rowCount: 3, ignoredFilters: [] });
    expect(await read('all', filter('elsewhere', 'eq', 'eu'))).toMatchObject({
      rowCount: 4,
      ignoredFilters: ['elsewhere'],
    });

    const made = await posted(api, `${path}/filters`, { fieldId: 'region', filterType: 'multi_select' });
    const chosen = { filters: [{ filterId: made.id, op: 'in', values: ['us'] }] };
    expect(await read1(chosen)).toEqual([3]);
    const values = await api.as('viewer').post(`${path}/filters/${made.id}/values`, {});
    expect(values.status, JSON.stringify(values.body)).toBe(404);
    await publish(api, path);
    expect((await api.as('viewer').post(`${path}/filters/${made.id}/values`, {})).body).toMatchObject({
      values: ['eu', 'us'],
      truncated: false,
    });
    const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['all'], ...chosen });
    expect(file.status).toBe(200);
    expect(String(file.body)).toContain('3,us');
    expect(String(file.body)).not.toContain('eu');

    const wrong = { filters: [{ fieldId: 'amount', op: 'eq', values: ['many'] }] };
    const refused = await api.as('editor').post(`${path}/cards/all/data`, wrong);
    expect(refused.status).toBe(400);
    expect(issuesOf(refused)).toEqual(['/filters/0/values/0 TYPE']);
  });

  it('groups, filters and sorts its rows like a question', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const all = await saved(api, 'SELECT * FROM orders WHERE amount > $least', [
      { name: 'least', type: 'decimal', default: '1' },
    ]);
    const { path, read } = await givenCards(api, [
      card(
        'months',
        of(all.id, {
          params: { least: '3' },
          dimensions: [{ column: 'day', grain: 'month', label: 'Month' }],
          measures: [
            { column: 'amount', aggregation: 'sum', label: 'Amount' },
            { expression: `SUM_IF([amount], [region] = 'eu')`, label: 'EU' },
            { column: 'region', aggregation: 'count_distinct', label: 'Regions' },
          ],
          sort: [{ column: 'Month', direction: 'desc' }],
        }),
      ),
      card(
        'sorted',
        of(all.id, {
          filters: [{ column: 'amount', op: 'lt', values: [10] }],
          sort: [{ column: 'amount', direction: 'desc' }],
          limit: 2,
        }),
      ),
    ]);
    expect(await read('months')).toMatchObject({
      columns: [{ name: 'Month', grain: 'month' }, { name: 'Amount' }, { name: 'EU' }, { name: 'Regions' }],
      rows: [
        ['2026-02-01', '7.0', null, 1],
        ['2026-01-01', '14.5', '14.5', 1],
      ],
    });
    expect((await read('months', filter('region', 'eq', 'eu'))).rows).toEqual([['2026-01-01', '14.5', '14.5', 1]]);
    expect(ids((await read('sorted')).rows)).toEqual([3, 2]);
    expect(ids((await read('sorted', filter('region', 'eq', 'eu'))).rows)).toEqual([2]);
    const selection = { cardId: 'months', values: { Month: '2026-01-01' } };
    expect(ids((await read('sorted', { selection })).rows)).toEqual([2]);

    const put = (query: object) => api.as('editor').put(`${path}/cards/sorted`, { chartSpec: of(all.id, query) });
    const issues = async (query: object) => {
      expect((await put(query)).status).toBe(200);
      return issuesOf(await api.as('editor').post(`${path}/cards/sorted/data`, {}));
    };
    expect(await issues({ dimensions: [{ fieldId: crypto.randomUUID() }] })).toEqual([
      '/chartSpec/query/dimensions/0/fieldId CONFLICT',
    ]);
    expect(await issues({ filters: [{ column: 'amont', op: 'lt', values: [10] }] })).toEqual([
      '/chartSpec/query/filters/0/column UNKNOWN_FIELD',
    ]);
    expect(await issues({ sort: [{ column: 'amont' }] })).toEqual(['/chartSpec/query/sort/0/column UNKNOWN_COLUMN']);
    expect(await issues({ resultFilters: [{ column: 'amount', op: 'gt', values: [1] }] })).toEqual([
      '/chartSpec/query/resultFilters CONFLICT',
    ]);
  });

  it('takes filters as the values of its parameters', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const params = [
      { name: 'region', type: 'string' },
      { name: 'since', type: 'date', default: '2026-01-01' },
      { name: 'until', type: 'date', default: '2026-12-31' },
      { name: 'filter_1', type: 'integer', default: 0 },
    ];
    const chosen = await saved(
      api,
      `SELECT id, amount, region FROM orders WHERE ($region IS NULL OR region = $region)
         AND day BETWEEN $since AND $until AND id > $filter_1 ORDER BY id`,
      params,
    );
    const field = crypto.randomUUID();
    const bindings = [
      { fieldId: 'day', parameter: 'since', end: 'from' },
      { fieldId: 'day', parameter: 'until', end: 'to' },
      { fieldId: field, column: 'region' },
    ];
    const { path, read } = await givenCards(api, [card('chosen', of(chosen.id, { bindings }))]);
    const rows = async (wanted: object) => ids((await read('chosen', wanted)).rows);
    expect(await rows({})).toEqual([1, 2, 3, 4]);
    expect(await rows(filter('region', 'eq', 'eu'))).toEqual([1, 2]);
    expect(await rows(filter('region', 'in', `eu' OR TRUE --`))).toEqual([]);
    expect(await rows(filter('filter_1', 'eq', '2'))).toEqual([3, 4]);
    expect(await rows(filter('day', 'between', '2026-01-10', '2026-02-05'))).toEqual([2, 3]);
    expect(await rows(filter('day', 'lte', '2026-01-10'))).toEqual([1]);
    expect(await rows(filter(field, 'in', 'us', 'eu'))).toEqual([1, 2, 3]);
    const both = [...filter(field, 'in', 'us', 'eu').filters, ...filter('amount', 'gt', 5).filters];
    expect(await rows({ filters: [...both, ...filter('region', 'eq', 'eu').filters] })).toEqual([1]);

    const issues = async (wanted: object) => {
      const reply = await api.as('editor').post(`${path}/cards/chosen/data`, wanted);
      expect(reply.status).toBe(400);
      return issuesOf(reply);
    };
    expect(await issues(filter('region', 'in', 'us', 'eu'))).toEqual(['/filters/0 CONFLICT']);
    expect(await issues(filter('day', 'eq', '2026-01-10'))).toEqual(['/filters/0 CONFLICT', '/filters/0 CONFLICT']);
    expect(await issues(filter('day', 'between', '2026-01-10', 'soon'))).toEqual(['/filters/0/values/1 WRONG_TYPE']);
    const twice = [...filter('region', 'eq', 'us').filters, ...filter('region', 'eq', 'eu').filters];
    expect(await issues({ filters: twice })).toEqual(['/filters/1/values CONFLICT']);

    const wrong = async (bound: object[]) => {
      const chartSpec = of(chosen.id, { bindings: bound });
      expect((await api.as('editor').put(`${path}/cards/chosen`, { chartSpec })).status).toBe(200);
      const reply = await api.as('editor').post(`${path}/cards/chosen/data`, {});
      expect(reply).toMatchObject({ status: 400, body: { code: 'CHART_SPEC_INVALID' } });
      return issuesOf(reply);
    };
    expect(await wrong([{ fieldId: 'day' }, { fieldId: 'day', column: 'day', end: 'to' }])).toEqual([
      '/chartSpec/query/bindings/0 REQUIRED',
      '/chartSpec/query/bindings/1/end CONFLICT',
    ]);
    expect(await wrong([{ fieldId: 'day', parameter: 'sinc' }])).toEqual([
      '/chartSpec/query/bindings/0/parameter UNKNOWN',
    ]);
  });

  it('shows each reader only their own rows, whatever they filter by', async ({ api }) => {
    await givenProtected(api);
    const people = await saved(api, 'SELECT * FROM people ORDER BY id');
    const { path } = await givenCards(api, [
      card('people', of(people.id)),
      card('count', of(people.id, { measures: [{ column: 'id', aggregation: 'count', label: 'People' }] })),
    ]);
    await publish(api, path);
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const rows = async (cardId: string, wanted: object) => {
      const reply = await reader.caller.post(`${path}/cards/${cardId}/data`, wanted);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    expect((await rows('people', filter('region', 'eq', 'us'))).rows).toEqual([]);
    expect((await rows('people', filter('name', 'eq', SECRET_ROW))).rows).toEqual([]);
    expect((await rows('count', filter('id', 'gt', 1))).rows).toEqual([[2]]);
    // The reader's result does not have the protected column.
    expect(await rows('people', filter('salary', 'eq', '10'))).toMatchObject({
      rowCount: 3,
      ignoredFilters: ['salary'],
    });
    const stranger = await api.as('stranger').post(`${path}/cards/people/data`, filter('region', 'eq', 'us'));
    expect(stranger.status).toBe(404);
  });

  it('is filtered for readers of links by what its author offers, and by locked filters', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const all = await saved(api, 'SELECT * FROM orders ORDER BY id');
    const byRegion = await saved(
      api,
      'SELECT id, region FROM orders WHERE $region IS NULL OR region <> $region ORDER BY id',
      [{ name: 'region', type: 'string' }],
    );
    const counted = await saved(api, 'SELECT count(*) AS n FROM orders');
    const { id, path } = await givenCards(api, [
      card('all', of(all.id)),
      card('others', of(byRegion.id)),
      card('count', of(counted.id)),
    ]);
    const made = await posted(api, `${path}/filters`, { fieldId: 'region', filterType: 'select' });
    await publish(api, path);
    const { reader } = await givenShare(api, id);
    const eu = { filters: [{ filterId: made.id, op: 'eq', values: ['eu'] }] };
    expect(ids(await reader.rows('all', eu))).toEqual([1, 2]);
    expect(ids(await reader.rows('others', eu))).toEqual([3]);
    expect(await reader.rows('all', { distinctColumn: 'region' })).toEqual([['eu'], ['us']]);
    expect(issuesOf(await reader.post('card-data', { cardId: 'all', ...filter('amount', 'gt', 1) }))).toEqual([
      '/filters/0/fieldId UNKNOWN',
    ]);

    const lockedFilters = [{ fieldId: 'region', op: 'eq', values: ['eu'] }];
    const embedded = (await givenEmbedToken(api, id, { lockedFilters })).reader;
    expect(ids(await embedded.rows('all'))).toEqual([1, 2]);
    expect(ids(await embedded.rows('all', { filters: [{ ...eu.filters[0], values: ['us'] }] }))).toEqual([]);
    // The parameter would show the others. The locked filter holds for the rows.
    expect(ids(await embedded.rows('others'))).toEqual([1, 2]);
    expect(await embedded.post('card-data', { cardId: 'count' })).toMatchObject({ body: { code: 'CARD_UNREADABLE' } });
  });
});

describe('a card of a saved query over Postgres', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openDatabase();
    await server.run(`CREATE TABLE orders AS ${ORDERS};`);
  });
  afterAll(() => server.drop());

  it('is filtered and grouped as over datasets', async ({ api }) => {
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const source = { name: 'Live', type: 'postgres', config, secrets: { password } };
    const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
    const params = [{ name: 'least', type: 'integer', default: 1 }];
    const all = await saved(
      api,
      'SELECT *, id AS ID2, 1 AS twice, 2 AS twice FROM orders WHERE id >= $least ORDER BY id',
      params,
      {
        sourceId,
      },
    );
    const { read } = await givenCards(api, [
      card('all', of(all.id)),
      card(
        'months',
        of(all.id, {
          dimensions: [{ column: 'day', grain: 'month', label: 'Month' }],
          measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
          filters: [{ column: 'region', op: 'in', values: ['eu', HOSTILE_VALUE] }],
        }),
      ),
      card('sorted', of(all.id, { sort: [{ column: 'region' }, { column: 'id', direction: 'desc' }] })),
    ]);
    const rows = async (wanted: object) => ids((await read('all', wanted)).rows);
    expect(await rows(filter('region', 'eq', 'eu'))).toEqual([1, 2]);
    expect(await rows(filter(HOSTILE_NAME, 'eq', HOSTILE_VALUE))).toEqual([1]);
    expect(await rows(filter('least', 'eq', 3))).toEqual([3, 4]);
    expect(await rows(filter('day', 'lt', '2026-01-10'))).toEqual([1]);
    expect(await read('all', filter('twice', 'eq', 1))).toMatchObject({ rowCount: 4, ignoredFilters: ['twice'] });
    expect((await read('months')).rows).toEqual([['2026-01-01', '14.5']]);
    expect((await read('months', filter('id', 'gt', 1))).rows).toEqual([['2026-01-01', '4']]);
    expect(ids((await read('sorted')).rows)).toEqual([2, 1, 3, 4]);
  });
});
