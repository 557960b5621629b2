import type { Literal } from './tree.ts';

/** The most digits that an exact number has in both engines. */
const MAX_DIGITS = 38;
const MAX_INTEGER = 2n ** 63n - 1n;

/** The literal of a number: exact unless it has an exponent; undefined if no type can hold it. */
export function numberLiteral(text: string): Literal | undefined {
  if (/[eE]/.test(text)) return Number.isFinite(Number(text)) ? { type: 'number', text: plainNumber(text) } : undefined;
  const [whole = '', fraction] = text.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length + (fraction?.length ?? 0) > MAX_DIGITS) return undefined;
  if (fraction) return { type: 'decimal', text: `${digits || '0'}.${fraction}` };
  return { type: BigInt(digits) > MAX_INTEGER ? 'decimal' : 'integer', text: digits };
}

/** A mantissa and an exponent as every engine reads them. */
function plainNumber(text: string): string {
  const shortest = String(Number(text));
  return shortest.includes('e') ? shortest.replace('e+', 'e') : `${shortest}e0`;
}

export function dateLiteral(text: string): Literal | undefined {
  return isDay(text) ? { type: 'date', text } : undefined;
}

const DATETIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A time with an offset is converted to UTC, with a `Z` at its end. Without an offset it is a time of day in the time
 * zone of the query. A date alone is its midnight.
 */
export function datetimeLiteral(text: string): Literal | undefined {
  if (isDay(text)) return { type: 'datetime', text: `${text} 00:00:00` };
  const [, day = '', hour = '', minute = '', second = '00', fraction = '', offset] = DATETIME.exec(text) ?? [];
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const local = `${day} ${hour}:${minute}:${second}${fraction}`;
  if (offset === undefined) return { type: 'datetime', text: local };
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  if (sign && (Number(hours) > 15 || Number(minutes) > 59)) return undefined;
  const shiftMinutes = sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;
  const utc = new Date(Date.parse(`${day}T${hour}:${minute}:${second}Z`) - shiftMinutes * 60_000).toISOString();
  return /^\d{4}-/.test(utc)
    ? { type: 'datetime', text: `${utc.slice(0, 19).replace('T', ' ')}${fraction}Z` }
    : undefined;
}

/** A day of the calendar between the years 1 and 9999. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
