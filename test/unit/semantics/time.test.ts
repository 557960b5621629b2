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
async function rowsOf(asked: Asked): Promise<unknown[][]> {
  const [duckdb, postgres] = await Promise.all([
    engines.duckdb(sqlOf('sales', shape, asked, 'duckdb')),
    engines.postgres(sqlOf('sales', shape, asked, 'postgres')),
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
      [null, 100, 100],
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
    expect(problems({ dimensions: [MONTH], time: month, measures: ['CUMULATIVE(AVG([s.amount]))'] })).toEqual([5006]);
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
  it('runs over the periods, begins anew with the grain, and leaves out what has no date', async () => {
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
    const filters = ["[s.date] >= DATE '2025-11-01'"];
    const dense = { ...month, isDense: true };
    const measures = ['SUM([s.amount])', 'COUNT([s.amount])', 'CUMULATIVE(SUM([s.amount]))'];
    expect(await rowsOf({ dimensions: [MONTH, '[s.shop]'], time: dense, measures, filters })).toEqual([
      ['2025-12-01', 'a', 10, 1, 10],
      ['2025-12-01', 'b', 20, 1, 20],
      ['2026-01-01', 'a', 30, 1, 40],
      ['2026-01-01', 'b', null, 0, 20],
      ['2026-02-01', 'a', null, 0, 40],
      ['2026-02-01', 'b', 42, 2, 62],
    ]);
    expect(
      await rowsOf({ dimensions: [MONTH], time: dense, measures: ["PRIOR(SUM([s.amount]), 'month')"] }),
    ).toHaveLength(15);
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
      leg_1 AS (
        SELECT
          d1,
          sum("s.amount") AS a1
        FROM (
          SELECT
            "s"."shop" AS d1,
            "s"."amount" AS "s.amount"
          FROM sales.s AS "s"
          WHERE ("s"."date" >= DATE '2026-01-01')
            AND ("s"."shop" IN ('a', 'it''s
      b'))
        ) AS joined
        GROUP BY d1
      )
    SELECT
      d1 AS "[s.shop]",
      "a1" AS "SUM([s.amount])"
    FROM leg_1
    ORDER BY "a1" DESC NULLS LAST, d1 ASC NULLS LAST
    LIMIT 10"
  `);
});
