import { zstdDecompressSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const SQL = `SELECT id, amount, placed, note FROM sales ORDER BY id`;

const givenSales = (api: Api) =>
  givenDataset(api, {
    name: 'sales',
    sql: `SELECT i AS id, (i * 1.5)::DECIMAL(10,2) AS amount, DATE '2026-01-01' + i::INTEGER AS placed,
            CASE WHEN i % 2 = 0 THEN '=1+1, "x"' END AS note FROM range(5) r(i)`,
  });

const run = (api: Api, accept: string, more: object = {}) =>
  api.as('editor').post('/api/query', { sql: SQL, ...more }, { headers: { accept } });

const readParquet = (bytes: Buffer) => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file, compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) } });
};

describe('POST /api/query answers by Accept', () => {
  it('JSON unless asked otherwise, with the count and what is left out in headers too', async ({ api }) => {
    await givenSales(api);
    const reply = await run(api, '*/*', { limit: 3 });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.body).toMatchObject({ rowCount: 3, truncated: true });
    expect([reply.headers.get('x-row-count'), reply.headers.get('x-truncated'), reply.headers.get('x-cache')]).toEqual([
      '3',
      'true',
      'miss',
    ]);
  });

  it('CSV with the values as they are, cached like any answer', async ({ api }) => {
    await givenSales(api);
    const reply = await run(api, 'text/csv');
    expect(reply.body).toBe(
      'id,amount,placed,note\r\n0,0.00,2026-01-01,"=1+1, ""x"""\r\n1,1.50,2026-01-02,\r\n2,3.00,2026-01-03,"=1+1, ""x"""\r\n' +
        '3,4.50,2026-01-04,\r\n4,6.00,2026-01-05,"=1+1, ""x"""\r\n',
    );
    expect(reply.headers.get('content-disposition')).toContain('result.csv');
    expect(reply.headers.get('x-truncated')).toBe('false');
    expect((await run(api, 'text/csv')).headers.get('x-cache')).toBe('hit');
    expect((await run(api, 'application/json')).headers.get('x-cache')).toBe('miss');
  });

  it('NDJSON', async ({ api }) => {
    await givenSales(api);
    const reply = await run(api, 'application/x-ndjson', { limit: 2 });
    expect(
      String(reply.body)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 0, amount: '0.00', placed: '2026-01-01', note: '=1+1, "x"' },
      { id: 1, amount: '1.50', placed: '2026-01-02', note: null },
    ]);
  });

  it('Arrow and Parquet that other libraries read', async ({ api }) => {
    await givenSales(api);
    const arrow = await run(api, 'application/vnd.apache.arrow.stream');
    const table = tableFromIPC(arrow.bytes);
    expect(table.numRows).toBe(5);
    expect([...table.getChild('id')!]).toEqual([0n, 1n, 2n, 3n, 4n]);
    const parquet = await run(api, 'application/vnd.apache.parquet', { limit: 2 });
    expect(await readParquet(parquet.bytes)).toMatchObject([
      { id: 0n, amount: 0 },
      { id: 1n, amount: 1.5, note: null },
    ]);
    expect(parquet.headers.get('x-truncated')).toBe('true');
  });

  it('a link to a file that is too large for a reply, which only the bucket serves', async ({ api }) => {
    const sql = `SELECT md5(i::VARCHAR) || repeat('x', 300) AS a FROM range(20000) r(i) ORDER BY i`;
    const reply = await run(api, 'text/csv', { sql, limit: 20_000 });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.body).toMatchObject({ contentType: 'text/csv', bytes: 3 + 20_000 * 334 });
    expect(Date.parse(reply.body.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60 * 1000);
    const file = await fetch(reply.body.downloadUrl);
    expect(file.headers.get('content-disposition')).toContain('result.csv');
    const text = await file.text();
    expect(text.split('\r\n')).toHaveLength(20_002);
    const again = await run(api, 'text/csv', { sql, limit: 20_000 });
    expect(again.headers.get('x-cache')).toBe('hit');
    expect((await fetch(again.body.downloadUrl)).status).toBe(200);
    const forged = again.body.downloadUrl.replace(api.workspaceId, '00000000-0000-7000-8000-000000000000');
    expect((await fetch(forged)).status).toBe(403);
  });

  it('406 for what it cannot make', async ({ api }) => {
    expect(await run(api, 'application/pdf')).toMatchObject({ status: 406, body: { code: 'NOT_ACCEPTABLE' } });
  });

  it('the errors of the statement as problem documents, whatever was asked for', async ({ api }) => {
    expect(await run(api, 'text/csv', { sql: 'DROP TABLE sales' })).toMatchObject({
      status: 400,
      body: { code: 'SQL_NOT_READ_ONLY' },
    });
    const tooLarge = `SELECT repeat('x', 30000) || i AS a FROM range(10000) r(i)`;
    expect(await run(api, 'text/csv', { sql: tooLarge, limit: 10_000 })).toMatchObject({
      status: 422,
      body: { code: 'RESULT_TOO_LARGE' },
    });
  });
});
