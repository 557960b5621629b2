import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { firstOfMonth, startOfPeriod } from '../../../platform/schedule/periods.ts';
import { firstInstantOf } from '../../../platform/schedule/time-zone.ts';

/**
 * The calendar of metrics. Local times are milliseconds as if they were UTC, so that arithmetic on them knows no clock
 * changes; `instantOf` turns them into instants.
 */
/** The instant at which the clocks first show the local time; for a skipped time, the instant after the skip. */
export const instantOf = (timezone: string, local: number): Date => new Date(firstInstantOf(timezone, local));

export const startOfDay = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS;

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

/**
 * The same weekday and time in the ISO week of the same number one year earlier; week 53 becomes week 52 where there is
 * none.
 */
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

/** `YYYY-MM-DD` of a local time. */
export const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** The local midnight of a date `YYYY-MM-DD`. */
export const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
