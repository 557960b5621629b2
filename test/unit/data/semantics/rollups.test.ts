import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import { aggregatesOf, type DataType } from '../../../../shared/data/expressions/index.ts';
import { planRollup } from '../../../../shared/data/semantics/plan.ts';
import { rollupName } from '../../../../shared/data/semantics/rollup-sql.ts';
import type { Rollup, RollupTable } from '../../../../shared/data/semantics/rollup-table.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type Asked, modelOf, optionsOf, planOf, type Shape, sourceOf, treeOf } from './support/ask.ts';
import { sorted } from './support/expect-right.ts';
import { relation, shapeOf } from './support/random-shapes.ts';
import { loadTables } from './support/two-engines.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ memoryLimitMb: 300, threads: 1, tempDir: tmpdir() });
});
afterAll(() => engine.close());

/** Sales `f` with days, of shops `d` in cities `e`, and of products `g`. */
function starOf(seed: number, joinType: 'left' | 'inner' = 'left'): Shape {
  const shape = shapeOf(seed, ['f', 'd', 'e', 'g'], [relation('d>f', joinType), relation('e>d'), relation('g>f')]);
  const random = seededRandom(seed + 1000);
  const day = () => `2026-0${1 + Math.floor(random() * 4)}-${10 + Math.floor(random() * 18)}`;
  const times = () => ({
    'f.day': random() < 0.1 ? null : day(),
    'f.at': `${day()}T2${Math.floor(random() * 4)}:30:00Z`,
  });
  const f = Array.from({ length: 3 }, (_, copy) =>
    shape.tables.f!.map((row) => ({ ...row, 'f.key': Number(row['f.key']) + copy * 100, ...times() })),
  ).flat();
  const types: Record<string, DataType> = { 'f.day': 'date', 'f.at': 'datetime' };
  return { ...shape, tables: { ...shape.tables, f }, types };
}

const rollupOf = (shape: Shape, dimensions: readonly string[], measures: readonly string[], name = 'r'): Rollup => ({
  id: name,
  name,
  dimensions: dimensions.map((text) => treeOf(shape, 'row', text)),
  aggregates: measures.flatMap((text) => aggregatesOf(treeOf(shape, 'measure', text))),
});

function planned(schema: string, shape: Shape, asked: Asked) {
  const plan = planOf(schema, shape, asked, 'duckdb');
  if ('problems' in plan) throw new Error(plan.problems[0]!.message);
  return plan;
}

/** Computes the rollup as it is stored. */
async function build(schema: string, shape: Shape, table: RollupTable, timezone?: string): Promise<void> {
  const plan = planRollup(modelOf(shape), sourceOf(schema, shape), table, optionsOf('duckdb', timezone));
  if ('problems' in plan) throw new Error(plan.problems[0]!.message);
  await engine.run(`CREATE OR REPLACE TABLE ${quoteIdentifier(rollupName(table.rollup.id))} AS ${plan.sql}`);
}

const rowsOf = async (sql: string) => {
  const rows = await engine.run(sql);
  return sorted(
    rows.map((row) => row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : String(value)))),
  );
};

/** The rollup that a question uses, after comparing its answer with the one without rollups; otherwise the reason. */
async function usedBy(schema: string, shape: Shape, asked: Asked, rollup: Rollup): Promise<string> {
  const plan = planned(schema, shape, { ...asked, rollups: [rollup] });
  const [use] = plan.rollups.used.values();
  if (!use) return plan.rollups.unused[0]!.reason;
  await build(schema, shape, use.table, asked.timezone);
  const expected = await rowsOf(planned(schema, shape, asked).sql);
  expect(await rowsOf(plan.sql), plan.sql).toEqual(expected);
  const columns = (sql: string) => engine.describe(sql).then((all) => all.map(({ type }) => type));
  expect(await columns(plan.sql), plan.sql).toEqual(await columns(planned(schema, shape, asked).sql));
  return 'used';
}

describe('a rollup', () => {
  it('answers random questions as the tables do', async () => {
    let used = 0;
    for (let seed = 1; seed <= 15; seed += 1) {
      const random = seededRandom(seed);
      const some = <T>(items: readonly T[], share: number) => items.filter(() => random() < share);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
      const restricted = some(['d', 'e', 'g', 'f'], 0.15);
      const shape = { ...starOf(seed, pick(['left', 'left', 'inner'])), restricted };
      const schema = `rollup_${seed}`;
      await loadTables(engine, schema, shape);
      const dimensions = ['[f.group]', '[d.group]', '[e.group]', '[g.amount]'];
      const periods = [
        'DATE_TRUNC("month", [f.day])',
        'DATE_TRUNC("day", [f.day])',
        'DATE_TRUNC("week", [f.at])',
        '[f.day]',
      ];
      const measures = [
        'SUM([f.amount])',
        'COUNT([f.amount])',
        'AVG([f.amount])',
        'MIN([f.amount])',
        'MAX([f.amount])',
        'COUNT_DISTINCT([f.amount])',
        'SUM([f.amount]) FILTER (WHERE [f.amount] > 3)',
      ];
      const rollup = rollupOf(shape, [...some(dimensions, 0.7), pick(periods)], some(measures, 0.8));
      const asking = [
        'DATE_TRUNC("year", [f.day])',
        'DATE_TRUNC("month", [f.day])',
        '[f.day]',
        'DATE_TRUNC("week", [f.at])',
      ];
      const windows = ['SHARE(SUM([f.amount]))', 'TOTAL(COUNT([f.amount]))', 'SUM([f.amount]) / COUNT([f.amount])'];
      for (let question = 0; question < 8; question += 1) {
        const asked: Asked = {
          dimensions: [...some(dimensions, 0.25), ...(random() < 0.4 ? [pick(asking)] : [])],
          measures: [pick([...measures, ...windows]), pick(measures)],
          filters:
            random() < 0.5
              ? [pick(['[f.group] >= 1', '[e.group] = 2 OR [d.group] IS NULL', "[f.day] >= '2026-02-01'"])]
              : [],
          totals: pick(['none', 'grand', 'all']),
        };
        if ((await usedBy(schema, shape, asked, rollup)) === 'used') used += 1;
      }
    }
    expect(used).toBeGreaterThan(20);
  });

  it('says why it does not fit', async () => {
    const shape = starOf(5);
    await loadTables(engine, 'reasons', shape);
    const rollup = rollupOf(
      shape,
      ['[d.group]', 'DATE_TRUNC("month", [f.day])'],
      ['SUM([f.amount])', 'COUNT_DISTINCT([f.key])'],
    );
    const reason = (asked: Asked) => usedBy('reasons', shape, asked, rollup);
    expect(await reason({ measures: ['SUM([f.amount])'] })).toBe('used');
    expect(await reason({ dimensions: ['[e.group]'], measures: ['SUM([f.amount])'] })).toBe('it has no e.group');
    expect(await reason({ dimensions: ['[f.day]'], measures: ['SUM([f.amount])'] })).toBe('it has no f.day');
    expect(await reason({ measures: ['SUM([f.amount])'], filters: ['[f.group] = 1'] })).toBe('it has no f.group');
    expect(await reason({ measures: ['MAX([f.amount])'] })).toBe('it has no MAX of this kind');
    expect(await reason({ measures: ['COUNT([d.key])'] })).toBe('it aggregates f');
    expect(await reason({ measures: ['COUNT_DISTINCT([f.key])'] })).toMatch('does not follow');
    const same = ['[d.group]', 'DATE_TRUNC("month", [f.day])'];
    expect(await reason({ dimensions: same, measures: ['COUNT_DISTINCT([f.key])'] })).toBe('used');
    const prior = await reason({
      dimensions: ['DATE_TRUNC("month", [f.day])'],
      measures: ['PRIOR(SUM([f.amount]), "month")'],
      time: { position: 0, fieldId: 'f.day', grain: 'month', isDense: false },
    });
    expect(prior).toBe('used');
  });

  it('answers filters that begin and end with its periods, in the time zone of the question', async () => {
    const shape = starOf(7);
    const measures = ['SUM([f.amount])', 'COUNT([f.amount])'];
    await loadTables(engine, 'aligned', shape);
    const use = (text: string, filters: string[], timezone = 'UTC') =>
      usedBy(
        'aligned',
        shape,
        { dimensions: ['[d.group]'], measures, filters, timezone },
        rollupOf(shape, ['[d.group]', text], measures),
      );
    const month = 'DATE_TRUNC("month", [f.day])';
    for (const filters of [
      ["[f.day] >= DATE '2026-02-01'", "[f.day] < DATE '2026-04-01'"],
      ["[f.day] BETWEEN DATE '2026-02-01' AND DATE '2026-02-28'"],
      ["[f.day] > DATE '2026-01-31'", "[f.day] <= DATE '2026-03-31'"],
      ["DATE '2026-02-01' <= [f.day]"],
      ["NOT [f.day] < DATE '2026-03-01'"],
      ["[f.day] >= DATE '2026-04-01' OR [f.day] < DATE '2026-02-01'"],
      ["[f.day] >= '2026-01-01'"],
    ])
      expect(await use(month, filters), filters[0]!).toBe('used');
    for (const filters of [
      ["[f.day] >= DATE '2026-02-02'"],
      ["[f.day] <= DATE '2026-02-01'"],
      ["[f.day] > DATE '2026-02-01'"],
      ["[f.day] BETWEEN DATE '2026-02-01' AND DATE '2026-02-27'"],
      ["[f.day] = DATE '2026-02-01'"],
      ["[f.day] <> DATE '2026-02-01'"],
      ["[f.day] NOT BETWEEN DATE '2026-02-01' AND DATE '2026-02-28'"],
    ])
      expect(await use(month, filters), filters[0]!).toBe('it has no f.day');
    const day = 'DATE_TRUNC("day", [f.day])';
    expect(await use(day, ["[f.day] BETWEEN DATE '2026-02-02' AND DATE '2026-02-27'"])).toBe('used');
    const quarter = 'DATE_TRUNC("quarter", [f.day])';
    expect(await use(quarter, ["[f.day] < DATE '2026-04-01'"])).toBe('used');
    expect(await use(quarter, ["[f.day] < DATE '2026-03-01'"])).toBe('it has no f.day');
    const week = 'DATE_TRUNC("week", [f.at])';
    expect(await use(week, ["[f.at] >= DATE '2026-02-02'"])).toBe('used');
    expect(await use(week, ["[f.at] >= DATE '2026-02-01'"])).toBe('it has no f.at');
    const hour = 'DATE_TRUNC("hour", [f.at])';
    expect(await use(hour, ["[f.at] < DATETIME '2026-02-12T23:00:00Z'"])).toBe('used');
    expect(await use(hour, ["[f.at] < DATETIME '2026-02-12T23:30:00Z'"])).toBe('it has no f.at');
    const local = 'DATE_TRUNC("month", [f.at])';
    expect(await use(local, ["[f.at] < DATE '2026-04-01'"], 'Europe/Berlin')).toBe('used');
    expect(await use(local, ["[f.at] < DATETIME '2026-03-31T22:00:00Z'"], 'Europe/Berlin')).toBe('used');
    expect(await use(local, ["[f.at] < DATETIME '2026-04-01T00:00:00Z'"], 'Europe/Berlin')).toBe('it has no f.at');
    expect(await use(local, ["[f.at] <= DATETIME '2026-03-31T22:00:00Z'"], 'Europe/Berlin')).toBe('it has no f.at');
  });

  it('needs dimensions of which each row has one value, and measures of one table', async () => {
    const shape = starOf(6);
    const reason = (dimensions: string[], measures: string[]) =>
      usedBy('reasons', shape, { measures: ['SUM([f.amount])'] }, rollupOf(shape, dimensions, measures));
    expect(await reason(['[f.group]'], ['COUNT([d.key])'])).toMatch('several values of a dimension');
    expect(await reason(['[d.group]'], ['COUNT([d.key])', 'SUM([f.amount])'])).toMatch('several tables');
    expect(await reason(['[f.amount] * 2'], ['SUM([f.amount])'])).toMatch('calculated integer');
    expect(await reason(['[d.group]'], ['SUM([f.amount]) FILTER (WHERE [f.day] < TODAY())'])).toMatch(
      'time of the question',
    );
  });

  it('answers by fiscal periods if its own divide them', async () => {
    const shape = starOf(7);
    await loadTables(engine, 'rollup_fiscal', shape);
    const measures = ['SUM([f.amount])', 'COUNT([f.amount])'];
    const by = (unit: string, field: string) => `DATE_TRUNC("${unit}", [${field}])`;
    const used = (own: string, asked: string, timezone?: string) =>
      usedBy(
        'rollup_fiscal',
        shape,
        { dimensions: [asked], measures, ...(timezone && { timezone }) },
        rollupOf(shape, [own], measures),
      );
    const weeks = '@2 4-4-5 sunday nearest';
    for (const grain of ['fiscal_week', 'fiscal_period', 'fiscal_quarter', 'fiscal_year']) {
      expect(await used(by('day', 'f.day'), by(`${grain}${weeks}`, 'f.day')), grain).toBe('used');
      expect(await used(by('day', 'f.at'), by(`${grain}@4`, 'f.at'), 'Asia/Tokyo'), grain).toBe('used');
    }
    for (const grain of ['fiscal_period', 'fiscal_quarter', 'fiscal_year'])
      expect(await used(by('month', 'f.day'), by(`${grain}@4`, 'f.day')), grain).toBe('used');
    expect(await used(by('month', 'f.day'), by(`fiscal_period${weeks}`, 'f.day'))).toBe('it has no f.day');
    expect(await used(by('quarter', 'f.day'), by('fiscal_year@4', 'f.day'))).toBe('it has no f.day');
    expect(await used(by('week', 'f.day'), by('fiscal_year@4', 'f.day'))).toBe('it has no f.day');
  });
});
