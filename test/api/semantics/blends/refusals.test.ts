import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';

const CONFIG = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', ssl: false };

describe('blends refuse', () => {
  it('keys and tables that a side cannot be read by, also when they are replaced', async ({ api }) => {
    const { body } = await givenShopAndDesk(api);
    const { path } = await givenBlend(api, body);
    const table = async (type: string) => {
      const source = { name: type, type, config: CONFIG, secrets: { password: 'p' } };
      const made = await api.as('owner').post('/api/data-sources', source);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const model = await givenModel(api, { name: type, sourceId: made.body.id });
      const own = await givenTable(api, model.path, 'orders');
      await givenField(api, own.path, 'who');
      await givenField(api, own.path, 'opened', { dataType: 'datetime' });
      return { model, own };
    };
    const [mysql, postgres] = [await table('mysql'), await table('postgres')];
    const other = await givenTable(api, postgres.model.path, 'others');
    await givenField(api, other.path, 'who');
    await givenPolicy(api, postgres.model.path, { tableId: other.id, filterExpression: "[who] = 'x'" });
    const zoned = { left: 'placed', right: 'opened', as: 'date' };
    const refused: [object, number, string][] = [
      [{ rightTableId: mysql.own.id }, 409, 'SOURCE_NOT_QUERYABLE'],
      [{ rightTableId: postgres.own.id }, 422, 'QUESTION_UNANSWERABLE'],
      [{ keys: [{ left: 'id', right: 'who' }] }, 400, 'BLEND_KEY_TYPE'],
      [{ rightTableId: postgres.own.id, keys: [zoned] }, 400, 'BLEND_KEY_TIMEZONE'],
    ];
    for (const [change, status, code] of refused) {
      const asked = { ...body, name: 'Other', ...change };
      expect(await api.as('editor').post('/api/composite-models', asked), code).toMatchObject({
        status,
        body: { code },
      });
      expect(await api.as('editor').put(path, asked), code).toMatchObject({ status, body: { code } });
    }
    const list = await api.as('viewer').get('/api/composite-models');
    expect(list.body).toMatchObject({ total: 1, items: [{ name: body.name, revision: 1 }] });
    const total = { pk: `W#${api.workspaceId}#BLEND`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await api.as('viewer').get('/api/composite-models?search=x')).toMatchObject({
      status: 400,
      body: { code: 'LIST_TOO_LARGE' },
    });
  });

  it('joins without a path, with too much to reply, or without an end', async ({ api }) => {
    await givenDataset(api, {
      name: 'many',
      sql: `SELECT 1::BIGINT AS k, i::BIGINT AS i, CASE WHEN i < 100 THEN repeat('x', 50000) END AS text FROM range(200000) AS t(i)`,
    });
    const model = await givenModel(api, { name: 'Many' });
    const [many, alone] = [
      await givenTable(api, model.path, 'many'),
      await givenTable(api, model.path, 'many', 'alone'),
    ];
    for (const { path } of [many, alone])
      for (const name of ['k', 'i']) await givenField(api, path, name, { dataType: 'integer' });
    await givenField(api, many.path, 'text');
    const { path } = await givenBlend(api, {
      name: 'many',
      ...{ leftTableId: many.id, leftAlias: 'one', rightTableId: many.id, rightAlias: 'other' },
      keys: [{ left: 'k', right: 'k' }],
    });
    const execute = (request: object) =>
      api.as('viewer').post(`${path}/execute`, { leftColumns: ['i'], rightColumns: ['i'], ...request });
    const elsewhere = await execute({ leftFilters: [{ expression: '[alone.i] > 0' }] });
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'QUESTION_UNANSWERABLE' } });
    const [few, one] = ['[many.i] < 100', '[many.i] < 1'].map((expression) => [{ expression }]);
    const large = await execute({ leftColumns: ['text'], leftFilters: few, rightFilters: one });
    expect(large).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    // Forty billion rows, which are to be sorted.
    const endless = await execute({ sort: [{ column: 'other.i', direction: 'desc' }], timeoutMs: 3000 });
    expect(endless).toMatchObject({ status: 408, body: { code: 'QUERY_TIMEOUT' } });
    const first = await execute({ leftFilters: one, limit: 1 });
    expect(first.body).toMatchObject({
      totalRows: 200_000,
      truncated: true,
      warnings: [{ code: 'FAN_OUT', factor: 200_000 }, {}],
    });
  });
});
