import { type Decimal, decimalOf, digitsText, rounded, trimmed } from './decimal.ts';

/** The sign that is as wide as a digit, which screen readers say. */
export const MINUS = '−';

/** Doubles have 15 to 17 digits, of which calculations spoil the last ones. */
const SIGNIFICANT_DIGITS = 12;
/** Beyond these sizes, doubles are written with an exponent, as in most languages. */
const [TINY, HUGE] = [1e-6, 1e21];

/**
 * A number as people read it: `1,234,567.5`. Integers and exact decimals, which are texts, keep all their digits; the
 * fraction of a double is rounded to twelve significant digits.
 */
export function numberText(value: number | string, { isGrouped = true }: { isGrouped?: boolean } = {}): string {
  const size = typeof value === 'number' ? Math.abs(value) : 1;
  if (Number.isFinite(size) && size !== 0 && (size < TINY || size >= HUGE))
    return String(Number((value as number).toPrecision(SIGNIFICANT_DIGITS))).replaceAll('-', MINUS);
  const decimal = plainDecimal(value);
  return decimal ? signed(decimal, digitsText(decimal, { isGrouped })) : String(value);
}

/** The number with the digits that `numberText` shows. */
export function plainDecimal(value: number | string): Decimal | undefined {
  const decimal = decimalOf(value);
  if (!decimal || typeof value === 'string') return decimal && trimmed(decimal);
  const whole = decimal.digits.length - decimal.scale;
  const [leadingZeros] = /^0*/.exec(decimal.digits)!;
  const before = leadingZeros === '' ? whole : 1 - leadingZeros.length;
  return trimmed(rounded(decimal, Math.max(0, SIGNIFICANT_DIGITS - before)));
}

/** The text of a number, with the sign of the number in front. */
export const signed = ({ isNegative }: Decimal, text: string): string => (isNegative ? MINUS + text : text);
