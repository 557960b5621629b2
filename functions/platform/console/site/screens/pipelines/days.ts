/** The most days that a backfill runs. */
export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;

/** How many days there are from one date to another, both included; undefined unless there are any. */
export function daysBetween(from: string, to: string): number | undefined {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** The date of an instant in a time zone, such as `2026-01-31`. */
export const dateIn = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );
