import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { executed, givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { chartBlock, doc, givenStory } from '../../../support/given/stories.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';
import { type PostgresProxy, postgresProxy } from '../../../support/postgres-proxy.ts';

let server: TestDatabase;
let proxy: PostgresProxy;

beforeAll(async () => {
  server = await openDatabase();
  proxy = await postgresProxy(server);
  await server.run(String.raw`
    CREATE TABLE cases (number bigint PRIMARY KEY, who text, code char(4), ref uuid, opened timestamptz);
    INSERT INTO cases SELECT n, 'person ' || n, 'c' || n % 9, NULL, NULL FROM generate_series(1, 30000) AS n;
    INSERT INTO cases VALUES (40001, 'ada', 'x', '00000000-0000-4000-8000-000000000001', '2026-01-05 23:30:00Z'),
      (40002, 'bob', 'y', NULL, NULL), (40003, U&'e\0301va', 'x', NULL, NULL), (40004, NULL, 'z', NULL, NULL);
    CREATE VIEW slow AS SELECT number, who FROM cases, pg_sleep(15) AS blend_is_slow;
    CREATE VIEW huge AS SELECT n::bigint AS number, 'x'::text AS who FROM generate_series(1, 1000001) AS n;
    CREATE VIEW broken AS SELECT number, (1 / (number - number))::text AS who FROM cases;`);
});
afterAll(async () => {
  await proxy.close();
  await server.drop();
});

/** A model over the database with the tables, each with its fields. */
async function givenLiveDesk(api: Api, { port = proxy.port, name = 'Live', user = server.user } = {}) {
  const { host, database, password } = server;
  const config = { host, port, database, user, ssl: false };
  const source = { name, type: 'postgres', config, secrets: { password } };
  const sourceId = (await api.as('owner').post('/api/data-sources', source)).body.id;
  const { path } = await givenModel(api, { name, sourceId });
  const table = async (sourceTable: string) => {
    const { id } = await posted(api, `${path}/tables`, { sourceSchema: 'public', sourceTable, alias: sourceTable });
    const number = await givenField(api, `${path}/tables/${id}`, 'number', { dataType: 'integer' });
    await givenField(api, `${path}/tables/${id}`, 'who');
    return { id, number, path: `${path}/tables/${id}` };
  };
  const cases = await table('cases');
  for (const [field, dataType] of Object.entries({ code: 'string', ref: 'string', opened: 'datetime' }))
    await givenField(api, cases.path, field, { dataType });
  return { cases, slow: await table('slow'), huge: await table('huge'), broken: await table('broken') };
}

const people = `SELECT * FROM (VALUES (1, 'ada'), (2, 'bob'), (3, chr(233) || 'va'), (4, NULL), (5, 'person 7'), (6, 'nobody')) AS t(id, name)`;

async function givenPeople(api: Api) {
  await givenDataset(api, { name: 'people', sql: people });
  const model = await givenModel(api, { name: 'People' });
  const table = await givenTable(api, model.path, 'people');
  const id = await givenField(api, table.path, 'id', { dataType: 'integer' });
  return { ...table, fields: { id, name: await givenField(api, table.path, 'name') } };
}

describe('a blend with a database', () => {
  it('asks it only for the keys of the left side, and gets few other rows', async ({ api }) => {
    const [left, { cases }] = [await givenPeople(api), await givenLiveDesk(api)];
    const body = {
      name: 'People with cases',
      ...{ leftTableId: left.id, leftAlias: 'people', rightTableId: cases.id, rightAlias: 'cases' },
      keys: [{ left: 'name', right: 'who' }],
    };
    const { path } = await givenBlend(api, body);
    proxy.takeRows();
    const wanted = { leftColumns: ['id'], rightColumns: ['number'], sort: [{ column: 'people.id' }] };
    const reply = await executed(api, path, wanted);
    expect(reply.rows).toEqual([
      [1, 40001],
      [2, 40002],
      [3, 40003],
      [4, null],
      [5, 7],
      [6, null],
    ]);
    expect(reply.stats).toMatchObject({
      ...{
        pushedDown: { keys: 5, rows: 4 },
        rightRows: null,
        unmatchedRight: null,
        rightUnique: null,
        bytes: expect.any(Number),
      },
      ...{ leftNullKeys: 1, matchedLeft: 4, unmatchedLeft: 2 },
    });
    // Four matching rows, and those about types and settings of the session.
    expect(proxy.takeRows()).toBeLessThan(40);
    const full = await executed(api, path, { ...wanted, joinType: 'full', limit: 10 });
    expect(full.stats).toMatchObject({ pushedDown: null, rightRows: 30_004, unmatchedRight: 30_000 });
    expect(proxy.takeRows()).toBeGreaterThan(10_000);
    const lower = await givenBlend(api, {
      ...body,
      name: 'lower',
      keys: [{ left: 'name', right: 'who', caseInsensitive: true }],
    });
    expect((await executed(api, lower.path, wanted)).stats).toMatchObject({ pushedDown: null, rightRows: 30_004 });
    const numbers = await givenBlend(api, { ...body, name: 'numbers', keys: [{ left: 'id', right: 'number' }] });
    proxy.takeRows();
    expect(await executed(api, numbers.path, { leftColumns: ['id'], rightColumns: ['who', 'code'] })).toMatchObject({
      rowCount: 6,
      stats: { pushedDown: { keys: 6, rows: 6 } },
    });
    expect(proxy.takeRows()).toBeLessThan(40);
  });

  it('gets hardly more rows over the wire than match ten thousand keys, and all of them for more keys', async ({
    api,
  }) => {
    const { cases } = await givenLiveDesk(api);
    const given = async (name: string, keys: number) => {
      // Every second key matches a row.
      await givenDataset(api, { name, sql: `SELECT n AS id, 'person ' || 6 * n AS name FROM range(${keys}) AS t(n)` });
      const table = await givenTable(api, (await givenModel(api, { name })).path, name);
      await givenField(api, table.path, 'name');
      return givenBlend(api, {
        ...{ name, leftTableId: table.id, leftAlias: 'people', rightTableId: cases.id, rightAlias: 'cases' },
        keys: [{ left: 'name', right: 'who' }],
      });
    };
    const wanted = { leftColumns: ['name'], rightColumns: ['number'], joinType: 'inner', limit: 10 };
    const few = await given('few_keys', 10_000);
    proxy.takeRows();
    const reply = await executed(api, few.path, wanted);
    const matching = 5_000;
    // The text that is not in the form NFC comes too, because the server cannot compare it.
    expect(reply).toMatchObject({ totalRows: matching, stats: { pushedDown: { keys: 10_000, rows: matching + 1 } } });
    const sent = proxy.takeRows();
    expect(sent).toBeGreaterThanOrEqual(matching);
    expect(sent).toBeLessThanOrEqual(1.05 * matching);
    const many = await given('many_keys', 10_001);
    expect(await executed(api, many.path, wanted)).toMatchObject({
      ...{ totalRows: matching, stats: { pushedDown: null, rightRows: 30_004 } },
    });
  });

  it('is a source of charts, whichever side it is: in cards, files, stories and alerts', async ({ api }) => {
    const [people, { cases }] = [await givenPeople(api), await givenLiveDesk(api)];
    const sides = { people: { id: people.id, key: 'name' }, cases: { id: cases.id, key: 'who' } };
    const blendOf = (left: 'people' | 'cases', right: 'people' | 'cases') =>
      givenBlend(api, {
        name: `${left} with ${right}`,
        ...{ leftTableId: sides[left].id, leftAlias: left, rightTableId: sides[right].id, rightAlias: right },
        keys: [{ left: sides[left].key, right: sides[right].key }],
      });
    const measures = [
      { fieldId: cases.number, aggregation: 'count', label: 'Cases' },
      { fieldId: cases.number, aggregation: 'max', label: 'Newest' },
      { fieldId: people.fields.id, aggregation: 'sum', label: 'Ids' },
    ];
    const named = { dimensions: [{ fieldId: people.fields.name, label: 'Name' }], measures };
    const chartOf = (blend: { id: string }, query: object) => ({ source: { kind: 'blend', id: blend.id }, ...query });
    const right = await blendOf('people', 'cases');
    const left = await blendOf('cases', 'people');
    const { path, read } = await givenCards(api, [
      card('people', chart(chartOf(right, named))),
      card('inner', chart(chartOf(left, { ...named, joinType: 'inner' }))),
      card('total', chart(chartOf(left, { measures, joinType: 'full' }))),
      card('matched', chart(chartOf(right, { measures, joinType: 'inner' }))),
    ]);
    const matched = [
      ['ada', 1, 40001, '1'],
      ['bob', 1, 40002, '2'],
      ['person 7', 1, 7, '5'],
      ['\u00e9va', 1, 40003, '3'],
    ];
    proxy.takeRows();
    expect((await read('people')).rows).toEqual([
      ...matched.slice(0, 2),
      ['nobody', 0, null, '6'],
      ...matched.slice(2),
      [null, 0, null, '4'],
    ]);
    // The database returns groups with one of the keys, and nothing of the other thirty thousand.
    expect(proxy.takeRows()).toBeLessThan(40);
    expect((await read('inner')).rows).toEqual(matched);
    expect((await read('total')).rows).toEqual([[30_004, 40004, '21']]);
    expect((await read('matched')).rows).toEqual([[4, 40003, '11']]);

    const csv = await api
      .as('editor')
      .post(`${path}/export`, { format: 'csv', cardIds: ['inner'] }, { headers: { accept: '*/*' } });
    const lines = matched.map((row) => row.join(','));
    expect(csv.bytes.toString()).toBe(['Name,Cases,Newest,Ids', ...lines, ''].join('\r\n'));
    const story = await givenStory(api, doc(chartBlock('people', chartOf(left, { ...named, joinType: 'inner' }))));
    expect((await api.as('editor').post(`${story.path}/blocks/people/data`, {})).body.rows).toEqual(matched);
    const source = { kind: 'blend', id: right.id, query: { measures, joinType: 'inner' } };
    const condition = { kind: 'field', source, column: 'Newest', reduce: 'max', operator: 'gt', threshold: 40_000 };
    const preview = await api.as('editor').post('/api/dashboard-alerts/preview', { condition, last: 1 });
    expect(preview.body.points, JSON.stringify(preview.body)).toMatchObject([{ value: 40003, state: 'triggered' }]);
    // A row that comes later is read as soon as the reader asks for new rows.
    await server.run("INSERT INTO cases VALUES (40005, 'bob', 'y', NULL, NULL)");
    expect((await read('inner', { maxAgeSeconds: 0 })).rows[1]).toEqual(['bob', 2, 40005, '2']);
    await server.run('DELETE FROM cases WHERE number = 40005');
  });

  it('is read as it stores values: padded texts, ids and instants', async ({ api }) => {
    const [left, { cases }] = [await givenPeople(api), await givenLiveDesk(api)];
    await givenDataset(api, {
      name: 'keys',
      sql: `SELECT 'x' AS code, '00000000-0000-4000-8000-000000000001' AS ref, DATE '2026-01-06' AS day`,
    });
    const model = await givenModel(api, { name: 'Keys' });
    const table = await givenTable(api, model.path, 'keys');
    for (const [name, dataType] of Object.entries({ code: 'string', ref: 'string', day: 'date' }))
      await givenField(api, table.path, name, { dataType });
    const sides = { leftTableId: table.id, leftAlias: 'keys', rightTableId: cases.id, rightAlias: 'cases' };
    const join = async (name: string, key: object) => {
      const { path } = await givenBlend(api, { name, ...sides, keys: [key] });
      const request = { leftColumns: ['code'], rightColumns: ['number'], sort: [{ column: 'cases.number' }] };
      return (await executed(api, path, request)).rows.map(([, number]: unknown[]) => number);
    };
    expect(await join('code', { left: 'code', right: 'code' })).toEqual([40001, 40003]);
    expect(await join('ref', { left: 'ref', right: 'ref' })).toEqual([40001]);
    const zone = { left: 'day', right: 'opened', as: 'date' };
    expect(await join('day', { ...zone, timezone: 'Europe/Berlin' })).toEqual([40001]);
    expect(await join('day in UTC', { ...zone, timezone: 'UTC' })).toEqual([null]);
    const without = await api.as('editor').post('/api/composite-models', { name: 'no zone', ...sides, keys: [zone] });
    expect(without).toMatchObject({
      status: 400,
      body: { code: 'BLEND_KEY_TIMEZONE', errors: [{ pointer: '/keys/0/timezone', code: 'BLEND_KEY_TIMEZONE' }] },
    });
    expect(left.id).not.toBe(table.id);
  });

  it('names the side that fails, is slow or too large, and stops the other', async ({ api }) => {
    const { orders } = await givenShopAndDesk(api);
    const { slow, huge, broken } = await givenLiveDesk(api);
    const lost = await givenLiveDesk(api, { port: 1, name: 'Lost' });
    const blend = async (name: string, leftTableId: string, rightTableId: string, key: object) =>
      givenBlend(api, { name, leftTableId, leftAlias: 'one', rightTableId, rightAlias: 'other', keys: [key] });
    const execute = (path: string, request: object = {}) =>
      api.as('viewer').post(`${path}/execute`, { leftColumns: [], rightColumns: ['number'], ...request });
    const byName = { left: 'customer', right: 'who' };

    const failing = await blend('failing', orders.id, lost.cases.id, byName);
    expect(await execute(failing.path)).toMatchObject({
      status: 400,
      body: { code: 'BLEND_SIDE_FAILED', side: 'right', reason: 'DATA_SOURCE_UNREACHABLE' },
    });
    const stranger = await givenLiveDesk(api, { user: 'unknown_role_7f3a', name: 'Refused' });
    const refusing = await blend('refusing', orders.id, stranger.cases.id, byName);
    const refused = await execute(refusing.path);
    expect(refused).toMatchObject({ status: 400, body: { code: 'BLEND_SIDE_FAILED', side: 'right' } });
    expect(JSON.stringify(refused.body)).not.toContain('7f3a');

    const wrong = await blend('wrong', orders.id, broken.id, byName);
    const reply = await execute(wrong.path);
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'BLEND_SIDE_FAILED', side: 'right', reason: 'SQL_ERROR' },
    });
    expect(reply.body.detail).not.toContain('zero');

    const late = await blend('late', orders.id, slow.id, byName);
    expect(await execute(late.path, { timeoutMs: 1500 })).toMatchObject({
      status: 400,
      body: { code: 'BLEND_SIDE_TIMEOUT', side: 'right' },
    });
    const large = await blend('large', orders.id, huge.id, { ...byName, caseInsensitive: true });
    expect(await execute(large.path)).toMatchObject({
      status: 400,
      body: { code: 'BLEND_TOO_LARGE', side: 'right', rows: 1_000_001 },
    });
    const shown = async (of: { id: string }, { number }: { number: string }, body: object = {}) => {
      const query = { source: { kind: 'blend', id: of.id }, dimensions: [{ fieldId: number }], measures: [] };
      const cards = await givenCards(api, [card('one', chart(query))]);
      const story = await givenStory(api, doc(chartBlock('one', query)));
      const read = async (path: string) => (await api.as('editor').post(path, body)).body.code;
      return [await read(`${cards.path}/cards/one/data`), await read(`${story.path}/blocks/one/data`)];
    };
    expect(await shown(failing, lost.cases)).toEqual(['BLEND_SIDE_FAILED', 'BLEND_SIDE_FAILED']);
    expect(await shown(late, slow, { timeoutMs: 1500 })).toEqual(['BLEND_SIDE_TIMEOUT', 'BLEND_SIDE_TIMEOUT']);
    expect(await shown(large, huge)).toEqual(['BLEND_TOO_LARGE', 'BLEND_TOO_LARGE']);
    const both = await blend('both', slow.id, lost.cases.id, { left: 'who', right: 'who', trim: true });
    const startedAt = performance.now();
    expect(await execute(both.path)).toMatchObject({ body: { code: 'BLEND_SIDE_FAILED', side: 'right' } });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const running = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%slow%' AND pid <> pg_backend_pid()`;
    await vi.waitFor(async () => expect(await server.rows(running)).toEqual([[0]]), { timeout: 10_000, interval: 50 });
  });
});
