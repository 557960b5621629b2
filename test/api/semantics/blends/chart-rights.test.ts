import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenBlend } from '../../../support/given/blend.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenLabel, givenPolicy, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenShare, publish, readerOf } from '../../../support/given/shares.ts';

const SQL = `SELECT id, CASE WHEN id < 4 THEN 'eu' ELSE 'us' END AS region,
  CASE WHEN id < 4 THEN 'Ann ' || id ELSE '${SECRET_ROW} ' || id END AS name,
  CASE WHEN id = 3 THEN '${SECRET_COLUMN}' ELSE 'low' END AS salary, 1000 * id AS points
  FROM (VALUES (1), (2), (3), (4), (5)) AS t(id)`;

async function givenSide(api: Api, name: string) {
  await givenDataset(api, { name, sql: SQL });
  const model = await givenModel(api, { name: `Model of ${name}` });
  const { id, path } = await givenTable(api, model.path, name);
  const field = async (column: string, more: object = {}) => givenField(api, path, column, more);
  return {
    ...{ model, id, path },
    key: await field('id', { dataType: 'integer' }),
    region: await field('region'),
    name: await field('name'),
    salary: await field('salary'),
    points: await field('points', { fieldType: 'measure', dataType: 'integer' }),
  };
}
type GivenSide = Awaited<ReturnType<typeof givenSide>>;

/** A published dashboard with a card of a blend: a total of the points of both sides, and their names. */
async function givenBlendCards(api: Api, left: GivenSide, right: GivenSide) {
  const blend = await givenBlend(api, {
    name: `Blend ${crypto.randomUUID()}`,
    ...{ leftTableId: left.id, leftAlias: 'one', rightTableId: right.id, rightAlias: 'other' },
    keys: [{ left: 'id', right: 'id' }],
  });
  const query = {
    source: { kind: 'blend', id: blend.id },
    joinType: 'full',
    measures: [left, right].map(({ points }, at) => ({ fieldId: points, aggregation: 'sum', label: `p${at}` })),
  };
  const named = { ...query, dimensions: [{ fieldId: left.name }, { fieldId: right.name }] };
  const cards = await givenCards(api, [card('total', chart(query)), card('names', chart(named))]);
  return { ...cards, blend };
}

const sumOf = (ids: readonly number[]) => (ids.length === 0 ? null : `${ids.reduce((sum, id) => sum + 1000 * id, 0)}`);

/** The open side shows all of its rows, and the protected one those that the reader sees. */
async function expectSeen(
  caller: Caller,
  { path, side, place, ids }: { path: string; side: 'left' | 'right'; place: string; ids: number[] },
): Promise<void> {
  const at = side === 'left' ? 0 : 1;
  const total = await caller.post(`${path}/cards/total/data`, {});
  expect(total.status, `${place}: ${JSON.stringify(total.body)}`).toBe(200);
  expect([total.body.rows[0][at], total.body.rows[0][1 - at]], place).toEqual([sumOf(ids), '15000']);
  const names = await caller.post(`${path}/cards/names/data`, {});
  const shown = (names.body.rows as (string | null)[][]).flatMap((row) => row[at] ?? []);
  expect(shown.map((text) => Number(text.at(-1))).sort(), place).toEqual(ids);
  if (!ids.some((id) => id > 3)) expect(shown.join(), place).not.toContain(SECRET_ROW);
}

describe('a card of a blend of protected tables', () => {
  it('shows each class of readers only its rows, whichever side is protected', async ({ api }) => {
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
    const open = await givenSide(api, 'open_rows');
    for (const { name, policy, seen } of policies) {
      const own = await givenSide(api, `by_${name}`);
      await givenPolicy(api, own.model.path, { tableId: own.id, ...policy });
      for (const side of ['left', 'right'] as const) {
        const [left, right] = side === 'left' ? [own, open] : [open, own];
        const { path } = await givenBlendCards(api, left, right);
        await publish(api, path);
        for (const [reader, { caller }] of Object.entries(readers)) {
          const place = `${name}, ${side}, ${reader}`;
          await expectSeen(caller, { path, side, place, ids: seen[reader as Class] ?? [] });
        }
      }
    }
  });

  it('keeps fields and keys with a label from readers without it', async ({ api }) => {
    const [left, right] = [await givenSide(api, 'one_side'), await givenSide(api, 'other_side')];
    await givenLabel(api, right.path, right.salary, 'Private');
    const reader = await givenReader(api);
    const cleared = await givenReader(api, { attributes: { sensitivityLabels: 'Private' } });
    const { blend, path } = await givenBlendCards(api, left, right);
    const salaries = {
      source: { kind: 'blend', id: blend.id },
      dimensions: [{ fieldId: right.salary, label: 'Salary' }],
    };
    await api.as('owner').post(`${path}/cards`, card('salaries', chart(salaries)));
    const read = (caller: Caller, body: object = {}, at = 'salaries') => caller.post(`${path}/cards/${at}/data`, body);
    const denied = await read(reader.caller);
    expect([denied.status, denied.body.code]).toEqual([400, 'CHART_SPEC_INVALID']);
    const filtered = await read(
      reader.caller,
      { filters: [{ fieldId: right.salary, op: 'eq', values: ['low'] }] },
      'total',
    );
    expect(filtered.status).toBe(400);
    expect(JSON.stringify([denied.body, filtered.body])).not.toContain(SECRET_COLUMN);
    expect((await read(cleared.caller)).body.rows).toEqual([[SECRET_COLUMN], ['low']]);
    // A reader who may not use a key does not see what it joins.
    await givenLabel(api, left.path, left.key, 'Private');
    const joined = await read(reader.caller, {}, 'total');
    expect([joined.status, joined.body.code]).toEqual([422, 'QUESTION_UNANSWERABLE']);
    expect((await read(cleared.caller, {}, 'total')).status).toBe(200);
  });

  it('is shown by links only to readers with attributes, whatever becomes of the blend', async ({ api }) => {
    const open = [await givenSide(api, 'first_open'), await givenSide(api, 'second_open')] as const;
    const own = await givenSide(api, 'protected_side');
    const { path, id, blend } = await givenBlendCards(api, ...open);
    await publish(api, path);
    const { token } = await givenShare(api, id);
    const read = () => readerOf(api, token).post('card-data', { cardId: 'total' });
    const before = await read();
    expect(before, JSON.stringify(before.body)).toMatchObject({ status: 200, body: { rows: [['15000', '15000']] } });
    // Someone edits the blend, so that it reads a table of which the readers of the link may see nothing.
    await givenPolicy(api, own.model.path, { tableId: own.id });
    const changed = {
      ...{ name: 'Changed', leftTableId: open[0].id, leftAlias: 'one', rightTableId: own.id, rightAlias: 'other' },
      keys: [{ left: 'id', right: 'id' }],
    };
    expect((await api.as('editor').put(blend.path, changed)).status).toBe(200);
    const after = await read();
    expect([after.status, after.body.code]).toEqual([409, 'RLS_SHARE_REQUIRED']);
    expect(JSON.stringify(after.body)).not.toContain(SECRET_ROW);
  });
});
