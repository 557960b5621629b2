import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';

/** Orders of two regions, whose steps keep the paid ones, read their amounts and sum them by region. */
async function givenSteps(api: Api) {
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT * FROM (VALUES (1, 'North', '10.50', 'paid'), (2, 'South', '4,25', 'paid'), (3, 'North', '1', 'open'), (4, NULL, '2', NULL))
      AS t(id, region, amount, status)`,
  });
  const { path } = await givenModel(api);
  const table = await givenTable(api, path, 'orders');
  const step = async (type: string, config: object): Promise<string> => {
    const reply = await api.as('editor').post(`${table.path}/transforms`, { type, config });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body.id;
  };
  const filter = await step('filter_rows', { conditions: [{ column: 'status', op: 'ne', value: 'open' }] });
  const sort = await step('sort_rows', { by: [{ column: 'id', direction: 'desc' }] });
  const points = await step('replace_values', { column: 'amount', pairs: [{ from: ',', to: '.' }], mode: 'regex' });
  const typed = await step('change_type', { column: 'amount', type: 'decimal' });
  const grouped = await step('group_aggregate', {
    groupBy: ['region'],
    aggregations: [{ fn: 'sum', column: 'amount', as: 'total' }],
  });
  const preview = (body?: object, caller = api.as('editor')) => caller.post(`${table.path}/preview`, body);
  return { path, table, preview, steps: { filter, sort, points, typed, grouped } };
}

describe('the preview of a table', () => {
  it('shows its rows after each step, with the SQL', async ({ api }) => {
    const { preview, steps } = await givenSteps(api);
    const rows = async (body?: object) => {
      const reply = await preview(body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.rows;
    };
    const source = await preview({ afterStep: null, columns: ['status', 'id'] });
    expect(source.body).toMatchObject({
      columns: [
        { name: 'status', type: 'string' },
        { name: 'id', type: 'integer' },
      ],
      rowCount: 4,
      truncated: false,
    });
    expect(await rows({ afterStep: steps.sort, columns: ['id'] })).toEqual([[4], [2], [1]]);
    const typed = await preview({ afterStep: steps.typed, limit: 2 });
    expect(typed.body).toMatchObject({
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'region', type: 'string' },
        { name: 'amount', type: 'decimal' },
        { name: 'status', type: 'string' },
      ],
      rows: [
        [4, null, '2.000000000', null],
        [2, 'South', '4.250000000', 'paid'],
      ],
      rowCount: 2,
      truncated: true,
    });
    expect(typed.body.sql).toContain(`WHERE ("status" IS NULL OR "status" <> 'open')`);
    expect((await rows()).toSorted()).toEqual([
      [null, '2.000000000'],
      ['North', '10.500000000'],
      ['South', '4.250000000'],
    ]);
  });

  it('reports unknown steps and columns, and steps that do not fit any more', async ({ api }) => {
    const { preview, steps, table, path } = await givenSteps(api);
    expect(issuesOf(await preview({ afterStep: crypto.randomUUID() }))).toEqual(['/afterStep UNKNOWN_STEP']);
    expect(issuesOf(await preview({ columns: ['total', 'amount'] }))).toEqual(['/columns/1 UNKNOWN_COLUMN']);
    expect((await preview({ limit: 201 })).status).toBe(400);
    const unknown = `${path}/tables/${crypto.randomUUID()}/preview`;
    expect(await api.as('editor').post(unknown, {})).toMatchObject({
      status: 404,
      body: { code: 'MODEL_TABLE_NOT_FOUND' },
    });
    const gone = `/api/models/${crypto.randomUUID()}/tables/${table.id}/preview`;
    expect(await api.as('editor').post(gone, {})).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    // The source loses a column that a step needs.
    const dataset = (await api.as('editor').get('/api/datasets')).body.items[0];
    await loseDataset(api, dataset.id);
    await givenDataset(api, { name: 'orders', sql: "SELECT 1 AS id, 'x' AS region, 'y' AS status" });
    await api.as('editor').post(`${path}/resync`);
    expect(await preview()).toMatchObject({
      status: 422,
      body: { code: 'MODEL_TRANSFORM_INVALID', stepId: steps.points, errors: [{ pointer: '/config/column' }] },
    });
    expect((await preview({ afterStep: steps.filter })).body.rows).toEqual([[1, 'x', 'y']]);
  });

  it('is for editors of the model only', async ({ api }) => {
    const { preview } = await givenSteps(api);
    expect((await preview({}, api.as('viewer'))).status).toBe(403);
    expect(await preview({}, api.as('stranger'))).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
  });

  it('needs columns that are known, and a source that is', async ({ api }) => {
    const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
    const source = { name: 'away', type: 'postgres', config, secrets: { password: 'x' } };
    const { id: sourceId } = (await api.as('owner').post('/api/data-sources', source)).body;
    const { path } = await givenModel(api, { sourceId });
    const { path: table } = await givenTable(api, path, 'orders');
    expect(await api.as('editor').post(`${table}/preview`)).toMatchObject({
      status: 422,
      body: { code: 'QUESTION_UNANSWERABLE', detail: 'The columns of orders are not known. Sync its source first.' },
    });
  });

  it('reads the rows that the caller may see, before all steps', async ({ api }) => {
    const { path, table, preview, steps } = await givenSteps(api);
    await givenField(api, table.path, 'region');
    const policy = {
      name: 'Own region',
      tableId: table.id,
      filterExpression: '[region] IN user.attr("region")',
      appliesTo: [{ type: 'everyone' }],
    };
    expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
    const member = await givenMember(api, 'editor');
    expect((await preview({}, api.as(member))).body).toMatchObject({ rows: [], rowCount: 0 });
    const attributes = { region: 'South' };
    await api.as('owner').put(`/api/workspaces/members/${member.userId}/attributes`, { attributes });
    expect((await preview({}, api.as(member))).body.rows).toEqual([['South', '4.250000000']]);
    const source = await preview({ afterStep: null, columns: ['id'] }, api.as(member));
    expect(source.body.rows).toEqual([[2]]);
    expect((await preview({ afterStep: steps.sort, columns: ['id'] })).body.rows).toEqual([]);
  });

  it('has no columns that the caller may not see, under any name', async ({ api }) => {
    const { table, preview, steps } = await givenSteps(api);
    const total = await givenField(api, table.path, 'total', { dataType: 'decimal' });
    await api.as('editor').put(`${table.path}/fields/${total}`, { sensitivityLabel: 'Finance' });
    const names = async (body: object) => (await preview(body)).body.columns.map(({ name }: { name: string }) => name);
    expect(await names({})).toEqual(['region']);
    expect(issuesOf(await preview({ columns: ['total'] }))).toEqual(['/columns/0 UNKNOWN_COLUMN']);
    expect(await names({ afterStep: steps.filter })).toContain('region');
  });
});

describe('fields of a table with steps', () => {
  it('read the columns that the steps leave', async ({ api }) => {
    const { path, table } = await givenSteps(api);
    const region = await givenField(api, table.path, 'region');
    const total = await givenField(api, table.path, 'total', { dataType: 'decimal' });
    const question = {
      dimensions: [{ fieldId: region }],
      measures: [{ fieldId: total, aggregation: 'sum', label: 'sum' }],
    };
    const reply = await api.as('viewer').post(`${path}/query`, question);
    expect(reply.body.rows).toEqual([
      ['North', '10.500000000'],
      ['South', '4.250000000'],
      [null, '2.000000000'],
    ]);
  });

  it('are made by a resync for new columns, but not for those that a step drops', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2 AS amount' });
    const { path } = await givenModel(api);
    await api.as('editor').post(`${path}/import`, {});
    const [table] = (await api.as('editor').get(`${path}/tables`)).body.items;
    const grouped = { groupBy: ['id'], aggregations: [{ fn: 'sum', column: 'amount', as: 'amount' }] };
    const place = `${path}/tables/${table.id}`;
    expect(
      (await api.as('editor').post(`${place}/transforms`, { type: 'group_aggregate', config: grouped })).status,
    ).toBe(200);
    await loseDataset(api, dataset.id);
    await givenDataset(api, { name: 'orders', sql: "SELECT 1 AS id, 2 AS amount, 'x' AS note" });
    expect((await api.as('editor').post(`${path}/resync`)).body).toMatchObject({ fieldsAdded: 0, fieldsMissing: [] });
    const fields = (await api.as('viewer').get(`${place}/fields`)).body.items;
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(['id', 'amount']);
  });
});
