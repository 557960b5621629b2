import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenShop } from '../../../support/given/shop.ts';

type Shop = Awaited<ReturnType<typeof givenShop>>;

/** Revenue by region and month of placing. */
const monthly = ({ fields, revenue }: Shop) => ({
  name: 'Monthly',
  dimensions: [{ fieldId: fields.region }, { fieldId: fields.placed, grain: 'month' }],
  measures: [{ measureId: revenue }, { fieldId: fields.amount, aggregation: 'count' }],
});

const planOf = async (api: Api, { path }: Shop, question: object) =>
  (await api.as('editor').post(`${path}/compile`, question)).body.plan as string[];

const rowsOf = async (api: Api, { path }: Shop, question: object, actor: 'viewer' | 'editor' = 'viewer') => {
  const reply = await api.as(actor).post(`${path}/query`, question);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.rows as unknown[][];
};

describe('a rollup of a model', () => {
  it('answers questions that fit, always from the newest data', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue, path } = shop;
    const rollup = await posted(api, `${path}/rollups`, monthly(shop));
    const average = { expression: '{Revenue} / COUNT([orders.amount])', label: 'mean' };
    const fitting = {
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: revenue }, average],
      filters: [{ fieldId: fields.region, op: 'not_null' }],
      totals: 'grand',
    };
    expect(await planOf(api, shop, fitting)).toEqual([
      'orders: computes SUM(orders.amount), SUM(orders.amount), COUNT(orders.amount) for each group from the rollup "Monthly".',
    ]);
    const first = await api.as('viewer').post(`${path}/query`, fitting);
    expect(first.body).toMatchObject({
      rows: [
        ['North', '30.50', 15.25],
        ['South', '5.25', 5.25],
      ],
      totals: [{ level: 0, row: [null, '35.75', 35.75 / 3] }],
    });
    const placed = (op: string, ...values: string[]) => ({ fieldId: fields.placed, op, values });
    const since = (...filters: object[]) => ({
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: revenue }],
      filters,
    });
    for (const filters of [
      [placed('gte', '2026-03-01'), placed('lt', '2026-04-01')],
      [placed('between', '2026-03-01', '2026-03-31')],
    ]) {
      expect(await planOf(api, shop, since(...filters))).toEqual([expect.stringMatching(/from the rollup "Monthly"/)]);
      expect(await rowsOf(api, shop, since(...filters))).toEqual([
        ['South', '5.25'],
        [null, '1.00'],
      ]);
    }
    const within = since(placed('between', '2026-03-01', '2026-03-05'));
    expect((await planOf(api, shop, within)).at(-1)).toMatch(/not used: it has no orders.placed/);
    expect(await rowsOf(api, shop, within)).toEqual([['South', '5.25']]);
    const years = { dimensions: [{ fieldId: fields.placed, grain: 'year' }], measures: [{ measureId: revenue }] };
    expect(await planOf(api, shop, years)).toHaveLength(1);
    expect(await rowsOf(api, shop, years)).toEqual([['2026-01-01', '36.75']]);

    const daily = { dimensions: [{ fieldId: fields.placed }], measures: [{ measureId: revenue }] };
    expect((await planOf(api, shop, daily)).at(-1)).toBe('The rollup "Monthly" is not used: it has no orders.placed.');
    expect(await rowsOf(api, shop, daily)).toHaveLength(4);

    await givenDataset(api, {
      name: 'orders',
      sql: `SELECT 9 AS id, 2 AS customer, 7.00::DECIMAL(9,2) AS amount, DATE '2027-01-01' AS placed, NULL::TIMESTAMPTZ AS shipped`,
    });
    expect(await rowsOf(api, shop, years)).toEqual([['2027-01-01', '7.00']]);

    // A column that is not what the model says: its sums are not stored as integers.
    const customers = { dimensions: [], measures: [{ fieldId: fields.customer, aggregation: 'sum' }] };
    const measures = [...monthly(shop).measures, ...customers.measures];
    expect((await api.as('editor').put(`${path}/rollups/${rollup.id}`, { measures })).status).toBe(200);
    expect(await rowsOf(api, shop, customers)).toEqual([['2']]);
    await givenDataset(api, {
      name: 'orders',
      sql: `SELECT 9 AS id, 2.5::DOUBLE AS customer, 7.00::DECIMAL(9,2) AS amount, DATE '2027-01-01' AS placed, NULL::TIMESTAMPTZ AS shipped`,
    });
    expect(await planOf(api, shop, customers)).toHaveLength(1);
    expect(await rowsOf(api, shop, customers)).toEqual([[2.5]]);

    expect((await api.as('editor').delete(`${path}/rollups/${rollup.id}`)).status).toBe(204);
    expect(await planOf(api, shop, years)).toEqual(['orders: computes SUM(orders.amount) for each group.']);
  });

  it('shows each reader only the rows and fields that row-level security and labels leave', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue, path, customers } = shop;
    await posted(api, `${path}/rollups`, monthly(shop));
    const question = { dimensions: [{ fieldId: fields.region }], measures: [{ measureId: revenue }] };
    const everything = await rowsOf(api, shop, question, 'editor');
    expect(everything).toHaveLength(3);
    expect(await rowsOf(api, shop, question)).toEqual(everything);
    for (const [role, condition] of [
      ['viewer', `[customers.name] = 'Bo'`],
      ['editor', '[customers.name] IS NOT NULL'],
    ]) {
      const policy = {
        name: role,
        tableId: customers.id,
        filterExpression: condition,
        appliesTo: [{ type: 'role', id: role }],
      };
      expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
    }
    expect(await rowsOf(api, shop, question)).toEqual([['South', '5.25']]);
    // Orders without a customer are hidden too.
    expect(await rowsOf(api, shop, question, 'editor')).toEqual(everything.slice(0, 2));
    const month = { dimensions: [{ fieldId: fields.placed, grain: 'month' }], measures: [{ measureId: revenue }] };
    expect(await rowsOf(api, shop, month)).toEqual([['2026-03-01', '5.25']]);

    const label = { sensitivityLabel: 'Private' };
    expect((await api.as('owner').put(`${customers.path}/fields/${fields.region}`, label)).status).toBe(200);
    expect((await planOf(api, shop, month)).at(-1)).toMatch('that you may not use');
    expect(await rowsOf(api, shop, month)).toEqual([['2026-03-01', '5.25']]);
    expect((await api.as('viewer').post(`${path}/query`, question)).status).toBe(400);
  });

  it('is checked, and follows the parts of its model', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue, path, orders } = shop;
    const { id } = await posted(api, `${path}/rollups`, monthly(shop));
    const editor = api.as('editor');
    expect((await editor.post(`${path}/rollups`, { ...monthly(shop), name: 'MONTHLY' })).body.code).toBe(
      'MODEL_ROLLUP_NAME_TAKEN',
    );
    const wrong = {
      name: 'Wrong',
      dimensions: [
        { fieldId: fields.region, grain: 'month' },
        { fieldId: revenue },
        { fieldId: fields.placed },
        { fieldId: fields.placed },
      ],
      measures: [
        {},
        { measureId: fields.region },
        { fieldId: fields.region },
        { measureId: revenue, aggregation: 'sum' },
      ],
    };
    expect(issuesOf(await editor.post(`${path}/rollups`, wrong))).toEqual([
      '/dimensions/0/grain TYPE',
      '/dimensions/1/fieldId UNKNOWN_FIELD',
      '/dimensions/3 DUPLICATE',
      '/measures/0 REQUIRED',
      '/measures/1/measureId UNKNOWN_MEASURE',
      '/measures/2/aggregation REQUIRED',
      '/measures/3/aggregation CONFLICT',
    ]);
    const changed = await editor.put(`${path}/rollups/${id}`, { name: 'By month' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'By month', revision: 2, measures: [{}, {}] } });
    const other = await posted(api, `${path}/rollups`, { ...monthly(shop), name: 'Other' });
    expect((await editor.put(`${path}/rollups/${id}`, { name: 'other' })).body.code).toBe('MODEL_ROLLUP_NAME_TAKEN');
    expect((await editor.delete(`${path}/rollups/${other.id}`)).status).toBe(204);
    const stored = async () => (await editor.get(`${path}/rollups`)).body.items;
    await editor.delete(`${path}/measures/${revenue}`);
    expect(await stored()).toMatchObject([{ measures: [{ fieldId: fields.amount }], dimensions: [{}, {}] }]);
    await editor.delete(`${orders.path}/fields/${fields.placed}`);
    expect(await stored()).toMatchObject([{ dimensions: [{ fieldId: fields.region }] }]);
    await editor.delete(`${orders.path}/fields/${fields.amount}`);
    expect(await stored()).toEqual([]);
    const measures = [{ fieldId: fields.customer, aggregation: 'count' }];
    for (let count = 0; count < 20; count += 1) await posted(api, `${path}/rollups`, { name: `r${count}`, measures });
    expect((await editor.post(`${path}/rollups`, { name: 'one more', measures })).body.code).toBe('MODEL_TOO_LARGE');
  });
});
