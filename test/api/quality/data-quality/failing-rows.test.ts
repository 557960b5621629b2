import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_COLUMN,
  SECRET_ROW,
} from '../../../support/given/protected.ts';
import { givenTest, QUALITY, storedRows } from '../../../support/given/quality.ts';

const nameOf = (table: string, id: string) => `${table}__failing_${id.slice(-12)}`;

async function rowsOf(api: Api, name: string) {
  const { body } = await api.as('editor').post('/api/query', { sql: `SELECT * FROM "${name}" ORDER BY id` });
  return body.rows;
}

describe('the rows that fail a test', () => {
  it('are stored as a dataset, whose next version replaces them', async ({ api }) => {
    const people = (rows: number) =>
      givenDataset(api, { name: 'people', sql: `SELECT range AS id, range % 5 AS team FROM range(${rows})` });
    await people(10);
    await givenDataset(api, { name: 'teams', sql: 'SELECT range AS id FROM range(3)' });
    const table = { tableName: 'people' };
    const config = { refTable: 'teams', refColumn: 'id', where: 'id > 3' };
    const { id, path } = await givenTest(api, { testType: 'foreign_key', ...table, columnName: 'team', config });
    const name = nameOf('people', id);
    const first = await storedRows(api, path, { limit: 2 });
    expect(first).toMatchObject({ status: 'succeeded', result: { version: 1, rows: 2, leftOut: 1 } });
    expect(await rowsOf(api, name)).toEqual([
      [4, 4],
      [8, 3],
    ]);
    const dataset = `/api/datasets/${first.result.datasetId}`;
    const version = { origin: { kind: 'quality_test', testId: id, jobId: first.id, failedRows: 3 }, rowCount: 2 };
    expect((await api.as('viewer').get(`${dataset}/versions`)).body.items).toMatchObject([version]);

    await people(4);
    expect((await storedRows(api, path)).result).toMatchObject({ version: 2, rows: 0, leftOut: 0 });
    expect(await rowsOf(api, name)).toEqual([]);
    expect((await api.as('viewer').get(dataset)).body).toMatchObject({ name, rowCount: 0 });

    const sql = 'SELECT id, id * 2 AS twice FROM input WHERE id > 1';
    const own = await givenTest(api, { testType: 'custom_sql', ...table, config: { sql } });
    await storedRows(api, own.path);
    expect(await rowsOf(api, nameOf('people', own.id))).toEqual([
      [2, 4],
      [3, 6],
    ]);

    await givenDataset(api, { name: 'people', sql: 'SELECT 1 AS id' });
    const wrong = await storedRows(api, path);
    expect(wrong).toMatchObject({ status: 'failed', error: { code: 'TEST_NOT_RUN' } });
    expect((await api.as('viewer').get(dataset)).body).toMatchObject({ version: 2 });

    expect((await api.as('viewer').post(`${path}/failing-rows`, {})).status).toBe(403);
    expect(await api.as('stranger').post(`${path}/failing-rows`, {})).toMatchObject({
      status: 404,
      body: { code: 'QUALITY_TEST_NOT_FOUND' },
    });
    expect((await api.as('editor').post(`${path}/failing-rows`, { limit: 0 })).status).toBe(400);
    const count = await givenTest(api, { testType: 'row_count', ...table, config: { min: 1 } });
    expect(await api.as('editor').post(`${count.path}/failing-rows`, {})).toMatchObject({
      status: 409,
      body: { code: 'QUALITY_ROWS_NOT_STORED', detail: expect.stringContaining('row_count') },
    });
  });

  it('have the policies and labels of their table, or are not stored', async ({ api }) => {
    await givenProtected(api);
    await givenDataset(api, { name: 'open', sql: "SELECT 'eu' AS region, 1 AS id" });
    const made = async (test: object) => {
      const created = await api.as('owner').post(`${QUALITY}/tests`, { targetType: 'source_table', ...test });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return { id: created.body.id as string, path: `${QUALITY}/tests/${created.body.id}` };
    };
    const unique = await made({ name: 'u', testType: 'unique', tableName: 'people', columnName: 'region' });
    const job = await storedRows(api, unique.path);
    expect(job.result).toMatchObject({ rows: 5, leftOut: 0 });
    const sql = `SELECT * FROM "${nameOf('people', unique.id)}" ORDER BY id`;
    const eu = await givenReader(api, { attributes: { region: ['eu'] } });
    const seen = await eu.caller.post('/api/query', { sql });
    expect(seen.body.columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'region', 'name', 'day']);
    expect(seen.body.rows).toHaveLength(3);
    expect(seen.bytes.toString()).not.toContain(SECRET_ROW);
    expect(seen.bytes.toString()).not.toContain(SECRET_COLUMN);
    const renamed = await api.as('editor').patch(`/api/datasets/${job.result.datasetId}`, { name: 'mine' });
    expect(renamed).toMatchObject({ status: 409, body: { code: 'DATASET_PROTECTED' } });

    const own = { testType: 'custom_sql', config: { sql: 'SELECT salary AS shown FROM input' } };
    const config = { refTable: 'people', refColumn: 'region' };
    const refused = [
      await made({ name: 's', tableName: 'people', ...own }),
      await made({ name: 'f', testType: 'foreign_key', tableName: 'open', columnName: 'region', config }),
    ];
    for (const { path } of refused) {
      expect(await api.as('owner').post(`${path}/failing-rows`, {})).toMatchObject({
        status: 409,
        body: { code: 'QUALITY_ROWS_NOT_STORED', detail: expect.stringContaining('protect people') },
      });
    }
    const { items } = (await api.as('owner').get('/api/datasets')).body;
    const names = items.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(['open', 'people', nameOf('people', unique.id)]);
  });

  it('are renamed with their table, whose later policies go for them too', async ({ api }) => {
    const people = await givenDataset(api, { name: 'people', sql: 'SELECT range AS id FROM range(3)' });
    const config = { min: 1 };
    const { id, path } = await givenTest(api, {
      testType: 'value_range',
      tableName: 'people',
      columnName: 'id',
      config,
    });
    const rows = (await storedRows(api, path)).result.datasetId as string;
    const rename = (dataset: string, name: string) => api.as('editor').patch(`/api/datasets/${dataset}`, { name });
    const conflict = (code: string) => ({ status: 409, body: { code, detail: expect.stringContaining('people') } });
    expect(await rename(rows, 'mine')).toMatchObject(conflict('DATASET_PROTECTED'));
    await givenDataset(api, { name: nameOf('taken', id), sql: 'SELECT 1 AS id' });
    expect(await rename(people.id, 'taken')).toMatchObject(conflict('DATASET_NAME_TAKEN'));
    const tooLong = await rename(people.id, 'p'.repeat(190));
    expect(tooLong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name', code: 'TOO_LONG' }] } });
    expect(await rowsOf(api, nameOf('people', id))).toEqual([[0]]);

    expect((await rename(people.id, 'persons')).status).toBe(200);
    expect((await api.as('viewer').get(`/api/datasets/${rows}`)).body).toMatchObject({ name: nameOf('persons', id) });
    expect(await rowsOf(api, nameOf('persons', id))).toEqual([[0]]);
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'persons');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[id] = 2' });
    expect(await rowsOf(api, nameOf('persons', id))).toEqual([]);
  });
});
