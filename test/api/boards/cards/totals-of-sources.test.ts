import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';

/** Customer 1 buys in both regions and twice in one, so that totals of customers are no sums. */
const SALES = `SELECT * FROM (VALUES ('North', 'A', 1, 10), ('North', 'B', 1, 20), ('North', 'B', 2, 30),
  ('South', 'C', 1, 40)) AS t(region, city, customer, amount)`;

const levels = ({ totals }: { totals: { level: number; row: unknown[] }[] }) =>
  totals
    .map(({ level, row }) => [level, ...row.map((value) => (value === null ? null : Number(value) || value))])
    .sort();

const linesOf = (file: { bytes: Buffer }) => file.bytes.toString().trim().split('\r\n');

/** The reply to a request for the rows of a card with the query. */
async function dataOf(api: Api, query: object) {
  const { path } = await givenCards(api, [card('one', chart(query))]);
  return api.as('editor').post(`${path}/cards/one/data`, {});
}

describe('totals of a saved query', () => {
  it('are computed from the rows of its statement', async ({ api }) => {
    await givenDataset(api, { name: 'sales', sql: SALES });
    const { id } = await posted(api, '/api/saved-queries', {
      name: 'All sales',
      sql: 'SELECT * FROM sales',
      params: [],
    });
    const query = {
      source: { kind: 'savedQuery', id },
      dimensions: [
        { column: 'region', label: 'Region' },
        { column: 'city', label: 'City' },
      ],
      measures: [
        { column: 'customer', aggregation: 'count_distinct', label: 'Customers' },
        { column: 'amount', aggregation: 'sum', label: 'Amount' },
        { column: 'amount', aggregation: 'avg', label: 'Average' },
      ],
      totals: 'all',
    };
    const { path, read } = await givenCards(api, [
      card('all', chart(query)),
      card('first', chart({ ...query, totals: 'grand', limit: 1 })),
    ]);
    const all = await read('all');
    expect(all.rowCount).toBe(3);
    expect(levels(all)).toEqual([
      [0, null, null, 2, 100, 25],
      [1, 'North', null, 2, 60, 20],
      [1, 'South', null, 1, 40, 40],
    ]);
    const first = await read('first');
    expect([first.rowCount, first.truncated, levels(first)]).toEqual([1, false, [[0, null, null, 2, 100, 25]]]);
    const south = await read('all', { filters: [{ fieldId: 'region', op: 'eq', values: ['South'] }] });
    expect(levels(south)[0]).toEqual([0, null, null, 1, 40, 40]);
    const csv = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['all'] });
    expect(linesOf(csv)).toEqual([
      'Region,City,Customers,Amount,Average',
      ...['North,A,1,10,10', 'North,B,2,50,25', 'North,Total,2,60,20', 'South,C,1,40,40', 'South,Total,1,40,40'],
      'Total,,2,100,25',
    ]);
    const refused = await dataOf(api, { source: query.source, totals: 'grand' });
    expect([refused.body.code, issuesOf(refused)]).toEqual([
      'CHART_SPEC_INVALID',
      ['/chartSpec/query/totals REQUIRED'],
    ]);
  });
});

describe('the total of a metric', () => {
  it('is its value over the periods that are shown', async ({ api }) => {
    const year = new Date().getUTCFullYear();
    await givenDataset(api, {
      name: 'visits',
      sql: `SELECT visited::DATE AS visited, customer FROM (VALUES ('${year - 2}-03-01', 'ada'), ('${year - 2}-05-01', 'bob'),
        ('${year - 1}-02-01', 'ada')) AS t(visited, customer)`,
    });
    const { id: modelId, path } = await givenModel(api);
    const visits = await givenTable(api, path, 'visits');
    const visited = await givenField(api, visits.path, 'visited', { dataType: 'date' });
    const customer = await givenField(api, visits.path, 'customer');
    const definition = { modelId, timeFieldId: visited, grain: 'year', timezone: 'UTC' };
    const metric = await givenMetric(api, {
      ...definition,
      ...{ name: 'Customers', fieldId: customer, aggregation: 'count_distinct' },
    });
    const years = { source: { kind: 'metric', id: metric.id }, totals: 'grand' };
    const { read } = await givenCards(api, [
      card('three', chart({ ...years, limit: 3 })),
      card('two', chart({ ...years, limit: 2 })),
    ]);
    const three = await read('three');
    expect(three.rows.map(([, value]: unknown[]) => value)).toEqual([2, 1, null]);
    expect(three.totals).toEqual([{ level: 0, row: [null, 2] }]);
    expect((await read('two')).totals).toEqual([{ level: 0, row: [null, 1] }]);

    const expression = "CUMULATIVE(COUNT([visits.customer]), 'year')";
    const running = await posted(api, `${path}/measures`, { name: 'Running', expression });
    const periods = await givenMetric(api, { ...definition, name: 'Running', measureId: running.id });
    const refused = await dataOf(api, { source: { kind: 'metric', id: periods.id }, totals: 'grand' });
    expect([refused.body.code, issuesOf(refused)]).toEqual([
      'CHART_SPEC_INVALID',
      ['/chartSpec/query/totals CONFLICT'],
    ]);
    expect(refused.body.errors[0].message).toContain('none for several together');
  });
});

describe('totals of a blend', () => {
  it('count each row of a side once, also if it matches several groups of the other', async ({ api }) => {
    const { fields, body } = await givenShopAndDesk(api);
    const { id } = await givenBlend(api, body);
    const query = {
      source: { kind: 'blend', id },
      dimensions: [
        { fieldId: fields.customer, label: 'Customer' },
        { fieldId: fields.number, label: 'Case' },
      ],
      measures: [
        { fieldId: fields.amount, aggregation: 'sum', label: 'Amount' },
        { fieldId: fields.minutes, aggregation: 'sum', label: 'Minutes' },
        { fieldId: fields.amount, aggregation: 'avg', label: 'Average' },
      ],
      totals: 'all',
    };
    const { path, read } = await givenCards(api, [
      card('cases', chart(query)),
      card('first', chart({ ...query, totals: 'grand', limit: 1 })),
    ]);
    const data = await read('cases');
    // The orders of bob are in the rows of both of his cases.
    expect(
      data.rows.map(([customer, number, amount]: unknown[]) => [customer, Number(number), Number(amount)]),
    ).toEqual([
      ['ada', 100, 10],
      ['bob', 101, 25.5],
      ['bob', 102, 25.5],
      ['eve', 0, 2],
      [null, 0, 1],
    ]);
    expect(levels(data)).toEqual([
      [0, null, null, 38.5, 14, 7.7],
      [1, null, null, 1, null, 1],
      [1, 'ada', null, 10, 7, 10],
      [1, 'bob', null, 25.5, 7, 12.75],
      [1, 'eve', null, 2, null, 2],
    ]);
    const first = await read('first');
    expect([first.rowCount, levels(first)]).toEqual([1, [[0, null, null, 38.5, 14, 7.7]]]);
    const csv = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: ['cases'] });
    expect(linesOf(csv).at(-1)).toBe('Total,,38.50,14,7.7');

    const measures = [{ fieldId: fields.minutes, aggregation: 'count_distinct', label: 'Lengths' }];
    const byKey = { ...query, dimensions: [{ fieldId: fields.who }], measures };
    expect((await dataOf(api, { ...byKey, totals: 'none' })).status).toBe(200);
    const refused = await dataOf(api, byKey);
    expect([refused.body.code, refused.body.measure]).toEqual(['BLEND_NOT_ADDITIVE', 'Lengths']);
    expect(refused.body.remedy).toBe('Leave out `totals`, or use a sum, count, average, minimum or maximum.');
  });
});
