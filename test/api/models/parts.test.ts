import { describe, expect } from 'vitest';
import { cleanUpItem } from '../../../shared/domains/access-clean-up/index.ts';
import { modelDefinitions } from '../../../shared/domains/models/index.ts';
import { type Api, it } from '../../support/api.ts';
import { givenField, givenModel, givenTable, posted } from '../../support/given/model.ts';

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

/** Two tables that can be joined. */
async function givenSales(api: Api) {
  const { id, path } = await givenModel(api);
  const customers = await givenTable(api, path, 'customers');
  const orders = await givenTable(api, path, 'orders');
  const key = await givenField(api, customers.path, 'id', { dataType: 'integer' });
  const region = await givenField(api, customers.path, 'region');
  const customer = await givenField(api, orders.path, 'customer', { dataType: 'integer' });
  const amount = await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const ends = { fromTableId: customers.id, fromFieldId: key, toTableId: orders.id, toFieldId: customer };
  return { id, path, customers, orders, key, region, customer, amount, ends };
}

const issuesOf = (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
  (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);

const LIMITS = { tables: 500, fields: 10_000, relationships: 2_000, hierarchies: 500, policies: 500, measures: 2_000 };

/** Fills a model with copies of its first part of each kind, up to the limits. */
async function fill(api: Api, modelId: string) {
  const definitions = modelDefinitions(api.table, (place, at) =>
    cleanUpItem(api.table, { kind: 'model', ...place }, at),
  );
  const before = await definitions.read({ workspaceId: api.workspaceId, modelId });
  const filled = Object.entries(LIMITS).map(([kind, count]) => {
    const parts = [...before[kind as keyof typeof LIMITS].values()];
    const copies = Array.from({ length: count - parts.length }, () => ({ ...parts[0]!, id: crypto.randomUUID() }));
    return [kind, new Map([...parts, ...copies].map((part) => [part.id, part]))];
  });
  await definitions.commit(before, { ...before, ...Object.fromEntries(filled) });
}

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

describe('relationships', () => {
  it('join fields of comparable types of two tables, once', async ({ api }) => {
    const { path, ends, region, orders } = await givenSales(api);
    const create = (body: object) => api.as('editor').post(`${path}/relationships`, { ...ends, ...body });
    const made = await create({});
    expect(made).toMatchObject({
      status: 201,
      body: { ...ends, joinType: 'left', cardinality: '1:N', isActive: true, aiDetected: false, revision: 1 },
    });
    const swapped = {
      fromTableId: ends.toTableId,
      fromFieldId: ends.toFieldId,
      toTableId: ends.fromTableId,
      toFieldId: ends.fromFieldId,
    };
    for (const reply of [await create({}), await create(swapped)])
      expect(reply).toMatchObject({ status: 409, body: { code: 'MODEL_RELATIONSHIP_EXISTS' } });
    expect(issuesOf(await create({ fromFieldId: region }))).toEqual(['/toFieldId WRONG_TYPE']);
    expect(issuesOf(await create({ fromTableId: crypto.randomUUID(), toFieldId: region }))).toEqual([
      '/fromTableId UNKNOWN_TABLE',
      '/toFieldId UNKNOWN_FIELD',
    ]);
    expect(issuesOf(await create({ fromTableId: orders.id, fromFieldId: ends.toFieldId }))).toEqual([
      '/toTableId SAME_TABLE',
    ]);
    const place = `${path}/relationships/${made.body.id}`;
    const changed = await api.as('editor').put(place, { cardinality: 'N:M', joinType: 'inner', aiDetected: true });
    expect(changed.body).toMatchObject({ cardinality: 'N:M', joinType: 'inner', aiDetected: true, isActive: true });
    const other = await givenField(api, orders.path, 'payer', { dataType: 'integer' });
    const second = await create({ toFieldId: other });
    expect(await api.as('editor').put(`${path}/relationships/${second.body.id}`, ends)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_RELATIONSHIP_EXISTS' },
    });
    expect((await api.as('editor').delete(place)).status).toBe(204);
    expect((await api.as('viewer').get(`${path}/relationships`)).body).toMatchObject({
      total: 1,
      items: [{ id: second.body.id }],
    });
  });

  it('go with a field or a table that they join', async ({ api }) => {
    const { path, ends, orders, customer } = await givenSales(api);
    await posted(api, `${path}/relationships`, ends);
    await api.as('editor').delete(`${orders.path}/fields/${customer}`);
    expect((await api.as('viewer').get(`${path}/relationships`)).body.total).toBe(0);
  });
});

describe('hierarchies', () => {
  it('have two to ten levels of fields, with labels', async ({ api }) => {
    const { path, customers, region, key, amount } = await givenSales(api);
    const levels = [{ fieldId: region, label: 'Area' }, { fieldId: key }];
    const create = (body: object) => api.as('editor').post(`${path}/hierarchies`, { name: 'Places', levels, ...body });
    const made = await create({ tableId: customers.id });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Places',
        tableId: customers.id,
        levels: [
          { fieldId: region, label: 'Area' },
          { fieldId: key, label: 'id' },
        ],
      },
    });
    expect(await create({ name: 'PLACES' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_HIERARCHY_NAME_TAKEN' },
    });
    const wrong = [{ fieldId: region }, { fieldId: region }, { fieldId: amount }, { fieldId: crypto.randomUUID() }];
    expect(issuesOf(await create({ name: 'x', tableId: customers.id, levels: wrong }))).toEqual([
      '/levels/1/fieldId DUPLICATE',
      '/levels/2/fieldId OTHER_TABLE',
      '/levels/3/fieldId UNKNOWN_FIELD',
    ]);
    expect((await create({ name: 'x', levels: levels.slice(1) })).status).toBe(400);
    expect(issuesOf(await create({ name: 'x', tableId: crypto.randomUUID() }))).toContain('/tableId UNKNOWN_TABLE');
    const across = await create({ name: 'Across', levels: [...levels, { fieldId: amount }] });
    expect(across.body).toMatchObject({ tableId: null });
    const place = `${path}/hierarchies/${across.body.id}`;
    expect(await api.as('editor').put(place, { name: 'places' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_HIERARCHY_NAME_TAKEN' },
    });
    await api.as('editor').delete(`${customers.path}/fields/${key}`);
    const left = (await api.as('viewer').get(`${path}/hierarchies`)).body;
    expect(left).toMatchObject({
      total: 1,
      items: [{ name: 'Across', levels: [{ label: 'Area' }, { label: 'amount' }] }],
    });
    expect((await api.as('editor').delete(place)).status).toBe(204);
  });
});

describe('row-level security policies', () => {
  it('are conditions over one table and the user, for subjects of the right shape', async ({ api }) => {
    const { path, customers, orders } = await givenSales(api);
    const body = {
      name: 'Own region',
      tableId: customers.id,
      filterExpression: '[customers.region] IN user.attr("region")',
      appliesTo: [
        { type: 'role', id: 'viewer' },
        { type: 'user', id: crypto.randomUUID() },
      ],
    };
    const create = (change: object) => api.as('owner').post(`${path}/rls`, { ...body, ...change });
    const made = await create({});
    expect(made).toMatchObject({ status: 201, body: { ...body, stale: false, diagnostics: [] } });
    expect(await create({})).toMatchObject({ status: 409, body: { code: 'MODEL_POLICY_NAME_TAKEN' } });
    for (const filterExpression of ['SUM([id]) > 1', '[orders.amount] > 1', '[id] + 1', '[nothing] = 1'])
      expect(issuesOf(await create({ name: 'x', filterExpression }))[0], filterExpression).toMatch(
        /^\/filterExpression /,
      );
    const appliesTo = [
      { type: 'everyone', id: 'x' },
      { type: 'role', id: 'boss' },
      { type: 'group' },
      { type: 'user', id: 'me' },
    ];
    expect(issuesOf(await create({ name: 'x', appliesTo, tableId: crypto.randomUUID() }))).toEqual([
      '/appliesTo/0/id CONFLICT',
      '/appliesTo/1/id ENUM',
      '/appliesTo/2/id REQUIRED',
      '/appliesTo/3/id FORMAT',
      '/tableId UNKNOWN_TABLE',
    ]);
    const place = `${path}/rls/${made.body.id}`;
    expect(issuesOf(await api.as('owner').put(place, { tableId: orders.id }))).toEqual(['/filterExpression REQUIRED']);
    const second = await create({ name: 'Second' });
    expect(await api.as('owner').put(`${path}/rls/${second.body.id}`, { name: 'own REGION' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_POLICY_NAME_TAKEN' },
    });
    await api.as('editor').put(customers.path, { alias: 'people' });
    const [renamed] = (await api.as('owner').get(`${path}/rls`)).body.items;
    expect(renamed).toMatchObject({ filterExpression: '[people.region] IN user.attr("region")', revision: 1 });
  });
});

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
    expect(await api.as('editor').delete(`${path}/measures/${revenue.id}`)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_MEASURE_REFERENCED', referencedBy: [{ type: 'measure', id: double.id, name: 'Double' }] },
    });
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

describe('a model', () => {
  it('has limits of its parts', async ({ api }) => {
    const { id, path, ends, orders, key, region } = await givenSales(api);
    await posted(api, `${path}/relationships`, ends);
    const levels = [{ fieldId: region }, { fieldId: key }];
    await posted(api, `${path}/hierarchies`, { name: 'h', levels });
    await posted(api, `${path}/measures`, { name: 'm', expression: '1' });
    const policy = { name: 'p', tableId: orders.id, filterExpression: 'TRUE', appliesTo: [{ type: 'everyone' }] };
    expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
    const table = { sourceSchema: '', sourceTable: 'x', alias: 'x' };
    const field = { name: 'x', fieldType: 'dimension', dataType: 'string' };
    const other = await givenField(api, orders.path, 'payer', { dataType: 'integer' });
    await fill(api, id);
    for (const [place, body] of [
      [`${path}/hierarchies`, { name: 'x', levels }],
      [`${path}/rls`, { ...policy, name: 'x' }],
      [`${path}/measures`, { name: 'x', expression: '1' }],
      [`${path}/relationships`, { ...ends, toFieldId: other }],
      [`${path}/tables`, table],
      [`${orders.path}/fields`, field],
    ] as const) {
      const reply = await api.as('owner').post(place, body);
      expect(reply, place).toMatchObject({ status: 409, body: { code: 'MODEL_TOO_LARGE' } });
    }
    const started = performance.now();
    expect((await api.as('editor').put(orders.path, { description: 'still fast' })).status).toBe(200);
    console.log(`one edit of a model of 15,500 parts: ${Math.round(performance.now() - started)} ms`);
  });
});
