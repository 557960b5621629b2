import { describe, expect } from 'vitest';
import {
  type Catalogue,
  catalogueObjects,
  cataloguePointerItem,
} from '../../../../shared/domains/warehouse/sources/index.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, posted } from '../../../support/given/model.ts';

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

  it('leave tables and fields alone that an author has pointed at something else', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2 AS amount' });
    await givenDataset(api, { name: 'archive', sql: 'SELECT 1 AS id, 2 AS amount' });
    const { path } = await givenModel(api);
    await api.as('editor').post(`${path}/import`, { tables: ['orders'] });
    const tables = async () => (await api.as('viewer').get(`${path}/tables?includeFields=true`)).body.items;
    const [imported] = await tables();
    const [id] = imported.fields;
    await api.as('editor').put(`${path}/tables/${imported.id}`, { sourceTable: 'archive', alias: 'archive' });
    await api.as('editor').put(`${path}/tables/${imported.id}/fields/${id.id}`, {
      name: 'doubled',
      fieldType: 'calculated',
      sourceColumn: null,
      expression: '[amount] * 2',
    });
    expect((await api.as('editor').post(`${path}/import`, { tables: ['orders'] })).body).toMatchObject({
      tablesAdded: 1,
      fieldsAdded: 2,
    });
    const shown = async () =>
      (await tables()).map(
        ({ alias, sourceTable, fields }: { alias: string; sourceTable: string; fields: { name: string }[] }) =>
          `${alias} of ${sourceTable}: ${fields.map(({ name }) => name).join()}`,
      );
    expect(await shown()).toEqual(['archive of archive: doubled,amount', 'orders of orders: id,amount']);
    // The column of the repointed field goes and comes back.
    await givenDataset(api, { name: 'archive', sql: 'SELECT 2 AS amount' });
    await api.as('editor').post(`${path}/resync`);
    await givenDataset(api, { name: 'archive', sql: 'SELECT 1 AS id, 2 AS amount' });
    expect((await api.as('editor').post(`${path}/resync`)).body).toMatchObject({ fieldsAdded: 1 });
    expect(await shown()).toEqual(['archive of archive: doubled,amount,id', 'orders of orders: id,amount']);
    expect((await api.as('editor').post(`${path}/import`)).body).toMatchObject({ tablesAdded: 0, fieldsAdded: 0 });
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
