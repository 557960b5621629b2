import { parquetMetadata } from 'hyparquet';
import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const start = (api: Api, sql: string, more: object = {}) => api.as('editor').post('/api/query/jobs', { sql, ...more });

async function ended(api: Api, id: string) {
  const isOver = async () => {
    const { body } = await api.as('editor').get(`/api/query/jobs/${id}`);
    expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
    return body;
  };
  return vi.waitFor(isOver, { timeout: 100_000, interval: 100 });
}

const result = (api: Api, id: string, query = '', accept = 'application/json') =>
  api.as('editor').get(`/api/query/jobs/${id}/result${query}`, { headers: { accept } });

describe('query jobs', () => {
  it('keep the rows of a statement in pages and as a file', async ({ api }) => {
    await givenDataset(api, {
      name: 'orders',
      sql: 'SELECT i AS id, (i * 1.5)::DECIMAL(10,2) AS amount FROM range(25000) r(i)',
    });
    const started = await start(api, 'SELECT id, amount FROM orders WHERE id >= $least ORDER BY id', {
      params: { least: 1 },
    });
    expect(started).toMatchObject({ status: 202, body: { kind: 'query', status: 'queued', result: null } });
    const { id } = started.body;
    expect(await ended(api, id)).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      result: { rowCount: 24_999, truncated: false },
    });

    const first = await result(api, id);
    expect(first.body).toMatchObject({
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'amount', type: 'decimal(10,2)' },
      ],
      rowCount: 24_999,
      nextCursor: '1',
    });
    const rows = [...first.body.rows];
    for (let cursor = first.body.nextCursor; cursor !== null; ) {
      const { body } = await result(api, id, `?cursor=${cursor}`);
      rows.push(...body.rows);
      cursor = body.nextCursor;
    }
    expect(rows).toHaveLength(24_999);
    expect([rows[0], rows.at(-1)]).toEqual([
      [1, '1.50'],
      [24_999, '37498.50'],
    ]);
    expect(await result(api, id, '?cursor=3')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });

    const csv = await result(api, id, '?cursor=2', 'text/csv');
    expect(csv.body.startsWith('id,amount\r\n20001,30001.50\r\n')).toBe(true);
    expect(csv.headers.get('x-row-count')).toBe('24999');
    expect((await result(api, id, '', 'application/x-ndjson')).body.split('\n')[0]).toBe('{"id":1,"amount":"1.50"}');
    const parquet = await result(api, id, '', 'application/vnd.apache.parquet');
    const file = await (await fetch(parquet.body.downloadUrl)).arrayBuffer();
    expect(Number(parquetMetadata(file).num_rows)).toBe(24_999);
    expect(file.byteLength).toBe(parquet.body.bytes);
    expect(await result(api, id, '', 'application/pdf')).toMatchObject({
      status: 406,
      body: { code: 'NOT_ACCEPTABLE' },
    });
  });

  it('leave out what is above the limit, show the zone that was asked for, and keep no rows too', async ({ api }) => {
    const cut = await start(api, `SELECT TIMESTAMPTZ '2026-06-01 00:00:00Z' AS t FROM range(10)`, {
      limit: 3,
      timezone: 'Asia/Tokyo',
    });
    const none = await start(api, 'SELECT 1 AS a WHERE false');
    await ended(api, cut.body.id);
    expect((await result(api, cut.body.id)).body).toMatchObject({
      truncated: true,
      rowCount: 3,
      rows: Array(3).fill(['2026-06-01T09:00:00.000+09:00']),
    });
    await ended(api, none.body.id);
    expect((await result(api, none.body.id)).body).toMatchObject({ rowCount: 0, rows: [], nextCursor: null });
  });

  it('fail, and are not tried again, over their time', async ({ api }) => {
    const late = await start(api, 'SELECT count(*) FROM range(1000000) a, range(1000000) b', { timeoutMs: 1000 });
    // One call of a function, which cannot be interrupted, and needs little memory.
    const stuck = await start(
      api,
      "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000 + i)) AS n FROM range(2) t(i)",
      {
        timeoutMs: 1500,
      },
    );
    expect(await ended(api, late.body.id)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'QUERY_TIMEOUT' },
    });
    expect(await ended(api, stuck.body.id)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'QUERY_TOO_HEAVY' },
    });
    expect(await result(api, late.body.id)).toMatchObject({ status: 409, body: { code: 'QUERY_JOB_NOT_SUCCEEDED' } });
  });

  it('stop when they are cancelled', async ({ api }) => {
    const { body } = await start(api, 'SELECT count(*) FROM range(10000000) a, range(1000000) b');
    await vi.waitFor(async () => {
      expect((await api.as('editor').get(`/api/query/jobs/${body.id}`)).body.status).toBe('running');
    }, 90_000);
    expect((await api.as('editor').post(`/api/query/jobs/${body.id}/cancel`)).status).toBe(202);
    expect(await ended(api, body.id)).toMatchObject({ status: 'cancelled' });
    expect((await api.as('editor').post(`/api/query/jobs/${body.id}/cancel`)).body.status).toBe('cancelled');
  });

  it('are refused at once when the statement cannot run', async ({ api }) => {
    for (const [sql, code] of [
      ['SELECT * FRM x', 'SQL_PARSE'],
      ['DROP TABLE x', 'SQL_NOT_READ_ONLY'],
      ['SELECT * FROM nothing', 'SQL_ERROR'],
      ['SELECT len(list_transform(range(3000000000), lambda x: x + 1))', 'SQL_ERROR'],
    ])
      expect(await start(api, sql!), sql).toMatchObject({ status: 400, body: { code } });
    expect(await start(api, 'SELECT 1', { timezone: 'Nowhere' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/timezone' }] },
    });
    expect(await start(api, 'SELECT 1', { datasetIds: [UNKNOWN_ID] })).toMatchObject({
      status: 404,
      body: { code: 'DATASET_NOT_FOUND' },
    });
  });

  it('are one for a request that is sent twice, and nothing to strangers', async ({ api }) => {
    const options = { headers: { 'idempotency-key': 'once' } };
    const send = () => api.as('editor').post('/api/query/jobs', { sql: 'SELECT 1 AS a' }, options);
    const [{ body }, again] = [await send(), await send()];
    expect(await api.as('editor').post('/api/query/jobs', { sql: 'SELECT 2' }, options)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(again.body.id).toBe(body.id);
    await ended(api, body.id);
    const stranger = api.as('stranger');
    for (const reply of [
      await stranger.get(`/api/query/jobs/${body.id}`),
      await stranger.get(`/api/query/jobs/${body.id}/result`),
      await stranger.post(`/api/query/jobs/${body.id}/cancel`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'QUERY_JOB_NOT_FOUND' } });
  });
});
