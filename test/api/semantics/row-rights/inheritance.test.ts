import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenModel, posted } from '../../../support/given/model.ts';
import { givenLabel, givenPolicy } from '../../../support/given/protected.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { dagOf, load } from '../../pipelines/pipelines/given.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
  await server.run(`CREATE TABLE people (id INT, region TEXT);
    CREATE TABLE staff (boss INT) INHERITS (people);
    CREATE SCHEMA other;
    CREATE TABLE other.temps () INHERITS (staff);
    CREATE TABLE badges (id INT);
    CREATE TABLE guests () INHERITS (people, badges);
    CREATE TABLE places (id INT);
    CREATE TABLE events (id INT) PARTITION BY RANGE (id);
    CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (10);
    INSERT INTO people VALUES (1, 'eu'); INSERT INTO staff VALUES (2, 'us', 1); INSERT INTO other.temps VALUES (3, 'us', 1);
    INSERT INTO guests VALUES (4, 'us'); INSERT INTO places VALUES (7); INSERT INTO events VALUES (8);`);
});
afterAll(() => server.stop());

/** The data source, with what a sync has found. */
async function givenSource(api: Api): Promise<string> {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const owner = api.as('owner');
  const source = { name: `database ${crypto.randomUUID()}`, type: 'postgres', config, secrets: { password } };
  const { id } = (await owner.post('/api/data-sources', source)).body;
  expect((await owner.post(`/api/data-sources/${id}/sync`)).status).toBe(202);
  const status = async () => (await owner.get(`/api/data-sources/${id}/history`)).body.items[0]?.status;
  await expect.poll(status, { timeout: 60_000 }).toBe('succeeded');
  return id;
}

async function givenTables(api: Api) {
  const sourceId = await givenSource(api);
  const model = await givenModel(api, { sourceId });
  const table = async (sourceTable: string, sourceSchema = 'public') => {
    const { id } = await posted(api, `${model.path}/tables`, { sourceSchema, sourceTable, alias: sourceTable });
    const path = `${model.path}/tables/${id}`;
    return { id, path, fieldId: await givenField(api, path, 'id', { dataType: 'integer' }) };
  };
  const total = async ({ fieldId }: { fieldId: string }) => {
    const reply = await api.as('editor').post(`${model.path}/query`, { measures: [{ fieldId, aggregation: 'count' }] });
    return reply.status === 200 ? reply.body.rows[0][0] : [reply.status, reply.body.errors[0].code];
  };
  const copied = async (name: string, schema = 'public') => {
    const source = { kind: 'table', sourceId, schema, table: name };
    const dataset = await api.as('editor').post('/api/datasets', { name: `copy ${crypto.randomUUID()}`, source });
    const extract = { id: 'read', type: 'extract', config: { sourceId, object: { schema, table: name } } };
    const dag = dagOf(extract, load('keep', 'read', 'kept'));
    const pipeline = await api.as('editor').post('/api/pipelines', { name: `pipeline ${crypto.randomUUID()}`, dag });
    expect(pipeline.status).toBe(dataset.status);
    if (dataset.status === 201) return 'copied';
    return dataset.body.errors.map(({ message }: { message: string }) => message.split(/[ ,]/)[1]);
  };
  return { sourceId, model, table, total, copied };
}

const OPAQUE = [422, 'RLS_RAW_SQL'];

describe('a policy of a Postgres table', () => {
  it('is listed with the tables that inherit from it', async ({ api }) => {
    const sourceId = await givenSource(api);
    const { items } = (await api.as('editor').get(`/api/data-sources/${sourceId}/tables?schema=public`)).body;
    const of = (wanted: string) => items.find(({ name }: { name: string }) => name === wanted);
    expect(of('people')).toMatchObject({ kind: 'table', hasParts: true });
    expect(of('people')).not.toHaveProperty('inherits');
    expect(of('staff')).toMatchObject({ hasParts: true, inherits: [{ schema: 'public', table: 'people' }] });
    expect(of('guests').inherits.map(({ table }: { table: string }) => table)).toEqual(['badges', 'people']);
    expect(of('events')).toMatchObject({ hasParts: true });
    expect(of('events_1')).toBeUndefined();
    expect(of('places')).not.toHaveProperty('hasParts');
    const temps = (await api.as('editor').get(`/api/data-sources/${sourceId}/tables?schema=other`)).body.items[0];
    expect(temps.inherits).toEqual([
      { schema: 'public', table: 'people' },
      { schema: 'public', table: 'staff' },
    ]);
  });

  it('hides its rows also where they are read by tables that inherit from it', async ({ api }) => {
    const { model, sourceId, table, total, copied } = await givenTables(api);
    const [people, staff, temps] = [await table('people'), await table('staff'), await table('temps', 'other')];
    const [places, badges, events] = [await table('places'), await table('badges'), await table('events')];
    expect(await total(staff)).toBe(2);
    await givenPolicy(api, model.path, { tableId: people.id, filterExpression: '[id] = 1' });
    expect(await total(people)).toBe(1);
    for (const each of [staff, temps, badges]) expect(await total(each)).toEqual(OPAQUE);
    expect(await api.as('editor').post(`${staff.path}/preview`, {})).toMatchObject({ status: 422 });
    expect(await total(places)).toBe(1);
    expect(await total(events)).toBe(1);
    expect(await copied('staff')).toEqual(['public.people']);
    expect(await copied('temps', 'other')).toEqual(['public.people']);
    expect(await copied('badges')).toEqual(['public.people']);
    expect(await copied('places')).toBe('copied');
    expect(await copied('events')).toBe('copied');
    expect(await copied('events_1')).toEqual(['public.people']);

    const test = { name: 'Ids', testType: 'not_null', targetType: 'source_table', columnName: 'id', config: {} };
    expect(
      await api
        .as('editor')
        .post('/api/data-quality/tests', { ...test, sourceId, schemaName: 'public', tableName: 'staff' }),
    ).toMatchObject({ status: 403, body: { code: 'RLS_RAW_SQL' } });
  });

  it('hides the rows of a child, and its labelled columns, also where its parents are read', async ({ api }) => {
    const { model, table, total, copied } = await givenTables(api);
    const [people, staff, guests] = [await table('people'), await table('staff'), await table('guests')];
    const policy = await givenPolicy(api, model.path, { tableId: staff.id, filterExpression: '[id] = 3' });
    expect(await total(staff)).toBe(1);
    expect(await total(people)).toEqual(OPAQUE);
    expect(await total(guests)).toBe(1);
    expect(await copied('people')).toEqual(['public.staff']);
    expect(await copied('guests')).toBe('copied');
    expect((await api.as('owner').delete(`${model.path}/rls/${policy.id}`)).status).toBe(204);
    expect(await total(people)).toBe(4);
    await givenLabel(api, guests.path, guests.fieldId, 'private');
    expect(await total(people)).toEqual(OPAQUE);
    expect(await copied('people')).toEqual(['public.guests']);
    expect(await total(staff)).toBe(2);
  });
});
