import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMonths,
  dateOf,
  instantOf,
  midnightOf,
  sameWeekLastYear,
} from '../../../../shared/domains/semantics/metrics/calendar.ts';
import {
  boundsOfWindow,
  comparedWindow,
  currentWindow,
  showWindow,
} from '../../../../shared/domains/semantics/metrics/windows.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { addPeriods, GRAINS, localTimeOf, startOfPeriod } from '../../../../shared/platform/schedule/periods.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const grains = fc.constantFrom(...GRAINS);

describe('periods', () => {
  it('follow each other without gaps, and contain the time they were made for', () => {
    fc.assert(
      fc.property(grains, instants, fc.constantFrom(...ZONES), (grain, at, zone) => {
        const local = localTimeOf(zone, at);
        const start = startOfPeriod(grain, local);
        const end = addPeriods(grain, start, 1);
        expect(start).toBeLessThanOrEqual(local);
        expect(end).toBeGreaterThan(local);
        expect(startOfPeriod(grain, end - 1)).toBe(start);
        expect(startOfPeriod(grain, end)).toBe(end);
        expect(addPeriods(grain, end, -1)).toBe(start);
      }),
    );
  });

  it('start on Mondays, on the first of a month, of a quarter and of a year', () => {
    const startOf = (grain: (typeof GRAINS)[number], date: string) => dateOf(startOfPeriod(grain, midnightOf(date)));
    expect(GRAINS.map((grain) => startOf(grain, '2024-02-29'))).toEqual([
      '2024-02-29',
      '2024-02-26',
      '2024-02-01',
      '2024-01-01',
      '2024-01-01',
    ]);
    expect(startOf('week', '2021-01-03')).toBe('2020-12-28');
    expect(startOf('week', '1969-12-31')).toBe('1969-12-29');
    expect(startOf('quarter', '2026-12-31')).toBe('2026-10-01');
  });

  it('are 23 or 25 hours long when clocks change', () => {
    const hours = (date: string, zone: string) => {
      const start = midnightOf(date);
      return (instantOf(zone, start + DAY_MS).getTime() - instantOf(zone, start).getTime()) / 3_600_000;
    };
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25);
    expect(hours('2026-04-05', 'Australia/Lord_Howe')).toBe(24.5);
  });

  it('of ISO weeks keep the number and the weekday a year earlier', () => {
    const yearBefore = (date: string) => dateOf(sameWeekLastYear(midnightOf(date)));
    expect(yearBefore('2026-11-23')).toBe('2025-11-24');
    // Week 53 of 2026; 2025 has 52.
    expect(yearBefore('2026-12-30')).toBe('2025-12-24');
    expect(yearBefore('2021-01-01')).toBe('2019-12-27');
    fc.assert(
      fc.property(instants, (at) => {
        const local = at.getTime();
        const moved = sameWeekLastYear(local);
        expect((local - moved) % (7 * DAY_MS)).toBe(0);
        expect([52, 53]).toContain((local - moved) / (7 * DAY_MS));
      }),
    );
  });

  it('by months have no day that the month does not have', () => {
    expect(addMonths(midnightOf('2026-03-31'), -1)).toBeUndefined();
    expect(dateOf(addMonths(midnightOf('2024-03-29'), -1)!)).toBe('2024-02-29');
    expect(addMonths(midnightOf('2024-02-29'), -12)).toBeUndefined();
    expect(dateOf(addMonths(midnightOf('2026-01-31'), -1)!)).toBe('2025-12-31');
  });
});

describe('the window of a comparison', () => {
  const compared = (
    grain: (typeof GRAINS)[number],
    asOf: string,
    comparison: 'previous_period' | 'same_period_last_year' = 'previous_period',
    hasDates = false,
  ) => {
    const clock = { grain, timezone: 'Europe/Berlin', asOf: new Date(asOf), hasDates };
    return showWindow('Europe/Berlin', comparedWindow(clock, currentWindow(clock, true), comparison));
  };

  it('ends at the same local time of the same day', () => {
    expect(compared('month', '2026-11-23T11:50:00Z')).toEqual({
      from: '2026-09-30T22:00:00.000Z',
      to: '2026-10-31T23:00:00.000Z',
      through: '2026-10-23T10:50:00.000Z',
      isComplete: false,
    });
    expect(compared('week', '2026-11-25T11:50:00Z').through).toBe('2026-11-18T11:50:00.000Z');
    expect(compared('day', '2026-03-30T06:00:00Z').through).toBe('2026-03-29T06:00:00.000Z');
    expect(compared('quarter', '2026-11-23T11:50:00Z').through).toBe('2026-08-23T10:50:00.000Z');
    expect(compared('year', '2026-11-23T11:50:00Z').through).toBe('2025-11-23T11:50:00.000Z');
    expect(compared('month', '2026-11-23T11:50:00Z', 'same_period_last_year').through).toBe('2025-11-23T11:50:00.000Z');
  });

  it('counts both of two hours that clocks repeat', () => {
    const through = (asOf: string) => {
      const clock = { grain: 'day', timezone: 'Europe/Berlin', asOf: new Date(asOf), hasDates: false } as const;
      const window = currentWindow(clock, true);
      return [boundsOfWindow(clock, window).to, showWindow('Europe/Berlin', window).through];
    };
    for (const asOf of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']) {
      expect(through(asOf)).toEqual([asOf, asOf]);
    }
  });

  it('ends with the month if that has no such day', () => {
    expect(compared('month', '2026-03-30T10:00:00Z').through).toBe('2026-02-28T23:00:00.000Z');
    expect(compared('month', '2026-03-28T10:00:00Z').through).toBe('2026-02-28T10:00:00.000Z');
    expect(compared('year', '2024-02-29T10:00:00Z').through).toBe('2023-02-28T23:00:00.000Z');
    expect(compared('day', '2024-02-29T10:00:00Z', 'same_period_last_year')).toMatchObject({
      from: '2023-02-27T23:00:00.000Z',
      isComplete: true,
    });
  });

  it('has as many days as the current one where the time field has dates', () => {
    expect(compared('month', '2026-11-23T11:50:00Z', 'previous_period', true).through).toBe('2026-10-23T22:00:00.000Z');
    expect(compared('month', '2026-03-31T11:50:00Z', 'previous_period', true)).toMatchObject({ isComplete: true });
  });

  it('is complete if and only if the current one is, and never begins later', () => {
    fc.assert(
      fc.property(
        grains,
        instants,
        fc.constantFrom(...ZONES),
        fc.constantFrom('previous_period' as const, 'same_period_last_year' as const),
        fc.boolean(),
        fc.boolean(),
        (grain, asOf, timezone, comparison, hasDates, includePartial) => {
          const clock = { grain, timezone, asOf, hasDates };
          const current = currentWindow(clock, includePartial);
          const other = comparedWindow(clock, current, comparison);
          expect(other.end).toBeLessThanOrEqual(current.start);
          expect(other.through).toBeGreaterThanOrEqual(other.start);
          expect(other.through).toBeLessThanOrEqual(other.end);
          expect(startOfPeriod(grain, other.start)).toBe(other.start);
          if (current.through >= current.end) expect(other.through).toBe(other.end);
          if (comparison === 'previous_period') expect(other.end).toBe(current.start);
          if (!includePartial) expect(current.end).toBeLessThanOrEqual(localTimeOf(timezone, asOf));
        },
      ),
    );
  });
});
