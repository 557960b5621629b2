import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';

const ORDERS = "SELECT 1 AS id, 1 AS customer, 'open' AS status";
const GROUPED = { groupBy: ['status', 'customer'], aggregations: [{ fn: 'count', as: 'orders' }] };

/** A model whose steps make the column `loud`, and a board with a card that shows it. */
async function givenLoud(api: Api) {
  await givenDataset(api, { name: 'orders', sql: ORDERS });
  const model = await givenModel(api);
  const orders = await givenTable(api, model.path, 'orders');
  const addStep = async (type: string, config: object): Promise<string> => {
    const reply = await api.as('editor').post(`${orders.path}/transforms`, { type, config });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.id;
  };
  const group = await addStep('group_aggregate', GROUPED);
  const loud = await addStep('add_column', { name: 'loud', expression: 'UPPER([status])' });
  const status = await givenField(api, orders.path, 'status', { sourceColumn: 'status' });
  expect((await api.as('editor').post(`${model.path}/publish`, {})).status).toBe(200);
  const field = await givenField(api, orders.path, 'loud', { sourceColumn: 'loud' });
  const board = await givenDashboard(api, { name: 'Board' });
  const card = await addCard(api, board.path, { kind: 'model', id: model.id }, [{ fieldId: field }]);
  return { model, orders, steps: { group, loud }, fields: { status, loud: field }, board, card };
}

async function addCard(api: Api, board: string, source: object, dimensions: object[], id = 'card'): Promise<string> {
  await posted(api, `${board}/cards`, {
    ...{ id, title: id, cardType: 'table', position: POSITION },
    chartSpec: { version: 1, mark: { type: 'table' }, query: { source, dimensions } },
  });
  return `${board}/cards/${id}/data`;
}

type Reply = { status: number; body: unknown };

const broken = (name: string) => ({
  status: 409,
  body: { code: 'REFERENCED', total: 1, affected: [{ name, effect: 'breaks' }], referencedBy: [{ name }] },
});

describe('an edit that takes away what others need is rejected with its impact', () => {
  it('by transform steps', async ({ api }) => {
    const { orders, steps, card } = await givenLoud(api);
    const path = `${orders.path}/transforms`;
    const editor = api.as('editor');
    const before = (await editor.get(path)).body;
    const renamed = { config: { name: 'quiet', expression: 'UPPER([status])' } };
    const swapped = { orderedIds: [steps.loud, steps.group] };
    const edits: Record<string, (query?: string) => Promise<Reply>> = {
      add: (query = '') => editor.post(`${path}${query}`, { type: 'remove_columns', config: { columns: ['loud'] } }),
      update: (query = '') => editor.put(`${path}/${steps.loud}${query}`, renamed),
      reorder: (query = '') => editor.post(`${path}/reorder${query}`, swapped),
      delete: (query = '') => editor.delete(`${path}/${steps.loud}${query}`),
    };
    for (const [name, edit] of Object.entries(edits)) expect(await edit(), name).toMatchObject(broken('Board'));
    expect((await api.as('stranger').delete(`${path}/${steps.loud}`)).status).toBe(404);
    expect((await editor.get(path)).body).toEqual(before);
    expect((await editor.post(card, {})).status).toBe(200);

    expect((await edits.reorder!('?force=true')).status).toBe(200);
    expect((await editor.post(card, {})).status).toBeGreaterThanOrEqual(400);
    expect((await editor.post(`${path}/reorder`, { orderedIds: [steps.group, steps.loud] })).status).toBe(200);
    expect((await editor.post(card, {})).status).toBe(200);
    const harmless = { type: 'sort_rows', config: { by: [{ column: 'loud' }] } };
    expect((await editor.post(path, harmless)).status).toBe(200);
  });

  it('by the file of the model, also in a dry run', async ({ api }) => {
    const { model, fields, card } = await givenLoud(api);
    const editor = api.as('editor');
    const path = `${model.path}/file`;
    const file: string = (await editor.get(path)).body;
    const without = file.replace(/ {6}- name: loud\n(?: {8}.*\n)*/, '');
    expect(without).not.toBe(file);
    const put = (query = '') => editor.put(`${path}${query}`, { yaml: without });
    const refused = await put();
    expect(refused).toMatchObject(broken('Board'));
    const impact = await editor.get(refused.body.impact);
    expect(impact.body.affected.filter(({ id }: { id: string }) => id !== model.id)).toEqual(refused.body.affected);
    expect(await put('?dryRun=true')).toMatchObject(broken('Board'));
    expect((await editor.get(path)).body).toBe(file);
    expect(await put('?dryRun=true&force=true')).toMatchObject({
      status: 200,
      body: { fields: { removed: ['orders.loud'] } },
    });
    expect((await put('?force=true')).status).toBe(200);
    const { items } = (await editor.get(`${model.path}/fields`)).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([fields.status]);
    expect((await editor.post(card, {})).status).toBeGreaterThanOrEqual(400);
  });

  it('by a restored version of the model', async ({ api }) => {
    const { model, card } = await givenLoud(api);
    const restore = (query = '', actor: 'editor' | 'stranger' = 'editor') =>
      api.as(actor).post(`${model.path}/versions/1/restore${query}`);
    expect(await restore()).toMatchObject(broken('Board'));
    expect((await restore('', 'stranger')).status).toBe(404);
    expect((await api.as('editor').post(card, {})).status).toBe(200);
    expect((await restore('?force=true')).status).toBe(200);
    expect((await api.as('editor').post(card, {})).status).toBeGreaterThanOrEqual(400);
  });

  it('by another source table, or without the relationship of two tables', async ({ api }) => {
    const { model, orders, fields, board } = await givenLoud(api);
    const editor = api.as('editor');
    await givenDataset(api, { name: 'few_orders', sql: 'SELECT 1 AS id, 1 AS customer' });
    await givenDataset(api, { name: 'more_orders', sql: `${ORDERS}, 2 AS more` });
    const move = (sourceTable: string, query = '') => editor.put(`${orders.path}${query}`, { sourceTable });
    expect(await move('few_orders')).toMatchObject(broken('Board'));
    expect((await move('more_orders')).status).toBe(200);

    await givenDataset(api, { name: 'customers', sql: "SELECT 1 AS id, 'North' AS region" });
    const customers = await givenTable(api, model.path, 'customers');
    const region = await givenField(api, customers.path, 'region', { sourceColumn: 'region' });
    const ends = {
      ...{ fromTableId: customers.id, toTableId: orders.id, cardinality: '1:N' },
      fromFieldId: await givenField(api, customers.path, 'id', { dataType: 'integer', sourceColumn: 'id' }),
      toFieldId: await givenField(api, orders.path, 'customer', { dataType: 'integer', sourceColumn: 'customer' }),
    };
    const { id } = await posted(api, `${model.path}/relationships`, ends);
    const joined = [{ fieldId: fields.status }, { fieldId: region }];
    await addCard(api, board.path, { kind: 'model', id: model.id }, joined, 'joined');
    const path = `${model.path}/relationships/${id}`;
    expect(await editor.delete(path)).toMatchObject({
      ...broken('Board'),
      body: { affected: [{ name: 'Board', columns: [{ id: 'joined' }] }] },
    });
    expect((await editor.delete(`${path}?force=true`)).status).toBe(204);
    expect((await move('few_orders', '?force=true')).status).toBe(200);
  });

  it('by a restored version of a dataset', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'stock', sql: 'SELECT 1 AS id' });
    await givenDataset(api, { name: 'stock', sql: 'SELECT 1 AS id, 2 AS units' });
    const board = await givenDashboard(api, { name: 'Stock board' });
    const card = await addCard(api, board.path, { kind: 'dataset', id }, [{ column: 'units' }]);
    const editor = api.as('editor');
    const path = `/api/datasets/${id}/versions/1/restore`;
    const refused = await editor.post(path);
    expect(refused).toMatchObject(broken('Stock board'));
    expect(refused.body.impact).toBe(`/api/catalog/impact/dataset/${id}?column=units`);
    expect((await editor.get(`/api/datasets/${id}`)).body.version).toBe(2);
    expect((await editor.post(card, {})).status).toBe(200);
    expect(await editor.post(`${path}?force=true`)).toMatchObject({ status: 200, body: { version: 3 } });
  });

  it('by a pipeline that no longer loads a dataset', async ({ api }) => {
    const editor = api.as('editor');
    await givenDataset(api, { name: 'orders', sql: ORDERS });
    await givenDataset(api, { name: 'loaded', sql: 'SELECT 1 AS id' });
    const read = { id: 'read', type: 'extract', config: { object: { dataset: 'orders' } } };
    const save = {
      ...{ id: 'save', type: 'load', dependsOn: ['read'] },
      config: { target: { kind: 'dataset', name: 'loaded' }, mode: 'overwrite' },
    };
    const { id } = await posted(api, '/api/pipelines', { name: 'Flow', dag: { version: 1, steps: [read, save] } });
    await posted(api, '/api/saved-queries', { name: 'Loaded ids', sql: 'SELECT id FROM loaded', params: [] });
    const path = `/api/pipelines/${id}`;
    const renamed = { version: 1, steps: [read, { ...save, id: 'store' }] };
    expect((await editor.patch(path, { dag: renamed })).status).toBe(200);
    const stopped = { dag: { version: 1, steps: [read] } };
    const refused = await editor.patch(path, stopped);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', total: 1, affected: [{ name: 'Loaded ids', effect: 'outdated' }] },
    });
    expect(refused.body).not.toHaveProperty('impact');
    expect((await editor.get(path)).body.dag.steps).toHaveLength(2);
    expect((await editor.patch(`${path}?force=true`, stopped)).status).toBe(200);
  });
});
