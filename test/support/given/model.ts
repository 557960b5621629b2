import { expect } from 'vitest';
import type { Api } from '../api.ts';

/** A model over the datasets of the workspace, with its path. */
export async function givenModel(api: Api, body: object = {}): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/models', { name: 'Sales', sourceId: 'datasets', ...body });
  return { id, path: `/api/models/${id}` };
}

/** A table with its path; the alias is also the name in the source. */
export async function givenTable(api: Api, model: string, alias = 'orders'): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, `${model}/tables`, { sourceSchema: '', sourceTable: alias, alias });
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
