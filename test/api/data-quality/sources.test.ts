import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../support/api.ts';
import { givenCatalogue } from '../../support/given/catalogue.ts';
import { givenTest, QUALITY } from '../../support/given/quality.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
  await server.run(`
    CREATE TABLE orders AS SELECT i AS id, (i - 2)::numeric(9,2) AS amount, 'x' || i AS code FROM generate_series(1, 6) i;
    CREATE TABLE gone AS SELECT 1 AS id;`);
});
afterAll(() => server.stop());

async function givenSource(api: Api, name: string): Promise<string> {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const made = await api
    .as('owner')
    .post('/api/data-sources', { name, type: 'postgres', config, secrets: { password } });
  await givenCatalogue(api, made.body.id, {
    orders: { id: ['integer', 'int4'], amount: ['decimal(9,2)', 'numeric(9,2)'], code: ['string', 'text'] },
    gone: { id: ['integer', 'int4'] },
  });
  return made.body.id;
}

describe('tests of a table of a database', () => {
  it('read the tested columns of the table as it is, and report when they cannot', async ({ api }) => {
    const sourceId = await givenSource(api, 'first');
    const orders = { tableName: 'public.orders' };
    const range = await givenTest(api, { testType: 'no_negative', ...orders, columnName: 'amount' });
    const sql = await givenTest(api, {
      testType: 'custom_sql',
      ...orders,
      config: { sql: "SELECT id, code FROM input WHERE code > 'x4' ORDER BY id" },
    });
    const gone = await givenTest(api, { testType: 'unique', tableName: 'public.gone', columnName: 'id' });
    const run = async ({ path }: { path: string }) => (await api.as('editor').post(`${path}/run`)).body;
    expect((await api.as('viewer').get(range.path)).body).toMatchObject({
      sourceId,
      schemaName: 'public',
      tableName: 'orders',
    });
    expect(await run(range)).toMatchObject({
      status: 'failed',
      evaluatedRows: 6,
      failedRows: 1,
      datasetVersion: null,
      sample: { columns: ['amount'], rows: [['-1.00']] },
    });
    expect((await run(sql)).sample).toEqual({
      columns: ['id', 'code'],
      rows: [
        [5, 'x5'],
        [6, 'x6'],
      ],
    });
    expect((await api.as('editor').put(range.path, { runOnSync: true })).body.errors).toMatchObject([
      { pointer: '/runOnSync' },
    ]);

    await server.run('DROP TABLE gone');
    expect(await run(gone)).toMatchObject({ status: 'error', sample: null });
    expect((await api.as('viewer').get(`${QUALITY}/issues?issueType=execution_error`)).body.items).toMatchObject([
      { tableName: 'gone', schemaName: 'public', testId: gone.id, status: 'open' },
    ]);
    const status = (await api.as('viewer').get(`${QUALITY}/report-status?tableNames=public.orders`)).body;
    expect(status).toMatchObject({ freshness: { status: 'unknown' }, tables: [{ sourceId, tableName: 'orders' }] });

    const other = await givenSource(api, 'second');
    const ambiguous = { name: 'two', testType: 'row_count', targetType: 'source_table', ...orders, config: { min: 1 } };
    expect((await api.as('editor').post(`${QUALITY}/tests`, ambiguous)).body.errors).toMatchObject([
      { pointer: '/sourceId', code: 'AMBIGUOUS' },
    ]);
    const exact = await api.as('editor').post(`${QUALITY}/tests`, { ...ambiguous, sourceId: other });
    expect(exact.body).toMatchObject({ sourceId: other, schemaName: 'public', tableName: 'orders' });
  });
});
