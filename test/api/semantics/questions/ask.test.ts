import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';
import { givenShop } from '../../../support/given/shop.ts';

type Shop = Awaited<ReturnType<typeof givenShop>>;

const asking =
  (api: Api, { path }: Shop) =>
  (question: object) =>
    api.as('viewer').post(`${path}/query`, question);

const rowsFor = (api: Api, shop: Shop) => async (question: object) => {
  const reply = await asking(api, shop)(question);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.rows as unknown[][];
};

describe('a question to a model', () => {
  it('is answered from its datasets, with what each column is', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const reply = await asking(
      api,
      shop,
    )({
      dimensions: [{ fieldId: fields.region }],
      measures: [{ measureId: revenue }, { fieldId: fields.amount, aggregation: 'count' }],
      sort: [{ column: 'Revenue', direction: 'desc' }],
    });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        columns: [
          { name: 'region', role: 'dimension', type: 'string', format: null, fieldId: fields.region },
          {
            name: 'Revenue',
            role: 'measure',
            type: 'decimal',
            format: { kind: 'currency', currency: 'EUR' },
            measureId: revenue,
          },
          { name: 'Count of amount', role: 'measure', type: 'integer', format: null, fieldId: fields.amount },
        ],
        rows: [
          ['North', '30.50', 2],
          ['South', '5.25', 1],
          [null, '1.00', 1],
        ],
        rowCount: 3,
        truncated: false,
        tiesCut: false,
        totals: [],
        timezone: 'UTC',
        stats: { cache: 'miss' },
      },
    });
  });

  it('groups by periods, ranges and expressions, and shows periods without rows when asked', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const rows = rowsFor(api, shop);
    const month = { fieldId: fields.placed, grain: 'month' };
    expect(await rows({ dimensions: [month], measures: [{ measureId: revenue }] })).toEqual([
      ['2026-01-01', '30.50'],
      ['2026-03-01', '6.25'],
    ]);
    for (const [fill, value] of Object.entries({ null: null, zero: '0', previous: '30.50' })) {
      expect(await rows({ dimensions: [{ ...month, fill }], measures: [{ measureId: revenue }] })).toEqual([
        ['2026-01-01', '30.50'],
        ['2026-02-01', value],
        ['2026-03-01', '6.25'],
      ]);
    }
    const shipped = { fieldId: fields.shipped, grain: 'month', label: 'm' };
    const count = { expression: 'COUNT([orders.placed])', label: 'n' };
    expect(await rows({ dimensions: [shipped], measures: [count] })).toEqual([
      ['2026-01-01', 2],
      ['2026-03-01', 1],
      [null, 1],
    ]);
    expect(await rows({ dimensions: [shipped], measures: [count], timezone: 'Asia/Tokyo' })).toEqual([
      ['2026-01-01', 1],
      ['2026-02-01', 1],
      ['2026-03-01', 1],
      [null, 1],
    ]);
    const bin = { fieldId: fields.amount, bin: { width: 10 } };
    expect(await rows({ dimensions: [bin], measures: [count] })).toEqual([
      [0, 2],
      [10, 1],
      [20, 1],
    ]);
    const upper = { expression: 'UPPER([customers.name])', label: 'who' };
    expect(await rows({ dimensions: [upper], measures: [count], sort: [{ column: 'n', direction: 'desc' }] })).toEqual([
      ['ADA', 2],
      ['BO', 1],
      [null, 1],
    ]);
  });

  it('has exact ranges of decimals', async ({ api }) => {
    const sql = 'SELECT * FROM (VALUES (0.30), (0.60), (0.61), (0.70), (-0.30), (1.10)) AS t(rate)';
    await givenDataset(api, { name: 'rates', sql });
    const { path } = await givenModel(api);
    const table = await givenTable(api, path, 'rates');
    const rate = await givenField(api, table.path, 'rate', { dataType: 'decimal' });
    const measures = [{ expression: 'COUNT([rates.rate])', label: 'n' }];
    const ask = async (bin: object) => {
      const reply = await api.as('viewer').post(`${path}/query`, { dimensions: [{ fieldId: rate, bin }], measures });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.rows;
    };
    expect(await ask({ width: 0.1 })).toEqual([
      [-0.3, 1],
      [0.3, 1],
      [0.6, 2],
      [0.7, 1],
      [1.1, 1],
    ]);
    expect(await ask({ width: 0.2, origin: 0.1 })).toEqual([
      [-0.3, 1],
      [0.3, 1],
      [0.5, 2],
      [0.7, 1],
      [1.1, 1],
    ]);
  });

  it('leaves gaps where filling them would make more than 10,000 rows, with a warning', async ({ api }) => {
    const shop = await givenShop(api);
    const second = { fieldId: shop.fields.shipped, grain: 'second', fill: 'zero' };
    const count = { expression: 'COUNT([orders.placed])', label: 'n' };
    const { body } = await asking(api, shop)({ dimensions: [second], measures: [count] });
    expect(body.warnings).toHaveLength(1);
    expect(body.rows.length).toBeLessThan(5);
    expect(body.rows.every((row: unknown[]) => row.length === 2)).toBe(true);
  });

  it('filters rows and groups', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const rows = rowsFor(api, shop);
    const measures = [{ measureId: revenue }];
    const dimensions = [{ fieldId: fields.name }];
    const only = async (...filters: object[]) => (await rows({ dimensions, measures, filters })).map(([name]) => name);
    const name = (op: string, ...values: unknown[]) => ({ fieldId: fields.name, op, values });
    expect(await only(name('eq', 'Ada'))).toEqual(['Ada']);
    expect(await only(name('ne', 'Ada'))).toEqual(['Bo', null]);
    expect(await only(name('in', 'Ada', 'Cy'))).toEqual(['Ada']);
    expect(await only(name('not_in', 'Ada', 'Cy'))).toEqual(['Bo', null]);
    expect(await only(name('contains', 'd'))).toEqual(['Ada']);
    expect(await only(name('starts_with', 'B'))).toEqual(['Bo']);
    expect(await only(name('contains', 'D'))).toEqual([]);
    expect(await only({ ...name('contains', 'D'), ignoreCase: true })).toEqual(['Ada']);
    expect(await only({ ...name('in', 'ADA', 'bO'), ignoreCase: true })).toEqual(['Ada', 'Bo']);
    expect(await only(name('not_contains', 'd'))).toEqual(['Bo', null]);
    expect(await only({ ...name('ends_with', 'O'), ignoreCase: true })).toEqual(['Bo']);
    expect(await only(name('contains', '%'))).toEqual([]);
    expect(await only(name('is_null'))).toEqual([null]);
    expect(await only(name('not_null'))).toEqual(['Ada', 'Bo']);
    expect(await only({ fieldId: fields.amount, op: 'gte', values: ['5.25'] })).toEqual(['Ada', 'Bo']);
    expect(await only({ fieldId: fields.amount, op: 'lt', values: [5.25] })).toEqual([null]);
    const placed = (op: string, ...values: unknown[]) => ({ fieldId: fields.placed, op, values });
    expect(await only(placed('between', '2026-01-01', '2026-03-02'))).toEqual(['Ada', 'Bo']);
    expect(await only(placed('gt', '2026-03-02'))).toEqual([null]);
    expect(await only({ expression: '[orders.amount] * 2 > 20' })).toEqual(['Ada']);
    const anyOf = [name('eq', 'Bo'), { expression: '[orders.amount] > 15' }, name('eq', 'Cy')];
    expect(await rows({ dimensions, measures, filters: [{ anyOf }, placed('lt', '2026-03-01')] })).toEqual([
      ['Ada', '20.00'],
    ]);
    expect(await only({ anyOf })).toEqual(['Ada', 'Bo']);
    const resultFilters = [{ column: 'Revenue', op: 'gt', values: [2] }];
    expect((await rows({ dimensions, measures, resultFilters })).map(([who]) => who)).toEqual(['Ada', 'Bo']);
    const many = [
      { fieldId: fields.name, op: 'in', values: Array.from({ length: 1000 }, (_, n) => `'; DROP ${n} \\`) },
    ];
    expect(await rows({ dimensions, measures, filters: many })).toEqual([]);
  });

  it('compares with today in the time zone of the question', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const count = async (op: string, ...values: unknown[]) => {
      const filters = [{ fieldId: fields.placed, op, values }];
      return (await rowsFor(api, shop)({ measures: [{ measureId: revenue }], filters }))[0]![0];
    };
    expect(await count('last_n', 10_000, 'year')).toBe('36.75');
    expect(await count('this', 'week')).toBeNull();
    expect(await count('prev', 10_000, 'day')).toBe('36.75');
  });

  it('adds totals that are computed from the rows, and cuts rows to a limit', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue } = shop;
    const question = {
      dimensions: [{ fieldId: fields.region }, { fieldId: fields.name }],
      measures: [{ measureId: revenue }, { expression: 'COUNT_DISTINCT([orders.customer])', label: 'n' }],
    };
    const grand = await asking(api, shop)({ ...question, totals: 'grand', limit: 1 });
    expect(grand.body).toMatchObject({
      rows: [['North', 'Ada', '30.50', 1]],
      rowCount: 1,
      truncated: true,
      totals: [{ level: 0, row: [null, null, '36.75', 2] }],
    });
    const all = await asking(api, shop)({ ...question, totals: 'all' });
    expect(all.body.rows).toHaveLength(3);
    expect(all.body.totals).toEqual([
      { level: 0, row: [null, null, '36.75', 2] },
      { level: 1, row: ['North', null, '30.50', 1] },
      { level: 1, row: ['South', null, '5.25', 1] },
      { level: 1, row: [null, null, '1.00', 0] },
    ]);
    const top = (limit: number) =>
      asking(
        api,
        shop,
      )({
        dimensions: [{ fieldId: fields.name }],
        measures: [{ fieldId: fields.customer, aggregation: 'count_distinct', label: 'n' }],
        sort: [{ column: 'n', direction: 'desc' }],
        limit,
      });
    expect((await top(1)).body).toMatchObject({ rows: [['Ada', 1]], truncated: true, tiesCut: true });
    expect((await top(2)).body).toMatchObject({ truncated: true, tiesCut: false });
  });

  it('uses an equal answer again until the data or the model changes', async ({ api }) => {
    const shop = await givenShop(api);
    const { revenue } = shop;
    const ask = async () => (await asking(api, shop)({ measures: [{ measureId: revenue }] })).body;
    expect(await ask()).toMatchObject({ rows: [['36.75']], stats: { cache: 'miss' } });
    expect(await ask()).toMatchObject({ rows: [['36.75']], stats: { cache: 'hit' } });
    await api.as('editor').put(`${shop.path}/measures/${revenue}`, { expression: 'SUM([orders.amount]) * 2' });
    expect(await ask()).toMatchObject({ rows: [['73.50']], stats: { cache: 'miss' } });
  });
});

describe('a hidden measure', () => {
  it('sorts and filters the groups, and is not in the reply', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields, revenue, path } = shop;
    const count = { expression: 'COUNT([orders.placed])', label: 'n' };
    const question = {
      dimensions: [{ fieldId: fields.name }],
      measures: [{ measureId: revenue, hidden: true }, count],
      sort: [{ column: 'Revenue', direction: 'desc' }],
    };
    const ask = asking(api, shop);
    const columns = [{ name: 'name' }, { name: 'n' }];
    expect(await ask(question)).toMatchObject({
      status: 200,
      body: {
        columns,
        rows: [
          ['Ada', 2],
          ['Bo', 1],
          [null, 1],
        ],
      },
    });
    const resultFilters = [{ column: 'Revenue', op: 'lt', values: [10] }];
    expect(await ask({ ...question, resultFilters, totals: 'grand', limit: 1 })).toMatchObject({
      status: 200,
      body: { columns, rows: [['Bo', 1]], truncated: true, tiesCut: false, totals: [{ level: 0, row: [null, 4] }] },
    });
    const month = { fieldId: fields.placed, grain: 'month', fill: 'zero' };
    const filled = await ask({ ...question, dimensions: [month], sort: [] });
    expect(filled.body.rows).toEqual([
      ['2026-01-01', 2],
      ['2026-02-01', 0],
      ['2026-03-01', 2],
    ]);
    const compiled = await api.as('editor').post(`${path}/compile`, question);
    expect(compiled.body.columns).toMatchObject([{ name: 'name' }, { name: 'Revenue', hidden: true }, { name: 'n' }]);
    expect(issuesOf(await ask({ measures: [{ ...count, hidden: true }] }))).toEqual(['/measures REQUIRED']);
  });

  it('and an alternative of a filter are refused where they read a field that the caller may not use', async ({
    api,
  }) => {
    const shop = await givenShop(api);
    const { fields, customers, revenue } = shop;
    const label = { sensitivityLabel: 'Private' };
    expect((await api.as('owner').put(`${customers.path}/fields/${fields.name}`, label)).status).toBe(200);
    const ask = asking(api, shop);
    const dimensions = [{ fieldId: fields.region }];
    const measures = [{ measureId: revenue }];
    const expression = 'LIST_DISTINCT([customers.name])';
    const isBo = { fieldId: fields.name, op: 'ends_with', values: ['O'], ignoreCase: true };
    const isSouth = { fieldId: fields.region, op: 'eq', values: ['South'] };
    expect(issuesOf(await ask({ dimensions, measures, filters: [{ anyOf: [isSouth, isBo] }] }))).toEqual([
      '/filters/0/anyOf/1/fieldId 2004',
    ]);
    const named = [...measures, { expression, label: 'names', hidden: true }];
    expect(issuesOf(await ask({ dimensions, measures: named, sort: [{ column: 'names' }] }))).toEqual([
      '/measures/1/expression 2004',
    ]);
  });
});

describe('a wrong question', () => {
  it('gets every issue with its place', async ({ api }) => {
    const shop = await givenShop(api);
    const { fields } = shop;
    const unknown = '019b2ce8-4c71-7a35-9b0d-6e5d4c3b2a99';
    const ask = asking(api, shop);
    const reply = await ask({
      dimensions: [
        { fieldId: unknown },
        { fieldId: fields.region, grain: 'month' },
        { fieldId: fields.region, expression: 'x' },
        { expression: '[customers.nmae]' },
      ],
      measures: [
        { measureId: unknown },
        { fieldId: fields.placed },
        { expression: '[orders.amount]', label: 'raw' },
        { measureId: shop.revenue, aggregation: 'sum' },
        {},
      ],
      filters: [
        { fieldId: fields.amount },
        { fieldId: fields.amount, op: 'eq', values: ['x'] },
        { fieldId: fields.placed, op: 'last_n', values: ['day'] },
        { fieldId: fields.amount, op: 'this', values: ['day'] },
        { expression: '[orders.amount]' },
        {
          anyOf: [
            { fieldId: unknown, op: 'eq', values: [1] },
            {},
            { fieldId: fields.amount, op: 'ends_with', values: [1] },
          ],
        },
        { anyOf: [{ fieldId: fields.region, op: 'is_null' }], op: 'eq' },
        { anyOf: [{ fieldId: fields.region, op: 'is_null' }], fieldId: fields.region },
        { fieldId: fields.amount, op: 'eq', values: [1], ignoreCase: true },
        { expression: 'TRUE', ignoreCase: true },
      ],
    });
    expect(reply.status).toBe(400);
    expect(issuesOf(reply)).toEqual([
      '/dimensions/0/fieldId UNKNOWN_FIELD',
      '/dimensions/1/grain 3001',
      '/dimensions/2/expression CONFLICT',
      '/dimensions/3/label REQUIRED',
      '/dimensions/3/expression 2001',
      '/measures/0/measureId UNKNOWN_MEASURE',
      '/measures/1/aggregation REQUIRED',
      '/measures/2/expression 3002',
      '/measures/3/aggregation CONFLICT',
      '/measures/4 REQUIRED',
      '/filters/0/op REQUIRED',
      '/filters/1/values/0 TYPE',
      '/filters/2/values INVALID',
      '/filters/3/op TYPE',
      '/filters/4/expression TYPE',
      '/filters/5/anyOf/0/fieldId UNKNOWN_FIELD',
      '/filters/5/anyOf/1 REQUIRED',
      '/filters/5/anyOf/2/op TYPE',
      '/filters/6/op CONFLICT',
      '/filters/7/anyOf CONFLICT',
      '/filters/8/ignoreCase CONFLICT',
      '/filters/9/ignoreCase CONFLICT',
    ]);
    const measures = [{ measureId: shop.revenue }];
    expect(issuesOf(await ask({ measures, sort: [{ column: 'Revenu' }] }))).toEqual(['/sort/0/column UNKNOWN_COLUMN']);
    expect(issuesOf(await ask({ measures: [...measures, ...measures] }))).toEqual(['/measures/1/label CONFLICT']);
    expect(issuesOf(await ask({ measures, timezone: 'Mars/Base' }))).toEqual(['/timezone UNKNOWN_TIMEZONE']);
    expect(issuesOf(await ask({}))).toEqual(['/measures REQUIRED']);
    const dense = { fieldId: fields.placed, fill: 'zero' };
    expect(issuesOf(await ask({ dimensions: [dense] }))).toEqual(['/dimensions/0/fill CONFLICT']);
  });

  it('is rejected where an answer would be wrong, with the number of the reason', async ({ api }) => {
    const shop = await givenShop(api);
    const relationships = (await api.as('viewer').get(`${shop.path}/relationships`)).body.items;
    await api.as('editor').put(`${shop.path}/relationships/${relationships[0].id}`, { isActive: false });
    const reply = await asking(
      api,
      shop,
    )({
      dimensions: [{ fieldId: shop.fields.region }],
      measures: [{ measureId: shop.revenue }],
    });
    const unanswerable = { status: 422, body: { code: 'QUESTION_UNANSWERABLE', errors: [{ code: '5004' }] } };
    expect(reply).toMatchObject(unanswerable);
    const dimensions = [{ fieldId: shop.fields.region }];
    const measure = { measureId: shop.revenue };
    const drill = { dimensions, measure, values: ['North'] };
    expect(await api.as('viewer').post(`${shop.path}/drill`, drill)).toMatchObject(unanswerable);
    const compile = { dimensions, measures: [measure] };
    expect(await api.as('editor').post(`${shop.path}/compile`, compile)).toMatchObject(unanswerable);
  });

  it('finds no model of another workspace', async ({ api }) => {
    const shop = await givenShop(api);
    const question = { measures: [{ measureId: shop.revenue }] };
    for (const route of ['query', 'compile']) {
      expect(await api.as('stranger').post(`${shop.path}/${route}`, question)).toMatchObject({
        status: 404,
        body: { code: 'MODEL_NOT_FOUND' },
      });
    }
    expect((await api.as('viewer').post(`${shop.path}/compile`, question)).status).toBe(403);
  });
});

describe('a compiled question', () => {
  it('is SQL with its tables and a plan in words, the same each time', async ({ api }) => {
    const shop = await givenShop(api);
    const question = {
      dimensions: [{ fieldId: shop.fields.region }],
      measures: [{ measureId: shop.revenue }],
    };
    const compile = async () => (await api.as('editor').post(`${shop.path}/compile`, question)).body;
    const compiled = await compile();
    expect(compiled).toMatchObject({
      dialect: 'duckdb',
      params: [],
      columns: [{ name: 'region' }, { name: 'Revenue' }],
      tables: [
        { id: shop.orders.id, alias: 'orders', source: 'orders' },
        { id: shop.customers.id, alias: 'customers', source: 'customers' },
      ],
    });
    expect(compiled.plan).toEqual([
      expect.stringMatching(/^orders: computes SUM\(orders.amount\) for each group; .* join of customers on/),
    ]);
    expect(await compile()).toEqual(compiled);
    const words = async (expression: string) =>
      (await api.as('editor').post(`${shop.path}/compile`, { measures: [{ expression, label: 'x' }] })).body.plan;
    expect(
      await words(
        'SUM([orders.amount] * ([orders.amount] - 1)) / COUNT_IF([orders.amount] > 5 AND NOT [orders.customer] IN (1, 2))',
      ),
    ).toEqual([
      'orders: computes SUM(orders.amount * (orders.amount - 1)), COUNT(*) FILTER (WHERE orders.amount > 5 AND NOT orders.customer IN (1, 2)) for each group.',
    ]);
    const run = await api.as('editor').post('/api/query', { sql: compiled.sql });
    expect(run.body.rows).toContainEqual(['North', '30.50']);
  });
});
