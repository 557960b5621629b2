import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { executed, givenBlend } from '../../../support/given/blend.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

it('a blend reads datasets that are called like its own tables', async ({ api }) => {
  const side = async (name: string, value: string) => {
    await givenDataset(api, { name, sql: `SELECT 1 AS id, '${value}' AS value` });
    const model = await givenModel(api, { name });
    const table = await givenTable(api, model.path, name, 'rows');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenField(api, table.path, 'value');
    return table.id;
  };
  const [leftTableId, rightTableId] = [await side('#right', 'of the left'), await side('#LEFT', 'of the right')];
  const sides = { leftTableId, leftAlias: 'one', rightTableId, rightAlias: 'other' };
  const { path } = await givenBlend(api, { name: 'named', ...sides, keys: [{ left: 'id', right: 'id' }] });
  const wanted = { leftColumns: ['value'], rightColumns: ['value'] };
  expect((await executed(api, path, wanted)).rows).toEqual([['of the left', 'of the right']]);
});

it('a blend counts the rows that its reader may see if it uses none of their columns', async ({ api }) => {
  await givenDataset(api, {
    name: 'people',
    sql: "SELECT * FROM (VALUES (1, 'eu'), (2, 'eu'), (3, 'us')) t(id, region)",
  });
  const model = await givenModel(api);
  const people = await givenTable(api, model.path, 'people');
  await givenField(api, people.path, 'region');
  const step = { type: 'add_column', config: { name: 'one', expression: '1' } };
  expect((await api.as('editor').post(`${people.path}/transforms`, step)).status).toBe(200);
  await givenField(api, people.path, 'one', { dataType: 'integer' });
  await givenDataset(api, { name: 'numbers', sql: 'SELECT 1 AS number' });
  const others = await givenModel(api, { name: 'Numbers' });
  const numbers = await givenTable(api, others.path, 'numbers');
  await givenField(api, numbers.path, 'number', { dataType: 'integer' });
  await givenPolicy(api, model.path, { tableId: people.id });
  const sides = { leftTableId: people.id, leftAlias: 'people', rightTableId: numbers.id, rightAlias: 'numbers' };
  const { path } = await givenBlend(api, { name: 'counted', ...sides, keys: [{ left: 'one', right: 'number' }] });
  const reader = await givenReader(api, { role: 'viewer', attributes: { region: ['eu'] } });
  const reply = await executed(api, path, { rightColumns: ['number'] }, reader);
  expect(reply).toMatchObject({ rows: [[1], [1]], stats: { leftRows: 2, matchedLeft: 2 } });
});
