import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GroupJoin, groupParts, groupSql } from '../../../../shared/data/blends/group-sql.ts';
import { type JoinKey, keyedRows, SIDES, type Side, tableOf } from '../../../../shared/data/blends/join-sql.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { call, column } from '../../../../shared/data/expressions/index.ts';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groups-'));
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

interface Row {
  key: string | null;
  group: string | null;
  value: number | null;
}
type Rows = Record<Side, Row[]>;

const rows = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'A', ' b', 'b', 'c', null),
    group: fc.constantFrom('x', 'y', null),
    value: fc.option(fc.integer({ min: -50, max: 50 })),
  }),
  { maxLength: 9 },
);
const KEY: JoinKey = {
  ...{ as: 'text', caseInsensitive: true, trim: true },
  ...{ left: { column: 'k1', kind: 'text' }, right: { column: 'k1', kind: 'text' } },
};
const compared = ({ key }: Row) => key?.trim().toLowerCase() ?? null;

const AGGREGATES = ['SUM', 'COUNT', 'MIN', 'MAX', 'AVG'];
const value = column('n', 'integer');
const aggregateOf = (name: string) => call(name, [value], name === 'AVG' ? 'number' : 'integer');

/** The groups of a side as its source computes them. */
async function given(side: Side, all: readonly Row[], isGrouped: boolean): Promise<void> {
  const text = (each: string | null) => (each === null ? 'NULL' : `'${each}'`);
  const values = all.map(({ key, group, value: n }) => `(${text(key)}, ${text(group)}, ${n ?? 'NULL'})`).join(', ');
  const source = all.length > 0 ? `VALUES ${values}` : 'SELECT NULL, NULL, NULL LIMIT 0';
  const grouped = isGrouped ? 'g AS c1, ' : '';
  const sql = `SELECT ${grouped}k AS k1, sum(n) AS v1, count(n) AS v2, min(n) AS v3, max(n) AS v4 FROM (
    SELECT k::VARCHAR AS k, g::VARCHAR AS g, n::BIGINT AS n FROM (${source}) AS t(k, g, n)) GROUP BY k${isGrouped ? ', g' : ''}`;
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(side)} AS ${keyedRows(sql, side, [KEY])}`);
}

/** In each group of joined rows, each row of a side once. */
function reference(all: Rows, how: GroupJoin, by: readonly Side[]): unknown[][] {
  const pairs: Partial<Record<Side, Row>>[] = all.left.flatMap((left) =>
    all.right.flatMap((right) =>
      compared(left) !== null && compared(left) === compared(right) ? [{ left, right }] : [],
    ),
  );
  const alone = (side: Side) => all[side].filter((row) => !pairs.some((pair) => pair[side] === row));
  if (how === 'left' || how === 'full') pairs.push(...alone('left').map((left) => ({ left })));
  if (how === 'right' || how === 'full') pairs.push(...alone('right').map((right) => ({ right })));
  const groups = Map.groupBy(pairs, (pair) => JSON.stringify(by.map((side) => pair[side]?.group ?? null)));
  if (by.length === 0 && groups.size === 0) groups.set('[]', []);
  return [...groups].map(([group, members]) => [
    ...(JSON.parse(group) as unknown[]),
    ...SIDES.flatMap((side) => {
      const own = [...new Set(members.flatMap((pair) => pair[side] ?? []))];
      const found = own.flatMap((row) => row.value ?? []);
      const sum = found.reduce((one, other) => one + other, 0);
      if (found.length === 0) return [null, 0, null, null, null];
      return [sum, found.length, Math.min(...found), Math.max(...found), sum / found.length];
    }),
  ]);
}

const GROUP_NAMES = new Set<unknown>(['x', 'y', null]);
const sorted = (found: unknown[][]) =>
  found.map((row) => JSON.stringify(row.map((each) => (GROUP_NAMES.has(each) ? each : Number(each))))).sort();

describe('the groups of a blend', () => {
  it('equal those of the joined rows in which each row of a side counts once', async () => {
    const cases = fc.record({
      all: fc.record({ left: rows, right: rows }),
      how: fc.constantFrom<GroupJoin>('left', 'inner', 'full', 'right'),
      by: fc.subarray<Side>(['left', 'right']),
      totals: fc.constantFrom('none' as const, 'grand' as const, 'all' as const),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ all, how, by, totals }) => {
        for (const side of SIDES) await given(side, all[side], by.includes(side));
        const leaves = SIDES.flatMap((side) =>
          AGGREGATES.map((name) => {
            const aggregate = aggregateOf(name);
            return { side, aggregate, scope: { kind: 'group' } as const, node: aggregate };
          }),
        );
        const parts = groupParts(AGGREGATES.map(aggregateOf));
        const { sql, params } = groupSql(
          {
            keys: [KEY],
            join: how,
            sides: { left: { parts }, right: { parts } },
            dimensions: by.map((side) => ({ side, tree: column(`${side} g`, 'string'), label: `${side} g` })),
            measures: leaves.map(({ side, node }, index) => ({ side, tree: node, label: `m${index}` })),
            leaves,
            resultFilters: [],
            sort: [],
            ...(totals === 'all' ? {} : { limit: 100 }),
            totals,
          },
          { now: new Date(0), timezone: 'UTC' },
        );
        expect(params).toEqual([]);
        const levels = { none: [by.length], grand: [...new Set([0, by.length])], all: [...by.keys(), by.length] }[
          totals
        ];
        // The groups of each level are those of so many dimensions alone.
        const expected = levels.flatMap((level) =>
          reference(all, how, by.slice(0, level)).map((row) => [
            ...(totals === 'none' ? [] : [level]),
            ...row.slice(0, level),
            ...by.slice(level).map(() => null),
            ...row.slice(level),
          ]),
        );
        expect(sorted(await engine.run(sql))).toEqual(sorted(expected));
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
