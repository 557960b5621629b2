import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenField, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';
import { givenShop } from '../../../support/given/shop.ts';

const TESTS = '/api/data-quality/tests';
const amount = {
  name: 'Plausible amount',
  testType: 'value_range',
  targetType: 'source_table',
  tableName: 'orders',
  columnName: 'amount',
  config: { min: 0, max: 100 },
};

describe('data-quality tests', () => {
  it('are created, read, changed, listed and deleted', async ({ api }) => {
    const { id: modelId, fields, customers } = await givenShop(api);
    const made = await api.as('editor').post(TESTS, { ...amount, scheduleCron: '@daily' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...amount,
        description: '',
        sourceId: 'datasets',
        schemaName: '',
        modelId: null,
        scheduleEnabled: true,
        scheduleCron: '@daily',
        scheduleTimezone: 'UTC',
        runOnSync: false,
        severity: 'medium',
        isActive: true,
        revision: 1,
      },
    });
    const path = `${TESTS}/${made.body.id}`;
    expect((await api.as('viewer').get(path)).body).toEqual(made.body);
    const changed = await api.as('editor').put(path, {
      config: { min: 1 },
      scheduleEnabled: false,
      scheduleTimezone: 'europe/berlin',
      severity: 'critical',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        config: { min: 1 },
        scheduleEnabled: false,
        scheduleTimezone: 'Europe/Berlin',
        severity: 'critical',
        name: amount.name,
        revision: 2,
      },
    });
    const old = { headers: { 'if-match': '"1"' } };
    expect((await api.as('editor').put(path, { name: 'x' }, old)).body.code).toBe('PRECONDITION_FAILED');
    expect((await api.as('editor').post(TESTS, { ...amount, name: 'PLAUSIBLE amount' })).body.code).toBe(
      'QUALITY_TEST_NAME_TAKEN',
    );

    const ofField = {
      name: 'Region',
      testType: 'not_null',
      targetType: 'model_field',
      modelId,
      fieldId: fields.region,
    };
    const second = await posted(api, TESTS, ofField);
    expect((await api.as('viewer').get(`${TESTS}/${second.id}`)).body).toMatchObject({
      tableName: 'customers',
      columnName: 'region',
      tableId: customers.id,
    });
    const moved = await api.as('editor').put(`${TESTS}/${second.id}`, { fieldId: fields.customer });
    expect(moved.body).toMatchObject({ tableName: 'orders', columnName: 'customer', fieldId: fields.customer });
    const names = async (query: string) => {
      const reply = await api.as('viewer').get(`${TESTS}?${query}`);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.items.map(({ name }: { name: string }) => name);
    };
    expect(await names('')).toEqual(['Region', 'Plausible amount']);
    expect(await names('sort=name&limit=1')).toEqual(['Plausible amount']);
    expect(await names(`modelId=${modelId}`)).toEqual(['Region']);
    expect(await names('tableName=orders&severity=critical')).toEqual(['Plausible amount']);
    expect(await names('name=Region&isActive=false')).toEqual([]);
    expect((await api.as('stranger').get(TESTS)).body.total).toBe(0);
    expect((await api.as('viewer').get(`${TESTS}?offset=20000`)).body.code).toBe('OFFSET_TOO_LARGE');

    expect((await api.as('viewer').post(TESTS, amount)).status).toBe(403);
    expect((await api.as('editor').delete(path, old)).status).toBe(412);
    expect((await api.as('editor').delete(path)).status).toBe(204);
    for (const reply of [
      await api.as('viewer').get(path),
      await api.as('editor').put(path, {}),
      await api.as('editor').delete(path),
      await api.as('stranger').get(`${TESTS}/${second.id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'QUALITY_TEST_NOT_FOUND' } });
    }
  });

  it('report every setting that does not fit the table', async ({ api }) => {
    const { id: modelId, fields, orders } = await givenShop(api);
    const calculated = await givenField(api, orders.path, 'double', {
      fieldType: 'calculated',
      dataType: 'decimal',
      expression: '[amount] * 2',
    });
    const path = `${TESTS}/${(await posted(api, TESTS, { ...amount, name: 'first' })).id}`;
    const issues = async (body: object) => {
      const reply = await api.as('editor').post(TESTS, { ...amount, ...body });
      expect(reply.status, JSON.stringify(reply.body)).toBe(400);
      return reply.body.errors;
    };
    expect(await issues({ columnName: 'amont' })).toEqual([
      expect.objectContaining({ pointer: '/columnName', message: expect.stringContaining('did you mean "amount"?') }),
    ]);
    expect(await issues({ testType: 'email', config: {} })).toMatchObject([{ code: 'COLUMN_TYPE' }]);
    expect(await issues({ config: { min: 3, max: 1 } })).toMatchObject([{ pointer: '/config/max' }]);
    expect(await issues({ config: { min: 3, mostly: 0.5, failAt: 3 } })).toMatchObject([{ pointer: '/config/mostly' }]);
    expect(await issues({ config: { least: 3 } })).toMatchObject([{ pointer: '/config/least' }]);
    expect(await issues({ columnName: undefined })).toMatchObject([{ pointer: '/columnName', code: 'REQUIRED' }]);
    expect(await issues({ tableName: undefined })).toMatchObject([{ pointer: '/tableName', code: 'REQUIRED' }]);
    expect(await issues({ config: { min: 1, where: 'amount >' } })).toMatchObject([{ pointer: '/config/where' }]);
    expect(await issues({ config: { min: 1, where: 'x = 1' } })).toMatchObject([{ pointer: '/config/where' }]);
    expect(await issues({ config: { min: 1, where: 'amount > $1' } })).toMatchObject([{ code: 'NOT_ALLOWED' }]);
    const sql = (text: string) => ({ testType: 'custom_sql', columnName: undefined, config: { sql: text } });
    expect(await issues(sql('SELECT * FROM customers'))).toMatchObject([{ pointer: '/config/sql' }]);
    expect(await issues(sql('DROP TABLE input'))).toMatchObject([{ code: 'SQL_NOT_READ_ONLY' }]);
    const key = (refTable: string, refColumn: string) => ({
      testType: 'foreign_key',
      columnName: 'customer',
      config: { refTable, refColumn },
    });
    expect(await issues(key('clients', 'id'))).toMatchObject([{ pointer: '/config/refTable' }]);
    expect(await issues(key('customers', 'ids'))).toMatchObject([{ pointer: '/config/refColumn' }]);
    expect(await issues({ scheduleCron: 'often' })).toMatchObject([{ pointer: '/scheduleCron' }]);
    expect(await issues({ scheduleEnabled: true })).toMatchObject([{ pointer: '/cron', code: 'REQUIRED' }]);
    expect(await issues({ scheduleTimezone: 'Mars/Base' })).toMatchObject([{ pointer: '/scheduleTimezone' }]);
    const field = { targetType: 'model_field', modelId, tableName: undefined, columnName: undefined };
    expect(await issues(field)).toMatchObject([{ pointer: '/fieldId', code: 'REQUIRED' }]);
    expect(await issues({ ...field, fieldId: calculated })).toMatchObject([{ code: 'CALCULATED_FIELD' }]);
    expect(await issues({ ...field, fieldId: fields.amount, tableName: 'customers' })).toMatchObject([
      { pointer: '/tableName', code: 'CONFLICT' },
    ]);
    for (const [body, code] of [
      [{ tableName: 'order' }, 'QUALITY_TABLE_NOT_FOUND'],
      [{ sourceId: modelId }, 'DATA_SOURCE_NOT_FOUND'],
      [{ ...field, modelId: fields.amount, fieldId: fields.amount }, 'MODEL_NOT_FOUND'],
      [{ ...field, fieldId: modelId }, 'MODEL_FIELD_NOT_FOUND'],
    ] as const) {
      expect((await api.as('editor').post(TESTS, { ...amount, ...body })).body.code).toBe(code);
      expect((await api.as('editor').put(path, body)).body.code).toBe(code);
    }
    await posted(api, TESTS, { ...amount, name: 'second' });
    expect((await api.as('editor').put(path, { name: 'Second' })).body.code).toBe('QUALITY_TEST_NAME_TAKEN');
    expect((await api.as('stranger').post(TESTS, amount)).body.code).toBe('QUALITY_TABLE_NOT_FOUND');
  });

  it('are defined only by admins and by those who may see all of the table', async ({ api }) => {
    await givenProtected(api);
    const test = {
      name: 'Names',
      testType: 'not_null',
      targetType: 'source_table',
      tableName: 'people',
      columnName: 'name',
    };
    expect((await api.as('editor').post(TESTS, test)).body.code).toBe('RLS_RAW_SQL');
    const made = await api.as('owner').post(TESTS, test);
    expect(made.status).toBe(201);
    const changed = { config: { where: 'salary > 20' } };
    expect((await api.as('editor').put(`${TESTS}/${made.body.id}`, changed)).body.code).toBe('RLS_RAW_SQL');
    const all = await givenReader(api, { attributes: { region: ['eu', 'us'], sensitivityLabels: ['private'] } });
    expect((await all.caller.post(TESTS, test)).body.code).toBe('RLS_RAW_SQL');
    const member = await givenMember(api, 'viewer');
    expect((await api.as(member).get(TESTS)).status).toBe(200);
  });
});
