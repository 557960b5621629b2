import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenSales, givenTable, issuesOf, posted } from '../../../support/given/model.ts';

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

describe('tables of a model', () => {
  it('are added, listed by alias, changed and removed', async ({ api }) => {
    const { path } = await givenModel(api);
    const orders = await givenTable(api, path, 'orders');
    await givenTable(api, path, 'Customers');
    const list = await api.as('viewer').get(`${path}/tables`);
    expect(list.body.items.map(({ alias }: { alias: string }) => alias)).toEqual(['Customers', 'orders']);
    expect(list.body).toMatchObject({ total: 2, limit: 1000, offset: 0 });
    expect((await api.as('viewer').get(`${path}/tables?limit=1&offset=1`)).body.items).toMatchObject([
      { id: orders.id },
    ]);
    const changed = await api.as('editor').put(orders.path, { alias: 'sales', description: 'Orders' });
    expect(changed.body).toMatchObject({ alias: 'sales', sourceTable: 'orders', revision: 2, missing: true });
    await givenField(api, orders.path, 'amount');
    const [, withFields] = (await api.as('viewer').get(`${path}/tables?includeFields=true`)).body.items;
    expect(withFields).toMatchObject({ id: orders.id, fields: [{ name: 'amount', missing: true }] });
    expect((await api.as('editor').delete(orders.path)).status).toBe(204);
    expect((await api.as('viewer').get(orders.path)).status).toBe(404);
    expect((await api.as('viewer').get(`${path}/fields`)).body.total).toBe(0);
    expect((await api.as('viewer').get(path)).body).toMatchObject({ tableCount: 1, revision: 1 });
  });

  it('have an alias of their own, whatever its case', async ({ api }) => {
    const { path } = await givenModel(api);
    await givenTable(api, path, 'orders');
    const other = await givenTable(api, path, 'other');
    const taken = { status: 409, body: { code: 'MODEL_ALIAS_TAKEN' } };
    const body = { sourceSchema: '', sourceTable: 'orders', alias: 'ORDERS' };
    expect(await api.as('editor').post(`${path}/tables`, body)).toMatchObject(taken);
    expect(await api.as('editor').put(other.path, { alias: 'Orders' })).toMatchObject(taken);
    expect((await api.as('editor').put(other.path, { alias: 'OTHER' })).status).toBe(200);
    expect((await api.as('editor').post(`${path}/tables`, { ...body, alias: 'returned orders' })).status).toBe(201);
  });

  it('with row-level security are neither removed nor pointed elsewhere, so that no editor can lift it', async ({
    api,
  }) => {
    const { path, orders } = await givenSales(api);
    const policy = { name: 'None', tableId: orders.id, filterExpression: 'FALSE', appliesTo: [{ type: 'everyone' }] };
    const made = await api.as('owner').post(`${path}/rls`, policy);
    const refused = {
      status: 409,
      body: { code: 'MODEL_TABLE_PROTECTED', referencedBy: [{ type: 'policy', id: made.body.id, name: 'None' }] },
    };
    expect(await api.as('editor').delete(orders.path)).toMatchObject(refused);
    expect(await api.as('editor').put(orders.path, { sourceTable: 'other' })).toMatchObject(refused);
    expect((await api.as('editor').put(orders.path, { alias: 'sales' })).status).toBe(200);
    expect((await api.as('owner').delete(`${path}/rls/${made.body.id}`)).status).toBe(204);
    expect((await api.as('editor').delete(orders.path)).status).toBe(204);
  });

  it('are added by a repeated request only once', async ({ api }) => {
    const { path } = await givenModel(api);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { sourceSchema: '', sourceTable: 'orders', alias: 'orders' };
    const first = await api.as('editor').post(`${path}/tables`, body, { headers });
    expect(await api.as('editor').post(`${path}/tables`, body, { headers })).toMatchObject({
      status: 201,
      body: first.body,
    });
    expect((await api.as('editor').get(`${path}/tables`)).body.total).toBe(1);
  });

  it('of many editors at once are all there', async ({ api }) => {
    const { path } = await givenModel(api);
    const aliases = Array.from({ length: 8 }, (_, index) => `t${index}`);
    await Promise.all(aliases.map((alias) => givenTable(api, path, alias)));
    const { items, total } = (await api.as('viewer').get(`${path}/tables`)).body;
    expect([total, items.map(({ alias }: { alias: string }) => alias)]).toEqual([8, aliases]);
    expect((await api.as('viewer').get('/api/models')).body.items[0].tableCount).toBe(8);
  });
});

describe('fields of a model', () => {
  it('have the column of their name, and defaults by their type', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const create = async (body: object) => (await posted(api, `${table}/fields`, body)) as object;
    expect(await create({ name: 'amount', fieldType: 'measure', dataType: 'decimal' })).toMatchObject({
      sourceColumn: 'amount',
      aggregation: 'sum',
      ordinal: 1,
      isHidden: false,
      expression: null,
      revision: 1,
    });
    expect(
      await create({ name: 'Kunde', sourceColumn: 'customer', fieldType: 'dimension', dataType: 'string' }),
    ).toMatchObject({
      sourceColumn: 'customer',
      aggregation: 'none',
      ordinal: 2,
    });
    const hidden = { name: 'code', fieldType: 'measure', dataType: 'string', isHidden: true };
    expect(await create(hidden)).toMatchObject({ aggregation: 'count', ordinal: 3 });
    expect(names(await api.as('viewer').get(`${table}/fields`))).toEqual(['amount', 'Kunde', 'code']);
    expect(names(await api.as('viewer').get(`${path}/fields`))).toEqual(['amount', 'Kunde']);
    expect(names(await api.as('viewer').get(`${path}/fields?limit=1&offset=1`))).toEqual(['Kunde']);
  });

  it('are changed in every member, and moved in the order', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const month = await givenField(api, table, 'month');
    const number = await givenField(api, table, 'month number', { dataType: 'integer' });
    const change = {
      name: 'Month',
      sourceColumn: 'm',
      fieldType: 'dimension',
      dataType: 'string',
      aggregation: 'count_distinct',
      format: 'MMMM',
      description: 'By name',
      isHidden: true,
      sortByField: number,
      semanticType: 'month',
      isMetric: true,
      ordinal: 9,
      sensitivityLabel: 'internal',
    };
    const reply = await api.as('editor').put(`${table}/fields/${month}`, change);
    expect(reply).toMatchObject({ status: 200, body: { ...change, revision: 2 } });
    expect(names(await api.as('viewer').get(`${table}/fields`))).toEqual(['month number', 'Month']);
    expect((await api.as('editor').delete(`${table}/fields/${number}`)).status).toBe(204);
    expect((await api.as('viewer').get(`${table}/fields`)).body.items).toMatchObject([
      { sortByField: null, revision: 3 },
    ]);
  });

  it('read a column that the table has, as far as its columns are known', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.5 AS amount, 3 AS spare' });
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const create = (body: object) =>
      api.as('editor').post(`${table}/fields`, { name: 'Net', fieldType: 'dimension', dataType: 'decimal', ...body });
    const wrong = await create({ sourceColumn: 'amuont' });
    expect(wrong.body.errors).toEqual([
      {
        pointer: '/sourceColumn',
        code: 'UNKNOWN_COLUMN',
        message: '"amuont" is not a column of orders; did you mean "amount"?',
      },
    ]);
    expect(issuesOf(await create({}))).toEqual(['/sourceColumn UNKNOWN_COLUMN']);
    const made = await create({ sourceColumn: 'amount' });
    expect(made.status).toBe(201);
    const place = `${table}/fields/${made.body.id}`;
    expect(issuesOf(await api.as('editor').put(place, { sourceColumn: 'gone' }))).toEqual([
      '/sourceColumn UNKNOWN_COLUMN',
    ]);
    // The columns are those after the steps.
    const step = { type: 'rename_column', config: { from: 'spare', to: 'rest' } };
    expect((await api.as('editor').post(`${table}/transforms`, step)).status).toBe(200);
    expect(issuesOf(await create({ name: 'Rest', sourceColumn: 'spare' }))).toEqual(['/sourceColumn UNKNOWN_COLUMN']);
    expect((await create({ name: 'Rest', sourceColumn: 'rest' })).status).toBe(201);
    const unknown = await givenTable(api, path, 'nowhere');
    await givenField(api, unknown.path, 'anything');
    const file = (await api.as('editor').get(`${path}/file`)).body as string;
    const imported = await api.as('editor').send('PUT', `${path}/file`, {
      text: file.replace('sourceColumn: amount', 'sourceColumn: amuont'),
      headers: { 'content-type': 'application/yaml' },
    });
    expect(imported.status).toBe(400);
    expect(issuesOf(imported)).toEqual([expect.stringMatching(/sourceColumn UNKNOWN_COLUMN$/)]);
  });

  it('have a name of their own in the table', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const { path: other } = await givenTable(api, path, 'other');
    await givenField(api, table, 'amount');
    const second = await givenField(api, table, 'second');
    await givenField(api, other, 'amount');
    const taken = { status: 409, body: { code: 'MODEL_FIELD_NAME_TAKEN' } };
    const body = { name: 'AMOUNT', fieldType: 'dimension', dataType: 'string' };
    expect(await api.as('editor').post(`${table}/fields`, body)).toMatchObject(taken);
    expect(await api.as('editor').put(`${table}/fields/${second}`, { name: 'Amount' })).toMatchObject(taken);
  });

  it('are calculated from others of their table, whose new names they follow', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const price = await givenField(api, table, 'price', { dataType: 'decimal' });
    await givenField(api, table, 'quantity', { dataType: 'integer' });
    const total = {
      name: 'total',
      fieldType: 'calculated',
      dataType: 'decimal',
      expression: '[price] * [orders.quantity]',
    };
    const { id, ...made } = await posted(api, `${table}/fields`, total);
    expect(made).toMatchObject({ expression: total.expression, sourceColumn: null, stale: false, missing: false });
    await api.as('editor').put(`${table}/fields/${price}`, { name: 'unit price' });
    await api.as('editor').put(table, { alias: 'sales' });
    const read = async () =>
      (await api.as('viewer').get(`${table}/fields`)).body.items.find((each: { id: string }) => each.id === id);
    expect(await read()).toMatchObject({ expression: '[unit price] * [sales.quantity]', stale: false, revision: 1 });
    await api.as('editor').delete(`${table}/fields/${price}`);
    expect(await read()).toMatchObject({ stale: true });
    expect((await api.as('viewer').get(path)).body.health.errors).toBeGreaterThan(0);
    const plain = await api.as('editor').put(`${table}/fields/${id}`, { fieldType: 'dimension' });
    expect(plain.body).toMatchObject({ expression: null, sourceColumn: 'total', stale: false });
  });

  it('report everything that is wrong with them', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const elsewhere = await givenField(api, (await givenTable(api, path, 'other')).path, 'x');
    const create = (body: object) =>
      api.as('editor').post(`${table}/fields`, { name: 'a', fieldType: 'dimension', dataType: 'string', ...body });
    expect(issuesOf(await create({ aggregation: 'sum', expression: '1', sortByField: elsewhere }))).toEqual([
      '/expression CONFLICT',
      '/aggregation WRONG_TYPE',
      '/sortByField UNKNOWN_FIELD',
    ]);
    expect(issuesOf(await create({ fieldType: 'calculated', sourceColumn: 'a' }))).toEqual([
      '/expression REQUIRED',
      '/sourceColumn CONFLICT',
    ]);
    const broken = await create({ fieldType: 'calculated', expression: '[b] +\n [c' });
    expect(broken).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '/expression', code: '2001' },
          { pointer: '/expression', code: '1001' },
        ],
      },
    });
    const a = await givenField(api, table, 'a');
    const b = await givenField(api, table, 'b', { sortByField: a });
    expect(issuesOf(await api.as('editor').put(`${table}/fields/${a}`, { sortByField: b }))).toEqual([
      '/sortByField CYCLE',
    ]);
  });
});
