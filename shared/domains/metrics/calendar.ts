import { clockPeriodAt, firstInstantOf } from '../../platform/schedule/time-zone.ts';

/**
 * The calendar of metrics. Local times are milliseconds as if they were UTC, so that arithmetic on them knows no clock
 * changes; `instantOf` turns them into instants.
 */
export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number];

export const DAY_MS = 24 * 60 * 60 * 1000;
const MONTHS: Readonly<Record<Exclude<Grain, 'day' | 'week'>, number>> = { month: 1, quarter: 3, year: 12 };

export const localTimeOf = (timezone: string, instant: Date): number =>
  instant.getTime() + clockPeriodAt(timezone, instant.getTime()).offsetMs;

/** The instant at which the clocks first show the local time; for a skipped time, the instant after the skip. */
export const instantOf = (timezone: string, local: number): Date => new Date(firstInstantOf(timezone, local));

export const startOfDay = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS;

/** The start of the period around a local time. Weeks start on Monday, as in ISO 8601. */
export function startOfPeriod(grain: Grain, local: number): number {
  const day = startOfDay(local);
  if (grain === 'day') return day;
  // 1970-01-01 was a Thursday.
  if (grain === 'week') return day - modulo(day / DAY_MS + 3, 7) * DAY_MS;
  const date = new Date(day);
  const month = date.getUTCMonth();
  return firstOfMonth(date.getUTCFullYear(), month - (month % MONTHS[grain]));
}

/** The start of the period that is `count` periods after the one that starts at `start`. */
export function addPeriods(grain: Grain, start: number, count: number): number {
  if (grain === 'day') return start + count * DAY_MS;
  if (grain === 'week') return start + count * 7 * DAY_MS;
  const date = new Date(start);
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[grain]);
}

/** The same time of the day on the same day of another month; undefined if that month has no such day. */
export function addMonths(local: number, count: number): number | undefined {
  const day = new Date(startOfDay(local));
  const first = firstOfMonth(day.getUTCFullYear(), day.getUTCMonth() + count);
  const moved = first + (day.getUTCDate() - 1) * DAY_MS;
  return new Date(moved).getUTCMonth() === new Date(first).getUTCMonth()
    ? moved + (local - startOfDay(local))
    : undefined;
}

/** The end of the month that is `count` months after the one of the local time. */
export function endOfMonth(local: number, count: number): number {
  const date = new Date(local);
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth() + count + 1);
}

/** The same weekday and time in the ISO week of the same number one year earlier; week 53 becomes week 52 where there is none. */
export function sameWeekLastYear(local: number): number {
  const monday = startOfPeriod('week', local);
  const { year, week } = isoWeekOf(monday);
  const first = firstMonday(year - 1);
  const weeks = Math.round((firstMonday(year) - first) / (7 * DAY_MS));
  return first + (Math.min(week, weeks) - 1) * 7 * DAY_MS + (local - monday);
}

/** The year and number of an ISO week, by its Monday: a week belongs to the year of its Thursday. */
function isoWeekOf(monday: number): { year: number; week: number } {
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  return { year, week: Math.round((monday - firstMonday(year)) / (7 * DAY_MS)) + 1 };
}

/** The Monday of the first ISO week of a year, the one with 4 January. */
const firstMonday = (year: number): number => startOfPeriod('week', firstOfMonth(year, 0) + 3 * DAY_MS);

/** `Date.UTC` takes the years 0 to 99 for the 1900s. */
function firstOfMonth(year: number, month: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month, 1);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** `YYYY-MM-DD` of a local time. */
export const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** The local midnight of a date `YYYY-MM-DD`. */
export const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
