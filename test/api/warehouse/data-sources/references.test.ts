import { afterAll, beforeAll, describe, expect } from 'vitest';
import { readReferrers } from '../../../../shared/domains/warehouse/sources/references.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const ROUNDS = 10;

const extract = (sourceId: string) => ({
  version: 1,
  steps: [{ id: 'read', type: 'extract', config: { sourceId, object: { table: 't' } } }],
});
const remove = (api: Api, id: string) => api.as('owner').delete(`/api/data-sources/${id}`);
const exists = async (api: Api, id: string) => (await api.as('editor').get(`/api/data-sources/${id}`)).status === 200;

describe('a data source and what refers to it', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openDatabase();
  });
  afterAll(() => server.drop());

  async function database(api: Api, name: string): Promise<string> {
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const body = { name, type: 'postgres', config, secrets: { password } };
    return (await api.as('owner').post('/api/data-sources', body)).body.id;
  }

  it('never part: of a save and a delete at once, one is refused', async ({ api }) => {
    const editor = api.as('editor');
    const savers = {
      pipeline: (sourceId: string, name: string) => editor.post('/api/pipelines', { name, dag: extract(sourceId) }),
      dataset: (sourceId: string, name: string) =>
        editor.post('/api/datasets', { name, source: { kind: 'table', sourceId, table: 't' } }),
      'saved-query': (sourceId: string, name: string) =>
        editor.post('/api/saved-queries', { name, sql: 'SELECT 1 AS a', sourceId }),
    };
    for (const [type, save] of Object.entries(savers)) {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `${type} ${round}`;
        const id = await database(api, name);
        const [saved, removed] = await Promise.all([save(id, name), remove(api, id)]);
        if (saved.status === 201) {
          expect(removed, name).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
          expect(await exists(api, id), name).toBe(true);
          expect(await readReferrers(api.table, api.workspaceId, id)).toEqual([{ type, id: saved.body.id }]);
        } else {
          expect([404, 422], JSON.stringify(saved.body)).toContain(saved.status);
          expect(removed.status, name).toBe(204);
          expect(await readReferrers(api.table, api.workspaceId, id)).toEqual([]);
        }
      }
    }
  });

  it('stay together until the last referrer is removed', async ({ api }) => {
    const editor = api.as('editor');
    const [id, other] = [await database(api, 'one'), await database(api, 'other')];
    const pipeline = (await editor.post('/api/pipelines', { name: 'p', dag: extract(id) })).body;
    const query = (await editor.post('/api/saved-queries', { name: 'q', sql: 'SELECT 1 AS a', sourceId: id })).body;
    expect(await remove(api, id)).toMatchObject({
      status: 409,
      body: {
        referencedBy: [
          { type: 'pipeline', id: pipeline.id, name: 'p' },
          { type: 'saved-query', id: query.id, name: 'q' },
        ],
      },
    });
    expect((await editor.patch(`/api/pipelines/${pipeline.id}`, { name: 'renamed' })).status).toBe(200);
    expect((await editor.delete(`/api/saved-queries/${query.id}`)).status).toBe(204);
    expect((await remove(api, id)).body.referencedBy).toEqual([{ type: 'pipeline', id: pipeline.id, name: 'renamed' }]);
    expect((await editor.patch(`/api/pipelines/${pipeline.id}`, { dag: extract(other) })).status).toBe(200);
    expect((await remove(api, id)).status).toBe(204);
    expect((await remove(api, other)).status).toBe(409);
    expect((await editor.delete(`/api/pipelines/${pipeline.id}`)).status).toBe(204);
    expect((await remove(api, other)).status).toBe(204);
  });

  it('hold for datasets and the saved queries that read them too', async ({ api }) => {
    const editor = api.as('editor');
    const removeDataset = (id: string) => editor.delete(`/api/datasets/${id}`);
    const read = (name: string, more: object = {}) =>
      editor.post('/api/saved-queries', { name, sql: `SELECT id FROM ${name}`, ...more });
    for (let round = 0; round < ROUNDS / 2; round++) {
      const name = `orders_${round}`;
      const dataset = await givenDataset(api, { name, sql: 'SELECT 1 AS id' });
      const [saved, removed] = await Promise.all([read(name), removeDataset(dataset.id)]);
      if (saved.status === 201) {
        const referencedBy = [{ type: 'saved-query', id: saved.body.id, name }];
        expect(removed, name).toMatchObject({ status: 409, body: { code: 'REFERENCED', referencedBy } });
        expect((await editor.post(`/api/saved-queries/${saved.body.id}/run`, {})).body.rows).toEqual([[1]]);
      } else {
        expect(['SQL_ERROR', 'DATASET_NOT_FOUND'], JSON.stringify(saved.body)).toContain(saved.body.code);
        expect(removed.status, name).toBe(204);
      }
    }
    const dataset = await givenDataset(api, { name: 'kept', sql: 'SELECT 1 AS id' });
    const { body: query } = await read('kept', { datasetIds: [dataset.id] });
    expect(query.reads).toEqual([dataset.id]);
    expect((await removeDataset(dataset.id)).status).toBe(409);
    const change = { sql: 'SELECT 2 AS id', datasetIds: null };
    expect((await editor.patch(`/api/saved-queries/${query.id}`, change)).body.reads).toEqual([]);
    expect((await editor.post(`/api/saved-queries/${query.id}/versions/1/restore`)).status).toBe(200);
    expect((await removeDataset(dataset.id)).status).toBe(409);
    expect((await editor.delete(`/api/saved-queries/${query.id}`)).status).toBe(204);
    expect((await removeDataset(dataset.id)).status).toBe(204);
  });

  it("are known to each other: a pipeline cannot name an unknown source, nor a stranger's", async ({ api }) => {
    const id = await givenFileSource(api);
    for (const [actor, sourceId] of [
      ['editor', UNKNOWN_ID],
      ['stranger', id],
    ] as const) {
      expect(await api.as(actor).post('/api/pipelines', { name: 'p', dag: extract(sourceId) })).toMatchObject({
        status: 422,
        body: {
          code: 'PIPELINE_DAG_INVALID',
          errors: [{ pointer: '/dag/steps/0/config/sourceId', code: 'SOURCE_UNKNOWN' }],
        },
      });
    }
  });
});
