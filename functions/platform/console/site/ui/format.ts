const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const HOURS = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const WHOLE_PART = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 6 });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

export const countOf = (count: number): string => WHOLE.format(count);

/** A count and its noun, such as `1 row` or `1,204 rows`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${WHOLE.format(count)} ${count === 1 ? noun : plural}`;

/** How often it repeats, such as `every hour` or `every 4 hours`. */
export const everyOf = (count: number, noun: string): string => `every ${count === 1 ? noun : counted(count, noun)}`;

/** How often, such as `once` or `3 times`. */
export const timesOf = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${WHOLE.format(count)} times`;

/** Such as `4.1 MB`; a KB has 1,000 bytes. */
export function bytesOf(bytes: number): string {
  const last = UNITS.length - 1;
  let step = bytes < 1 ? 0 : Math.min(last, Math.floor(Math.log10(bytes) / 3));
  // What would round to 1,000 KB is 1.0 MB.
  if (step < last && Math.round(bytes / 1000 ** step) >= 1000) step += 1;
  const value = bytes / 1000 ** step;
  return `${value.toFixed(step > 0 && value < 9.95 ? 1 : 0)} ${UNITS[step]}`;
}

/** A computed number, with six digits or all whole ones; from a billion on with a letter, such as `1.23457B`. */
export function roughly(value: number): string {
  const size = Math.abs(value);
  // Its zeros would be longer than its digits.
  if (size > 0 && size < 1e-6) return String(Number(value.toPrecision(6)));
  return (size < 99_999.95 ? SHORT : size < 1e9 ? WHOLE_PART : COMPACT).format(value);
}

/** A time in hours, such as `0.25`; never 0 for some. */
export const hoursOf = (hours: number): string => (hours > 0 && hours < 0.005 ? '<0.01' : HOURS.format(hours));

/** A score from 0 to 100, rounded down, so that none below a limit looks as if it reached it. */
export const scoreOf = (score: number): string => String(Math.floor(score));

/** A part of a whole. What is not all is never shown as 100 %, and what is something never as 0 %. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '–';
  const text = PERCENT.format(part / whole);
  if (part < whole && text === '100%') return '>99.9%';
  return part > 0 && text === '0%' ? '<0.1%' : text;
}

/** How long something took, such as `24 ms`, `1.8 s`, `2 min 5 s` or `4 d 6 h`. */
export function durationOf(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 72 ? `${hours} h ${minutes % 60} min` : `${countOf(Math.floor(hours / 24))} d ${hours % 24} h`;
}

/** A value of a row as it is stored: numbers keep every digit, and lists and structures are JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const TIMES = ['date', 'datetime', 'timestamp', 'timestamptz'];
const TIME = /^([+-]?\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d(?::?\d\d){0,2})?$/;

export const isTime = (type: string): boolean => TIMES.includes(type);

/**
 * A value of a column as people read it. Times are those that are stored, in their own zone, such as
 * `2026-01-31 10:30`: with seconds and a fraction if they are not zero, and with the zone if the type has one. All else
 * is as it is stored.
 */
export function cellText(value: unknown, type: string): string {
  const text = valueText(value);
  const [, day, minute, seconds = '00', digits = '', zone = ''] = (isTime(type) && TIME.exec(text)) || [];
  if (day === undefined) return text;
  const fraction = digits.replace(/0+$/, '');
  const rest = fraction ? `:${seconds}.${fraction}` : seconds === '00' ? '' : `:${seconds}`;
  const isUtc = /^(Z|[+-]00(:?00)*)$/.test(zone);
  // The `Z` of a `timestamp` is of its notation: the type has no zone.
  const named = isUtc ? (type === 'timestamptz' ? ' UTC' : '') : zone && ` ${zone}`;
  return type === 'date' && `${minute}${rest}${named}` === '00:00' ? day : `${day} ${minute}${rest}${named}`;
}

/** The name of a type, and what the texts of its values leave out. */
export const typeText = (type: string): string => (type === 'timestamp' ? `${type} without a time zone` : type);

/** Columns whose values are aligned at the right. */
export const isNumeric = (type: string): boolean => /^(integer|bigint|hugeint|double|float|decimal)/.test(type);
