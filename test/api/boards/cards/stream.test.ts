import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { call } from '../../../support/http.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
  await server.run('CREATE TABLE slow AS SELECT 1 AS n');
});
afterAll(() => server.stop());

const saved = (id: string) => chart({ source: { kind: 'savedQuery', id } });

async function givenSaved(api: Api, name: string, sql: string, sourceId?: string): Promise<string> {
  return (await posted(api, '/api/saved-queries', { name, sql, ...(sourceId && { sourceId }) })).id;
}

/** A saved query of a table that a transaction has locked until `release`. */
async function givenBlocked(api: Api) {
  const { host, port, database, user, password } = server;
  const source = await api.as('owner').post('/api/data-sources', {
    ...{
      name: 'database',
      type: 'postgres',
      config: { host, port, database, user, ssl: false },
      secrets: { password },
    },
  });
  const id = await givenSaved(api, 'Slow', 'SELECT n FROM slow', source.body.id);
  const lock = new Client({ host, port, database, user, password });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE slow IN ACCESS EXCLUSIVE MODE');
  return { id, release: () => lock.end() };
}

// biome-ignore lint/suspicious/noExplicitAny: lines of two shapes; conformance checks the shape
type Line = any;

async function* linesOf(reply: Response): AsyncGenerator<Line> {
  let rest = '';
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
  expect(rest).toBe('');
}

const streamed = async (api: Api, path: string, body?: object, caller: Parameters<Api['as']>[0] = 'editor') => {
  const reply = await api.as(caller).post(`${path}/data/stream`, body);
  expect(reply.status, reply.bytes.toString()).toBe(200);
  const lines: Line[] = reply.body
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  return { results: lines.slice(0, -1), end: lines.at(-1) };
};

describe('the stream of cards', () => {
  it('sends a card while an earlier one is still read', async ({ api }) => {
    const blocked = await givenBlocked(api);
    const fast = await givenSaved(api, 'Fast', 'SELECT 2 AS n');
    const { path } = await givenCards(api, [card('slow', saved(blocked.id)), card('fast', saved(fast))]);
    const reply = await fetch(`${api.endpoint}${path}/data/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.token('editor')}` },
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = linesOf(reply);
    expect((await lines.next()).value).toMatchObject({ cardId: 'fast', problem: null, data: { rows: [[2]] } });
    await blocked.release();
    expect((await lines.next()).value).toMatchObject({ cardId: 'slow', problem: null, data: { rows: [[1]] } });
    expect((await lines.next()).value).toEqual({ complete: true, cards: 2, failed: 0 });
    expect((await lines.next()).done).toBe(true);
  });

  it('has a line for each card: equal queries are read once, and a failing card alone fails', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'visits', sql: `SELECT 'a' AS kind, 3 AS n` });
    const query = { source: { kind: 'dataset', id }, dimensions: [{ column: 'kind' }] };
    const { path, read } = await givenCards(api, [
      card('one', chart(query)),
      card('broken', chart({ ...query, source: { kind: 'dataset', id: crypto.randomUUID() } })),
      textCard('text'),
      card('two', chart(query)),
    ]);
    const { results, end } = await streamed(api, path);
    expect(end).toEqual({ complete: true, cards: 3, failed: 1 });
    const byId = Object.fromEntries(results.map((result) => [result.cardId, result]));
    expect(Object.keys(byId).sort()).toEqual(['broken', 'one', 'two']);
    expect(byId.broken).toMatchObject({ data: null, problem: { code: 'DATASET_NOT_FOUND', status: 404 } });
    expect(byId.one.data.cache).toBe('miss');
    expect(byId.two.data).toEqual({ ...byId.one.data, cardId: 'two' });

    // The cache is that of a single card, in both directions.
    expect(await read('one')).toMatchObject({ cache: 'hit', asOf: byId.one.data.asOf, rows: byId.one.data.rows });
    const named = await streamed(api, path, { cardIds: ['two'] });
    expect(named.results).toMatchObject([{ cardId: 'two', data: { cache: 'hit', asOf: byId.one.data.asOf } }]);
    const wrong = { filters: [{ op: 'eq', values: ['a'] }] };
    expect((await streamed(api, path, wrong)).end).toEqual({ complete: true, cards: 3, failed: 3 });
  });

  it('shares the query of a card with those who read it at the same time', async ({ api }) => {
    const blocked = await givenBlocked(api);
    const { path } = await givenCards(api, [card('slow', saved(blocked.id)), card('same', saved(blocked.id))]);
    const waiting = async () => {
      const [[count] = []] = await server.rows(
        `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%slow%'`,
      );
      return count;
    };
    const reads = [streamed(api, path), streamed(api, path), api.as('editor').post(`${path}/cards/slow/data`)] as const;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    await blocked.release();
    const [first, second, single] = await Promise.all(reads);
    const answers = [...first.results, ...second.results].map(({ data }) => data);
    expect(new Set([...answers, single.body].map(({ asOf }) => asOf)).size).toBe(1);
  });

  it('has the rows of the reader, and nothing for those who do not see the dashboard', async ({ api }) => {
    const { model, field } = await givenProtected(api);
    const source = { kind: 'model', id: model.id };
    const query = { source, dimensions: [{ fieldId: field.name, label: 'Name' }], sort: [{ column: 'Name' }] };
    const { path } = await givenCards(api, [card('names', chart(query))]);
    const readers = await Promise.all(['eu', 'us'].map((region) => givenReader(api, { attributes: { region } })));
    const seen = readers.map(async ({ token }) => (await streamed(api, path, {}, { token })).results[0].data.rows);
    expect(await Promise.all(seen)).toEqual([[['Ann'], ['Bob'], ['Cid']], [[SECRET_ROW]]]);

    const refused = async (caller: Parameters<Api['as']>[0], body: object = {}) => {
      const { status, body: problem } = await api.as(caller).post(`${path}/data/stream`, body);
      return [status, problem.code];
    };
    expect(await refused('stranger')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect(await refused('viewer')).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    expect(await refused('anonymous')).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refused('editor', { pageId: 'none' })).toEqual([404, 'DASHBOARD_PAGE_NOT_FOUND']);
    expect(await refused('editor', { cardIds: ['none'] })).toEqual([404, 'DASHBOARD_CARD_NOT_FOUND']);
    expect(await refused('editor', { cards: [] })).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is open to pages of other origins, which ask first', async ({ api }) => {
    const { path } = await givenCards(api, [textCard('text')]);
    const preflight = await call(api.endpoint, 'OPTIONS', `${path}/data/stream`, {
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await streamed(api, path)).end).toEqual({ complete: true, cards: 0, failed: 0 });
  });
});
