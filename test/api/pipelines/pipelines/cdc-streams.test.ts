import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { dagOf, givenPipeline, runThatIs, startedRun } from './given.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres(['-c', 'wal_level=logical', '-c', 'max_replication_slots=6']);
  await server.run(`CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT NOT NULL);
    INSERT INTO orders VALUES (1, 'pen'), (2, 'ink');
    CREATE TABLE notes (text TEXT); CREATE VIEW recent AS SELECT * FROM orders;
    CREATE UNLOGGED TABLE scratch (id INT PRIMARY KEY);
    CREATE TABLE sums (a INT, b INT GENERATED ALWAYS AS (a + 1) STORED); ALTER TABLE sums REPLICA IDENTITY FULL;
    CREATE TABLE alike (id INT PRIMARY KEY, a INT, "A" INT, _cdc_op TEXT);
    CREATE TABLE family (id INT PRIMARY KEY); CREATE TABLE heirs () INHERITS (family);
    CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT SELECT ON orders TO reader`);
});
afterAll(() => server.stop());

const PATH = '/api/pipelines/cdc-streams';
let names = 0;

async function givenSource(api: Api, config: object = {}, secrets: object = {}): Promise<string> {
  const { host, port, database, user, password } = server;
  const reply = await api.as('owner').post('/api/data-sources', {
    name: `database ${++names}`,
    type: 'postgres',
    config: { host, port, database, user, ssl: false, ...config },
    secrets: { password, ...secrets },
  });
  return reply.body.id;
}

const bodyOf = (sourceId: string, more: object = {}) => ({
  sourceId,
  streamId: `stream_${++names}`,
  tables: ['orders'],
  ...more,
});

async function givenStream(api: Api, more: object = {}) {
  const reply = await api.as('editor').post(PATH, bodyOf(await givenSource(api), more));
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

/** Waits for a status of a stream and answers it. */
const streamThatIs = (api: Api, id: string, status: string) =>
  vi.waitFor(
    async () => {
      const { body } = await api.as('viewer').get(`${PATH}/${id}`);
      expect(body.status, JSON.stringify(body)).toBe(status);
      return body;
    },
    { timeout: 90_000, interval: 100 },
  );

async function gone(api: Api, id: string): Promise<void> {
  expect((await api.as('editor').delete(`${PATH}/${id}`)).status).toBe(204);
  await vi.waitFor(async () => expect((await api.as('viewer').get(`${PATH}/${id}`)).status).toBe(404), {
    timeout: 90_000,
    interval: 100,
  });
}

const slots = async () => (await server.rows('SELECT slot_name FROM pg_replication_slots ORDER BY 1')).flat();

describe('a CDC stream', () => {
  it('is made, followed by a pipeline into a dataset, paused and deleted with its slot', async ({ api }) => {
    const made = await givenStream(api, { tables: ['public.orders', 'orders'] });
    expect(made).toMatchObject({
      enabled: true,
      status: 'creating',
      error: null,
      capture: 'polling',
      onWalLimit: 'alert',
      walLimitBytes: 10 * 1024 ** 3,
      tables: [{ name: 'public.orders', status: 'pending', rows: 0, lastLsn: null, error: null }],
      slotName: expect.stringContaining(made.streamId),
    });
    const streaming = await streamThatIs(api, made.id, 'streaming');
    expect(streaming).toMatchObject({
      tables: [{ status: 'streaming', rows: 2 }],
      walStatus: 'reserved',
      retainedWalBytes: expect.any(Number),
      lagSeconds: expect.any(Number),
      committedLsn: expect.stringMatching(/^[0-9A-F]{8}\/[0-9A-F]{8}$/),
      confirmedLsn: expect.any(String),
    });
    expect(await slots()).toContain(made.slotName);
    expect((await api.as('viewer').get(PATH)).body).toMatchObject({ total: 1, items: [{ id: made.id }] });

    const reading = (object: object) =>
      api.as('editor').post('/api/pipelines', {
        name: 'reads a stream',
        dag: dagOf({ id: 'changes', type: 'extract', config: { sourceId: made.sourceId, object } }),
      });
    for (const [object, place, code] of [
      [{ stream: 'nobody' }, 'stream', 'CDC_STREAM_UNKNOWN'],
      [{ stream: made.streamId, table: 'people' }, 'table', 'CDC_TABLE_UNKNOWN'],
    ] as const) {
      const pointer = `/dag/steps/0/config/object/${place}`;
      expect(await reading(object)).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
    }
    expect(await reading({ stream: made.streamId, table: 5 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/dag/steps/0/config/object/table' }] },
    });

    const extract = { sourceId: made.sourceId, object: { stream: made.streamId }, mode: 'incremental' };
    const merge = { mode: 'merge', mergeKey: ['id'], deleteColumn: '_cdc_deleted' };
    const { id: pipeline } = await givenPipeline(
      api,
      dagOf(
        { id: 'changes', type: 'extract', config: extract },
        {
          id: 'keep',
          type: 'load',
          dependsOn: ['changes'],
          config: { target: { kind: 'dataset', name: 'orders' }, ...merge },
        },
      ),
    );
    const loaded = async () => {
      await runThatIs(api, await startedRun(api, pipeline), 'succeeded');
      return (await api.as('editor').post('/api/query', { sql: 'SELECT id, item, _cdc_op FROM orders ORDER BY id' }))
        .body.rows;
    };
    expect(await loaded()).toEqual([
      [1, 'pen', 'r'],
      [2, 'ink', 'r'],
    ]);
    await server.run("DELETE FROM orders WHERE id = 2; INSERT INTO orders VALUES (3, 'nib')");
    const seen = streaming.committedLsn;
    await api.as('editor').patch(`${PATH}/${made.id}`, { enabled: true });
    await vi.waitFor(
      async () => expect((await api.as('viewer').get(`${PATH}/${made.id}`)).body.tables[0].rows).toBe(4),
      {
        timeout: 90_000,
      },
    );
    expect(await loaded()).toEqual([
      [1, 'pen', 'r'],
      [3, 'nib', 'i'],
    ]);
    expect((await api.as('viewer').get(`${PATH}/${made.id}`)).body.committedLsn > seen).toBe(true);

    const paused = await api.as('editor').patch(`${PATH}/${made.id}`, { enabled: false, onWalLimit: 'pause' });
    expect(paused).toMatchObject({ status: 200, body: { enabled: false, status: 'paused', onWalLimit: 'pause' } });
    expect(await api.as('owner').delete(`/api/data-sources/${made.sourceId}`)).toMatchObject({
      status: 409,
      body: {
        code: 'REFERENCED',
        referencedBy: [{ type: 'pipeline' }, { type: 'cdc-stream', name: made.streamId }].reverse(),
      },
    });
    await gone(api, made.id);
    expect(await slots()).not.toContain(made.slotName);
    expect(await server.rows('SELECT 1 FROM pg_publication')).toEqual([]);
    expect((await api.as('editor').delete(`${PATH}/${made.id}`)).body).toMatchObject({ code: 'CDC_STREAM_NOT_FOUND' });
    await server.run("DELETE FROM orders WHERE id = 3; INSERT INTO orders VALUES (2, 'ink')");
  });

  it('takes a new snapshot on request, of one table or of all with a new slot', async ({ api }) => {
    const { id } = await givenStream(api);
    await streamThatIs(api, id, 'streaming');
    const one = await api.as('editor').post(`${PATH}/${id}/resync`, { tables: ['orders'] });
    expect(one).toMatchObject({ status: 202, body: { status: 'snapshotting', tables: [{ status: 'pending' }] } });
    await streamThatIs(api, id, 'streaming');
    expect(await api.as('editor').post(`${PATH}/${id}/resync`)).toMatchObject({
      status: 202,
      body: { status: 'creating' },
    });
    expect((await streamThatIs(api, id, 'streaming')).tables[0].rows).toBe(6);
    expect(await api.as('editor').post(`${PATH}/${id}/resync`, { tables: ['orders', 'others'] })).toMatchObject({
      status: 422,
      body: { code: 'CDC_TABLE_UNKNOWN', errors: [{ pointer: '/tables/1' }] },
    });
    await gone(api, id);
  });

  it('says everything that the source lacks, with the SQL that mends it', async ({ api }) => {
    const tables = ['orders', 'notes', 'nowhere', 'recent', 'scratch', 'sums', 'alike', 'family'];
    const asReader = await givenSource(api, { user: 'reader' }, { password: 'reader' });
    const reply = await api.as('editor').post(PATH, bodyOf(asReader, { tables }));
    expect(reply).toMatchObject({ status: 422, body: { code: 'SOURCE_NOT_READY' } });
    const issues = reply.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect(issues).toEqual([
      '/sourceId NO_REPLICATION_RIGHT',
      '/tables/1 NO_SELECT_RIGHT',
      '/tables/1 NO_REPLICA_IDENTITY',
      '/tables/2 TABLE_NOT_FOUND',
      '/tables/3 NOT_A_TABLE',
      '/tables/4 TABLE_NOT_LOGGED',
      '/tables/4 NO_SELECT_RIGHT',
      '/tables/5 NO_SELECT_RIGHT',
      '/tables/5 GENERATED_IDENTITY',
      '/tables/6 NO_SELECT_RIGHT',
      '/tables/6 COLUMN_TAKEN',
      '/tables/6 COLUMNS_ALIKE',
      '/tables/7 NO_SELECT_RIGHT',
      '/tables/7 HAS_HEIRS',
      '/sourceId NO_PUBLICATION_RIGHT',
    ]);
    expect(reply.body.errors[0].message).toContain('ALTER ROLE "reader" REPLICATION;');
    expect(reply.body.errors[2].message).toContain('ALTER TABLE "public"."notes" REPLICA IDENTITY FULL;');
    expect(reply.body.errors[11].message).toContain('ALTER TABLE "public"."alike" RENAME COLUMN "A" TO');
    expect(reply.body.errors[14].message).toContain('CREATE PUBLICATION "analytics_stream_');
    expect((await api.as('viewer').get(PATH)).body.total).toBe(0);

    const { id } = await givenStream(api);
    expect(await api.as('editor').patch(`${PATH}/${id}`, { enabled: true, tables: ['notes'] })).toMatchObject({
      status: 422,
      body: { code: 'SOURCE_NOT_READY', errors: [{ pointer: '/tables/0', code: 'NO_REPLICA_IDENTITY' }] },
    });
    await gone(api, id);
  });

  it('takes a publication that the owner of the tables has made, and leaves it when it goes', async ({ api }) => {
    await server.run("CREATE ROLE replicator LOGIN REPLICATION PASSWORD 'r'; GRANT SELECT ON orders TO replicator");
    const sourceId = await givenSource(api, { user: 'replicator' }, { password: 'r' });
    const body = bodyOf(sourceId);
    const refused = await api.as('editor').post(PATH, body);
    expect(refused.body.errors).toMatchObject([{ code: 'NO_PUBLICATION_RIGHT' }]);
    const [sql] = /CREATE PUBLICATION .*;/.exec(refused.body.errors[0].message)!;
    // One that leaves changes out is none.
    const less = [
      sql.replace('publish_via_partition_root', "publish = 'insert', publish_via_partition_root"),
      sql.replace(' WITH', ' WHERE (id > 1) WITH'),
      sql.replace(' WITH', ' (id) WITH'),
    ];
    for (const each of less) {
      await server.run(each);
      const incomplete = await api.as('editor').post(PATH, body);
      expect(incomplete.body.errors).toMatchObject([{ code: 'PUBLICATION_INCOMPLETE' }]);
      const [remedy] = /DROP PUBLICATION [^;]*;/.exec(incomplete.body.errors[0].message)!;
      await server.run(remedy);
    }
    await server.run(sql);
    const made = await api.as('editor').post(PATH, body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await streamThatIs(api, made.body.id, 'streaming')).tables[0].rows).toBeGreaterThan(0);
    await gone(api, made.body.id);
    expect(await slots()).not.toContain(made.body.slotName);
    expect(await server.rows('SELECT pubname FROM pg_publication')).toEqual([[made.body.slotName]]);
    await server.run(`DROP PUBLICATION ${made.body.slotName}`);
  });

  it('needs a server that logs logically and has a slot to give', async ({ api }) => {
    const plain = await startPostgres(['-c', 'max_replication_slots=0']);
    try {
      await plain.run('CREATE TABLE orders (id INT PRIMARY KEY)');
      const { port, password } = plain;
      const reply = await api.as('editor').post(PATH, bodyOf(await givenSource(api, { port }, { password })));
      expect(reply.body.errors).toMatchObject([
        { code: 'WAL_LEVEL', message: expect.stringContaining("ALTER SYSTEM SET wal_level = 'logical';") },
        { code: 'NO_FREE_SLOT' },
      ]);
    } finally {
      await plain.stop();
    }
  });

  it('is refused for a source that is unknown, unreachable or no Postgres, and for a name that is taken', async ({
    api,
  }) => {
    const post = async (body: object) => {
      const reply = await api.as('editor').post(PATH, body);
      return `${reply.status} ${reply.body.code}`;
    };
    expect(await post(bodyOf(newId()))).toBe('404 DATA_SOURCE_NOT_FOUND');
    const files = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    expect(await post(bodyOf(files.body.id))).toBe('422 SOURCE_NOT_CAPTURABLE');
    const wrong = await givenSource(api, {}, { password: 'wrong' });
    expect(await post(bodyOf(wrong))).toBe('422 DATA_SOURCE_UNREACHABLE');

    const { id, sourceId, streamId } = await givenStream(api);
    expect(await post(bodyOf(sourceId, { streamId }))).toBe('409 CDC_STREAM_ID_TAKEN');
    await api.as('owner').patch(`/api/data-sources/${sourceId}`, { secrets: { password: 'wrong' } });
    const tables = ['orders'];
    expect(await api.as('editor').patch(`${PATH}/${id}`, { enabled: true, tables })).toMatchObject({
      status: 422,
      body: { code: 'DATA_SOURCE_UNREACHABLE' },
    });
    expect((await api.as('editor').delete(`${PATH}/${id}`)).status).toBe(204);
    // The slot cannot be dropped now: the stream stays, as one that is being deleted.
    expect((await streamThatIs(api, id, 'deleting')).enabled).toBe(true);
    for (const reply of [
      await api.as('editor').patch(`${PATH}/${id}`, { enabled: false }),
      await api.as('editor').post(`${PATH}/${id}/resync`),
    ]) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'CDC_STREAM_DELETING' } });
    }
    await api.as('owner').patch(`/api/data-sources/${sourceId}`, { secrets: { password: server.password } });
    await gone(api, id);
  });

  it('is found by its source and status', async ({ api }) => {
    const stream = await givenStream(api);
    const list = (query: string) => api.as('viewer').get(`${PATH}?${query}`);
    const found = async (query: string) => (await list(query)).body.items.map(({ id }: { id: string }) => id);
    await expect.poll(() => found(`sourceId=${stream.sourceId}`)).toEqual([stream.id]);
    expect(await found(`sourceId=${newId()}`)).toEqual([]);
    expect(await found('status=paused')).toEqual([]);
    await api.as('editor').patch(`${PATH}/${stream.id}`, { enabled: false });
    await streamThatIs(api, stream.id, 'paused');
    expect((await list('status=paused&limit=1')).body).toMatchObject({ items: [{ id: stream.id }], total: 1 });
    expect(await found('status=paused&sort=-updatedAt')).toEqual([stream.id]);
    const total = { pk: `W#${api.workspaceId}#CDC-STREAM`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await list('status=paused')).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LARGE' } });
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 1 } })));
    await gone(api, stream.id);
  });

  it('answers for a stream of another workspace as for none', async ({ api }) => {
    const { id, sourceId } = await givenStream(api);
    const stranger = api.as('stranger');
    for (const [method, path, body] of [
      ['GET', `${PATH}/${id}`, undefined],
      ['PATCH', `${PATH}/${id}`, { enabled: false }],
      ['POST', `${PATH}/${id}/resync`, {}],
      ['DELETE', `${PATH}/${id}`, undefined],
    ] as const) {
      const text = body === undefined ? {} : { text: JSON.stringify(body) };
      expect(await stranger.send(method, path, text), `${method} ${path}`).toMatchObject({
        status: 404,
        body: { code: 'CDC_STREAM_NOT_FOUND' },
      });
    }
    expect((await stranger.get(PATH)).body.items).toEqual([]);
    expect((await stranger.post(PATH, bodyOf(sourceId))).body.code).toBe('DATA_SOURCE_NOT_FOUND');
    expect((await api.as('viewer').get(`${PATH}?offset=10001`)).body.code).toBe('OFFSET_TOO_LARGE');
    expect((await streamThatIs(api, id, 'streaming')).enabled).toBe(true);
    await gone(api, id);
  });
});
