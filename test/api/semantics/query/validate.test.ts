import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

const validate = (api: Api, sql: string, more: object = {}) =>
  api.as('editor').post('/api/query/validate', { sql, ...more });

const givenPostgres = async (api: Api): Promise<string> => {
  const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
  const body = { name: 'database', type: 'postgres', config, secrets: { password: 'x' } };
  return (await api.as('owner').post('/api/data-sources', body)).body.id;
};

describe('POST /api/query/validate', () => {
  it('returns columns, tables and parameters of a statement that it does not run', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.50::DECIMAL(10,2) AS amount' });
    await givenDataset(api, { name: 'others', sql: 'SELECT 1 AS id' });
    const sql =
      'SELECT id, sum(amount) AS total, error_free FROM (SELECT *, $zone::VARCHAR AS error_free FROM orders) WHERE id > $1 GROUP BY ALL';
    expect((await validate(api, sql.replace('$1', '$least'))).body).toEqual({
      valid: true,
      errors: [],
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'total', type: 'decimal(38,2)' },
        { name: 'error_free', type: 'string' },
      ],
      tables: ['orders'],
      parameters: ['zone', 'least'],
    });
    expect((await validate(api, 'SELECT count(*) FROM range(9999999999999)')).body.valid).toBe(true);
  });

  it('reports every issue at its place', async ({ api }) => {
    expect(await validate(api, 'SELECT random(),\n  nope(1)\nFROM secrets')).toMatchObject({
      status: 200,
      body: {
        valid: false,
        errors: [
          { code: 'SQL_NOT_READ_ONLY', position: { line: 1, column: 8 } },
          { code: 'SQL_ERROR', position: { line: 2, column: 3 } },
          { code: 'NOT_FOUND', position: { line: 3, column: 6 } },
        ],
        columns: [],
      },
    });
    expect((await validate(api, 'SELECT * FRM x')).body).toMatchObject({
      valid: false,
      errors: [{ code: 'SQL_PARSE' }],
    });
  });

  it('suggests the nearest dataset for an unknown table, of those that the caller may list', async ({ api }) => {
    await givenDataset(api, { name: 'shots-sales', sql: 'SELECT 1 AS n' });
    const sql = 'SELECT count(*) FROM shots_sales';
    const near = { code: 'NOT_FOUND', message: 'There is no table "shots_sales"; did you mean "shots-sales"?' };
    expect((await validate(api, sql)).body).toMatchObject({ valid: false, errors: [near] });
    await api.as('owner').patch('/api/workspaces/current', { viewersMayQuery: true });
    for (const person of ['editor', 'viewer'] as const) {
      const listed = await api.as(person).get('/api/datasets');
      expect(listed.body.items).toMatchObject([{ name: 'shots-sales' }]);
      const reply = await api.as(person).post('/api/query', { sql });
      expect(reply).toMatchObject({ status: 400, body: { code: 'SQL_ERROR', detail: near.message, errors: [near] } });
    }
    const twice = 'SELECT 1 FROM shots_sales, quite_another, shot_sales, shots_sales';
    const messages = (await validate(api, twice)).body.errors.map(({ message }: { message: string }) => message);
    expect(messages.sort()).toEqual([
      'There is no table "quite_another".',
      'There is no table "shot_sales"; did you mean "shots-sales"?',
      near.message,
      near.message,
    ]);
    // Not the names of another workspace, nor others than those that the statement is limited to.
    const none = { code: 'NOT_FOUND', message: 'There is no table "shots_sales".' };
    const strangers = await api.as('stranger').post('/api/query', { sql });
    expect(strangers.body).toMatchObject({ detail: none.message, errors: [none] });
    const other = await givenDataset(api, { name: 'other', sql: 'SELECT 1 AS n' });
    expect((await validate(api, sql, { datasetIds: [other.id] })).body).toMatchObject({ errors: [none] });
    expect((await validate(api, 'SELECT 1 FROM quite_another')).body.errors[0].message).toBe(
      'There is no table "quite_another".',
    );
  });

  it("checks a source's dialect without asking the source", async ({ api }) => {
    const sourceId = await givenPostgres(api);
    expect(
      (await validate(api, `SELECT data->>'a' FROM sales.orders WHERE id = $id`, { sourceId })).body,
    ).toMatchObject({
      valid: true,
      tables: ['sales.orders'],
      parameters: ['id'],
    });
    expect((await validate(api, 'SELECT pg_sleep(9)', { sourceId })).body).toMatchObject({
      valid: false,
      errors: [{ code: 'SQL_NOT_READ_ONLY', position: { column: 8 } }],
    });
    const { body: files } = await api.as('owner').post('/api/data-sources', { name: 'files', type: 'file' });
    expect(await validate(api, 'SELECT 1', { sourceId: files.id })).toMatchObject({
      status: 409,
      body: { code: 'SOURCE_NOT_QUERYABLE' },
    });
    expect(await api.as('stranger').post('/api/query/validate', { sql: 'SELECT 1', sourceId })).toMatchObject({
      status: 404,
      body: { code: 'DATA_SOURCE_NOT_FOUND' },
    });
    const datasetIds = ['00000000-0000-7000-8000-000000000000'];
    expect(await validate(api, 'SELECT 1', { datasetIds })).toMatchObject({
      status: 404,
      body: { code: 'DATASET_NOT_FOUND' },
    });
  });
});
