import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { givenShop } from '../../../support/given/shop.ts';

describe('the rows behind a number', () => {
  it('are those that it was computed from, each once', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const drill = (body: object) =>
      api.as('viewer').post(`${shop.path}/drill`, { measure: { measureId: revenue }, ...body });
    const region = { fieldId: fields.region };
    const month = { fieldId: fields.placed, grain: 'month' };
    const columns = [{ fieldId: fields.amount }, { fieldId: fields.name, label: 'who' }];

    const south = await drill({ dimensions: [region], values: ['South'], columns });
    expect(south).toMatchObject({
      status: 200,
      body: {
        columns: [{ name: 'amount', type: 'decimal', fieldId: fields.amount }, { name: 'who' }],
        rows: [['5.25', 'Bo']],
        rowCount: 1,
        truncated: false,
      },
    });
    const none = await drill({ dimensions: [region, month], values: [null, '2026-03-01'], columns });
    expect(none.body.rows).toEqual([['1.00', null]]);
    const filters = [{ fieldId: fields.amount, op: 'lt', values: [20] }];
    const january = await drill({ dimensions: [month], values: ['2026-01-01'], filters });
    expect(january.body.columns.map(({ name }: { name: string }) => name)).toEqual([
      'customer',
      'amount',
      'placed',
      'shipped',
    ]);
    expect(january.body.rows).toEqual([[1, '10.50', '2026-01-05', '2026-01-31T23:30:00.000Z']]);
    expect((await drill({ columns, limit: 3 })).body).toMatchObject({ rowCount: 3, truncated: true });
  });

  it('need a value for each dimension, of its type', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const drill = (body: object) =>
      api.as('viewer').post(`${shop.path}/drill`, { measure: { measureId: revenue }, ...body });
    const month = { fieldId: fields.placed, grain: 'month' };
    expect(issuesOf(await drill({ dimensions: [month] }))).toEqual(['/values LENGTH']);
    expect(issuesOf(await drill({ dimensions: [month], values: ['x'] }))).toEqual(['/values/0 TYPE']);
    expect(issuesOf(await drill({ measure: { expression: '1', label: 'one' } }))).toEqual(['/columns REQUIRED']);
    const question = { dimensions: [month], values: ['2026-01-01'] };
    expect(
      (await api.as('stranger').post(`${shop.path}/drill`, { ...question, measure: { measureId: revenue } })).status,
    ).toBe(404);
  });
});
