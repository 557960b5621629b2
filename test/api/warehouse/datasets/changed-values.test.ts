import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';
import { workbookOf } from '../../../support/workbook.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
  await server.run(`
    CREATE TABLE readings (id int, amount numeric, until timestamptz, grid int[]);
    INSERT INTO readings VALUES (1, 0.12345678901, 'infinity', ARRAY[[1,2],[3,4]]), (2, 'NaN', '2026-01-01', NULL), (3, 7, NULL, '{}');
    CREATE TABLE endless (id int, until timestamptz);
    INSERT INTO endless VALUES (1, 'infinity'), (2, '-infinity'), (3, NULL)`);
});
afterAll(() => server.drop());

async function givenPostgres(api: Api): Promise<string> {
  const { host, port, database, user, password } = server;
  const config = { host, port, database, user, ssl: false };
  const body = { name: 'database', type: 'postgres', config, secrets: { password } };
  return (await api.as('owner').post('/api/data-sources', body)).body.id;
}

async function imported(api: Api, source: object, more: object = {}) {
  const { body } = await api.as('editor').post('/api/datasets', { name: crypto.randomUUID(), source, ...more });
  const job = await endedRefresh(api, body.id);
  const dataset = (await api.as('viewer').get(`/api/datasets/${body.id}`)).body;
  const rows = (await api.as('viewer').get(`/api/datasets/${body.id}/preview?limit=10`)).body.rows;
  return { id: body.id as string, job, dataset, rows };
}

const CHANGED = [
  {
    column: 'amount',
    nulls: 1,
    rounded: 1,
    examples: [
      { row: 1, value: '0.12345678901' },
      { row: 2, value: 'NaN' },
    ],
  },
  { column: 'until', nulls: 1, rounded: 0, examples: [{ row: 1, value: 'infinity' }] },
];

describe('values that a dataset cannot hold exactly', () => {
  it('are counted in the result of the refresh, in its history and on the dataset', async ({ api }) => {
    const sourceId = await givenPostgres(api);
    const { job, dataset, rows } = await imported(api, { kind: 'table', sourceId, table: 'readings' });
    expect(job).toMatchObject({ status: 'succeeded', result: { rowsLoaded: 3, changedValues: CHANGED } });
    expect(dataset.lastRefresh).toMatchObject({ status: 'succeeded', version: 1, changedValues: CHANGED });
    expect(rows).toEqual([
      [
        1,
        '0.123456789',
        null,
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [2, null, '2026-01-01T00:00:00.000Z', null],
      [3, '7.000000000', null, []],
    ]);
  });

  it('are none if numbers without a precision are read as texts', async ({ api }) => {
    const sourceId = await givenPostgres(api);
    const source = { kind: 'query', sourceId, query: 'SELECT id, amount FROM readings', decimalsAs: 'string' };
    const { job, dataset, rows } = await imported(api, source);
    expect(job.result).not.toHaveProperty('changedValues');
    expect(dataset.lastRefresh).not.toHaveProperty('changedValues');
    expect(rows).toEqual([
      [1, '0.12345678901'],
      [2, 'NaN'],
      [3, '7'],
    ]);
  });

  it('fail an import whose column would be null throughout, unless that is accepted', async ({ api }) => {
    const sourceId = await givenPostgres(api);
    const source = { kind: 'table', sourceId, table: 'endless' };
    const refused = await imported(api, source);
    expect(refused.job).toMatchObject({
      status: 'failed',
      error: {
        code: 'VALUES_LOST',
        message:
          'All 2 values of the column "until" would become null, such as "infinity" in row 1, "-infinity" in row 2. Convert them in a query over the source, or accept the nulls by adding "until" to acceptNullColumns.',
      },
    });
    expect(refused.dataset).toMatchObject({ version: 0, lastRefresh: { error: { code: 'VALUES_LOST' } } });
    const accepting = await imported(api, { ...source, acceptNullColumns: ['until'] });
    expect(accepting.job).toMatchObject({
      status: 'succeeded',
      result: { changedValues: [{ column: 'until', nulls: 2 }] },
    });
    expect(accepting.rows).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
  });

  it('do not fail an increment in which a column has only such values', async ({ api }) => {
    await server.run(`CREATE TABLE growing (id int, until timestamptz); INSERT INTO growing VALUES (1, '2026-01-01')`);
    const sourceId = await givenPostgres(api);
    const incremental = { mode: 'incremental', incremental: { cursorColumn: 'id' } };
    const { id } = await imported(api, { kind: 'table', sourceId, table: 'growing' }, incremental);
    await server.run(`INSERT INTO growing VALUES (2, 'infinity')`);
    await api.as('editor').post(`/api/datasets/${id}/refresh`);
    expect(await endedRefresh(api, id)).toMatchObject({
      status: 'succeeded',
      result: { rowCount: 2, changedValues: [{ column: 'until', nulls: 1 }] },
    });
  });

  it('are counted in workbooks: cells with errors become null', async ({ api }) => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${text('id')}${text('share')}</row><row r="2"><c><v>1</v></c><c><v>0.5</v></c></row><row r="3"><c><v>2</v></c><c t="e"><v>#DIV/0!</v></c></row>`;
    const sourceId = await givenFileSource(api, { 'a.xlsx': workbookOf({ sheets: { S: rows } }) });
    const { job } = await imported(api, { kind: 'file', sourceId, path: 'a.xlsx' });
    expect(job).toMatchObject({
      status: 'succeeded',
      result: {
        changedValues: [{ column: 'share', nulls: 1, rounded: 0, examples: [{ row: 3, value: '#DIV/0!' }] }],
      },
    });
  });
});
