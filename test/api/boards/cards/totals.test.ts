import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';

/** Customer 1 buys in both months and both regions, so that totals of customers are no sums. */
const SALES = `SELECT region, city, placed::DATE AS placed, customer, amount FROM (VALUES
  ('North', 'A', '2026-01-05', 1, 10), ('North', 'A', '2026-02-05', 1, 20), ('North', 'B', '2026-01-06', 2, 30),
  ('South', 'C', '2026-02-07', 1, 40), ('South', 'C', '2026-02-08', 3, 50)) AS t(region, city, placed, customer, amount)`;

async function givenTables(api: Api) {
  const { id } = await givenDataset(api, { name: 'sales', sql: SALES });
  const query = {
    source: { kind: 'dataset', id },
    dimensions: [
      { column: 'region', label: 'Region' },
      { column: 'city', label: 'City' },
      { column: 'placed', grain: 'month', label: 'Month' },
    ],
    measures: [
      { column: 'customer', aggregation: 'count_distinct', label: 'Customers' },
      { column: 'amount', aggregation: 'sum', label: 'Amount' },
    ],
    totals: 'all',
    pivot: { columns: ['Month'] },
  };
  const { pivot: _pivot, ...flat } = query;
  const customers = { ...query, dimensions: query.dimensions.slice(1), measures: query.measures.slice(0, 1) };
  const columns = [{ field: 'City' }, { field: 'Amount', format: '.1f' }];
  const cards = await givenCards(api, [
    card('both', chart(query), { title: 'Both' }),
    card('flat', chart({ ...flat, dimensions: [query.dimensions[0], query.dimensions[2]] }), { title: 'Flat' }),
    card('customers', chart({ ...customers, totals: 'grand' }), { title: 'Customers' }),
    card('amounts', chart(query, { mark: { type: 'table', columns } }), { title: 'Amounts' }),
  ]);
  return { ...cards, query };
}

const numbers = (row: readonly unknown[], from = 2) =>
  row.map((value, at) => (at < from || value === null ? value : Number(value)));

describe('a table with totals and groups of columns', () => {
  it('has them computed from the rows', async ({ api }) => {
    const { read } = await givenTables(api);
    const both = await read('both');
    expect(
      both.columns.map(({ name, pivot }: { name: string; pivot?: { measure: string; group: unknown } }) =>
        pivot ? [name, pivot.measure, pivot.group] : [name],
      ),
    ).toEqual([
      ['Region'],
      ['City'],
      ['Jan 2026 · Customers', 'Customers', ['2026-01-01']],
      ['Jan 2026 · Amount', 'Amount', ['2026-01-01']],
      ['Feb 2026 · Customers', 'Customers', ['2026-02-01']],
      ['Feb 2026 · Amount', 'Amount', ['2026-02-01']],
      ['Total · Customers', 'Customers', null],
      ['Total · Amount', 'Amount', null],
    ]);
    expect(both.rows.map((row: unknown[]) => numbers(row))).toEqual([
      ['North', 'A', 1, 10, 1, 20, 1, 30],
      ['North', 'B', 1, 30, null, null, 1, 30],
      ['South', 'C', null, null, 2, 90, 2, 90],
    ]);
    const shown = ({ totals }: { totals: { level: number; row: unknown[] }[] }, from = 2) =>
      totals.map(({ level, row }) => [level, ...numbers(row, from)]).sort();
    expect(shown(both)).toEqual([
      [0, null, null, 2, 40, 2, 110, 3, 150],
      [1, 'North', null, 2, 40, 1, 20, 2, 60],
      [1, 'South', null, null, null, 2, 90, 2, 90],
    ]);
    const flat = await read('flat');
    expect(flat.rowCount).toBe(3);
    expect(shown(flat)).toEqual([
      [0, null, null, 3, 150],
      [1, 'North', null, 2, 60],
      [1, 'South', null, 2, 90],
    ]);
    // Alone, a measure has the name of its group.
    const customers = await read('customers');
    expect(customers.columns.map(({ name }: { name: string }) => name)).toEqual([
      'City',
      'Jan 2026',
      'Feb 2026',
      'Total',
    ]);
    expect(shown(customers, 1)).toEqual([[0, null, 2, 2, 3]]);

    const south = await read('both', { filters: [{ fieldId: 'region', op: 'eq', values: ['South'] }] });
    expect(south.columns.map(({ name }: { name: string }) => name).slice(2, 4)).toEqual([
      'Feb 2026 · Customers',
      'Feb 2026 · Amount',
    ]);
    expect(shown(south).at(0)).toEqual([0, null, null, 2, 90, 2, 90]);
  });

  it('is read, drawn and written with them, by readers of links too', async ({ api }) => {
    const { id, path } = await givenTables(api);
    await publish(api, path);
    const lines = [
      'Region,City,Jan 2026 · Customers,Jan 2026 · Amount,Feb 2026 · Customers,Feb 2026 · Amount,Total · Customers,Total · Amount',
      'North,A,1,10,1,20,1,30',
      'North,B,1,30,,,1,30',
      'North,Total,2,40,1,20,2,60',
      'South,C,,,2,90,2,90',
      'South,Total,,,2,90,2,90',
      'Total,,2,40,2,110,3,150',
    ];
    const csv = await api.as('viewer').post(`${path}/export`, { format: 'csv', cardIds: ['both'] });
    expect(csv.bytes.toString().trim().split('\r\n')).toEqual(lines);

    const { reader } = await givenShare(api, id, { allowExport: true });
    const file = await reader.post('card-file', { cardId: 'both' });
    expect(file.body.trim().split('\r\n')).toEqual(lines);
    const { body } = await reader.post('card-data', { cardId: 'both' });
    expect([body.rowCount, body.totals.length]).toEqual([3, 3]);

    const textsOf = async (cardId: string) => {
      const drawn = await api.as('viewer').post(`${path}/cards/${cardId}/image`, { width: 900, height: 300 });
      return [...drawn.bytes.toString().matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text);
    };
    const texts = await textsOf('both');
    expect(texts.filter((text) => text === 'Total')).toHaveLength(3);
    expect(texts).toContain('Feb 2026 · Amount');
    expect(texts.at(-1)).toBe('150');
    // Settings of a column apply to each of its groups.
    expect((await textsOf('amounts')).filter((text) => /\d/.test(text!))).toEqual([
      ...['Jan 2026 · Amount', 'Feb 2026 · Amount'],
      ...['10.0', '20.0', '30.0', '30.0', '30.0', '40.0', '20.0', '60.0', '90.0', '90.0', '90.0', '90.0'],
      ...['40.0', '110.0', '150.0'],
    ]);
    const book = await api.as('viewer').post(`${path}/export`, { format: 'xlsx', cardIds: ['both'] });
    expect([book.status, book.headers.get('x-failed-cards')]).toEqual([200, '0']);
    const pdf = await api.as('viewer').post(`${path}/export`, { format: 'pdf' });
    expect([pdf.status, pdf.headers.get('x-failed-cards')]).toEqual([200, '0']);
  });

  it('leads to the groups below and to the rows behind a row', async ({ api }) => {
    const { read } = await givenTables(api);
    const { drillDown } = await read('both');
    expect(drillDown).toContainEqual({ column: 'Month', to: 'placed (day)' });
    const values = { Region: 'North', City: 'A' };
    const days = await read('both', { drill: [{ to: 'nextLevel', dimension: 'Month', values }] });
    expect(days.columns.map(({ pivot }: { pivot?: { group: unknown[] | null } }) => pivot?.group?.[0])).toEqual([
      ...[undefined, undefined],
      ...['2026-01-05', '2026-01-05', '2026-02-05', '2026-02-05'],
      ...[undefined, undefined],
    ]);
    const behind = await read('both', { drill: [{ to: 'rows', values, measure: 1 }] });
    expect(behind.rowCount).toBe(2);
    expect(behind).not.toHaveProperty('totals');
  });

  it('has the totals of the rows that the reader may see', async ({ api }) => {
    await givenDataset(api, { name: 'sales', sql: SALES });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'sales');
    const region = await givenField(api, table.path, 'region');
    const customer = await givenField(api, table.path, 'customer', { dataType: 'integer' });
    await givenPolicy(api, model.path, { tableId: table.id });
    const { path } = await givenCards(api, [
      card(
        'own',
        chart({
          source: { kind: 'model', id: model.id },
          dimensions: [{ fieldId: region, label: 'Region' }],
          measures: [{ fieldId: customer, aggregation: 'count_distinct', label: 'Customers' }],
          pivot: { columns: ['Region'] },
          totals: 'grand',
        }),
      ),
    ]);
    const published = await api.as('owner').post(`${path}/publish`, { override: true, overrideReason: 'Own rows' });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    const { caller } = await givenReader(api, { role: 'viewer', attributes: { region: 'South' } });
    const { body } = await caller.post(`${path}/cards/own/data`, {});
    expect(body.columns.map(({ name }: { name: string }) => name)).toEqual(['South', 'Total']);
    expect(body.rows).toEqual([[2, 2]]);
    expect((await api.as('stranger').post(`${path}/cards/own/data`, {})).status).toBe(404);
  });

  it('is refused where it cannot be shown', async ({ api }) => {
    const { query } = await givenTables(api);
    const { path } = await givenCards(api, [
      card('unknown', chart({ ...query, pivot: { columns: ['Mnth'] } })),
      card('few', chart({ ...query, pivot: { columns: ['Month'], maxGroups: 1 } })),
    ]);
    const read = (cardId: string) => api.as('editor').post(`${path}/cards/${cardId}/data`, {});
    const unknown = await read('unknown');
    expect([unknown.body.code, ...issuesOf(unknown)]).toEqual([
      'CHART_SPEC_INVALID',
      '/chartSpec/query/pivot/columns/0 UNKNOWN_COLUMN',
    ]);
    expect(await read('few')).toMatchObject({ status: 422, body: { code: 'QUESTION_UNANSWERABLE' } });
  });
});
