import { expect } from 'vitest';
import type { Api, Caller } from '../api.ts';
import { givenDataset } from './dataset.ts';
import { type GivenMember, givenMember } from './member.ts';
import { givenField, givenModel, givenTable } from './model.ts';

/** Stands in rows that only readers of the region "us" may see. */
export const SECRET_ROW = 'HIDDEN-ROW-7f3a';
/** Stands in a column that only readers with the label "private" may see. */
export const SECRET_COLUMN = 'HIDDEN-COLUMN-51cd';

/**
 * A dataset of three rows of "eu" and two of "us", with a model in which a policy shows each person the rows of their
 * region. The column `salary` has a sensitivity label.
 */
export async function givenProtected(api: Api, { name = 'people' }: { name?: string } = {}) {
  const dataset = await givenDataset(api, {
    name,
    sql: `SELECT *, DATE '2024-01-05' AS day FROM (VALUES
      (1, 'eu', 'Ann', '10'), (2, 'eu', 'Bob', '20'), (3, 'eu', 'Cid', '${SECRET_COLUMN}'),
      (4, 'us', '${SECRET_ROW}', '40'), (5, 'us', '${SECRET_ROW}', '50')) AS t(id, region, name, salary)`,
  });
  const model = await givenModel(api, { name: `Staff of ${name}` });
  const table = await givenTable(api, model.path, name);
  const field = {
    id: await givenField(api, table.path, 'id', { dataType: 'integer' }),
    region: await givenField(api, table.path, 'region'),
    name: await givenField(api, table.path, 'name'),
    day: await givenField(api, table.path, 'day', { dataType: 'date' }),
    salary: await givenField(api, table.path, 'salary'),
  };
  await givenLabel(api, table.path, field.salary, 'Private');
  const policy = await givenPolicy(api, model.path, { tableId: table.id });
  return { dataset, model, table, field, policy };
}

export async function givenLabel(api: Api, table: string, field: string, sensitivityLabel: string): Promise<void> {
  const set = await api.as('editor').put(`${table}/fields/${field}`, { sensitivityLabel });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
}

/** A policy of one table; by default it shows everyone the rows of their region. */
export async function givenPolicy(api: Api, model: string, policy: { tableId: string; [member: string]: unknown }) {
  const made = await api.as('owner').post(`${model}/rls`, {
    name: `Policy ${crypto.randomUUID()}`,
    filterExpression: '[region] IN user.attr("region")',
    appliesTo: [{ type: 'everyone' }],
    ...policy,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body as { id: string };
}

export interface GivenReader extends GivenMember {
  caller: Caller;
}

/** A new member with the attributes. */
export async function givenReader(
  api: Api,
  { role = 'editor', attributes }: { role?: string; attributes?: object } = {},
): Promise<GivenReader> {
  const member = await givenMember(api, role);
  if (attributes) await setAttributes(api, member.userId, attributes);
  return { ...member, caller: api.as(member) };
}

export async function setAttributes(api: Api, userId: string, attributes: object): Promise<void> {
  const set = await api.as('owner').put(`/api/workspaces/members/${userId}/attributes`, { attributes });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
}
