import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_ROW,
  setAttributes,
} from '../../../support/given/protected.ts';
import { openDatabase } from '../../../support/postgres-database.ts';
import { dagOf, finishedRun, load, sql } from '../../pipelines/pipelines/given.ts';

const RAW = { status: 403, body: { code: 'RLS_RAW_SQL' } };

async function finishedJob(caller: Caller, body: object): Promise<string> {
  const started = await caller.post('/api/query/jobs', body);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const place = `/api/query/jobs/${started.body.id}`;
  await vi.waitFor(async () => expect((await caller.get(place)).body.status).toBe('succeeded'), {
    timeout: 60_000,
    interval: 100,
  });
  return `${place}/result`;
}

describe('the rows of a query job', () => {
  it('are for readers with the same rights as its author, as long as the author has them', async ({ api }) => {
    await givenProtected(api);
    const author = await givenReader(api, { attributes: { region: ['us', 'eu'] } });
    const equal = await givenReader(api, { attributes: { region: ['eu', 'us'] } });
    const other = await givenReader(api, { attributes: { region: 'eu' } });
    const result = await finishedJob(author.caller, { sql: 'SELECT name FROM people' });
    expect((await author.caller.get(result)).body.rowCount).toBe(5);
    expect((await equal.caller.get(result)).status).toBe(200);
    expect(await other.caller.get(result)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await setAttributes(api, author.userId, { region: 'eu' });
    expect(await author.caller.get(result)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const parquet = { headers: { accept: 'application/vnd.apache.parquet' } };
    expect((await author.caller.get(result, parquet)).status).toBe(403);
  });

  it('stay closed when the dataset is deleted', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const author = await givenReader(api, { attributes: { region: ['us', 'eu'] } });
    const other = await givenReader(api, { attributes: { region: 'eu' } });
    const result = await finishedJob(author.caller, { sql: 'SELECT name FROM people' });
    await loseDataset(api, dataset.id);
    expect((await author.caller.get(result)).body.rowCount).toBe(5);
    expect(await other.caller.get(result)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.as('editor').get(result)).status).toBe(403);
  });

  it('are closed by a policy that comes later', async ({ api }) => {
    const { model, table, policy } = await givenProtected(api);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    const result = await finishedJob(api.as('editor'), { sql: 'SELECT name FROM people' });
    expect((await api.as('editor').get(result)).body.rowCount).toBe(5);
    await givenPolicy(api, model.path, { tableId: table.id });
    expect((await api.as('editor').get(result)).status).toBe(403);
  });
});

describe('a database with a protected table', () => {
  it('takes no SQL from those who may not see everything', async ({ api, onTestFinished }) => {
    const server = await openDatabase();
    onTestFinished(() => server.drop());
    await server.run(`CREATE TABLE people AS SELECT 1 AS id, '${SECRET_ROW}'::text AS name;
      CREATE VIEW everyone AS SELECT * FROM people;`);
    const { host, port, database, user, password } = server;
    const source = await api.as('owner').post('/api/data-sources', {
      name: 'database',
      type: 'postgres',
      config: { host, port, database, user, ssl: false },
      secrets: { password },
    });
    const sourceId: string = source.body.id;
    const model = await givenModel(api, { sourceId });
    const table = await givenTable(api, model.path, 'people');
    const id = await givenField(api, table.path, 'id', { dataType: 'integer' });
    const statement = { sql: 'SELECT name FROM people', sourceId };
    const saved = await api.as('editor').post('/api/saved-queries', { name: 'people', ...statement });
    const query = `/api/saved-queries/${saved.body.id}`;
    expect((await api.as('editor').post(`${query}/run`, {})).body.rows).toEqual([[SECRET_ROW]]);
    const result = await finishedJob(api.as('editor'), statement);

    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[id] = 2' });
    for (const path of ['/api/query', '/api/query/validate', '/api/query/jobs'])
      expect(await api.as('editor').post(path, statement), path).toMatchObject(RAW);
    expect(await api.as('owner').post('/api/query', { ...statement, sql: 'SELECT * FROM everyone' })).toMatchObject(
      RAW,
    );
    expect(await api.as('viewer').post(`${query}/run`, {})).toMatchObject(RAW);
    expect(await api.as('editor').get(result)).toMatchObject(RAW);
    expect(await api.as('editor').post('/api/saved-queries', { name: 'again', ...statement })).toMatchObject(RAW);
    expect(await api.as('editor').patch(query, { sql: 'SELECT id FROM people' })).toMatchObject(RAW);

    await api.as('owner').delete(`${table.path}/fields/${id}`);
    expect(await api.as('editor').post('/api/query', statement)).toMatchObject(RAW);
    await api.as('owner').delete(model.path);
    expect((await api.as('editor').post('/api/query', statement)).status).toBe(200);
    expect((await api.as('editor').patch(query, { sql: 'SELECT id FROM people' })).status).toBe(200);
    const other = await givenModel(api, { name: 'Other', sourceId });
    const again = await givenTable(api, other.path, 'people');
    await givenField(api, again.path, 'id', { dataType: 'integer' });
    await givenPolicy(api, other.path, { tableId: again.id, filterExpression: '[id] = 2' });
    expect(await api.as('editor').post(`${query}/versions/1/restore`)).toMatchObject(RAW);
  });
});

describe('a pipeline with a protected dataset', () => {
  const ROWS = `SELECT * FROM (VALUES (1, 'eu', 'Ann'), (2, 'us', '${SECRET_ROW}'), (3, 'us', NULL)) v(id, region, name)`;
  const gates = [{ id: 'named', type: 'not_null', column: 'name', action: 'quarantine' }];

  async function givenLoaded(api: Api) {
    const dag = dagOf(sql('rows', ROWS), load('keep', 'rows', 'staff', { mode: 'append', gates }));
    const { pipeline } = await finishedRun(api, dag);
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'staff');
    await givenField(api, table.path, 'region');
    return { path: `/api/pipelines/${pipeline.id}`, model, table };
  }

  it('shows no rows of its steps, samples and quarantine to those who may not see all', async ({ api }) => {
    const { path, model, table } = await givenLoaded(api);
    const preview = () => api.as('editor').post(`${path}/transform-preview`, { stepId: 'keep' });
    const suggest = () =>
      api.as('editor').post(`${path}/suggest-ops`, { upstreamIds: ['rows'], description: 'Only the first row' });
    const samples = async () => {
      const { body } = await api.as('editor').get(`${path}/quality`);
      return body.items.map(({ sample }: { sample: unknown }) => sample !== null);
    };
    const quarantine = async (caller: Caller) =>
      (await caller.post('/api/query', { sql: 'SELECT id FROM staff__quarantine' })).body.rows;
    expect((await preview()).status).toBe(200);
    expect(await samples()).toEqual([true]);
    expect(await quarantine(api.as('editor'))).toEqual([[3]]);

    await givenPolicy(api, model.path, { tableId: table.id });
    expect(await preview()).toMatchObject(RAW);
    expect(await suggest()).toMatchObject(RAW);
    expect(await samples()).toEqual([false]);
    expect(await quarantine(api.as('editor'))).toEqual([]);
    const us = await givenReader(api, { attributes: { region: 'us' } });
    expect(await quarantine(us.caller)).toEqual([[3]]);
  });
});

describe('a protected dataset', () => {
  it('keeps its name, by which models protect it', async ({ api }) => {
    const { dataset, model, field, table } = await givenProtected(api);
    const rename = () => api.as('owner').patch(`/api/datasets/${dataset.id}`, { name: 'open_people' });
    expect(await rename()).toMatchObject({ status: 409, body: { code: 'DATASET_PROTECTED' } });
    expect((await api.as('owner').patch(`/api/datasets/${dataset.id}`, { name: 'people' })).status).toBe(200);
    await api.as('owner').put(`${table.path}/fields/${field.salary}`, { sensitivityLabel: null });
    const [policy] = (await api.as('owner').get(`${model.path}/rls`)).body.items;
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    expect((await rename()).status).toBe(200);
  });
});
