import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  JOINS,
  type Join,
  type JoinKey,
  joinSql,
  keyedRows,
  overViews,
  rowCount,
  type Side,
  STATISTICS,
  statisticsSql,
  tableOf,
} from '../../../../shared/data/blends/join-sql.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joins-'));
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

type Row = [key: string | null, value: number];

/** How many rows of each key the sides have: one and many, none, nulls, keys that do not convert. */
const SHAPES: Record<string, { left: Row[]; right: Row[] }> = {
  'one to one': {
    left: [
      ['1', 1],
      ['2', 2],
    ],
    right: [
      ['1', 10],
      ['2', 20],
    ],
  },
  'one to many': {
    left: [
      ['1', 1],
      ['2', 2],
    ],
    right: [
      ['1', 10],
      ['1', 11],
      ['2', 20],
    ],
  },
  'many to one': {
    left: [
      ['1', 1],
      ['1', 2],
      ['2', 3],
    ],
    right: [['1', 10]],
  },
  'many to many': {
    left: [
      ['1', 1],
      ['1', 2],
      ['2', 3],
    ],
    right: [
      ['1', 10],
      ['1', 11],
      ['1', 12],
      ['2', 20],
    ],
  },
  'no match': { left: [['1', 1]], right: [['2', 10]] },
  nulls: {
    left: [
      [null, 1],
      ['1', 2],
      [null, 3],
    ],
    right: [
      [null, 10],
      ['1', 11],
    ],
  },
  'keys that do not convert': {
    left: [
      ['x', 1],
      ['1', 2],
    ],
    right: [
      ['x', 10],
      ['y', 11],
      ['1', 12],
    ],
  },
  'a side without rows': {
    left: [
      ['1', 1],
      ['2', 2],
    ],
    right: [],
  },
};

const keyOf = (matchNulls: boolean): JoinKey => ({
  ...{ as: 'integer', matchNulls },
  ...{ left: { column: 'k', kind: 'text' }, right: { column: 'k', kind: 'text' } },
});

const converted = (key: string | null): number | null => (key !== null && /^\d+$/.test(key) ? Number(key) : null);
const isMatch = (left: Row, right: Row, matchNulls: boolean): boolean =>
  (matchNulls && left[0] === null && right[0] === null) ||
  (converted(left[0]) !== null && converted(left[0]) === converted(right[0]));

function joined({ left, right }: { left: Row[]; right: Row[] }, how: Join, matchNulls: boolean) {
  const pairs = left.flatMap((one) =>
    right.flatMap((other) => (isMatch(one, other, matchNulls) ? [[one, other]] : [])),
  );
  const alone = (rows: Row[], at: 0 | 1) => rows.filter((row) => !pairs.some((pair) => pair[at] === row));
  const rows = [
    ...pairs.map(([one, other]) => [one![1], other![1]]),
    ...(how === 'inner' ? [] : alone(left, 0).map((row) => [row[1], null])),
    ...(how === 'full' ? alone(right, 1).map((row) => [null, row[1]]) : []),
  ];
  return { rows, pairs };
}

async function given(side: Side, rows: Row[], keys: JoinKey[]): Promise<void> {
  const values = rows.map(([key, value]) => `(${key === null ? 'NULL' : `'${key}'`}, ${value})`);
  const empty = 'SELECT NULL::VARCHAR AS k, NULL::BIGINT AS v LIMIT 0';
  const sql =
    rows.length > 0 ? `SELECT k::VARCHAR AS k, v::BIGINT AS v FROM (VALUES ${values.join(', ')}) AS t(k, v)` : empty;
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(side)} AS ${keyedRows(sql, side, keys)}`);
}

const sorted = (rows: unknown[][]) =>
  rows.map((row) => JSON.stringify(row.map((v) => (v === null ? null : Number(v))))).sort();

describe('the join of a blend', () => {
  describe.each(Object.entries(SHAPES))('of %s', (_shape, { left, right }) => {
    it.each(JOINS.flatMap((how) => [false, true].map((matchNulls) => ({ how, matchNulls }))))(
      'has the rows of a comparison row by row: $how, nulls $matchNulls',
      async ({ how, matchNulls }) => {
        const keys = [keyOf(matchNulls)];
        await given('left', left, keys);
        await given('right', right, keys);
        const columns = [
          { side: 'left', column: 'v', name: 'a' },
          { side: 'right', column: 'v', name: 'b' },
        ] as const;
        const expected = joined({ left, right }, how, matchNulls);
        expect(sorted(await engine.run(joinSql(keys, { columns, join: how, sort: [] })))).toEqual(
          sorted(expected.rows),
        );
        const [row = []] = await engine.run(statisticsSql(keys));
        const count = (rows: Row[], test: (row: Row) => boolean) => rows.filter(test).length;
        const repeats = (rows: Row[]) => {
          const able = rows.flatMap(([key]) =>
            key === null ? (matchNulls ? ['null'] : []) : [converted(key)].filter((each) => each !== null).map(String),
          );
          return Math.max(0, ...[...Map.groupBy(able, (key) => key).values()].map((each) => each.length));
        };
        const most = left.map((one) => count(right, (other) => isMatch(one, other, matchNulls)));
        expect(Object.fromEntries(STATISTICS.map((name, at) => [name, Number(row[at])]))).toEqual({
          leftRows: left.length,
          rightRows: right.length,
          leftNullKeys: count(left, ([key]) => key === null),
          rightNullKeys: count(right, ([key]) => key === null),
          leftUnconverted: count(left, ([key]) => key !== null && converted(key) === null),
          rightUnconverted: count(right, ([key]) => key !== null && converted(key) === null),
          matchedLeft: new Set(expected.pairs.map(([one]) => one)).size,
          matchedRight: new Set(expected.pairs.map(([, other]) => other)).size,
          leftMultiplicity: repeats(left),
          rightMultiplicity: repeats(right),
          maxMultiplicity: Math.max(0, ...most),
          pairs: expected.pairs.length,
        });
      },
    );
  });

  it('compares every key, and puts the rows in the order that is wanted, without a value last', async () => {
    const keys: JoinKey[] = [
      { as: 'integer', left: { column: 'k', kind: 'text' }, right: { column: 'k', kind: 'text' } },
      { as: 'integer', left: { column: 'v', kind: 'integer' }, right: { column: 'v', kind: 'integer' } },
    ];
    await given(
      'left',
      [
        ['1', 1],
        ['1', 2],
        ['2', 1],
      ],
      keys,
    );
    await given(
      'right',
      [
        ['1', 2],
        ['1', 3],
        ['2', 1],
      ],
      keys,
    );
    const columns = [
      { side: 'left', column: 'v', name: 'a' },
      { side: 'right', column: 'k', name: 'b' },
    ] as const;
    const sort = [{ position: 1, descending: true }];
    expect(await engine.run(joinSql(keys, { columns, join: 'left', sort }))).toEqual([
      ['1', '2'],
      ['2', '1'],
      ['1', null],
    ]);
  });

  it('reads views with parameters of their own as it reads tables', async () => {
    const keys = [keyOf(false)];
    const { left, right } = SHAPES['many to many']!;
    await given('left', left, keys);
    await given('right', right, keys);
    const columns = [
      { side: 'left', column: 'v', name: 'a' },
      { side: 'right', column: 'v', name: 'b' },
    ] as const;
    const join = joinSql(keys, { columns, join: 'full', sort: [] });
    const view = (side: Side, rows: Row[]) => {
      const values = rows.map(([key, value]) => `('${key}', ${value})`).join(', ');
      const sql = `SELECT k, v FROM (VALUES ${values}) AS t(k, v) WHERE v < $2::BIGINT AND k <> $1 AND '$1' <> k /* $1 */`;
      return { sql: keyedRows(sql, side, keys), params: ['no key', side === 'left' ? '10' : '100'] };
    };
    const views = { left: view('left', left), right: view('right', right) };
    const run = ({ sql, params }: ReturnType<typeof overViews>) => engine.run(sql, params);
    const [ofViews, ofTables] = [await run(overViews(join, views)), await run(overViews(join, {}))];
    expect(sorted(ofViews)).toEqual(sorted(ofTables));
    expect(ofViews).not.toEqual([]);
    expect(await run(overViews(join, { right: views.right }))).toHaveLength(ofTables.length);
    const statistics = statisticsSql(keys);
    expect(await run(overViews(statistics, views))).toEqual(await run(overViews(statistics, {})));
    const counted = rowCount(views.right, 3);
    expect(await engine.run(counted.sql, counted.params)).toEqual([['3']]);
  });
});
