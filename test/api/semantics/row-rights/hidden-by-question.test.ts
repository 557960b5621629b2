import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenCatalogue } from '../../../support/given/catalogue.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { openDatabase } from '../../../support/postgres-database.ts';

describe('a view over a protected table of a database', () => {
  it('is readable through models only for those who see the whole database', async ({ api, onTestFinished }) => {
    const server = await openDatabase();
    onTestFinished(() => server.drop());
    await server.run(`CREATE TABLE people AS SELECT 1 AS id, DATE '2024-01-05' AS day;
      CREATE TABLE places AS SELECT 7 AS id, DATE '2024-01-05' AS day;
      CREATE VIEW everyone AS SELECT * FROM people;`);
    const { host, port, database, user, password } = server;
    const config = { host, port, database, user, ssl: false };
    const source = { name: 'database', type: 'postgres', config, secrets: { password } };
    const sourceId: string = (await api.as('owner').post('/api/data-sources', source)).body.id;
    const columns = { id: ['integer', 'integer'], day: ['date', 'date'] } as const;
    await givenCatalogue(api, sourceId, { people: columns, places: columns, everyone: columns }, ['everyone']);
    const model = await givenModel(api, { sourceId });
    const given = async (name: string) => {
      const { id } = await posted(api, `${model.path}/tables`, {
        sourceSchema: 'public',
        sourceTable: name,
        alias: name,
      });
      const path = `${model.path}/tables/${id}`;
      const fieldId = await givenField(api, path, 'id', { dataType: 'integer' });
      return { id, path, fieldId, timeFieldId: await givenField(api, path, 'day', { dataType: 'date' }) };
    };
    const [people, places, everyone] = [await given('people'), await given('places'), await given('everyone')];
    const { path: metric } = await givenMetric(api, {
      name: 'People',
      modelId: model.id,
      fieldId: everyone.fieldId,
      timeFieldId: everyone.timeFieldId,
      aggregation: 'sum',
    });
    const total = ({ fieldId }: { fieldId: string }) =>
      api.as('editor').post(`${model.path}/query`, { measures: [{ fieldId, aggregation: 'sum' }] });
    const value = () => api.as('editor').get(`${metric}/value?asOf=2024-01-20T00:00:00Z&includePartial=true`);
    expect((await total(everyone)).body.rows).toEqual([[1]]);
    expect((await value()).status).toBe(200);

    await givenPolicy(api, model.path, { tableId: people.id, filterExpression: '[id] = 2' });
    const opaque = { status: 422, body: { code: 'QUESTION_UNANSWERABLE', errors: [{ code: 'RLS_RAW_SQL' }] } };
    expect(await total(everyone)).toMatchObject(opaque);
    expect(await api.as('editor').post(`${everyone.path}/preview`, {})).toMatchObject({ status: 422 });
    expect(await value()).toMatchObject({ status: 409, body: { code: 'METRIC_STALE' } });
    expect((await total(people)).body.rows).toEqual([[null]]);
    expect((await total(places)).body.rows).toEqual([[7]]);
  });
});

describe('joins by hidden columns', () => {
  it('answer no question, in no model', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: 'SELECT 1 AS id, 5000 AS salary' });
    await givenDataset(api, { name: 'numbers', sql: 'SELECT i AS n FROM range(10000) t(i)' });
    const model = await givenModel(api);
    const people = await givenTable(api, model.path, 'people');
    const numbers = await givenTable(api, model.path, 'numbers');
    const id = await givenField(api, people.path, 'id', { dataType: 'integer' });
    const salary = await givenField(api, people.path, 'salary', { dataType: 'integer' });
    const n = await givenField(api, numbers.path, 'n', { dataType: 'integer' });
    const ends = { fromTableId: numbers.id, fromFieldId: n, toTableId: people.id, toFieldId: salary };
    await posted(api, `${model.path}/relationships`, { ...ends, cardinality: '1:N' });
    const question = {
      dimensions: [{ fieldId: id }, { fieldId: n }],
      measures: [{ fieldId: id, aggregation: 'count' }],
    };
    const ask = () => api.as('editor').post(`${model.path}/query`, question);
    expect((await ask()).body.rows).toEqual([[1, 5000, 1]]);
    await api.as('owner').put(`${people.path}/fields/${salary}`, { sensitivityLabel: 'private' });
    const denied = { status: 422, body: { code: 'QUESTION_UNANSWERABLE', errors: [{ code: '2004' }] } };
    expect(await ask()).toMatchObject(denied);
    const drill = { dimensions: [{ fieldId: n }], values: [5000], measure: { fieldId: id, aggregation: 'count' } };
    expect(await api.as('editor').post(`${model.path}/drill`, drill)).toMatchObject(denied);
    await api.as('editor').put(`${people.path}/fields/${id}`, { description: 'x' });
    const single = await givenModel(api, { name: 'Single' });
    const again = await givenTable(api, single.path, 'people');
    const condition = { conditions: [{ column: 'salary', op: 'gte', value: 1 }] };
    await api
      .as('editor')
      .post(`${single.path}/tables/${again.id}/transforms`, { type: 'filter_rows', config: condition });
    const count = await api
      .as('editor')
      .post(`${single.path}/query`, { measures: [{ expression: 'COUNT(*)', label: 'n' }] });
    expect(count).toMatchObject({ status: 422, body: { code: 'QUESTION_UNANSWERABLE' } });
  });
});
