import type { Api } from '../api.ts';
import { givenDataset } from './dataset.ts';
import { givenField, givenModel, givenTable, posted } from './model.ts';

/** A model over two datasets: customers of two regions, and their orders, one of which has no customer. */
export async function givenShop(api: Api) {
  await givenDataset(api, {
    name: 'customers',
    sql: `SELECT * FROM (VALUES (1, 'North', 'Ada'), (2, 'South', 'Bo'), (3, 'South', 'Cy')) AS t(id, region, name)`,
  });
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT id, customer, amount::DECIMAL(9,2) AS amount, placed::DATE AS placed, shipped::TIMESTAMPTZ AS shipped FROM (VALUES
      (1, 1, 10.50, '2026-01-05', '2026-01-31T23:30:00Z'),
      (2, 1, 20.00, '2026-01-20', '2026-01-21T08:00:00Z'),
      (3, 2, 5.25, '2026-03-02', NULL),
      (4, NULL, 1.00, '2026-03-09', '2026-03-09T12:00:00Z')) AS t(id, customer, amount, placed, shipped)`,
  });
  const { id, path } = await givenModel(api, { name: 'Shop' });
  const customers = await givenTable(api, path, 'customers');
  const orders = await givenTable(api, path, 'orders');
  const fields = {
    customerId: await givenField(api, customers.path, 'id', { dataType: 'integer' }),
    region: await givenField(api, customers.path, 'region'),
    name: await givenField(api, customers.path, 'name'),
    customer: await givenField(api, orders.path, 'customer', { dataType: 'integer' }),
    amount: await givenField(api, orders.path, 'amount', {
      fieldType: 'measure',
      dataType: 'decimal',
      aggregation: 'sum',
    }),
    placed: await givenField(api, orders.path, 'placed', { dataType: 'date' }),
    shipped: await givenField(api, orders.path, 'shipped', { dataType: 'datetime' }),
  };
  await posted(api, `${path}/relationships`, {
    fromTableId: customers.id,
    fromFieldId: fields.customerId,
    toTableId: orders.id,
    toFieldId: fields.customer,
    cardinality: '1:N',
  });
  const revenue = await posted(api, `${path}/measures`, {
    name: 'Revenue',
    expression: 'SUM([orders.amount])',
    format: { kind: 'currency', currency: 'EUR' },
  });
  return { id, path, customers, orders, fields, revenue: revenue.id };
}
