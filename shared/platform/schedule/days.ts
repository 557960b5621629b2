import { nextInstant } from './schedule.ts';

/** A calendar date in a zone with the instants at which it begins and ends; 23 or 25 hours long when clocks change. */
export interface Day {
  /** `YYYY-MM-DD`. */
  date: string;
  start: Date;
  end: Date;
}

const HOUR_MS = 60 * 60 * 1000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a valid calendar date. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The days from `from` to `to`, both included, in the zone. */
export function daysBetween(from: string, to: string, timezone: string): Day[] {
  const midnight = { cron: '0 0 * * *', timezone };
  const localDate = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  // No zone is more than 14 hours ahead of UTC.
  let start = nextInstant(midnight, new Date(Date.parse(`${from}T00:00:00Z`) - 15 * HOUR_MS))!;
  while (localDate.format(start) < from) start = nextInstant(midnight, start)!;
  const days: Day[] = [];
  for (let date = localDate.format(start); date <= to; date = localDate.format(start)) {
    const end = nextInstant(midnight, start)!;
    days.push({ date, start, end });
    start = end;
  }
  return days;
}

/** The current date in the zone. */
export function dateIn(timezone: string, at: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(at);
}

/** The next calendar date. */
export function dateAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}
