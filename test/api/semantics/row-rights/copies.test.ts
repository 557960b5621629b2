import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader } from '../../../support/given/protected.ts';
import { givenTest, ranAll, storedRows } from '../../../support/given/quality.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { dagOf, load, runThatIs, sql } from '../../pipelines/pipelines/given.ts';

const refusal = (...tables: string[]) => ({
  status: 403,
  body: {
    code: 'RLS_COPY',
    errors: tables.map((name) => ({ message: `reads ${name}, and you may not see all of it` })),
  },
});

/** An editor to whom a policy of their own shows every row, with the label of hidden columns. */
async function givenUnrestricted(api: Api, { model, table }: { model: { path: string }; table: { id: string } }) {
  const reader = await givenReader(api, { attributes: { sensitivityLabels: 'Private' } });
  await givenPolicy(api, model.path, {
    tableId: table.id,
    filterExpression: 'user.role = "editor" OR [id] < 0',
    appliesTo: [{ type: 'user', id: reader.userId }],
  });
  return reader.caller;
}

const copyOf = (statement: string, name = `copy ${crypto.randomUUID()}`) => ({
  name,
  source: { kind: 'datasets', sql: statement },
});

const extractOf = (dataset: string) => ({
  id: 'read',
  type: 'extract',
  config: { object: { dataset } },
  retry: { maxAttempts: 1 },
});
const pipelineOf = (dataset: string, into: string) => ({
  name: `pipeline ${crypto.randomUUID()}`,
  dag: dagOf(extractOf(dataset), load('keep', 'read', into)),
});

async function ended(api: Api, caller: Caller, pipelineId: string, status: string) {
  const started = await caller.post(`/api/pipelines/${pipelineId}/run`);
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  return runThatIs(api, started.body.id, status);
}

describe('a copy of a protected dataset', () => {
  it('is defined only by those who see all of it, or who manage policies', async ({ api }) => {
    const given = await givenProtected(api);
    const full = await givenUnrestricted(api, given);
    await givenDataset(api, { name: 'open', sql: 'SELECT 1 AS id' });
    const some = (await givenReader(api, { attributes: { region: 'eu' } })).caller;
    const labelled = (await givenReader(api, { attributes: { region: ['eu', 'us'], sensitivityLabels: 'private' } }))
      .caller;
    const none = api.as('editor');
    for (const caller of [some, none, labelled]) {
      for (const statement of [
        'SELECT * FROM people',
        'SELECT count(*) AS n FROM "PEOPLE"',
        'WITH p AS (FROM people SELECT id) SELECT * FROM open JOIN p USING (id)',
      ])
        expect(await caller.post('/api/datasets', copyOf(statement)), statement).toMatchObject(refusal('people'));
      expect(await caller.post('/api/pipelines', pipelineOf('People', 'kept'))).toMatchObject(refusal('People'));
      const anyName = pipelineOf('{{ params.from }}', 'kept');
      const parameters = [{ name: 'from', type: 'string', default: 'open' }];
      expect(await caller.post('/api/pipelines', { ...anyName, dag: { ...anyName.dag, parameters } })).toMatchObject(
        refusal('people'),
      );
    }
    expect((await none.get('/api/datasets')).body.items.map(({ name }: { name: string }) => name).sort()).toEqual([
      'open',
      'people',
    ]);
    expect((await none.get('/api/pipelines')).body.total).toBe(0);

    const made = await full.post('/api/datasets', copyOf('SELECT id, salary FROM people', 'copied'));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(await endedRefresh(api, made.body.id)).toMatchObject({ status: 'succeeded', result: { rowCount: 5 } });
    expect((await api.as('owner').post('/api/datasets', copyOf('SELECT * FROM people'))).status).toBe(201);
    expect((await none.post('/api/datasets', copyOf('SELECT * FROM open'))).status).toBe(201);

    // A colleague who sees less may change what does not decide which rows are copied.
    const path = `/api/datasets/${made.body.id}`;
    expect((await some.patch(path, { name: 'renamed', retention: { versions: 2, days: 0 } })).status).toBe(200);
    expect((await some.patch(path, { source: made.body.source })).status).toBe(200);
    expect((await some.put(`${path}/schedule`, { cron: '0 3 * * *' })).status).toBe(200);
    const other = { source: copyOf('SELECT * FROM people').source };
    expect(await some.patch(path, other)).toMatchObject(refusal('people'));
    expect((await api.as('viewer').get(path)).body).toMatchObject({ name: 'renamed', source: made.body.source });
    // The definer counts, not who starts the refresh.
    expect((await some.post(`${path}/refresh`)).status).toBe(202);
    expect(await endedRefresh(api, made.body.id)).toMatchObject({ status: 'succeeded' });
    expect((await some.patch(path, { source: copyOf('SELECT * FROM open').source })).status).toBe(200);
  });

  it('is not read on by a pipeline that sees less since a later change, whoever starts it', async ({ api }) => {
    const given = await givenProtected(api);
    const full = await givenUnrestricted(api, given);
    const none = api.as('editor');
    const made = await full.post('/api/pipelines', pipelineOf('people', 'kept'));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const path = `/api/pipelines/${made.body.id}`;
    expect((await ended(api, none, made.body.id, 'succeeded')).steps[1]).toMatchObject({ rowsIn: 5 });

    const { dag } = made.body;
    const narrowed = dagOf(
      extractOf('people'),
      sql('ids', 'SELECT id FROM "read"', ['read']),
      load('keep', 'ids', 'kept'),
    );
    expect(await none.patch(path, { dag: narrowed })).toMatchObject(refusal('people'));
    expect((await none.patch(path, { name: 'renamed', dag: { ...dag, schedule: { cron: '0 3 * * *' } } })).status).toBe(
      200,
    );
    expect((await none.patch(path, { status: 'active' })).status).toBe(200);
    expect((await ended(api, none, made.body.id, 'succeeded')).steps[1]).toMatchObject({ rowsIn: 5 });

    const owned = await api.as('owner').post('/api/pipelines', pipelineOf('people', 'kept by an admin'));
    expect((await ended(api, none, owned.body.id, 'succeeded')).status).toBe('succeeded');

    const open = await none.post('/api/pipelines', pipelineOf('kept', 'twice'));
    expect((await ended(api, none, open.body.id, 'succeeded')).status).toBe('succeeded');
  });
});

describe('a copy that an API key has defined', () => {
  it('goes by the rights of the key, not of the person who created it', async ({ api }) => {
    const { model, table } = await givenProtected(api);
    const attributes = { sensitivityLabels: 'Private' };
    const key = await api.as('owner').post('/api/api-keys', { name: 'loader', scope: 'read/write', attributes });
    const caller = api.as({ token: key.body.key });
    expect(await caller.post('/api/datasets', copyOf('SELECT * FROM people'))).toMatchObject(refusal('people'));
    const appliesTo = [{ type: 'apiKey', id: key.body.id }];
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: 'TRUE', appliesTo });
    const made = await caller.post('/api/datasets', copyOf('SELECT id FROM people', 'of a key'));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(await endedRefresh(api, made.body.id)).toMatchObject({ status: 'succeeded' });
    expect((await api.as('owner').delete(`/api/api-keys/${key.body.id}`)).status).toBe(204);
    expect((await api.as('owner').post(`/api/datasets/${made.body.id}/refresh`)).status).toBe(202);
    expect(await endedRefresh(api, made.body.id)).toMatchObject({ status: 'failed', error: { code: 'RLS_COPY' } });
    expect((await api.as('owner').get(`${model.path}/copies`)).body.items).toMatchObject([
      { name: 'of a key', allowed: false, reason: 'definer_gone' },
    ]);
  });
});

describe('copies from before a policy', () => {
  it('are listed, and stop until an admin allows their definition', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: "SELECT 1 AS id, 'eu' AS region" });
    await givenDataset(api, { name: 'open', sql: 'SELECT 1 AS id' });
    const none = api.as('editor');
    const owner = api.as('owner');
    const made = async (path: string, body: object, caller = none): Promise<string> => {
      const reply = await caller.post(path, body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      return reply.body.id;
    };
    const dataset = await made('/api/datasets', copyOf('SELECT * FROM people', 'copied'));
    await endedRefresh(api, dataset);
    const again = await made('/api/datasets', copyOf('SELECT * FROM copied', 'copied again'));
    await made('/api/datasets', copyOf('SELECT * FROM open', 'unrelated'));
    const pipeline = await made('/api/pipelines', { ...pipelineOf('PEOPLE', 'kept'), name: 'keeps people' });
    await ended(api, none, pipeline, 'succeeded');
    const last = await made('/api/pipelines', { ...pipelineOf('kept', 'kept again'), name: 'keeps copies' });
    const byAdmin = await made('/api/datasets', copyOf('SELECT id FROM people', 'of an admin'), owner);
    const leaver = await givenReader(api);
    const left = await made('/api/datasets', copyOf('SELECT region FROM people', 'of a leaver'), leaver.caller);
    for (const id of [dataset, again, byAdmin, left])
      expect(await endedRefresh(api, id)).toMatchObject({ status: 'succeeded' });
    expect((await owner.delete(`/api/workspaces/members/${leaver.userId}`)).status).toBe(204);

    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'people');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenField(api, table.path, 'region');
    const policy = await givenPolicy(api, model.path, { tableId: table.id });
    const listed = { via: null, tables: ['people'] };
    const stopped = { ...listed, allowed: false, reason: 'definer_sees_less' };
    const copies = [
      { kind: 'dataset', id: dataset, name: 'copied', ...stopped },
      { kind: 'pipeline', id: pipeline, name: 'keeps people', ...stopped, tables: ['PEOPLE'] },
      { kind: 'dataset', id: byAdmin, name: 'of an admin', ...listed, allowed: true, reason: 'definer_is_admin' },
      { kind: 'dataset', id: left, name: 'of a leaver', ...listed, allowed: false, reason: 'definer_gone' },
      {
        kind: 'dataset',
        id: again,
        name: 'copied again',
        tables: [],
        via: 'copied',
        allowed: true,
        reason: 'copy_of_copy',
      },
      {
        kind: 'pipeline',
        id: last,
        name: 'keeps copies',
        tables: [],
        via: 'keeps people',
        allowed: true,
        reason: 'copy_of_copy',
      },
    ];
    const byName = (items: { name: string }[]) => items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rls = `${model.path}/rls/${policy.id}`;
    const shown = await owner.get(rls);
    expect(shown).toMatchObject({
      status: 200,
      body: { id: policy.id, filterExpression: '[region] IN user.attr("region")' },
    });
    expect(byName(shown.body.copies)).toEqual(byName(copies));
    const all = await owner.get(`${model.path}/copies?limit=2`);
    expect(all.body).toMatchObject({ total: 6, items: [{ via: null }, { via: null }] });
    for (const path of [rls, `${model.path}/copies`]) {
      expect(await none.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(await api.as('stranger').get(path)).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    }
    expect(await owner.get(`${model.path}/rls/${crypto.randomUUID()}`)).toMatchObject({
      status: 404,
      body: { code: 'MODEL_POLICY_NOT_FOUND' },
    });

    const refreshed = async (id: string, caller = none) => {
      expect((await caller.post(`/api/datasets/${id}/refresh`)).status).toBe(202);
      return endedRefresh(api, id);
    };
    const error = {
      code: 'RLS_COPY',
      message: expect.stringContaining('protect people, and the person or key that defined this may not see all of it'),
    };
    expect(await refreshed(dataset)).toMatchObject({ status: 'failed', error });
    // Not even by an admin: who starts it does not count.
    expect(await refreshed(dataset, owner)).toMatchObject({ status: 'failed', error });
    expect(await refreshed(left)).toMatchObject({ status: 'failed', error: { code: 'RLS_COPY' } });
    expect(await refreshed(byAdmin)).toMatchObject({ status: 'succeeded' });
    expect((await none.get(`/api/datasets/${dataset}`)).body).toMatchObject({
      version: 1,
      lastRefresh: { status: 'failed', error },
    });
    const run = await ended(api, owner, pipeline, 'failed');
    expect(run.error).toMatchObject({ code: 'RLS_COPY', stepId: 'read' });
    expect(run.steps[0]).toMatchObject({ status: 'failed', attempt: 1 });

    const decide = (kind: string, id: string, allowed: boolean, caller = owner) =>
      caller.put(`${model.path}/copies/${kind}/${id}`, { allowed });
    expect(await decide('dataset', dataset, true, none)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await decide('dataset', dataset, true, api.as('stranger'))).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    const unknown = { status: 404, body: { code: 'MODEL_COPY_NOT_FOUND' } };
    for (const [kind, id] of [
      ['pipeline', dataset],
      ['dataset', again],
      ['cdc_stream', crypto.randomUUID()],
    ] as const)
      expect(await decide(kind, id, true)).toMatchObject(unknown);
    const allowed = { allowed: true, reason: 'allowed_by_admin', tables: ['people'] };
    expect(await decide('dataset', dataset, true)).toMatchObject({ status: 200, body: { id: dataset, ...allowed } });
    expect(await decide('pipeline', pipeline, true)).toMatchObject({
      status: 200,
      body: { ...allowed, tables: ['PEOPLE'] },
    });
    expect(await refreshed(dataset)).toMatchObject({ status: 'succeeded' });
    expect(await ended(api, none, pipeline, 'succeeded')).toMatchObject({ status: 'succeeded' });
    const logged = await owner.get('/api/audit-log?action=model.copy_decided');
    expect(logged.body.items).toHaveLength(2);
    expect(logged.body.items[1]).toMatchObject({
      object: { type: 'model', id: model.id },
      after: { kind: 'dataset', id: dataset, allowed: true, tables: ['people'] },
    });

    // Another definition is another copy, and a rename is not.
    const path = `/api/datasets/${dataset}`;
    expect((await none.patch(path, { name: 'renamed' })).status).toBe(200);
    expect(await refreshed(dataset)).toMatchObject({ status: 'succeeded' });
    const other = copyOf('SELECT id, region FROM people').source;
    expect(await none.patch(path, { source: other })).toMatchObject(refusal('people'));
    expect(await decide('dataset', dataset, false)).toMatchObject({
      body: { allowed: false, reason: 'definer_sees_less' },
    });
    expect(await refreshed(dataset)).toMatchObject({ status: 'failed', error });
    expect((await owner.patch(path, { source: other })).status).toBe(200);
    expect(await refreshed(dataset)).toMatchObject({ status: 'succeeded' });
  });
});

describe('data quality tests from before a policy', () => {
  it('are listed, and count nothing until an admin allows their definition', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: "SELECT range AS id, 'eu' AS region FROM range(3)" });
    await givenDataset(api, { name: 'open', sql: 'SELECT 1 AS id' });
    const range = { testType: 'value_range', columnName: 'id', config: { min: 1 } };
    const count = await givenTest(api, { ...range, name: 'ids', tableName: 'people' });
    const open = await givenTest(api, { ...range, name: 'open', tableName: 'open' });
    const config = { query: 'SELECT id FROM People' };
    const allowed = { name: 'known', testType: 'allowed_values', tableName: 'open', columnName: 'id', config };
    const known = await givenTest(api, allowed);
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const run = async ({ path }: { path: string }) => (await editor.post(`${path}/run`)).body;
    expect(await run(count)).toMatchObject({ status: 'failed', failedRows: 1 });
    expect((await run(count)).sample.rows).toHaveLength(1);

    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'people');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    const message = expect.stringMatching(/protect people, .*\/copies\/quality_test\//i);
    const nothing = { status: 'error', evaluatedRows: null, failedRows: null, sample: null, message };
    for (const test of [count, known]) expect(await run(test)).toMatchObject(nothing);
    expect(await run(open)).toMatchObject({ status: 'passed' });
    expect((await ranAll(api)).result).toMatchObject({ error: 2, passed: 1 });
    expect(await storedRows(api, count.path)).toMatchObject({ status: 'failed', error: { code: 'RLS_COPY' } });
    const copies = async () => (await owner.get(`${model.path}/copies`)).body.items;
    const stopped = { kind: 'quality_test', allowed: false, reason: 'definer_sees_less' };
    expect(await copies()).toMatchObject([
      { ...stopped, id: count.id, name: 'ids', tables: ['people'] },
      { ...stopped, id: known.id, name: 'known' },
    ]);
    const decide = (caller: Caller, allow: boolean) =>
      caller.put(`${model.path}/copies/quality_test/${count.id}`, { allowed: allow });
    expect((await decide(editor, true)).status).toBe(403);
    expect(await decide(owner, true)).toMatchObject({ status: 200, body: { allowed: true } });
    // The counts are for everyone, and rows only for those who see all of them.
    expect(await run(count)).toMatchObject({ status: 'failed', failedRows: 1, sample: null });
    expect((await editor.put(count.path, { severity: 'low', isActive: false })).status).toBe(200);
    expect(await run(count)).toMatchObject({ status: 'failed' });
    expect((await editor.put(count.path, { config: { min: 2 } })).body.code).toBe('RLS_RAW_SQL');
    expect((await owner.put(count.path, { config: { min: 2 } })).status).toBe(200);
    expect(await run(count)).toMatchObject({ status: 'failed', failedRows: 2 });
    expect((await owner.delete(count.path)).status).toBe(204);
    expect((await copies()).map(({ id }: { id: string }) => id)).toEqual([known.id]);
  });
});

describe('a run whose extract ended before a policy', () => {
  it('loads nothing when it is retried, until an admin allows the copy', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: "SELECT 1 AS id, 'eu' AS region" });
    const editor = api.as('editor');
    const join = sql('joined', 'SELECT * FROM "read", "late"', ['read', 'late']);
    const late = { ...extractOf('{{ params.from }}'), id: 'late' };
    const parameters = [{ name: 'from', type: 'string', default: 'added later' }];
    const steps = [extractOf('people'), late, join, load('keep', 'joined', 'kept'), load('other', 'late', 'kept too')];
    const made = await editor.post('/api/pipelines', { name: 'late', dag: { ...dagOf(...steps), parameters } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const run = await ended(api, editor, made.body.id, 'failed');
    const stepOf = ({ steps: all }: { steps: { stepId: string }[] }, id: string) =>
      all.find(({ stepId }) => stepId === id);
    expect(stepOf(run, 'read')).toMatchObject({ status: 'succeeded' });

    await givenDataset(api, { name: 'added later', sql: 'SELECT 7 AS n' });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'people');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    const retry = async (status: string) => {
      expect((await editor.post(`/api/pipelines/runs/${run.id}/retry`)).status).toBe(200);
      return runThatIs(api, run.id, status);
    };
    const refused = await retry('failed');
    expect(refused.error).toMatchObject({ code: 'RLS_COPY', stepId: 'keep' });
    expect(stepOf(refused, 'read')).toMatchObject({ status: 'succeeded', attempt: 1 });
    // Rows that are not from the protected table are loaded.
    expect(stepOf(refused, 'other')).toMatchObject({ status: 'succeeded', rowsOut: 1 });
    const { items } = (await editor.get('/api/datasets')).body;
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual(['added later', 'kept too', 'people']);
    const allow = `${model.path}/copies/pipeline/${made.body.id}`;
    expect((await api.as('owner').put(allow, { allowed: true })).status).toBe(200);
    expect(stepOf(await retry('succeeded'), 'keep')).toMatchObject({ rowsOut: 1 });
  });
});

describe('a copy from a database with a protected table', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(['-c', 'wal_level=logical']);
    await server.run(`CREATE TABLE people (id INT PRIMARY KEY, region TEXT);
      INSERT INTO people VALUES (1, 'eu'), (2, 'us');
      CREATE TABLE places (id INT PRIMARY KEY); INSERT INTO places VALUES (7);
      CREATE VIEW everyone AS SELECT * FROM people;
      CREATE TABLE archive (id INT PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE archive_1 PARTITION OF archive FOR VALUES FROM (0) TO (10);`);
  });
  afterAll(() => server.stop());

  it('reads whole tables only for those who see all of them, and views and SQL for those who see all of the database', async ({
    api,
  }) => {
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const made = await api
      .as('owner')
      .post('/api/data-sources', { name: 'db', type: 'postgres', config, secrets: { password } });
    const sourceId: string = made.body.id;
    const model = await givenModel(api, { sourceId });
    const table = await givenTable(api, model.path, 'people');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    const none = api.as('editor');
    const dataset = (source: object) => ({ name: `copy ${crypto.randomUUID()}`, source: { sourceId, ...source } });
    const pipeline = (object: object) => ({
      name: `pipeline ${crypto.randomUUID()}`,
      dag: dagOf({ id: 'read', type: 'extract', config: { sourceId, object } }, load('keep', 'read', 'kept')),
    });
    const stream = (tables: string[], streamId = 'people') => ({ sourceId, streamId, tables });
    const tries: [path: string, body: object][] = [
      ['/api/datasets', dataset({ kind: 'table', table: 'people' })],
      ['/api/datasets', dataset({ kind: 'table', schema: 'public', table: 'PEOPLE' })],
      ['/api/datasets', dataset({ kind: 'table', table: 'everyone' })],
      ['/api/datasets', dataset({ kind: 'table', table: 'places' })],
      ['/api/datasets', dataset({ kind: 'query', query: 'SELECT 1 AS one' })],
      ['/api/pipelines', pipeline({ table: 'people' })],
      ['/api/pipelines', pipeline({ query: 'SELECT 1 AS one' })],
      ['/api/pipelines', pipeline({ table: '{{ run.id }}' })],
      ['/api/pipelines/cdc-streams', stream(['people'])],
      ['/api/pipelines/cdc-streams', stream(['places', 'public.people'])],
    ];
    for (const [path, body] of tries) {
      const reply = await none.post(path, body);
      expect(reply, `${path} ${JSON.stringify(body)}`).toMatchObject({ status: 403, body: { code: 'RLS_COPY' } });
      expect(reply.body.detail).toMatch(/people/i);
    }
    // The catalogue says that a table is not a view.
    const columns = { id: ['integer', 'integer'] } as const;
    await givenCatalogue(api, sourceId, { people: columns, places: columns, everyone: columns }, ['everyone']);
    expect(await none.post('/api/datasets', dataset({ kind: 'table', table: 'everyone' }))).toMatchObject({
      status: 403,
    });
    // The catalogue lists no partitions: their rows are those of another table.
    for (const [path, body] of [
      ['/api/datasets', dataset({ kind: 'table', table: 'archive_1' })],
      ['/api/pipelines/cdc-streams', stream(['archive_1'], 'archive')],
      ['/api/pipelines/cdc-streams', stream(['places', 'archive_1'], 'archive')],
    ] as const)
      expect(await none.post(path, body), JSON.stringify(body)).toMatchObject(refusal('people'));
    const plain = await none.post('/api/datasets', dataset({ kind: 'table', table: 'places' }));
    expect(await endedRefresh(api, plain.body.id)).toMatchObject({ status: 'succeeded', result: { rowCount: 1 } });
    const piped = await none.post('/api/pipelines', pipeline({ table: 'places' }));
    expect((await ended(api, none, piped.body.id, 'succeeded')).steps[1]).toMatchObject({ rowsIn: 1 });
    const streamed = await none.post('/api/pipelines/cdc-streams', stream(['places'], 'places'));
    expect(streamed.status, JSON.stringify(streamed.body)).toBe(201);
    const path = `/api/pipelines/cdc-streams/${streamed.body.id}`;
    expect(await none.patch(path, { enabled: true, tables: ['places', 'people'] })).toMatchObject(
      refusal('public.people'),
    );
    expect((await none.patch(path, { enabled: false })).status).toBe(200);
    expect((await api.as('owner').patch(path, { enabled: true, tables: ['places', 'people'] })).status).toBe(200);
    expect((await none.patch(path, { enabled: true, tables: ['places'] })).status).toBe(200);
    expect((await none.delete(path)).status).toBe(204);
  });
});
