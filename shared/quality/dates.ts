const DAY_MS = 86_400_000;

/** An instant that a bound stands for; `wholeDay` when it means the day and not its first moment. */
export interface DateBound {
  at: Date;
  wholeDay: boolean;
}

/** Reads `2026-01-31`, `2026-01-31T10:00:00Z` or `-30d`, which counts whole UTC days from the day of `now`. */
export function readDateBound(text: string, now: Date): DateBound {
  if (!text.endsWith('d')) return { at: new Date(text), wholeDay: !text.includes('T') };
  const today = Math.floor(now.getTime() / DAY_MS);
  return { at: new Date((today + Number(text.slice(0, -1))) * DAY_MS), wholeDay: true };
}

/** The first moment after the bound's day, or the bound itself. */
export function endOf({ at, wholeDay }: DateBound): Date {
  return wholeDay ? new Date(at.getTime() + DAY_MS) : at;
}

/** What a clock in the zone shows at the instant, such as `2026-01-31T10:00:00`. Throws RangeError for an unknown zone. */
export function wallClock(at: Date, timezone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return shown.replace(' ', 'T');
}
