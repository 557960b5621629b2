import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenField, givenModel, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader, setAttributes } from '../../../support/given/protected.ts';
import { openDatabase } from '../../../support/postgres-database.ts';
import { dagOf, givenFiles, load, sql } from '../../pipelines/pipelines/given.ts';

const REGIONS = "SELECT * FROM (VALUES (1, 'north'), (2, 'south')) AS t(id, zone)";
/** The customer 1 is there twice, and 9 has no region. */
const CUSTOMERS = (region = 2) => `SELECT * FROM (VALUES (1, 1), (1, 1), (2, ${region}), (9, 7)) AS t(id, region)`;
/** Of the customers 1, 1, 2, 9, of one that does not exist, and of none. */
const ORDERS = `SELECT * FROM (VALUES
  (1, 1, 10.5, DATE '2026-01-01'), (2, 1, 20, DATE '2026-01-02'), (3, 2, 40, DATE '2026-01-03'),
  (4, 9, 80, DATE '2026-01-04'), (5, 5, 160, DATE '2026-01-05'), (6, NULL, 320, DATE '2026-01-06'))
  AS t(id, customer, amount, day)`;

const INTEGER = { dataType: 'integer' };

interface Given {
  source?: object;
  schema?: string;
  /** The type of the ids of customers. */
  key?: object;
}

/** Orders of customers of regions, in a model over datasets or a source. */
async function givenFacts(api: Api, { source = {}, schema = '', key = INTEGER }: Given = {}) {
  const model = await givenModel(api, source);
  const table = async (name: string) => {
    const { id } = await posted(api, `${model.path}/tables`, { sourceSchema: schema, sourceTable: name, alias: name });
    return { id, path: `${model.path}/tables/${id}` };
  };
  const [regions, customers, orders] = [await table('regions'), await table('customers'), await table('orders')];
  const field = {
    region: await givenField(api, regions.path, 'id', INTEGER),
    zone: await givenField(api, regions.path, 'zone'),
    customer: await givenField(api, customers.path, 'id', key),
    regionOfCustomer: await givenField(api, customers.path, 'region', INTEGER),
    id: await givenField(api, orders.path, 'id', INTEGER),
    customerOfOrder: await givenField(api, orders.path, 'customer', key),
    amount: await givenField(api, orders.path, 'amount', { dataType: 'decimal' }),
    day: await givenField(api, orders.path, 'day', { dataType: 'date' }),
  };
  const relationships = `${model.path}/relationships`;
  const near = await posted(api, relationships, {
    fromTableId: customers.id,
    fromFieldId: field.customer,
    toTableId: orders.id,
    toFieldId: field.customerOfOrder,
  });
  const far = await posted(api, relationships, {
    fromTableId: regions.id,
    fromFieldId: field.region,
    toTableId: customers.id,
    toFieldId: field.regionOfCustomer,
  });
  return { model, regions, customers, orders, field, relationships, near, far };
}

const idsOf = async (call: Caller, model: string, fieldId: string) => {
  const reply = await call.post(`${model}/query`, { dimensions: [{ fieldId }] });
  return reply.status === 200 ? reply.body.rows.flat() : [reply.status, reply.body.code];
};

const ask = async (call: Caller, sql: string) => {
  const reply = await call.post('/api/query', { sql });
  return reply.status === 200 ? reply.body.rows : [reply.status, reply.body.code];
};

const byId = (call: Caller) => ask(call, 'SELECT id FROM orders ORDER BY id').then((rows) => rows.flat());

async function givenDatasets(api: Api) {
  await givenDataset(api, { name: 'regions', sql: REGIONS });
  const customers = await givenDataset(api, { name: 'customers', sql: CUSTOMERS() });
  return { customers, orders: await givenDataset(api, { name: 'orders', sql: ORDERS }) };
}

describe('a policy that reads tables of which each row has one', () => {
  it('protects facts on every path over datasets', async ({ api }) => {
    const datasets = await givenDatasets(api);
    const dataset = datasets.orders;
    const { model, regions, customers, orders, field, relationships, near } = await givenFacts(api);
    const north = (await givenReader(api, { attributes: { zone: 'north' } })).caller;
    const both = (await givenReader(api, { attributes: { zone: ['north', 'south'] } })).caller;
    const nobody = api.as('editor');
    const metric = await posted(api, '/api/saved-queries', { name: 'All', sql: 'SELECT * FROM orders ORDER BY id' });
    const policy = await givenPolicy(api, model.path, {
      tableId: orders.id,
      name: 'Zones',
      filterExpression: '[regions.zone] IN user.attr("zone")',
    });
    const [shown] = (await api.as('owner').get(`${model.path}/rls`)).body.items;
    expect(shown).toMatchObject({ filterExpression: '[regions.zone] IN user.attr("zone")', stale: false });

    const readings: [Caller, number[]][] = [
      [north, [1, 2]],
      [both, [1, 2, 3]],
      [nobody, []],
    ];
    for (const [call, ids] of readings) {
      expect(await byId(call)).toEqual(ids);
      expect(await ask(call, 'SELECT count(*) FROM orders')).toEqual([[ids.length]]);
      expect(await idsOf(call, model.path, field.id)).toEqual(ids);
      expect((await call.post(`/api/saved-queries/${metric.id}/run`, {})).body.rowCount).toBe(ids.length);
      const preview = await call.get(`/api/datasets/${dataset.id}/preview`);
      expect(preview.body.rows.map(([id]: number[]) => id)).toEqual(ids);
      expect((await call.get(`/api/datasets/${dataset.id}/statistics`)).body.rowCount).toBe(ids.length);
      expect((await call.post(`${orders.path}/preview`, {})).body.rowCount).toBe(ids.length);
      const drill = { measure: { fieldId: field.id, aggregation: 'count' }, columns: [{ fieldId: field.id }] };
      expect((await call.post(`${model.path}/drill`, drill)).body.rowCount).toBe(ids.length);
      // The customers have no policy.
      expect(await ask(call, 'SELECT count(*) FROM customers')).toEqual([[4]]);
    }
    expect(await jobRows(north, 'SELECT sum(amount) AS total FROM orders')).toEqual([['30.5']]);
    const total = { measures: [{ fieldId: field.amount, aggregation: 'sum' }] };
    expect((await both.post(`${model.path}/query`, total)).body.rows).toEqual([['70.5']]);
    for (const name of ['"#related_1"', '"#related_2"', '"#policy_1"', '"#rows"', 'main."#related_1"'])
      expect((await north.post('/api/query', { sql: `SELECT * FROM orders, ${name}` })).status, name).toBe(400);
    const preview = await api.as('owner').post(`${model.path}/access-preview`, { userId: (await me(north)).id });
    expect(preview.body.tables).toMatchObject([
      { alias: 'orders', rows: 'some', visibleRows: 2, policies: [{ applies: true, isUsable: true }] },
    ]);

    // A policy of the related table does not narrow what the policy of the facts reads.
    const own = await givenPolicy(api, model.path, { tableId: customers.id, filterExpression: 'FALSE' });
    expect([await byId(both), await ask(both, 'SELECT count(*) FROM customers')]).toEqual([[1, 2, 3], [[0]]]);
    await api.as('owner').delete(`${model.path}/rls/${own.id}`);

    // Another dataset of this name would decide who sees the orders.
    expect(await api.as('editor').patch(`/api/datasets/${datasets.customers.id}`, { name: 'clients' })).toMatchObject({
      status: 409,
      body: { code: 'DATASET_PROTECTED' },
    });

    // Cached answers depend on the rows that the policy reads.
    await givenDataset(api, { name: 'customers', sql: CUSTOMERS(1) });
    expect([await byId(north), await idsOf(north, model.path, field.id)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    await givenDataset(api, { name: 'customers', sql: CUSTOMERS() });

    // A row without a match is hidden, whatever else the condition says.
    const write = (filterExpression: string) =>
      api.as('owner').put(`${model.path}/rls/${policy.id}`, { filterExpression });
    expect((await write('[orders.amount] > 0 OR [regions.zone] IN user.attr("zone")')).status).toBe(200);
    expect(await byId(north)).toEqual([1, 2, 3]);
    expect((await write('[customers.region] IS NULL OR [customers.region] <> 2')).status).toBe(200);
    expect([await byId(nobody), await byId(north)]).toEqual([
      [1, 2, 4],
      [1, 2, 4],
    ]);
    // One of several policies is enough.
    await givenPolicy(api, model.path, { tableId: orders.id, filterExpression: '[id] = 6' });
    expect([await byId(nobody), await idsOf(nobody, model.path, field.id)]).toEqual([
      [1, 2, 4, 6],
      [1, 2, 4, 6],
    ]);

    // Editors can neither lift it nor make it stale.
    await write('[regions.zone] IN user.attr("zone")');
    const second = {
      fromTableId: regions.id,
      fromFieldId: field.region,
      toTableId: orders.id,
      toFieldId: field.customerOfOrder,
    };
    const place = `${relationships}/${near.id}`;
    for (const reply of [
      await api.as('editor').put(place, { isActive: false }),
      await api.as('editor').post(relationships, second),
      await api.as('editor').put(regions.path, { sourceTable: 'customers' }),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', referencedBy: [{ name: 'Zones' }] } });
    const filterExpression = '[regions.zone] IN user.attr("zone")';
    const tryIt = (body: object = {}) =>
      api.as('owner').post(`${model.path}/rls`, {
        name: crypto.randomUUID(),
        tableId: orders.id,
        appliesTo: [{ type: 'everyone' }],
        filterExpression,
        ...body,
      });
    const codes = async (body?: object) => (await tryIt(body)).body.errors.map(({ code }: { code: string }) => code);
    expect(await codes({ tableId: regions.id, filterExpression: '[orders.id] = 1' })).toEqual(['5003']);
    const twin = (await api.as('owner').post(relationships, second)).body.id;
    expect(await codes()).toEqual(['5002']);
    expect([await byId(north), await idsOf(north, model.path, field.id)]).toEqual([[6], [6]]);
    await api.as('owner').delete(`${relationships}/${twin}`);
    expect(await byId(north)).toEqual([1, 2, 6]);
    await api.as('owner').put(place, { isActive: false });
    expect(await codes()).toEqual(['5004']);
    expect((await api.as('owner').get(`${model.path}/rls`)).body.items[0]).toMatchObject({
      stale: true,
      diagnostics: [{ code: 5004 }],
    });
    expect(await byId(north)).toEqual([6]);
    await api.as('owner').put(place, { isActive: true, cardinality: 'N:M' });
    expect([await byId(north), await codes()]).toEqual([[6], ['5003']]);
    await api.as('owner').delete(place);
    expect([await byId(north), await codes()]).toEqual([[6], ['5001']]);
  });

  it('is not lifted by rows that a reader would write into these tables', async ({ api }) => {
    await givenDatasets(api);
    const customers = await givenDataset(api, { name: 'customers', sql: CUSTOMERS() });
    const { model, orders } = await givenFacts(api);
    const reader = (await givenReader(api, { attributes: { zone: 'north' } })).caller;
    const all = await givenReader(api);
    const path = `/api/datasets/${customers.id}`;
    const own = { kind: 'datasets', sql: 'SELECT range AS id, 1 AS region FROM range(10)' };
    const made = sql('made', 'SELECT range AS id, 1 AS region FROM range(10)');
    const loading = (target: object) => ({
      name: `pipeline ${crypto.randomUUID()}`,
      dag: dagOf(made, {
        ...load('keep', 'made', ''),
        config: { target: { kind: 'dataset', ...target }, mode: 'overwrite' },
      }),
    });
    const attempts = (call: Caller) => ({
      source: () => call.patch(path, { source: own }),
      'a pipeline by name': () => call.post('/api/pipelines', loading({ name: 'Customers' })),
      // Datasets are found by names in compatible characters, too.
      'a pipeline by a wide name': () => call.post('/api/pipelines', loading({ name: '\uff43ustomers' })),
      'a pipeline by id': () => call.post('/api/pipelines', loading({ datasetId: customers.id })),
      'a version': () => call.post(`${path}/versions/1/restore`),
    });
    await givenPolicy(api, model.path, { tableId: orders.id, filterExpression: '[regions.zone] IN user.attr("zone")' });
    await givenPolicy(api, model.path, {
      tableId: orders.id,
      filterExpression: 'TRUE',
      appliesTo: [{ type: 'user', id: all.userId }],
    });
    const pipeline = await reader.post('/api/pipelines', loading({ name: 'elsewhere' }));
    expect(pipeline.status, JSON.stringify(pipeline.body)).toBe(201);
    for (const [what, attempt] of Object.entries(attempts(reader)))
      expect(await attempt(), what).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const { dag } = loading({ name: 'customers' });
    expect(await reader.patch(`/api/pipelines/${pipeline.body.id}`, { dag })).toMatchObject({ status: 403 });
    expect(await reader.delete(path)).toMatchObject({ status: 409 });
    expect(await byId(reader)).toEqual([1, 2]);
    expect((await api.as('viewer').get(path)).body).toMatchObject({ name: 'customers', source: null });

    // The name is not even looked at: once it is free, who creates it decides.
    expect(await reader.post('/api/datasets', { name: 'Customers', source: own })).toMatchObject({ status: 403 });
    expect(await reader.post('/api/datasets', { name: 'open', source: own })).toMatchObject({ status: 201 });

    // Who sees all orders may decide who belongs to which region.
    for (const [what, attempt] of Object.entries(attempts(all.caller))) {
      const reply = await attempt();
      expect(reply.status, `${what}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    }
  });

  it('is not lifted by what these tables are made of either: files, tables, datasets and pipelines', async ({
    api,
    onTestFinished,
  }) => {
    const server = await openDatabase();
    onTestFinished(() => server.drop());
    await server.run('CREATE TABLE seeds AS SELECT 1 AS id, 1 AS region');
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const connection = { name: 'database', type: 'postgres', config, secrets: { password } };
    const databaseId: string = (await api.as('owner').post('/api/data-sources', connection)).body.id;
    await givenDataset(api, { name: 'regions', sql: REGIONS });
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    const sourceId = await givenFiles(api, { 'customers.csv': 'id,region\n1,1\n2,2\n' });
    const made = async (name: string, source: object): Promise<string> => {
      const { id } = await posted(api, '/api/datasets', { name, source });
      expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded' });
      return id;
    };
    const raw = await made('raw', { kind: 'file', sourceId, path: 'customers.csv' });
    await made('customers', { kind: 'datasets', sql: 'SELECT * FROM raw' });
    const seed = await made('seed', { kind: 'table', sourceId: databaseId, table: 'seeds' });
    const extract = { id: 'read', type: 'extract', config: { object: { dataset: 'seed' } } };
    await posted(api, '/api/pipelines', { name: 'Seed', dag: dagOf(extract, load('keep', 'read', 'raw')) });
    const { model, orders } = await givenFacts(api);
    const reader = (await givenReader(api, { attributes: { zone: 'north' } })).caller;
    const all = await givenReader(api);
    const own = { kind: 'datasets', sql: 'SELECT range AS id, 1 AS region FROM range(10)' };
    const upload = (call: Caller, path: string) =>
      call.post(`/api/data-sources/${sourceId}/uploads`, { path, size: 10 });
    const intoTable = (call: Caller, table: string) => {
      const target = { kind: 'table', sourceId: databaseId, schema: 'public', table };
      const keep = { ...load('keep', 'made', ''), config: { target, mode: 'append' } };
      return call.post('/api/pipelines', { name: table, dag: dagOf(sql('made', own.sql), keep) });
    };
    const attempts = (call: Caller) => ({
      'a file': () => upload(call, 'customers.csv'),
      'a table': () => intoTable(call, 'seeds'),
      'a dataset that a pipeline reads': () => call.patch(`/api/datasets/${seed}`, { source: own }),
      'a pipeline': () =>
        call.post('/api/pipelines', { name: 'Raw', dag: dagOf(sql('made', own.sql), load('keep', 'made', 'Raw')) }),
      'another source': () => call.patch(`/api/datasets/${raw}`, { source: own }),
      'another name': () => call.patch(`/api/datasets/${raw}`, { name: 'away' }),
    });
    // Nothing decides yet.
    expect((await upload(reader, 'customers.csv')).status).toBe(201);
    for (const [tableId, filterExpression, appliesTo] of [
      [orders.id, '[regions.zone] IN user.attr("zone")', [{ type: 'everyone' }]],
      [orders.id, 'TRUE', [{ type: 'user', id: all.userId }]],
    ] as const)
      await givenPolicy(api, model.path, { tableId, filterExpression, appliesTo });
    for (const [what, attempt] of Object.entries(attempts(reader)))
      expect(await attempt(), what).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await upload(reader, 'others.csv')).status).toBe(201);
    expect(await intoTable(reader, 'others')).toMatchObject({ status: 201 });
    expect(await reader.post('/api/datasets', { name: 'open', source: own })).toMatchObject({ status: 201 });
    expect(await byId(reader)).toEqual([1, 2]);
    for (const [what, attempt] of Object.entries(attempts(all.caller))) {
      const reply = await attempt();
      expect(reply.status, `${what}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    }
  });

  it('compares attributes of many values with numbers, dates and texts', async ({ api }) => {
    await givenDatasets(api);
    const { model, orders } = await givenFacts(api);
    const reader = await givenReader(api);
    const policy = await givenPolicy(api, model.path, { tableId: orders.id, filterExpression: 'FALSE' });
    const many = Array.from({ length: 10_000 }, (_, index) => String(index + 3));
    await setAttributes(api, reader.userId, {
      ids: many,
      mixed: ['1', 'x', '2.0', ''],
      limit: ' 30.5 ',
      day: '2026-01-05',
      zone: 'NORTH',
      word: 'many',
      prefix: 'nor',
    });
    expect(
      (await api.as('owner').get(`/api/workspaces/members/${reader.userId}/attributes`)).body.attributes.ids,
    ).toEqual(many);
    const cases: [expression: string, ids: number[]][] = [
      ['[id] IN user.attr("ids")', [3, 4, 5, 6]],
      ['[customers.id] IN user.attr("ids")', [4]],
      ['[id] IN user.attr("mixed")', [1]],
      ['[id] NOT IN user.attr("mixed")', []],
      ['NOT ([id] IN user.attr("mixed"))', []],
      ['[amount] <= user.attr("limit")', [1, 2]],
      ['[amount] > user.attr("word")', []],
      ['[amount] > TO_NUMBER(user.attr("word"))', []],
      ['[amount] > TO_NUMBER(user.attr("limit"))', [3, 4, 5, 6]],
      ['[day] >= user.attr("day")', [5, 6]],
      ['[day] >= user.attr("word")', []],
      ['NOT ([day] >= user.attr("word"))', []],
      ['[regions.zone] = LOWER(user.attr("zone"))', [1, 2]],
      ['STARTS_WITH([regions.zone], user.attr("prefix"))', [1, 2]],
      ['CONTAINS([regions.zone], TRIM(user.attr("prefix"))) AND [id] > 1', [2]],
      ['IF(user.attr("word") = "many", [id] < 3, [id] > 3)', [1, 2]],
      ['[id] = user.attr("ids")', []],
    ];
    for (const [filterExpression, ids] of cases) {
      const set = await api.as('owner').put(`${model.path}/rls/${policy.id}`, { filterExpression });
      expect(set.status, `${filterExpression} ${JSON.stringify(set.body)}`).toBe(200);
      expect(await byId(reader.caller), filterExpression).toEqual(ids);
    }
  });

  it('protects facts of a database', async ({ api, onTestFinished }) => {
    const server = await openDatabase();
    onTestFinished(() => server.drop());
    // A key that the database stores as another type than the one it refers to.
    const uuid = "'00000000-0000-4000-8000-' || lpad(";
    await server.run(`CREATE TABLE regions AS ${REGIONS};
      CREATE TABLE customers AS SELECT (${uuid}id::text, 12, '0'))::uuid AS id, region FROM (${CUSTOMERS()}) AS c;
      CREATE TABLE orders AS SELECT id, (${uuid}customer::text, 12, '0')) AS customer, amount, day
        FROM (${ORDERS}) AS o;`);
    const { host, port, database, user, password } = server;
    const made = await api.as('owner').post('/api/data-sources', {
      name: 'database',
      type: 'postgres',
      config: { host, port, database, user, ssl: false },
      secrets: { password },
    });
    const sourceId: string = made.body.id;
    await synced(api, sourceId);
    const { model, orders, field } = await givenFacts(api, { source: { sourceId }, schema: 'public', key: {} });
    const north = await givenReader(api, { attributes: { zone: 'north', limit: '15' } });
    expect(await idsOf(north.caller, model.path, field.id)).toHaveLength(6);
    const policy = await givenPolicy(api, model.path, {
      tableId: orders.id,
      filterExpression: '[regions.zone] IN user.attr("zone")',
    });
    expect(await idsOf(north.caller, model.path, field.id)).toEqual([1, 2]);
    expect(await idsOf(api.as('editor'), model.path, field.id)).toEqual([]);
    // With the credentials of the source, a pipeline would write what decides.
    const intoTable = (call: Caller, table: string) => {
      const target = { kind: 'table', sourceId, schema: 'public', table };
      const keep = { ...load('keep', 'made', ''), config: { target, mode: 'append' } };
      return call.post('/api/pipelines', { name: table, dag: dagOf(sql('made', 'SELECT 1 AS id'), keep) });
    };
    for (const table of ['customers', 'REGIONS'])
      expect(await intoTable(north.caller, table), table).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await intoTable(north.caller, 'elsewhere')).status).toBe(201);
    expect((await intoTable(api.as('owner'), 'customers')).status).toBe(201);
    const drill = { measure: { fieldId: field.id, aggregation: 'count' }, columns: [{ fieldId: field.amount }] };
    expect((await north.caller.post(`${model.path}/drill`, drill)).body.rowCount).toBe(2);
    expect((await north.caller.post(`${orders.path}/preview`, {})).body.rowCount).toBe(2);
    expect(await north.caller.post('/api/query', { sql: 'SELECT * FROM orders', sourceId })).toMatchObject({
      status: 403,
      body: { code: 'RLS_RAW_SQL' },
    });
    for (const [filterExpression, ids] of [
      ['[customers.region] = 1 AND [amount] < user.attr("limit")', [1]],
      ['[regions.zone] = LOWER(user.attr("zone")) OR [orders.id] = 6', [1, 2]],
      ['[amount] < user.attr("zone")', []],
    ] as const) {
      await api.as('owner').put(`${model.path}/rls/${policy.id}`, { filterExpression });
      expect(await idsOf(north.caller, model.path, field.id), filterExpression).toEqual(ids);
    }
  });
});

const me = async (call: Caller): Promise<{ id: string }> => (await call.get('/api/auth/me')).body.user;

async function jobRows(caller: Caller, sql: string): Promise<unknown> {
  const started = await caller.post('/api/query/jobs', { sql });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const place = `/api/query/jobs/${started.body.id}`;
  await vi.waitFor(async () => expect((await caller.get(place)).body.status).toBe('succeeded'), {
    timeout: 60_000,
    interval: 100,
  });
  return (await caller.get(`${place}/result`)).body.rows;
}

async function synced(api: Api, sourceId: string): Promise<void> {
  const place = `/api/data-sources/${sourceId}`;
  expect((await api.as('owner').post(`${place}/sync`)).status).toBe(202);
  const newest = async () => (await api.as('editor').get(`${place}/history`)).body.items[0]?.status;
  await expect.poll(newest, { timeout: 60_000 }).toBe('succeeded');
}
