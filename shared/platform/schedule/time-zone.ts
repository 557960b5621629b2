import { DAY_MS } from './durations.ts';
/** A period without clock changes in a zone. Instants and offsets are in milliseconds; `until` is exclusive. */
export interface ClockPeriod {
  from: number;
  until: number;
  /** Local time minus UTC. */
  offsetMs: number;
}

/** The largest offset of any zone. */
const MAX_OFFSET_MS = 15 * 60 * 60 * 1000;
const MAX_CACHED_YEARS = 5_000;

const years = new Map<string, readonly ClockPeriod[]>();

/** The period around an instant; periods also end with the year in UTC. */
export function clockPeriodAt(timezone: string, instant: number): ClockPeriod {
  return periodsOf(timezone, new Date(instant).getUTCFullYear()).find(({ until }) => instant < until)!;
}

/**
 * The instant at which the clocks of a zone first show a local time, which is given as if it were UTC. For a skipped
 * time, the instant after the skip.
 */
export function firstInstantOf(timezone: string, local: number): number {
  let period = clockPeriodAt(timezone, local - MAX_OFFSET_MS);
  while (local >= period.until + period.offsetMs) period = clockPeriodAt(timezone, period.until);
  return Math.max(period.from, local - period.offsetMs);
}

function periodsOf(timezone: string, year: number): readonly ClockPeriod[] {
  const key = `${timezone} ${year}`;
  const known = years.get(key);
  if (known) return known;
  if (years.size >= MAX_CACHED_YEARS) years.clear();
  const periods = readPeriods(timezone, Date.UTC(year, 0), Date.UTC(year + 1, 0));
  years.set(key, periods);
  return periods;
}

/** Compares the offsets of consecutive days, and searches for the change where they differ. */
function readPeriods(timezone: string, start: number, end: number): ClockPeriod[] {
  const offsetAt = offsetReader(timezone);
  const periods: ClockPeriod[] = [];
  let [from, offsetMs] = [start, offsetAt(start)];
  for (let day = start; day < end; day += DAY_MS) {
    const next = Math.min(day + DAY_MS, end);
    const after = offsetAt(next);
    if (after === offsetMs || next === end) continue;
    let [unchanged, changed] = [day, next];
    while (changed - unchanged > 1000) {
      const middle = Math.floor((unchanged + changed) / 2000) * 1000;
      if (offsetAt(middle) === offsetMs) unchanged = middle;
      else changed = middle;
    }
    periods.push({ from, until: changed, offsetMs });
    [from, offsetMs] = [changed, after];
  }
  return [...periods, { from, until: end, offsetMs }];
}

function offsetReader(timezone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant) => Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - instant;
}

/** Whether the runtime knows the zone; offsets such as `+01:00` are not zones. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
