import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { companyKey } from '../../../../shared/platform/storage/keys.ts';
import { type Actor, type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { changeCompany } from '../../../support/operator.ts';

const BARS = { mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Revenue' } } };
const SIZE = { width: 400, height: 300 };

const preview = (api: Api, body: object, actor: Actor = 'viewer') => api.as(actor).post('/api/charts/preview', body);
const suggest = (api: Api, body: object, actor: Actor = 'viewer') => api.as(actor).post('/api/charts/suggest', body);

async function givenSales(api: Api) {
  const { modelId, fields, revenue, definition } = await givenSalesModel(api);
  const query = {
    source: { kind: 'model', id: modelId },
    dimensions: [{ fieldId: fields.region, label: 'Region' }],
    measures: [{ measureId: revenue, label: 'Revenue' }],
    filters: [{ fieldId: fields.region, op: 'not_null' }],
    sort: [{ column: 'Revenue', direction: 'desc' }],
  };
  return { modelId, fields, definition, query };
}

interface Suggested {
  cardType: string;
  look: { mark: { type: string } };
}
const marksOf = ({ suggestions }: { suggestions: Suggested[] }) =>
  suggestions.map(({ cardType, look }) => `${cardType} ${look.mark.type}`);

const MISSING = [
  ['model', 'MODEL_NOT_FOUND'],
  ['dataset', 'DATASET_NOT_FOUND'],
  ['savedQuery', 'SAVED_QUERY_NOT_FOUND'],
  ['metric', 'METRIC_NOT_FOUND'],
  ['blend', 'BLEND_NOT_FOUND'],
] as const;

describe('the preview of a chart', () => {
  it('has the rows and the picture of a card with the chart, and stores no card', async ({ api }) => {
    const { fields, query } = await givenSales(api);
    const chartSpec = chart(query, BARS);
    const shown = await preview(api, { chartSpec, image: SIZE });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        columns: [{ name: 'Region' }, { name: 'Revenue', role: 'measure' }],
        rows: [
          ['eu', '297.00'],
          ['us', '150.00'],
        ],
        rowCount: 2,
        truncated: false,
        ignoredFilters: [],
        image: expect.stringMatching(/^<svg[\s\S]*eu/),
      },
    });
    const board = await givenCards(api, [card('bars', chartSpec)]);
    const {
      cardId: _cardId,
      aiSummary: _aiSummary,
      drillDown: _drillDown,
      ...stored
    } = await board.read('bars', {
      image: SIZE,
    });
    expect({ ...shown.body, cache: stored.cache, asOf: stored.asOf }).toEqual(stored);

    const filters = [{ fieldId: fields.region, op: 'eq', values: ['us'] }];
    const filtered = await preview(api, { chartSpec, filters });
    expect(filtered.body).toMatchObject({ rows: [['us', '150.00']] });
    expect(filtered.body.image).toBeUndefined();
    const elsewhere = [{ fieldId: crypto.randomUUID(), op: 'eq', values: ['us'] }];
    expect((await preview(api, { chartSpec, filters: elsewhere })).body.ignoredFilters).toHaveLength(1);
  });

  it('says that the catalog advises against its source', async ({ api }) => {
    const { modelId, query } = await givenSales(api);
    const path = `/api/catalog/certifications/model/${modelId}`;
    expect((await api.as('owner').put(path, { status: 'deprecated', note: 'Old.' })).status).toBe(200);
    const expected = [{ code: 'DEPRECATED_SOURCE' }];
    await vi.waitFor(
      async () => expect((await preview(api, { chartSpec: chart(query, BARS) })).body.notices).toMatchObject(expected),
      { timeout: 60_000, interval: 500 },
    );
  });

  it('names every issue of the chart', async ({ api }) => {
    const { query } = await givenSales(api);
    const look = { mark: { type: 'bar' }, encoding: { x: { field: 'Regoin' }, y: { field: 'Revenue' } } };
    const undrawable = await preview(api, { chartSpec: chart(query, look) });
    expect(undrawable).toMatchObject({
      status: 400,
      body: { code: 'CHART_SPEC_INVALID', errors: [{ pointer: '/chartSpec/encoding/x/field' }] },
    });
    const unknown = { ...query, measures: [{ fieldId: crypto.randomUUID() }] };
    const wrong = await preview(api, { chartSpec: chart(unknown) });
    expect(wrong.body).toMatchObject({ code: 'CHART_SPEC_INVALID' });
    expect(wrong.body.errors[0].pointer).toMatch(/^\/chartSpec\/query\/measures\/0/);
    const filters = [{ op: 'eq', values: [1] }];
    expect(await preview(api, { chartSpec: chart(query), filters })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/filters/0/fieldId', code: 'REQUIRED' }] },
    });
    for (const [kind, code] of MISSING) {
      const source = { kind, id: crypto.randomUUID() };
      expect(await preview(api, { chartSpec: chart({ source }) }), kind).toMatchObject({ status: 404, body: { code } });
    }
    const { id } = await posted(api, '/api/saved-queries', { name: 'Bad', sql: "SELECT CAST('x' AS INTEGER) AS n" });
    expect(await preview(api, { chartSpec: chart({ source: { kind: 'savedQuery', id } }) })).toMatchObject({
      status: 422,
      body: { code: 'CARD_UNREADABLE', detail: expect.stringContaining('x') },
    });
  });
});

describe('suggested charts', () => {
  it('suit the rows of a query, each with a reason and a picture, and can be previewed', async ({ api }) => {
    const { query } = await givenSales(api);
    const { status, body } = await suggest(api, { query, image: SIZE });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ rowCount: 2, truncated: false, columns: [{ name: 'Region' }, { name: 'Revenue' }] });
    expect(marksOf(body)).toEqual(['chart bar', 'chart arc', 'table table']);
    for (const { look, reason, image } of body.suggestions) {
      expect(reason).toMatch(/\.$/);
      expect(image).toMatch(/^<svg/);
      expect((await preview(api, { chartSpec: { version: 1, query, ...look } })).status).toBe(200);
    }
    const totals = await suggest(api, { query: { ...query, totals: 'grand' } });
    expect(totals.body.suggestions).toMatchObject([{ cardType: 'table' }]);
    expect((await suggest(api, { query: { ...query, limit: 1 } })).body.suggestions[0].cardType).toBe('kpi');
  });

  it('suit the rows of a statement, for those who may run queries', async ({ api }) => {
    await givenDataset(api, {
      name: 'visits',
      sql: `SELECT day::DATE AS day, n FROM (VALUES ('2026-01-05', 3), ('2026-01-20', 4), ('2026-02-01', 5)) AS t(day, n)`,
    });
    const sql = 'SELECT day, n FROM visits WHERE n > $1';
    const { status, body } = await suggest(api, { sql, params: [3] }, 'editor');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.rowCount).toBe(2);
    expect(marksOf(body)).toEqual(['chart line', 'chart bar', 'table table']);
    expect(body.suggestions[0].look.encoding).toEqual({ x: { field: 'day' }, y: { field: 'n' } });
    expect(body.suggestions[0].image).toBeUndefined();

    expect(await suggest(api, { sql, params: [3] })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'reads', scope: 'read' })).body;
    const byKey = await api.as({ token: key }).post('/api/charts/suggest', { sql, params: [3] });
    expect(byKey).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await suggest(api, { sql, sourceId: crypto.randomUUID() }, 'editor')).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
    expect(await suggest(api, { sql: 'DROP TABLE visits' }, 'editor')).toMatchObject({
      status: 422,
      body: { code: 'CARD_UNREADABLE' },
    });
  });

  it('need either a query or a statement, whose source exists', async ({ api }) => {
    const { query } = await givenSales(api);
    const issues = async (body: object) => {
      const reply = await suggest(api, body, 'editor');
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      return reply.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    };
    expect(await issues({})).toEqual([' REQUIRED']);
    expect(await issues({ query, sql: 'SELECT 1' })).toEqual([' REQUIRED']);
    expect(await issues({ query, sourceId: crypto.randomUUID(), params: [1] })).toEqual([
      '/sourceId CONFLICT',
      '/params CONFLICT',
    ]);
    const [place] = await issues({ query: { ...query, measures: [{ fieldId: crypto.randomUUID() }] } });
    expect(place).toMatch(/^\/query\/measures\/0/);
    for (const [kind, code] of MISSING) {
      const reply = await suggest(api, { query: { source: { kind, id: crypto.randomUUID() } } });
      expect(reply, kind).toMatchObject({ status: 404, body: { code } });
    }
  });
});

describe('charts that are not saved', () => {
  it('have no row and no column of another class, also in pictures and by statements', async ({ api }) => {
    const { dataset, model, field } = await givenProtected(api);
    const saved = await posted(api, '/api/saved-queries', {
      name: 'All',
      sql: 'SELECT id, name FROM people ORDER BY id',
    });
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const us = await givenReader(api, { attributes: { region: 'us' } });
    const queries = [
      {
        source: { kind: 'model', id: model.id },
        dimensions: [{ fieldId: field.id }, { fieldId: field.name }],
        sort: [{ column: 'id' }],
      },
      {
        source: { kind: 'dataset', id: dataset.id },
        dimensions: [{ column: 'id' }, { column: 'name' }],
        sort: [{ column: 'id' }],
      },
      { source: { kind: 'savedQuery', id: saved.id } },
    ];
    for (const query of queries) {
      const read = async ({ caller }: typeof eu) => {
        const shown = await caller.post('/api/charts/preview', { chartSpec: chart(query), image: SIZE });
        expect(shown.status, JSON.stringify(shown.body)).toBe(200);
        const suggested = await caller.post('/api/charts/suggest', { query, image: SIZE });
        expect(suggested.body.rowCount).toBe(shown.body.rowCount);
        return { ids: shown.body.rows.map(([id]: [number]) => id), all: JSON.stringify([shown.body, suggested.body]) };
      };
      const [ofEu, ofUs] = [await read(eu), await read(us)];
      expect(ofEu.ids).toEqual([1, 2, 3]);
      expect(ofEu.all).not.toContain(SECRET_ROW);
      expect(ofUs.ids).toEqual([4, 5]);
    }
    const statement = { sql: 'SELECT id, name FROM people', image: SIZE };
    const byStatement = await eu.caller.post('/api/charts/suggest', statement);
    expect(JSON.stringify(byStatement.body)).not.toContain(SECRET_ROW);
    const salaries = { source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: field.salary }] };
    const denied = await eu.caller.post('/api/charts/preview', { chartSpec: chart(salaries), image: SIZE });
    expect(JSON.stringify(denied.body)).not.toContain(SECRET_COLUMN);
  });

  it('are of the workspace of the caller, and no key that is limited to objects reaches them', async ({ api }) => {
    const { query, definition } = await givenSales(api);
    const chartSpec = chart(query, BARS);
    const metric = await givenMetric(api, definition);
    const ofMetric = { source: { kind: 'metric', id: metric.id } };
    expect(await preview(api, { chartSpec }, 'stranger')).toMatchObject({ status: 404 });
    expect(await suggest(api, { query: ofMetric }, 'stranger')).toMatchObject({ status: 404 });
    expect(await suggest(api, { query: ofMetric })).toMatchObject({ status: 200 });
  });

  itWithOwnCompany('of datasets, saved queries and statements need their product', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'ones', sql: 'SELECT 1 AS n' });
    const query = { source: { kind: 'dataset', id }, measures: [{ column: 'n', aggregation: 'sum', label: 'N' }] };
    const saved = await posted(api, '/api/saved-queries', { name: 'One', sql: 'SELECT n FROM ones' });
    const all = async (code: string) => {
      const sources = [query, { source: { kind: 'savedQuery', id: saved.id } }];
      const replies = [
        ...sources.map((each) => preview(api, { chartSpec: chart(each) })),
        ...sources.map((each) => suggest(api, { query: each })),
        suggest(api, { sql: 'SELECT 1 AS n' }, 'editor'),
      ];
      for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ status: 403, body: { code } });
    };
    expect((await preview(api, { chartSpec: chart(query) })).status).toBe(200);
    // Functions keep what a company may use for some seconds.
    const eventually = { timeout: 60_000, interval: 500 };
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    await vi.waitFor(() => all('PRODUCT_TURNED_OFF'), eventually);
    const Key = companyKey(api.companyId, 'ENTITLEMENT#PLAN#warehouse');
    await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    await vi.waitFor(() => all('PRODUCT_NOT_LICENSED'), eventually);
  });
});
