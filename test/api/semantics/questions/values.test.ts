import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';

const NAMES = `SELECT 'Name ' || lpad(n::VARCHAR, 3, '0') AS name, n % 7 AS shelf, n % 2 = 0 AS even FROM range(1, 251) AS t(n)
  UNION ALL SELECT '100% "wool"_', NULL, NULL UNION ALL SELECT NULL, 3, NULL`;

async function given(api: Api) {
  const { id } = await givenDataset(api, { name: 'goods', sql: NAMES });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'goods');
  const name = await givenField(api, table.path, 'name');
  const shelf = await givenField(api, table.path, 'shelf', { dataType: 'integer' });
  return { dataset: `/api/datasets/${id}/values`, model: `${model.path}/values`, id, modelId: model.id, name, shelf };
}

const values = async (api: Api, path: string, body: object, caller: 'viewer' | 'editor' = 'viewer') => {
  const reply = await api.as(caller).post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as { values: unknown[]; truncated: boolean; asOf: string };
};

describe('the values of a field', () => {
  it('are listed once each, by pages, with a search and filters', async ({ api }) => {
    const { model, dataset, name, shelf } = await given(api);
    for (const [path, named, shelfNamed] of [
      [model, { fieldId: name }, { fieldId: shelf }],
      [dataset, { column: 'name' }, { column: 'shelf' }],
    ] as const) {
      const first = await values(api, path, { ...named, limit: 100 });
      expect(first).toMatchObject({ truncated: true, asOf: expect.any(String), timezone: 'UTC' });
      const second = await values(api, path, { ...named, limit: 100, offset: 100 });
      const third = await values(api, path, { ...named, limit: 100, offset: 200 });
      expect(third.truncated).toBe(false);
      const expected = Array.from({ length: 250 }, (_, n) => `Name ${String(n + 1).padStart(3, '0')}`);
      expect([...first.values, ...second.values, ...third.values]).toEqual(['100% "wool"_', ...expected]);
      expect((await values(api, path, { ...named, search: 'NAME 24' })).values).toHaveLength(10);
      expect((await values(api, path, { ...named, search: '0% "W' })).values).toEqual(['100% "wool"_']);
      expect((await values(api, path, { ...named, search: '_' })).values).toEqual(['100% "wool"_']);
      expect((await values(api, path, shelfNamed)).values).toEqual([0, 1, 2, 3, 4, 5, 6]);
      const filters = [{ ...named, op: 'starts_with', values: ['name 00'], ignoreCase: true }];
      expect((await values(api, path, { ...shelfNamed, filters })).values).toEqual([1, 2, 3, 4, 5, 6, 0].sort());
      expect((await values(api, path, { ...named, offset: 1000 })).values).toEqual([]);
    }
  });

  it('are refused for unknown names, wrong searches and other workspaces', async ({ api }) => {
    const { model, dataset, name, shelf } = await given(api);
    const refused = async (path: string, body: object) => {
      const reply = await api.as('viewer').post(path, body);
      expect(reply.status).toBe(400);
      return issuesOf(reply);
    };
    expect(await refused(model, { fieldId: crypto.randomUUID() })).toEqual(['/fieldId UNKNOWN_FIELD']);
    expect(await refused(model, { fieldId: shelf, search: '1' })).toEqual(['/search TYPE']);
    expect(await refused(dataset, { column: 'nam' })).toEqual(['/column UNKNOWN_FIELD']);
    expect(await refused(dataset, { column: 'name', filters: [{ column: 'shelv', op: 'eq', values: [1] }] })).toEqual([
      '/filters/0/column UNKNOWN_FIELD',
    ]);
    await givenDataset(api, { name: 'apart', sql: 'SELECT 1 AS id' });
    const apart = await givenTable(api, model.replace('/values', ''), 'apart');
    const id = await givenField(api, apart.path, 'id', { dataType: 'integer' });
    const unrelated = { fieldId: name, filters: [{ fieldId: id, op: 'eq', values: [1] }] };
    expect(await api.as('viewer').post(model, unrelated)).toMatchObject({
      status: 422,
      body: { code: 'QUESTION_UNANSWERABLE' },
    });
    for (const [path, body] of [
      [model, { fieldId: name }],
      [dataset, { column: 'name' }],
    ] as const) {
      expect((await api.as('stranger').post(path, body)).status).toBe(404);
      expect((await api.as('viewer').post(path, {})).status).toBe(400);
    }
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect(await api.as('viewer').post(`/api/datasets/${unknown}/values`, { column: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'DATASET_NOT_FOUND' },
    });
    expect(await api.as('viewer').post(`/api/models/${unknown}/values`, { fieldId: unknown })).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
  });

  it('are those of the rows and columns that the reader may see', async ({ api }) => {
    const staff = await givenProtected(api);
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const model = `${staff.model.path}/values`;
    const dataset = `/api/datasets/${staff.dataset.id}/values`;
    for (const [path, name, region, salary] of [
      [model, { fieldId: staff.field.name }, { fieldId: staff.field.region }, { fieldId: staff.field.salary }],
      [dataset, { column: 'name' }, { column: 'region' }, { column: 'salary' }],
    ] as const) {
      expect((await reader.caller.post(path, name)).body.values).toEqual(['Ann', 'Bob', 'Cid']);
      expect((await reader.caller.post(path, { ...name, search: SECRET_ROW.slice(0, 6) })).body.values).toEqual([]);
      expect((await reader.caller.post(path, region)).body.values).toEqual(['eu']);
      const hidden = await reader.caller.post(path, salary);
      expect(hidden.status).toBe(400);
      expect(JSON.stringify(hidden.body)).not.toContain(SECRET_COLUMN);
    }
  });

  it('are those that a filter of a dashboard offers to members and to readers of links', async ({ api }) => {
    const { id } = await given(api);
    const source = { kind: 'dataset', id };
    const measures = [{ column: 'shelf', aggregation: 'count', label: 'Goods' }];
    const cards = await givenCards(api, [
      card('all', chart({ source, measures })),
      card('shelves', chart({ source, dimensions: [{ column: 'shelf' }, { column: 'name' }], measures })),
    ]);
    const made = await posted(api, `${cards.path}/filters`, { fieldId: 'name', filterType: 'multi_select' });
    await publish(api, cards.path);
    const path = `${cards.path}/filters/${made.id}/values`;
    expect(await values(api, path, { search: 'nAME 01', limit: 3, offset: 8 })).toMatchObject({
      values: ['Name 018', 'Name 019'],
      truncated: false,
    });
    const { reader } = await givenShare(api, cards.id);
    const shared = { cardId: 'all', distinctColumn: 'name' };
    const page = await reader.post('card-data', { ...shared, search: 'NAME 0', limit: 2, offset: 97 });
    expect(page.body).toMatchObject({ rows: [['Name 098'], ['Name 099']], rowCount: 2, truncated: false });
    expect((await reader.post('card-data', { ...shared, limit: 2, offset: 2 })).body).toMatchObject({
      rows: [['Name 002'], ['Name 003']],
      truncated: true,
    });
    const ofRows = { cardId: 'shelves', distinctColumn: 'shelf', offset: 2, limit: 2 };
    expect((await reader.post('card-data', ofRows)).body).toMatchObject({ rows: [[2], [3]], truncated: true });
    expect(issuesOf(await reader.post('card-data', { cardId: 'all', search: 'x', offset: 1 }))).toEqual([
      '/search CONFLICT',
      '/offset CONFLICT',
    ]);
  });
});
