import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { executed, givenBlend } from '../../../support/given/blend.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

type Row = [key: string | null, value: number];

/** How many rows of each key the sides have. */
const SHAPES: Record<string, { left: Row[]; right: Row[] }> = {
  'one to one': { left: rowsOf('1', '2'), right: rowsOf('1', '2') },
  'one to many': { left: rowsOf('1', '2'), right: rowsOf('1', '1', '2') },
  'many to one': { left: rowsOf('1', '1', '2'), right: rowsOf('1') },
  'many to many': { left: rowsOf('1', '1', '2'), right: rowsOf('1', '1', '1', '2') },
  'no match': { left: rowsOf('1'), right: rowsOf('2') },
  nulls: { left: rowsOf(null, '1', null), right: rowsOf(null, '1') },
  'keys that do not convert': { left: rowsOf('x', '1'), right: rowsOf('x', 'y', '1') },
  'a side without rows': { left: rowsOf('1', '2'), right: [] },
};

function rowsOf(...keys: (string | null)[]): Row[] {
  return keys.map((key, index) => [key, index + 1]);
}

const isMatch = ([left]: Row, [right]: Row): boolean => left !== null && left === right && /^\d+$/.test(left);

const AGGREGATES: Record<string, (values: readonly number[]) => number> = {
  count: (values) => values.length,
  distinct: (values) => new Set(values).size,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  least: (values) => Math.min(...values),
  most: (values) => Math.max(...values),
};
const aggregated = (values: readonly number[]) =>
  Object.fromEntries(Object.entries(AGGREGATES).map(([name, aggregate]) => [name, aggregate(values)]));

const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

async function givenSide(api: Api, name: string, sql: string | string[], integers: readonly string[]) {
  await givenDataset(api, { name, sql });
  const model = await givenModel(api, { name: `Model of ${name}` });
  const table = await givenTable(api, model.path, name);
  const fields: Record<string, string> = {};
  for (const field of integers) fields[field] = await givenField(api, table.path, field, { dataType: 'integer' });
  return { ...table, fields };
}

describe('the sides of a blend', () => {
  it('join as a comparison row by row does, and say where aggregates of the left side would be wrong', async ({
    api,
  }) => {
    const sideOf = async (side: 'left' | 'right') => {
      const values = Object.entries(SHAPES).flatMap(([shape, rows]) =>
        rows[side].map(([key, value]) => `('${shape}', ${key === null ? 'NULL' : `'${key}'`}, ${value})`),
      );
      const sql = `SELECT shape, k, v::BIGINT AS v FROM (VALUES ${values.join(', ')}) AS t(shape, k, v)`;
      const table = await givenSide(api, `${side}_rows`, sql, ['v']);
      await givenField(api, table.path, 'k');
      return { ...table, shape: await givenField(api, table.path, 'shape') };
    };
    const [one, other] = [await sideOf('left'), await sideOf('right')];
    const { path } = await givenBlend(api, {
      name: 'shapes',
      ...{ leftTableId: one.id, leftAlias: 'one', rightTableId: other.id, rightAlias: 'other' },
      keys: [{ left: 'k', right: 'k', as: 'integer' }],
    });
    for (const [shape, { left, right }] of Object.entries(SHAPES)) {
      const pairs = left.flatMap((each) => right.flatMap((match) => (isMatch(each, match) ? [[each, match]] : [])));
      const alone = (rows: Row[], at: number) => rows.filter((row) => !pairs.some((pair) => pair[at] === row));
      const matched = pairs.map(([each, match]) => [each![1], match![1]]);
      const leftAlone = alone(left, 0).map(([, value]) => [value, null]);
      const rightAlone = alone(right, 1).map(([, value]) => [null, value]);
      const expected = {
        inner: matched,
        left: [...matched, ...leftAlone],
        full: [...matched, ...leftAlone, ...rightAlone],
      };
      const filterOf = (fieldId: string) => [{ fieldId, op: 'eq', values: [shape] }];
      for (const [joinType, rows] of Object.entries(expected)) {
        const reply = await executed(api, path, {
          ...{ joinType, leftColumns: ['v'], rightColumns: ['v'] },
          ...{ leftFilters: filterOf(one.shape), rightFilters: filterOf(other.shape) },
        });
        expect(sorted(reply.rows), `${shape}, ${joinType}`).toEqual(sorted(rows));
        expect(reply, shape).toMatchObject({
          totalRows: rows.length,
          stats: {
            ...{ leftRows: left.length, rightRows: right.length },
            ...{ unmatchedLeft: leftAlone.length, unmatchedRight: rightAlone.length },
          },
        });
        if (joinType !== 'left') continue;
        const joined = aggregated(reply.rows.map(([value]: number[]) => value));
        expect(joined).toEqual(aggregated(expected.left.map(([value]) => value!)));
        const isWarned = reply.warnings.some(({ code }: { code: string }) => code === 'FAN_OUT');
        const isRight = joined.sum === aggregated(left.map(([, value]) => value)).sum;
        expect(isWarned, shape).toBe(!isRight);
      }
    }
  });

  it('each see the files that they need of a table that both read', async ({ api }) => {
    const numbers = (from: number, to: number) => `SELECT i::BIGINT AS n FROM range(${from}, ${to}) AS t(i)`;
    const parts = await givenSide(api, 'parts', [numbers(0, 10), numbers(10, 20)], ['n']);
    const { path } = await givenBlend(api, {
      name: 'parts',
      ...{ leftTableId: parts.id, leftAlias: 'one', rightTableId: parts.id, rightAlias: 'other' },
      keys: [{ left: 'n', right: 'n' }],
    });
    const wanted = async (leftBelow: number, rightFrom: number) => {
      const reply = await executed(api, path, {
        ...{ leftColumns: ['n'], rightColumns: ['n'], joinType: 'full' },
        leftFilters: [{ fieldId: parts.fields.n, op: 'lt', values: [leftBelow] }],
        rightFilters: [{ fieldId: parts.fields.n, op: 'gte', values: [rightFrom] }],
      });
      const { leftRows, rightRows, matchedLeft } = reply.stats;
      return { leftRows, rightRows, matchedLeft, rows: reply.rowCount };
    };
    expect(await wanted(5, 15)).toEqual({ leftRows: 5, rightRows: 5, matchedLeft: 0, rows: 10 });
    expect(await wanted(15, 5)).toEqual({ leftRows: 15, rightRows: 15, matchedLeft: 10, rows: 20 });
  });

  it('are named where a row of theirs cannot be computed', async ({ api }) => {
    const one = await givenSide(api, 'good', 'SELECT 1::BIGINT AS id, 2::BIGINT AS n', ['id', 'n']);
    const rows = 'SELECT i::BIGINT AS id, i * 4611686018427387904 AS n FROM (VALUES (1), (0)) AS t(i)';
    const other = await givenSide(api, 'bad', rows, ['id', 'n']);
    for (const { path } of [one, other])
      await givenField(api, path, 'double', {
        ...{ fieldType: 'calculated', dataType: 'integer', expression: '[n] * 4' },
      });
    const sides = { leftTableId: one.id, leftAlias: 'one', rightTableId: other.id, rightAlias: 'other' };
    const turned = { leftTableId: other.id, leftAlias: 'other', rightTableId: one.id, rightAlias: 'one' };
    const keys = [{ left: 'id', right: 'id' }];
    for (const [name, body, side] of [
      ['right', sides, 'right'],
      ['left', turned, 'left'],
    ] as const) {
      const { path } = await givenBlend(api, { name, ...body, keys });
      const failed = await api
        .as('viewer')
        .post(`${path}/execute`, { leftColumns: ['double'], rightColumns: ['double'] });
      expect(failed, JSON.stringify(failed.body)).toMatchObject({
        status: 400,
        body: { code: 'BLEND_SIDE_FAILED', side },
      });
      expect((await executed(api, path, { leftColumns: ['id'], rightColumns: ['id'] })).rows[0]).toEqual([1, 1]);
    }
  });

  it('have at most a million rows', async ({ api }) => {
    const rows = 'SELECT i::BIGINT AS id FROM range(1000001) AS t(i)';
    const large = await givenSide(api, 'large', rows, ['id']);
    const small = await givenSide(api, 'small', 'SELECT 7::BIGINT AS id', ['id']);
    const { path } = await givenBlend(api, {
      name: 'large',
      ...{ leftTableId: small.id, leftAlias: 'small', rightTableId: large.id, rightAlias: 'large' },
      keys: [{ left: 'id', right: 'id' }],
    });
    const wanted = { leftColumns: ['id'], rightColumns: ['id'] };
    expect(await api.as('viewer').post(`${path}/execute`, wanted)).toMatchObject({
      status: 400,
      body: { code: 'BLEND_TOO_LARGE', side: 'right', rows: 1_000_001 },
    });
    const filtered = { ...wanted, rightFilters: [{ fieldId: large.fields.id, op: 'gt', values: [0] }] };
    expect(await executed(api, path, filtered)).toMatchObject({ rows: [[7, 7]], stats: { rightRows: 1_000_000 } });
  });
});
