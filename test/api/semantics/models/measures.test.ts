import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenRevenue, givenSales, issuesOf, posted } from '../../../support/given/model.ts';

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

describe('measures', () => {
  it('are valid expressions, whose type follows from them', async ({ api }) => {
    const { path } = await givenSales(api);
    const create = (body: object) =>
      api.as('editor').post(`${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])', ...body });
    const made = await create({ folder: 'Sales', format: { kind: 'currency', currency: 'EUR' } });
    expect(made).toMatchObject({
      status: 201,
      body: {
        dataType: 'decimal',
        folder: 'Sales',
        stale: false,
        diagnostics: [],
        dependsOn: { measures: [] },
        isHidden: false,
      },
    });
    expect(await create({ name: 'REVENUE' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_MEASURE_NAME_TAKEN' },
    });
    const wrong = await create({ name: 'x', expression: 'SUM([orders.amuont])' });
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: '/expression', code: '2001', position: { line: 1, column: 5, offset: 4 } }],
        diagnostics: [{ code: 2001, from: 4, to: 19 }],
      },
    });
    expect(issuesOf(await create({ name: 'x', dataType: 'integer' }))).toEqual(['/expression 3005']);
    expect((await create({ name: 'wide', dataType: 'number' })).body.dataType).toBe('number');
    const average = await create({ name: 'Average', expression: '{Revenue} / COUNT([orders.customer])' });
    expect(average.body).toMatchObject({ dataType: 'number', dependsOn: { measures: [made.body.id] } });
    expect(names(await api.as('viewer').get(`${path}/measures`))).toEqual(['Average', 'Revenue', 'wide']);
  });

  it('follow new names, become stale with what they use, and recover with it', async ({ api }) => {
    const { path, orders, amount } = await givenSales(api);
    const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const double = await posted(api, `${path}/measures`, { name: 'Double', expression: '{Revenue} * 2' });
    const read = async (id: string) => (await api.as('viewer').get(`${path}/measures/${id}`)).body;
    await api.as('editor').put(`${path}/measures/${revenue.id}`, { name: 'Turnover' });
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { name: 'net amount' });
    await api.as('editor').put(orders.path, { alias: 'sales' });
    expect(await read(revenue.id)).toMatchObject({
      name: 'Turnover',
      expression: 'SUM([sales.net amount])',
      stale: false,
    });
    expect(await read(double.id)).toMatchObject({ expression: '{Turnover} * 2', stale: false, revision: 1 });
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { dataType: 'string', aggregation: 'none' });
    expect(await read(double.id)).toMatchObject({ stale: true, diagnostics: [{ severity: 'error' }] });
    expect((await api.as('viewer').get(path)).body).toMatchObject({ staleMeasures: 2, health: { errors: 4 } });
    expect((await api.as('editor').put(`${path}/measures/${double.id}`, { folder: 'Old' })).status).toBe(200);
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { dataType: 'decimal' });
    expect((await api.as('viewer').get(path)).body).toMatchObject({ staleMeasures: 0 });
    const circle = await api.as('editor').put(`${path}/measures/${revenue.id}`, { expression: '{Double}' });
    expect(issuesOf(circle)).toEqual(['/expression 4001']);
  });

  it('are deleted only when nothing uses them, and free their name', async ({ api }) => {
    const { path } = await givenSales(api);
    const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const double = await posted(api, `${path}/measures`, { name: 'Double', expression: '{Revenue} * 2' });
    const rejected = await api.as('editor').delete(`${path}/measures/${revenue.id}`);
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'measure', id: double.id, name: 'Double' }] },
    });
    // The impact is that on other objects.
    expect(await api.as('editor').get(rejected.body.impact)).toMatchObject({ status: 200, body: { affected: [] } });
    for (const { id } of [double, revenue])
      expect((await api.as('editor').delete(`${path}/measures/${id}`)).status).toBe(204);
    expect((await api.as('viewer').get(`${path}/measures/${revenue.id}`)).status).toBe(404);
    expect((await api.as('viewer').get(`${path}/measures`)).body.total).toBe(0);
    const again = await posted(api, `${path}/measures`, { name: 'revenue', expression: 'MAX([orders.amount])' });
    const other = await posted(api, `${path}/measures`, { name: 'other', expression: '1' });
    expect(await api.as('editor').put(`${path}/measures/${other.id}`, { name: 'Revenue' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_MEASURE_NAME_TAKEN' },
    });
    expect(again.id).not.toBe(revenue.id);
  });

  it('are validated without being saved: errors are diagnostics', async ({ api }) => {
    const { path, orders, amount } = await givenSales(api);
    const validate = async (body: object) => (await api.as('viewer').post(`${path}/measures/validate`, body)).body;
    expect(await validate({ expression: 'SUM([orders.amount])' })).toEqual({
      ok: true,
      diagnostics: [],
      dataType: 'decimal',
      dependsOn: { fields: [amount], measures: [] },
      additive: 'full',
    });
    expect(await validate({ expression: '[orders.amount]', name: 'x' })).toMatchObject({
      ok: false,
      additive: null,
      dataType: null,
    });
    expect(await validate({ expression: '' })).toMatchObject({ ok: false });
    expect(
      await api.as('viewer').post(`${path}/measures/validate`, { expression: '1', measureId: amount }),
    ).toMatchObject({
      status: 404,
      body: { code: 'MODEL_MEASURE_NOT_FOUND' },
    });
    const row = async (body: object) => (await api.as('viewer').post(`${path}/validate-expression`, body)).body;
    expect(await row({ expression: '[amount] * 2', tableId: orders.id })).toEqual({
      ok: true,
      diagnostics: [],
      dataType: 'decimal',
    });
    expect(await row({ expression: '[customers.region]', tableId: orders.id })).toMatchObject({ ok: false });
    expect(await row({ expression: '[customers.region]' })).toMatchObject({ ok: true, dataType: 'string' });
    expect(
      await api.as('viewer').post(`${path}/validate-expression`, { expression: '1', tableId: amount }),
    ).toMatchObject({
      status: 404,
      body: { code: 'MODEL_TABLE_NOT_FOUND' },
    });
  });
});

describe('the preview of a measure', () => {
  it('is its SQL in a dialect, the same each time, or says why there is none', async ({ api }) => {
    const { path, orders, amount, revenue } = await givenRevenue(api);
    const preview = async (body: object = {}) =>
      (await api.as('viewer').post(`${path}/measures/${revenue}/preview`, body)).body;
    const first = await preview();
    expect(first).toMatchObject({ dialect: 'duckdb', params: [], diagnostics: [] });
    expect(first.sql).toMatch(/sum.*"orders"\."amount"/i);
    expect(await preview()).toEqual(first);
    expect((await preview({ dialect: 'postgres' })).sql).toMatch(/sum/i);
    expect(await api.as('viewer').post(`${path}/measures/${revenue}/preview`, { dialect: 'oracle' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/dialect', code: 'ENUM' }] },
    });
    await api.as('editor').delete(`${orders.path}/fields/${amount}`);
    expect(await preview()).toMatchObject({ sql: null, diagnostics: [{ code: 2001 }] });
  });
});

describe('measures over tables that cannot be joined', () => {
  it('are refused when they are saved, become stale with the relationship, and keep the model from being published', async ({
    api,
  }) => {
    const { path, ends } = await givenSales(api);
    const expression = 'SUM([orders.amount] * [customers.id])';
    const create = (text: string, name = 'Weighted') =>
      api.as('editor').post(`${path}/measures`, { name, expression: text });
    const code = (text: string) => create(text).then((reply) => issuesOf(reply));
    expect(await code(expression)).toEqual(['/expression 5001']);
    expect(await code('1 + SUM([orders.amount] * [customers.id])')).toEqual(['/expression 5001']);
    expect((await create('1 + SUM([orders.amount] * [customers.id])')).body).toMatchObject({
      diagnostics: [{ code: 5001, severity: 'error', from: 4, to: 41 }],
    });
    const validate = async () => (await api.as('viewer').post(`${path}/measures/validate`, { expression })).body;
    expect(await validate()).toMatchObject({ ok: false, diagnostics: [{ code: 5001 }] });

    const many = await posted(api, `${path}/relationships`, { ...ends, cardinality: 'N:M' });
    expect(await code(expression)).toEqual(['/expression 5003']);
    const place = `${path}/relationships/${many.id}`;
    await api.as('editor').put(place, { cardinality: '1:N', isActive: false });
    expect(await code(expression)).toEqual(['/expression 5004']);
    await api.as('editor').put(place, { isActive: true });
    const second = await posted(api, `${path}/relationships`, {
      ...ends,
      fromFieldId: await keyOf(api, path, 'number'),
    });
    expect(await code(expression)).toEqual(['/expression 5002']);
    await api.as('editor').delete(`${path}/relationships/${second.id}`);
    expect(await validate()).toMatchObject({ ok: true });
    const weighted = await create(expression);
    expect(weighted.status).toBe(201);
    expect((await create('{Weighted} / 2', 'Half')).status).toBe(201);
    // Each aggregate is computed by itself, so a measure of two tables needs no path between them.
    await api.as('editor').put(place, { isActive: false });
    expect((await create('SUM([orders.amount]) / COUNT([customers.id])', 'Ratio')).status).toBe(201);

    const read = async () => (await api.as('viewer').get(`${path}/measures/${weighted.body.id}`)).body;
    expect(await read()).toMatchObject({ stale: true, diagnostics: [{ code: 5004, from: 0, to: 37 }] });
    const model = (await api.as('viewer').get(path)).body;
    expect(model).toMatchObject({ staleMeasures: 2, health: { errors: 4 } });
    const refused = await api.as('editor').post(`${path}/publish`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PUBLISH_GATE' } });
    const stale = refused.body.reasons.filter((reason: { code: string }) => reason.code === 'MEASURE_STALE');
    expect(stale.map(({ part }: { part: { name: string } }) => part.name).sort()).toEqual(['Half', 'Weighted']);
    await api.as('editor').put(place, { isActive: true });
    expect(await read()).toMatchObject({ stale: false, diagnostics: [] });
  });

  it('do not compare periods of what compares periods already', async ({ api }) => {
    const { path } = await givenSales(api);
    const measure = (name: string, expression: string) =>
      api.as('editor').post(`${path}/measures`, { name, expression });
    expect((await measure('To date', "CUMULATIVE(SUM([orders.amount]), 'year')")).status).toBe(201);
    expect((await measure('Share', 'SHARE(SUM([orders.amount]))')).status).toBe(201);
    for (const text of [
      "PRIOR({To date}, 'year')",
      "PRIOR({Share}, 'month')",
      'TOTAL({To date})',
      'CUMULATIVE({To date})',
      "TRAILING({To date}, 'month')",
      "TRAILING({Share}, 'month')",
    ])
      expect(issuesOf(await measure('x', text)), text).toEqual(['/expression 3003']);
    expect((await measure('Place', 'RANK({Share})')).status).toBe(201);
    for (const text of ['RANK({Place})', 'TOTAL({Place})', 'SHARE_OF_PARENT({To date})'])
      expect(issuesOf(await measure('x', text)), text).toEqual(['/expression 3003']);
    expect((await measure('x', 'CUMULATIVE({Share})')).status).toBe(201);
  });
});

/** A further field of the customers. */
async function keyOf(api: Api, path: string, name: string): Promise<string> {
  const { items } = (await api.as('viewer').get(`${path}/tables`)).body;
  const { id } = items.find(({ alias }: { alias: string }) => alias === 'customers');
  return givenField(api, `${path}/tables/${id}`, name, { dataType: 'integer' });
}
