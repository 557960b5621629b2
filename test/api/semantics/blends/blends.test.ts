import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { executed, givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenField, givenTable, issuesOf } from '../../../support/given/model.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';

describe('blends', () => {
  it('are shared with members and groups of the workspace, and deleted in the revision that was read', async ({
    api,
  }) => {
    const { body } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const owner = api.as('owner');
    await api.joinAll();
    const { userId } = (await owner.get('/api/workspaces/members')).body.items.find(
      ({ role }: { role: string }) => role === 'viewer',
    );
    expect(await owner.put(`${path}/access/user/${UNKNOWN}`, { level: 'editor' })).toMatchObject({
      body: { code: 'MEMBER_NOT_FOUND' },
    });
    expect(await owner.put(`${path}/access/group/${UNKNOWN}`, { level: 'editor' })).toMatchObject({
      body: { code: 'GROUP_NOT_FOUND' },
    });
    expect((await owner.put(`${path}/access/user/${userId}`, { level: 'editor' })).status).toBeLessThan(300);
    expect((await owner.get(`${path}/access`)).body.items).toMatchObject([{ level: 'editor' }]);
    expect((await owner.delete(`${path}/access/user/${userId}`)).status).toBeLessThan(300);
    expect((await owner.get(`${path}/access`)).body.items).toEqual([]);
    expect(await owner.delete(path, { headers: { 'if-match': '"999"' } })).toMatchObject({ status: 412 });
    expect((await owner.get(path)).status).toBe(200);
  });

  it('are created, read, replaced, listed and deleted', async ({ api }) => {
    const { body, fields, orders, cases, shop, desk } = await givenShopAndDesk(api);
    const made = await api.as('editor').post('/api/composite-models', body);
    const key = {
      ...{ left: 'customer', right: 'who', leftFieldId: fields.customer, rightFieldId: fields.who },
      ...{ as: 'auto', caseInsensitive: false, trim: false, matchNulls: false, timezone: null },
    };
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{
          name: body.name,
          description: null,
          leftModelId: shop.id,
          rightModelId: desk.id,
          keys: [key],
          revision: 1,
        },
        check: { leftUnique: false, rightUnique: false, overlap: 0.6 },
      },
    });
    const path = `/api/composite-models/${made.body.id}`;
    expect((await api.as('viewer').get(path)).body).toMatchObject({
      stale: false,
      diagnostics: [],
      usedBy: [],
      keys: [key],
    });
    const replacing = { ...body, name: 'Cases of orders', keys: [{ left: fields.customer, right: 'WHO', trim: true }] };
    const replaced = await api.as('editor').put(path, replacing, { headers: { 'if-match': '"1"' } });
    expect(replaced).toMatchObject({
      status: 200,
      body: { name: 'Cases of orders', revision: 2, keys: [{ trim: true }] },
    });
    expect(await api.as('editor').put(path, replacing, { headers: { 'if-match': '"1"' } })).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    const other = await givenBlend(api, { ...body, name: 'Another' });
    const taken = { status: 409, body: { code: 'BLEND_NAME_TAKEN' } };
    expect(await api.as('editor').post('/api/composite-models', { ...body, name: 'ANOTHER' })).toMatchObject(taken);
    expect(await api.as('editor').put(path, { ...body, name: 'another' })).toMatchObject(taken);
    const names = async (query: string) =>
      (await api.as('viewer').get(`/api/composite-models?${query}`)).body.items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('sort=name')).toEqual(['Another', 'Cases of orders']);
    expect(await names('search=cases')).toEqual(['Cases of orders']);
    expect((await api.as('stranger').get('/api/composite-models')).body.total).toBe(0);
    expect(await api.as('viewer').get('/api/composite-models?offset=20000')).toMatchObject({ status: 400 });
    for (const table of [orders, cases])
      expect(await api.as('editor').delete(table.path)).toMatchObject({
        status: 409,
        body: {
          code: 'REFERENCED',
          referencedBy: expect.arrayContaining([{ type: 'blend', id: made.body.id, name: 'Cases of orders' }]),
        },
      });
    expect(await api.as('editor').delete(shop.path)).toMatchObject({
      status: 409,
      body: {
        code: 'REFERENCED',
        referencedBy: expect.arrayContaining([{ type: 'blend', id: made.body.id, name: 'Cases of orders' }]),
        impact: `/api/catalog/impact/model/${shop.id}`,
      },
    });
    expect(await api.as('editor').delete(path)).toMatchObject({ status: 200, body: { id: made.body.id } });
    await api.as('editor').delete(other.path);
    for (const reply of [
      await api.as('viewer').get(path),
      await api.as('editor').put(path, body),
      await api.as('editor').delete(path),
      await api.as('viewer').post(`${path}/execute`, { leftColumns: ['id'], rightColumns: [] }),
      await api.as('editor').get(`${path}/access`),
      await api.as('owner').put(`${path}/access/user/${shop.id}`, { level: 'editor' }),
      await api.as('owner').delete(`${path}/access/user/${shop.id}`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'BLEND_NOT_FOUND' } });
    expect((await api.as('editor').delete(orders.path)).status).toBe(204);
  });

  it('are rejected with every issue, and nothing is stored', async ({ api }) => {
    const { body, fields } = await givenShopAndDesk(api);
    const create = (change: object) => api.as('editor').post('/api/composite-models', { ...body, ...change });
    const issues = async (change: object) => issuesOf(await create(change));
    expect(await issues({ rightAlias: 'ORDERS' })).toEqual(['/rightAlias CONFLICT']);
    expect(await issues({ leftTableId: fields.id, rightTableId: fields.id })).toEqual([
      '/leftTableId UNKNOWN_TABLE',
      '/rightTableId UNKNOWN_TABLE',
    ]);
    const unknown = await create({ keys: [{ left: 'custumer', right: 'nothing' }] });
    expect(issuesOf(unknown)).toEqual(['/keys/0/left UNKNOWN_FIELD', '/keys/0/right UNKNOWN_FIELD']);
    expect(unknown.body.errors[0].message).toContain('customer');
    const key = { left: 'customer', right: 'who' };
    expect(await issues({ keys: [key, key] })).toEqual(['/keys/1 CONFLICT']);
    expect(await issues({ keys: [] })).toHaveLength(1);
    expect(await create({ keys: [{ left: 'id', right: 'who' }] })).toMatchObject({
      status: 400,
      body: {
        code: 'BLEND_KEY_TYPE',
        left: 'integer',
        right: 'text',
        suggestion: 'integer',
        errors: [{ pointer: '/keys/0/as', code: 'BLEND_KEY_TYPE' }],
      },
    });
    expect(await create({ keys: [{ left: 'placed', right: 'minutes' }] })).toMatchObject({
      status: 400,
      body: { code: 'BLEND_KEY_TYPE', suggestion: null },
    });
    expect(await issues({ keys: [{ left: 'id', right: 'number', trim: true }] })).toEqual(['/keys/0/trim CONFLICT']);
    expect(await issues({ keys: [{ ...key, timezone: 'Mars/Base' }] })).toEqual(['/keys/0/timezone UNKNOWN_TIMEZONE']);
    expect(await issues({ keys: [{ ...key, timezone: 'UTC' }] })).toEqual(['/keys/0/timezone CONFLICT']);
    expect((await api.as('viewer').get('/api/composite-models')).body.total).toBe(0);
    expect((await api.as('viewer').post('/api/composite-models', body)).status).toBe(403);
  });

  it('join the rows of two models, and say in words what may be wrong with them', async ({ api }) => {
    const { body } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const sort = [{ column: 'orders.id' }, { column: 'cases.number' }];
    const wanted = { leftColumns: ['id', 'amount'], rightColumns: ['number'], sort };
    const left = await executed(api, path, wanted);
    expect(left).toMatchObject({
      columns: [
        { name: 'orders.id', side: 'left', type: 'integer' },
        { name: 'orders.amount', side: 'left', type: 'decimal' },
        { name: 'cases.number', side: 'right', type: 'integer' },
      ],
      rows: [
        [1, '10.00', 100],
        [2, '20.00', 101],
        [2, '20.00', 102],
        [3, '5.50', 101],
        [3, '5.50', 102],
        [4, '1.00', null],
        [5, '2.00', null],
      ],
      ...{ rowCount: 7, totalRows: 7, truncated: false },
      warnings: [{ code: 'FAN_OUT', factor: 1.67 }],
      stats: {
        ...{ cache: 'miss', pushedDown: null, leftRows: 5, rightRows: 5, leftNullKeys: 1, rightNullKeys: 1 },
        ...{ leftUnconverted: 0, rightUnconverted: 0, matchedLeft: 3, unmatchedLeft: 2, unmatchedRight: 2 },
        ...{ leftUnique: false, rightUnique: false, maxMultiplicity: 2 },
      },
    });
    expect((await executed(api, path, wanted)).stats.cache).toBe('hit');
    const inner = await executed(api, path, { ...wanted, joinType: 'inner', limit: 2 });
    expect(inner).toMatchObject({ rowCount: 2, totalRows: 5, truncated: true });
    expect(inner.warnings.map(({ code }: { code: string }) => code)).toEqual(['FAN_OUT', 'TRUNCATED']);
    const full = await executed(api, path, { ...wanted, joinType: 'full' });
    expect(full.rows.slice(-2)).toEqual([
      [null, null, 103],
      [null, null, 104],
    ]);
    const none = await executed(api, path, {
      ...wanted,
      leftFilters: [{ expression: "[orders.customer] = 'eve'" }],
    });
    expect(none).toMatchObject({ rows: [[5, '2.00', null]], warnings: [{ code: 'NO_MATCH' }] });
    const empty = await executed(api, path, { ...wanted, rightFilters: [{ expression: '[cases.minutes] > 100' }] });
    expect(empty).toMatchObject({
      rowCount: 5,
      columns: [{}, {}, { type: 'integer' }],
      warnings: [{ code: 'NO_MATCH' }],
    });
    expect(empty.warnings[0].message).toContain('cases has no rows');
  });

  it('match nulls only where a key says so', async ({ api }) => {
    const { body } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, { ...body, keys: [{ left: 'customer', right: 'who', matchNulls: true }] });
    const { rows } = await executed(api, path, {
      leftColumns: ['id'],
      rightColumns: ['number'],
      joinType: 'inner',
      sort: [{ column: 'orders.id' }],
    });
    expect(rows.at(-1)).toEqual([4, 103]);
  });

  it('filter each side by whether a column has a value, also by columns that they do not return', async ({ api }) => {
    const { body, fields } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const wanted = { leftColumns: ['id'], rightColumns: [], sort: [{ column: 'orders.id' }] };
    const ids = async (request: object) =>
      (await executed(api, path, { ...wanted, ...request })).rows.map(([id]: unknown[]) => id);
    const having = (fieldId: string, op: string) => [{ fieldId, op }];
    expect(await ids({ leftFilters: having(fields.customer, 'is_null') })).toEqual([4]);
    expect(await ids({ leftFilters: having(fields.customer, 'not_null') })).toEqual([1, 2, 2, 3, 3, 5]);
    expect(await ids({ joinType: 'inner', rightFilters: having(fields.who, 'not_null') })).toEqual([1, 2, 2, 3, 3]);
    expect(await ids({ joinType: 'inner', rightFilters: having(fields.who, 'is_null') })).toEqual([]);
    const { read } = await givenCards(api, [
      card(
        'named',
        chart({
          source: { kind: 'blend', id: path.split('/').at(-1) },
          measures: [{ fieldId: fields.amount, aggregation: 'sum', label: 'Amount' }],
          filters: having(fields.customer, 'not_null'),
        }),
      ),
    ]);
    expect((await read('named')).rows).toEqual([['37.50']]);
  });

  it('reject columns, filters and orders that a side does not have', async ({ api }) => {
    const { body, fields } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const issues = async (request: object) =>
      issuesOf(await api.as('viewer').post(`${path}/execute`, { leftColumns: ['id'], rightColumns: [], ...request }));
    expect(await issues({ leftColumns: [], rightColumns: [] })).toEqual(['/leftColumns REQUIRED']);
    expect(await issues({ leftColumns: ['idd'] })).toEqual(['/leftColumns/0 UNKNOWN_FIELD']);
    expect(await issues({ leftColumns: ['id', fields.id] })).toEqual(['/leftColumns/1 CONFLICT']);
    expect(await issues({ rightFilters: [{ fieldId: fields.id, op: 'eq', values: [1] }] })).toEqual([
      '/rightFilters/0/fieldId UNKNOWN_FIELD',
    ]);
    expect(await issues({ sort: [{ column: 'id' }] })).toEqual(['/sort/0/column UNKNOWN_COLUMN']);
    expect(await issues({ timezone: 'Mars/Base' })).toEqual(['/timezone UNKNOWN_TIMEZONE']);
  });

  it('become stale when a key is deleted or gets another type', async ({ api }) => {
    const { body, orders, fields } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const patched = await api.as('editor').put(`${orders.path}/fields/${fields.customer}`, { dataType: 'date' });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    const execute = () => api.as('viewer').post(`${path}/execute`, { leftColumns: ['id'], rightColumns: [] });
    expect(await execute()).toMatchObject({
      status: 409,
      body: { code: 'BLEND_STALE', errors: [{ pointer: '/keys/0/as', code: 'BLEND_KEY_TYPE' }] },
    });
    await api.as('editor').delete(`${orders.path}/fields/${fields.customer}?force=true`);
    expect((await execute()).body).toMatchObject({ errors: [{ pointer: '/keys/0/left', code: 'UNKNOWN_FIELD' }] });
    expect((await api.as('viewer').get(path)).body).toMatchObject({ stale: true, keys: [{ left: fields.customer }] });
    const again = await givenField(api, orders.path, 'customer');
    expect((await api.as('editor').put(path, body)).status).toBe(200);
    expect((await api.as('viewer').get(path)).body).toMatchObject({ stale: false, keys: [{ leftFieldId: again }] });
  });

  it('join a table with itself', async ({ api }) => {
    const { body, orders, shop } = await givenShopAndDesk(api);
    const twice = { ...body, rightTableId: orders.id, rightAlias: 'others', keys: [{ left: 'id', right: 'id' }] };
    const { path } = await givenBlend(api, twice);
    const reply = await executed(api, path, { leftColumns: ['id'], rightColumns: ['amount'] });
    expect(reply).toMatchObject({ rowCount: 5, warnings: [], stats: { leftUnique: true, rightUnique: true } });
    const missing = await givenTable(api, shop.path, 'never_loaded');
    await givenField(api, missing.path, 'id', { dataType: 'integer' });
    const gone = await api.as('editor').post('/api/composite-models', { ...twice, rightTableId: missing.id });
    expect(issuesOf(gone)).toEqual(['/rightTableId MISSING_TABLE']);
  });
});
