import { describe, expect, it } from 'vitest';
import { addUnits, startOfUnit, timeUnit } from '../../../../shared/platform/schedule/fiscal-calendar.ts';
import { FISCAL_GRAINS, fiscalPlace } from '../../../../shared/platform/schedule/fiscal-years.ts';
import { CALENDARS, fiscalDays } from '../../support/fiscal-years.ts';

const local = (day: string, time = '00:00:00') => Date.parse(`${day}T${time}Z`);
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

describe.each(Object.entries(CALENDARS))('the calendar %s', (_name, calendar) => {
  const days = fiscalDays(calendar, 1996, 2030);

  it.each(FISCAL_GRAINS)('has the beginning of each %s, and its place in the year', (grain) => {
    const unit = timeUnit(grain, calendar);
    expect(days.map(({ day }) => dayOf(startOfUnit(unit, local(day, '23:59:59'))))).toEqual(
      days.map(({ starts }) => starts[grain]),
    );
    if (grain === 'fiscal_week' && !calendar.weeks) return;
    expect(days.map(({ day }) => fiscalPlace(grain, calendar, local(day)))).toEqual(
      days.map(({ year, numbers }) => ({ year, number: numbers[grain] })),
    );
  });

  it.each(FISCAL_GRAINS)('counts a %s forwards and backwards', (grain) => {
    const unit = timeUnit(grain, calendar);
    const starts = [...new Set(days.map((day) => day.starts[grain]))];
    for (const count of [-14, -5, -1, 0, 1, 4, 13]) {
      const moved = starts.slice(20, -20).map((day) => dayOf(addUnits(unit, local(day), count)));
      expect(moved).toEqual(starts.slice(20 + count, starts.length - 20 + count));
    }
  });
});

describe('a fiscal year of weeks', () => {
  it('has the 53 weeks that the National Retail Federation has published, and starts on its days', () => {
    const days = fiscalDays(CALENDARS.retail!, 1996, 2030);
    const weeks = Map.groupBy(days, ({ year }) => year);
    const long = [...weeks].flatMap(([year, of]) => (of.length === 371 ? [year] : []));
    expect(long).toEqual([2000, 2006, 2012, 2017, 2023, 2028]);
    expect(dayOf(startOfUnit(timeUnit('fiscal_year', CALENDARS.retail), local('2023-06-01')))).toBe('2023-01-29');
    expect(dayOf(startOfUnit(timeUnit('fiscal_year', CALENDARS.retail), local('2024-02-03')))).toBe('2023-01-29');
    expect(dayOf(startOfUnit(timeUnit('fiscal_year', CALENDARS.retail), local('2024-02-04')))).toBe('2024-02-04');
  });
});
