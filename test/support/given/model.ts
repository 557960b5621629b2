import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { givenDataset } from './dataset.ts';

/** A model over the datasets of the workspace, with its path. */
export async function givenModel(api: Api, body: object = {}): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/models', { name: 'Sales', sourceId: 'datasets', ...body });
  return { id, path: `/api/models/${id}` };
}

/** A table with its path; the alias is also the name in the source by default. */
export async function givenTable(
  api: Api,
  model: string,
  sourceTable = 'orders',
  alias = sourceTable,
): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, `${model}/tables`, { sourceSchema: '', sourceTable, alias });
  return { id, path: `${model}/tables/${id}` };
}

/** The id of a new field. */
export async function givenField(api: Api, table: string, name: string, body: object = {}): Promise<string> {
  const field = { name, fieldType: 'dimension', dataType: 'string', ...body };
  return (await posted(api, `${table}/fields`, field)).id;
}

/** The body of the reply to a request that an editor makes. */
export async function posted(api: Api, path: string, body: object): Promise<{ id: string } & Record<string, unknown>> {
  const reply = await api.as('editor').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

/** Two tables that can be joined. */
export async function givenSales(api: Api) {
  const { id, path } = await givenModel(api);
  const customers = await givenTable(api, path, 'customers');
  const orders = await givenTable(api, path, 'orders');
  const key = await givenField(api, customers.path, 'id', { dataType: 'integer' });
  const region = await givenField(api, customers.path, 'region');
  const customer = await givenField(api, orders.path, 'customer', { dataType: 'integer' });
  const amount = await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const ends = { fromTableId: customers.id, fromFieldId: key, toTableId: orders.id, toFieldId: customer };
  return { id, path, customers, orders, key, region, customer, amount, ends };
}

/** The places of a reply's issues, each with its code. */
export const issuesOf = (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
  (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);

/** A model over a dataset with one row, with a field and a measure. */
export async function givenRevenue(api: Api) {
  await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2.50::DECIMAL(9,2) AS amount' });
  const { id, path } = await givenModel(api);
  const orders = await givenTable(api, path, 'orders');
  const amount = await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const revenue = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
  return { id, path, orders, amount, revenue: revenue.id };
}
