/** The most days that a backfill runs. */
export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;

/** How many days there are from one date to another, both included; undefined unless there are any. */
export function daysBetween(from: string, to: string): number | undefined {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Number.isInteger(count) && count > 0 ? count : undefined;
}
