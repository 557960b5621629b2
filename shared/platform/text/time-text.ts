/** A time in words, with the time zone that it is in: `2 February 2026 at 08:00 (Europe/Berlin)`. */
export const zonedTimeText = (instant: string, timeZone: string): string =>
  `${timeText(instant, timeZone)} (${timeZone})`;

/** A time in words, in the time zone: `2 February 2026 at 08:00`. */
export const timeText = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(new Date(instant));
