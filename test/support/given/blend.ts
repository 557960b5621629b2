import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { givenDataset } from './dataset.ts';
import { givenField, givenModel, givenTable, posted } from './model.ts';

const ORDERS = `SELECT id::BIGINT AS id, customer, amount::DECIMAL(9,2) AS amount, placed::DATE AS placed FROM (VALUES
  (1, 'ada', 10.00, '2026-01-01'), (2, 'bob', 20.00, '2026-01-02'),
  (3, 'bob', 5.50, '2026-02-01'), (4, NULL, 1.00, '2026-02-02'), (5, 'eve', 2.00, '2026-02-03')
) AS t(id, customer, amount, placed)`;
const CASES = `SELECT number::BIGINT AS number, who, minutes::BIGINT AS minutes FROM (VALUES
  (100, 'ada', 7), (101, 'bob', 3), (102, 'bob', 4), (103, NULL, 9), (104, 'zoe', 1)
) AS t(number, who, minutes)`;

/** Two models, with orders of a shop and cases of a help desk, and the body of a blend by their customer. */
export async function givenShopAndDesk(api: Api) {
  await givenDataset(api, { name: 'shop_orders', sql: ORDERS });
  await givenDataset(api, { name: 'desk_cases', sql: CASES });
  const shop = await givenModel(api, { name: 'Shop' });
  const desk = await givenModel(api, { name: 'Desk' });
  const orders = await givenTable(api, shop.path, 'shop_orders', 'orders');
  const cases = await givenTable(api, desk.path, 'desk_cases', 'cases');
  const fields = {
    id: await givenField(api, orders.path, 'id', { dataType: 'integer' }),
    customer: await givenField(api, orders.path, 'customer'),
    amount: await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' }),
    placed: await givenField(api, orders.path, 'placed', { dataType: 'date' }),
    number: await givenField(api, cases.path, 'number', { dataType: 'integer' }),
    who: await givenField(api, cases.path, 'who'),
    minutes: await givenField(api, cases.path, 'minutes', { fieldType: 'measure', dataType: 'integer' }),
  };
  const body = {
    name: 'Orders with cases',
    leftTableId: orders.id,
    leftAlias: 'orders',
    rightTableId: cases.id,
    rightAlias: 'cases',
    keys: [{ left: 'customer', right: 'who' }],
  };
  return { shop, desk, orders, cases, fields, body };
}

export async function givenBlend(api: Api, body: object): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/composite-models', body);
  return { id, path: `/api/composite-models/${id}` };
}

/** The reply to a successful execution. */
export async function executed(api: Api, path: string, body: object = {}, who: Parameters<Api['as']>[0] = 'viewer') {
  const reply = await api.as(who).post(`${path}/execute`, { leftColumns: [], rightColumns: [], ...body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}
