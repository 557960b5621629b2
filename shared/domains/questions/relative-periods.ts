export type PeriodGrain = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** From the first moment, to the first that is no longer part of it: times of day in some time zone, `2026-01-31 10:30:00`. */
export interface Period {
  from: string;
  to: string;
}

/** The clocks of a time zone at a moment, as if they were in UTC: arithmetic on it is that of the calendar. */
export function wallClock(now: Date, timezone: string): Date {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  return new Date(Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!));
}

/** `count` periods that end with the one which is `back` periods before the current one. */
export function periodsUntil(wall: Date, grain: PeriodGrain, { count, back }: { count: number; back: number }): Period {
  const start = startOf(wall, grain);
  return { from: text(moved(start, grain, 1 - back - count)), to: text(moved(start, grain, 1 - back)) };
}

const text = (wall: Date): string => wall.toISOString().slice(0, 19).replace('T', ' ');

function startOf(wall: Date, grain: PeriodGrain): Date {
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  const [hour, minute, second] = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()];
  switch (grain) {
    case 'second':
      return new Date(Date.UTC(year, month, day, hour, minute, second));
    case 'minute':
      return new Date(Date.UTC(year, month, day, hour, minute));
    case 'hour':
      return new Date(Date.UTC(year, month, day, hour));
    case 'day':
      return new Date(Date.UTC(year, month, day));
    case 'week':
      return new Date(Date.UTC(year, month, day - ((wall.getUTCDay() + 6) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month));
    case 'quarter':
      return new Date(Date.UTC(year, month - (month % 3)));
    case 'year':
      return new Date(Date.UTC(year, 0));
  }
}

const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };
const MONTHS = { month: 1, quarter: 3, year: 12 };

/** The beginning of a later or earlier period. */
function moved(start: Date, grain: PeriodGrain, by: number): Date {
  if (grain === 'month' || grain === 'quarter' || grain === 'year')
    return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by * MONTHS[grain]));
  return new Date(start.getTime() + by * MILLISECONDS[grain]);
}
