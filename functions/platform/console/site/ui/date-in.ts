/** The date of an instant in a time zone, such as `2026-01-31`. */
export const dateIn = (at: string | number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );
