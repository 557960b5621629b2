import { describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader, setAttributes } from '../../../support/given/protected.ts';

const names = async (caller: Caller, sql = 'SELECT id FROM people ORDER BY id') => {
  const reply = await caller.post('/api/query', { sql });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return (reply.body.rows as unknown[][]).map(([first]) => first);
};

describe('rows of a protected dataset', () => {
  it('are those of the policies that apply to the reader, admins included', async ({ api }) => {
    const { model, table } = await givenProtected(api);
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const both = await givenReader(api, { attributes: { region: ['us', 'eu'] } });
    const none = await givenReader(api);
    expect(await names(eu.caller)).toEqual([1, 2, 3]);
    expect(await names(both.caller)).toEqual([1, 2, 3, 4, 5]);
    expect(await names(none.caller)).toEqual([]);
    expect(await names(api.as('owner'))).toEqual([]);

    await givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: '[id] = 5',
      appliesTo: [{ type: 'user', id: eu.userId }],
    });
    await givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: '[id] = 1',
      appliesTo: [{ type: 'role', id: 'admin' }],
    });
    expect(await names(eu.caller)).toEqual([1, 2, 3, 5]);
    expect(await names(api.as('owner'))).toEqual([1]);
    expect(await names(none.caller)).toEqual([]);
  });

  it('follow groups, emails and changed attributes at once', async ({ api }) => {
    const { model, table } = await givenProtected(api);
    const reader = await givenReader(api);
    const group = (await api.as('owner').post('/api/groups', { name: 'Auditors' })).body;
    await givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: '[id] = 4 AND "Auditors" IN user.groups',
      appliesTo: [{ type: 'group', id: group.id }],
    });
    await givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: `[id] = 5 AND user.email = "${reader.email}"`,
    });
    expect(await names(reader.caller)).toEqual([5]);
    await api.as('owner').put(`/api/groups/${group.id}/members/${reader.userId}`);
    expect(await names(reader.caller)).toEqual([4, 5]);
    await setAttributes(api, reader.userId, { region: 'eu' });
    expect(await names(reader.caller)).toEqual([1, 2, 3, 4, 5]);
    await api.as('owner').delete(`/api/groups/${group.id}/members/${reader.userId}`);
    expect(await names(reader.caller)).toEqual([1, 2, 3, 5]);
  });

  it('must satisfy the policies of every model of the same dataset, under any alias', async ({ api }) => {
    const { model } = await givenProtected(api);
    const reader = await givenReader(api, { attributes: { region: ['eu', 'us'] } });
    const alias = await api
      .as('editor')
      .post(`${model.path}/tables`, { sourceSchema: '', sourceTable: 'People', alias: 'again' });
    expect(alias.status).toBe(201);
    expect(await names(reader.caller, 'SELECT id FROM People ORDER BY 1')).toEqual([1, 2, 3, 4, 5]);

    const other = await givenModel(api, { name: 'Other' });
    const table = await givenTable(api, other.path, 'people');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenPolicy(api, other.path, { tableId: table.id, filterExpression: '[id] > 2' });
    expect(await names(reader.caller)).toEqual([3, 4, 5]);
    expect((await api.as('owner').delete(other.path)).status).toBe(204);
    expect(await names(reader.caller)).toEqual([1, 2, 3, 4, 5]);
  });

  it('are none where a policy is stale, reads a column that steps make, or another type than the column has', async ({
    api,
  }) => {
    await givenDataset(api, { name: 'notes', sql: "SELECT 1 AS id, 'eu' AS region, 'x' AS code" });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'notes');
    const id = await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenField(api, table.path, 'number', { dataType: 'integer', sourceColumn: 'code' });
    const ask = () => names(api.as('editor'), 'SELECT id FROM notes');
    expect(await ask()).toEqual([1]);
    const policy = await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[number] = 5' });
    expect(await ask()).toEqual([]);
    const place = `${model.path}/rls/${policy.id}`;
    expect((await api.as('owner').put(place, { filterExpression: '[id] = 1' })).status).toBe(200);
    expect(await ask()).toEqual([1]);
    await api.as('owner').delete(`${table.path}/fields/${id}`);
    expect(await ask()).toEqual([]);

    const step = { type: 'add_column', config: { name: 'made', expression: '1', type: 'integer' } };
    expect((await api.as('editor').post(`${table.path}/transforms`, step)).status).toBe(200);
    await givenField(api, table.path, 'made', { dataType: 'integer' });
    await api.as('owner').put(place, { filterExpression: '[made] = 1' });
    expect(await ask()).toEqual([]);
    expect((await api.as('owner').delete(place)).status).toBe(204);
    expect(await ask()).toEqual([1]);
  });

  it('are not shown by the error of a policy that cannot be evaluated', async ({ api }) => {
    await givenDataset(api, {
      name: 'huge',
      sql: "SELECT 9223372036854775807::BIGINT AS amount, DATE '2024-01-05' AS day",
    });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'huge');
    const fieldId = await givenField(api, table.path, 'amount', { dataType: 'integer' });
    const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
    const sum = { fieldId, aggregation: 'count' };
    const metric = await givenMetric(api, { name: 'Huge', modelId: model.id, timeFieldId, ...sum });
    const saved = await posted(api, '/api/saved-queries', { name: 'Huge', sql: 'SELECT 1 FROM huge' });
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[amount] * [amount] > 0' });
    const dataset = (await api.as('editor').get('/api/datasets?name=huge')).body.items[0];
    const replies = [
      await api.as('editor').post('/api/query', { sql: 'SELECT 1 FROM huge' }),
      await api.as('editor').get(`/api/datasets/${dataset.id}/preview`),
      await api.as('editor').get(`/api/datasets/${dataset.id}/statistics`),
      await api.as('editor').post(`/api/saved-queries/${saved.id}/run`, {}),
      await api.as('editor').post(`${model.path}/query`, { measures: [sum] }),
      await api.as('editor').post(`${model.path}/drill`, { measure: sum }),
      await api.as('editor').post(`${model.path}/values`, { fieldId }),
      await api.as('editor').post(`/api/datasets/${dataset.id}/values`, { column: 'amount' }),
      await api.as('editor').post(`${table.path}/preview`, {}),
      await api.as('editor').get(`${metric.path}/value?asOf=2024-01-20T00:00:00Z`),
      await api.as('editor').get(`${metric.path}/series?from=2024-01-01&to=2024-01-31`),
      await api.as('editor').get(`${metric.path}/drivers?by=${fieldId}&asOf=2024-01-20T00:00:00Z`),
      await api.as('editor').get(`${metric.path}/anomalies?from=2024-01-01&to=2024-01-31`),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'RLS_ERROR' } });
      expect(JSON.stringify(reply.body)).not.toContain('922337');
    }
  });
});
