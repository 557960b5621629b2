import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, posted } from '../../../support/given/model.ts';

/** A model over datasets, with all of their columns. */
async function givenImported(api: Api, datasets: Record<string, string>) {
  for (const [name, sql] of Object.entries(datasets)) await givenDataset(api, { name, sql });
  const { path } = await givenModel(api);
  expect((await api.as('editor').post(`${path}/import`)).status).toBe(200);
  const tables = (await api.as('editor').get(`${path}/tables?includeFields=true`)).body.items as {
    alias: string;
    id: string;
    fields: { id: string; name: string; tableId: string }[];
  }[];
  const names = new Map(tables.flatMap(({ alias, fields }) => fields.map(({ id, name }) => [id, `${alias}.${name}`])));
  const detect = () => api.as('editor').post(`${path}/detect-relationships`);
  const detected = async () => {
    const { body } = await detect();
    return (body.items as Record<string, string>[]).map(
      ({ fromFieldId, toFieldId, cardinality }) => `${names.get(fromFieldId!)} ${cardinality} ${names.get(toFieldId!)}`,
    );
  };
  return { path, tables, detect, detected };
}

const SHOP = {
  customers: "SELECT i AS id, 'c' || i AS code FROM range(100) t(i)",
  orders:
    'SELECT i AS id, i % 90 AS customer_id, i % 7 AS warehouse_id, i AS billing_customer_id FROM range(1000) t(i)',
  warehouses: 'SELECT i + 500 AS id FROM range(7) t(i)',
  order_details: 'SELECT i AS order_id, i AS note_id FROM range(500) t(i)',
  notes: 'SELECT i % 3 AS id FROM range(500) t(i)',
};

describe('relationships in the data', () => {
  it('are those whose names and values agree, with their evidence, and none is saved', async ({ api }) => {
    const { path, detect, detected } = await givenImported(api, SHOP);
    const reply = await detect();
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { total: 2, isComplete: true } });
    // Warehouses have other ids, few billing customers exist, and the ids of notes repeat.
    expect(await detected()).toEqual(['customers.id 1:N orders.customer_id', 'orders.id 1:1 order_details.order_id']);
    const [first] = reply.body.items;
    expect(first).toMatchObject({
      fromTable: 'customers',
      fromField: 'id',
      toTable: 'orders',
      toField: 'customer_id',
      joinType: 'left',
      confidence: 0.95,
      evidence: { containment: 1, sampleSize: 90 },
    });
    expect((await api.as('viewer').get(`${path}/relationships`)).body.total).toBe(0);
    const { confidence: _confidence, evidence: _evidence, ...relationship } = first;
    await posted(api, `${path}/relationships`, relationship);
    expect(await detected()).toEqual(['orders.id 1:1 order_details.order_id']);
  });

  it('are looked for in the rows and columns that the caller may see', async ({ api }) => {
    const { path, tables, detect } = await givenImported(api, SHOP);
    const orders = tables.find(({ alias }) => alias === 'orders')!;
    const policy = {
      name: 'Few',
      tableId: orders.id,
      filterExpression: '[customer_id] < 5',
      appliesTo: [{ type: 'everyone' }],
    };
    expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
    expect((await detect()).body.items).toMatchObject([{ evidence: { sampleSize: 5 } }]);
    const id = orders.fields.find(({ name }) => name === 'customer_id')!.id;
    const label = { sensitivityLabel: 'secret' };
    expect((await api.as('owner').put(`${path}/tables/${orders.id}/fields/${id}`, label)).status).toBe(200);
    expect((await detect()).body.total).toBe(0);
  });

  it('need a source that can be queried', async ({ api }) => {
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x' };
    const secrets = { password: 'x' };
    const source = async (type: string) =>
      (await api.as('owner').post('/api/data-sources', { name: type, type, config, secrets })).body.id as string;
    const given = async (type: string) => {
      const { path } = await givenModel(api, { name: type, sourceId: await source(type) });
      for (const alias of ['customers', 'orders']) {
        const table = await posted(api, `${path}/tables`, { sourceSchema: 'x', sourceTable: alias, alias });
        const field = { fieldType: 'dimension', dataType: 'integer' };
        for (const name of ['id', 'customer_id'])
          await posted(api, `${path}/tables/${table.id}/fields`, { ...field, name });
      }
      return api.as('editor').post(`${path}/detect-relationships`);
    };
    expect(await given('mysql')).toMatchObject({ status: 409, body: { code: 'SOURCE_NOT_QUERYABLE' } });
    expect(await given('postgres')).toMatchObject({ body: { code: 'DATA_SOURCE_UNREACHABLE' } });
  });
});
