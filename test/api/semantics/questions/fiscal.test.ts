import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';

const APRIL = { firstMonth: 4 };
const RETAIL = {
  firstMonth: 2,
  yearName: 'start',
  weeks: { pattern: '4-5-4', firstDay: 'sunday', yearStart: 'nearest' },
};

async function givenOrders(api: Api) {
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT id, placed::TIMESTAMPTZ AS placed, customer, amount FROM (VALUES
      (1, '2024-01-10 12:00:00Z', 1, 1), (2, '2024-02-03 12:00:00Z', 1, 2), (3, '2024-02-04 03:00:00Z', 2, 4),
      (4, '2024-02-04 12:00:00Z', 2, 8), (5, '2024-03-31 12:00:00Z', 1, 16), (6, '2024-04-01 12:00:00Z', 1, 32),
      (7, '2024-11-30 12:00:00Z', 3, 64)) AS t(id, placed, customer, amount)`,
  });
  const { path } = await givenModel(api);
  const orders = await givenTable(api, path, 'orders');
  const integer = { dataType: 'integer' };
  const fields = {
    id: await givenField(api, orders.path, 'id', integer),
    at: await givenField(api, orders.path, 'placed', { dataType: 'datetime' }),
    customer: await givenField(api, orders.path, 'customer', integer),
    amount: await givenField(api, orders.path, 'amount', integer),
  };
  const ask = async (question: object) => {
    const reply = await api.as('viewer').post(`${path}/query`, { timezone: 'America/New_York', ...question });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const rows = (reply.body.rows as unknown[][]).map(([at, ...row]) => [
      at,
      ...row.map((each) => each && Number(each)),
    ]);
    return { columns: reply.body.columns, rows };
  };
  return { path, fields, ask };
}

const amount = { label: 'Amount', expression: 'SUM([orders.amount])' };

describe('the calendar of a model', () => {
  it('decides what fiscal periods are in dimensions, filters and values to date', async ({ api }) => {
    const { path, fields, ask } = await givenOrders(api);
    const by = (grain: string, more: object = {}) => ({ fieldId: fields.at, grain, ...more });
    // Without a calendar, years begin in January.
    expect((await ask({ dimensions: [by('fiscal_year')], measures: [amount] })).rows).toEqual([['2024-01-01', 127]]);

    const set = (calendar: object | null) => api.as('editor').put(path, { calendar });
    expect(await set(APRIL)).toMatchObject({ status: 200, body: { calendar: APRIL, hasUnpublishedChanges: true } });
    const toDate = { label: 'To date', expression: 'CUMULATIVE(SUM([orders.amount]), "fiscal_year")' };
    const customers = {
      label: 'Customers',
      expression: 'CUMULATIVE(COUNT_DISTINCT([orders.customer]), "fiscal_year")',
    };
    const filled = await ask({
      dimensions: [by('fiscal_quarter', { fill: 'null' })],
      measures: [amount, toDate, customers],
    });
    expect(filled.columns[0]).toMatchObject({ name: 'placed (fiscal_quarter)', type: 'date', calendar: APRIL });
    expect(filled.rows).toEqual([
      ['2024-01-01', 31, 31, 2],
      ['2024-04-01', 32, 32, 1],
      ['2024-07-01', null, 32, 1],
      ['2024-10-01', 64, 96, 2],
    ]);

    // The fiscal year 2023 has 53 weeks. In New York, the third order is still of its last day.
    expect((await set(RETAIL)).status).toBe(200);
    expect((await ask({ dimensions: [by('fiscal_year')], measures: [amount] })).rows).toEqual([
      ['2023-01-29', 7],
      ['2024-02-04', 120],
    ]);
    const ofPeriod = { fieldId: fields.at, op: 'in_period', values: ['2024-03-31', 'fiscal_period'] };
    expect((await ask({ dimensions: [by('fiscal_week')], measures: [amount], filters: [ofPeriod] })).rows).toEqual([
      ['2024-03-31', 48],
    ]);
    const drilled = await api.as('viewer').post(`${path}/drill`, {
      dimensions: [by('fiscal_quarter')],
      values: ['2024-02-04'],
      measure: { label: 'To date', expression: 'CUMULATIVE(SUM([orders.amount]), "fiscal_year")' },
      columns: [{ fieldId: fields.id }],
      timezone: 'America/New_York',
    });
    expect(drilled).toMatchObject({ status: 200, body: { rows: [[4], [5], [6]] } });

    const prior = { label: 'Before', expression: 'PRIOR(SUM([orders.amount]), "year")' };
    const refused = await api
      .as('viewer')
      .post(`${path}/query`, { dimensions: [by('fiscal_quarter')], measures: [prior] });
    expect([refused.status, refused.body.code]).toEqual([422, 'QUESTION_UNANSWERABLE']);

    expect(await set(null)).toMatchObject({ status: 200, body: { calendar: null } });
    expect((await ask({ dimensions: [by('fiscal_quarter')], measures: [amount] })).rows[0]).toEqual(['2024-01-01', 31]);
  });

  it('is changed only by those who may edit the model, and only to what is valid', async ({ api }) => {
    const { path } = await givenModel(api);
    expect((await api.as('viewer').put(path, { calendar: APRIL })).status).toBe(403);
    expect((await api.as('stranger').put(path, { calendar: APRIL })).status).toBe(404);
    const wrong = { firstMonth: 13, yearName: 'middle', weeks: { pattern: '4-4-4', firstDay: 'sun' } };
    const reply = await api.as('editor').put(path, { calendar: wrong });
    expect(reply.status).toBe(400);
    expect(issuesOf(reply).map((issue) => issue.split(' ')[0])).toEqual(
      expect.arrayContaining([
        '/calendar/firstMonth',
        '/calendar/yearName',
        '/calendar/weeks/pattern',
        '/calendar/weeks/firstDay',
      ]),
    );
    expect((await api.as('viewer').get(path)).body.calendar).toBeNull();
  });

  it('is part of the file of the model', async ({ api }) => {
    const { path } = await givenModel(api);
    const file = async () => (await api.as('owner').get(`${path}/file`)).body as string;
    const put = (text: string) =>
      api.as('editor').send('PUT', `${path}/file`, { text, headers: { 'content-type': 'application/yaml' } });
    const before = await file();
    expect(before).not.toContain('calendar');
    const text = `${before}calendar:\n  firstMonth: 2\n  yearName: start\n  weeks:\n    pattern: 4-5-4\n    firstDay: sunday\n`;
    expect(await put(text)).toMatchObject({ status: 200, body: { model: ['calendar'] } });
    const calendar = { firstMonth: 2, yearName: 'start', weeks: { pattern: '4-5-4', firstDay: 'sunday' } };
    expect((await api.as('viewer').get(path)).body.calendar).toEqual(calendar);
    const exported = await file();
    expect(exported).toContain('calendar:\n  firstMonth: 2\n  yearName: start\n  weeks:\n    pattern: 4-5-4\n');
    expect(await put(exported)).toMatchObject({ status: 200, body: { model: [] } });

    const refused = await put(text.replace('firstMonth: 2', 'firstMonth: 0'));
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([
      { pointer: '/calendar/firstMonth', position: { column: expect.any(Number) } },
    ]);
    expect(await put(before)).toMatchObject({ status: 200, body: { model: ['calendar'] } });
    expect((await api.as('viewer').get(path)).body.calendar).toBeNull();
  });
});
