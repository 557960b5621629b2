import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenLabel, givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { ROUTES } from '../../../support/samples.ts';

const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } };

type Request = [method: 'put' | 'post' | 'delete', path: string, body?: object];

/**
 * The operations that could lift what protects rows or columns: each is tried here, the last two by what they must not
 * stop.
 */
const COULD_LIFT = [
  'updateModelField',
  'deleteModelField',
  'addModelTable',
  'updateModelTable',
  'removeModelTable',
  'createTransform',
  'updateTransform',
  'deleteTransform',
  'reorderTransforms',
  'createRelationship',
  'updateRelationship',
  'deleteRelationship',
  'importModelFile',
  'restoreModelVersion',
  'deleteModel',
  'importModelTables',
  'resyncModel',
];

/** Those of which nothing that protects reads what they change. */
const CANNOT_LIFT = [
  ...['createModel', 'updateModel', 'publishModel', 'validateModel', 'createModelField'],
  ...['createHierarchy', 'updateHierarchy', 'deleteHierarchy'],
  ...['createMeasure', 'updateMeasure', 'deleteMeasure', 'suggestMeasure'],
  ...['createRollup', 'updateRollup', 'deleteRollup'],
  ...['suggestRelationships', 'detectRelationships', 'compileQuestion', 'previewModelTable'],
  ...['listModelAccess', 'setModelAccess', 'revokeModelAccess'],
];

describe('the operations that change a model', () => {
  it('are all among those that are tried or that cannot lift anything', () => {
    const writing = ROUTES.filter(
      ({ path, permission }) => path.startsWith('/api/models') && permission === 'models:write',
    );
    expect(writing.map(({ operationId }) => operationId).sort()).toEqual([...COULD_LIFT, ...CANNOT_LIFT].sort());
  });
});

/** Each is rejected for an editor with what it would lift. */
async function expectRejected(api: Api, requests: readonly Request[], names: readonly string[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const reply = await (method === 'delete' ? api.as('editor').delete(path) : api.as('editor')[method](path, body));
    expect(reply, `${method} ${path} ${JSON.stringify(body)}`).toMatchObject(FORBIDDEN);
    expect(reply.body.referencedBy.map(({ name }: { name: string }) => name)).toEqual(names);
  }
}

describe('what policies and labels protect', () => {
  it('is not lifted by an edit of a field that a policy reads, unless an admin makes it', async ({ api }) => {
    const { model, table, field } = await givenProtected(api);
    const half = await givenField(api, table.path, 'half', { fieldType: 'calculated', expression: '[region]' });
    const policy = await givenPolicy(api, model.path, {
      tableId: table.id,
      name: 'By half',
      filterExpression: '[half] = "eu" AND [id] > 0',
    });
    const place = (id: string) => `${table.path}/fields/${id}`;
    await expectRejected(
      api,
      [
        ['put', place(field.id), { sourceColumn: 'salary' }],
        ['put', place(field.id), { dataType: 'decimal' }],
        ['put', place(field.id), { fieldType: 'calculated', expression: '1' }],
        ['put', place(field.id), { sensitivityLabel: 'Any' }],
        ['put', place(half), { expression: '"eu"' }],
        ['delete', place(field.id)],
        ['delete', place(half)],
      ],
      ['By half'],
    );
    expect((await api.as('editor').put(place(field.id), { name: 'key' })).status).toBe(200);
    expect((await api.as('editor').put(place(field.name), { sourceColumn: 'region' })).status).toBe(200);
    expect((await api.as('owner').put(place(field.id), { dataType: 'decimal' })).status).toBe(200);
    const [shown] = (await api.as('owner').get(`${model.path}/rls`)).body.items.filter(
      ({ id }: { id: string }) => id === policy.id,
    );
    expect(shown.filterExpression).toBe('[half] = "eu" AND [key] > 0');
  });

  it('includes the label of a column, which stays with it', async ({ api }) => {
    const { table, field, model, policy } = await givenProtected(api);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    const salary = `${table.path}/fields/${field.salary}`;
    const requests: Request[] = [
      ['put', salary, { sensitivityLabel: null }],
      ['put', salary, { sensitivityLabel: 'Public' }],
      ['put', salary, { sourceColumn: 'name' }],
      ['delete', salary],
      ['delete', table.path],
      ['put', table.path, { sourceTable: 'elsewhere' }],
      ['delete', model.path],
    ];
    await expectRejected(api, requests, ['salary']);
    expect((await api.as('editor').put(salary, { sensitivityLabel: 'PRIVATE' })).status).toBe(200);
    const twin = await givenField(api, table.path, 'twin', { sourceColumn: 'salary' });
    await givenLabel(api, table.path, twin, 'private');
    expect((await api.as('editor').delete(salary)).status).toBe(204);
    expect((await api.as('owner').delete(`${table.path}/fields/${twin}`)).status).toBe(204);
    expect((await api.as('editor').delete(model.path)).status).toBe(204);
  });

  it('follows a column that steps rename', async ({ api }) => {
    const { table, model, policy } = await givenProtected(api);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    const steps = `${table.path}/transforms`;
    const add = (type: string, config: object) => api.as('editor').post(steps, { type, config });
    await add('rename_column', { from: 'name', to: 'shown' });
    await add('remove_columns', { columns: ['shown'] });
    await add('rename_column', { from: 'region', to: 'shown' });
    const ids = (await api.as('editor').get(steps)).body.items.map(({ id }: { id: string }) => id);
    const field = await givenField(api, table.path, 'shown');
    await givenLabel(api, table.path, field, 'Private');
    const last = `${steps}/${ids[2]}`;
    await expectRejected(
      api,
      [
        ['put', last, { isEnabled: false }],
        ['put', last, { config: { from: 'id', to: 'shown' } }],
        ['delete', last],
        ['post', `${steps}/reorder`, { orderedIds: [ids[2], ids[1], ids[0]] }],
      ],
      ['shown'],
    );
    expect((await add('remove_columns', { columns: ['shown'] })).status).toBe(200);
    const other = { type: 'rename_column', config: { from: 'id', to: 'shown' } };
    await expectRejected(api, [['post', steps, other]], ['shown']);
  });

  it('is not lifted by a restored version or a deleted model', async ({ api }) => {
    const { model, table, field, policy } = await givenProtected(api);
    await api.as('owner').put(`${table.path}/fields/${field.salary}`, { sensitivityLabel: null });
    const publication = { override: true, overrideReason: 'a test' };
    expect((await api.as('owner').post(`${model.path}/publish`, publication)).status).toBe(200);
    await givenLabel(api, table.path, field.salary, 'Private');
    const restore: Request = ['post', `${model.path}/versions/1/restore`];
    await expectRejected(api, [restore], ['salary']);
    const { name } = (await api.as('owner').get(`${model.path}/rls`)).body.items[0];
    await expectRejected(api, [['delete', model.path]], [name, 'salary']);
    expect((await api.as('owner').post(restore[1])).status).toBe(200);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    expect((await api.as('editor').delete(model.path)).status).toBe(204);
    expect((await api.as('editor').get(model.path)).status).toBe(404);
  });
});

/** Orders of stores, in a model that joins them. */
async function givenStores(api: Api, name: string) {
  const model = await givenModel(api, { name });
  const stores = await givenTable(api, model.path, 'stores');
  const orders = await givenTable(api, model.path, 'orders');
  const integer = { dataType: 'integer' };
  const field = {
    id: await givenField(api, stores.path, 'id', integer),
    region: await givenField(api, stores.path, 'region'),
    order: await givenField(api, orders.path, 'id', integer),
    store: await givenField(api, orders.path, 'store', integer),
    other: await givenField(api, orders.path, 'other', integer),
  };
  const ends = { fromTableId: stores.id, fromFieldId: field.id, toTableId: orders.id, toFieldId: field.store };
  return { model, stores, orders, field, ends };
}

describe('what relationships hide', () => {
  it('is not shown by an edit of an editor, on any way', async ({ api }) => {
    await givenDataset(api, { name: 'stores', sql: "SELECT * FROM (VALUES (1, 'eu'), (2, 'us')) AS t(id, region)" });
    await givenDataset(api, {
      name: 'orders',
      sql: 'SELECT range AS id, 1 + range % 2 AS store, 1 AS other FROM range(6)',
    });
    const { model, stores, orders, field, ends } = await givenStores(api, 'Sales');
    const publication = { override: true, overrideReason: 'a test' };
    expect((await api.as('owner').post(`${model.path}/publish`, publication)).status).toBe(200);
    const relationship = await posted(api, `${model.path}/relationships`, ends);
    const policy = await givenPolicy(api, model.path, { tableId: stores.id, name: 'Own stores' });
    const second = await givenStores(api, 'Sales again');
    const elsewhere = await posted(api, `${second.model.path}/relationships`, second.ends);
    const count = async ({ path }: { path: string }, fieldId: string) => {
      const reply = await api.as('editor').post(`${path}/query`, { measures: [{ fieldId, aggregation: 'count' }] });
      return [reply.status, reply.body.rows];
    };
    const counts = async () => [await count(model, field.order), await count(second.model, second.field.order)];
    const parts = async () => (await api.as('owner').get(`${model.path}/file`)).body;
    const hidden = await counts();
    expect(hidden).toEqual([
      [200, [[0]]],
      [200, [[0]]],
    ]);

    const before: string = await parts();
    const place = `${model.path}/relationships/${relationship.id}`;
    const without = before.replace(/relationships:\n(?: .*\n)*/, '').replace(/policies:\n(?: .*\n)*/, '');
    expect(without).not.toContain('orders.store');
    const step = (type: string, config: object): Request => ['post', `${orders.path}/transforms`, { type, config }];
    const again = { sourceSchema: '', sourceTable: 'orders', alias: 'again' };
    await expectRejected(
      api,
      [
        ['put', place, { isActive: false }],
        ['put', place, { cardinality: 'N:M' }],
        ['put', place, { toFieldId: field.other }],
        [
          'put',
          place,
          { ...ends, fromTableId: orders.id, fromFieldId: field.store, toTableId: stores.id, toFieldId: field.id },
        ],
        ['delete', place],
        ['delete', `${orders.path}/fields/${field.store}`],
        ['put', `${orders.path}/fields/${field.store}`, { sourceColumn: 'other' }],
        ['put', `${stores.path}/fields/${field.id}`, { dataType: 'decimal' }],
        ['post', `${model.path}/tables`, again],
        ['post', `${model.path}/tables`, { ...again, sourceTable: 'ORDERS' }],
        ['put', orders.path, { sourceTable: 'elsewhere' }],
        ['delete', orders.path],
        step('change_type', { column: 'store', type: 'decimal' }),
        step('change_type', { column: 'store', type: 'string' }),
        ['put', `${model.path}/file`, { yaml: without }],
        ['put', `${model.path}/file?dryRun=true`, { yaml: without }],
      ],
      ['Own stores'],
    );
    await expectRejected(
      api,
      [
        ['put', `${second.model.path}/relationships/${elsewhere.id}`, { isActive: false }],
        ['delete', `${second.model.path}/relationships/${elsewhere.id}`],
      ],
      ['Own stores'],
    );
    expect(await api.as('editor').post(`${model.path}/versions/1/restore`)).toMatchObject(FORBIDDEN);
    expect([await parts(), await counts()]).toEqual([before, hidden]);

    const allowed: Request[] = [
      ['put', place, { joinType: 'left' }],
      ['put', orders.path, { alias: 'sales' }],
      step('add_column', { name: 'double', expression: '[other] * 2' }),
      ['post', `${model.path}/relationships`, { ...ends, toFieldId: field.other, isActive: false }],
      ['put', place, { cardinality: '1:1' }],
      ['post', `${model.path}/resync`, {}],
      ['post', `${model.path}/import`, {}],
    ];
    for (const [method, path, body] of allowed) {
      const reply = await (method === 'delete' ? api.as('editor').delete(path) : api.as('editor')[method](path, body));
      expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    }
    expect(await counts()).toEqual(hidden);
    expect((await api.as('owner').put(place, { isActive: false })).status).toBe(200);
    expect(await count(model, field.order)).toEqual([200, [[6]]]);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    expect((await api.as('editor').delete(place)).status).toBe(204);
  });
});
