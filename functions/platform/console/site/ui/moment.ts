const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };

const DAY_OF_DATE = new Intl.DateTimeFormat('en', { ...DAY, timeZone: 'UTC' });
const DAY_OF_MOMENT = new Intl.DateTimeFormat('en', DAY);
const TIME = new Intl.DateTimeFormat('en', CLOCK);
const MOMENT = new Intl.DateTimeFormat('en', { ...DAY, ...CLOCK });

/** A date such as `2026-12-31`, as people read it: `Dec 31, 2026`. */
export const dateText = (date: string): string => DAY_OF_DATE.format(new Date(date));

/** The day of a moment where the person is, such as `Dec 31, 2026`. */
export const dayText = (at: string): string => DAY_OF_MOMENT.format(new Date(at));

/** The time of a moment where the person is, such as `16:40:05`. */
export const timeText = (at: string | number): string => TIME.format(new Date(at));

/** A moment where the person is, such as `Dec 31, 2026, 16:40:05`. */
export const momentText = (at: string): string => MOMENT.format(new Date(at));
