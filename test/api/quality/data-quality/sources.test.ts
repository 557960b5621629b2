import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenField, givenModel, posted } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { givenTest, QUALITY, ranAll, storedRows } from '../../../support/given/quality.ts';
import { endedScan, givenScan } from '../../../support/given/scan.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;

beforeAll(async () => {
  server = await openDatabase();
  await server.run(`
    CREATE TABLE orders AS SELECT i AS id, (i - 2)::numeric(9,2) AS amount, 'x' || i AS code FROM generate_series(1, 6) i;
    CREATE TABLE gone AS SELECT 1 AS id;
    CREATE TABLE places AS SELECT i AS id FROM generate_series(1, 3) i;
    CREATE VIEW everyone AS SELECT id, code FROM orders;
    CREATE VIEW numbers AS SELECT id, code::int AS number FROM orders;`);
});
afterAll(() => server.drop());

async function givenSource(api: Api, name: string): Promise<string> {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const made = await api
    .as('owner')
    .post('/api/data-sources', { name, type: 'postgres', config, secrets: { password } });
  const id = ['integer', 'int4'] as const;
  const code = ['string', 'text'] as const;
  // The table has lost its column `note` since.
  const orders = { id, amount: ['decimal(9,2)', 'numeric(9,2)'] as const, code, note: code };
  const numbers = { id, number: id };
  await givenCatalogue(api, made.body.id, { orders, gone: { id }, places: { id }, everyone: { id, code }, numbers }, [
    'everyone',
    'numbers',
  ]);
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
      ranIn: 'database',
      datasetVersion: null,
      sample: { columns: ['amount'], rows: [['-1.00']] },
    });
    const rows = [
      [5, 'x5'],
      [6, 'x6'],
    ];
    expect(await run(sql)).toMatchObject({ ranIn: 'engine', sample: { columns: ['id', 'code'], rows } });
    // Those that the database cannot run read the columns that they need, and a vanished column is an error of its own
    // test.
    const lost = await givenTest(api, { testType: 'not_null', ...orders, columnName: 'note' });
    const regex = { testType: 'regex', ...orders, columnName: 'code', config: { pattern: '^x[1-5]$' } };
    const pattern = await givenTest(api, regex);
    await ranAll(api);
    const newest = async ({ path }: { path: string }) =>
      (await api.as('editor').get(`${path}/runs?limit=1`)).body.items[0];
    expect(await newest(range)).toMatchObject({ status: 'failed', failedRows: 1, ranIn: 'database' });
    expect(await newest(pattern)).toMatchObject({ status: 'failed', failedRows: 1, ranIn: 'engine' });
    expect(await newest(lost)).toMatchObject({ status: 'error', message: 'There is no column note.', ranIn: null });
    expect(await newest(sql)).toMatchObject({ status: 'failed', failedRows: 2 });
    expect((await api.as('editor').put(range.path, { runOnSync: true })).body.errors).toMatchObject([
      { pointer: '/runOnSync' },
    ]);

    await server.run('DROP TABLE gone');
    expect(await run(gone)).toMatchObject({ status: 'error', sample: null });
    expect((await api.as('viewer').get(`${QUALITY}/issues?issueType=execution_error`)).body.items).toMatchObject([
      { tableName: 'gone', schemaName: 'public', testId: gone.id, status: 'open' },
      { tableName: 'orders', columnName: 'note', testId: lost.id, status: 'open' },
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

describe('the profile of a view of a database', () => {
  it('shows nothing to those from whom rows of another table of the database are kept', async ({ api }) => {
    const sourceId = await givenSource(api, 'first');
    for (const tableName of ['public.places', 'public.everyone']) {
      await givenScan(api.as('editor'), { tableName, sourceId });
    }
    const profile = async (table: string) =>
      (await api.as('editor').get(`${QUALITY}/profiles/public.${table}?sourceId=${sourceId}`)).body;
    expect(await profile('everyone')).toMatchObject({ isRestricted: false, rowCount: 6, total: 2 });

    const model = await givenModel(api, { sourceId });
    const orders = await posted(api, `${model.path}/tables`, {
      sourceSchema: 'public',
      sourceTable: 'orders',
      alias: 'orders',
    });
    await givenField(api, `${model.path}/tables/${orders.id}`, 'id', { dataType: 'integer' });
    await givenPolicy(api, model.path, { tableId: orders.id, filterExpression: '[id] = 2' });
    expect(await profile('everyone')).toMatchObject({
      isRestricted: true,
      rowCount: null,
      driftFromPrevious: null,
      columns: [],
      total: 0,
    });
    expect(await profile('places')).toMatchObject({ isRestricted: false, rowCount: 3, total: 1 });
  });
});

describe('an error of a database about a value', () => {
  it('is reported without the value, which is of a row that its readers may not see', async ({ api }) => {
    const sourceId = await givenSource(api, 'first');
    const test = await givenTest(api, { testType: 'unique', tableName: 'public.numbers', columnName: 'number' });
    const message = 'A value cannot be converted, or is out of range.';
    expect((await api.as('editor').post(`${test.path}/run`)).body).toMatchObject({ status: 'error', message });
    expect(await storedRows(api, test.path)).toMatchObject({ status: 'failed', error: { message } });
    const scan = (await api.as('editor').post(`${QUALITY}/scans`, { tableName: 'public.numbers', sourceId })).body;
    expect(await endedScan(api.as('viewer'), scan.id)).toMatchObject({ status: 'failed', error: { message } });
    for (const path of [
      `${test.path}/runs`,
      `${QUALITY}/issues`,
      `${QUALITY}/scans`,
      `${QUALITY}/scans/${scan.id}/profiles`,
    ])
      expect((await api.as('viewer').get(path)).bytes.toString(), path).not.toContain('x1');
  });
});

describe('scanned tables of a data source', () => {
  it('are no longer listed once the source is deleted', async ({ api }) => {
    const sourceId = await givenSource(api, 'first');
    await givenScan(api.as('editor'), { tableName: 'public.places', sourceId });
    const listed = async (path: string, list: string) => (await api.as('viewer').get(`${QUALITY}/${path}`)).body[list];
    expect(await listed('freshness', 'items')).toMatchObject([{ sourceId, tableName: 'places' }]);
    expect(await listed('summary', 'tables')).toMatchObject([{ sourceId, tableName: 'places' }]);
    expect((await api.as('owner').delete(`/api/data-sources/${sourceId}`)).status).toBe(204);
    expect(await listed('freshness', 'items')).toEqual([]);
    expect(await listed('summary', 'tables')).toEqual([]);
  });
});
