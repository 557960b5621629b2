import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { proxyTo } from '../../../support/socket-server.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function givenSource(api: Api, port = server.port): Promise<string> {
  const { host, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const body = { name: 'shop', type: 'postgres', config, secrets: { password } };
  return (await api.as('owner').post('/api/data-sources', body)).body.id;
}

/** A table of its own at the server, and a dataset of it with its first version. */
async function imported(api: Api, sourceId: string, more: object = {}): Promise<{ id: string; table: string }> {
  const table = `orders_${crypto.randomUUID().replaceAll('-', '')}`;
  await server.run(`CREATE TABLE ${table} AS SELECT i AS id, 'row ' || i AS note FROM generate_series(1, 20000) i`);
  const source = { kind: 'table', sourceId, table };
  const { body } = await api.as('editor').post('/api/datasets', { name: table, source, ...more });
  expect(await endedRefresh(api, body.id)).toMatchObject({ status: 'succeeded', result: { version: 1 } });
  return { id: body.id, table };
}

async function refreshed(api: Api, id: string) {
  await api.as('editor').post(`/api/datasets/${id}/refresh`);
  return endedRefresh(api, id);
}

const countOf = async (api: Api, table: string) =>
  (await api.as('editor').post('/api/query', { sql: `SELECT count(*), max(id) FROM ${table}` })).body.rows[0];

describe('a refresh from a source', () => {
  it('that vanishes in the middle leaves the old version, and the next one brings the new', async ({ api }) => {
    let isCut = false;
    const port = await proxyTo(server.port, (client, _, answered) => isCut && answered > 100_000 && client.destroy());
    const { id, table } = await imported(api, await givenSource(api, port));
    await server.run(`INSERT INTO ${table} VALUES (20001, 'new')`);
    isCut = true;
    expect(await refreshed(api, id)).toMatchObject({ status: 'failed', error: { code: 'CONNECTION_FAILED' } });
    expect(await countOf(api, table)).toEqual([20_000, 20_000]);
    isCut = false;
    expect(await refreshed(api, id)).toMatchObject({ status: 'succeeded', result: { version: 2 } });
    expect(await countOf(api, table)).toEqual([20_001, 20_001]);
  });

  it('whose types have changed says which when it adds, and takes them when it replaces', async ({ api }) => {
    const sourceId = await givenSource(api);
    const incremental = { mode: 'incremental', incremental: { cursorColumn: 'id' } };
    const adding = await imported(api, sourceId, incremental);
    await refreshed(api, adding.id);
    await server.run(`ALTER TABLE ${adding.table} ALTER note TYPE date USING date '2026-01-01' + id`);
    await server.run(`INSERT INTO ${adding.table} VALUES (20001, '2026-01-01')`);
    const failed = await refreshed(api, adding.id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    expect(failed.error.message).toContain('note');
    expect(await countOf(api, adding.table)).toEqual([20_000, 20_000]);

    const replacing = await imported(api, sourceId);
    await server.run(`ALTER TABLE ${replacing.table} ALTER id TYPE numeric(12,2), DROP note`);
    expect(await refreshed(api, replacing.id)).toMatchObject({ status: 'succeeded', result: { version: 2 } });
    const { body } = await api.as('viewer').get(`/api/datasets/${replacing.id}`);
    expect(body.columns).toEqual([{ name: 'id', type: 'decimal(12,2)' }]);
  });

  it('that is locked waits, can be cancelled meanwhile, and delays no other refresh', async ({ api }) => {
    const sourceId = await givenSource(api);
    const { id, table } = await imported(api, sourceId);
    const other = await imported(api, sourceId);
    const { host, port, database, user, password } = server;
    const holder = new Client({ host, port, database, user, password });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await api.as('editor').post(`/api/datasets/${id}/refresh`);
    const waiting = () =>
      server.rows(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${table}%'`);
    await expect.poll(waiting, { timeout: 90_000 }).toHaveLength(1);
    expect(await refreshed(api, other.id)).toMatchObject({ status: 'succeeded' });
    expect(await countOf(api, table)).toEqual([20_000, 20_000]);
    await api.as('editor').post(`/api/datasets/${id}/cancel`);
    expect(await endedRefresh(api, id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(waiting, { timeout: 90_000 }).toEqual([]);
    await holder.query('ROLLBACK');
    expect(await refreshed(api, id)).toMatchObject({ status: 'succeeded', result: { version: 2 } });
  });
});

describe('a sync of a source', () => {
  it('shows a type that has changed since the one before', async ({ api }) => {
    const id = await givenSource(api);
    await server.run('CREATE TABLE changing (a int)');
    const typeOf = async () => {
      await api.as('owner').post(`/api/data-sources/${id}/sync`);
      const newest = async () => (await api.as('editor').get(`/api/data-sources/${id}/history`)).body.items[0].status;
      await expect.poll(newest, { timeout: 60_000 }).toBe('succeeded');
      const columns = `/api/data-sources/${id}/columns?schema=public&table=changing&from=catalogue`;
      return (await api.as('editor').get(columns)).body.items?.[0]?.type;
    };
    expect(await typeOf()).toBe('integer');
    await server.run("ALTER TABLE changing ALTER a TYPE timestamptz USING timestamptz '2026-01-01'");
    expect(await typeOf()).toBe('timestamptz');
  });
});
