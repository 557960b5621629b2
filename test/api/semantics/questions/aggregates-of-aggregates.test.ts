import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

const ask = async (caller: ReturnType<Api['as']>, path: string, question: object) => {
  const reply = await caller.post(`${path}/query`, question);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as { rows: unknown[][]; totals: { row: unknown[] }[] };
};

/** Stock of two products in two regions: oats of "us" are counted on later days than all others. */
async function givenStock(api: Api) {
  await givenDataset(api, {
    name: 'stock',
    sql: `SELECT day::DATE AS day, region, product, quantity FROM (VALUES
      ('2026-01-10', 'eu', 'nuts', 10), ('2026-01-31', 'eu', 'nuts', 7), ('2026-01-31', 'eu', 'oats', 80),
      ('2026-02-27', 'eu', 'nuts', 5), ('2026-02-28', 'us', 'oats', 60), ('2026-01-30', 'us', 'oats', 40)
    ) AS t(day, region, product, quantity)`,
  });
  const { path } = await givenModel(api);
  const stock = await givenTable(api, path, 'stock');
  const day = await givenField(api, stock.path, 'day', { dataType: 'date' });
  await givenField(api, stock.path, 'region');
  await givenField(api, stock.path, 'product');
  await givenField(api, stock.path, 'quantity', { dataType: 'integer' });
  return { path, stock, day };
}

const LAST = 'LAST_OVER(SUM([stock.quantity]), [stock.day])';
const LAST_OF_EACH = 'LAST_OVER(SUM([stock.quantity]), [stock.day], [stock.product], [stock.region])';

describe('a measure of the last day', () => {
  it('is declared, asked for periods and totals, exported and imported', async ({ api }) => {
    const { path, day } = await givenStock(api);
    const measure = { name: 'Stock', expression: LAST };
    expect(await posted(api, `${path}/measures`, measure)).toMatchObject({ dataType: 'integer' });
    const each = await posted(api, `${path}/measures`, { name: 'Stock of each', expression: LAST_OF_EACH });
    const share = { label: 'Part', expression: 'DIVIDE({Stock}, {Stock of each}, 0)' };
    const answer = await ask(api.as('viewer'), path, {
      dimensions: [{ fieldId: day, grain: 'month' }],
      measures: [{ label: 'Stock', expression: '{Stock}' }, { measureId: each.id }, share],
      totals: 'grand',
    });
    expect(answer.rows).toEqual([
      ['2026-01-01', '87', '127', 87 / 127],
      ['2026-02-01', '60', '65', 60 / 65],
    ]);
    expect(answer.totals).toMatchObject([{ row: [null, '60', '145', 60 / 145] }]);

    const file = await api.as('editor').get(`${path}/file`);
    expect(file.body).toContain(LAST);
    const copy = await givenModel(api, { name: 'Copy' });
    const imported = await api.as('editor').send('PUT', `${copy.path}/file`, {
      headers: { 'content-type': 'application/yaml' },
      text: String(file.body).replace('name: Sales', 'name: Copy'),
    });
    expect(imported.status, JSON.stringify(imported.body)).toBe(200);
    const question = { measures: [{ label: 'Stock', expression: '{Stock}' }] };
    expect((await ask(api.as('viewer'), copy.path, question)).rows).toEqual([['60']]);
  });

  it('is refused where it is wrong, and explains that it has no SQL by itself', async ({ api }) => {
    const { path } = await givenStock(api);
    const wrong = await api
      .as('editor')
      .post(`${path}/measures`, { name: 'Wrong', expression: 'LAST_OVER([stock.quantity], [stock.product])' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/expression' }], diagnostics: [{ code: 3001, from: 28 }] },
    });
    const stock = await posted(api, `${path}/measures`, { name: 'Stock', expression: LAST });
    const nested = 'AVG_PER({Stock}, [stock.region])';
    expect((await api.as('editor').post(`${path}/measures/validate`, { expression: nested })).body).toMatchObject({
      ok: false,
      diagnostics: [{ code: 3003, message: '{Stock} uses LAST_OVER, which cannot be inside AVG_PER.' }],
    });
    const running = { label: 'Running', expression: 'CUMULATIVE({Stock})' };
    const day = { expression: 'DATE_TRUNC("day", [stock.day])', label: 'Day' };
    const refused = await api.as('viewer').post(`${path}/query`, { dimensions: [day], measures: [running] });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: '5005' }] } });
    const preview = await api.as('editor').post(`${path}/measures/${stock.id}/preview`, { dialect: 'duckdb' });
    expect(preview).toMatchObject({ status: 200, body: { sql: null, diagnostics: [{ code: 6001 }] } });
  });

  it('ignores rows that the reader may not see', async ({ api }) => {
    const { path, stock, day } = await givenStock(api);
    await givenPolicy(api, path, { tableId: stock.id });
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const question = {
      dimensions: [{ fieldId: day, grain: 'month' }],
      measures: [
        { label: 'Stock', expression: LAST },
        { label: 'Products', expression: 'COUNT_PER(COUNT(*) > 0, [stock.product])' },
      ],
      totals: 'grand',
    };
    const answer = await ask(eu.caller, path, question);
    expect(answer.rows).toEqual([
      ['2026-01-01', '87', 2],
      ['2026-02-01', '5', 1],
    ]);
    expect(answer.totals).toMatchObject([{ row: [null, '5', 2] }]);
    const all = await givenReader(api, { attributes: { region: ['eu', 'us'] } });
    expect((await ask(all.caller, path, question)).rows[1]).toEqual(['2026-02-01', '60', 2]);
  });
});

describe('groups by a value per customer', () => {
  it('are cohorts: a step aggregates the rows of each customer', async ({ api }) => {
    await givenDataset(api, { name: 'customers', sql: 'SELECT unnest([1, 2, 3, 4]) AS id' });
    await givenDataset(api, {
      name: 'orders',
      sql: `SELECT id, customer_id, region, placed::DATE AS placed FROM (VALUES
        (1, 1, 'eu', '2026-01-05'), (2, 1, 'eu', '2026-02-05'), (3, 2, 'eu', '2026-01-20'),
        (4, 3, 'us', '2026-01-02'), (5, 3, 'eu', '2026-02-11'), (6, 3, 'eu', '2026-02-12')
      ) AS t(id, customer_id, region, placed)`,
    });
    const { path } = await givenModel(api);
    const [customers, orders, first] = [
      await givenTable(api, path, 'customers'),
      await givenTable(api, path, 'orders'),
      await givenTable(api, path, 'orders', 'customer_orders'),
    ];
    const config = {
      groupBy: ['customer_id'],
      aggregations: [
        { column: 'placed', fn: 'min', as: 'first_placed' },
        { fn: 'count', as: 'orders' },
      ],
    };
    const step = await api.as('editor').post(`${first.path}/transforms`, { type: 'group_aggregate', config });
    expect(step.status, JSON.stringify(step.body)).toBe(200);
    const integer = { dataType: 'integer' };
    const date = { dataType: 'date' };
    const id = await givenField(api, customers.path, 'id', integer);
    const orderId = await givenField(api, orders.path, 'id', integer);
    const customer = await givenField(api, orders.path, 'customer_id', integer);
    const placed = await givenField(api, orders.path, 'placed', date);
    await givenField(api, orders.path, 'region');
    const key = await givenField(api, first.path, 'customer_id', integer);
    const firstPlaced = await givenField(api, first.path, 'first_placed', date);
    const count = await givenField(api, first.path, 'orders', integer);
    const ends = (to: typeof orders, toFieldId: string, cardinality: string) =>
      posted(api, `${path}/relationships`, {
        ...{ fromTableId: customers.id, fromFieldId: id, toTableId: to.id, toFieldId, cardinality },
      });
    await ends(orders, customer, '1:N');
    await ends(first, key, '1:1');

    const cohorts = {
      dimensions: [
        { fieldId: firstPlaced, grain: 'month', label: 'Cohort' },
        { fieldId: placed, grain: 'month', label: 'Month' },
      ],
      measures: [
        { label: 'Customers', expression: 'COUNT_DISTINCT([orders.customer_id])' },
        { label: 'Orders each', expression: 'AVG_PER(COUNT([orders.id]), [orders.customer_id])' },
      ],
    };
    expect((await ask(api.as('viewer'), path, cohorts)).rows).toEqual([
      ['2026-01-01', '2026-01-01', 3, 1],
      ['2026-01-01', '2026-02-01', 2, 1.5],
    ]);
    const sizes = { dimensions: [{ fieldId: count }], measures: [{ fieldId: id, aggregation: 'count' }] };
    expect((await ask(api.as('viewer'), path, sizes)).rows).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [null, 1],
    ]);
    const beside = {
      measures: [
        { label: 'All', fieldId: orderId, aggregation: 'count' },
        { label: 'Of eu', expression: 'COUNT([orders.id]) FILTER (WHERE [orders.region] = "eu")' },
        { label: 'Of us', expression: 'COUNT_IF([orders.region] = "us")' },
      ],
    };
    expect((await ask(api.as('viewer'), path, beside)).rows).toEqual([[6, 5, 1]]);

    // The first purchase of a reader is that of the rows that they may see.
    await givenPolicy(api, path, { tableId: orders.id });
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    expect((await ask(eu.caller, path, cohorts)).rows).toEqual([
      ['2026-01-01', '2026-01-01', 2, 1],
      ['2026-01-01', '2026-02-01', 1, 1],
      ['2026-02-01', '2026-02-01', 1, 2],
    ]);
  });
});
