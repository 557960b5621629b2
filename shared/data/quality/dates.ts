import { isDate } from '../../platform/schedule/days.ts';
import { DAY_MS } from '../../platform/schedule/durations.ts';

/** The instant of a bound. `wholeDay` means that the bound includes the whole day. */
export interface DateBound {
  at: Date;
  wholeDay: boolean;
}

/** Whether the date and the time of a well-formed bound exist. */
export function isDateBound(text: string): boolean {
  if (text.endsWith('d')) return true;
  return isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

/** Whether the range between two bounds is empty. Undetermined, and so false, for a date and a relative bound. */
export function isReversed(min: string, max: string): boolean {
  if (min.endsWith('d') !== max.endsWith('d')) return false;
  const [from, to] = [readDateBound(min, new Date(0)), readDateBound(max, new Date(0))];
  return to.wholeDay ? from.at >= endOf(to) : from.at > to.at;
}

/** Parses `2026-01-31`, `2026-01-31T10:00:00Z` or `-30d`, which counts whole UTC days from the day of `now`. */
export function readDateBound(text: string, now: Date): DateBound {
  if (!text.endsWith('d')) return { at: new Date(text), wholeDay: !text.includes('T') };
  const today = Math.floor(now.getTime() / DAY_MS);
  return { at: new Date((today + Number(text.slice(0, -1))) * DAY_MS), wholeDay: true };
}

/** The first instant after the bound's day, or the bound itself. */
export function endOf({ at, wholeDay }: DateBound): Date {
  return wholeDay ? new Date(at.getTime() + DAY_MS) : at;
}

/** The local time in the time zone, such as `2026-01-31T10:00:00`. Throws RangeError for an unknown time zone. */
export function wallClock(at: Date, timezone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return shown.replace(' ', 'T');
}
