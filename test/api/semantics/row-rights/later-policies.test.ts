import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';
import { dagOf, givenFiles, load, runThatIs, sendFiles, sql, startedRun } from '../../pipelines/pipelines/given.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
  await server.run(`CREATE TABLE people (id INT PRIMARY KEY, region TEXT);
    INSERT INTO people VALUES (1, 'eu'), (2, 'us');
    CREATE TABLE places (id INT PRIMARY KEY); INSERT INTO places VALUES (7);`);
});
afterAll(() => server.drop());

async function refreshed(api: Api, caller: Caller, id: string) {
  expect((await caller.post(`/api/datasets/${id}/refresh`)).status).toBe(202);
  return endedRefresh(api, id);
}

const REFUSED = {
  status: 'failed',
  error: { code: 'RLS_COPY', message: expect.stringMatching(/protect .*people, .*may not see all of it/) },
};

/** A policy of the table, and the path of its model. */
async function protect(api: Api, sourceId?: string): Promise<string> {
  const model = await givenModel(api, sourceId === undefined ? {} : { sourceId });
  const table =
    sourceId === undefined
      ? await givenTable(api, model.path, 'people')
      : await posted(api, `${model.path}/tables`, {
          sourceSchema: 'public',
          sourceTable: 'people',
          alias: 'people',
        }).then(({ id }) => ({ id, path: `${model.path}/tables/${id}` }));
  await givenField(api, table.path, 'region');
  await givenPolicy(api, model.path, { tableId: table.id });
  return model.path;
}

describe('a dataset of a table or a query of a database', () => {
  it('stops when a policy protects the table later, until an admin allows its definition', async ({ api }) => {
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const shop = { name: 'shop', type: 'postgres', config, secrets: { password } };
    const sourceId: string = (await api.as('owner').post('/api/data-sources', shop)).body.id;
    const columns = { id: ['integer', 'integer'], region: ['text', 'string'] } as const;
    await givenCatalogue(api, sourceId, { people: columns, places: { id: columns.id } });
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const made = async (source: object): Promise<string> => {
      const reply = await editor.post('/api/datasets', { name: crypto.randomUUID(), source: { sourceId, ...source } });
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      expect(await endedRefresh(api, reply.body.id)).toMatchObject({ status: 'succeeded' });
      return reply.body.id;
    };
    const [table, query, other] = [
      await made({ kind: 'table', table: 'people' }),
      await made({ kind: 'query', query: 'SELECT count(*) AS n FROM people' }),
      await made({ kind: 'table', table: 'places' }),
    ];
    const model = await protect(api, sourceId);
    await server.run("INSERT INTO people VALUES (3, 'us') ON CONFLICT DO NOTHING");
    for (const id of [table, query]) {
      for (const caller of [editor, owner]) expect(await refreshed(api, caller, id)).toMatchObject(REFUSED);
      expect((await editor.get(`/api/datasets/${id}`)).body).toMatchObject({ version: 1, lastRefresh: REFUSED });
    }
    expect(await refreshed(api, editor, other)).toMatchObject({ status: 'succeeded' });
    const copies = async () => (await owner.get(`${model}/copies`)).body.items as { id: string; allowed: boolean }[];
    expect((await copies()).map(({ id, allowed }) => [id, allowed]).sort()).toEqual(
      [
        [table, false],
        [query, false],
      ].sort(),
    );
    expect((await owner.put(`${model}/copies/dataset/${table}`, { allowed: true })).status).toBe(200);
    expect(await refreshed(api, editor, table)).toMatchObject({ status: 'succeeded', result: { rowCount: 3 } });
    expect(await refreshed(api, editor, query)).toMatchObject(REFUSED);
    expect((await owner.put(`${model}/copies/dataset/${table}`, { allowed: false })).status).toBe(200);
    expect(await refreshed(api, owner, table)).toMatchObject(REFUSED);
  });
});

describe('a dataset that is loaded from files', () => {
  it('is protected itself by a later policy, and its loads go on', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'people.csv': 'id,region\n1,eu\n2,us\n' });
    const editor = api.as('editor');
    const source = { kind: 'file', sourceId, path: 'people.csv' };
    const { id } = await posted(api, '/api/datasets', { name: 'people', source });
    expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded', result: { rowCount: 2 } });
    const copy = await posted(api, '/api/datasets', {
      name: 'copy',
      source: { kind: 'datasets', sql: 'SELECT id FROM people' },
    });
    expect(await endedRefresh(api, copy.id)).toMatchObject({ status: 'succeeded' });
    await protect(api);
    await sendFiles(api, sourceId, { 'people.csv': 'id,region\n1,eu\n2,us\n3,eu\n' });
    expect(await refreshed(api, editor, id)).toMatchObject({ status: 'succeeded' });
    const reader = (await givenReader(api, { attributes: { region: 'eu' } })).caller;
    const ids = async (caller: Caller) => (await caller.post('/api/query', { sql: 'SELECT id FROM people' })).body.rows;
    expect([await ids(reader), await ids(editor)]).toEqual([[[1], [3]], []]);
    expect(await refreshed(api, editor, copy.id)).toMatchObject(REFUSED);
  });
});

const extractOf = (id: string, dataset: string, retry: object = { maxAttempts: 1 }) => ({
  id,
  type: 'extract',
  config: { object: { dataset } },
  retry,
});
/** About a minute for a dataset to come into being. */
const PATIENT = { maxAttempts: 10, initialIntervalMs: 3000, backoffCoefficient: 1.3 };

/** A pipeline that has read `people` and waits for the dataset `later` before it loads them. */
async function givenWaiting(api: Api): Promise<string> {
  await givenDataset(api, { name: 'people', sql: "SELECT range AS id, 'eu' AS region FROM range(3)" });
  const dag = dagOf(
    extractOf('read', 'people'),
    extractOf('wait', '{{ params.from }}', PATIENT),
    sql('joined', 'SELECT "read".* FROM "read", "wait"', ['read', 'wait']),
    load('keep', 'joined', 'kept'),
  );
  const parameters = [{ name: 'from', type: 'string', default: 'later' }];
  const made = await api.as('editor').post('/api/pipelines', { name: 'waits', dag: { ...dag, parameters } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const stepsOf = async (api: Api, runId: string) =>
  (await api.as('viewer').get(`/api/pipelines/runs/${runId}`)).body.steps as {
    stepId: string;
    status: string;
    attempt: number;
  }[];

async function hasRead(api: Api, runId: string): Promise<void> {
  const read = async () => (await stepsOf(api, runId)).find(({ stepId }) => stepId === 'read')?.status;
  await expect.poll(read, { timeout: 60_000 }).toBe('succeeded');
}

const datasetsOf = async (api: Api): Promise<string[]> =>
  (await api.as('editor').get('/api/datasets')).body.items.map(({ name }: { name: string }) => name).sort();

describe('a pipeline over whose runs a policy comes', () => {
  it('loads nothing of a run that goes on by itself, until an admin allows the copy', async ({ api }) => {
    const pipeline = await givenWaiting(api);
    const runId = await startedRun(api, pipeline);
    await hasRead(api, runId);
    const model = await protect(api);
    await givenDataset(api, { name: 'later', sql: 'SELECT 1 AS one' });
    const run = await runThatIs(api, runId, 'failed');
    expect(run.error).toMatchObject({ code: 'RLS_COPY', stepId: 'keep' });
    expect(await datasetsOf(api)).toEqual(['later', 'people']);
    expect((await api.as('owner').put(`${model}/copies/pipeline/${pipeline}`, { allowed: true })).status).toBe(200);
    expect((await api.as('editor').post(`/api/pipelines/runs/${runId}/retry`)).status).toBe(200);
    const resumed = await runThatIs(api, runId, 'succeeded');
    // What had been read is loaded.
    expect(resumed.steps.find(({ stepId }: { stepId: string }) => stepId === 'read')).toMatchObject({ attempt: 1 });
    expect(await datasetsOf(api)).toContain('kept');
  });

  it('fails the rest of a backfill with the reason', async ({ api }) => {
    const pipeline = await givenWaiting(api);
    const started = await api
      .as('editor')
      .post(`/api/pipelines/${pipeline}/backfill`, { from: '2026-01-01', to: '2026-01-03' });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    const path = `/api/pipelines/${pipeline}/runs`;
    const runs = async () => (await api.as('viewer').get(path)).body.items as { id: string; status: string }[];
    const active = await vi.waitFor(
      async () => {
        const found = (await runs()).find(({ status }) => status === 'running');
        expect(found).toBeDefined();
        return found!.id;
      },
      { timeout: 60_000, interval: 200 },
    );
    await hasRead(api, active);
    const model = await protect(api);
    await givenDataset(api, { name: 'later', sql: 'SELECT 1 AS one' });
    await expect
      .poll(async () => (await runs()).map(({ status }) => status), { timeout: 120_000 })
      .toEqual(['failed', 'failed', 'failed']);
    for (const { id } of await runs()) {
      const { error } = (await api.as('viewer').get(`/api/pipelines/runs/${id}`)).body;
      expect(error).toMatchObject({ code: 'RLS_COPY', stepId: id === active ? 'keep' : 'read' });
    }
    expect(await datasetsOf(api)).toEqual(['later', 'people']);
    expect((await api.as('owner').put(`${model}/copies/pipeline/${pipeline}`, { allowed: true })).status).toBe(200);
    for (const { id } of await runs()) {
      expect((await api.as('editor').post(`/api/pipelines/runs/${id}/retry`)).status).toBe(200);
      await runThatIs(api, id, 'succeeded');
    }
  });
});
