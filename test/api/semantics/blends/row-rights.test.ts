import { describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { executed, givenBlend } from '../../../support/given/blend.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';
import {
  givenPolicy,
  givenProtected,
  givenReader,
  SECRET_COLUMN,
  SECRET_ROW,
} from '../../../support/given/protected.ts';

const wanted = { leftColumns: ['id', 'name'], rightColumns: ['id', 'name'], sort: [{ column: 'one.id' }] };

/** Joined with five rows that everyone sees, the protected side has these rows, also in the statistics. */
async function expectSeen(
  caller: Caller,
  { path, side, place, ids }: { path: string; side: 'left' | 'right'; place: string; ids: number[] },
): Promise<void> {
  const reply = await caller.post(`${path}/execute`, {
    ...{ leftColumns: ['id'], rightColumns: ['id'], [`${side}Columns`]: ['id', 'name'], joinType: 'full' },
  });
  expect(reply.status, `${place}: ${JSON.stringify(reply.body)}`).toBe(200);
  const at = reply.body.columns.findIndex(({ name }: { name: string }) => name.endsWith('.name')) - 1;
  const found = (reply.body.rows as (number | null)[][]).map((row) => row[at]).filter((id) => id !== null);
  expect(found.sort(), place).toEqual(ids);
  const [leftRows, rightRows] = side === 'left' ? [ids.length, 5] : [5, ids.length];
  expect(reply.body, place).toMatchObject({
    totalRows: 5,
    stats: {
      ...{ leftRows, rightRows, matchedLeft: ids.length },
      ...{ unmatchedLeft: leftRows - ids.length, unmatchedRight: rightRows - ids.length },
    },
  });
  if (!ids.some((id) => id > 3)) expect(JSON.stringify(reply.body), place).not.toContain(SECRET_ROW);
}

describe('a blend of protected tables', () => {
  it('shows each reader the rows of both sides that are theirs, also in its statistics', async ({ api }) => {
    const [left, right] = [await givenProtected(api, { name: 'people' }), await givenProtected(api, { name: 'staff' })];
    const eu = await givenReader(api, { attributes: { region: 'eu' } });
    const us = await givenReader(api, { attributes: { region: 'us' } });
    const both = await givenReader(api, { attributes: { region: ['eu', 'us'] } });
    const none = await givenReader(api);
    const sides = { leftTableId: left.table.id, leftAlias: 'one', rightTableId: right.table.id, rightAlias: 'other' };
    const { path } = await givenBlend(api, { name: 'both', ...sides, keys: [{ left: 'id', right: 'id' }] });
    const seen = async (caller: Caller, joinType: string) => {
      const reply = await caller.post(`${path}/execute`, { ...wanted, joinType });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    const expected: [Caller, number[]][] = [
      [eu.caller, [1, 2, 3]],
      [us.caller, [4, 5]],
      [both.caller, [1, 2, 3, 4, 5]],
      [none.caller, []],
      [api.as('owner'), []],
    ];
    for (const joinType of ['left', 'inner', 'full'])
      for (const [caller, ids] of expected) {
        const reply = await seen(caller, joinType);
        expect(reply.rows.map(([id]: unknown[]) => id)).toEqual(ids);
        expect(reply.stats).toMatchObject({
          ...{ leftRows: ids.length, rightRows: ids.length, matchedLeft: ids.length, unmatchedRight: 0 },
          maxMultiplicity: Math.min(1, ids.length),
        });
        if (!ids.includes(4)) expect(JSON.stringify(reply)).not.toContain(SECRET_ROW);
      }
    // Nor do those who ask after a reader with more rights.
    const again = await seen(eu.caller, 'full');
    expect(again.stats.cache).toBe('hit');
    expect(again.rowCount).toBe(3);
  });

  it('applies the policies of each side alone, and of every kind', async ({ api }) => {
    const [left, right] = [await givenProtected(api, { name: 'people' }), await givenProtected(api, { name: 'staff' })];
    const reader = await givenReader(api, { attributes: { region: 'eu' } });
    const sides = { leftTableId: left.table.id, leftAlias: 'one', rightTableId: right.table.id, rightAlias: 'other' };
    const { path } = await givenBlend(api, { name: 'both', ...sides, keys: [{ left: 'id', right: 'id' }] });
    const pairs = async () =>
      (await reader.caller.post(`${path}/execute`, { ...wanted, joinType: 'full', sort: [] })).body.rows
        .map(([id, , other]: unknown[]) => `${id}-${other}`)
        .sort();
    expect(await pairs()).toEqual(['1-1', '2-2', '3-3']);
    const subjects = [
      { filterExpression: '[id] = 4', appliesTo: [{ type: 'user', id: reader.userId }] },
      { filterExpression: '[id] = 5', appliesTo: [{ type: 'role', id: 'editor' }] },
    ];
    for (const policy of subjects) await givenPolicy(api, right.model.path, { tableId: right.table.id, ...policy });
    expect(await pairs()).toEqual(['1-1', '2-2', '3-3', 'null-4', 'null-5']);
    const group = (await api.as('owner').post('/api/groups', { name: 'Auditors' })).body;
    await api.as('owner').put(`/api/groups/${group.id}/members/${reader.userId}`);
    await givenPolicy(api, left.model.path, {
      tableId: left.table.id,
      ...{ filterExpression: '[id] = 5', appliesTo: [{ type: 'group', id: group.id }] },
    });
    expect(await pairs()).toEqual(['1-1', '2-2', '3-3', '5-5', 'null-4']);
  });

  it('shows of a protected side what each class of readers may see, whichever side it is', async ({ api }) => {
    const sql = `SELECT id, CASE WHEN id < 4 THEN 'eu' ELSE 'us' END AS region,
      CASE WHEN id < 4 THEN 'Ann' ELSE '${SECRET_ROW}' END AS name FROM (VALUES (1), (2), (3), (4), (5)) AS t(id)`;
    const givenSide = async (name: string) => {
      await givenDataset(api, { name, sql });
      const model = await givenModel(api, { name: `Model of ${name}` });
      const table = await givenTable(api, model.path, name);
      await givenField(api, table.path, 'id', { dataType: 'integer' });
      for (const field of ['region', 'name']) await givenField(api, table.path, field);
      return { model, id: table.id };
    };
    const readers = {
      eu: await givenReader(api, { attributes: { region: 'eu' } }),
      us: await givenReader(api, { attributes: { region: 'us' } }),
      both: await givenReader(api, { attributes: { region: ['eu', 'us'] } }),
      other: await givenReader(api, { attributes: { region: 'jp' } }),
      none: await givenReader(api),
      viewer: await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } }),
      member: await givenReader(api),
      named: await givenReader(api),
    };
    type Class = keyof typeof readers;
    const group = (await api.as('owner').post('/api/groups', { name: 'Auditors' })).body;
    await api.as('owner').put(`/api/groups/${group.id}/members/${readers.member.userId}`);
    const policies: { name: string; policy: object; seen: Partial<Record<Class, number[]>> }[] = [
      {
        name: 'attribute',
        policy: { appliesTo: [{ type: 'everyone' }] },
        seen: { eu: [1, 2, 3], us: [4, 5], both: [1, 2, 3, 4, 5], viewer: [1, 2, 3] },
      },
      {
        name: 'role',
        policy: { filterExpression: '[id] < 3', appliesTo: [{ type: 'role', id: 'viewer' }] },
        seen: { viewer: [1, 2] },
      },
      {
        name: 'group',
        policy: { filterExpression: '[id] >= 3', appliesTo: [{ type: 'group', id: group.id }] },
        seen: { member: [3, 4, 5] },
      },
      {
        name: 'user',
        policy: { filterExpression: '[id] = 5', appliesTo: [{ type: 'user', id: readers.named.userId }] },
        seen: { named: [5] },
      },
    ];
    const open = await givenSide('open_rows');
    for (const { name, policy, seen } of policies) {
      const own = await givenSide(`by_${name}`);
      await givenPolicy(api, own.model.path, { tableId: own.id, ...policy });
      for (const side of ['left', 'right'] as const) {
        const [left, right] = side === 'left' ? [own, open] : [open, own];
        const { path } = await givenBlend(api, {
          name: `${name} ${side}`,
          ...{ leftTableId: left.id, leftAlias: 'one', rightTableId: right.id, rightAlias: 'other' },
          keys: [{ left: 'id', right: 'id' }],
        });
        for (const [reader, { caller }] of Object.entries(readers)) {
          const place = `${name}, ${side}, ${reader}`;
          await expectSeen(caller, { path, side, place, ids: seen[reader as Class] ?? [] });
        }
      }
    }
  });

  it('keeps hidden columns out of columns, filters, keys and errors', async ({ api }) => {
    const { table, field } = await givenProtected(api);
    const reader = await givenReader(api, { attributes: { region: 'eu' } });
    const cleared = await givenReader(api, { attributes: { region: 'eu', sensitivityLabels: 'Private' } });
    const sides = { leftTableId: table.id, leftAlias: 'one', rightTableId: table.id, rightAlias: 'other' };
    const { path } = await givenBlend(api, { name: 'by id', ...sides, keys: [{ left: 'id', right: 'id' }] });
    const denied = async (request: object) => {
      const reply = await reader.caller.post(`${path}/execute`, { leftColumns: ['id'], rightColumns: [], ...request });
      expect(JSON.stringify(reply.body)).not.toContain(SECRET_COLUMN);
      return [reply.status, ...issuesOf(reply)];
    };
    expect(await denied({ leftColumns: ['salary'] })).toEqual([400, '/leftColumns/0 2004']);
    expect(await denied({ rightColumns: ['salary'] })).toEqual([400, '/rightColumns/0 2004']);
    expect(await denied({ rightFilters: [{ fieldId: field.salary, op: 'not_null' }] })).toEqual([
      400,
      '/rightFilters/0/fieldId 2004',
    ]);
    const own = { name: 'by salary', ...sides, keys: [{ left: 'salary', right: 'salary' }] };
    const rejected = await api.as('editor').post('/api/composite-models', own);
    expect([rejected.status, ...issuesOf(rejected)]).toEqual([400, '/keys/0/left 2004']);
    const shown = await executed(api, path, { leftColumns: ['salary'], sort: [{ column: 'one.salary' }] }, cleared);
    expect(shown.rows).toEqual([['10'], ['20'], [SECRET_COLUMN]]);
  });

  it('fails as its side where its policies cannot be evaluated, and shows no value', async ({ api }) => {
    const { table, model } = await givenProtected(api);
    const reader = await givenReader(api, { attributes: { region: 'eu' } });
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: 'TO_NUMBER([name]) > 1' });
    const sides = { leftTableId: table.id, leftAlias: 'one', rightTableId: table.id, rightAlias: 'other' };
    const { path } = await givenBlend(api, { name: 'by id', ...sides, keys: [{ left: 'id', right: 'id' }] });
    const reply = await reader.caller.post(`${path}/execute`, { leftColumns: ['id'], rightColumns: [] });
    expect(JSON.stringify(reply.body)).not.toContain(SECRET_ROW);
    expect([200, 400]).toContain(reply.status);
    if (reply.status === 400)
      expect(reply.body).toMatchObject({ code: 'BLEND_SIDE_FAILED', side: 'left', reason: 'RLS_ERROR' });
  });
});
