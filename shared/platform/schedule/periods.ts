import { DAY_MS } from './durations.ts';
import { clockPeriodAt } from './time-zone.ts';

/**
 * Periods of the calendar. Local times are milliseconds as if they were UTC, so that arithmetic on them knows no clock
 * changes.
 */
/** Periods of whole days. */
export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number];
export const PERIOD_GRAINS = ['second', 'minute', 'hour', ...GRAINS] as const;
export type PeriodGrain = (typeof PERIOD_GRAINS)[number];

const FIXED = { second: 1000, minute: 60_000, hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** 1970-01-01 was a Thursday: weeks begin four days later. */
const FIRST_MONDAY = 4 * DAY_MS;

export const localTimeOf = (timezone: string, instant: Date): number =>
  instant.getTime() + clockPeriodAt(timezone, instant.getTime()).offsetMs;

/** The start of the period around a local time. Weeks start on Monday, as in ISO 8601. */
export function startOfPeriod(grain: PeriodGrain, local: number): number {
  if (isFixed(grain)) {
    const origin = grain === 'week' ? FIRST_MONDAY : 0;
    return Math.floor((local - origin) / FIXED[grain]) * FIXED[grain] + origin;
  }
  const date = new Date(local);
  const month = date.getUTCMonth();
  return firstOfMonth(date.getUTCFullYear(), month - (month % MONTHS[grain]));
}

/** The start of the period that is `count` periods after the one that starts at `start`. */
export function addPeriods(grain: PeriodGrain, start: number, count: number): number {
  if (isFixed(grain)) return start + count * FIXED[grain];
  const date = new Date(start);
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[grain]);
}

/** `Date.UTC` takes the years 0 to 99 for the 1900s. */
export const firstOfMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);

const isFixed = (grain: PeriodGrain): grain is keyof typeof FIXED => grain in FIXED;
