import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, type AskedRows, planOfRows, type Shape, sqlIn, sqlOf } from './support/ask.ts';
import { relation } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * Orders around the ends of months, with a leap day, a quarter without orders, orders without a date, and one without a
 * customer.
 */
const orders: [date: string | null, amount: number, customer: number | null][] = [
  ['2023-01-31', 1, 1],
  ['2023-02-28', 2, 1],
  ['2023-10-30', 3, 2],
  ['2023-10-31', 4, 1],
  ['2023-11-30', 5, 1],
  ['2023-12-31', 6, 2],
  ['2024-01-28', 7, 1],
  ['2024-01-29', 8, 2],
  ['2024-01-30', 9, 1],
  ['2024-01-31', 10, 1],
  ['2024-02-28', 11, 1],
  ['2024-02-29', 12, 1],
  ['2024-03-28', 13, 2],
  ['2024-03-29', 14, 1],
  ['2024-03-31', 15, null],
  ['2024-04-30', 16, 1],
  ['2025-01-28', 17, 1],
  ['2025-01-29', 18, 1],
  ['2025-01-31', 19, 2],
  ['2025-02-28', 20, 1],
  ['2025-03-01', 21, 1],
  ['2025-03-31', 22, 2],
  [null, 333, 1],
  [null, 444, 2],
];

const regions = ['North', 'South'];

const shape: Shape = {
  relationships: [relation('c>o')],
  types: { 'o.date': 'date', 'o.at': 'datetime', 'c.region': 'string' },
  tables: {
    c: regions.map((region, index) => ({ 'c.key': index + 1, 'c.region': region })),
    o: orders.map(([date, amount, customer], index) => ({
      'o.date': date,
      // Late in the evening in Berlin, where it is still the same day.
      'o.at': date && `${date}T21:30:00Z`,
      'o.amount': amount,
      'o.of_c': customer,
      'o.key': index + 1,
    })),
  },
};

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('periods', shape);
});
afterAll(() => engines.close());

/** The rows, which both engines must agree on; dates as texts. */
async function rowsOf(asked: Asked): Promise<unknown[][]> {
  const [duckdb, postgres] = await Promise.all([
    engines.duckdb(sqlOf('periods', shape, asked, 'duckdb')),
    engines.postgres(sqlOf('periods', shape, asked, 'postgres')),
  ]);
  expect(postgres).toEqual(duckdb);
  return duckdb;
}

async function behind(asked: Omit<AskedRows, 'columns'>): Promise<unknown[]> {
  const rows = { ...asked, columns: ['[o.key]'] };
  const [duckdb, postgres] = await Promise.all([
    engines.duckdb(sqlIn(planOfRows('periods', shape, rows, 'duckdb'))),
    engines.postgres(sqlIn(planOfRows('periods', shape, rows, 'postgres'))),
  ]);
  expect(postgres).toEqual(duckdb);
  return duckdb.flat();
}

const asked = (grain: Grain, more: Asked = {}, field = 'o.date'): Asked => ({
  dimensions: [`DATE_TRUNC('${grain}', [${field}])`],
  time: { position: 0, fieldId: field, grain, isDense: false },
  ...more,
});

/**
 * The beginning of the period of a day, and of the one some periods earlier: undefined if the calendar has no such day.
 */
const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day));
const textOf = (at: Date) => at.toISOString().slice(0, 10);
function startOf(grain: Grain, text: string): string {
  const at = new Date(text);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (grain === 'day') return text;
  if (grain === 'week') return textOf(utc(year, month, day - ((at.getUTCDay() + 6) % 7)));
  return textOf(utc(year, grain === 'year' ? 0 : grain === 'quarter' ? month - (month % 3) : month, 1));
}
function earlier(grain: Grain, count: number, text: string): string | undefined {
  const at = new Date(text);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (grain === 'day' || grain === 'week') return textOf(utc(year, month, day - count * (grain === 'week' ? 7 : 1)));
  const moved = utc(year, month - count * { month: 1, quarter: 3, year: 12 }[grain], day);
  return moved.getUTCDate() === day ? textOf(moved) : undefined;
}

const MEASURES = ['SUM([o.amount])', 'COUNT([o.amount])', 'COUNT_DISTINCT([o.of_c])', 'MAX([o.amount])'];
type Order = (typeof orders)[number];
function valuesOf(of: readonly Order[]): (number | null)[] {
  const amounts = of.map(([, amount]) => amount);
  const customers = new Set(of.flatMap(([, , customer]) => customer ?? []));
  const sum = amounts.reduce((a, b) => a + b, 0);
  return [
    amounts.length > 0 ? sum : null,
    amounts.length,
    customers.size,
    amounts.length > 0 ? Math.max(...amounts) : null,
  ];
}

/** The value of each period beside that of the earlier one, from the orders themselves. */
function expectedOf(grain: Grain, by: Grain, count: number, isShown: (period: string) => boolean): unknown[][] {
  const dated = orders.filter(([date]) => date !== null);
  const first = dated.map(([date]) => startOf(grain, date!)).sort()[0]!;
  const periods = [...new Set(dated.map(([date]) => startOf(grain, date!)))].sort().filter(isShown);
  return periods.map((period) => {
    const before = earlier(by, count, period);
    const isKnown = before !== undefined && before >= first;
    const values = isKnown
      ? valuesOf(dated.filter(([date]) => startOf(grain, date!) === before))
      : MEASURES.map(() => null);
    return [period, ...valuesOf(dated.filter(([date]) => startOf(grain, date!) === period)), ...values];
  });
}

const PAIRS: [grain: Grain, by: Grain, count: number][] = [
  ['day', 'day', 1],
  ['day', 'week', 1],
  ['day', 'month', 1],
  ['day', 'month', 2],
  ['day', 'quarter', 1],
  ['day', 'year', 1],
  ['week', 'week', 1],
  ['month', 'month', 1],
  ['month', 'month', 13],
  ['month', 'quarter', 1],
  ['month', 'year', 1],
  ['quarter', 'quarter', 1],
  ['quarter', 'year', 1],
  ['year', 'year', 1],
];

describe('PRIOR', () => {
  const both = (by: Grain, count: number) => [
    ...MEASURES,
    ...MEASURES.map((each) => `PRIOR(${each}, '${by}', ${count})`),
  ];

  it.each(PAIRS)('by %s of %s %d earlier is the value of exactly that period', async (grain, by, count) => {
    const measures = both(by, count);
    for (const [field, timezone] of [
      ['o.date', 'UTC'],
      ['o.at', 'Europe/Berlin'],
    ] as const) {
      const dated = { measures, filters: [`[${field}] IS NOT NULL`], timezone };
      expect(await rowsOf(asked(grain, dated, field))).toEqual(expectedOf(grain, by, count, () => true));
      // Periods that the filters leave out are earlier ones all the same.
      const filters = [`[${field}] >= DATE '2024-01-01'`, `[${field}] < DATE '2025-01-01'`];
      const isShown = (period: string) => period >= '2024-01-01' && period < '2025-01-01';
      expect(await rowsOf(asked(grain, { measures, filters, timezone }, field))).toEqual(
        expectedOf(grain, by, count, isShown),
      );
    }
  });

  it('of rows without a time is null, also for counts', async () => {
    const measures = both('month', 1);
    const filters = ['[o.date] IS NULL'];
    const none = MEASURES.map(() => null);
    for (const grain of ['day', 'month'] as const)
      expect(await rowsOf(asked(grain, { measures, filters }))).toEqual([[null, 777, 2, 2, 444, ...none]]);
    const byRegion = asked('month', { measures: ["PRIOR(COUNT([o.key]), 'month')"], filters });
    byRegion.dimensions = [...byRegion.dimensions!, '[c.region]'];
    expect(await rowsOf(byRegion)).toEqual([
      [null, 'North', null],
      [null, 'South', null],
    ]);
  });

  it('of a group without rows is 0 for counts as soon as the table has rows, and null for others', async () => {
    const prior = (measure: string) => `PRIOR(${measure}, 'month')`;
    const of = asked('month', {
      dimensions: ["DATE_TRUNC('month', [o.date])", '[c.region]'],
      measures: [prior('COUNT([o.key])'), prior('SUM([o.amount])'), `COUNT([o.key]) - ${prior('COUNT([o.key])')}`],
      filters: ["[o.date] < DATE '2024-01-01'"],
    });
    const byHand = [
      ['2023-01-01', 'North', null, null, null],
      ['2023-02-01', 'North', 1, 1, 0],
      ['2023-10-01', 'North', 0, null, 1],
      ['2023-10-01', 'South', 0, null, 1],
      ['2023-11-01', 'North', 1, 4, 0],
      ['2023-12-01', 'South', 0, null, 1],
    ];
    expect(await rowsOf(of)).toEqual(byHand);
    // A filter does not move the first period of the table.
    const south = { ...of, filters: [...of.filters!, "[c.region] = 'South'"] };
    expect(await rowsOf(south)).toEqual(byHand.filter(([, region]) => region === 'South'));
  });

  it('reads days where any part of the question does', async () => {
    const sum = ["PRIOR(SUM([o.amount]), 'month')", "PRIOR(COUNT([o.amount]), 'month')"];
    const dayOf = asked('month', {
      dimensions: ["DATE_TRUNC('month', [o.date])", '[o.date]'],
      measures: sum,
      filters: ["[o.date] BETWEEN DATE '2025-02-01' AND DATE '2025-03-31'"],
    });
    // Not 54, which is what 28, 29 and 31 January have together; no February has a 31st.
    expect(await rowsOf(dayOf)).toEqual([
      ['2025-02-01', '2025-02-28', 17, 1],
      ['2025-03-01', '2025-03-01', null, 0],
      ['2025-03-01', '2025-03-31', null, 0],
    ]);
    const oneDay = asked('month', { measures: sum, filters: ["[o.date] = DATE '2025-02-28'"] });
    expect(await rowsOf(oneDay)).toEqual([['2025-02-01', 17, 1]]);
    const leapYear = asked('day', {
      measures: ["PRIOR(SUM([o.amount]), 'year')"],
      filters: ["[o.date] = DATE '2025-02-28'"],
    });
    expect(await rowsOf(leapYear)).toEqual([['2025-02-28', 11]]);
  });

  it('reaches the end of the earlier month where a filter reaches the end of this one', async () => {
    const measures = ["PRIOR(SUM([o.amount]), 'month')"];
    const at = async (filter: string, field = 'o.at') =>
      (await rowsOf(asked('month', { measures, filters: [filter.replaceAll('$', `[${field}]`)] }, field))).map(
        (row) => row[1],
      );
    expect(await at("$ BETWEEN DATE '2025-02-01' AND DATE '2025-02-28'", 'o.date')).toEqual([54]);
    expect(await at("$ >= DATE '2025-02-01' AND $ < DATE '2025-03-01'")).toEqual([54]);
    // Until the evening of 28 February: until the evening of 28 January, and not the mornings of the days after it.
    expect(await at("$ >= DATE '2025-02-01' AND $ < DATETIME '2025-02-28T21:30:01Z'")).toEqual([17]);
  });
});

describe('PRIOR of hours', () => {
  const clocks: Shape = {
    relationships: [],
    types: { 'h.at': 'datetime' },
    tables: {
      // In Berlin: from two to three and from three to four on 28 March 2026; the hour from two to three does not exist
      // on the 29th. On 25 October it comes twice.
      h: [
        ['2026-03-28T01:30:00Z', 1],
        ['2026-03-28T02:30:00Z', 2],
        ['2026-03-29T01:30:00Z', 4],
        ['2026-10-24T00:30:00Z', 8],
        ['2026-10-25T00:30:00Z', 16],
        ['2026-10-25T01:30:00Z', 32],
        ['2026-10-26T01:30:00Z', 64],
      ].map(([at, amount]) => ({ 'h.at': at!, 'h.amount': amount! })),
    },
  };
  beforeAll(() => engines.load('hours', clocks));

  it('is that of the same hour, never two of them, where clocks change', async () => {
    const hours: Asked = {
      dimensions: ["DATE_TRUNC('hour', [h.at])"],
      time: { position: 0, fieldId: 'h.at', grain: 'hour', isDense: false },
      measures: ['SUM([h.amount])', "PRIOR(SUM([h.amount]), 'day')", "PRIOR(COUNT([h.amount]), 'day')"],
      timezone: 'Europe/Berlin',
    };
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const rows = await engines[dialect](sqlOf('hours', clocks, hours, dialect));
      expect(rows.map((row) => row.slice(1))).toEqual([
        [1, null, null],
        [2, null, null],
        [4, 2, 1],
        [8, null, 0],
        [16, null, null],
        [32, 8, 1],
        [64, 32, 1],
      ]);
    }
    const days = {
      ...hours,
      dimensions: ["DATE_TRUNC('day', [h.at])"],
      time: { ...hours.time!, grain: 'day' as const },
    };
    for (const dialect of ['duckdb', 'postgres'] as const)
      expect((await engines[dialect](sqlOf('hours', clocks, days, dialect))).map((row) => row.slice(1))).toEqual([
        [3, null, null],
        [4, 3, 2],
        [8, null, 0],
        [48, 8, 1],
        [64, 48, 2],
      ]);
  });
});

describe('a question of TOTAL measures only', () => {
  const total = 'TOTAL(SUM([o.amount]))';

  it('lists the groups of the rows that the total is about', async () => {
    expect(await rowsOf({ dimensions: ['[c.region]'], measures: [total] })).toEqual(
      [
        ['North', 1030],
        ['South', 1030],
        [null, 1030],
      ].map(([region]) => [region, orders.reduce((sum, [, amount]) => sum + amount, 0)]),
    );
    const filters = ["[o.date] >= DATE '2025-03-01'"];
    expect(await rowsOf(asked('month', { measures: [total, `${total} / 2`], filters }))).toEqual([
      ['2025-03-01', 43, 21.5],
    ]);
    expect(await rowsOf({ dimensions: ['[c.region]'], measures: [total], filters, totals: 'all' })).toEqual([
      [0, null, 43],
      [1, 'North', 43],
      [1, 'South', 43],
    ]);
  });

  it('is answered without dimensions, with or without totals, and without rows', async () => {
    const filters = ["[o.date] >= DATE '2025-03-01'"];
    expect(await rowsOf({ measures: [total], filters })).toEqual([[43]]);
    expect(await rowsOf({ measures: [total], filters, totals: 'grand' })).toEqual([[0, 43]]);
    const none = ['[o.amount] > 9999'];
    expect(await rowsOf({ measures: [total], filters: none, totals: 'grand' })).toEqual([[0, null]]);
    expect(await rowsOf({ dimensions: ['[c.region]'], measures: [total], filters: none })).toEqual([]);
  });

  it('of two tables lists the groups of both', async () => {
    const measures = [total, 'TOTAL(COUNT([c.key]))'];
    const filters = ["[c.region] = 'South'"];
    const south = orders.filter(([, , customer]) => customer === 2).reduce((sum, [, amount]) => sum + amount, 0);
    expect(await rowsOf({ dimensions: ['[c.region]'], measures, filters })).toEqual([['South', south, 1]]);
  });
});

describe('a dense axis of time', () => {
  const dense = (grain: Grain, filters: string[], more: Asked = {}, field = 'o.date') => {
    const of = asked(grain, { measures: ['SUM([o.amount])', 'COUNT([o.amount])'], filters, ...more }, field);
    return { ...of, time: { ...of.time!, isDense: true } };
  };

  it('reaches the ends of the range that the filters leave', async () => {
    const year = ["[o.date] >= DATE '2024-01-01'", "[o.date] < DATE '2025-01-01'"];
    const sums = [34, 23, 42, 16, null, null, null, null, null, null, null, null];
    const months = sums.map((_, index) => `2024-${String(index + 1).padStart(2, '0')}-01`);
    const expected = sums.map((sum, index) => [months[index], sum, [4, 2, 3, 1][index] ?? 0, 1]);
    expect(await rowsOf(dense('month', year))).toEqual(expected);
    const same = [
      ["[o.date] BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'"],
      ["DATE '2024-12-31' >= [o.date] AND DATE '2023-12-31' < [o.date]"],
      ["[o.date] >= DATE '2023-06-01'", "[o.date] > DATE '2023-12-31'", "[o.date] < DATE '2025-01-01'"],
    ];
    for (const filters of same) expect(await rowsOf(dense('month', filters))).toEqual(expected);
    expect(await rowsOf(dense('quarter', year))).toEqual([
      ['2024-01-01', 99, 9, 1],
      ['2024-04-01', 16, 1, 1],
      ['2024-07-01', null, 0, 1],
      ['2024-10-01', null, 0, 1],
    ]);
    expect(await rowsOf(dense('day', year))).toHaveLength(366);
    // From the week of 1 January, a Monday, to that of 31 December.
    expect(await rowsOf(dense('week', year))).toHaveLength(53);
    const zone = { timezone: 'Europe/Berlin' };
    const local = ["[o.at] >= DATE '2024-01-01'", "[o.at] < DATE '2025-01-01'"];
    expect(await rowsOf(dense('month', local, zone, 'o.at'))).toEqual(expected);
  });

  it('has an end with rows where the filters leave that one open', async () => {
    const periods = async (filters: string[]) => (await rowsOf(dense('quarter', filters))).map(([period]) => period);
    expect(await periods(["[o.date] >= DATE '2024-05-01'"])).toEqual([
      '2024-04-01',
      '2024-07-01',
      '2024-10-01',
      '2025-01-01',
    ]);
    expect(await periods(["[o.date] < DATE '2023-07-02'"])).toEqual(['2023-01-01', '2023-04-01', '2023-07-01']);
    // Either condition is enough, so there is no range.
    expect(await periods(["[o.date] = DATE '2023-01-31' OR [o.date] = DATE '2023-02-28'"])).toEqual(['2023-01-01']);
  });

  it('is there without any row, and empty where there is nothing to repeat', async () => {
    const filters = ["[o.date] >= DATE '2030-01-01'", "[o.date] <= DATE '2030-02-03'"];
    expect(await rowsOf(dense('month', filters))).toEqual([
      ['2030-01-01', null, 0, 1],
      ['2030-02-01', null, 0, 1],
    ]);
    expect(await rowsOf(dense('month', filters.slice(0, 1)))).toEqual([]);
    const byRegion = dense('month', filters);
    expect(await rowsOf({ ...byRegion, dimensions: [...byRegion.dimensions!, '[c.region]'] })).toEqual([]);
    expect(await rowsOf(dense('month', [...filters, "[o.date] < DATE '2029-01-01'"]))).toEqual([]);
  });

  it('has earlier values and running totals also in periods without rows', async () => {
    const measures = [
      "PRIOR(SUM([o.amount]), 'month')",
      "PRIOR(COUNT([o.amount]), 'month')",
      'CUMULATIVE(SUM([o.amount]))',
    ];
    const filters = ["[o.date] BETWEEN DATE '2024-04-01' AND DATE '2024-06-30'"];
    expect(await rowsOf(dense('month', filters, { measures }))).toEqual([
      ['2024-04-01', 42, 3, 16, 1],
      ['2024-05-01', 16, 1, 16, 1],
      ['2024-06-01', null, 0, 16, 1],
    ]);
    const before = ["[o.date] BETWEEN DATE '2022-12-01' AND DATE '2023-02-28'"];
    expect(await rowsOf(dense('month', before, { measures }))).toEqual([
      ['2022-12-01', null, null, null, 1],
      ['2023-01-01', null, null, 1, 1],
      ['2023-02-01', 1, 1, 3, 1],
    ]);
  });
});

describe('the rows behind a number', () => {
  const keys = (isOf: (order: Order) => boolean) => orders.flatMap((order, index) => (isOf(order) ? [index + 1] : []));
  const inMonth = (month: string) => keys(([date]) => date?.startsWith(month) === true);
  const time = { position: 0, fieldId: 'o.date', grain: 'month', isDense: false } as const;
  const of = (measure: string, month: string | null, more: Partial<Parameters<typeof behind>[0]> = {}) =>
    behind({
      measures: [measure],
      group: [{ dimension: "DATE_TRUNC('month', [o.date])", value: month && `DATE '${month}-01'` }],
      time,
      ...more,
    });

  it('are those that its FILTER takes in', async () => {
    const large = (order: Order) => order[0]?.startsWith('2024-01') === true && order[1] > 8;
    expect(await of('SUM([o.amount]) FILTER (WHERE [o.amount] > 8)', '2024-01')).toEqual(keys(large));
    expect(await of('SUM_IF([o.amount], [o.amount] > 8) / 2', '2024-01')).toEqual(keys(large));
    const south = (order: Order) => order[2] === 2;
    expect(await behind({ measures: ["COUNT([o.key]) FILTER (WHERE [c.region] = 'South')"] })).toEqual(keys(south));
    // A ratio is computed from the rows of both of its parts.
    expect(await of('SUM_IF([o.amount], [o.amount] > 8) / SUM([o.amount])', '2024-01')).toEqual(inMonth('2024-01'));
    const ends = keys(([date, amount]) => date?.startsWith('2024-01') === true && (amount > 9 || amount < 8));
    expect(await of('SUM_IF([o.amount], [o.amount] > 9) / COUNT_IF([o.amount] < 8)', '2024-01')).toEqual(ends);
    expect(await behind({ measures: ['COUNT([o.of_c])'] })).toEqual(keys(([, , customer]) => customer !== null));
  });

  it('are those of the earlier period of PRIOR', async () => {
    expect(await of("PRIOR(SUM([o.amount]), 'month')", '2025-02')).toEqual(inMonth('2025-01'));
    expect(await of("PRIOR(SUM([o.amount]), 'year', 1)", '2025-02')).toEqual(inMonth('2024-02'));
    expect(await of("PRIOR(SUM_IF([o.amount], [o.amount] > 17), 'month')", '2025-02')).toEqual([18, 19]);
    const growth = "SUM([o.amount]) - PRIOR(SUM([o.amount]), 'month')";
    expect(await of(growth, '2025-02')).toEqual([...inMonth('2025-01'), ...inMonth('2025-02')]);
    expect(await of("PRIOR(SUM([o.amount]), 'month')", null)).toEqual([]);
    const filters = ["[o.date] >= DATE '2025-02-01'", '[o.amount] < 19'];
    expect(await of("PRIOR(SUM([o.amount]), 'month')", '2025-02', { filters })).toEqual([17, 18]);
    const day = (text: string) => ({
      group: [
        { dimension: '[o.date]', value: `DATE '${text}'` },
        { dimension: "DATE_TRUNC('day', [o.date])", value: `DATE '${text}'` },
      ],
      time: { ...time, position: 1, grain: 'day' as const },
    });
    expect(await of("PRIOR(SUM([o.amount]), 'month')", null, day('2025-02-28'))).toEqual([17]);
    expect(await of("PRIOR(SUM([o.amount]), 'month')", null, day('2025-03-31'))).toEqual([]);
  });

  it('are all until the period of CUMULATIVE, of its longer period, and all of a TOTAL', async () => {
    const until = (from: string, to: string) => keys(([date]) => date !== null && date >= from && date < to);
    expect(await of('CUMULATIVE(SUM([o.amount]))', '2024-02')).toEqual(until('2023', '2024-03'));
    expect(await of("CUMULATIVE(SUM([o.amount]), 'year')", '2024-03')).toEqual(until('2024', '2024-04'));
    const late = { filters: ["[o.date] >= DATE '2024-02-01'"] };
    expect(await of('CUMULATIVE(COUNT([o.amount]))', '2024-03', late)).toEqual(until('2024-02', '2024-04'));
    expect(await of('CUMULATIVE(SUM([o.amount]))', null)).toEqual(keys(([date]) => date === null));
    expect(await of('TOTAL(SUM([o.amount]))', '2024-03', late)).toEqual(until('2024-02', '2026'));
    expect(await of('SHARE(SUM([o.amount]))', '2024-03', late)).toEqual(inMonth('2024-03'));
  });

  it('of PRIOR and CUMULATIVE need the dimension of time', () => {
    const columns = ['[o.key]'];
    const plan = planOfRows('periods', shape, { columns, measures: ["PRIOR(SUM([o.amount]), 'month')"] }, 'duckdb');
    expect(plan).toMatchObject({ problems: [{ code: 5005 }] });
  });
});
