import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenShop } from '../../../support/given/shop.ts';

describe('the rows of a card', () => {
  it('come from a model, with the filters that apply to the card', async ({ api }) => {
    const { id: modelId, fields, revenue } = await givenShop(api);
    const query = {
      source: { kind: 'model', id: modelId },
      dimensions: [{ fieldId: fields.region, label: 'Region' }],
      measures: [{ measureId: revenue }],
      sort: [{ column: 'Revenue', direction: 'desc' }],
    };
    const bar = { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Revenue' } } };
    const { path, read } = await givenCards(api, [card('regions', chart(query, bar)), card('other', chart(query))]);
    expect(await read('regions')).toMatchObject({
      cardId: 'regions',
      columns: [
        { name: 'Region', role: 'dimension', type: 'string' },
        { name: 'Revenue', role: 'measure', type: 'decimal', format: { kind: 'currency', currency: 'EUR' } },
      ],
      rows: [
        ['North', '30.50'],
        ['South', '5.25'],
        [null, '1.00'],
      ],
      rowCount: 3,
      truncated: false,
      timezone: 'UTC',
      ignoredFilters: [],
      warnings: [],
    });

    const byField = [{ fieldId: fields.region, op: 'eq', values: ['South'] }];
    expect((await read('regions', { filters: byField })).rows).toEqual([['South', '5.25']]);
    const linked = await posted(api, `${path}/filters`, {
      fieldId: fields.region,
      filterType: 'select',
      linkedCardIds: ['regions'],
    });
    const filters = [{ filterId: linked.id, op: 'eq', values: ['North'] }];
    expect((await read('regions', { filters })).rows).toEqual([['North', '30.50']]);
    expect((await read('other', { filters })).rowCount).toBe(3);
  });

  it('come from datasets, saved queries and metrics', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'visits',
      sql: `SELECT day::DATE AS day, n FROM (VALUES ('2026-01-05', 3), ('2026-01-20', 4), ('2026-02-01', 5)) AS t(day, n)`,
    });
    const saved = await posted(api, '/api/saved-queries', {
      name: 'Visits',
      sql: 'SELECT day, n FROM visits WHERE n >= $least ORDER BY n',
      params: [{ name: 'least', type: 'integer' }],
    });
    const sales = await givenSalesModel(api, 'Of metrics');
    const metric = await givenMetric(api, { ...sales.definition, grain: 'month' });
    const { read } = await givenCards(api, [
      card(
        'dataset',
        chart({
          source: { kind: 'dataset', id: dataset.id },
          dimensions: [{ column: 'day', grain: 'month' }],
          measures: [{ column: 'n', aggregation: 'sum', label: 'Visits' }],
          filters: [{ column: 'n', op: 'gt', values: [3] }],
        }),
      ),
      card('saved', chart({ source: { kind: 'savedQuery', id: saved.id }, params: { least: 4 } })),
      { ...textCard('plain', { cardType: 'table', textContent: undefined }), savedQueryId: saved.id },
      card('metric', chart({ source: { kind: 'metric', id: metric.id }, grain: 'year', fill: 'zero', limit: 3 }), {
        cardType: 'metric',
      }),
    ]);
    expect(await read('dataset')).toMatchObject({
      columns: [{ name: 'day (month)', grain: 'month', type: 'date' }, { name: 'Visits' }],
      rows: [
        ['2026-01-01', '4'],
        ['2026-02-01', '5'],
      ],
    });
    const byColumn = { filters: [{ fieldId: 'n', op: 'eq', values: [5] }] };
    expect((await read('dataset', byColumn)).rows).toEqual([['2026-02-01', '5']]);
    const ignored = { filters: [{ fieldId: sales.fields.region, op: 'eq', values: ['eu'] }] };
    expect(await read('saved', ignored)).toMatchObject({
      columns: [
        { name: 'day', role: 'dimension' },
        { name: 'n', role: 'measure' },
      ],
      rows: [
        ['2026-01-20', 4],
        ['2026-02-01', 5],
      ],
      ignoredFilters: [sales.fields.region],
    });
    expect((await read('plain')).rowCount).toBe(0);
    expect(await read('metric')).toMatchObject({
      columns: [{ name: 'Period', grain: 'year' }, { name: 'Revenue' }],
      rowCount: 3,
      // Their author has chosen three.
      truncated: false,
    });
  });

  it('are counted for a box plot, whose quartiles are those of all rows', async ({ api }) => {
    const sql = `SELECT 'Bus' AS kind, unnest([3, 3, 3, 3, 3, 3, 5, 5, 9, 30]) AS minutes`;
    const { id } = await givenDataset(api, { name: 'rides', sql });
    const saved = await posted(api, '/api/saved-queries', { name: 'Rides', sql: 'SELECT * FROM rides' });
    const look = { mark: { type: 'boxplot' }, encoding: { x: { field: 'kind' }, y: { field: 'minutes' } } };
    const dimensions = [{ column: 'kind' }, { column: 'minutes' }];
    const { path, read } = await givenCards(api, [
      card('grouped', chart({ source: { kind: 'dataset', id }, dimensions, sort: [{ column: 'minutes' }] }, look)),
      card('single', chart({ source: { kind: 'savedQuery', id: saved.id } }, look)),
    ]);
    expect(await read('grouped')).toMatchObject({
      columns: ['kind', 'minutes', 'Count of kind', 'Count of minutes'].map((name) => ({ name })),
      rows: [
        ['Bus', 3, 6, 6],
        ['Bus', 5, 2, 2],
        ['Bus', 9, 1, 1],
        ['Bus', 30, 1, 1],
      ],
    });
    const shapes = async (cardId: string) => {
      const drawn = await api.as('editor').post(`${path}/cards/${cardId}/image`, { width: 320, height: 240 });
      expect(drawn.status).toBe(200);
      return new Set([...drawn.bytes.toString().matchAll(/<path[^>]* d="([^"]*)"/g)].map(([, shape]) => shape));
    };
    expect(await shapes('grouped')).toEqual(await shapes('single'));
  });

  it('are read for a page at once: equal queries once, and a failing card alone fails', async ({ api }) => {
    const { id: modelId, fields, revenue } = await givenShop(api);
    const query = {
      source: { kind: 'model', id: modelId },
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: revenue }],
    };
    const { path } = await givenCards(api, [
      card('one', chart(query)),
      card('two', chart(query)),
      textCard('text'),
      card('broken', chart({ ...query, source: { kind: 'model', id: crypto.randomUUID() } })),
    ]);
    const all = await api.as('editor').post(`${path}/data`);
    expect(all.body.cards).toMatchObject([
      { cardId: 'one', problem: null, data: { cardId: 'one', rowCount: 3 } },
      { cardId: 'two', problem: null, data: { cardId: 'two', rowCount: 3 } },
      { cardId: 'broken', data: null, problem: { code: 'MODEL_NOT_FOUND', status: 404 } },
    ]);
    expect(all.body.cards[0].data.asOf).toBe(all.body.cards[1].data.asOf);
    const named = await api.as('editor').post(`${path}/data`, { cardIds: ['two'] });
    expect(named.body.cards).toMatchObject([{ cardId: 'two', data: { cache: 'hit' } }]);

    const missing = (body: object) => api.as('editor').post(`${path}/data`, body);
    expect(await missing({ cardIds: ['nope'] })).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_CARD_NOT_FOUND' },
    });
    expect(await missing({ pageId: 'nope' })).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_PAGE_NOT_FOUND' },
    });
  });

  it('are those of the reader', async ({ api }) => {
    const { model, field } = await givenProtected(api);
    const query = {
      source: { kind: 'model', id: model.id },
      dimensions: [{ fieldId: field.name, label: 'Name' }],
      sort: [{ column: 'Name' }],
    };
    const { path } = await givenCards(api, [card('names', chart(query))]);
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const us = await givenReader(api, { attributes: { region: 'us' } });
    const rows = async (reader: typeof eu) => (await reader.caller.post(`${path}/cards/names/data`)).body.rows;
    expect(await rows(eu)).toEqual([['Ann'], ['Bob'], ['Cid']]);
    expect(await rows(us)).toEqual([[SECRET_ROW]]);
    const drawn = await eu.caller.post(`${path}/cards/names/image`);
    expect([drawn.status, drawn.bytes.includes('Ann'), drawn.bytes.includes(SECRET_ROW)]).toEqual([200, true, false]);
  });

  it('are for those who see the dashboard, as it was published', async ({ api }) => {
    const { id: modelId, revenue } = await givenShop(api);
    const query = { source: { kind: 'model', id: modelId }, measures: [{ measureId: revenue }] };
    const { path, read } = await givenCards(api, [card('total', chart(query))]);
    const asViewer = () => api.as('viewer').post(`${path}/cards/total/data`);
    const notFound = { status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } };
    expect(await asViewer()).toMatchObject(notFound);
    for (const part of ['data', 'cards/total/data', 'cards/total/image'])
      expect(await api.as('stranger').post(`${path}/${part}`), part).toMatchObject(notFound);

    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    expect((await asViewer()).body.rows).toEqual([['36.75']]);
    const later = { ...query, measures: [{ measureId: revenue, label: 'Later' }] };
    await api.as('editor').put(`${path}/cards/total`, { chartSpec: chart(later) });
    expect((await read('total')).columns).toMatchObject([{ name: 'Later' }]);
    expect((await asViewer()).body.columns).toMatchObject([{ name: 'Revenue' }]);
  });
});

describe('the picture of a card', () => {
  it('shows its chart in the theme, or why it cannot be drawn', async ({ api }) => {
    const { id: modelId, fields, revenue } = await givenShop(api);
    const query = {
      source: { kind: 'model', id: modelId },
      dimensions: [{ fieldId: fields.region, label: 'Region' }],
      measures: [{ measureId: revenue }],
    };
    const bar = { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Revenue' } } };
    const { path } = await givenCards(api, [
      card('bar', chart(query, bar), { title: 'Revenue by region' }),
      card('wrong', chart(query, { mark: { type: 'bar' }, encoding: { x: { field: 'Nope' } } })),
      textCard('text'),
    ]);
    const draw = (id: string, body: object = {}) => api.as('editor').post(`${path}/cards/${id}/image`, body);
    const theme = {
      palette: ['#112233', '#445566'],
      fonts: { body: 'serif', heading: 'serif' },
      radius: 0,
      dark: true,
    };
    const drawn = await draw('bar', { width: 300, height: 200, theme });
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const svg = drawn.bytes.toString();
    for (const part of ['width="300"', '#112233', 'Georgia', 'Region: North; Revenue: €30.50', 'Revenue by region'])
      expect(svg).toContain(part);
    expect((await draw('wrong')).bytes.toString()).toContain('does not fit');

    const image = { width: 300, height: 200, theme };
    const read = (id: string, body: object = { image }) => api.as('editor').post(`${path}/cards/${id}/data`, body);
    // The same picture with the rows, which is stored once.
    for (const _again of ['first', 'second']) expect((await read('bar')).body.image).toBe(svg);
    expect((await read('bar', {})).body).not.toHaveProperty('image');
    expect((await read('wrong')).body.image).toContain('does not fit');
    const north = { fieldId: fields.region, op: 'eq', values: ['North'] };
    const filtered = (await read('bar', { image, filters: [north] })).body;
    expect(filtered.rows).toEqual([['North', '30.50']]);
    expect(filtered.image).toContain('North');
    expect(filtered.image).not.toContain('South');
    const nowhere = { ...north, values: ['Nowhere'] };
    expect((await read('bar', { image, filters: [nowhere] })).body).not.toHaveProperty('image');
    expect((await read('bar', { image: { width: 10 } })).status).toBe(400);
    expect((await api.as('stranger').post(`${path}/cards/bar/data`, { image })).status).toBe(404);
    const { s3, name: Bucket } = await dataBucket(api.endpoint);
    const Prefix = `results/${api.workspaceId}/drawings/`;
    expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix }))).KeyCount).toBe(2);
    expect(await draw('text')).toMatchObject({ status: 409, body: { code: 'CARD_WITHOUT_ROWS' } });
    expect(await draw('nope')).toMatchObject({ status: 404, body: { code: 'DASHBOARD_CARD_NOT_FOUND' } });
  });
});
