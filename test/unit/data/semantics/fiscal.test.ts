import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Typed, textConstant } from '../../../../shared/data/expressions/index.ts';
import { planQuestion } from '../../../../shared/data/semantics/plan.ts';
import { type TimeGrain, timeUnit } from '../../../../shared/platform/schedule/fiscal-calendar.ts';
import { FISCAL_GRAINS, type FiscalCalendar } from '../../../../shared/platform/schedule/fiscal-years.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { CALENDARS, type FiscalDay, fiscalDays, plus } from '../../support/fiscal-years.ts';
import { modelOf, optionsOf, type Shape, sourceOf, sqlIn, type TestDialect, treeOf } from './support/ask.ts';
import type { Value } from './support/brute-force.ts';
import { sorted } from './support/expect-right.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const [FIRST_YEAR, LAST_YEAR] = [1996, 2027];
const random = seededRandom(38);
const ALL = fiscalDays(CALENDARS.january!, FIRST_YEAR, LAST_YEAR).map(({ day }) => day);
const SOME = ALL.slice(-1200).flatMap((day) =>
  random() < 0.03 ? [{ day, amount: 1 + Math.floor(random() * 9), person: Math.floor(random() * 6) }] : [],
);
const shape: Shape = {
  relationships: [],
  types: { 'd.day': 'date', 'd.at': 'datetime', 'v.day': 'date' },
  tables: {
    // Early in the morning of the next day in Tokyo.
    d: ALL.map((day) => ({ 'd.day': day, 'd.at': `${day}T21:30:00Z` })),
    v: SOME.map(({ day, amount, person }) => ({ 'v.day': day, 'v.amount': amount, 'v.person': person })),
  },
};

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('fiscal', shape);
});
afterAll(() => engines.close());

interface Asked {
  calendar: FiscalCalendar;
  grain: TimeGrain;
  field: string;
  measure: string;
  isDense?: boolean;
  from?: string;
  timezone?: string;
}

function planOf({ calendar, grain, field, measure, isDense = false, from, timezone }: Asked, dialect: TestDialect) {
  const unit = timeUnit(grain, calendar);
  const at = treeOf(shape, 'row', `[${field}]`);
  const period: Typed = call('DATE_TRUNC', [textConstant(unit), at], 'date');
  const question = {
    dimensions: [{ label: 'period', tree: period }],
    measures: [{ label: 'value', tree: treeOf(shape, 'measure', measure) }],
    time: { position: 0, fieldId: field, grain: unit, isDense },
    filters: from ? [treeOf(shape, 'row', `[${field}] >= DATE '${from}'`)] : [],
    resultFilters: [],
    sort: [],
    totals: 'none' as const,
  };
  const model = { ...modelOf(shape), calendar };
  return planQuestion(model, sourceOf('fiscal', shape), question, optionsOf(dialect, timezone));
}

async function expectSame(asked: Asked, wanted: Value[][]): Promise<void> {
  for (const dialect of ['duckdb', 'postgres'] as const) {
    const sql = sqlIn(planOf(asked, dialect));
    const rows = await engines[dialect](sql);
    expect(sorted(rows), `${dialect}\n${sql}`).toEqual(sorted(wanted));
  }
}

const daysOf = (calendar: FiscalCalendar) =>
  new Map(fiscalDays(calendar, FIRST_YEAR - 2, LAST_YEAR + 1).map((day) => [day.day, day]));
const startIn = (days: ReadonlyMap<string, FiscalDay>, grain: TimeGrain, day: string) =>
  grain === 'day' ? day : days.get(day)!.starts[grain as (typeof FISCAL_GRAINS)[number]];

describe.each(Object.entries(CALENDARS))('the calendar %s', (name, calendar) => {
  const days = daysOf(calendar);
  const counted = (all: readonly string[], grain: TimeGrain): Value[][] =>
    [...Map.groupBy(all, (day) => startIn(days, grain, day))].map(([start, of]) => [start, of.length]);

  it.each(FISCAL_GRAINS)('puts each day of 30 years into its %s on both engines, in the time zone', async (grain) => {
    const measure = 'COUNT(*)';
    const asked = { calendar, grain, measure: measure.replace('*', '[d.day]') };
    await expectSame({ ...asked, field: 'd.day' }, counted(ALL, grain));
    const next = ALL.map((day) => plus(day, 1));
    await expectSame({ ...asked, field: 'd.at', timezone: 'Asia/Tokyo' }, counted(next, grain));
  });

  it.each(FISCAL_GRAINS)('fills the missing ones of each %s, and accumulates within longer ones', async (grain) => {
    const from = plus(SOME[0]!.day, 100);
    const shown = SOME.filter(({ day }) => day >= from);
    const [first, last] = [startIn(days, grain, from), startIn(days, grain, shown.at(-1)!.day)];
    const axis = [...new Set([...days.keys()].map((day) => startIn(days, grain, day)))].filter(
      (start) => start >= first && start <= last,
    );
    for (const by of ['fiscal_year', 'fiscal_quarter'] as const) {
      const of = (period: string) =>
        shown.filter(({ day }) => {
          const start = startIn(days, grain, day);
          return start <= period && startIn(days, by, start) === startIn(days, by, period);
        });
      const asked = { calendar, grain, field: 'v.day', isDense: true, from };
      const sums = axis.map((at): Value[] => {
        const rows = of(at);
        return [at, rows.length === 0 ? null : rows.reduce((sum, { amount }) => sum + amount, 0), 1];
      });
      await expectSame({ ...asked, measure: `CUMULATIVE(SUM([v.amount]), "${by}")` }, sums);
      const persons = axis.map((at): Value[] => [at, new Set(of(at).map(({ person }) => person)).size, 1]);
      await expectSame({ ...asked, measure: `CUMULATIVE(COUNT_DISTINCT([v.person]), "${by}")` }, persons);
    }
  });

  it(`of ${name} compares with the year before only where years are twelve months`, async () => {
    const asked = {
      calendar,
      grain: 'fiscal_quarter',
      field: 'v.day',
      measure: 'PRIOR(SUM([v.amount]), "year")',
    } as const;
    if (calendar.weeks) {
      expect(planOf(asked, 'duckdb')).toMatchObject({
        problems: [{ code: 5005, message: expect.stringMatching(/not fiscal_quarter\.$/) }],
      });
      return;
    }
    const sums = new Map(
      [...Map.groupBy(SOME, ({ day }) => startIn(days, 'fiscal_quarter', day))].map(([start, of]) => [
        start,
        of.reduce((sum, { amount }) => sum + amount, 0),
      ]),
    );
    const before = (start: string) => `${Number(start.slice(0, 4)) - 1}${start.slice(4)}`;
    await expectSame(
      asked,
      [...sums.keys()].map((start) => [start, sums.get(before(start)) ?? null]),
    );
  });
});
