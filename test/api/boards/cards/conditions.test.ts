import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { executed, givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';

describe('conditions of charts', () => {
  it('take alternatives, and measures that only sort and filter', async ({ api }) => {
    const { modelId, fields, revenue } = await givenSalesModel(api);
    const saved = await posted(api, '/api/saved-queries', { name: 'Sales', sql: 'SELECT region, amount FROM sales' });
    const anyOf = (region: object, amount: object) => [
      {
        anyOf: [
          { ...region, op: 'eq', values: ['US'], ignoreCase: true },
          { ...amount, op: 'gte', values: [100] },
        ],
      },
    ];
    const hidden = { aggregation: 'max', label: 'Largest', hidden: true };
    const more = {
      sort: [{ column: 'Largest', direction: 'desc' }],
      resultFilters: [{ column: 'Largest', op: 'gt', values: [50] }],
    };
    const byColumn = {
      dimensions: [{ column: 'region', label: 'Region' }],
      measures: [
        { column: 'amount', aggregation: 'sum', label: 'Revenue' },
        { column: 'amount', ...hidden },
      ],
      filters: anyOf({ column: 'region' }, { column: 'amount' }),
      ...more,
    };
    const { id, path, read } = await givenCards(api, [
      card(
        'model',
        chart({
          source: { kind: 'model', id: modelId },
          dimensions: [{ fieldId: fields.region, label: 'Region' }],
          measures: [
            { measureId: revenue, label: 'Revenue' },
            { fieldId: fields.amount, ...hidden },
          ],
          filters: anyOf({ fieldId: fields.region }, { fieldId: fields.amount }),
          ...more,
        }),
      ),
      card('saved', chart({ source: { kind: 'savedQuery', id: saved.id }, ...byColumn })),
    ]);
    const expected = {
      columns: [{ name: 'Region' }, { name: 'Revenue' }],
      rows: [
        ['eu', '100.00'],
        ['us', '150.00'],
      ],
    };
    expect(await read('model')).toMatchObject(expected);
    expect(await read('saved')).toMatchObject(expected);
    for (const cardId of ['model', 'saved']) {
      const file = await api.as('editor').post(`${path}/export`, { format: 'csv', cardIds: [cardId] });
      expect(String(file.body).trim().split(/\r?\n/).slice(0, 3)).toEqual(['Region,Revenue', 'eu,100.00', 'us,150.00']);
    }
    const wrong = { ...byColumn, filters: [{ anyOf: [{ fieldId: fields.region, op: 'eq', values: ['eu'] }] }] };
    const put = { chartSpec: chart({ source: { kind: 'savedQuery', id: saved.id }, ...wrong }) };
    expect((await api.as('editor').put(`${path}/cards/saved`, put)).status).toBe(200);
    expect(issuesOf(await api.as('editor').post(`${path}/cards/saved/data`, {}))).toEqual([
      '/chartSpec/query/filters/0/anyOf/0/fieldId CONFLICT',
    ]);
    const right = { chartSpec: chart({ source: { kind: 'savedQuery', id: saved.id }, ...byColumn }) };
    expect((await api.as('editor').put(`${path}/cards/saved`, right)).status).toBe(200);
    const yaml = await api.as('editor').get(`${path}/file`);
    expect(String(yaml.body)).toContain('sales.region');

    // Readers choose in upper or lower case, too.
    const made = await posted(api, `${path}/filters`, { fieldId: fields.region, filterType: 'text' });
    await publish(api, path);
    const filters = [{ filterId: made.id, op: 'contains', values: ['U'], ignoreCase: true }];
    const { reader } = await givenShare(api, id);
    const rows = [
      ['eu', '100.00'],
      ['us', '150.00'],
    ];
    expect((await read('model', { filters })).rows).toEqual(rows);
    expect(await reader.rows('model', { filters })).toEqual(rows);
    expect(await reader.rows('model', { filters: [{ ...filters[0], ignoreCase: false }] })).toEqual([]);
  });

  it('of metrics take alternatives', async ({ api }) => {
    const sales = await givenSalesModel(api);
    const filters = [
      {
        anyOf: [
          { fieldId: sales.fields.region, op: 'eq', values: ['US'], ignoreCase: true },
          { fieldId: sales.fields.amount, op: 'gte', values: [100] },
        ],
      },
    ];
    const metric = await givenMetric(api, { ...sales.definition, grain: 'year', filters });
    const asOf = '2024-12-31';
    expect((await api.as('viewer').get(`${metric.path}/value?asOf=${asOf}`)).body).toMatchObject({ value: '250.00' });
    const wrong = [{ anyOf: [{ fieldId: sales.fields.region, op: 'gt' }] }];
    const refused = await api.as('editor').patch(metric.path, { filters: wrong });
    expect(refused.status).toBe(400);
    expect(issuesOf(refused)).toEqual(['/filters/0/anyOf/0/values INVALID']);
  });

  it('of blends take alternatives on one side, and measures that only sort and filter', async ({ api }) => {
    const given = await givenShopAndDesk(api);
    const { fields } = given;
    const blend = await givenBlend(api, given.body);
    const query = {
      source: { kind: 'blend', id: blend.id },
      dimensions: [{ fieldId: fields.customer, label: 'Customer' }],
      measures: [
        { fieldId: fields.amount, aggregation: 'sum', label: 'Amount' },
        { fieldId: fields.minutes, aggregation: 'sum', label: 'Minutes', hidden: true },
      ],
      sort: [{ column: 'Minutes', direction: 'asc' }],
    };
    const either = [
      {
        anyOf: [
          { fieldId: fields.customer, op: 'eq', values: ['ADA'], ignoreCase: true },
          { fieldId: fields.amount, op: 'gt', values: [10] },
        ],
      },
    ];
    const both = [
      {
        anyOf: [
          { fieldId: fields.amount, op: 'gt', values: [10] },
          { fieldId: fields.minutes, op: 'gt', values: [1] },
        ],
      },
    ];
    const { path, read } = await givenCards(api, [
      card('either', chart({ ...query, filters: either })),
      card('both', chart({ ...query, filters: both })),
    ]);
    const reply = await read('either');
    expect(reply.columns.map(({ name }: { name: string }) => name)).toEqual(['Customer', 'Amount']);
    expect([...reply.rows].sort()).toEqual([
      ['ada', '10.00'],
      ['bob', '20.00'],
    ]);
    expect(issuesOf(await api.as('editor').post(`${path}/cards/both/data`, {}))).toEqual([
      '/chartSpec/query/filters/0/anyOf CONFLICT',
    ]);
    const executedRows = await executed(api, blend.path, {
      leftColumns: ['id'],
      leftFilters: either,
      sort: [{ column: 'orders.id' }],
    });
    expect([...new Set(executedRows.rows.map(([id]: unknown[]) => id))]).toEqual([1, 2]);
  });
});
