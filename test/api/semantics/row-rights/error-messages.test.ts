import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenField, givenModel, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
  await server.run(`CREATE TABLE codes (id int PRIMARY KEY, code text);
    INSERT INTO codes VALUES (1, '1'), (2, '${SECRET_ROW}');
    CREATE VIEW numbers AS SELECT id, code::int AS number FROM codes;`);
});
afterAll(() => server.drop());

describe('the message of an error', () => {
  it('of a query job is for callers who may see the rows that the job has read', async ({ api }) => {
    const { model, table } = await givenProtected(api);
    const all = await givenReader(api);
    const appliesTo = [{ type: 'user', id: all.userId }];
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: 'TRUE', appliesTo });
    const sql = 'SELECT CAST(name AS INTEGER) FROM people ORDER BY id DESC';
    const { id } = (await all.caller.post('/api/query/jobs', { sql })).body;
    const job = `/api/query/jobs/${id}`;
    const failed = await vi.waitFor(
      async () => {
        const { body } = await all.caller.get(job);
        expect(body.status).toBe('failed');
        return body;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(failed.error.message).toContain('Could not convert');
    for (const reply of [await api.as('editor').get(job), await api.as('editor').post(`${job}/cancel`)]) {
      expect(reply.body).toMatchObject({ id, error: { code: failed.error.code } });
      expect(reply.body.error.message).toContain('other permissions than yours');
    }
  });

  it('of a database names no value to a reader from whom a policy hides rows', async ({ api }) => {
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const source = { name: 'codes', type: 'postgres', config, secrets: { password } };
    const sourceId: string = (await api.as('owner').post('/api/data-sources', source)).body.id;
    const integer = ['integer', 'integer'] as const;
    await givenCatalogue(api, sourceId, { numbers: { id: integer, number: integer } }, ['numbers']);
    const model = await givenModel(api, { sourceId });
    const numbers = { sourceSchema: 'public', sourceTable: 'numbers', alias: 'numbers' };
    const { id: tableId } = await posted(api, `${model.path}/tables`, numbers);
    const path = `${model.path}/tables/${tableId}`;
    const id = await givenField(api, path, 'id', { dataType: 'integer' });
    await givenField(api, path, 'number', { dataType: 'integer' });
    const question = { dimensions: [{ fieldId: id }] };
    const ask = () => api.as('viewer').post(`${model.path}/query`, question);
    // Nothing reads the column yet.
    expect(await ask()).toMatchObject({ status: 200, body: { rows: [[1], [2]] } });
    await givenPolicy(api, model.path, { tableId, filterExpression: '[number] = 1' });
    const failed = await ask();
    expect(failed.body).toMatchObject({
      code: 'SQL_ERROR',
      detail: 'A value cannot be converted, or is out of range.',
    });
    expect(failed.bytes.toString()).not.toContain(SECRET_ROW);
  });
});
