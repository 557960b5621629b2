import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenShop } from '../../../support/given/shop.ts';

describe('a card from a query', () => {
  it('gets the chart that suits its rows, below the other cards, once', async ({ api }) => {
    const { id: datasetId } = await givenDataset(api, {
      name: 'visits',
      sql: `SELECT day::DATE AS day, n FROM (VALUES ('2026-01-05', 3), ('2026-01-20', 4), ('2026-02-01', 5)) AS t(day, n)`,
    });
    const saved = await posted(api, '/api/saved-queries', { name: 'Visits', sql: 'SELECT day, n FROM visits' });
    const { path, read } = await givenCards(api, [textCard('first')]);
    const key = { headers: { 'idempotency-key': 'from-query-1' } };
    const make = () => api.as('editor').post(`${path}/cards/from-query`, { savedQueryId: saved.id }, key);
    const made = await make();
    expect(made).toMatchObject({
      status: 201,
      body: {
        cardType: 'chart',
        title: 'Visits',
        position: { x: 0, y: 6, w: 12, h: 8 },
        savedQueryId: saved.id,
        chartSpec: { mark: { type: 'line' }, encoding: { x: { field: 'day' }, y: { field: 'n' } } },
      },
    });
    expect((await make()).body.id).toBe(made.body.id);
    expect((await read(made.body.id)).rowCount).toBe(3);

    const query = {
      source: { kind: 'dataset', id: datasetId },
      measures: [{ column: 'n', aggregation: 'sum', label: 'Visitors' }],
    };
    const total = await api.as('editor').post(`${path}/cards/from-query`, { query });
    expect(total).toMatchObject({ status: 201, body: { cardType: 'kpi', title: 'Visitors', savedQueryId: null } });
    expect((await api.as('editor').get(`${path}/cards`)).body.total).toBe(3);
  });

  it('is a map for countries, whose data names what is not on it', async ({ api }) => {
    const { id } = await givenDataset(api, {
      name: 'sold',
      sql: `SELECT country, n FROM (VALUES ('Germany', 3), ('FR', 4), ('jpn', 5), ('France', 1), (NULL, 1)) AS t(country, n)`,
    });
    const query = {
      source: { kind: 'dataset', id },
      dimensions: [{ column: 'country', label: 'Country' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'Sold' }],
      sort: [{ column: 'Sold', direction: 'desc' }],
    };
    const { path, read } = await givenCards(api, []);
    const made = await api.as('editor').post(`${path}/cards/from-query`, { query });
    const mark = { type: 'geoshape', geography: 'countries' };
    const encoding = { shape: { field: 'Country' }, color: { field: 'Sold' } };
    expect(made).toMatchObject({ status: 201, body: { cardType: 'map', chartSpec: { mark, encoding } } });
    const warnings = [
      '1 value is no country on the map (1 row): (empty)',
      'The map shows only the first row of France',
    ];
    expect((await read(made.body.id)).warnings).toEqual(warnings);
    const all = await api.as('editor').post(`${path}/data`, {});
    expect(all.body.cards[0].data.warnings).toEqual(warnings);
    const image = await api.as('editor').post(`${path}/cards/${made.body.id}/image`, {});
    expect(image.bytes.toString()).toContain('aria-label="Country: Japan; Sold: 5" data-row="0"');
  });

  it('is rejected without a query to run, and changes nothing', async ({ api }) => {
    const { path } = await givenCards(api, []);
    const { id: modelId } = await givenShop(api);
    const make = async (body: object, caller: 'editor' | 'viewer' | 'stranger' = 'editor') => {
      const reply = await api.as(caller).post(`${path}/cards/from-query`, body);
      return [reply.status, reply.body.code];
    };
    const savedQueryId = crypto.randomUUID();
    const source = { kind: 'model', id: modelId };
    expect(await make({})).toEqual([400, 'VALIDATION_FAILED']);
    expect(await make({ savedQueryId, query: { source } })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await make({ savedQueryId })).toEqual([404, 'SAVED_QUERY_NOT_FOUND']);
    for (const [kind, code] of [
      ['model', 'MODEL_NOT_FOUND'],
      ['dataset', 'DATASET_NOT_FOUND'],
      ['metric', 'METRIC_NOT_FOUND'],
      ['blend', 'BLEND_NOT_FOUND'],
    ])
      expect(await make({ query: { source: { kind, id: savedQueryId } } })).toEqual([404, code]);
    const wrong = await api
      .as('editor')
      .post(`${path}/cards/from-query`, { query: { source, measures: [{ fieldId: crypto.randomUUID() }] } });
    expect(wrong.body.errors[0].pointer).toMatch(/^\/query\/measures\/0/);
    const failing = await posted(api, '/api/saved-queries', {
      name: 'Failing',
      sql: "SELECT CAST('x' AS INTEGER) AS n",
    });
    expect(await make({ savedQueryId: failing.id })).toEqual([422, 'CARD_UNREADABLE']);
    const valid = await posted(api, '/api/saved-queries', { name: 'One', sql: 'SELECT 1 AS n' });
    expect(await make({ savedQueryId: valid.id, pageId: 'nope' })).toEqual([404, 'DASHBOARD_PAGE_NOT_FOUND']);
    expect(await make({ savedQueryId }, 'viewer')).toEqual([403, 'FORBIDDEN']);
    expect(await make({ savedQueryId }, 'stranger')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect((await api.as('editor').get(`${path}/cards`)).body.total).toBe(0);
  });
});

describe('the values of a filter', () => {
  it('are those of its field in the cards that it applies to, narrowed by other filters', async ({ api }) => {
    const { id: modelId, fields, revenue } = await givenShop(api);
    const query = {
      source: { kind: 'model', id: modelId },
      dimensions: [{ fieldId: fields.region, label: 'Region' }],
      measures: [{ measureId: revenue }],
    };
    const { path } = await givenCards(api, [textCard('text'), card('regions', chart(query))]);
    const filter = await posted(api, `${path}/filters`, { fieldId: fields.region, filterType: 'select' });
    const unknown = await posted(api, `${path}/filters`, { fieldId: 'elsewhere', filterType: 'select' });
    const values = (body: object = {}, id = filter.id) => api.as('editor').post(`${path}/filters/${id}/values`, body);
    expect((await values()).body).toMatchObject({ values: ['North', 'South'], truncated: false });
    expect((await values({ limit: 1 })).body).toMatchObject({ values: ['North'], truncated: true });
    expect((await values({ search: 'out' })).body.values).toEqual(['South']);
    expect((await values({ filters: [{ filterId: filter.id, op: 'eq', values: ['North'] }] })).body.values).toEqual([
      'North',
      'South',
    ]);
    expect((await values({}, unknown.id)).body).toEqual({ values: [], truncated: false, asOf: null });
    expect(await values({}, crypto.randomUUID())).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_FILTER_NOT_FOUND' },
    });
    expect(await api.as('stranger').post(`${path}/filters/${filter.id}/values`)).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_NOT_FOUND' },
    });
  });

  it('are those of the rows that the reader may see', async ({ api }) => {
    const { model, field } = await givenProtected(api);
    const query = { source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: field.name }] };
    const { path } = await givenCards(api, [card('names', chart(query))]);
    const filter = await posted(api, `${path}/filters`, { fieldId: field.name, filterType: 'select' });
    await api.as('editor').post(`${path}/publish`, {});
    const { caller } = await givenReader(api, { attributes: { region: 'eu' } });
    const { body } = await caller.post(`${path}/filters/${filter.id}/values`);
    expect(body.values).toEqual(['Ann', 'Bob', 'Cid']);
    expect(JSON.stringify(body)).not.toContain(SECRET_ROW);
    const hidden = await posted(api, `${path}/filters`, { fieldId: field.salary, filterType: 'select' });
    const denied = await api.as('editor').post(`${path}/filters/${hidden.id}/values`);
    expect([denied.status, denied.body.code]).toEqual([422, 'CARD_UNREADABLE']);
  });
});

describe('a selection in a card', () => {
  it('restricts the other cards: names, periods, ranges and empty values', async ({ api }) => {
    const { id } = await givenDataset(api, {
      name: 'sales',
      sql: `SELECT day::DATE AS day, region, amount FROM (VALUES
        ('2026-01-05', 'North', 3), ('2026-01-31', 'South', 14), ('2026-02-01', 'North', 15), ('2026-02-02', NULL, 25)
      ) AS t(day, region, amount)`,
    });
    const source = { kind: 'dataset', id };
    const total = { source, measures: [{ column: 'amount', aggregation: 'sum', label: 'Sum' }] };
    const { path, read } = await givenCards(api, [
      card('months', chart({ ...total, dimensions: [{ column: 'day', grain: 'month', label: 'Month' }] })),
      card('regions', chart({ ...total, dimensions: [{ column: 'region' }], sort: [{ column: 'region' }] })),
      card('ranges', chart({ ...total, dimensions: [{ column: 'amount', bin: { width: 10 }, label: 'Range' }] })),
      card('total', chart(total)),
    ]);
    const sum = async (cardId: string, values: object) =>
      Number((await read('total', { selection: { cardId, values } })).rows[0][0]);
    expect(await sum('months', { Month: '2026-01-01' })).toBe(17);
    expect(await sum('regions', { region: 'North' })).toBe(18);
    expect(await sum('regions', { region: null })).toBe(25);
    expect(await sum('ranges', { Range: 10 })).toBe(29);
    expect((await read('months', { selection: { cardId: 'months', values: { Month: '2026-01-01' } } })).rowCount).toBe(
      2,
    );
    const page = await api
      .as('editor')
      .post(`${path}/data`, { selection: { cardId: 'regions', values: { region: 'North' } } });
    expect(page.body.cards.map(({ data }: { data: { rowCount: number } }) => data.rowCount)).toEqual([2, 3, 2, 1]);

    const wrong = { selection: { cardId: 'regions', values: { regoin: 'North' } } };
    const rejected = await api.as('editor').post(`${path}/cards/total/data`, wrong);
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ pointer: '/selection/values/regoin' }] } });
    expect(rejected.body.errors[0].message).toContain('region');
  });
});
