import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { type Catalogue, catalogueObjects, cataloguePointerItem } from '../../../shared/domains/sources/index.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { type Api, it } from '../../support/api.ts';
import type { Reply } from '../../support/conformance.ts';
import { dataBucket } from '../../support/given/bucket.ts';
import { givenDataset } from '../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../support/given/model.ts';

/** A model over a dataset with one row, with a field and a measure. */
async function given(api: Api) {
  await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.50::DECIMAL(9,2) AS amount' });
  const { id, path } = await givenModel(api);
  const orders = await givenTable(api, path, 'orders');
  const amount = await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
  return { id, path, orders, amount, revenue: revenue.id };
}

/** A model over a database, whose catalogue a test can set. */
async function givenDatabaseModel(api: Api) {
  const config = { host: '127.0.0.1', database: 'x', user: 'x' };
  const source = { name: 'w', type: 'postgres', config, secrets: { password: 'x' } };
  const { id: sourceId } = (await api.as('owner').post('/api/data-sources', source)).body;
  const { path } = await givenModel(api, { sourceId });
  const { name, s3 } = await dataBucket(api.endpoint);
  const place = { workspaceId: api.workspaceId, sourceId };
  return {
    path,
    /** As a sync stores it. */
    async catalogue(tableCount: number, columnCount: number): Promise<void> {
      const columns = Array.from({ length: columnCount }, (_, index) => ({
        name: `column_${index}`,
        type: index % 2 === 0 ? 'integer' : 'decimal(18,2)',
        sourceType: 'x',
        nullable: true,
        primaryKey: index === 0,
      }));
      const tables = Array.from({ length: tableCount }, (_, index) => ({
        schema: 'public',
        name: `table_${index}`,
        kind: 'table' as const,
        columns,
      }));
      const object = `${catalogueObjects(place)}${crypto.randomUUID()}.json`;
      const content = JSON.stringify({ defaultSchema: 'public', schemas: ['public'], tables } satisfies Catalogue);
      await objectStore(name, s3).write(object, Buffer.from(content), 'application/json');
      const pointer = { object, syncedAt: new Date().toISOString(), jobId: crypto.randomUUID() };
      await transact(api.table, [cataloguePointerItem(api.table, place, pointer)]);
    },
  };
}

async function events(api: Api, name: string) {
  const { pk } = workspaceKey(api.workspaceId, 'OUTBOX', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  const { Items = [] } = await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }));
  return Items.filter(({ event }) => event === name);
}

describe('versions of a model', () => {
  it('are published, reported once, and restored as a whole', async ({ api }) => {
    const { id, path, orders, amount, revenue } = await given(api);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const published = await api.as('editor').post(`${path}/publish`, {}, { headers });
    expect(published).toMatchObject({
      status: 200,
      body: {
        version: 1,
        gate: { passed: true, overridden: false, reasons: [] },
        tableCount: 1,
        fieldCount: 1,
        measureCount: 1,
      },
    });
    expect((await api.as('editor').post(`${path}/publish`, {}, { headers })).body).toEqual(published.body);
    const read = async () => (await api.as('viewer').get(path)).body;
    expect(await read()).toMatchObject({
      status: 'published',
      latestVersion: 1,
      hasUnpublishedChanges: false,
      revision: 2,
    });
    expect(await events(api, 'model.published')).toMatchObject([{ data: { modelId: id, version: 1 } }]);

    await api.as('editor').put(orders.path, { alias: 'sales' });
    await api.as('editor').delete(`${orders.path}/fields/${amount}`);
    await posted(api, `${path}/measures`, { name: 'Extra', expression: '1' });
    expect(await read()).toMatchObject({ hasUnpublishedChanges: true, staleMeasures: 1 });
    const restored = await api.as('editor').post(`${path}/versions/1/restore`);
    expect(restored).toMatchObject({ status: 200, body: { staleMeasures: 0, tableCount: 1, latestVersion: 1 } });
    const measures = (await api.as('viewer').get(`${path}/measures`)).body;
    expect(measures).toMatchObject({
      total: 1,
      items: [{ id: revenue, expression: 'SUM([orders.amount])', revision: 1 }],
    });
    expect((await api.as('viewer').get(orders.path)).body).toMatchObject({ alias: 'orders', revision: 3 });
    expect((await api.as('viewer').get(`${path}/fields`)).body.items).toMatchObject([{ id: amount, stale: false }]);

    await api.as('editor').post(`${path}/publish`);
    const list = (await api.as('viewer').get(`${path}/versions`)).body;
    expect(list.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect(list).toMatchObject({ total: 2, limit: 50, offset: 0 });
  });

  it('with issues are published by admins alone, with a reason that is kept', async ({ api }) => {
    const { path, orders, amount, revenue } = await given(api);
    await givenTable(api, path, 'nothing');
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { dataType: 'string', aggregation: 'none' });
    await givenField(api, orders.path, 'gone');
    const refused = await api.as('owner').post(`${path}/publish`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PUBLISH_GATE' } });
    expect(refused.body.reasons.map(({ code }: { code: string }) => code).sort()).toEqual([
      'COLUMN_MISSING',
      'MEASURE_STALE',
      'TABLE_MISSING',
    ]);
    expect(refused.body.reasons).toContainEqual(
      expect.objectContaining({ part: { type: 'measure', id: revenue, name: 'Revenue' } }),
    );
    const override = { override: true, overrideReason: 'The source is repaired tonight' };
    expect(await api.as('editor').post(`${path}/publish`, override)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    for (const overrideReason of [undefined, '  ']) {
      const reply = await api.as('owner').post(`${path}/publish`, { override: true, overrideReason });
      expect(reply).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/overrideReason', code: 'REQUIRED' }] },
      });
    }
    const forced = await api.as('owner').post(`${path}/publish`, override);
    expect(forced.body).toMatchObject({
      version: 1,
      overrideReason: override.overrideReason,
      gate: { passed: false, overridden: true },
    });
    expect((await api.as('viewer').get(`${path}/versions`)).body.items[0].gate.reasons).toHaveLength(3);
  });

  it('with other row-level security are restored by admins alone', async ({ api }) => {
    const { path, orders } = await given(api);
    await api.as('editor').post(`${path}/publish`);
    const policy = { name: 'None', tableId: orders.id, filterExpression: 'FALSE', appliesTo: [{ type: 'everyone' }] };
    await api.as('owner').post(`${path}/rls`, policy);
    const restore = (actor: 'editor' | 'owner') => api.as(actor).post(`${path}/versions/1/restore`);
    expect(await restore('editor')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.as('owner').get(`${path}/rls`)).body.total).toBe(1);
    expect((await restore('owner')).status).toBe(200);
    expect((await api.as('owner').get(`${path}/rls`)).body.total).toBe(0);
    expect((await restore('editor')).status).toBe(200);
  });
});

describe('imports', () => {
  it('add datasets with a field for each column, of the type and use that its name suggests', async ({ api }) => {
    const columns = `1 AS id, 'a@b.c' AS email, 2.50::DECIMAL(9,2) AS amount, DATE '2026-01-01' AS placed, 3 AS unit_price`;
    await givenDataset(api, { name: 'orders', sql: `SELECT ${columns}` });
    await givenDataset(api, { name: 'other', sql: 'SELECT 1 AS x' });
    const { path } = await givenModel(api);
    const import_ = (body: object) => api.as('editor').post(`${path}/import`, body);
    expect((await import_({ tables: ['orders'] })).body).toEqual({
      tablesAdded: 1,
      fieldsAdded: 5,
      fieldsChanged: [],
      fieldsMissing: [],
    });
    const fields = (await api.as('viewer').get(`${path}/fields`)).body.items;
    expect(
      fields.map(
        (each: Record<string, string>) =>
          `${each.name} ${each.fieldType} ${each.dataType} ${each.aggregation} ${each.semanticType}`,
      ),
    ).toEqual([
      'id dimension integer none identifier',
      'email dimension string none email',
      'amount measure decimal sum null',
      'placed dimension date none null',
      'unit_price measure integer avg null',
    ]);
    expect((await import_({ tables: ['orders'] })).body).toMatchObject({ tablesAdded: 0, fieldsAdded: 0 });
    expect((await import_({})).body).toMatchObject({ tablesAdded: 1, fieldsAdded: 1 });
    const unknown = await import_({ tables: ['orders', 'ordres'] });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/tables/1', code: 'UNKNOWN_TABLE' }] } });
    expect((await import_({ schema: 'nothing' })).body).toMatchObject({ tablesAdded: 0 });
    expect((await api.as('viewer').get(path)).body).toMatchObject({ tableCount: 2, health: { errors: 0 } });
  });

  it('are brought up to date without deleting anything', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2 AS amount, 3 AS unwanted' });
    const { path } = await givenModel(api);
    await api.as('editor').post(`${path}/import`);
    const list = async () =>
      (await api.as('viewer').get(`${path}/fields`)).body.items as {
        id: string;
        name: string;
        tableId: string;
        missing: boolean;
        dataType: string;
      }[];
    const unwanted = (await list()).find(({ name }) => name === 'unwanted')!;
    await api.as('editor').delete(`${path}/tables/${unwanted.tableId}/fields/${unwanted.id}`);
    expect((await api.as('editor').post(`${path}/resync`)).body).toMatchObject({ fieldsAdded: 0, fieldsMissing: [] });
    await givenDataset(api, { name: 'orders', sql: "SELECT 'a' AS id, 3 AS unwanted, 4 AS extra" });
    const report = await api.as('editor').post(`${path}/resync`);
    expect(report.body).toMatchObject({
      tablesAdded: 0,
      fieldsAdded: 1,
      fieldsChanged: [{ table: 'orders', field: 'id' }],
      fieldsMissing: [{ table: 'orders', field: 'amount' }],
    });
    expect((await list()).map(({ name, missing, dataType }) => `${name} ${dataType} ${missing}`)).toEqual([
      'id string false',
      'amount integer true',
      'extra integer false',
    ]);
  });

  it('need a catalogue of the data source', async ({ api }) => {
    const config = { host: '127.0.0.1', database: 'x', user: 'x' };
    const source = await api
      .as('owner')
      .post('/api/data-sources', { name: 'w', type: 'postgres', config, secrets: { password: 'x' } });
    const { path } = await givenModel(api, { sourceId: source.body.id });
    for (const place of ['import', 'resync'])
      expect(await api.as('editor').post(`${path}/${place}`)).toMatchObject({
        status: 409,
        body: { code: 'DATA_SOURCE_NOT_SYNCED' },
      });
    const measure = await posted(api, `${path}/measures`, { name: 'One', expression: 'ROUND(1.5, 0)' });
    const preview = await api.as('viewer').post(`${path}/measures/${measure.id}/preview`);
    expect(preview.body).toMatchObject({ dialect: 'postgres', sql: expect.stringMatching(/round/i) });
  });
});

describe('the largest import', () => {
  it('is visible as a whole, and leaves no room for more', async ({ api }) => {
    const { path, catalogue } = await givenDatabaseModel(api);
    await catalogue(501, 1);
    const tooLarge = { status: 409, body: { code: 'MODEL_TOO_LARGE' } };
    expect(await api.as('editor').post(`${path}/import`)).toMatchObject(tooLarge);
    await catalogue(500, 20);
    const took: Record<string, number> = {};
    const timed = async (name: string, work: () => Promise<Reply>) => {
      const started = performance.now();
      const reply = await work();
      took[name] = Math.round(performance.now() - started);
      return reply.body;
    };
    const imported = await timed('import', () => api.as('editor').post(`${path}/import`));
    expect(imported).toMatchObject({ tablesAdded: 500, fieldsAdded: 10_000 });
    expect(await timed('import again', () => api.as('editor').post(`${path}/import`))).toMatchObject({
      fieldsAdded: 0,
    });
    const { items, total } = await timed('list fields', () => api.as('viewer').get(`${path}/fields?limit=10000`));
    expect([items.length <= total, total]).toEqual([true, 10_000]);
    const [{ tableId, id }] = items;
    const edit = { description: 'x' };
    const changed = await timed('edit', () => api.as('editor').put(`${path}/tables/${tableId}/fields/${id}`, edit));
    expect(changed).toMatchObject({ revision: 2 });
    expect((await timed('publish', () => api.as('editor').post(`${path}/publish`))).fieldCount).toBe(10_000);
    expect((await timed('restore', () => api.as('editor').post(`${path}/versions/1/restore`))).tableCount).toBe(500);
    await catalogue(500, 21);
    expect(await api.as('editor').post(`${path}/resync`)).toMatchObject(tooLarge);
    expect((await api.as('viewer').get(`${path}/fields?limit=1`)).body.total).toBe(10_000);
    console.log(`a model of 500 tables and 10,000 fields, in ms: ${JSON.stringify(took)}`);
  });
});

describe('the preview of a measure', () => {
  it('is its SQL in a dialect, the same each time, or says why there is none', async ({ api }) => {
    const { path, orders, amount, revenue } = await given(api);
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

describe('transform steps', () => {
  it('fit the columns that they receive, in every order', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: "SELECT 1 AS id, 2.50::DECIMAL(9,2) AS amount, 'x' AS status" });
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path, 'orders');
    const add = (type: string, config: object) => api.as('editor').post(`${table}/transforms`, { type, config });
    const issues = (reply: { body: { errors: { pointer: string; code: string }[] } }) =>
      reply.body.errors.map(({ pointer, code }) => `${pointer} ${code}`);
    const rename = await add('rename_column', { from: 'amount', to: 'net' });
    expect(rename).toMatchObject({
      status: 200,
      body: { type: 'rename_column', order: 1, isEnabled: true, revision: 1 },
    });
    const gross = await add('add_column', { name: 'gross', expression: '[net] * 1.19' });
    expect(gross.status, JSON.stringify(gross.body)).toBe(200);
    const unknown = await add('filter_rows', { conditions: [{ column: 'amount', op: 'gt', value: 1 }] });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'MODEL_TRANSFORM_INVALID' } });
    expect(issues(unknown)).toEqual(['/config/conditions/0/column UNKNOWN_COLUMN']);
    const more: [string, object, string[]][] = [
      [
        'filter_rows',
        {
          conditions: [
            { column: 'net', op: 'between', value: [1] },
            { column: 'id', op: 'is_null', value: 1 },
            { column: 'status', op: 'in', value: 'x' },
            { column: 'id', op: 'contains', value: '1' },
            { column: 'net', op: 'gt', value: 'x' },
            { column: 'id', op: 'eq' },
          ],
        },
        [
          '/config/conditions/0/value LENGTH',
          '/config/conditions/1/value CONFLICT',
          '/config/conditions/2/value TYPE',
          '/config/conditions/3/op WRONG_TYPE',
          '/config/conditions/4/value WRONG_TYPE',
          '/config/conditions/5/value REQUIRED',
        ],
      ],
      ['remove_columns', { columns: ['id', 'net', 'status', 'gross'] }, ['/config/columns NO_COLUMNS']],
      ['rename_column', { from: 'id', to: 'net' }, ['/config/to DUPLICATE']],
      ['change_type', { column: 'id', type: 'string', format: '%d' }, ['/config/format CONFLICT']],
      ['change_type', { column: 'id', type: 'geo' }, ['/config/type WRONG_TYPE']],
      ['add_column', { name: 'id', expression: '[nothing] +' }, ['/config/name DUPLICATE']],
      ['replace_values', { column: 'id', pairs: [{ from: 'a', to: 'b' }] }, ['/config/column WRONG_TYPE']],
      [
        'replace_values',
        {
          column: 'status',
          mode: 'regex',
          pairs: [
            { from: '(?=a)', to: '' },
            { from: '[', to: '' },
          ],
        },
        ['/config/pairs/0/from PATTERN', '/config/pairs/1/from PATTERN'],
      ],
      [
        'top_n',
        { n: 1, by: [{ column: 'x' }], perGroup: ['y'] },
        ['/config/by/0/column UNKNOWN_COLUMN', '/config/perGroup/0 UNKNOWN_COLUMN'],
      ],
      ['deduplicate', { keys: ['x'] }, ['/config/keys/0 UNKNOWN_COLUMN']],
      [
        'group_aggregate',
        {
          groupBy: ['status'],
          aggregations: [
            { fn: 'sum', as: 'a' },
            { fn: 'sum', column: 'status', as: 'status' },
          ],
        },
        [
          '/config/aggregations/0/column REQUIRED',
          '/config/aggregations/1/column WRONG_TYPE',
          '/config/aggregations/1/as DUPLICATE',
        ],
      ],
    ];
    for (const [type, config, expected] of more) {
      const reply = await add(type, config);
      expect(reply.status, type).toBe(422);
      expect(issues(reply).slice(0, expected.length), type).toEqual(expected);
    }
    expect((await add('top_n', { n: 1 })).status).toBe(400);
    expect((await add('flatten', {})).status).toBe(400);
    for (const [type, config] of [
      [
        'filter_rows',
        {
          match: 'any',
          conditions: [
            { column: 'net', op: 'gt', value: 1 },
            { column: 'status', op: 'in', value: ['a'] },
          ],
        },
      ],
      ['replace_values', { column: 'status', pairs: [{ from: 'x', to: 'y' }] }],
      ['change_type', { column: 'id', type: 'string' }],
      ['sort_rows', { by: [{ column: 'gross', direction: 'desc', nulls: 'last' }] }],
      ['deduplicate', { keys: ['id'], keep: 'last' }],
      ['top_n', { n: 5, by: [{ column: 'gross' }], perGroup: ['status'] }],
      ['remove_columns', { columns: ['id'] }],
      [
        'group_aggregate',
        {
          groupBy: ['status'],
          aggregations: [
            { fn: 'count', as: 'orders' },
            { fn: 'sum', column: 'gross', as: 'gross' },
          ],
        },
      ],
    ] as const) {
      const reply = await add(type, config);
      expect(reply.status, `${type} ${JSON.stringify(reply.body)}`).toBe(200);
    }
    const last = (await api.as('viewer').get(`${table}/transforms`)).body;
    expect(last.total).toBe(10);
    const ids: string[] = last.items.map(({ id }: { id: string }) => id);

    const place = `${table}/transforms/${rename.body.id}`;
    const needed = { status: 422, body: { code: 'MODEL_TRANSFORM_INVALID', stepId: gross.body.id } };
    expect(await api.as('editor').put(place, { isEnabled: false })).toMatchObject(needed);
    expect(await api.as('editor').delete(place)).toMatchObject(needed);
    const reorder = (orderedIds: string[]) => api.as('editor').post(`${table}/transforms/reorder`, { orderedIds });
    expect(await reorder([ids[1]!, ids[0]!, ...ids.slice(2)])).toMatchObject({
      ...needed,
      body: { code: 'MODEL_TRANSFORM_INVALID' },
    });
    expect(issues(await reorder([ids[0]!, ids[0]!, crypto.randomUUID()]))).toEqual([
      '/orderedIds/1 DUPLICATE',
      '/orderedIds/2 UNKNOWN_STEP',
      '/orderedIds INCOMPLETE',
    ]);
    const swapped = [...ids.slice(0, 4), ids[5]!, ids[4]!, ...ids.slice(6)];
    expect((await reorder(swapped)).body.items.map(({ id }: { id: string }) => id)).toEqual(swapped);
    expect((await api.as('editor').delete(`${table}/transforms/${ids[9]}`)).body.total).toBe(9);
    const changed = await api
      .as('editor')
      .put(`${table}/transforms/${ids[2]}`, { config: { conditions: [{ column: 'x' }] } });
    expect(issues(changed)).toEqual(['/config/conditions/0/op REQUIRED']);
    await givenField(api, table, 'gross', { dataType: 'decimal' });
    await givenField(api, table, 'amount', { dataType: 'decimal' });
    const fields = (await api.as('viewer').get(`${table}/fields`)).body.items;
    expect(fields.map(({ missing }: { missing: boolean }) => missing)).toEqual([false, true]);
  });

  it('are limited in number', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const step = { type: 'filter_rows', config: { conditions: [{ column: 'a', op: 'not_null' }] } };
    for (let count = 0; count < 50; count += 1) await api.as('editor').post(`${table}/transforms`, step);
    expect(await api.as('editor').post(`${table}/transforms`, step)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_TOO_LARGE' },
    });
  });
});
