import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, planOf, type Shape, sqlOf } from './support/ask.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const sale = (date: string | null, shop: string, amount: number, key = 0) => ({
  's.date': date,
  's.shop': shop,
  's.amount': amount,
  's.of_r': key,
});

const shape: Shape = {
  relationships: [],
  types: { 's.date': 'date', 's.shop': 'string' },
  tables: {
    s: [
      sale('2025-01-31', 'a', 5),
      sale('2025-02-28', 'a', 1),
      sale('2025-12-05', 'a', 10),
      sale('2025-12-06', 'b', 20),
      sale('2026-01-31', 'a', 30),
      sale('2026-02-01', 'b', 40),
      sale('2026-02-28', 'b', 2),
      sale(null, 'a', 100),
    ],
  },
};

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('sales', shape);
});
afterAll(() => engines.close());

const MONTH = "DATE_TRUNC('month', [s.date])";
const month = { position: 0, fieldId: 's.date', grain: 'month', isDense: false } as const;

/** The rows, which both engines must agree on; dates as texts. */
async function rowsOf(asked: Asked, schema = 'sales', of = shape): Promise<unknown[][]> {
  const [duckdb, postgres] = await Promise.all([
    engines.duckdb(sqlOf(schema, of, asked, 'duckdb')),
    engines.postgres(sqlOf(schema, of, asked, 'postgres')),
  ]);
  expect(postgres).toEqual(duckdb);
  return duckdb;
}

describe('PRIOR', () => {
  it('is the value of the period before, also where the filters leave that one out', async () => {
    const asked = {
      dimensions: [MONTH],
      time: month,
      measures: ['SUM([s.amount])', "PRIOR(SUM([s.amount]), 'month')"],
    };
    expect(await rowsOf({ ...asked, filters: ["[s.date] >= DATE '2026-01-01'"] })).toEqual([
      ['2026-01-01', 30, 30],
      ['2026-02-01', 42, 30],
    ]);
    expect(await rowsOf(asked)).toEqual([
      ['2025-01-01', 5, null],
      ['2025-02-01', 1, 5],
      ['2025-12-01', 30, null],
      ['2026-01-01', 30, 30],
      ['2026-02-01', 42, 30],
      [null, 100, null],
    ]);
  });

  it('compares ratios by their parts, with other dimensions, by years, and not in totals', async () => {
    const asked = {
      dimensions: ['[s.shop]', MONTH],
      time: { ...month, position: 1 },
      measures: [
        'DIVIDE(SUM([s.amount]), COUNT([s.amount]))',
        "PRIOR(DIVIDE(SUM([s.amount]), COUNT([s.amount])), 'year', 1)",
      ],
      filters: ["[s.date] >= DATE '2026-01-01'"],
      totals: 'all' as const,
    };
    expect(await rowsOf(asked)).toEqual([
      [0, null, null, 24, null],
      [1, 'a', null, 30, null],
      [1, 'b', null, 21, null],
      [2, 'a', '2026-01-01', 30, 5],
      [2, 'b', '2026-02-01', 21, null],
    ]);
  });

  it('needs a dimension of time whose periods make up the grain', () => {
    const problems = (asked: Asked) => {
      const plan = planOf('sales', shape, asked, 'duckdb');
      return 'problems' in plan ? plan.problems.map(({ code }) => code) : [];
    };
    const measures = ["PRIOR(SUM([s.amount]), 'month')"];
    expect(problems({ dimensions: ['[s.shop]'], measures })).toEqual([5005]);
    const year = { ...month, grain: 'year' as const };
    expect(problems({ dimensions: ["DATE_TRUNC('year', [s.date])"], time: year, measures })).toEqual([5005]);
  });
});

describe('TOTAL and SHARE', () => {
  it('are about all rows that the filters leave, by the parts of a ratio', async () => {
    const average = 'DIVIDE(SUM([s.amount]), COUNT([s.amount]))';
    const asked = {
      dimensions: ['[s.shop]'],
      measures: ['SHARE(SUM([s.amount]))', `TOTAL(${average})`, average],
      filters: ["[s.date] >= DATE '2025-12-01'"],
    };
    expect(await rowsOf(asked)).toEqual([
      ['a', 0.392156863, 20.4, 20],
      ['b', 0.607843137, 20.4, 20.666666667],
    ]);
    expect(await rowsOf({ measures: ['SHARE(COUNT(*))'] })).toEqual([[1]]);
  });
});

describe('CUMULATIVE', () => {
  it('accumulates over the periods, restarts with the grain, and skips rows without a date', async () => {
    const asked = {
      dimensions: [MONTH],
      time: month,
      measures: ['CUMULATIVE(SUM([s.amount]))', "CUMULATIVE(COUNT([s.amount]), 'year')", 'CUMULATIVE(MAX([s.amount]))'],
    };
    expect(await rowsOf(asked)).toEqual([
      ['2025-01-01', 5, 1, 5],
      ['2025-02-01', 6, 2, 5],
      ['2025-12-01', 36, 4, 20],
      ['2026-01-01', 66, 1, 30],
      ['2026-02-01', 108, 3, 40],
      [null, 100, 1, 100],
    ]);
  });
});

describe('dense time', () => {
  it('has every period from the first to the last, for each group of the other dimensions', async () => {
    const filters = ['[s.amount] >= 2 AND [s.amount] < 100 AND [s.amount] <> 5'];
    const dense = { ...month, isDense: true };
    const measures = ['SUM([s.amount])', 'COUNT([s.amount])', 'CUMULATIVE(SUM([s.amount]))'];
    expect(await rowsOf({ dimensions: [MONTH, '[s.shop]'], time: dense, measures, filters })).toEqual([
      ['2025-12-01', 'a', 10, 1, 10, 1],
      ['2025-12-01', 'b', 20, 1, 20, 1],
      ['2026-01-01', 'a', 30, 1, 40, 1],
      ['2026-01-01', 'b', null, 0, 20, 1],
      ['2026-02-01', 'a', null, 0, 40, 1],
      ['2026-02-01', 'b', 42, 2, 62, 1],
    ]);
    expect(
      await rowsOf({ dimensions: [MONTH], time: dense, measures: ["PRIOR(SUM([s.amount]), 'month')"] }),
    ).toHaveLength(15);
  });

  it('is left with gaps, and says so, where a stray date would make more than 10,000 rows', async () => {
    const first: Shape = { ...shape, tables: { s: [...shape.tables.s!, sale('0001-01-01', 'a', 7)] } };
    await engines.load('strays', first);
    const at = (grain: 'day' | 'week' | 'month' | 'quarter' | 'year') => ({
      dimensions: [`DATE_TRUNC('${grain}', [s.date])`],
      time: { ...month, grain, isDense: true },
      measures: ['COUNT([s.amount])', 'CUMULATIVE(COUNT([s.amount]))'],
      filters: ['[s.date] IS NOT NULL'],
    });
    const count = async (asked: Asked) => {
      const rows = await rowsOf(asked, 'strays');
      return [rows.length, rows.at(-1)!.at(-2), rows.at(-1)!.at(-1)];
    };
    expect(await count(at('day'))).toEqual([8, 8, 0]);
    expect(await count(at('week'))).toEqual([6, 8, 0]);
    expect(await count(at('month'))).toEqual([6, 8, 0]);
    expect(await count(at('quarter'))).toEqual([4 * 2025 + 1, 8, 1]);
    expect(await count(at('year'))).toEqual([2026, 8, 1]);
    // Two shops double the rows of the axis.
    const byShop = { ...at('quarter'), dimensions: [...at('quarter').dimensions, '[s.shop]'] };
    expect((await rowsOf(byShop, 'strays')).at(-1)!.at(-1)).toBe(0);
  });

  it('is empty where no row has a date', async () => {
    const dense = { ...month, isDense: true };
    const asked = { dimensions: [MONTH], time: dense, measures: ['SUM([s.amount])'] };
    expect(await rowsOf({ ...asked, filters: ['[s.date] IS NULL'] })).toEqual([[null, 100, 1]]);
    expect(await rowsOf({ ...asked, filters: ['[s.amount] > 1000'] })).toEqual([]);
  });
});

describe('hours of a zone with daylight saving', () => {
  const timezone = 'Europe/Berlin';
  /** On 2025-10-26 the hour from two to three comes twice, on 2025-03-30 not at all. */
  const clocks: Shape = {
    relationships: [],
    types: { 'c.at': 'datetime' },
    tables: {
      c: [
        ['2025-03-29 22:30:00+00', 1],
        ['2025-03-29 23:10:00+00', 2],
        ['2025-03-30 00:20:00+00', 4],
        ['2025-03-30 01:20:00+00', 8],
        ['2025-10-25 22:00:00+00', 16],
        ['2025-10-26 00:30:00+00', 32],
        ['2025-10-26 01:30:00+00', 64],
        ['2025-10-26 22:59:00+00', 128],
        ['2025-10-26 23:00:00+00', 256],
      ].map(([at, amount]) => ({ 'c.at': at!, 'c.amount': amount! })),
    },
  };
  beforeAll(() => engines.load('clocks', clocks));
  const hour = { position: 0, fieldId: 'c.at', grain: 'hour', isDense: false } as const;
  const asked = (isDense: boolean, filters: string[] = []): Asked => ({
    dimensions: ["DATE_TRUNC('hour', [c.at])"],
    time: { ...hour, isDense },
    measures: ['SUM([c.amount])', "CUMULATIVE(SUM([c.amount]), 'day')"],
    filters,
    timezone,
  });

  it('CUMULATIVE by day begins again at midnight there', async () => {
    const values = async (dialect: 'duckdb' | 'postgres') =>
      (await engines[dialect](sqlOf('clocks', clocks, asked(false), dialect))).map((row) => row.slice(1));
    const expected = [
      [1, 1],
      [2, 2],
      [4, 6],
      [8, 14],
      [16, 16],
      [32, 48],
      [64, 112],
      [128, 240],
      [256, 256],
    ];
    expect(await values('duckdb')).toEqual(expected);
    expect(await values('postgres')).toEqual(expected);
  });

  it('a dense axis has 23 hours on the shortest day of the year and 25 on the longest', async () => {
    const hours = async (from: string, dialect: 'duckdb' | 'postgres') => {
      const filters = [`[c.at] >= DATE '${from}'`, `[c.at] < DATE_ADD('day', 2, DATE '${from}')`];
      return engines[dialect](sqlOf('clocks', clocks, asked(true, filters), dialect));
    };
    for (const dialect of ['duckdb', 'postgres'] as const) {
      // From midnight to midnight, two days later.
      const spring = await hours('2025-03-29', dialect);
      expect(spring).toHaveLength(24 + 23);
      expect(spring.filter((row) => row[1] !== null)).toHaveLength(4);
      const autumn = await hours('2025-10-26', dialect);
      expect(autumn).toHaveLength(25 + 24);
      expect(autumn.filter((row) => row[1] !== null)).toHaveLength(5);
    }
  });
});

it('is the same text for the same question, and easy to read', () => {
  const asked = {
    dimensions: ['[s.shop]'],
    measures: ['SUM([s.amount])'],
    filters: ["[s.date] >= DATE '2026-01-01'", "[s.shop] IN ('a', 'it''s\n  b')"],
    sort: [{ position: 1, descending: true }],
    limit: 10,
  };
  expect(sqlOf('sales', shape, asked, 'postgres')).toBe(sqlOf('sales', shape, asked, 'postgres'));
  expect(sqlOf('sales', shape, asked, 'postgres')).toMatchInlineSnapshot(`
    "WITH
      "#leg_1" AS (
        SELECT
          d1,
          sum("i1") AS a1
        FROM (
          SELECT
            "s"."shop" AS d1,
            "s"."amount" AS i1
          FROM sales.s AS "s"
          WHERE ("s"."date" >= DATE '2026-01-01')
            AND ("s"."shop" IN ('a', 'it''s
      b'))
        ) AS joined
        GROUP BY d1
      )
    SELECT
      "d1" AS "[s.shop]",
      "a1" AS "SUM([s.amount])"
    FROM "#leg_1"
    ORDER BY 2 DESC NULLS LAST, "d1" COLLATE "C" ASC NULLS LAST
    LIMIT 10"
  `);
});
