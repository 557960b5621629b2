import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { suggestionRepository } from '../../../../shared/domains/quality/suggestions/repository.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { givenScan } from '../../../support/given/scan.ts';

const SUGGESTIONS = '/api/data-quality/suggestions';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const ORDERS = `i AS id, (i % 50)::INTEGER AS customer_id, 'u' || i || '@example.com' AS email,
  ['paid', 'sent', 'open'][1 + i % 3] AS status, CASE WHEN i % 4 = 0 THEN NULL ELSE (i % 101)::DOUBLE END AS amount`;

const givenOrders = (api: Api, columns = ORDERS, rows = 2000) =>
  givenDataset(api, { name: 'orders', sql: `SELECT ${columns} FROM range(${rows}) t(i)` });

const scan = (api: Api) => givenScan(api.as('editor'), { tableName: 'orders' });

interface Suggestion {
  id: string;
  testType: string;
  columnName: string | null;
  status: string;
  config: object;
}

async function listed(api: Api, query = '?status=pending') {
  const { status, body } = await api.as('viewer').get(`${SUGGESTIONS}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items as Suggestion[];
}

const named = (all: readonly Suggestion[]) => all.map(({ columnName, testType }) => `${columnName} ${testType}`).sort();

describe('suggested tests', () => {
  it('pass on the rows of the scan, become tests once, and are never suggested again when dismissed', async ({
    api,
  }) => {
    await givenDataset(api, { name: 'customers', sql: 'SELECT i AS id FROM range(50) t(i)' });
    await givenOrders(api);
    await scan(api);
    expect(named(await listed(api))).toEqual(['customer_id foreign_key', 'email email', 'email unique', 'id unique']);
    const { id: second } = await scan(api);
    const pending = await listed(api, '?status=pending&tableName=orders');
    expect(pending).toHaveLength(5);
    const reference = pending.find(({ testType }) => testType === 'foreign_key')!;
    expect(reference).toMatchObject({
      ...{ tableName: 'orders', columnName: 'customer_id', config: { refTable: 'customers', refColumn: 'id' } },
      ...{ estimatedFailures: 0, testId: null, decidedBy: null },
      evidence: { scanId: second, datasetVersion: 1, rowCount: 2000, evaluatedRows: 2000 },
    });
    expect(await listed(api, '?tableName=customers')).toEqual([]);
    expect(await listed(api, '?status=pending&tableName=orders&sort=createdAt')).toEqual(pending.toReversed());

    const editor = api.as('editor');
    const applied = await editor.post(`${SUGGESTIONS}/${reference.id}/apply`);
    expect(applied, JSON.stringify(applied.body)).toMatchObject({ status: 200, body: { status: 'applied' } });
    const test = `/api/data-quality/tests/${applied.body.testId}`;
    expect((await editor.get(test)).body).toMatchObject({ testType: 'foreign_key', columnName: 'customer_id' });
    expect((await editor.post(`${test}/run`)).body).toMatchObject({ status: 'passed', evaluatedRows: 2000 });
    const again = await editor.post(`${SUGGESTIONS}/${reference.id}/apply`);
    expect(again).toMatchObject({ status: 409, body: { code: 'QUALITY_SUGGESTION_CLOSED' } });
    expect((await editor.get('/api/data-quality/tests')).body.total).toBe(1);

    const unwanted = pending.find(({ testType, columnName }) => testType === 'unique' && columnName === 'email')!;
    const dismissed = await editor.post(`${SUGGESTIONS}/${unwanted.id}/dismiss`);
    expect(dismissed).toMatchObject({ status: 200, body: { status: 'dismissed', testId: null } });
    for (const verb of ['apply', 'dismiss']) {
      const closed = await editor.post(`${SUGGESTIONS}/${unwanted.id}/${verb}`);
      expect(closed).toMatchObject({ status: 409, body: { code: 'QUALITY_SUGGESTION_CLOSED' } });
    }
    await scan(api);
    const next = named(await listed(api));
    expect(next).toHaveLength(5);
    expect(next).not.toContain('email unique');
    expect(next).not.toContain('customer_id foreign_key');
    for (const verb of ['apply', 'dismiss']) {
      const stranger = await api.as('stranger').post(`${SUGGESTIONS}/${pending[0]!.id}/${verb}`);
      expect(stranger).toMatchObject({ status: 404, body: { code: 'QUALITY_SUGGESTION_NOT_FOUND' } });
      expect((await editor.post(`${SUGGESTIONS}/${UNKNOWN}/${verb}`)).status).toBe(404);
    }
    expect((await api.as('stranger').get(SUGGESTIONS)).body.items).toEqual([]);
  });

  it('expire with their time, with their column, and when the data contradicts them', async ({ api }) => {
    await givenOrders(api);
    await scan(api);
    const stored = suggestionRepository(api.table);
    const of = async (columnName: string, testType: string) =>
      (await listed(api, '')).find((each) => each.columnName === columnName && each.testType === testType)!;
    const { id } = await of('id', 'unique');
    const past = { validUntil: new Date(Date.now() - 1000).toISOString() };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, stored.key(api.workspaceId, id), { set: past })));
    expect((await of('id', 'unique')).status).toBe('expired');
    const late = await api.as('editor').post(`${SUGGESTIONS}/${id}/apply`);
    expect(late).toMatchObject({ status: 409, body: { code: 'QUALITY_SUGGESTION_CLOSED' } });

    // Another scan supports it again.
    await scan(api);
    expect((await of('id', 'unique')).status).toBe('pending');

    const { id: gone } = await of('email', 'email');
    const total = { pk: `W#${api.workspaceId}#QUALITY-TEST`, sk: '#TOTAL' };
    const have = (count: number) =>
      api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count } })));
    await have(1000);
    const full = await api.as('editor').post(`${SUGGESTIONS}/${gone}/apply`);
    expect(full).toMatchObject({ status: 409, body: { code: 'TOO_MANY_QUALITY_TESTS' } });
    await have(0);
    await givenOrders(api, "1 AS id, 'u' || i || '@example.com' AS mail");
    const closed = await api.as('editor').post(`${SUGGESTIONS}/${gone}/apply`);
    expect(closed).toMatchObject({
      status: 409,
      body: { detail: 'The table or column of the suggestion no longer exists.' },
    });
    await scan(api);
    expect(await of('id', 'unique')).toMatchObject({ status: 'expired' });
    expect(await of('email', 'unique')).toMatchObject({ status: 'expired' });
    expect((await of('mail', 'email')).status).toBe('pending');
  });

  it('are for those who see every row and column of the table', async ({ api }) => {
    await givenOrders(api);
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'orders');
    await givenField(api, table.path, 'status');
    await scan(api);
    const [{ id } = { id: UNKNOWN }] = await listed(api);
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[status] IN user.attr("region")' });
    const some = await givenReader(api, { attributes: { region: ['paid'] } });
    expect((await some.caller.get(SUGGESTIONS)).body).toMatchObject({ items: [], total: 0 });
    for (const verb of ['apply', 'dismiss']) {
      const reply = await some.caller.post(`${SUGGESTIONS}/${id}/${verb}`);
      expect(reply).toMatchObject({ status: 404, body: { code: 'QUALITY_SUGGESTION_NOT_FOUND' } });
    }
  });
});
